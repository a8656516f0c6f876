/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Where an attempt failed and its sandbox was probably in the way, its message says so. */

#include "config.h"

#include "engine/fore-attempt-job-private.h"

#include "engine/fore-attempt-sandbox.h"
#include "engine/fore-pool.h"
#include "engine/fore-sandbox-hint.h"
#include "platform/fore-dirs.h"

/* What a thread looks at. */
typedef struct
{
  GStrv paths;
  gboolean held; /* FALSE: not known, an earlier runner started it */
} Look;

static void
look_free (Look *look)
{
  g_strfreev (look->paths);
  g_free (look);
}

static void
look_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Look *look = data;
  g_autofree char *program = look->held ? NULL : fore_sandbox_find (NULL);

  g_task_return_boolean (task, (look->held || program != NULL)
                                   && fore_sandbox_hint_find ((const char *const *) look->paths));
}

/* Nobody else's doing ended it, and it was or may have been in a sandbox. */
static gboolean
is_possible (ForeAttemptJob *self)
{
  ForeSettings *settings = self->services->context->settings;

  if (self->cause == FORE_CAUSE_NONE || fore_attempt_job_is_stopped (self) || self->message == NULL)
    return FALSE;
  if (self->launch != NULL)
    return self->launch->sandbox;

  return g_strcmp0 (fore_attempt_sandbox_get_mode (settings), "off") != 0 && !self->adapter->bare;
}

static char *
dup_path (ForeAttemptJob *self, const char *suffix)
{
  return fore_dirs_dup_attempt_path (self->services->context->home,
                                     fore_run_state_get_run (fore_attempt_job_get_state (self))->id,
                                     self->task->key, self->attempt->n, suffix);
}

/* Looks whether the sandbox was in the way; fore_attempt_job_hint_finish() adds it to the message.
 */
void
fore_attempt_job_hint_async (ForeAttemptJob *self, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);
  Look *look;

  g_task_set_name (task, "look for the sandbox");
  if (!is_possible (self))
    {
      g_task_return_boolean (task, FALSE);
      return;
    }

  look = g_new0 (Look, 1);
  look->paths = g_new0 (char *, 3);
  look->paths[0] = dup_path (self, "err");
  look->paths[1] = dup_path (self, "out");
  look->held = self->launch != NULL;
  g_task_set_task_data (task, look, (GDestroyNotify) look_free);
  fore_pool_run (FORE_POOL_FILE, task, look_in_thread);
}

void
fore_attempt_job_add_hint (ForeAttemptJob *self, const char *hint)
{
  g_autofree char *message = g_steal_pointer (&self->message);

  self->message = message != NULL && hint != NULL ? g_strdup_printf ("%s (%s)", message, hint)
                                                  : g_steal_pointer (&message);
}

void
fore_attempt_job_hint_finish (ForeAttemptJob *self, GAsyncResult *result)
{
  g_autofree char *hint = NULL;

  if (!g_task_propagate_boolean (G_TASK (result), NULL))
    return;

  hint = fore_sandbox_hint_dup (self->services->context->settings, self->task);
  fore_attempt_job_add_hint (self, hint);
}
