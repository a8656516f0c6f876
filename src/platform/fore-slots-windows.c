/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-slots-private.h"

#include <errno.h>
#include <io.h>
#include <windows.h>

#define LOCK_OFFSET 0x40000000

void
fore_slots_close (int fd)
{
  int error = errno;

  _close (fd);
  errno = error;
}

void
fore_slots_unlock (int fd)
{
  OVERLAPPED place = { .Offset = LOCK_OFFSET };
  HANDLE file = (HANDLE) _get_osfhandle (fd);
  FILETIME now;

  UnlockFileEx (file, 0, 1, 0, &place);
  GetSystemTimeAsFileTime (&now);
  SetFileTime (file, NULL, NULL, &now);
}
