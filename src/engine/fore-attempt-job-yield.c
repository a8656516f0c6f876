/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An agent whose turn is over: a session is ended, unless it still owes its result and may be
 * reminded of that.
 */

#include "config.h"

#include "engine/fore-attempt-job-private.h"

#include "engine/fore-event-data.h"
#include "engine/fore-yield.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define REMINDER "follow-up"

static gboolean
owes_result (ForeAttemptJob *self)
{
  return self->submitted == NULL && fore_yield_is_wanted (self->services->context, self->task);
}

static guint
count_reminders (ForeAttemptJob *self)
{
  const char *text = fore_yield_get_reminder (self->task);
  g_autoptr (GPtrArray) list = fore_run_state_list_said (fore_attempt_job_get_state (self),
                                                         self->task->key, self->attempt->n);
  guint n = 0;

  for (guint i = 0; i < list->len; i++)
    {
      const ForeSaid *said = g_ptr_array_index (list, i);

      n += strcmp (said->kind, REMINDER) == 0 && g_strcmp0 (said->text, text) == 0;
    }

  return n;
}

static gboolean
remind (ForeAttemptJob *self)
{
  guint said = self->reminders + (self->adopted ? count_reminders (self) : 0);

  if (said >= fore_yield_get_reminders (self->services->context)
      || !fore_attempt_job_say (self, REMINDER, NULL, fore_yield_get_reminder (self->task)))
    return FALSE;

  self->reminders++;
  fore_run_state_emit (fore_attempt_job_get_state (self), FORE_EVENT_TASK_REMINDED, self->task->key,
                       self->attempt->n,
                       fore_event_data_new ("i:reminder", (gint64) said + 1, NULL));
  return TRUE;
}

/* What it handed in is known now. */
static void
calls_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeAttemptJob) self = user_data;

  self->ending_talk = FALSE;
  if (self->said_end || fore_attempt_job_is_stopped (self) || self->attempt->finished != 0
      || fore_guard_get_exit_record (self->guard) != NULL)
    return;

  if (!owes_result (self))
    fore_attempt_job_close_talk (self);
  else if (fore_agent_reader_has_completed (self->reader) && !remind (self))
    fore_attempt_job_close_talk (self);
}

/* Its turn is over, and nothing it was told waits to be heard. */
void
fore_attempt_job_end_talk (ForeAttemptJob *self)
{
  if (!owes_result (self) || fore_attempt_job_is_stopped (self)
      || !fore_attempt_job_is_talking (self) || !fore_agent_reader_has_completed (self->reader))
    {
      fore_attempt_job_close_talk (self);
      return;
    }
  if (self->ending_talk)
    return;

  self->ending_talk = TRUE;
  fore_attempt_job_read_calls_async (self, calls_read, g_object_ref (self));
}

/* Its process is gone, and all that it handed in is known. */
void
fore_attempt_job_judge_yield (ForeAttemptJob *self)
{
  if (self->cause != FORE_CAUSE_NONE || !owes_result (self))
    return;

  if (fore_yield_get_policy (self->services->context) == FORE_YIELD_ACCEPT)
    fore_run_state_emit (
        fore_attempt_job_get_state (self), FORE_EVENT_NOTICE, self->task->key, self->attempt->n,
        fore_event_data_new (
            "s:text",
            _ ("It handed no result in; what it said last counts (agents.submit_missing)."), NULL));
  else
    fore_attempt_job_set_cause (
        self, FORE_CAUSE_NO_YIELD,
        _ ("It ended without handing its result in, though it was told to."));
}
