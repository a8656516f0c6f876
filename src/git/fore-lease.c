/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <stdlib.h>

#include "git/fore-lease.h"
#include "model/fore-error.h"
#include "platform/fore-files.h"
#include "platform/fore-lock.h"

struct _ForeLease
{
  char *path;
  ForeLock *lock;
};

static char *
make_lock_path (const char *home_dir, const char *canonical, GError **error)
{
  g_autofree char *dir = g_build_filename (home_dir, "leases", NULL);
  g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, canonical, -1);

  if (g_mkdir_with_parents (dir, 0700) != 0)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
                   _ ("The folder “%s” could not be made: %s"), dir, g_strerror (errno));
      return NULL;
    }

  return g_build_filename (dir, sum, NULL);
}

/**
 * fore_lease_acquire:
 * @home_dir: Foredeck's folder
 * @path: the folder that agents will write to; it must exist
 * @run: id of the run that wants it
 * @error: (nullable): return location; %FORE_ERROR_BUSY names the run that holds it
 *
 * Takes the folder for @run, at once or not at all. Different names of one folder are one.
 *
 * Returns: (transfer full) (nullable): free with fore_lease_free()
 */
ForeLease *
fore_lease_acquire (const char *home_dir, const char *path, const char *run, GError **error)
{
  g_autofree char *canonical = NULL;
  g_autofree char *lock_path = NULL;
  g_autoptr (GError) local_error = NULL;
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

  lock_path = make_lock_path (home_dir, canonical, error);
  if (lock_path == NULL)
    return NULL;

  lock = fore_lock_try (lock_path, TRUE, run, &local_error);
  if (lock == NULL)
    {
      if (g_error_matches (local_error, FORE_ERROR, FORE_ERROR_BUSY))
        g_prefix_error (&local_error, _ ("Another run works in “%s”; wait for it: "), canonical);
      g_propagate_error (error, g_steal_pointer (&local_error));
      return NULL;
    }

  self = g_new0 (ForeLease, 1);
  self->path = g_steal_pointer (&canonical);
  self->lock = lock;

  return self;
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
