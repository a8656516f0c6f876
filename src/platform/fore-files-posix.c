/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-files.h"

#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __APPLE__
#define MODIFIED st_mtimespec
#define CHANGED st_ctimespec
#else
#define MODIFIED st_mtim
#define CHANGED st_ctim
#endif

static gint64
to_ns (const struct timespec *time)
{
  return (gint64) time->tv_sec * G_GINT64_CONSTANT (1000000000) + time->tv_nsec;
}

/**
 * fore_file_get_stamp:
 * @path: a file or folder; it need not exist
 * @follow_links: whether what a symbolic link names is meant, not the link
 * @stamp: (out caller-allocates): what tells whether it is still the same
 *
 * Asks the system, and reads nothing of the file.
 */
void
fore_file_get_stamp (const char *path, gboolean follow_links, ForeFileStamp *stamp)
{
  struct stat info;

  g_return_if_fail (path != NULL && stamp != NULL);

  *stamp = (ForeFileStamp){ 0, -1, 0, 0 };
  if ((follow_links ? stat (path, &info) : lstat (path, &info)) != 0)
    return;

  stamp->file = info.st_ino;
  stamp->size = info.st_size;
  stamp->modified = to_ns (&info.MODIFIED);
  stamp->changed = to_ns (&info.CHANGED);
}

/**
 * fore_file_read_at:
 * @fd: a file that is open for reading
 * @buffer: (out caller-allocates): where the bytes go
 * @size: how many at the most
 * @offset: from where in the file
 *
 * Reads without moving anybody's place in the file.
 *
 * Returns: how many bytes were read, 0 at the end, -1 and errno on a fault
 */
gssize
fore_file_read_at (int fd, void *buffer, gsize size, gint64 offset)
{
  return pread (fd, buffer, size, (off_t) offset);
}

/**
 * fore_file_write_at:
 * @fd: a file that is open for writing
 * @bytes: what to write
 * @size: how many bytes
 * @offset: to where in the file
 *
 * Writes without moving anybody's place in the file.
 *
 * Returns: how many bytes were written, -1 and errno on a fault
 */
gssize
fore_file_write_at (int fd, const void *bytes, gsize size, gint64 offset)
{
  return pwrite (fd, bytes, size, (off_t) offset);
}

/**
 * fore_file_wait:
 * @fd: a pipe or a terminal
 * @ms: milliseconds, -1 for ever
 *
 * Waits until there is something to read, or the end. Blocks.
 *
 * Returns: whether there is
 */
gboolean
fore_file_wait (int fd, int ms)
{
  struct pollfd poller = { fd, POLLIN, 0 };

  return poll (&poller, 1, ms) > 0;
}

static gboolean
is_regular (int fd)
{
  struct stat status;

  return fstat (fd, &status) == 0 && S_ISREG (status.st_mode);
}

/**
 * fore_file_open_beneath:
 * @folder: a folder that is trusted
 * @path: a file in it, relative, without `.` and `..`
 *
 * Opens a file for reading that somebody else may have put there: nothing on the way below @folder
 * is a link, and it is a regular file.
 *
 * Returns: a descriptor to close, -1 if there is no such file
 */
int
fore_file_open_beneath (const char *folder, const char *path)
{
  g_auto (GStrv) names = g_strsplit (path, "/", -1);
  int at = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  for (guint i = 0; at >= 0 && names[i] != NULL; i++)
    {
      int flags = names[i + 1] != NULL ? O_DIRECTORY : O_NONBLOCK;
      int next = openat (at, names[i], O_RDONLY | O_NOFOLLOW | O_CLOEXEC | flags);

      close (at);
      at = next;
    }

  if (at < 0 || is_regular (at))
    return at;

  close (at);
  return -1;
}

/**
 * fore_path_dup_real:
 * @path: the path of something that exists
 *
 * Returns: (transfer full) (nullable): its one absolute path without links; %NULL if there is none
 */
char *
fore_path_dup_real (const char *path)
{
  char *real = realpath (path, NULL);
  char *copy = g_strdup (real);

  free (real);

  return copy;
}
