/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-dirs.h"

#include <windows.h>

gboolean
fore_dirs_is_network (const char *path)
{
  g_autofree gunichar2 *wide = NULL;
  wchar_t volume[MAX_PATH];

  g_return_val_if_fail (path != NULL, FALSE);

  wide = g_utf8_to_utf16 (path, -1, NULL, NULL, NULL);
  if (wide == NULL || !GetVolumePathNameW ((wchar_t *) wide, volume, MAX_PATH))
    return FALSE;

  return GetDriveTypeW (volume) == DRIVE_REMOTE;
}

guint64
fore_dirs_get_free_space (const char *path)
{
  g_autofree gunichar2 *wide = NULL;
  ULARGE_INTEGER available;

  g_return_val_if_fail (path != NULL, G_MAXUINT64);

  wide = g_utf8_to_utf16 (path, -1, NULL, NULL, NULL);
  if (wide == NULL || !GetDiskFreeSpaceExW ((wchar_t *) wide, &available, NULL, NULL))
    return G_MAXUINT64;

  return available.QuadPart;
}
