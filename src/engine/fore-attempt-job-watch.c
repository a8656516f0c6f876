/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-attempt-job-private.h"

#include "platform/fore-clock.h"
#include "platform/fore-compat-glib.h"
#include "platform/fore-dirs.h"
#include "store/fore-capture-beat.h"

#include <glib/gi18n-lib.h>

#define LIVE_END_SECONDS 5
#define ONCE_END_SECONDS 15

static void
guard_started (ForeGuard *guard, const ForeGuardRecord *record, gpointer user_data)
{
  ForeAttemptJob *self = user_data;

  g_assert (FORE_IS_ATTEMPT_JOB (self));

  self->attempt->pid = record->agent_pid;
  self->attempt->pid_start = (gint64) record->agent_start;
  fore_set_str (&self->attempt->boot_id, fore_process_get_boot_id ());
  fore_run_state_touch_attempt (fore_attempt_job_get_state (self), self->attempt);
}

static void
permission_asked (ForeAgentReader *reader, const ForeEntry *entry, gpointer user_data)
{
  g_signal_emit (user_data, fore_attempt_job_signals[PERMISSION], 0, entry);
}

static void
permission_withdrawn (ForeAgentReader *reader, const char *id, gpointer user_data)
{
  g_signal_emit (user_data, fore_attempt_job_signals[WITHDRAWN], 0, id);
}

static void
said_again (ForeAgentReader *reader, const char *text, gpointer user_data)
{
  ForeAttemptJob *self = user_data;

  g_assert (FORE_IS_ATTEMPT_JOB (self));

  if (self->attempt->live)
    fore_run_state_note_seen (fore_attempt_job_get_state (self), self->task->key, text);
}

static void
check_turns (ForeAttemptJob *self)
{
  if (self->limits.turns > 0 && fore_agent_reader_get_turns (self->reader) > self->limits.turns)
    fore_attempt_job_stop (
        self, FORE_CAUSE_TURN_LIMIT,
        self->limits.own_turns
            ? _ ("It took more turns than `maxTurns` of its step or agent allows and was stopped.")
            : _ ("It took more turns than limits.turns allows and was stopped."));
}

static void
check_tokens (ForeAttemptJob *self)
{
  gint64 used = fore_usage_get_tokens (&self->attempt->usage);

  if (self->limits.tokens > 0 && used > self->limits.tokens)
    fore_attempt_job_stop (
        self, FORE_CAUSE_TOKEN_LIMIT,
        self->limits.own_tokens
            ? _ ("It used more tokens than `maxTokens` of its step or agent allows and was "
                 "stopped.")
            : _ ("It used more tokens than limits.task_tokens allows and was stopped."));
}

/* A session whose stdin was closed goes by itself; one that does not is ended. */
static gboolean
end_live (gpointer user_data)
{
  ForeAttemptJob *self = user_data;

  self->end_timer = 0;
  if (self->guard != NULL)
    fore_guard_end (self->guard);

  return G_SOURCE_REMOVE;
}

/* The session is told nothing more. */
void
fore_attempt_job_close_talk (ForeAttemptJob *self)
{
  if (!self->said_end)
    fore_guard_close_stdin (self->guard);
  self->said_end = TRUE;
  if (self->end_timer != 0)
    return;

  self->end_timer = g_timeout_add_seconds (LIVE_END_SECONDS, end_live, self);
  g_source_set_name_by_id (self->end_timer, "end a session");
}

/* What it said counts: how it goes then says nothing. */
static gboolean
end_once (gpointer user_data)
{
  ForeAttemptJob *self = user_data;

  if (self->waiting)
    return G_SOURCE_CONTINUE;

  self->end_timer = 0;
  if (self->guard != NULL && self->checks == NULL && self->attempt->finished == 0)
    {
      self->said_end = TRUE;
      fore_guard_end (self->guard);
    }

  return G_SOURCE_REMOVE;
}

/* Who has said its result goes by itself. One that does not, and says no more, would hold its place
 * and its task for ever.
 */
static void
watch_end_once (ForeAttemptJob *self)
{
  g_clear_handle_id (&self->end_timer, g_source_remove);
  /* Of one that is over the last words are read now, and how it ended does say something. */
  if (self->said_end || fore_attempt_job_is_stopped (self)
      || fore_guard_get_exit_record (self->guard) != NULL
      || !fore_agent_reader_has_completed (self->reader)
      || fore_agent_reader_has_background (self->reader)
      || fore_agent_reader_get_tools_running (self->reader) > 0)
    return;

  self->end_timer = g_timeout_add_seconds (ONCE_END_SECONDS, end_once, self);
  g_source_set_name_by_id (self->end_timer, "end an agent that stays");
}

