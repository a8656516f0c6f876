/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#include "git/fore-lease.h"
#include "model/fore-error.h"
#include "platform/fore-files.h"
#include "platform/fore-lock.h"

#define PATH_SUFFIX ".path"
#define MAX_WAIT_MS 1000

struct _ForeLease
{
  char *path;
  ForeLock *lock;
};

static char *
make_dir (const char *home_dir, GError **error)
{
  g_autofree char *dir = g_build_filename (home_dir, "leases", NULL);

  if (g_mkdir_with_parents (dir, 0700) == 0)
    return g_steal_pointer (&dir);

  g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
               _ ("The folder “%s” could not be made: %s"), dir, g_strerror (errno));
  return NULL;
}

static gboolean
is_at_or_inside (const char *path, const char *folder)
{
  gsize length = strlen (folder);

  while (length > 0 && folder[length - 1] == G_DIR_SEPARATOR)
    length--;

  return strncmp (path, folder, length) == 0
         && (path[length] == '\0' || path[length] == G_DIR_SEPARATOR);
}

/* What is written in one folder is seen in the one around it. */
static gboolean
check_other (const char *dir, const char *name, const char *canonical, GError **error)
{
  g_autofree char *note = g_build_filename (dir, name, NULL);
  g_autofree char *lock_path = g_strndup (note, strlen (note) - strlen (PATH_SUFFIX));
  g_autofree char *path = NULL;
  g_autofree char *holder = NULL;

  if (!g_file_get_contents (note, &path, NULL, NULL)
      || (!is_at_or_inside (path, canonical) && !is_at_or_inside (canonical, path))
      || !fore_lock_is_held (lock_path))
    return TRUE;

  holder = fore_lock_dup_holder (lock_path);
  g_set_error (error, FORE_ERROR, FORE_ERROR_BUSY,
               _ ("Another run, %s, works in “%s”; wait until it is done, or cancel it"),
               holder != NULL ? holder : "?", path);
  return FALSE;
}

static gboolean
check_others (const char *dir_path, const char *canonical, GError **error)
{
  g_autoptr (GDir) dir = g_dir_open (dir_path, 0, error);
  const char *name;

  if (dir == NULL)
    return FALSE;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      if (g_str_has_suffix (name, PATH_SUFFIX) && !check_other (dir_path, name, canonical, error))
        return FALSE;
    }

  return TRUE;
}

static ForeLock *
take (const char *dir, const char *canonical, const char *run, GError **error)
{
  g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, canonical, -1);
  g_autofree char *lock_path = g_build_filename (dir, sum, NULL);
  g_autofree char *note = g_strconcat (lock_path, PATH_SUFFIX, NULL);
  g_autofree char *all_path = g_build_filename (dir, "all", NULL);
  g_autoptr (ForeLock) all = fore_lock_wait (all_path, TRUE, MAX_WAIT_MS, run, NULL, error);

  if (all == NULL || !check_others (dir, canonical, error)
      || !g_file_set_contents (note, canonical, -1, error))
    return NULL;

  return fore_lock_try (lock_path, TRUE, run, error);
}

/**
 * fore_lease_acquire:
 * @home_dir: Foredeck's folder
 * @path: the folder that agents will write to; it must exist
 * @run: id of the run that wants it
 * @error: (nullable): return location; %FORE_ERROR_BUSY names the run that holds it
 *
 * Takes the folder for @run, at once or not at all. Different names of one folder are one, and a
 * folder inside of another is part of it.
 *
 * Returns: (transfer full) (nullable): free with fore_lease_free()
 */
ForeLease *
fore_lease_acquire (const char *home_dir, const char *path, const char *run, GError **error)
{
  g_autofree char *canonical = NULL;
  g_autofree char *dir = NULL;
  ForeLock *lock;
  ForeLease *self;

  g_return_val_if_fail (home_dir != NULL && path != NULL && run != NULL, NULL);

  canonical = fore_path_dup_real (path);
  if (canonical == NULL)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                   _ ("The folder “%s” cannot be reached; choose another"), path);
      return NULL;
    }

  dir = make_dir (home_dir, error);
  lock = dir != NULL ? take (dir, canonical, run, error) : NULL;
  if (lock == NULL)
    return NULL;

  self = g_new0 (ForeLease, 1);
  self->path = g_steal_pointer (&canonical);
  self->lock = lock;

  return self;
}

/**
 * fore_lease_check:
 * @home_dir: Foredeck's folder
 * @path: a folder
 * @error: return location; %FORE_ERROR_BUSY names the run that holds it
 *
 * Looks, without taking it, whether fore_lease_acquire() would be refused @path now. Blocks on the
 * disk.
 *
 * Returns: whether nobody holds it
 */
gboolean
fore_lease_check (const char *home_dir, const char *path, GError **error)
{
  g_autofree char *dir = NULL;
  g_autofree char *canonical = NULL;

  g_return_val_if_fail (home_dir != NULL && path != NULL, FALSE);

  dir = g_build_filename (home_dir, "leases", NULL);
  canonical = fore_path_dup_real (path);

  return canonical == NULL || !g_file_test (dir, G_FILE_TEST_IS_DIR)
         || check_others (dir, canonical, error);
}

/**
 * fore_lease_get_path:
 * @self: a lease
 *
 * Returns: (transfer none): the folder, without symbolic links on the way
 */
const char *
fore_lease_get_path (ForeLease *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->path;
}

/**
 * fore_lease_free:
 * @self: (nullable): a lease
 *
 * Gives the folder back.
 */
void
fore_lease_free (ForeLease *self)
{
  if (self == NULL)
    return;

  fore_lock_free (self->lock);
  g_free (self->path);
  g_free (self);
}
