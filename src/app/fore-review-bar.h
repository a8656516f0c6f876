/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-diff-view.h"
#include "app/fore-file-list.h"
#include "app/fore-run-model.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FORE_TYPE_REVIEW_BAR (fore_review_bar_get_type ())

/* What a person notes while reading changes, kept with the run: marks on files that were viewed,
 * and comments on lines, which it sends as one follow-up.
 */
G_DECLARE_FINAL_TYPE (ForeReviewBar, fore_review_bar, FORE, REVIEW_BAR, GtkWidget)

void fore_review_bar_attach (ForeReviewBar *self, ForeDiffView *diff, ForeFileList *files);
void fore_review_bar_set_run (ForeReviewBar *self, const char *run_id);
void fore_review_bar_set_doc (ForeReviewBar *self, ForeDiffDoc *doc, const char *task);
void fore_review_bar_update (ForeReviewBar *self, ForeRunModel *model);
void fore_review_bar_comment (ForeReviewBar *self);
void fore_review_bar_set_viewed (ForeReviewBar *self, const char *path, gboolean viewed);

G_END_DECLS
