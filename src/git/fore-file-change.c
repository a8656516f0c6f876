/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "git/fore-file-change.h"

static const char *const status_names[] = {
  [FORE_FILE_ADDED] = "added",
  [FORE_FILE_MODIFIED] = "modified",
  [FORE_FILE_DELETED] = "deleted",
  [FORE_FILE_RENAMED] = "renamed",
  [FORE_FILE_TYPE_CHANGED] = "type-changed",
};

/**
 * fore_file_change_copy:
 * @self: a change
 *
 * Returns: (transfer full): a copy
 */
ForeFileChange *
fore_file_change_copy (const ForeFileChange *self)
{
  ForeFileChange *copy;

  g_return_val_if_fail (self != NULL, NULL);

  copy = g_new (ForeFileChange, 1);
  *copy = *self;
  copy->path = g_strdup (self->path);
  copy->old_path = g_strdup (self->old_path);

  return copy;
}

/**
 * fore_file_change_free:
 * @self: (nullable): a change
 *
 * Frees @self.
 */
void
fore_file_change_free (ForeFileChange *self)
{
  if (self == NULL)
    return;

  g_free (self->path);
  g_free (self->old_path);
  g_free (self);
}

/**
 * fore_file_status_to_string:
 * @status: what happened to a file
 *
 * Returns: (transfer none): the word for JSON
 */
const char *
fore_file_status_to_string (ForeFileStatus status)
{
  g_return_val_if_fail (status < G_N_ELEMENTS (status_names), NULL);

  return status_names[status];
}
