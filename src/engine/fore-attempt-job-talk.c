/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A live session: what it is told, by this runner and by the one before it. */

#include "config.h"

#include "engine/fore-attempt-job-private.h"

#include "engine/fore-event-data.h"
#include "platform/fore-compat-glib.h"
#include "platform/fore-dirs.h"

#include <string.h>

static void
outbox_filled (ForeAgentReader *reader, GBytes *bytes, gpointer user_data)
{
  ForeAttemptJob *self = user_data;

  g_assert (FORE_IS_ATTEMPT_JOB (self));

  fore_talk_add (self->talk, bytes);
}

static void
make_talk (ForeAttemptJob *self)
{
  self->talk = fore_talk_new (fore_attempt_job_get_state (self), self->guard);
  g_signal_connect (self->reader, "outbox", G_CALLBACK (outbox_filled), self);
}

/* A conversation ends with the attempt that failed in it by its own doing, and one that was taken
 * up and fell again is not tried a third time.
 */
static gboolean
may_go_on (ForeAttemptJob *self, const ForeAttempt *before)
{
  const ForeAttempt *earlier;

  if (before == NULL || !before->live || before->session == NULL || before->finished == 0
      || g_strcmp0 (before->cli, self->task->cli) != 0)
    return FALSE;
  if (before->cause == FORE_CAUSE_INTERRUPTED)
    return TRUE;
  if (!fore_cause_can_pass (before->cause) || before->n < 2)
    return fore_cause_can_pass (before->cause);

  earlier = fore_run_state_find_attempt (fore_attempt_job_get_state (self), self->task->key,
                                         before->n - 1);

  return earlier == NULL || g_strcmp0 (earlier->session, before->session) != 0;
}

/* The task's last attempt, if its conversation can go on; no attempt was added since. */
const ForeAttempt *
fore_attempt_job_find_interrupted (ForeAttemptJob *self)
{
  const ForeAttempt *before = fore_run_state_find_attempt (fore_attempt_job_get_state (self),
                                                           self->task->key, self->task->attempts);

  return may_go_on (self, before) ? before : NULL;
}

/* Once it is known whether the session was taken up. */
void
fore_attempt_job_note_taken_up (ForeAttemptJob *self)
{
  ForeTakenUp taken_up = fore_agent_reader_get_taken_up (self->reader);

  if (taken_up == FORE_TAKEN_UP_UNKNOWN || self->noted_taken_up || self->adopted)
    return;

  self->noted_taken_up = TRUE;
  fore_run_state_emit (
      fore_attempt_job_get_state (self), FORE_EVENT_SESSION_TAKEN_UP, self->task->key,
      self->attempt->n,
      fore_event_data_new ("s:session", fore_agent_reader_get_session (self->reader), "b:ok",
                           taken_up == FORE_TAKEN_UP, "s:message",
                           fore_agent_reader_get_anew_reason (self->reader), NULL));
}

/* Before the session is started: what it will be told first. The prompt is in the attempt's file,
 * where the guard adds what else is said.
 */
void
fore_attempt_job_write_begin (ForeAttemptJob *self)
{
  g_autoptr (ForeSaid) said = g_new0 (ForeSaid, 1);

  said->kind = g_strdup ("begin");
  said->bytes = (gint64) strlen (self->launch->prompt);
  said->id = g_strdup (self->launch->session);
  said->again = g_strdup (self->launch->again);
  said->version = g_strdup (FORE_VERSION);
  fore_run_state_emit_said (fore_attempt_job_get_state (self), self->task->key, self->attempt->n,
                            said);
}

/* As the command line of one-shot agents names it; the same for every runner. */
static GStrv
dup_mcp (ForeAttemptJob *self)
{
  const ForeRunContext *context = self->services->context;
  g_autofree char *calls = fore_dirs_dup_attempt_path (
      context->home, fore_run_state_get_run (fore_attempt_job_get_state (self))->id,
      self->task->key, self->attempt->n, "calls");
  const char *const words[] = { context->ctl, "mcp", "--calls", calls, NULL };

  return context->ctl != NULL ? g_strdupv ((char **) words) : NULL;
}

/* What attempts before this one used in the same session. */
static void
sum_earlier (ForeAttemptJob *self, const char *session)
{
  self->earlier = FORE_USAGE_INIT;
  for (guint n = 1; session != NULL && n < self->attempt->n; n++)
    {
      const ForeAttempt *before = fore_run_state_find_attempt (fore_attempt_job_get_state (self),
                                                               self->task->key, n);

      if (before != NULL && g_strcmp0 (before->session, session) == 0)
        fore_usage_add (&self->earlier, &before->usage);
    }
}

