/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-review.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * ForeReviewCardFunc:
 * @owner: who made the card
 * @id: id of its comment
 * @remove: whether it is to be removed, not edited
 */
typedef void (*ForeReviewCardFunc) (gpointer owner, const char *id, gboolean remove);

GtkWidget *fore_review_card_new (const ForeReviewComment *comment,
                                 const ForeTask *task,
                                 gpointer owner,
                                 ForeReviewCardFunc func);
char *fore_review_card_dup_state (const ForeReviewComment *comment, const ForeTask *task);

G_END_DECLS
