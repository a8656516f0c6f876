/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "app/fore-diff-doc.h"

G_BEGIN_DECLS

#define FORE_TYPE_DIFF_VIEW (fore_diff_view_get_type ())

/* Signals: "line-activated" (const char *path, guint new_number, guint old_number): Return or
 * double click on a line, for comments; "comment-removed" (const char *path, guint new_number);
 * "comment-edited" (same).
 */
G_DECLARE_FINAL_TYPE (ForeDiffView, fore_diff_view, FORE, DIFF_VIEW, GtkWidget)

GtkWidget *fore_diff_view_new (void);
void fore_diff_view_set_doc (ForeDiffView *self, ForeDiffDoc *doc);
const char *fore_diff_view_get_path (ForeDiffView *self);
void fore_diff_view_set_path (ForeDiffView *self, const char *path);
gboolean fore_diff_view_get_side_by_side (ForeDiffView *self);
void fore_diff_view_set_side_by_side (ForeDiffView *self, gboolean side_by_side);
void fore_diff_view_set_comment (ForeDiffView *self,
                                 const char *path,
                                 guint new_number,
                                 const char *text);
void fore_diff_view_scroll_to_line (ForeDiffView *self, guint new_number);

G_END_DECLS
