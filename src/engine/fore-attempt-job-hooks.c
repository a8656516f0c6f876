/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Hooks that are asked before an attempt starts. */

#include "config.h"

#include "engine/fore-attempt-job-private.h"

typedef struct
{
  ForeAttemptJob *job;
  char *tree;
} Asked;

static void
asked_free (Asked *asked)
{
  g_object_unref (asked->job);
  g_free (asked->tree);
  g_free (asked);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Asked, asked_free)

static void
hooks_answered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Asked) asked = user_data;
  g_autoptr (GError) refusal = NULL;
  ForeAttemptJob *self = asked->job;
  gboolean may_start = fore_hooks_ask_finish (FORE_HOOKS (source), result, &refusal);

  if (fore_attempt_job_is_stopped (self))
    fore_attempt_job_fail (self, self->stop_cause, self->stop_message);
  else if (!may_start)
    fore_attempt_job_fail (self, FORE_CAUSE_NOT_STARTED, refusal->message);
  else
    fore_attempt_job_start_agent (self, asked->tree);
}

/* The attempt starts once every hook lets it. */
void
fore_attempt_job_ask_hooks (ForeAttemptJob *self, const char *tree)
{
  Asked *asked = g_new0 (Asked, 1);

  asked->job = g_object_ref (self);
  asked->tree = g_strdup (tree);
  fore_hooks_ask_async (self->services->hooks, self->task, tree, hooks_answered, asked);
}
