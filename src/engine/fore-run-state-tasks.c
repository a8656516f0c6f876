/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-run-state-private.h"

#include "engine/fore-event-data.h"
#include "model/fore-id.h"
#include "platform/fore-clock.h"
#include "platform/fore-log.h"
#include "platform/fore-process.h"

#include <glib/gi18n-lib.h>

/**
 * fore_run_state_get_tasks:
 * @self: the state
 *
 * Returns: (transfer none) (element-type ForeTask): all tasks by position
 */
GPtrArray *
fore_run_state_get_tasks (ForeRunState *self)
{
  g_return_val_if_fail (FORE_IS_RUN_STATE (self), NULL);

  return self->tasks;
}

/**
 * fore_run_state_find_task:
 * @self: the state
 * @key: (nullable): a key
 *
 * Returns: (transfer none) (nullable): the task
 */
ForeTask *
fore_run_state_find_task (ForeRunState *self, const char *key)
{
  g_return_val_if_fail (FORE_IS_RUN_STATE (self), NULL);

  return key != NULL ? g_hash_table_lookup (self->tasks_by_key, key) : NULL;
}

/**
 * fore_run_state_add_task:
 * @self: the state
 * @task: (transfer full): a queued task with a new key
 *
 * Adds a task to the run.
 */
void
fore_run_state_add_task (ForeRunState *self, ForeTask *task)
{
  g_return_if_fail (FORE_IS_RUN_STATE (self));
  g_return_if_fail (task != NULL && fore_run_state_find_task (self, task->key) == NULL);

  task->position = self->tasks->len;
  g_ptr_array_add (self->tasks, task);
  g_hash_table_insert (self->tasks_by_key, task->key, task);
  self->run->n_tasks++;
  self->run->counts[task->status]++;

  fore_run_writer_put_task (self->writer, task);
  fore_run_writer_put_run (self->writer, self->run);
  fore_run_state_emit (self, FORE_EVENT_TASK_ADDED, task->key, 0,
                       fore_event_data_new ("s:title", task->title, "s:role", task->role,
                                            "v:depends_on", task->depends_on, "i:plan_version",
                                            (gint64) task->plan_version, NULL));
}

static void
set_outcome (ForeTask *task, ForeTaskStatus status, ForeCause cause, const char *message)
{
  task->cause = cause;
  g_free (task->message);
  task->message = g_strdup (message);

  if (status == FORE_TASK_RUNNING && task->started == 0)
    task->started = fore_clock_now_us ();
  if (fore_task_status_get_class (status) == FORE_CLASS_FINISHED)
    task->finished = fore_clock_now_us ();
  else
    task->finished = 0;

  if (status != FORE_TASK_RUNNING && status != FORE_TASK_WAITING && status != FORE_TASK_QUEUED)
    {
      task->phase = FORE_PHASE_NONE;
      g_clear_pointer (&task->waits_for, g_free);
    }
}

/* Nobody needs to let in what starts, or will not. */
static void
withdraw_gate (ForeRunState *self, const ForeTask *task)
{
  ForeRequest *request = fore_run_state_find_open_request (self, FORE_REQUEST_GATE, task->key);

  if (request != NULL)
    fore_run_state_withdraw_request (self, request, _ ("The task will not start."));
}

/**
 * fore_run_state_move_task:
 * @self: the state
 * @task: a task of the run
 * @status: the status wanted
 * @cause: why, or %FORE_CAUSE_NONE
 * @message: (nullable): one sentence: why
 *
 * Moves a task, if the table allows it.
 *
 * Returns: whether it moved
 */
gboolean
fore_run_state_move_task (
    ForeRunState *self, ForeTask *task, ForeTaskStatus status, ForeCause cause, const char *message)
{
  ForeTaskStatus from;

  g_return_val_if_fail (FORE_IS_RUN_STATE (self), FALSE);
  g_return_val_if_fail (task != NULL, FALSE);

  from = task->status;
  if (!fore_task_status_can_move (from, status))
    {
      g_warning ("Task %s of run %s cannot go from %s to %s", task->key, self->run->id,
                 fore_task_status_to_string (from), fore_task_status_to_string (status));
      return FALSE;
    }

  self->run->counts[from]--;
  self->run->counts[status]++;
  task->status = status;
  set_outcome (task, status, cause, message);
  if (from == FORE_TASK_QUEUED)
    withdraw_gate (self, task);

  fore_run_writer_put_task (self->writer, task);
  fore_run_writer_put_run (self->writer, self->run);
  fore_run_state_emit (
      self, FORE_EVENT_TASK_STATUS, task->key, 0,
      fore_event_data_new ("s:from", fore_task_status_to_string (from), "s:to",
                           fore_task_status_to_string (status), "s:cause",
                           cause != FORE_CAUSE_NONE ? fore_cause_to_string (cause) : NULL,
                           "s:message", message, NULL));
  if (status == FORE_TASK_FAILED || status == FORE_TASK_NEEDS_ATTENTION)
    fore_log (FORE_LOG_WARNING, self->run->id, task->key, task->attempts, "%s (%s): %s",
              fore_task_status_to_string (status), fore_cause_to_string (cause),
              message != NULL ? message : "");

  return TRUE;
}

