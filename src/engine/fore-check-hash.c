/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-check-hash.h"

#include "model/fore-id.h"

#include <string.h>

static gboolean
is_exempt (const char *path, const char *const *exempt)
{
  for (guint i = 0; exempt != NULL && exempt[i] != NULL; i++)
    {
      gsize length = strlen (exempt[i]);

      if (strcmp (path, exempt[i]) == 0)
        return TRUE;
      if (length > 0 && strncmp (path, exempt[i], length) == 0
          && (exempt[i][length - 1] == '/' || path[length] == '/'))
        return TRUE;
    }

  return FALSE;
}

/**
 * fore_check_list_files:
 * @check: a check
 * @tree: folder that it runs in
 * @exempt: (nullable) (array zero-terminated=1): files and folders that the plan says will be
 *   written
 *
 * Returns: (transfer full): tree-relative paths of the files that decide @check
 */
GStrv
fore_check_list_files (const ForeCheck *check, const char *tree, const char *const *exempt)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  g_return_val_if_fail (check != NULL && tree != NULL, NULL);

  for (guint i = 0; check->argv[i] != NULL; i++)
    {
      const char *word = check->argv[i];
      g_autofree char *path = NULL;

      while (g_str_has_prefix (word, "./"))
        word += 2;
      if (!fore_id_is_tree_path (word) || is_exempt (word, exempt))
        continue;

      path = g_build_filename (tree, word, NULL);
      if (g_file_test (path, G_FILE_TEST_IS_REGULAR) && !g_file_test (path, G_FILE_TEST_IS_SYMLINK))
        g_strv_builder_add (builder, word);
    }

  return g_strv_builder_end (builder);
}

/**
 * fore_check_hash_files:
 * @files: (nullable) (array zero-terminated=1): tree-relative paths
 * @tree: folder that they lie in
 *
 * Returns: (transfer full): SHA-256 over names and contents; a file that is gone counts as such
 */
char *
fore_check_hash_files (const char *const *files, const char *tree)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);

  g_return_val_if_fail (tree != NULL, NULL);

  for (guint i = 0; files != NULL && files[i] != NULL; i++)
    {
      g_autofree char *path = g_build_filename (tree, files[i], NULL);
      g_autofree char *content = NULL;
      gsize length = 0;

      g_checksum_update (checksum, (const guchar *) files[i], strlen (files[i]) + 1);
      if (!g_file_test (path, G_FILE_TEST_IS_SYMLINK)
          && g_file_get_contents (path, &content, &length, NULL))
        g_checksum_update (checksum, (const guchar *) content, length);
      else
        g_checksum_update (checksum, (const guchar *) "gone", 5);
    }

  return g_strdup (g_checksum_get_string (checksum));
}
