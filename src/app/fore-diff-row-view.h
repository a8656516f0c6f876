/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-diff-rows.h"
#include "app/fore-palette.h"

G_BEGIN_DECLS

#define FORE_TYPE_DIFF_ROW_VIEW (fore_diff_row_view_get_type ())

/* Draws one row of a diff; one widget for numbers, signs and text, because there are many. */
G_DECLARE_FINAL_TYPE (ForeDiffRowView, fore_diff_row_view, FORE, DIFF_ROW_VIEW, GtkWidget)

GtkWidget *fore_diff_row_view_new (void);
void fore_diff_row_view_set_row (ForeDiffRowView *self,
                                 ForeDiffRow *row,
                                 guint n_digits,
                                 guint n_columns,
                                 gboolean side_by_side);
void fore_diff_row_view_set_selected (ForeDiffRowView *self, gboolean selected);
void fore_diff_row_view_set_card (ForeDiffRowView *self, GtkWidget *card);
ForeDiffRow *fore_diff_row_view_get_row (ForeDiffRowView *self);

G_END_DECLS
