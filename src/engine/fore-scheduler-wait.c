/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Live sessions that wait for a person's answer: no place is kept for them meanwhile, and once they
 * are answered they stand in line for one like everybody else.
 */

#include "config.h"

#include "engine/fore-scheduler-private.h"

#include "engine/fore-helper.h"

#include <glib/gi18n-lib.h>

/* Attempts that do something, or will by themselves. */
guint
fore_scheduler_count_active (ForeScheduler *self)
{
  GHashTableIter iter;
  gpointer job;
  guint n = 0;

  if (self->n_waiting == 0)
    return g_hash_table_size (self->jobs);

  g_hash_table_iter_init (&iter, self->jobs);
  while (g_hash_table_iter_next (&iter, NULL, &job))
    n += !fore_attempt_job_is_waiting (job);

  return n;
}

/**
 * fore_scheduler_holds_runner:
 * @self: a scheduler that is idle
 *
 * An agent that waits for an answer needs somebody to speak with. A script goes on from where it
 * was, whenever that is, even if its process is gone by then.
 *
 * Returns: whether its runner has to stay
 */
gboolean
fore_scheduler_holds_runner (ForeScheduler *self)
{
  GHashTableIter iter;
  gpointer job;

  g_return_val_if_fail (FORE_IS_SCHEDULER (self), FALSE);

  g_hash_table_iter_init (&iter, self->jobs);
  while (g_hash_table_iter_next (&iter, NULL, &job))
    {
      if (!fore_attempt_job_is_waiting (job)
          || !fore_task_is_script (fore_attempt_job_get_task (job)))
        return TRUE;
    }

  return FALSE;
}

static void
stand_in_line (ForeScheduler *self, ForeTask *task)
{
  fore_ready_queue_add (self->ready, task);
  fore_scheduler_pump (self);
}

static gboolean
is_asking (ForeScheduler *self, const ForeTask *task)
{
  return fore_run_state_find_asked (fore_scheduler_get_state (self), task->key, task->attempts)
             != NULL
         || fore_helper_is_waited_for (fore_scheduler_get_state (self), task);
}

static void
forward_permission (ForeAttemptJob *job, gpointer entry, gpointer user_data)
{
  g_signal_emit (user_data, fore_scheduler_signals[PERMISSION], 0, fore_attempt_job_get_task (job),
                 entry);
}

static void
forward_asked (ForeAttemptJob *job, gpointer call, gpointer user_data)
{
  g_signal_emit (user_data, fore_scheduler_signals[ASKED], 0, fore_attempt_job_get_task (job),
                 call);
}

static void
forward_withdrawn (ForeAttemptJob *job, char *id, gpointer user_data)
{
  g_signal_emit (user_data, fore_scheduler_signals[WITHDRAWN], 0, fore_attempt_job_get_task (job),
                 id);
}

/* What was answered while nobody owned the run, or taken back by the agent. */
static void
caught_up (ForeAttemptJob *job, gpointer user_data)
{
  ForeScheduler *self = user_data;
  ForeTask *task = fore_attempt_job_get_task (job);

  g_assert (FORE_IS_SCHEDULER (self));

  if (fore_attempt_job_is_waiting (job)
      && (fore_attempt_job_has_answers (job) || !is_asking (self, task)))
    stand_in_line (self, task);
}

void
fore_scheduler_watch_session (ForeScheduler *self, ForeAttemptJob *job)
{
  g_signal_connect_object (job, "permission", G_CALLBACK (forward_permission), self, 0);
  g_signal_connect_object (job, "asked", G_CALLBACK (forward_asked), self, 0);
  g_signal_connect_object (job, "withdrawn", G_CALLBACK (forward_withdrawn), self, 0);
  g_signal_connect_object (job, "caught-up", G_CALLBACK (caught_up), self, 0);
}

void
fore_scheduler_begin_waiting (ForeScheduler *self, ForeAttemptJob *job)
{
  self->n_waiting++;
  fore_attempt_job_wait (job);
}

/**
 * fore_scheduler_wait_for_answer:
 * @self: a scheduler
 * @task: a task whose live session asks something that a person was asked
 *
 * Makes @task wait; its place is free for others.
 */
void
fore_scheduler_wait_for_answer (ForeScheduler *self, ForeTask *task)
{
  ForeAttemptJob *job;

  g_return_if_fail (FORE_IS_SCHEDULER (self));
  g_return_if_fail (task != NULL);

  job = fore_scheduler_find_job (self, task->key);
  if (job == NULL || task->status != FORE_TASK_RUNNING)
    return;

  fore_run_state_move_task (fore_scheduler_get_state (self), task, FORE_TASK_WAITING,
                            FORE_CAUSE_NONE, NULL);
  fore_run_state_set_phase (fore_scheduler_get_state (self), task, FORE_PHASE_REQUEST,
                            _ ("waits for your answer"));
  fore_slot_keeper_give_back (self->slots, task);
  fore_scheduler_begin_waiting (self, job);
  fore_scheduler_pump (self);
}

/**
 * fore_scheduler_answer:
 * @self: a scheduler
 * @task: a task whose live session asked something
 * @id: id that the session gave to it
 * @option: the answer
 *
 * Tells the session as soon as there is a place for it.
 *
 * Returns: whether there is a session that will be told
 */
