/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-lock-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <io.h>
#include <windows.h>

/* Locks of this system forbid reading what is locked: the byte lies behind the holder's text. */
#define LOCK_OFFSET 0x40000000

int
fore_lock_system_open (const char *path)
{
  return g_open (path, O_RDWR | O_CREAT | O_BINARY | O_NOINHERIT, 0600);
}

ForeLockResult
fore_lock_system_try (int fd, gboolean exclusive)
{
  OVERLAPPED place = { .Offset = LOCK_OFFSET };
  DWORD flags = LOCKFILE_FAIL_IMMEDIATELY | (exclusive ? LOCKFILE_EXCLUSIVE_LOCK : 0);

  if (LockFileEx ((HANDLE) _get_osfhandle (fd), flags, 0, 1, 0, &place))
    return FORE_LOCK_TAKEN;
  if (GetLastError () == ERROR_LOCK_VIOLATION || GetLastError () == ERROR_IO_PENDING)
    return FORE_LOCK_BUSY;

  errno = EIO;
  return FORE_LOCK_FAILED;
}

void
fore_lock_system_unlock (int fd)
{
  OVERLAPPED place = { .Offset = LOCK_OFFSET };

  UnlockFileEx ((HANDLE) _get_osfhandle (fd), 0, 1, 0, &place);
}
