/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "git/fore-folder.h"
#include "model/fore-error.h"
#include "platform/fore-files.h"

static ForePathKind
look_at (const char *full)
{
  GStatBuf info;

  if (g_lstat (full, &info) != 0)
    return FORE_PATH_MISSING;

  if (S_ISREG (info.st_mode))
    return FORE_PATH_FILE;

  if (S_ISLNK (info.st_mode))
    return FORE_PATH_LINK;

  return S_ISDIR (info.st_mode) ? FORE_PATH_FOLDER : FORE_PATH_OTHER;
}

static gboolean
fail (GError **error, const char *path)
{
  int number = errno;

  g_set_error (error, FORE_ERROR, FORE_ERROR_FAILED, _ ("“%s” could not be removed: %s"), path,
               g_strerror (number));
  return FALSE;
}

/**
 * fore_folder_look_up:
 * @folder: a folder that is trusted
 * @path: a path inside of it, relative
 *
 * Looks at @path without following any symbolic link on the way, so that nothing outside of
 * @folder is ever reached: below a link everything is missing.
 *
 * Returns: what stands there
 */
ForePathKind
fore_folder_look_up (const char *folder, const char *path)
{
  g_auto (GStrv) parts = NULL;
  g_autoptr (GString) full = NULL;
  ForePathKind kind = FORE_PATH_FOLDER;

  g_return_val_if_fail (folder != NULL, FORE_PATH_MISSING);
  g_return_val_if_fail (path != NULL, FORE_PATH_MISSING);

  parts = g_strsplit (path, "/", -1);
  full = g_string_new (folder);
  for (gsize i = 0; parts[i] != NULL; i++)
    {
      if (kind != FORE_PATH_FOLDER || g_str_equal (parts[i], "..") || g_str_equal (parts[i], "."))
        return FORE_PATH_MISSING;

      if (*parts[i] == '\0')
        continue;

      g_string_append_c (full, '/');
      g_string_append (full, parts[i]);
      kind = look_at (full->str);
    }

  return kind;
}

static gboolean remove_tree (const char *folder, GError **error);

static gboolean
remove_entry (const char *full, GError **error)
{
  if (look_at (full) == FORE_PATH_FOLDER)
    return remove_tree (full, error);

  if (g_unlink (full) != 0 && errno != ENOENT)
    return fail (error, full);

  return TRUE;
}

static gboolean
remove_tree (const char *folder, GError **error)
{
  g_autoptr (GDir) dir = NULL;
  const char *name;

  /* Tools leave folders that nobody may write to, package caches for instance. */
  g_chmod (folder, 0700);

  dir = g_dir_open (folder, 0, NULL);
  if (dir == NULL)
    return fail (error, folder);

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *full = g_build_filename (folder, name, NULL);

      if (!remove_entry (full, error))
        return FALSE;
    }

  if (g_rmdir (folder) != 0)
    return fail (error, folder);

  return TRUE;
}

/**
 * fore_folder_remove:
 * @folder: a folder
 * @error: (nullable): return location
 *
 * Removes @folder and what is in it. Symbolic links are removed, never followed; a @folder that is
 * one itself is left alone. A missing folder is no error.
 *
 * Returns: %FALSE with @error set
 */
gboolean
fore_folder_remove (const char *folder, GError **error)
{
  g_return_val_if_fail (folder != NULL, FALSE);

  switch (look_at (folder))
    {
    case FORE_PATH_MISSING:
      return TRUE;

    case FORE_PATH_FOLDER:
      return remove_tree (folder, error);

    case FORE_PATH_FILE:
    case FORE_PATH_LINK:
    case FORE_PATH_OTHER:
    default:
      g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED,
                   _ ("“%s” is not a folder and was left alone; look at it and remove it yourself"),
                   folder);
      return FALSE;
    }
}

/**
 * fore_folder_remove_file:
 * @folder: a folder that is trusted
 * @path: a file in it, relative
 * @error: (nullable): return location
 *
 * Removes one file or link, and the folders on its way that are empty then.
 *
 * Returns: %FALSE with @error set
 */
