/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-sync.h"

#include <glib/gstdio.h>

#include "platform/fore-files.h"

/**
 * fore_sync_path:
 * @path: a file, or a folder whose entries are meant
 *
 * Makes durable what others have written there. The entries of a folder are as durable as its last
 * sync. Blocks; any thread.
 *
 * Returns: whether it is; %FALSE also where folders cannot be synced
 */
gboolean
fore_sync_path (const char *path)
{
  gboolean done;
  int fd;

  g_return_val_if_fail (path != NULL, FALSE);

  fd = g_open (path, O_RDONLY | O_CLOEXEC, 0);
  if (fd < 0)
    return FALSE;

  done = g_fsync (fd) == 0;
  g_close (fd, NULL);

  return done;
}
