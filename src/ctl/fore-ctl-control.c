/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ctl/fore-ctl-json.h"
#include "ctl/fore-ctl-output.h"
#include "ctl/fore-ctl-verbs.h"
#include "engine/fore-actions.h"
#include "engine/fore-rerun.h"

#include <glib/gi18n.h>

/* A runner that has to be started, or one that is in the middle of a commit, needs a moment. */
#define COMMAND_TIMEOUT_MS 30000

static gboolean
print_run_now (ForeCtl *ctl, const char *run_id, const char *outcome, GError **error)
{
  g_autoptr (ForeRunDelta) delta = fore_run_read (ctl->store, run_id, 0, 0, 0, error);

  if (delta == NULL)
    return FALSE;

  if (ctl->json)
    {
      ForeOwnerState owner = fore_ctl_look_at_owner (ctl, run_id);

      fore_ctl_print_object (ctl, fore_ctl_json_run (delta->run, owner, delta->requests));
      return TRUE;
    }

  fore_ctl_print (ctl, "%s ", run_id);
  fore_ctl_print_styled (ctl, fore_ctl_style_for_run (delta->run->status),
                         fore_run_status_to_string (delta->run->status));
  if (outcome != NULL)
    {
      g_autofree char *clean = fore_ctl_dup_clean (outcome);

      fore_ctl_print (ctl, ": %s", clean);
    }
  fore_ctl_write ("\n", 1);

  return TRUE;
}

/**
 * fore_ctl_command:
 * @ctl: a call with an open store
 * @run_id: whole id of a run
 * @kind: what is wanted
 * @args: (nullable): further words
 * @error: where to put an error
 *
 * Gives the command, waits until the owner took it up, prints how the run stands.
 *
 * Returns: %FALSE if it was refused
 */
gboolean
fore_ctl_command (
    ForeCtl *ctl, const char *run_id, ForeCommandKind kind, const char *const *args, GError **error)
{
  g_autofree char *outcome = NULL;

  if (!fore_actions_command (ctl->store, run_id, kind, args, FORE_CTL_NAME, COMMAND_TIMEOUT_MS,
                             &outcome, error))
    return FALSE;

  if (fore_ctl_has (ctl, "follow"))
    return fore_ctl_follow_and_print (ctl, run_id, error);

  return print_run_now (ctl, run_id, outcome, error);
}

static gboolean
command_run (ForeCtl *ctl, ForeCommandKind kind, GError **error)
{
  g_autofree char *run_id = fore_ctl_find_run (ctl, fore_ctl_get_word (ctl, 0), error);

  return run_id != NULL && fore_ctl_command (ctl, run_id, kind, NULL, error);
}

/* The first @n_keys words after the run are keys of tasks, what comes after them is text. */
static gboolean
command_tasks (ForeCtl *ctl, ForeCommandKind kind, guint n_keys, GError **error)
{
  g_autoptr (ForeRunDelta) delta = fore_ctl_read_run (ctl, fore_ctl_get_word (ctl, 0), 0, error);
  g_autoptr (GPtrArray) args = g_ptr_array_new ();
  g_autofree char *text = fore_ctl_join_words (ctl, 1 + n_keys);

  if (delta == NULL)
    return FALSE;

  for (guint i = 1; i <= n_keys && i < ctl->words->len; i++)
    {
      const ForeTask *task = fore_ctl_find_task (ctl, delta, fore_ctl_get_word (ctl, i), error);

      if (task == NULL)
        return FALSE;
      g_ptr_array_add (args, task->key);
    }
  if (text != NULL)
    g_ptr_array_add (args, text);
  g_ptr_array_add (args, NULL);

  return fore_ctl_command (ctl, delta->run->id, kind, (const char *const *) args->pdata, error);
}

gboolean
fore_ctl_do_pause (ForeCtl *ctl, GError **error)
{
  return command_run (ctl, FORE_COMMAND_PAUSE, error);
}

gboolean
fore_ctl_do_continue (ForeCtl *ctl, GError **error)
{
  return command_run (ctl, FORE_COMMAND_CONTINUE, error);
}

static gboolean
cancel_all (ForeCtl *ctl, GError **error)
{
  ForeStore *store = fore_ctl_get_store (ctl, error);
  int n_cancelled;

  if (store == NULL)
    return FALSE;

  n_cancelled = fore_actions_stop_everything (store, FORE_CTL_NAME, error);
  if (n_cancelled < 0)
    return FALSE;

  if (ctl->json)
    {
      JsonObject *object = json_object_new ();

      json_object_set_int_member (object, "cancelled", n_cancelled);
      fore_ctl_print_object (ctl, object);
    }
  else
    fore_ctl_print (ctl,
                    g_dngettext (NULL, "%d run cancelled.\n", "%d runs cancelled.\n", n_cancelled),
                    n_cancelled);

  return TRUE;
}

