/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-pulse-private.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE_SIZE 4096

/* Written before it is mapped, so that it has its place on a file system that fills up. A file of
 * its own, as the last owner may still look at its page.
 */
ForePulsePage *
fore_pulse_system_map (const char *path)
{
  char zeros[PAGE_SIZE] = { 0 };
  void *page = MAP_FAILED;
  int fd;

  unlink (path);
  fd = open (path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0)
    return NULL;

  if (write (fd, zeros, sizeof zeros) == (ssize_t) sizeof zeros)
    page = mmap (NULL, PAGE_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close (fd);

  return page != MAP_FAILED ? page : NULL;
}
