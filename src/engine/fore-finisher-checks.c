/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-finisher-private.h"

#include "engine/fore-event-data.h"
#include "engine/fore-follow-up.h"
#include "platform/fore-compat-glib.h"

#include <glib/gi18n-lib.h>

#define RESULT_KEY "result-check"
/* A guard knows a check by its attempt: one that counts on tells those of a further try apart. */
#define MAX_ATTEMPT 4000000

/* The checks of the project on the result of a run none of whose tasks had them. */

static gboolean
has_all (const ForeTask *task, GPtrArray *commands)
{
  if (task->status != FORE_TASK_COMPLETED)
    return FALSE;

  for (guint i = 0; i < commands->len; i++)
    {
      if (!fore_checks_have (task->checks, g_ptr_array_index (commands, i)))
        return FALSE;
    }

  return TRUE;
}

static gboolean
needs_checks (ForeFinisher *self, GPtrArray *commands)
{
  GPtrArray *tasks = fore_run_state_get_tasks (fore_finisher_get_state (self));
  const ForeRun *run = fore_finisher_get_run (self);
  gboolean checked = FALSE;

  if (commands == NULL || commands->len == 0 || run->result_commit == NULL
      || !fore_run_is_active (run) || fore_finisher_choose_status (self) != FORE_RUN_COMPLETED)
    return FALSE;

  for (guint i = 0; i < tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (tasks, i);

      if (has_all (task, commands))
        checked = TRUE;
      else if (fore_task_is_follow_up (task) && task->effect == FORE_EFFECT_CHANGED)
        checked = FALSE;
    }

  return !checked;
}

static void
tree_undone (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeFinisher) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!fore_trees_undo_finish (FORE_TREES (source), result, &error))
    g_message ("The tree of the checks stays: %s", error->message);

  self->n_busy--;
  fore_finisher_close_run (self);
}

static void
take_checks (ForeFinisher *self, GPtrArray *checks)
{
  self->result_verified = fore_checks_judge (checks);
  for (guint i = 0; i < checks->len; i++)
    {
      const ForeCheck *check = g_ptr_array_index (checks, i);
      g_autofree char *label = fore_check_dup_label (check);

      fore_run_state_emit (fore_finisher_get_state (self), FORE_EVENT_TASK_CHECK, NULL, 0,
                           fore_event_data_new ("v:argv", check->argv, "s:verified",
                                                fore_verified_to_string (check->verified), "i:exit",
                                                (gint64) check->exit_code, "i:ms", check->ms,
                                                NULL));
      if (check->verified == FORE_VERIFIED_FAILED && self->problem == NULL)
        self->problem = g_strdup_printf (_ ("“%s” fails on the merged work"), label);
    }
}

static void
checks_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeFinisher) self = user_data;
  g_autoptr (GPtrArray) checks = fore_check_run_start_finish (FORE_CHECK_RUN (source), result,
                                                              NULL);
  g_autoptr (ForeTree) tree = g_steal_pointer (&self->check_tree);

  take_checks (self, checks);
  g_clear_object (&self->checks);
  fore_trees_undo_async (self->services->trees, tree, tree_undone, g_object_ref (self));
}

static void
tree_made (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeFinisher) self = user_data;
  g_autoptr (ForeTask) task = g_steal_pointer (&self->check_task);
  g_autoptr (GError) error = NULL;
  guint attempt = (guint) (g_get_real_time () / G_USEC_PER_SEC % MAX_ATTEMPT);

  self->check_tree = fore_trees_prepare_finish (FORE_TREES (source), result, &error);
  if (self->check_tree == NULL)
    {
      self->problem = g_strdup_printf (_ ("The result could not be checked: %s"), error->message);
      self->n_busy--;
      fore_finisher_close_run (self);
      return;
    }

  fore_set_str (&task->gitdir, self->check_tree->git_dir);
  fore_set_str (&task->branch, self->check_tree->branch);
  self->checks = fore_check_run_new (self->services->context, self->services->hub,
                                     fore_finisher_get_run (self)->id, task, attempt,
                                     self->check_tree->path);
  fore_check_run_start_async (self->checks, FALSE, checks_done, g_object_ref (self));
  if (!fore_run_is_active (fore_finisher_get_run (self)))
    fore_check_run_stop (self->checks);
}

/**
 * fore_finisher_check_result:
 * @self: a finisher whose run has its result
 *
 * Runs the project's checks on the result where no task has run them, and closes the run then.
 */
void
fore_finisher_check_result (ForeFinisher *self)
{
  GPtrArray *commands = fore_settings_get_commands (self->services->context->settings,
                                                    "checks.commands");
  const char *commits[] = { fore_finisher_get_run (self)->result_commit, NULL };

  self->result_verified = FORE_VERIFIED_NONE;
  g_clear_pointer (&self->problem, g_free);
  if (!needs_checks (self, commands))
    {
      fore_finisher_close_run (self);
      return;
    }

  self->n_busy++;
  self->check_task = fore_task_new (RESULT_KEY);
  self->check_task->title = g_strdup (_ ("Checks of the result"));
  for (guint i = 0; i < commands->len; i++)
    g_ptr_array_add (self->check_task->checks, fore_check_new (g_ptr_array_index (commands, i)));
  fore_run_state_set_phase_text (fore_finisher_get_state (self), _ ("Checks the result"));
  fore_trees_prepare_async (self->services->trees, self->check_task, commits, FORE_CONFLICT_ASK,
                            FALSE, NULL, tree_made, g_object_ref (self));
}

/**
 * fore_finisher_stop:
 * @self: a finisher
 *
 * Ends checks that run: the run was cancelled.
 */
void
fore_finisher_stop (ForeFinisher *self)
{
  g_return_if_fail (FORE_IS_FINISHER (self));

  if (self->checks != NULL)
    fore_check_run_stop (self->checks);
}
