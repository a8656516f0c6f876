/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-dirs.h"

#include <sys/statfs.h>

/* Numbers of linux/magic.h and of file systems that are not in there. */
static const guint32 network_magic[] = {
  0x6969,     /* nfs */
  0x517b,     /* smb */
  0xff534d42, /* cifs */
  0xfe534d42, /* smb2 */
  0x5346414f, /* afs */
  0x73757245, /* coda */
  0x00c36400, /* ceph */
  0x01021997, /* 9p */
  0x0bd00bd0, /* lustre */
  0x47504653, /* gpfs */
  0x19830326, /* beegfs */
  0xaad7aaea, /* panfs */
};

/**
 * fore_dirs_is_network:
 * @path: something that exists
 *
 * Returns: whether it is on a file system that other machines share; %FALSE if that is unknown
 */
gboolean
fore_dirs_is_network (const char *path)
{
  struct statfs info;

  g_return_val_if_fail (path != NULL, FALSE);

  if (statfs (path, &info) != 0)
    return FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (network_magic); i++)
    {
      if ((guint32) info.f_type == network_magic[i])
        return TRUE;
    }

  return FALSE;
}

/**
 * fore_dirs_get_free_space:
 * @path: something that exists
 *
 * Returns: how many bytes can still be written there, %G_MAXUINT64 if that is unknown
 */
guint64
fore_dirs_get_free_space (const char *path)
{
  struct statfs info;

  g_return_val_if_fail (path != NULL, G_MAXUINT64);

  if (statfs (path, &info) != 0)
    return G_MAXUINT64;

  return (guint64) info.f_bavail * (guint64) info.f_bsize;
}
