/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-slots-private.h"

#include <errno.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

void
fore_slots_close (int fd)
{
  int error = errno;

  close (fd);
  errno = error;
}

void
fore_slots_unlock (int fd)
{
  if (flock (fd, LOCK_UN) != 0 || futimens (fd, NULL) != 0)
    g_debug ("A slot could not be given back: %s", g_strerror (errno));
}
