/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-dirs.h"

#include <sys/mount.h>
#include <sys/param.h>

gboolean
fore_dirs_is_network (const char *path)
{
  struct statfs info;

  g_return_val_if_fail (path != NULL, FALSE);

  return statfs (path, &info) == 0 && (info.f_flags & MNT_LOCAL) == 0;
}

guint64
fore_dirs_get_free_space (const char *path)
{
  struct statfs info;

  g_return_val_if_fail (path != NULL, G_MAXUINT64);

  if (statfs (path, &info) != 0)
    return G_MAXUINT64;

  return (guint64) info.f_bavail * info.f_bsize;
}