gboolean
fore_scheduler_answer (ForeScheduler *self, ForeTask *task, const char *id, const char *option)
{
  ForeAttemptJob *job;

  g_return_val_if_fail (FORE_IS_SCHEDULER (self), FALSE);
  g_return_val_if_fail (task != NULL, FALSE);

  job = fore_scheduler_find_job (self, task->key);
  if (job == NULL)
    return FALSE;

  if (fore_attempt_job_has_place (job))
    return fore_attempt_job_deliver (job, id, option);

  fore_attempt_job_add_answer (job, id, option);
  if (fore_attempt_job_is_caught_up (job))
    stand_in_line (self, task);

  return TRUE;
}

/**
 * fore_scheduler_refuse:
 * @self: a scheduler
 * @task: a task whose agent called
 * @id: the call
 * @text: one sentence: why it is refused
 */
void
fore_scheduler_refuse (ForeScheduler *self, ForeTask *task, const char *id, const char *text)
{
  ForeAttemptJob *job;

  g_return_if_fail (FORE_IS_SCHEDULER (self));
  g_return_if_fail (task != NULL);

  job = fore_scheduler_find_job (self, task->key);
  if (job != NULL)
    fore_attempt_job_refuse (job, id, text);
}

/**
 * fore_scheduler_stop_waiting:
 * @self: a scheduler
 * @task: a task whose live session took back what it asked
 *
 * Lets the session go on when there is a place, if it asks nothing else.
 */
void
fore_scheduler_stop_waiting (ForeScheduler *self, ForeTask *task)
{
  ForeAttemptJob *job;

  g_return_if_fail (FORE_IS_SCHEDULER (self));
  g_return_if_fail (task != NULL);

  job = fore_scheduler_find_job (self, task->key);
  if (job != NULL && fore_attempt_job_is_waiting (job) && fore_attempt_job_is_caught_up (job)
      && !is_asking (self, task))
    stand_in_line (self, task);
}

/* There is a place for a session that was answered. */
void
fore_scheduler_go_on (ForeScheduler *self, ForeAttemptJob *job, GPtrArray *slots)
{
  ForeTask *task = fore_attempt_job_get_task (job);

  fore_scheduler_update_run_status (self);
  fore_run_state_move_task (fore_scheduler_get_state (self), task, FORE_TASK_RUNNING,
                            FORE_CAUSE_NONE, NULL);
  fore_run_state_set_phase (fore_scheduler_get_state (self), task, FORE_PHASE_AGENT, NULL);
  self->n_waiting--;
  fore_attempt_job_go_on (job, slots);
}

/* Its attempt is over, in the middle of waiting perhaps. */
void
fore_scheduler_leave_waiting (ForeScheduler *self, ForeAttemptJob *job)
{
  ForeTask *task = fore_attempt_job_get_task (job);

  if (fore_attempt_job_has_place (job))
    {
      fore_slot_keeper_give_back (self->slots, task);
      return;
    }

  self->n_waiting--;
  fore_ready_queue_remove (self->ready, task);
  if (task->status == FORE_TASK_WAITING)
    fore_run_state_move_task (fore_scheduler_get_state (self), task, FORE_TASK_RUNNING,
                              FORE_CAUSE_NONE, NULL);
}

/* Helpers */

/* Keeps an eye on @task if another task asked for it. */
void
fore_scheduler_watch_helper (ForeScheduler *self, ForeTask *task)
{
  if (fore_helper_is_one (task) && fore_task_status_get_class (task->status) != FORE_CLASS_FINISHED)
    g_ptr_array_add (self->helpers, task);
}

/* Nobody needs the helper of a task that came to nothing. */
static void
cancel_needless (ForeScheduler *self, ForeTask *task)
{
  g_autofree char *key = fore_helper_dup_asker (task);
  const ForeTask *asker = fore_run_state_find_task (fore_scheduler_get_state (self), key);

  if (asker != NULL
      && (asker->status == FORE_TASK_FAILED || asker->status == FORE_TASK_CANCELLED
          || asker->status == FORE_TASK_SKIPPED))
    fore_scheduler_cancel_task (self, task, _ ("The task that asked for it is over."));
}

static void
tell_asker (ForeScheduler *self, ForeTask *task)
{
  g_autofree char *key = fore_helper_dup_asker (task);

  g_ptr_array_remove (self->helpers, task);
  if (task->status == FORE_TASK_COMPLETED)
    fore_scheduler_join_helper (self, task, key);
  g_signal_emit (self, fore_scheduler_signals[HELPED], 0, task);
}

/* One that needs attention may complete yet. */
void
fore_scheduler_look_at_helpers (ForeScheduler *self)
{
  for (guint i = self->helpers->len; i > 0; i--)
    {
      ForeTask *task = g_ptr_array_index (self->helpers, i - 1);

      cancel_needless (self, task);
      if (fore_task_status_get_class (task->status) == FORE_CLASS_FINISHED
          && task->status != FORE_TASK_NEEDS_ATTENTION)
        tell_asker (self, task);
    }
}
