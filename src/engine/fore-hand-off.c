/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-hand-off.h"

#include "platform/fore-files.h"

#include <glib/gstdio.h>
#include <string.h>

/* More than any prompt takes. */
#define MAX_FILE (4 * 1024 * 1024)

/**
 * fore_hand_off_dup_path:
 * @run_dir: folder of the run
 * @name: name of a file that a step leaves
 *
 * Tells where a file lies that a step leaves for others.
 *
 * Returns: (transfer full): its path
 */
char *
fore_hand_off_dup_path (const char *run_dir, const char *name)
{
  g_return_val_if_fail (run_dir != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  return g_build_filename (run_dir, "files", name, NULL);
}

static char *
read_plain (const char *path)
{
  g_autofree char *text = NULL;
  GStatBuf info;
  gsize length;

  if (g_lstat (path, &info) != 0 || !S_ISREG (info.st_mode) || info.st_size > MAX_FILE
      || !g_file_get_contents (path, &text, &length, NULL))
    return NULL;

  return g_utf8_make_valid (text, (gssize) length);
}

/* Agents write in trees: a link there may lead anywhere. */
static gboolean
is_in_tree (const char *tree, const char *path)
{
  g_autofree char *real_tree = fore_path_dup_real (tree);
  g_autofree char *real = fore_path_dup_real (path);

  return real != NULL && real_tree != NULL && fore_path_is_inside (real, real_tree);
}

/**
 * fore_hand_off_find:
 * @folder: a folder
 * @name: name of a file in it, relative
 *
 * Finds a plain file of a folder. Links out of it do not count.
 *
 * Returns: (transfer full) (nullable): its path, or %NULL if there is none
 */
char *
fore_hand_off_find (const char *folder, const char *name)
{
  g_autofree char *file = NULL;
  GStatBuf info;

  g_return_val_if_fail (folder != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  file = g_build_filename (folder, name, NULL);
  if (g_lstat (file, &info) != 0 || !S_ISREG (info.st_mode) || !is_in_tree (folder, file))
    return NULL;

  return g_steal_pointer (&file);
}

/**
 * fore_hand_off_read_tree:
 * @tree: a working tree
 * @name: name of a file in it, relative
 * @since_us: microseconds since the epoch; an older file is not meant, 0 for any age
 * @path: (out) (optional): place for its path
 *
 * Reads a file of a working tree. Links out of it are not followed. Blocks.
 *
 * Returns: (transfer full) (nullable): its text as UTF-8, or %NULL if there is none
 */
char *
fore_hand_off_read_tree (const char *tree, const char *name, gint64 since_us, char **path)
{
  g_autofree char *file = NULL;
  GStatBuf info;

  g_return_val_if_fail (tree != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  file = g_build_filename (tree, name, NULL);
  if (g_lstat (file, &info) != 0 || (gint64) info.st_mtime < since_us / G_USEC_PER_SEC
      || !is_in_tree (tree, file))
    return NULL;

  if (path != NULL)
    *path = g_strdup (file);

  return read_plain (file);
}

/**
 * fore_hand_off_read:
 * @run_dir: folder of the run
 * @tree: (nullable): working tree of the reader
 * @name: name of a file
 * @path: (out): place for the path of the file that was read
 *
 * Reads a file that a step wants to read: what an earlier step left under that name, or else the
 * file of the project. Blocks.
 *
 * Returns: (transfer full) (nullable): its text as UTF-8, or %NULL if there is none
 */
char *
fore_hand_off_read (const char *run_dir, const char *tree, const char *name, char **path)
{
  g_autofree char *file = NULL;
  char *text;

  g_return_val_if_fail (run_dir != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (path != NULL, NULL);

  file = fore_hand_off_dup_path (run_dir, name);
  text = read_plain (file);
  if (text != NULL)
    *path = g_steal_pointer (&file);
  else if (tree != NULL)
    text = fore_hand_off_read_tree (tree, name, 0, path);

  return text;
}
