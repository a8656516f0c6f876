/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "model/fore-task.h"
#include "store/fore-store.h"

G_BEGIN_DECLS

/**
 * ForeReviewComment:
 * @id: what it is called, unique in its run
 * @path: a file of the result
 * @first: the first line of it that is meant, as it was in the result that was looked at
 * @last: the last one
 * @quote: (nullable): those lines
 * @text: what the person has to say
 * @task: (nullable): key of the follow-up that it was sent with
 * @number: its number in what was sent, from 1
 * @time: when it was written, in microseconds since 1970
 */
typedef struct
{
  char *id;
  char *path;
  guint first;
  guint last;
  char *quote;
  char *text;
  char *task;
  guint number;
  gint64 time;
} ForeReviewComment;

/**
 * ForeReview:
 * @run_id: of which run
 * @revision: counts the changes
 * @comments: (element-type ForeReviewComment): by path and line
 * @viewed: (element-type utf8 utf8): paths of files that were looked at, and what they were then
 *
 * What a person noted while reading the result of a run. It is kept beside the run's file, since
 * only what is sent concerns the run's owner.
 */
typedef struct
{
  char *run_id;
  gint64 revision;
  GPtrArray *comments;
  GHashTable *viewed;
} ForeReview;

ForeReviewComment *
fore_review_comment_new (const char *path, guint first, guint last, const char *text);
ForeReviewComment *fore_review_comment_copy (const ForeReviewComment *comment);
void fore_review_comment_free (ForeReviewComment *comment);
char *fore_review_comment_dup_place (const ForeReviewComment *comment);
char *fore_review_comment_dup_answer (const ForeReviewComment *comment, const ForeTask *task);

ForeReview *fore_review_load (ForeStore *store, const char *run_id, GError **error);
ForeReview *fore_review_ref (ForeReview *review);
void fore_review_unref (ForeReview *review);
const ForeReviewComment *fore_review_find (const ForeReview *review, const char *id);
guint fore_review_count_unsent (const ForeReview *review);

/* Each of these is one change, made under a lock, and gives back all that is kept then; blocking.
 */
ForeReview *fore_review_put (ForeStore *store,
                             const char *run_id,
                             const ForeReviewComment *comment,
                             GError **error);
ForeReview *
fore_review_remove (ForeStore *store, const char *run_id, const char *id, GError **error);
ForeReview *fore_review_set_viewed (
    ForeStore *store, const char *run_id, const char *path, const char *stamp, GError **error);
ForeReview *fore_review_send (ForeStore *store, const char *run_id, const char *by, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeReviewComment, fore_review_comment_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeReview, fore_review_unref)

G_END_DECLS
