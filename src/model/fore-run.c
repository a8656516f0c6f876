/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "model/fore-run.h"
#include "model/fore-words.h"

#include <string.h>

#define TITLE_MAX 80

static const char *const isolation_names[] = {
  "none",
  "worktrees",
};

static const char *const approval_names[] = {
  "ask",
  "auto",
};

static const char *const policy_names[] = {
  "continue",
  "stop",
  "stop-now",
  "ask",
};

/**
 * fore_run_options_init:
 * @options: (out): options
 *
 * Sets the defaults: worktrees, ask, continue, no limits of their own.
 */
void
fore_run_options_init (ForeRunOptions *options)
{
  g_return_if_fail (options != NULL);

  *options = (ForeRunOptions){
    .isolation = FORE_ISOLATION_WORKTREES,
    .approval = FORE_APPROVAL_ASK,
    .on_failure = FORE_POLICY_CONTINUE,
    .budget_tokens = -1,
    .budget_cost = -1,
  };
}

/**
 * fore_run_options_copy:
 * @to: (out): uninitialised options
 * @from: options
 *
 * Copies @from deeply.
 */
void
fore_run_options_copy (ForeRunOptions *to, const ForeRunOptions *from)
{
  g_return_if_fail (to != NULL);
  g_return_if_fail (from != NULL);

  *to = *from;
  to->cli = g_strdup (from->cli);
  to->model = g_strdup (from->model);
}

/**
 * fore_run_options_clear:
 * @options: options
 *
 * Frees what @options holds.
 */
void
fore_run_options_clear (ForeRunOptions *options)
{
  g_return_if_fail (options != NULL);

  g_clear_pointer (&options->cli, g_free);
  g_clear_pointer (&options->model, g_free);
}

/**
 * fore_run_new:
 * @id: (nullable): its id
 *
 * Returns: (transfer full): a queued run
 */
ForeRun *
fore_run_new (const char *id)
{
  ForeRun *run = g_new0 (ForeRun, 1);

  run->id = g_strdup (id);
  fore_run_options_init (&run->options);
  run->usage = FORE_USAGE_INIT;
  run->files = -1;
  run->insertions = -1;
  run->deletions = -1;

  return run;
}

/**
 * fore_run_copy:
 * @run: a run
 *
 * Returns: (transfer full): a deep copy
 */
ForeRun *
fore_run_copy (const ForeRun *run)
{
  ForeRun *copy;

  g_return_val_if_fail (run != NULL, NULL);

  copy = g_memdup2 (run, sizeof *run);
  copy->id = g_strdup (run->id);
  copy->project = g_strdup (run->project);
  copy->goal = g_strdup (run->goal);
  copy->title = g_strdup (run->title);
  copy->team = g_strdup (run->team);
  copy->workflow = g_strdup (run->workflow);
  copy->phase_text = g_strdup (run->phase_text);
  copy->owner_host = g_strdup (run->owner_host);
  copy->owner_version = g_strdup (run->owner_version);
  copy->base_branch = g_strdup (run->base_branch);
  copy->base_commit = g_strdup (run->base_commit);
  copy->result_branch = g_strdup (run->result_branch);
  copy->result_commit = g_strdup (run->result_commit);
  copy->merged_into = g_strdup (run->merged_into);
  copy->merged_commit = g_strdup (run->merged_commit);
  fore_run_options_copy (&copy->options, &run->options);

  return copy;
}

/**
 * fore_run_free:
 * @run: (nullable): a run
 */
void
fore_run_free (ForeRun *run)
{
  if (run == NULL)
    return;

  g_free (run->id);
  g_free (run->project);
  g_free (run->goal);
  g_free (run->title);
  g_free (run->team);
  g_free (run->workflow);
  g_free (run->phase_text);
  g_free (run->owner_host);
  g_free (run->owner_version);
  g_free (run->base_branch);
  g_free (run->base_commit);
  g_free (run->result_branch);
  g_free (run->result_commit);
  g_free (run->merged_into);
  g_free (run->merged_commit);
  fore_run_options_clear (&run->options);
  g_free (run);
}

/**
 * fore_run_set_goal:
 * @run: a run
 * @goal: the goal as the person wrote it
 *
 * Sets the goal, and its first line (shortened to 80 characters) as the title.
 */
