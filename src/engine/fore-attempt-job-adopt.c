/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An attempt that an earlier runner started. */

#include "config.h"

#include "engine/fore-attempt-job-private.h"

#include "engine/fore-event-data.h"
#include "engine/fore-goal.h"

#include <glib/gi18n-lib.h>

static void
lose (ForeAttemptJob *self, const char *reason)
{
  fore_run_state_emit (fore_attempt_job_get_state (self), FORE_EVENT_RECOVERY_LOST, self->task->key,
                       self->task->attempts, fore_event_data_new ("s:reason", reason, NULL));
  fore_attempt_job_fail (self, FORE_CAUSE_INTERRUPTED, reason);
}

/**
 * fore_attempt_job_adopt_async:
 * @self: a job
 * @callback: called when the attempt is over
 * @user_data: data for @callback
 *
 * Takes up the task's last attempt, which an earlier runner started: follows its guard on, or what
 * that left. An agent that never started ends as interrupted. A live session is spoken with on; one
 * that another version of this program spoke with is ended.
 */
void
fore_attempt_job_adopt_async (ForeAttemptJob *self,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  ForeProcessId id;

  g_return_if_fail (FORE_IS_ATTEMPT_JOB (self));
  g_return_if_fail (self->running == NULL);

  self->adopted = TRUE;
  self->attempt = fore_run_state_find_attempt (fore_attempt_job_get_state (self), self->task->key,
                                               self->task->attempts);
  if (!fore_attempt_job_begin (self, callback, user_data))
    return;

  if (fore_attempt_job_is_of_another_boot (self->attempt))
    {
      lose (self, _ ("The machine was restarted while it was at work."));
      return;
    }
  if (self->attempt != NULL && self->attempt->finished == 0 && fore_goal_is_checks (self->task))
    {
      fore_attempt_job_run_only_checks (self);
      return;
    }
  if (self->attempt != NULL)
    self->guard = fore_guard_adopt (self->services->hub, self->task->key, self->attempt->n, &error);
  if (self->attempt != NULL)
    self->waited_us = fore_run_state_get_waited_us (fore_attempt_job_get_state (self),
                                                    self->task->key, self->attempt->n);
  if (self->guard == NULL)
    {
      lose (self, _ ("Its runner died before it was started."));
      return;
    }

  self->found_dead = fore_guard_get_guard_id (self->guard, &id) && !fore_process_is_alive (&id);
  fore_run_state_emit (fore_attempt_job_get_state (self), FORE_EVENT_ATTEMPT_ADOPTED,
                       self->task->key, self->attempt->n,
                       fore_event_data_new ("i:pid", self->attempt->pid, NULL));
  fore_attempt_job_watch_agent (self);
  fore_attempt_job_watch_calls (self);
  if (self->attempt->live && !fore_attempt_job_take_up_talk (self)
      && fore_guard_get_exit_record (self->guard) == NULL)
    fore_attempt_job_stop (self, FORE_CAUSE_INTERRUPTED,
                           _ ("Its runner died while it spoke with it."));
  fore_agent_reader_watch (self->reader);
  fore_agent_reader_poll (self->reader);
}
