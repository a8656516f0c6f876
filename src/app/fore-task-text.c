/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-task-text.h"

#include "app/fore-format.h"
#include "engine/fore-goal.h"
#include "platform/fore-sandbox.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_COMMAND 100

/**
 * fore_task_dup_title:
 * @task: a task
 *
 * The turns of a goal loop are made of the same steps: their titles say which turn it is.
 *
 * Returns: (transfer full): what to call @task
 */
char *
fore_task_dup_title (const ForeTask *task)
{
  const char *title;
  guint turn;

  g_return_val_if_fail (task != NULL, NULL);

  title = task->title != NULL ? task->title : task->key;
  turn = fore_goal_get_turn (task);

  return turn > 0 ? g_strdup_printf (_ ("Turn %u: %s"), turn, title) : g_strdup (title);
}

/**
 * fore_task_changed_path:
 * @task: a task
 * @path: a file of its tree
 *
 * Returns: whether @task is known to have changed @path
 */
gboolean
fore_task_changed_path (const ForeTask *task, const char *path)
{
  g_return_val_if_fail (task != NULL, FALSE);

  for (guint i = 0; task->files != NULL && i < task->files->len; i++)
    {
      const ForeChange *change = g_ptr_array_index (task->files, i);

      if (g_strcmp0 (change->path, path) == 0)
        return TRUE;
    }

  return FALSE;
}

/**
 * fore_attempts_find:
 * @attempts: (element-type ForeAttempt): attempts of a task
 * @n: which one, from 1
 *
 * Returns: (transfer none) (nullable): attempt @n
 */
const ForeAttempt *
fore_attempts_find (GPtrArray *attempts, guint n)
{
  g_return_val_if_fail (attempts != NULL, NULL);

  for (guint i = 0; i < attempts->len; i++)
    {
      const ForeAttempt *attempt = g_ptr_array_index (attempts, i);

      if (attempt->n == n)
        return attempt;
    }

  return NULL;
}

static void
append_fact (GString *text, const char *fact)
{
  if (fact == NULL || *fact == 0)
    return;

  if (text->len > 0)
    g_string_append (text, " · ");
  g_string_append (text, fact);
}

static void
append_usage (GString *text, const ForeUsage *usage)
{
  g_autofree char *count = fore_format_tokens (fore_usage_get_tokens (usage));
  g_autofree char *tokens = g_strdup_printf (_ ("%s tokens"), count);
  g_autofree char *cost = fore_format_cost (usage->cost);

  if (fore_usage_get_tokens (usage) >= 0)
    append_fact (text, tokens);
  if (usage->cost >= 0)
    append_fact (text, cost);
}

/**
 * fore_task_dup_facts:
 * @task: a task
 * @attempt: (nullable): the attempt that is looked at
 *
 * Returns: (transfer full): who works on it, where, and what it used, in one line
 */
char *
fore_task_dup_facts (const ForeTask *task, const ForeAttempt *attempt)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *tree = NULL;

  g_return_val_if_fail (task != NULL, NULL);

  if (task->branch != NULL)
    tree = g_strdup_printf (_ ("tree %s"), task->branch);
  append_fact (text, task->role);
  if (g_strcmp0 (task->role, task->cli) != 0)
    append_fact (text, attempt != NULL ? attempt->cli : task->cli);
  append_fact (text, attempt != NULL && attempt->model != NULL ? attempt->model : task->model);
  append_fact (text, tree);
  append_usage (text, attempt != NULL ? &attempt->usage : &task->usage);
  if (attempt != NULL && attempt->finished > 0 && attempt->cause != FORE_CAUSE_NONE)
    append_fact (text, fore_format_cause (attempt->cause));

  return g_strdup (text->str);
}

/**
 * fore_task_get_steer_hint:
 * @task: a task
 * @interrupted: whether its run has lost its runner
 *
 * Returns: (transfer none): what will really happen with words to its agent
 */
