/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What a path inside a folder is, never following a symbolic link. */
typedef enum
{
  FORE_PATH_MISSING,
  FORE_PATH_FILE,
  FORE_PATH_LINK,
  FORE_PATH_FOLDER,
  FORE_PATH_OTHER,
} ForePathKind;

/* What a file or folder holds; symbolic links count as what they are. */
typedef struct
{
  guint64 bytes;
  guint n_files;
  gboolean has_repository; /* a `.git` stands somewhere in it */
} ForeFolderSize;

ForePathKind fore_folder_look_up (const char *folder, const char *path);
void fore_folder_measure (const char *path, guint max_files, ForeFolderSize *size);
gboolean fore_folder_equal (const char *path, const char *other);
gboolean fore_folder_remove (const char *folder, GError **error);
gboolean fore_folder_remove_file (const char *folder, const char *path, GError **error);

G_END_DECLS