void
fore_run_set_goal (ForeRun *run, const char *goal)
{
  g_autofree char *line = NULL;
  const char *end;

  g_return_if_fail (run != NULL);
  g_return_if_fail (goal != NULL);

  g_free (run->goal);
  run->goal = g_strdup (goal);

  while (g_ascii_isspace (*goal))
    goal++;
  end = goal + strcspn (goal, "\r\n");
  line = g_strstrip (g_strndup (goal, end - goal));

  g_free (run->title);
  if (g_utf8_strlen (line, -1) > TITLE_MAX)
    {
      g_autofree char *head = g_utf8_substring (line, 0, TITLE_MAX - 1);

      run->title = g_strconcat (g_strchomp (head), "…", NULL);
    }
  else
    {
      run->title = g_steal_pointer (&line);
    }
}

/**
 * fore_run_is_active:
 * @run: a run
 *
 * Returns: whether @run has not finished
 */
gboolean
fore_run_is_active (const ForeRun *run)
{
  g_return_val_if_fail (run != NULL, FALSE);

  return fore_run_status_get_class (run->status) != FORE_CLASS_FINISHED;
}

/**
 * fore_run_is_discarded:
 * @run: a run
 *
 * Returns: whether a person dropped what @run made, and did not take it up again
 */
gboolean
fore_run_is_discarded (const ForeRun *run)
{
  g_return_val_if_fail (run != NULL, FALSE);

  return run->merged_commit == NULL && run->merged_into != NULL && *run->merged_into == '\0';
}

/**
 * fore_isolation_to_string:
 * @isolation: a value
 *
 * Returns: (transfer none): the word for @isolation
 */
const char *
fore_isolation_to_string (ForeIsolation isolation)
{
  g_return_val_if_fail ((guint) isolation < G_N_ELEMENTS (isolation_names), NULL);

  return isolation_names[isolation];
}

/**
 * fore_isolation_from_string:
 * @text: (nullable): a word
 * @isolation: (out): where to put the value
 *
 * Returns: %FALSE, leaving @isolation alone, if @text is not one of the words
 */
gboolean
fore_isolation_from_string (const char *text, ForeIsolation *isolation)
{
  guint found;

  g_return_val_if_fail (isolation != NULL, FALSE);

  if (!fore_words_find (isolation_names, G_N_ELEMENTS (isolation_names), text, &found))
    return FALSE;

  *isolation = found;
  return TRUE;
}

/**
 * fore_approval_to_string:
 * @approval: a value
 *
 * Returns: (transfer none): the word for @approval
 */
const char *
fore_approval_to_string (ForeApproval approval)
{
  g_return_val_if_fail ((guint) approval < G_N_ELEMENTS (approval_names), NULL);

  return approval_names[approval];
}

/**
 * fore_approval_from_string:
 * @text: (nullable): a word
 * @approval: (out): where to put the value
 *
 * Returns: %FALSE, leaving @approval alone, if @text is not one of the words
 */
gboolean
fore_approval_from_string (const char *text, ForeApproval *approval)
{
  guint found;

  g_return_val_if_fail (approval != NULL, FALSE);

  if (!fore_words_find (approval_names, G_N_ELEMENTS (approval_names), text, &found))
    return FALSE;

  *approval = found;
  return TRUE;
}

/**
 * fore_failure_policy_to_string:
 * @policy: a value
 *
 * Returns: (transfer none): the word for @policy
 */
const char *
fore_failure_policy_to_string (ForeFailurePolicy policy)
{
  g_return_val_if_fail ((guint) policy < G_N_ELEMENTS (policy_names), NULL);

  return policy_names[policy];
}

/**
 * fore_failure_policy_from_string:
 * @text: (nullable): a word
 * @policy: (out): where to put the value
 *
 * Returns: %FALSE, leaving @policy alone, if @text is not one of the words
 */
gboolean
fore_failure_policy_from_string (const char *text, ForeFailurePolicy *policy)
{
  guint found;

  g_return_val_if_fail (policy != NULL, FALSE);

  if (!fore_words_find (policy_names, G_N_ELEMENTS (policy_names), text, &found))
    return FALSE;

  *policy = found;
  return TRUE;
}
