/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-diff-doc.h"
#include "engine/fore-review.h"

G_BEGIN_DECLS

guint fore_review_find_line (const ForeReviewComment *comment, const ForeDiffDocFile *file);
char *fore_review_make_stamp (const ForeDiffDocFile *file);

G_END_DECLS