static void
write_phase (ForeRunState *self, ForeTask *task)
{
  fore_run_writer_put_task (self->writer, task);
  fore_run_state_emit (self, FORE_EVENT_TASK_PHASE, task->key, task->attempts,
                       fore_event_data_new ("s:phase", fore_task_phase_to_string (task->phase),
                                            "s:waits_for", task->waits_for, NULL));
}

/**
 * fore_run_state_hold_phases:
 * @self: the state
 *
 * Until fore_run_state_write_phases() a phase is only set. What is written is copied; where
 * thousands of tasks get their first one, copies between what is kept would leave holes that
 * nothing fills.
 */
void
fore_run_state_hold_phases (ForeRunState *self)
{
  g_return_if_fail (FORE_IS_RUN_STATE (self));
  g_return_if_fail (self->held == NULL);

  self->held = g_ptr_array_new ();
}

/**
 * fore_run_state_write_phases:
 * @self: the state
 *
 * Writes the phases that were held.
 */
void
fore_run_state_write_phases (ForeRunState *self)
{
  g_autoptr (GPtrArray) held = NULL;

  g_return_if_fail (FORE_IS_RUN_STATE (self));

  held = g_steal_pointer (&self->held);
  for (guint i = 0; held != NULL && i < held->len; i++)
    write_phase (self, g_ptr_array_index (held, i));
}

/**
 * fore_run_state_set_phase:
 * @self: the state
 * @task: a task of the run
 * @phase: what it is in
 * @waits_for: (nullable): one sentence: why it is not running
 */
void
fore_run_state_set_phase (ForeRunState *self,
                          ForeTask *task,
                          ForeTaskPhase phase,
                          const char *waits_for)
{
  g_return_if_fail (FORE_IS_RUN_STATE (self));
  g_return_if_fail (task != NULL);

  if (task->phase == phase && g_strcmp0 (task->waits_for, waits_for) == 0)
    return;

  task->phase = phase;
  g_free (task->waits_for);
  task->waits_for = g_strdup (waits_for);

  if (self->held == NULL)
    write_phase (self, task);
  else
    g_ptr_array_add (self->held, task);
}

/**
 * fore_run_state_set_mark:
 * @self: the state
 * @task: a task of the run
 * @mark: (nullable): cause of the mark, %NULL to clear it
 *
 * Sets or clears the attention mark. Setting the same mark again changes nothing.
 */
void
fore_run_state_set_mark (ForeRunState *self, ForeTask *task, const char *mark)
{
  g_autofree char *before = NULL;

  g_return_if_fail (FORE_IS_RUN_STATE (self));
  g_return_if_fail (task != NULL);

  if (g_strcmp0 (task->mark, mark) == 0)
    return;

  before = g_steal_pointer (&task->mark);
  task->mark = g_strdup (mark);
  fore_run_writer_put_task (self->writer, task);
  fore_run_state_emit (self, mark != NULL ? FORE_EVENT_TASK_MARK : FORE_EVENT_TASK_MARK_CLEARED,
                       task->key, 0,
                       fore_event_data_new ("s:cause", mark != NULL ? mark : before, NULL));
}

/**
 * fore_run_state_touch_task:
 * @self: the state
 * @task: a task of the run
 *
 * Writes the task's row.
 */
void
fore_run_state_touch_task (ForeRunState *self, ForeTask *task)
{
  g_return_if_fail (FORE_IS_RUN_STATE (self));
  g_return_if_fail (task != NULL);

  fore_run_writer_put_task (self->writer, task);
}

void
fore_run_state_sum_up (ForeRunState *self)
{
  self->run->usage = FORE_USAGE_INIT;
  for (guint i = 0; i < self->tasks->len; i++)
    fore_usage_add (&self->run->usage, &((ForeTask *) g_ptr_array_index (self->tasks, i))->usage);
}

/**
 * fore_run_state_update_usage:
 * @self: the state
 * @task: a task of the run
 *
 * Sums up the usage of @task over its attempts and of the run over its tasks, and writes both.
 */
