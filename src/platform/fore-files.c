/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-files.h"

#include <string.h>

/**
 * fore_path_is_inside:
 * @path: an absolute path as fore_path_dup_real() gives it
 * @folder: a folder, in the same form
 *
 * Returns: whether @path lies below @folder; a folder is not inside of itself
 */
gboolean
fore_path_is_inside (const char *path, const char *folder)
{
  gsize length;

  g_return_val_if_fail (path != NULL && folder != NULL, FALSE);

  length = strlen (folder);
  while (length > 0 && G_IS_DIR_SEPARATOR (folder[length - 1]))
    length--;

  return strncmp (path, folder, length) == 0 && G_IS_DIR_SEPARATOR (path[length])
         && path[length + 1] != '\0';
}
