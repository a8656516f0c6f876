/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A live session that waits for a person: without a place, and its clock stands still. */

#include "config.h"

#include "engine/fore-attempt-job-private.h"

#include "platform/fore-clock.h"
#include "platform/fore-slots.h"

static void
give_slots_back (ForeAttemptJob *self)
{
  while (self->slots != NULL && self->slots->len > 0)
    fore_slot_release (g_ptr_array_steal_index_fast (self->slots, self->slots->len - 1));
  g_clear_pointer (&self->slots, g_ptr_array_unref);
  /* An earlier runner gave it places that we have no copy of. */
  fore_guard_free_slots (self->guard);
}

/**
 * fore_attempt_job_wait:
 * @self: a job with a live session that asked something
 *
 * Gives its place back; its time limit does not run until fore_attempt_job_go_on().
 */
void
fore_attempt_job_wait (ForeAttemptJob *self)
{
  g_return_if_fail (FORE_IS_ATTEMPT_JOB (self));

  if (self->waiting)
    return;

  self->waiting = TRUE;
  self->waiting_since = fore_clock_boot_us ();
  if (self->guard == NULL)
    return;

  give_slots_back (self);
  fore_guard_set_limits (self->guard, (guint64) self->limits.capture, 0);
}

/**
 * fore_attempt_job_add_answer:
 * @self: a job whose session waits
 * @id: what is answered
 * @option: the answer
 *
 * Keeps an answer until the session has a place again.
 */
void
fore_attempt_job_add_answer (ForeAttemptJob *self, const char *id, const char *option)
{
  ForeSaid *answer;

  g_return_if_fail (FORE_IS_ATTEMPT_JOB (self));

  if (self->answers == NULL)
    self->answers = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_said_free);
  for (guint i = 0; i < self->answers->len; i++)
    {
      answer = g_ptr_array_index (self->answers, i);
      if (g_strcmp0 (answer->id, id) == 0)
        return;
    }

  answer = g_new0 (ForeSaid, 1);
  answer->id = g_strdup (id);
  answer->text = g_strdup (option);
  g_ptr_array_add (self->answers, answer);
}

/**
 * fore_attempt_job_go_on:
 * @self: a job whose session waits
 * @slots: (transfer full) (element-type ForeSlot): its place
 *
 * Tells the session what was answered.
 */
void
fore_attempt_job_go_on (ForeAttemptJob *self, GPtrArray *slots)
{
  g_autoptr (GPtrArray) answers = NULL;

  g_return_if_fail (FORE_IS_ATTEMPT_JOB (self));

  g_clear_pointer (&self->slots, g_ptr_array_unref);
  self->slots = slots;
  self->waiting = FALSE;
  self->waited_us += fore_clock_boot_us () - self->waiting_since;
  answers = g_steal_pointer (&self->answers);
  if (self->guard == NULL || fore_attempt_job_is_stopped (self))
    return;

  if (slots->len > 0)
    fore_guard_give_slot (self->guard, fore_slot_get_fd (g_ptr_array_index (slots, 0)));
  if (self->limits.wall_ms > 0)
    fore_guard_set_limits (self->guard, (guint64) self->limits.capture,
                           (guint64) (self->limits.wall_ms + self->waited_us / 1000));
  fore_agent_reader_note_activity (self->reader);

  for (guint i = 0; answers != NULL && i < answers->len; i++)
    {
      const ForeSaid *answer = g_ptr_array_index (answers, i);

      if (!fore_attempt_job_deliver (self, answer->id, answer->text))
        g_message ("The session of %s asks no more for what was answered", self->task->key);
    }
}

/**
 * fore_attempt_job_is_waiting:
 * @self: a job
 *
 * Returns: whether its session waits for a person and for nothing else
 */
gboolean
fore_attempt_job_is_waiting (ForeAttemptJob *self)
{
  g_return_val_if_fail (FORE_IS_ATTEMPT_JOB (self), FALSE);

  return self->waiting && !fore_attempt_job_is_stopped (self);
}

/**
 * fore_attempt_job_has_answers:
 * @self: a job
 *
 * Returns: whether its session can go on once it has a place
 */
gboolean
fore_attempt_job_has_answers (ForeAttemptJob *self)
{
  g_return_val_if_fail (FORE_IS_ATTEMPT_JOB (self), FALSE);

  return self->answers != NULL && self->answers->len > 0;
}

/**
 * fore_attempt_job_has_place:
 * @self: a job
 *
 * Returns: whether it counts as one that is at work
 */
gboolean
fore_attempt_job_has_place (ForeAttemptJob *self)
{
  g_return_val_if_fail (FORE_IS_ATTEMPT_JOB (self), FALSE);

  return !self->waiting;
}

/**
 * fore_attempt_job_is_caught_up:
 * @self: a job
 *
 * Returns: whether a live session can be spoken with: all it said before we came is known
 */
gboolean
fore_attempt_job_is_caught_up (ForeAttemptJob *self)
{
  g_return_val_if_fail (FORE_IS_ATTEMPT_JOB (self), FALSE);

  return self->caught_up || self->attempt == NULL || !self->attempt->live;
}