/* How the session begins, but for its prompt: the same for whoever takes it up. */
static ForeSessionStart
describe_start (ForeAttemptJob *self, const char *session)
{
  ForeSessionStart start = { 0 };

  start.cwd = self->attempt->cwd;
  start.model = self->task->model;
  start.read_only = !self->task->writes;
  sum_earlier (self, session);
  start.earlier = &self->earlier;
  if (self->mcp == NULL)
    self->mcp = dup_mcp (self);
  start.mcp = (const char *const *) self->mcp;

  return start;
}

void
fore_attempt_job_begin_talk (ForeAttemptJob *self)
{
  ForeSessionStart start = describe_start (self, self->launch->session);

  make_talk (self);
  self->caught_up = TRUE;
  start.session = self->launch->session;
  start.again = self->launch->again;
  start.prompt = self->launch->prompt;
  fore_agent_reader_begin (self->reader, &start);
}

static char *
read_prompt (ForeAttemptJob *self, gint64 bytes)
{
  g_autofree char *path = NULL;
  g_autofree char *text = NULL;
  gsize length;

  path = fore_dirs_dup_attempt_path (self->services->context->home,
                                     fore_run_state_get_run (fore_attempt_job_get_state (self))->id,
                                     self->task->key, self->attempt->n, "in");
  if (!g_file_get_contents (path, &text, &length, NULL) || length < (gsize) bytes)
    return NULL;

  return g_strndup (text, (gsize) bytes);
}

/* Another version may find other words, which would come to other numbers. */
static gboolean
can_be_said_again (ForeAttemptJob *self, GPtrArray *list)
{
  ForeSaid *first = list->len > 0 ? g_ptr_array_index (list, 0) : NULL;

  if (first == NULL || strcmp (first->kind, "begin") != 0
      || g_strcmp0 (first->version, FORE_VERSION) != 0 || self->attempt->cwd == NULL)
    return FALSE;

  g_free (first->text);
  first->text = read_prompt (self, first->bytes);

  return first->text != NULL;
}

static void
caught_up (ForeAgentReader *reader, gpointer user_data)
{
  ForeAttemptJob *self = user_data;

  g_assert (FORE_IS_ATTEMPT_JOB (self));

  if (self->caught_up)
    return;

  self->caught_up = TRUE;
  g_signal_emit (self, fore_attempt_job_signals[CAUGHT_UP], 0);
}

/* Goes on with a session that an earlier runner began. */
gboolean
fore_attempt_job_take_up_talk (ForeAttemptJob *self)
{
  ForeSessionStart start;
  g_autoptr (GPtrArray) list = NULL;
  const ForeSaid *first;

  list = fore_run_state_list_said (fore_attempt_job_get_state (self), self->task->key,
                                   self->attempt->n);
  if (!can_be_said_again (self, list))
    return FALSE;

  first = g_ptr_array_index (list, 0);
  start = describe_start (self, first->id);
  make_talk (self);
  fore_agent_reader_replay (self->reader, list, &start);
  g_signal_connect (self->reader, "caught-up", G_CALLBACK (caught_up), self);

  return TRUE;
}

/**
 * fore_attempt_job_say:
 * @self: a job
 * @kind: steer, follow-up, answer, interrupt
 * @id: (nullable): what is answered
 * @text: (nullable): what to say
 *
 * Tells a live session something as soon as that is durable, and once, whoever of us dies.
 *
 * Returns: whether it will be told
 */
gboolean
fore_attempt_job_say (ForeAttemptJob *self, const char *kind, const char *id, const char *text)
{
  g_autoptr (ForeSaid) said = NULL;

  g_return_val_if_fail (FORE_IS_ATTEMPT_JOB (self), FALSE);

  if (!fore_attempt_job_is_talking (self))
    return FALSE;

  fore_talk_hold (self->talk);
  said = fore_agent_reader_say (self->reader, kind, id, text);
  if (said != NULL)
    fore_run_state_emit_said (fore_attempt_job_get_state (self), self->task->key, self->attempt->n,
                              said);
  fore_talk_release_when_durable (self->talk);

  return said != NULL;
}

/**
 * fore_attempt_job_is_talking:
 * @self: a job
 *
 * Returns: whether a live session can be told something just now
 */
gboolean
fore_attempt_job_is_talking (ForeAttemptJob *self)
{
  g_return_val_if_fail (FORE_IS_ATTEMPT_JOB (self), FALSE);

  return self->attempt != NULL && self->attempt->live && self->reader != NULL && self->guard != NULL
         && !self->said_end && self->caught_up && self->attempt->finished == 0;
}