gboolean
fore_ctl_do_cancel (ForeCtl *ctl, GError **error)
{
  if (fore_ctl_has (ctl, "all") && ctl->words->len == 0)
    return cancel_all (ctl, error);

  if (fore_ctl_has (ctl, "all") || ctl->words->len == 0)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                   _ ("Name a run to cancel, or say --all for every active one."));
      return FALSE;
    }

  if (ctl->words->len == 1)
    return command_run (ctl, FORE_COMMAND_CANCEL, error);

  return command_tasks (ctl, FORE_COMMAND_CANCEL_TASK, 1, error);
}

static void
print_rerun_lines (ForeCtl *ctl, GPtrArray *reruns)
{
  if (reruns->len == 0)
    fore_ctl_print (ctl, "%s\n", _ ("Nothing would run again."));

  for (guint i = 0; i < reruns->len; i++)
    {
      const ForeRerun *rerun = reruns->pdata[i];
      g_autofree char *why = fore_ctl_dup_clean (rerun->why);

      fore_ctl_print (ctl, "%-7s %s: ", fore_rerun_kind_to_string (rerun->kind), rerun->task);
      fore_ctl_print (ctl, "%s\n", why);
    }
}

static void
print_reruns_json (ForeCtl *ctl, const char *run_id, GPtrArray *reruns)
{
  JsonObject *object = json_object_new ();
  JsonArray *keys = json_array_new ();
  JsonArray *tasks = json_array_new ();

  for (guint i = 0; i < reruns->len; i++)
    {
      const ForeRerun *rerun = reruns->pdata[i];
      JsonObject *task = json_object_new ();

      json_array_add_string_element (keys, rerun->task);
      fore_ctl_json_set_text (task, "task", rerun->task);
      fore_ctl_json_set_text (task, "what", fore_rerun_kind_to_string (rerun->kind));
      fore_ctl_json_set_text (task, "why", rerun->why);
      json_array_add_object_element (tasks, task);
    }

  json_object_set_string_member (object, "run", run_id);
  json_object_set_array_member (object, "reruns", keys);
  json_object_set_array_member (object, "tasks", tasks);
  fore_ctl_print_object (ctl, object);
}

/* What will run again and why is said before it does. */
gboolean
fore_ctl_do_resume (ForeCtl *ctl, GError **error)
{
  g_autofree char *run_id = fore_ctl_find_run (ctl, fore_ctl_get_word (ctl, 0), error);
  gboolean dry_run = fore_ctl_has (ctl, "dry-run");
  g_autoptr (GPtrArray) reruns = NULL;

  if (run_id == NULL)
    return FALSE;

  reruns = fore_rerun_list (ctl->store, run_id, error);
  if (reruns == NULL)
    return FALSE;

  if (!ctl->json && (dry_run || reruns->len > 0))
    print_rerun_lines (ctl, reruns);
  else if (dry_run)
    print_reruns_json (ctl, run_id, reruns);

  return dry_run || fore_ctl_command (ctl, run_id, FORE_COMMAND_RESUME, NULL, error);
}

gboolean
fore_ctl_do_restart (ForeCtl *ctl, GError **error)
{
  g_autofree char *run_id = fore_ctl_find_run (ctl, fore_ctl_get_word (ctl, 0), error);

  if (run_id == NULL || !fore_actions_restart_runner (ctl->store, run_id, FORE_CTL_NAME, error))
    return FALSE;

  return print_run_now (ctl, run_id, _ ("Another runner took it up"), error);
}

gboolean
fore_ctl_do_retry (ForeCtl *ctl, GError **error)
{
  return command_tasks (ctl, FORE_COMMAND_RETRY, G_MAXUINT - 1, error);
}

gboolean
fore_ctl_do_accept (ForeCtl *ctl, GError **error)
{
  return command_tasks (ctl, FORE_COMMAND_ACCEPT, 1, error);
}

gboolean
fore_ctl_do_steer (ForeCtl *ctl, GError **error)
{
  return command_tasks (ctl, FORE_COMMAND_STEER, 1, error);
}

gboolean
fore_ctl_do_follow_up (ForeCtl *ctl, GError **error)
{
  return command_tasks (ctl, FORE_COMMAND_FOLLOW_UP, 1, error);
}

gboolean
fore_ctl_do_interrupt (ForeCtl *ctl, GError **error)
{
  return command_tasks (ctl, FORE_COMMAND_INTERRUPT, 1, error);
}