const char *
fore_task_get_steer_hint (const ForeTask *task, gboolean interrupted)
{
  g_return_val_if_fail (task != NULL, NULL);

  if (interrupted)
    return _ ("Your words go into the prompt of its next attempt, once the run is resumed.");
  if (task->status == FORE_TASK_RUNNING && task->live)
    return _ ("Goes to the agent at once: this is a live session.");
  if (task->status == FORE_TASK_RUNNING)
    return _ ("This agent cannot be interrupted: it gets your words with its next attempt, if "
              "there is one.");

  return _ ("Your words go into the prompt of its next attempt.");
}

/**
 * fore_task_explain_silence:
 * @task: (nullable): a task
 * @interrupted: whether its run has lost its runner
 * @title: (out) (transfer none): what is not there
 *
 * Returns: (transfer none): why there is nothing to read in its transcript
 */
const char *
fore_task_explain_silence (const ForeTask *task, gboolean interrupted, const char **title)
{
  g_return_val_if_fail (title != NULL, NULL);

  *title = _ ("No Transcript");
  if (interrupted)
    return _ ("It was interrupted before an agent said anything.");
  if (task != NULL && fore_goal_is_checks (task))
    return _ ("Foredeck runs these checks itself: no agent speaks here. What they printed is under "
              "Files.");
  if (task != NULL && fore_task_status_get_class (task->status) == FORE_CLASS_FINISHED)
    return _ ("This task ended before an agent said anything.");

  *title = _ ("Not Started Yet");
  return _ ("What the agent says and does will appear here as it happens. Its prompt can "
            "be read already.");
}

/* A long command line is broken before its options, so that a shell still reads the same. */
static char *
dup_command (const char *const *argv)
{
  g_autofree char *line = fore_format_command (argv);
  GString *text;

  if (strlen (line) <= MAX_COMMAND)
    return g_steal_pointer (&line);

  text = g_string_new (NULL);
  for (guint i = 0; argv[i] != NULL; i++)
    {
      const char *const one[] = { argv[i], NULL };
      g_autofree char *word = fore_format_command (one);

      if (i > 0)
        g_string_append (text, g_str_has_prefix (argv[i], "--") ? " \\\n  " : " ");
      g_string_append (text, word);
    }

  return g_string_free (text, FALSE);
}

static char *
dup_sandbox (const ForeAttempt *attempt)
{
  g_autoptr (ForeSandbox) sandbox = fore_sandbox_read ((const char *const *) attempt->argv);
  GString *text;
  GPtrArray *mounts;

  if (sandbox == NULL)
    return g_strdup (_ ("none"));

  text = g_string_new (fore_sandbox_get_profile (sandbox));
  g_string_append_printf (text, " · %s",
                          fore_sandbox_has_network (sandbox) ? _ ("with the network")
                                                             : _ ("without the network"));
  mounts = fore_sandbox_get_mounts (sandbox);
  for (guint i = 0; i < mounts->len; i++)
    {
      const ForeSandboxMount *mount = mounts->pdata[i];

      g_string_append_printf (text, "\n%s %s", fore_sandbox_access_to_string (mount->access),
                              mount->path);
    }

  return g_string_free (text, FALSE);
}

/**
 * fore_attempt_dup_launch:
 * @attempt: an attempt
 *
 * Returns: (transfer full): its exact command line, folder, sandbox, names of the environment and
 *     process
 */
char *
fore_attempt_dup_launch (const ForeAttempt *attempt)
{
  g_autofree char *command = NULL;
  g_autofree char *names = NULL;
  g_autofree char *sandbox = NULL;

  g_return_val_if_fail (attempt != NULL, NULL);

  command = dup_command ((const char *const *) attempt->argv);
  sandbox = dup_sandbox (attempt);
  names = attempt->env_names != NULL ? g_strjoinv ("\n", attempt->env_names) : g_strdup ("–");

  return g_strdup_printf (
      "%s\n%s\n\n%s\n%s\n\n%s\n%s\n\n%s\n%s\n\n%s %" G_GINT64_FORMAT " · %s %d · %s %d\n",
      _ ("Folder:"), attempt->cwd != NULL ? attempt->cwd : "–", _ ("Sandbox:"), sandbox,
      _ ("Command line:"), command, _ ("Environment variables given (names only):"), names,
      _ ("Process"), attempt->pid, _ ("exit code"), attempt->exit_code, _ ("signal"),
      attempt->term_signal);
}
