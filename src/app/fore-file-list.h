/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "app/fore-diff-doc.h"

G_BEGIN_DECLS

#define FORE_TYPE_FILE_LIST (fore_file_list_get_type ())

/* Signals: "file-selected" (const char *path), "viewed-changed" (const char *path,
 * gboolean viewed).
 * Property: "selected-path".
 */
G_DECLARE_FINAL_TYPE (ForeFileList, fore_file_list, FORE, FILE_LIST, GtkWidget)

GtkWidget *fore_file_list_new (void);
void fore_file_list_set_doc (ForeFileList *self, ForeDiffDoc *doc);
const char *fore_file_list_get_selected_path (ForeFileList *self);
void fore_file_list_set_selected_path (ForeFileList *self, const char *path);
void fore_file_list_step (ForeFileList *self, int direction);
void fore_file_list_set_filter (ForeFileList *self, const char *words);
gboolean fore_file_list_get_viewed (ForeFileList *self, const char *path);
void fore_file_list_set_viewed (ForeFileList *self, const char *path, gboolean viewed);
void fore_file_list_set_left_out (ForeFileList *self, GHashTable *paths);
void fore_file_list_set_comments (ForeFileList *self, const char *path, guint n_comments);

G_END_DECLS
