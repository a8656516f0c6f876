/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What an agent in a sandbox commits is seen in the repository while it works on. */

#include "config.h"

#include "engine/fore-attempt-job-private.h"

#include "engine/fore-pool.h"
#include "engine/fore-quarantines.h"
#include "git/fore-quarantine.h"
#include "platform/fore-clock.h"

/* Clocks of file systems go in steps, and may be behind. */
#define STEP_SECONDS 2

typedef struct
{
  char *folder;
  gint64 since;
  gint64 began;
} Copy;

static void
copy_free (Copy *copy)
{
  g_free (copy->folder);
  g_free (copy);
}

/* What cannot be taken over now is told at the end. */
static void
copy_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Copy *copy = data;

  g_task_return_boolean (task, fore_quarantine_copy (copy->folder, copy->since, NULL));
}

static void
copied (GObject *source, GAsyncResult *result, gpointer user_data)
{
  ForeAttemptJob *self = FORE_ATTEMPT_JOB (source);
  const Copy *copy = g_task_get_task_data (G_TASK (result));

  if (g_task_propagate_boolean (G_TASK (result), NULL))
    self->copied = copy->began;
  self->copying = FALSE;
}

/**
 * fore_attempt_job_copy_commits:
 * @self: a job
 *
 * Brings what its agent has committed so far to the repository. Called about once a second.
 */
void
fore_attempt_job_copy_commits (ForeAttemptJob *self)
{
  g_autoptr (GTask) task = NULL;
  Copy *copy;

  g_return_if_fail (FORE_IS_ATTEMPT_JOB (self));

  if (self->copying || self->guard == NULL || self->checks != NULL || self->task->gitdir == NULL)
    return;

  copy = g_new0 (Copy, 1);
  copy->began = fore_clock_now_us () / G_USEC_PER_SEC;
  copy->folder = fore_quarantines_dup_path (
      self->services->context->home, fore_run_state_get_run (fore_attempt_job_get_state (self))->id,
      self->task->key, self->attempt->n);
  copy->since = MAX (self->copied - STEP_SECONDS, 1);

  self->copying = TRUE;
  task = g_task_new (self, NULL, copied, NULL);
  g_task_set_name (task, "copy commits");
  g_task_set_source_tag (task, fore_attempt_job_copy_commits);
  g_task_set_task_data (task, copy, (GDestroyNotify) copy_free);
  fore_pool_run (FORE_POOL_GIT, task, copy_in_thread);
}
