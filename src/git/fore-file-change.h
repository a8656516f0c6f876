/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  FORE_FILE_ADDED,
  FORE_FILE_MODIFIED,
  FORE_FILE_DELETED,
  FORE_FILE_RENAMED,
  FORE_FILE_TYPE_CHANGED,
} ForeFileStatus;

/* One file that differs between two trees. */
typedef struct
{
  char *path;     /* the new path; the old one of a deleted file */
  char *old_path; /* (nullable) only of a renamed file */
  ForeFileStatus status;
  guint old_mode; /* as git writes it, 0100644 for instance; 0: not there */
  guint new_mode;
  guint insertions;
  guint deletions;
  gboolean binary;    /* no lines were counted */
  gboolean too_large; /* larger than a diff is loaded for */
} ForeFileChange;

ForeFileChange *fore_file_change_copy (const ForeFileChange *self);
void fore_file_change_free (ForeFileChange *self);
const char *fore_file_status_to_string (ForeFileStatus status);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeFileChange, fore_file_change_free)

G_END_DECLS
