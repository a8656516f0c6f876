/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "app/fore-diff-doc.h"

G_BEGIN_DECLS

#define FORE_TYPE_DIFF_VIEW (fore_diff_view_get_type ())

/* Signals: "line-activated" (const char *path, guint new_number, guint old_number): Return or
 * double click on a line, for comments; "comment-removed" (const char *path, guint new_number);
 * "comment-edited" (same); "whole-wanted" (const char *path, guint line): for
 * fore_diff_view_set_whole(), the lines around @line, which are not there, or of a large file.
 */
G_DECLARE_FINAL_TYPE (ForeDiffView, fore_diff_view, FORE, DIFF_VIEW, GtkWidget)

/**
 * ForeDiffCardFunc:
 * @path: a file
 * @new_number: a line of it with a comment
 * @data: what was given along
 *
 * Returns: (transfer floating): what is shown below the line
 */
typedef GtkWidget *(*ForeDiffCardFunc) (const char *path, guint new_number, gpointer data);

GtkWidget *fore_diff_view_new (void);
void fore_diff_view_set_doc (ForeDiffView *self, ForeDiffDoc *doc);
const char *fore_diff_view_get_path (ForeDiffView *self);
void fore_diff_view_set_path (ForeDiffView *self, const char *path);
void fore_diff_view_set_whole (ForeDiffView *self, ForeDiffDoc *whole, guint line);
gboolean fore_diff_view_get_side_by_side (ForeDiffView *self);
void fore_diff_view_set_side_by_side (ForeDiffView *self, gboolean side_by_side);
void fore_diff_view_set_comment (ForeDiffView *self,
                                 const char *path,
                                 guint new_number,
                                 const char *text);
void fore_diff_view_set_card_func (ForeDiffView *self, ForeDiffCardFunc func, gpointer data);
gboolean fore_diff_view_get_selection (ForeDiffView *self, guint *first, guint *last, char **quote);
void fore_diff_view_step (ForeDiffView *self, int direction);
void fore_diff_view_scroll_to_line (ForeDiffView *self, guint new_number);

G_END_DECLS
