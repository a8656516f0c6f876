/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

#define FORE_TYPE_FILE_ROW (fore_file_row_get_type ())

/* A folder's heading or a file of a #ForeFileList. "changed" is emitted when marks change. */
G_DECLARE_FINAL_TYPE (ForeFileRow, fore_file_row, FORE, FILE_ROW, GObject)

ForeFileRow *fore_file_row_new_folder (const char *folder);
ForeFileRow *fore_file_row_new_file (const char *path, guint n_added, guint n_removed);

gboolean fore_file_row_is_folder (ForeFileRow *self);
const char *fore_file_row_get_path (ForeFileRow *self);
const char *fore_file_row_get_name (ForeFileRow *self);
guint fore_file_row_get_n_added (ForeFileRow *self);
guint fore_file_row_get_n_removed (ForeFileRow *self);
gboolean fore_file_row_get_viewed (ForeFileRow *self);
void fore_file_row_set_viewed (ForeFileRow *self, gboolean viewed);
gboolean fore_file_row_get_left_out (ForeFileRow *self);
void fore_file_row_set_left_out (ForeFileRow *self, gboolean left_out);
guint fore_file_row_get_n_comments (ForeFileRow *self);
void fore_file_row_set_n_comments (ForeFileRow *self, guint n_comments);
char *fore_file_row_dup_accessible_name (ForeFileRow *self);

G_END_DECLS
