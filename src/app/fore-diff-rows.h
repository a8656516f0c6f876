/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

#include "app/fore-diff-row.h"

G_BEGIN_DECLS

#define FORE_TYPE_DIFF_ROWS (fore_diff_rows_get_type ())

/* The rows of a diff as a model that makes its items only when they are looked at. */
G_DECLARE_FINAL_TYPE (ForeDiffRows, fore_diff_rows, FORE, DIFF_ROWS, GObject)

ForeDiffRows *fore_diff_rows_new (void);
void fore_diff_rows_set_doc (ForeDiffRows *self, ForeDiffDoc *doc, const char *path);
void fore_diff_rows_set_side_by_side (ForeDiffRows *self, gboolean side_by_side);
void fore_diff_rows_set_comment (ForeDiffRows *self,
                                 const char *path,
                                 guint new_number,
                                 const char *text);
void fore_diff_rows_open_fold (ForeDiffRows *self, guint position);
void fore_diff_rows_set_whole (ForeDiffRows *self, ForeDiffDoc *whole, guint line);
guint fore_diff_rows_find_line (ForeDiffRows *self, guint new_number);
guint fore_diff_rows_get_n_columns (ForeDiffRows *self);
guint fore_diff_rows_get_n_digits (ForeDiffRows *self);

G_END_DECLS