void
fore_run_state_update_usage (ForeRunState *self, ForeTask *task)
{
  ForeUsage sum = FORE_USAGE_INIT;
  ForeUsage before;

  g_return_if_fail (FORE_IS_RUN_STATE (self));
  g_return_if_fail (task != NULL);

  for (guint n = 1; n <= task->attempts; n++)
    {
      const ForeAttempt *attempt = fore_run_state_find_attempt (self, task->key, n);

      if (attempt != NULL)
        fore_usage_add (&sum, &attempt->usage);
    }

  if (fore_usage_equal (&task->usage, &sum))
    return;

  before = task->usage;
  task->usage = sum;
  if (before.estimated && !sum.estimated)
    fore_run_state_sum_up (self);
  else
    fore_usage_replace (&self->run->usage, &before, &sum);

  fore_run_writer_put_task (self->writer, task);
  fore_run_writer_put_run (self->writer, self->run);
}

/**
 * fore_run_state_add_attempt:
 * @self: the state
 * @task: a task of the run
 *
 * Begins the next attempt of @task. Its row is written by fore_run_state_touch_attempt().
 *
 * Returns: (transfer none): the attempt
 */
ForeAttempt *
fore_run_state_add_attempt (ForeRunState *self, ForeTask *task)
{
  ForeAttempt *attempt;

  g_return_val_if_fail (FORE_IS_RUN_STATE (self), NULL);
  g_return_val_if_fail (task != NULL, NULL);

  task->attempts++;
  task->starts++;
  attempt = fore_attempt_new (task->key, task->attempts);
  attempt->started = fore_clock_now_us ();
  g_hash_table_insert (self->attempts, fore_id_dup_attempt (task->key, attempt->n), attempt);

  return attempt;
}

/**
 * fore_run_state_find_attempt:
 * @self: the state
 * @task: a task's key
 * @n: number of the attempt
 *
 * Returns: (transfer none) (nullable): the attempt
 */
ForeAttempt *
fore_run_state_find_attempt (ForeRunState *self, const char *task, guint n)
{
  g_autofree char *id = NULL;

  g_return_val_if_fail (FORE_IS_RUN_STATE (self), NULL);
  g_return_val_if_fail (task != NULL, NULL);

  id = fore_id_dup_attempt (task, n);

  return g_hash_table_lookup (self->attempts, id);
}

/**
 * fore_run_state_take_attempt:
 * @self: the state
 * @task: a task that is over
 *
 * Lets go of the last attempt of @task, if nothing will ever be asked of it but by readers of the
 * record: it ended well, used nothing and has no session to be taken up.
 *
 * Returns: (transfer full) (nullable): the attempt, which the state does not hold any more
 */
ForeAttempt *
fore_run_state_take_attempt (ForeRunState *self, const ForeTask *task)
{
  const ForeUsage nothing = FORE_USAGE_INIT;
  g_autofree char *id = NULL;
  g_autofree char *held = NULL;
  ForeAttempt *attempt;

  g_return_val_if_fail (FORE_IS_RUN_STATE (self), NULL);
  g_return_val_if_fail (task != NULL, NULL);

  attempt = fore_run_state_find_attempt (self, task->key, task->attempts);
  if (attempt == NULL || attempt->finished == 0 || attempt->cause != FORE_CAUSE_NONE
      || attempt->session != NULL || task->status != FORE_TASK_COMPLETED
      || !fore_usage_equal (&attempt->usage, &nothing))
    return NULL;

  id = fore_id_dup_attempt (task->key, attempt->n);
  g_hash_table_steal_extended (self->attempts, id, (gpointer *) &held, NULL);

  return attempt;
}

/* A run may have thousands of attempts: what only a reader of the record asks for is not held. */
void
fore_run_state_forget_record (ForeAttempt *attempt)
{
  g_clear_pointer (&attempt->argv, g_strfreev);
  g_clear_pointer (&attempt->env_names, g_strfreev);
  if (attempt->finished == 0)
    return;

  g_clear_pointer (&attempt->cwd, g_free);
  g_clear_pointer (&attempt->base, g_free);
  g_clear_pointer (&attempt->result, g_free);
  if (g_strcmp0 (attempt->boot_id, fore_process_get_boot_id ()) == 0)
    g_clear_pointer (&attempt->boot_id, g_free);
}

/**
 * fore_run_state_touch_attempt:
 * @self: the state
 * @attempt: an attempt of the run
 *
 * Writes the attempt's row. How it was started, and when it is over where and with what result, is
 * then on record and no longer held in memory.
 */
void
fore_run_state_touch_attempt (ForeRunState *self, ForeAttempt *attempt)
{
  g_return_if_fail (FORE_IS_RUN_STATE (self));
  g_return_if_fail (attempt != NULL);

  fore_run_writer_put_attempt (self->writer, attempt);
  fore_run_state_forget_record (attempt);
}
