/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "guard/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define COPY_SIZE (64 * 1024)
/* A pipe holds 1 MiB at most; somebody outside of the tree may go on writing. */
#define MAX_DRAIN_READS 256

static const char *const suffixes[] = { ".out", ".err" };

static int
open_file (const char *base, const char *suffix)
{
  char path[4096];

  if (snprintf (path, sizeof path, "%s%s", base, suffix) >= (int) sizeof path)
    {
      errno = ENAMETOOLONG;
      return -1;
    }

  return open (path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
}

/* What is copied gets its file with its first byte: most commands print nothing. */
int
guard_capture_open (Guard *guard)
{
  for (int i = 0; i < 2 && !guard->options.capture_pipe; i++)
    {
      guard->captures[i].file = open_file (guard->options.base, suffixes[i]);
      if (guard->captures[i].file < 0)
        return errno;
    }

  if (guard->options.stdin_mode == GUARD_STDIN_LIVE)
    guard->sent = open_file (guard->options.base, ".in");

  return guard->options.stdin_mode == GUARD_STDIN_LIVE && guard->sent < 0 ? errno : 0;
}

uint64_t
guard_capture_get_total (Guard *guard)
{
  return guard->captures[0].size + guard->captures[1].size;
}

static bool
ensure_file (Guard *guard, GuardCapture *capture)
{
  if (capture->file < 0)
    capture->file = open_file (guard->options.base, suffixes[capture - guard->captures]);

  return capture->file >= 0;
}

/* What cannot be stored is lost, but said: the agent must not hang on a full disk. */
static void
store (Guard *guard, GuardCapture *capture, const char *bytes, size_t length)
{
  while (length > 0)
    {
      ssize_t done = ensure_file (guard, capture) ? write (capture->file, bytes, length) : -1;

      if (done < 0 && errno == EINTR)
        continue;
      if (done < 0)
        {
          guard->record.flags |= FORE_GUARD_FLAG_WRITE_FAILED;
          guard->record.error = errno;
          return;
        }

      bytes += done;
      length -= (size_t) done;
      capture->size += (uint64_t) done;
    }
}

static size_t
get_room (Guard *guard)
{
  uint64_t total = guard_capture_get_total (guard);

  if (guard->options.limit == 0)
    return COPY_SIZE;
  if (total >= guard->options.limit)
    return 0;

  return guard->options.limit - total < COPY_SIZE ? (size_t) (guard->options.limit - total)
                                                  : COPY_SIZE;
}

static void
end_pipe (GuardCapture *capture)
{
  close (capture->pipe);
  capture->pipe = -1;
}

/* false: nothing more to read now */
static bool
copy_once (Guard *guard, GuardCapture *capture)
{
  static char buffer[COPY_SIZE];
  size_t room = get_room (guard);
  ssize_t length;

  length = read (capture->pipe, buffer, sizeof buffer);
  if (length < 0 && errno == EINTR)
    return true;
  if (length < 0 && errno == EAGAIN)
    return false;
  if (length <= 0)
    {
      end_pipe (capture);
      return false;
    }

  store (guard, capture, buffer, (size_t) length < room ? (size_t) length : room);
  if ((size_t) length > room)
    {
      guard->truncated = true;
      guard_ladder_kill (guard, FORE_GUARD_REASON_OUTPUT_LIMIT);
      end_pipe (capture);
      return false;
    }

  return true;
}

void
guard_capture_copy (Guard *guard, GuardCapture *capture)
{
  copy_once (guard, capture);
}

/* The tree is gone: what lies in the pipes is all that there will be. */
void
guard_capture_drain (Guard *guard)
{
  for (int i = 0; i < 2; i++)
    {
      int reads = 0;

      while (guard->captures[i].pipe >= 0 && reads < MAX_DRAIN_READS
             && copy_once (guard, &guard->captures[i]))
        reads++;
    }
}

void
guard_capture_check (Guard *guard)
{
  for (int i = 0; i < 2; i++)
    {
      GuardCapture *capture = &guard->captures[i];
      struct stat info;

      if (capture->file < 0 || fstat (capture->file, &info) != 0)
        continue;
      if ((uint64_t) info.st_size < capture->size)
        guard->record.flags |= FORE_GUARD_FLAG_SHRUNK;
      capture->size = (uint64_t) info.st_size;
    }
}
