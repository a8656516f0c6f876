/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Preloaded by a benchmark: every sync takes FORE_SYNC_MS longer, as on a disk that is not as quick
 * as this one.
 */

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

typedef int (*SyncFunc) (int fd);

static void
wait_as_told (void)
{
  const char *text = getenv ("FORE_SYNC_MS");
  long ms = text == NULL ? 0 : strtol (text, NULL, 10);
  struct timespec left = { ms / 1000, ms % 1000 * 1000000 };

  while (nanosleep (&left, &left) != 0 && errno == EINTR)
    continue;
}

int
fsync (int fd)
{
  SyncFunc real = (SyncFunc) dlsym (RTLD_NEXT, "fsync");

  wait_as_told ();
  return real (fd);
}

int
fdatasync (int fd)
{
  SyncFunc real = (SyncFunc) dlsym (RTLD_NEXT, "fdatasync");

  wait_as_told ();
  return real (fd);
}
