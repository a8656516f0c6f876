/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-files.h"

#include <glib/gstdio.h>
#include <io.h>
#include <windows.h>

#define LOOK_MS 10

void
fore_file_get_stamp (const char *path, gboolean follow_links, ForeFileStamp *stamp)
{
  GStatBuf info;

  *stamp = (ForeFileStamp){ 0, -1, 0, 0 };
  if ((follow_links ? g_stat (path, &info) : g_lstat (path, &info)) != 0)
    return;

  stamp->size = info.st_size;
  stamp->modified = (gint64) info.st_mtime * 1000000000;
  stamp->changed = stamp->modified;
}

gssize
fore_file_read_at (int fd, void *buffer, gsize size, gint64 offset)
{
  OVERLAPPED place = { 0 };
  DWORD done = 0;

  place.Offset = (DWORD) offset;
  place.OffsetHigh = (DWORD) (offset >> 32);
  if (ReadFile ((HANDLE) _get_osfhandle (fd), buffer, (DWORD) MIN (size, G_MAXINT32), &done, &place)
      || GetLastError () == ERROR_HANDLE_EOF)
    return (gssize) done;

  errno = EIO;

  return -1;
}

gssize
fore_file_write_at (int fd, const void *bytes, gsize size, gint64 offset)
{
  OVERLAPPED place = { 0 };
  DWORD done = 0;

  place.Offset = (DWORD) offset;
  place.OffsetHigh = (DWORD) (offset >> 32);
  if (WriteFile ((HANDLE) _get_osfhandle (fd), bytes, (DWORD) MIN (size, G_MAXINT32), &done,
                 &place))
    return (gssize) done;

  errno = EIO;

  return -1;
}

/* A pipe cannot be waited for, only looked at. */
gboolean
fore_file_wait (int fd, int ms)
{
  HANDLE pipe = (HANDLE) _get_osfhandle (fd);
  gint64 end = g_get_monotonic_time () + ms * G_GINT64_CONSTANT (1000);

  for (;;)
    {
      DWORD ready = 0;

      if (!PeekNamedPipe (pipe, NULL, 0, NULL, &ready, NULL) || ready > 0)
        return TRUE;
      if (ms >= 0 && g_get_monotonic_time () >= end)
        return FALSE;
      Sleep (LOOK_MS);
    }
}

/* There is no sandbox whose files would have to be taken so. */
int
fore_file_open_beneath (const char *folder, const char *path)
{
  errno = ENOSYS;

  return -1;
}

char *
fore_path_dup_real (const char *path)
{
  g_autofree wchar_t *wide = (wchar_t *) g_utf8_to_utf16 (path, -1, NULL, NULL, NULL);
  wchar_t real[32768];
  HANDLE handle;
  DWORD length;
  char *narrow;

  if (wide == NULL)
    return NULL;

  handle = CreateFileW (wide, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                        OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
  if (handle == INVALID_HANDLE_VALUE)
    return NULL;

  length = GetFinalPathNameByHandleW (handle, real, G_N_ELEMENTS (real), FILE_NAME_NORMALIZED);
  CloseHandle (handle);
  if (length == 0 || length >= G_N_ELEMENTS (real))
    return NULL;

  narrow = g_utf16_to_utf8 ((const gunichar2 *) real, length, NULL, NULL, NULL);
  /* Programs do not expect the prefix that stands for the longest paths. */
  if (narrow != NULL && g_str_has_prefix (narrow, "\\\\?\\") && narrow[4] != 'U')
    memmove (narrow, narrow + 4, strlen (narrow + 4) + 1);

  return narrow;
}
