/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "unit-tools.h"

#include <glib/gstdio.h>

char *
unit_make_dir (void)
{
  char *path = g_strdup ("/tmp/fore-unit-XXXXXX");

  g_assert_nonnull (g_mkdtemp (path));
  return path;
}

void
unit_remove_dir (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      if (g_file_test (child, G_FILE_TEST_IS_DIR) && !g_file_test (child, G_FILE_TEST_IS_SYMLINK))
        unit_remove_dir (child);
      else
        g_assert_cmpint (g_unlink (child), ==, 0);
    }

  g_assert_cmpint (g_rmdir (path), ==, 0);
}
