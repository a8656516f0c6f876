/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-job.h"

typedef struct
{
  GWeakRef owner;
  ForeJobFunc func;
  gpointer data;
  GDestroyNotify free_data;
  GDestroyNotify free_result;
  ForeJobDone done;
} ForeJob;

static guint n_running;

static void
fore_job_free (gpointer data)
{
  ForeJob *job = data;

  if (job->free_data != NULL)
    job->free_data (job->data);
  g_weak_ref_clear (&job->owner);
  g_free (job);
}

static void
job_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  ForeJob *job = task_data;
  GError *error = NULL;
  gpointer result = job->func (job->data, cancellable, &error);

  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, result, job->free_result);
}

static void
job_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = G_TASK (result);
  ForeJob *job = g_task_get_task_data (task);
  g_autoptr (GObject) owner = g_weak_ref_get (&job->owner);
  g_autoptr (GError) error = NULL;
  gpointer value = g_task_propagate_pointer (task, &error);

  n_running--;
  if (owner != NULL && job->done != NULL
      && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    job->done (owner, value, error, job->data);
  if (value != NULL && job->free_result != NULL)
    job->free_result (value);
}

/**
 * fore_job_run:
 * @owner: (type GObject): whom @done is for; nothing is reported once it is gone
 * @name: (not nullable): static name of the job, for logs and profiles
 * @cancellable: (nullable): ends the job without a report
 * @func: what is done in a worker thread; returns a result or sets its error
 * @data: for @func and @done
 * @free_data: (nullable): frees @data after @done
 * @free_result: (nullable): frees the result after @done
 * @done: (nullable): called on the main thread with the result, owned by the job, or the error
 *
 * Runs @func in a worker thread. Call from the main thread.
 */
void
fore_job_run (gpointer owner,
              const char *name,
              GCancellable *cancellable,
              ForeJobFunc func,
              gpointer data,
              GDestroyNotify free_data,
              GDestroyNotify free_result,
              ForeJobDone done)
{
  g_autoptr (GTask) task = NULL;
  ForeJob *job;

  g_return_if_fail (G_IS_OBJECT (owner));
  g_return_if_fail (func != NULL);

  job = g_new0 (ForeJob, 1);
  g_weak_ref_init (&job->owner, owner);
  job->func = func;
  job->data = data;
  job->free_data = free_data;
  job->free_result = free_result;
  job->done = done;

  task = g_task_new (NULL, cancellable, job_done, NULL);
  g_task_set_name (task, name);
  g_task_set_source_tag (task, fore_job_run);
  g_task_set_task_data (task, job, fore_job_free);
  n_running++;
  g_task_run_in_thread (task, job_thread);
}

/**
 * fore_job_get_n_running:
 *
 * Returns: how many jobs have begun and not reported yet
 */
guint
fore_job_get_n_running (void)
{
  return n_running;
}