/* Work in the background may bring another turn after what looked like the last: an agent that has
 * gone on is not hurried.
 */
static void
watch_end (ForeAttemptJob *self)
{
  gboolean settled = fore_agent_reader_get_settled (self->reader);

  if (self->guard == NULL)
    return;

  if (!self->attempt->live)
    watch_end_once (self);
  else if (!settled)
    g_clear_handle_id (&self->end_timer, g_source_remove);
  else if (self->said_end)
    fore_attempt_job_close_talk (self);
  else
    fore_attempt_job_end_talk (self);
}

static void
reader_progressed (ForeAgentReader *reader, gpointer user_data)
{
  ForeAttemptJob *self = user_data;
  const ForeUsage *usage = fore_agent_reader_get_usage (reader);
  const char *model = fore_agent_reader_get_model (reader);
  gboolean changed = FALSE;

  g_assert (FORE_IS_ATTEMPT_JOB (self));

  if (!fore_usage_equal (usage, &self->attempt->usage))
    {
      self->attempt->usage = *usage;
      changed = TRUE;
    }
  changed |= fore_set_str (&self->attempt->session, fore_agent_reader_get_session (reader));
  if (model != NULL)
    changed |= fore_set_str (&self->attempt->model, model);

  if (changed)
    {
      ForeRunWriter *writer = fore_run_state_get_writer (fore_attempt_job_get_state (self));

      fore_capture_beat_slow_down (fore_run_writer_is_behind (writer));
      fore_run_state_touch_attempt (fore_attempt_job_get_state (self), self->attempt);
      fore_run_state_update_usage (fore_attempt_job_get_state (self), self->task);
      g_signal_emit (self, fore_attempt_job_signals[USAGE], 0);
    }

  fore_attempt_job_note_taken_up (self);
  watch_end (self);
  check_turns (self);
  check_tokens (self);
}

void
fore_attempt_job_watch_agent (ForeAttemptJob *self)
{
  ForeRunContext *context = self->services->context;
  g_autofree char *path = NULL;

  path = fore_dirs_dup_attempt_path (context->home,
                                     fore_run_state_get_run (fore_attempt_job_get_state (self))->id,
                                     self->task->key, self->attempt->n, "out");
  self->reader = fore_agent_reader_new (self->adapter, self->attempt->live, path);
  g_signal_connect (self->reader, "progress", G_CALLBACK (reader_progressed), self);
  g_signal_connect (self->reader, "permission", G_CALLBACK (permission_asked), self);
  g_signal_connect (self->reader, "withdrawn", G_CALLBACK (permission_withdrawn), self);
  g_signal_connect (self->reader, "heard", G_CALLBACK (said_again), self);
  g_signal_connect (self->guard, "started", G_CALLBACK (guard_started), self);
  g_signal_connect (self->guard, "exited", G_CALLBACK (fore_attempt_job_guard_exited), self);
}

/* What an agent wrote is on the disk only once it is committed: a machine that lost its power may
 * have kept any part of it.
 */
gboolean
fore_attempt_job_is_of_another_boot (const ForeAttempt *attempt)
{
  return attempt != NULL && attempt->boot_id != NULL
         && g_strcmp0 (attempt->boot_id, fore_process_get_boot_id ()) != 0;
}

/**
 * fore_attempt_job_is_silent:
 * @self: a job
 * @limit_ms: how long silence may last
 *
 * Returns: whether its agent runs, has printed nothing for that long, and runs no tool
 */
gboolean
fore_attempt_job_is_silent (ForeAttemptJob *self, gint64 limit_ms)
{
  gint64 since;

  g_return_val_if_fail (FORE_IS_ATTEMPT_JOB (self), FALSE);

  if (self->reader == NULL || self->guard == NULL || self->checks != NULL || self->waiting
      || self->attempt->finished != 0 || fore_agent_reader_get_tools_running (self->reader) > 0)
    return FALSE;

  since = fore_clock_boot_us () - fore_agent_reader_get_last_activity (self->reader);

  return since / 1000 > limit_ms;
}
