/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-pulse-private.h"

#include <windows.h>

ForePulsePage *
fore_pulse_system_map (const char *path)
{
  g_autofree wchar_t *wide = g_utf8_to_utf16 (path, -1, NULL, NULL, NULL);
  HANDLE file, mapping;
  void *page = NULL;

  file = CreateFileW (wide, GENERIC_READ | GENERIC_WRITE,
                      FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, CREATE_ALWAYS,
                      FILE_ATTRIBUTE_NORMAL, NULL);
  if (file == INVALID_HANDLE_VALUE)
    return NULL;

  mapping = CreateFileMappingW (file, NULL, PAGE_READWRITE, 0, sizeof (ForePulsePage), NULL);
  if (mapping != NULL)
    {
      page = MapViewOfFile (mapping, FILE_MAP_ALL_ACCESS, 0, 0, sizeof (ForePulsePage));
      CloseHandle (mapping);
    }
  CloseHandle (file);

  return page;
}
