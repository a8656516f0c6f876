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

/* A clock of a file system ticks this often at the least, and one that knows only seconds. */
#define TICK_US (20 * 1000)
#define COARSE_TICK_US (2 * G_USEC_PER_SEC)

/**
 * fore_file_stamp_is_settled:
 * @stamp: a stamp
 * @now_us: when it was taken, in microseconds since 1970
 *
 * A file that changes twice within one tick of its file system's clock may keep its stamp.
 *
 * Returns: whether every later change will show in the stamp
 */
gboolean
fore_file_stamp_is_settled (const ForeFileStamp *stamp, gint64 now_us)
{
  gint64 tick;

  g_return_val_if_fail (stamp != NULL, FALSE);

  tick = stamp->changed % 1000000000 == 0 ? COARSE_TICK_US : TICK_US;

  return stamp->size < 0 || stamp->changed / 1000 + tick < now_us;
}
