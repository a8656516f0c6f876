/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-job.h"
#include "engine/fore-review.h"

G_BEGIN_DECLS

/* Changes of what is noted about a run, made off the main thread; each gives a #ForeReview or the
 * error to @done.
 */
void fore_review_job_load (gpointer owner, ForeStore *store, const char *run_id, ForeJobDone done);
void fore_review_job_put (gpointer owner,
                          ForeStore *store,
                          const char *run_id,
                          const ForeReviewComment *comment,
                          ForeJobDone done);
void fore_review_job_remove (
    gpointer owner, ForeStore *store, const char *run_id, const char *id, ForeJobDone done);
void fore_review_job_set_viewed (gpointer owner,
                                 ForeStore *store,
                                 const char *run_id,
                                 const char *path,
                                 const char *stamp,
                                 ForeJobDone done);
void fore_review_job_send (gpointer owner, ForeStore *store, const char *run_id, ForeJobDone done);

G_END_DECLS
