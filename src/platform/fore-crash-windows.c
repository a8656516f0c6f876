/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-crash-private.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <io.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <windows.h>

#include "platform/fore-log-private.h"

#define MAX_FRAMES 62

static char path_start[1024];
static char program_name[64];

static void
write_frames (int fd)
{
  void *frames[MAX_FRAMES];
  USHORT n_frames = CaptureStackBackTrace (0, MAX_FRAMES, frames, NULL);
  char line[32];

  for (USHORT i = 0; i < n_frames; i++)
    {
      int length = snprintf (line, sizeof line, "%p\n", frames[i]);

      _write (fd, line, (unsigned) length);
    }
}

static LONG WINAPI
on_crash (EXCEPTION_POINTERS *exception)
{
  char path[sizeof path_start + 64], head[256];
  int fd, length;

  snprintf (path, sizeof path, "%s%lu-%lld.txt", path_start, GetCurrentProcessId (),
            (long long) time (NULL));
  fd = _open (path, _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY, _S_IREAD | _S_IWRITE);
  if (fd < 0)
    return EXCEPTION_CONTINUE_SEARCH;

  length = snprintf (head, sizeof head,
                     "%s " FORE_VERSION "\nended by exception %08lx\n\nbacktrace:\n", program_name,
                     exception->ExceptionRecord->ExceptionCode);
  _write (fd, head, (unsigned) length);
  write_frames (fd);
  _write (fd, "\nlast log lines:\n", 17);
  fore_log_write_recent (fd);
  _close (fd);
  return EXCEPTION_CONTINUE_SEARCH;
}

void
fore_crash_system_install (const char *dir, const char *program)
{
  g_snprintf (path_start, sizeof path_start, "%s\\%s-", dir, program);
  g_strlcpy (program_name, program, sizeof program_name);
  SetUnhandledExceptionFilter (on_crash);
}
