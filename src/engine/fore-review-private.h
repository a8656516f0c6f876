/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-review.h"
#include "platform/fore-lock.h"

G_BEGIN_DECLS

/* What the files of ForeReview share. */
ForeLock *fore_review_lock (ForeStore *store, const char *run_id, GError **error);
gboolean
fore_review_save (ForeStore *store, const char *run_id, ForeReview *review, GError **error);

G_END_DECLS