gboolean
fore_folder_remove_file (const char *folder, const char *path, GError **error)
{
  g_autofree char *full = NULL;
  g_autofree char *parent = NULL;
  ForePathKind kind;

  g_return_val_if_fail (folder != NULL, FALSE);
  g_return_val_if_fail (path != NULL, FALSE);

  kind = fore_folder_look_up (folder, path);
  if (kind == FORE_PATH_MISSING)
    return TRUE;

  full = g_build_filename (folder, path, NULL);
  if (kind == FORE_PATH_FOLDER)
    {
      errno = EISDIR;
      return fail (error, full);
    }

  if (g_unlink (full) != 0)
    return fail (error, full);

  parent = g_path_get_dirname (path);
  while (!g_str_equal (parent, "."))
    {
      g_autofree char *full_parent = g_build_filename (folder, parent, NULL);
      char *next;

      if (g_rmdir (full_parent) != 0)
        break;

      next = g_path_get_dirname (parent);
      g_free (parent);
      parent = next;
    }

  return TRUE;
}

static void
measure (const char *path, guint max_files, ForeFolderSize *size)
{
  g_autoptr (GDir) dir = NULL;
  const char *name;
  GStatBuf info;

  if (size->n_files >= max_files || g_lstat (path, &info) != 0)
    return;

  if (!S_ISDIR (info.st_mode))
    {
      size->bytes += (guint64) info.st_size;
      size->n_files++;
      return;
    }

  dir = g_dir_open (path, 0, NULL);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *full = g_build_filename (path, name, NULL);

      size->has_repository |= g_ascii_strcasecmp (name, ".git") == 0;
      measure (full, max_files, size);
    }
}

/**
 * fore_folder_measure:
 * @path: a file or folder
 * @max_files: how many files are counted at most; then it stops
 * @size: (out caller-allocates): what was found
 *
 * Adds up what stands below @path without following symbolic links.
 */
void
fore_folder_measure (const char *path, guint max_files, ForeFolderSize *size)
{
  g_return_if_fail (path != NULL && size != NULL);

  *size = (ForeFolderSize){ 0 };
  measure (path, max_files, size);
}

static gboolean
files_equal (const char *path, const char *other)
{
  g_autofree char *bytes = NULL;
  g_autofree char *other_bytes = NULL;
  gsize length, other_length;

  return g_file_get_contents (path, &bytes, &length, NULL)
         && g_file_get_contents (other, &other_bytes, &other_length, NULL) && length == other_length
         && memcmp (bytes, other_bytes, length) == 0;
}

static gboolean
links_equal (const char *path, const char *other)
{
  g_autofree char *target = g_file_read_link (path, NULL);
  g_autofree char *other_target = g_file_read_link (other, NULL);

  return target != NULL && g_strcmp0 (target, other_target) == 0;
}

/* Whatever stands in @path stands in @other as well, which may hold more. */
static gboolean
folder_is_in (const char *path, const char *other)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  if (dir == NULL)
    return FALSE;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *full = g_build_filename (path, name, NULL);
      g_autofree char *other_full = g_build_filename (other, name, NULL);

      if (!fore_folder_equal (full, other_full))
        return FALSE;
    }

  return TRUE;
}

/**
 * fore_folder_equal:
 * @path: a file, link or folder
 * @other: another
 *
 * Compares contents byte by byte; links are compared, not followed.
 *
 * Returns: whether everything below @path is below @other too, and the same there
 */
gboolean
fore_folder_equal (const char *path, const char *other)
{
  ForePathKind kind;
  GStatBuf info, other_info;

  g_return_val_if_fail (path != NULL && other != NULL, FALSE);

  kind = look_at (path);
  if (kind != look_at (other) || kind == FORE_PATH_MISSING || kind == FORE_PATH_OTHER)
    return FALSE;

  if (kind == FORE_PATH_LINK)
    return links_equal (path, other);
  if (kind == FORE_PATH_FOLDER)
    return folder_is_in (path, other);

  return g_lstat (path, &info) == 0 && g_lstat (other, &other_info) == 0
         && info.st_size == other_info.st_size && files_equal (path, other);
}
