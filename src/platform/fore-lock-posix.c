/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-lock-private.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>

int
fore_lock_system_open (const char *path)
{
  int fd;

  do
    fd = open (path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  while (fd < 0 && errno == EINTR);

  return fd;
}

ForeLockResult
fore_lock_system_try (int fd, gboolean exclusive)
{
  int result;

  do
    result = flock (fd, (exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB);
  while (result != 0 && errno == EINTR);

  if (result == 0)
    return FORE_LOCK_TAKEN;

  return errno == EWOULDBLOCK ? FORE_LOCK_BUSY : FORE_LOCK_FAILED;
}

void
fore_lock_system_unlock (int fd)
{
  flock (fd, LOCK_UN);
}
