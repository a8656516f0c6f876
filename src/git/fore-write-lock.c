/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <unistd.h>

#include "git/fore-repository-private.h"
#include "git/fore-write-lock.h"
#include "model/fore-error.h"
#include "platform/fore-lock.h"

struct _ForeWriteLock
{
  GMutex *mutex; /* one for each repository, never freed */
  ForeLock *file;
};

/* Threads of one program queue here without a time limit: each is known to come to an end, and
 * the minute that other programs are given must not be used up by our own queue.
 */
static GMutex *
find_mutex (const char *common_dir)
{
  static GMutex guard;
  static GHashTable *mutexes = NULL;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&guard);
  GMutex *mutex;

  if (mutexes == NULL)
    mutexes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  mutex = g_hash_table_lookup (mutexes, common_dir);
  if (mutex == NULL)
    {
      mutex = g_new0 (GMutex, 1);
      g_mutex_init (mutex);
      g_hash_table_insert (mutexes, g_strdup (common_dir), mutex);
    }

  return mutex;
}

/**
 * fore_write_lock_acquire:
 * @repository: what will be written to
 * @error: (nullable): return location; %FORE_ERROR_BUSY names the holder
 *
 * Waits for the right to write.
 *
 * Returns: (transfer full) (nullable): free with fore_write_lock_free() in the same thread
 */
ForeWriteLock *
fore_write_lock_acquire (ForeRepository *repository, GError **error)
{
  const char *common_dir = fore_repository_get_common_dir (repository);
  g_autofree char *path = g_build_filename (common_dir, "foredeck.lock", NULL);
  g_autofree char *holder = g_strdup_printf ("%s, process %ld", g_get_prgname () ?: "foredeck",
                                             (long) getpid ());
  g_autoptr (GError) local_error = NULL;
  ForeWriteLock *self = g_new0 (ForeWriteLock, 1);

  self->mutex = find_mutex (common_dir);
  g_mutex_lock (self->mutex);

  self->file = fore_lock_wait (path, TRUE, fore_repository_get_lock_wait (repository), holder, NULL,
                               &local_error);
  if (self->file != NULL)
    return self;

  if (g_error_matches (local_error, FORE_ERROR, FORE_ERROR_BUSY))
    g_prefix_error (&local_error, _ ("Somebody else is writing to this repository: "));
  g_propagate_error (error, g_steal_pointer (&local_error));
  fore_write_lock_free (self);

  return NULL;
}

/**
 * fore_write_lock_free:
 * @self: (nullable): a lock
 *
 * Lets the next one write.
 */
void
fore_write_lock_free (ForeWriteLock *self)
{
  if (self == NULL)
    return;

  g_clear_pointer (&self->file, fore_lock_free);
  g_mutex_unlock (self->mutex);
  g_free (self);
}
