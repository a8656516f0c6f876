/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-review-jobs.h"

typedef enum
{
  JOB_LOAD,
  JOB_PUT,
  JOB_REMOVE,
  JOB_SET_VIEWED,
  JOB_SEND,
} JobKind;

typedef struct
{
  JobKind kind;
  ForeStore *store;
  char *run_id;
  ForeReviewComment *comment;
  char *name; /* id of a comment, or path of a file */
  char *stamp;
} ReviewJob;

static void
review_job_free (gpointer data)
{
  ReviewJob *job = data;

  g_object_unref (job->store);
  fore_review_comment_free (job->comment);
  g_free (job->run_id);
  g_free (job->name);
  g_free (job->stamp);
  g_free (job);
}

static gpointer
review_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  ReviewJob *job = data;

  switch (job->kind)
    {
    case JOB_PUT:
      return fore_review_put (job->store, job->run_id, job->comment, error);
    case JOB_REMOVE:
      return fore_review_remove (job->store, job->run_id, job->name, error);
    case JOB_SET_VIEWED:
      return fore_review_set_viewed (job->store, job->run_id, job->name, job->stamp, error);
    case JOB_SEND:
      return fore_review_send (job->store, job->run_id, "window", error);
    case JOB_LOAD:
    default:
      return fore_review_load (job->store, job->run_id, error);
    }
}

/* What is not needed for @kind is NULL. */
static void
run_job (gpointer owner,
         JobKind kind,
         ForeStore *store,
         const char *run_id,
         const ForeReviewComment *comment,
         const char *name,
         const char *stamp,
         ForeJobDone done)
{
  ReviewJob *job;

  g_return_if_fail (FORE_IS_STORE (store));
  g_return_if_fail (run_id != NULL);

  job = g_new0 (ReviewJob, 1);
  job->kind = kind;
  job->store = g_object_ref (store);
  job->run_id = g_strdup (run_id);
  job->comment = comment != NULL ? fore_review_comment_copy (comment) : NULL;
  job->name = g_strdup (name);
  job->stamp = g_strdup (stamp);
  fore_job_run (owner, "review", NULL, review_thread, job, review_job_free,
                (GDestroyNotify) fore_review_unref, done);
}

/**
 * fore_review_job_load:
 * @owner: (type GObject): whom @done is for
 * @store: the store
 * @run_id: id of a run
 * @done: called with what is noted
 */
void
fore_review_job_load (gpointer owner, ForeStore *store, const char *run_id, ForeJobDone done)
{
  run_job (owner, JOB_LOAD, store, run_id, NULL, NULL, NULL, done);
}

/**
 * fore_review_job_put:
 * @owner: (type GObject): whom @done is for
 * @store: the store
 * @run_id: id of a run
 * @comment: a comment to keep
 * @done: called with what is noted then
 */
void
fore_review_job_put (gpointer owner,
                     ForeStore *store,
                     const char *run_id,
                     const ForeReviewComment *comment,
                     ForeJobDone done)
{
  g_return_if_fail (comment != NULL);

  run_job (owner, JOB_PUT, store, run_id, comment, NULL, NULL, done);
}

/**
 * fore_review_job_remove:
 * @owner: (type GObject): whom @done is for
 * @store: the store
 * @run_id: id of a run
 * @id: id of a comment
 * @done: called with what is noted then
 */
void
fore_review_job_remove (
    gpointer owner, ForeStore *store, const char *run_id, const char *id, ForeJobDone done)
{
  g_return_if_fail (id != NULL);

  run_job (owner, JOB_REMOVE, store, run_id, NULL, id, NULL, done);
}

/**
 * fore_review_job_set_viewed:
 * @owner: (type GObject): whom @done is for
 * @store: the store
 * @run_id: id of a run
 * @path: a file
 * @stamp: (nullable): what it is now; %NULL if it was not viewed
 * @done: called with what is noted then
 */
void
fore_review_job_set_viewed (gpointer owner,
                            ForeStore *store,
                            const char *run_id,
                            const char *path,
                            const char *stamp,
                            ForeJobDone done)
{
  g_return_if_fail (path != NULL);

  run_job (owner, JOB_SET_VIEWED, store, run_id, NULL, path, stamp, done);
}

/**
 * fore_review_job_send:
 * @owner: (type GObject): whom @done is for
 * @store: the store
 * @run_id: id of a run
 * @done: called with what is noted then
 */
void
fore_review_job_send (gpointer owner, ForeStore *store, const char *run_id, ForeJobDone done)
{
  run_job (owner, JOB_SEND, store, run_id, NULL, NULL, NULL, done);
}
