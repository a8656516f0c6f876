/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store/fore-store-private.h"

#include "model/fore-error.h"
#include "platform/fore-clock.h"
#include "platform/fore-dirs.h"
#include "platform/fore-files.h"
#include "platform/fore-lock.h"
#include "platform/fore-process.h"
#include "platform/fore-pulse.h"
#include "store/fore-index.h"
#include "store/fore-rebuild.h"
#include "store/fore-schema.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <unistd.h>

#define LOCK_TIMEOUT_MS 10000
#define MAX_IDLE 4

struct _ForeStore
{
  GObject parent_instance;

  char *home;
  ForeLock *lock;

  GMutex mutex;
  GQueue idle;       /* ForeSql, guarded by mutex */
  GHashTable *owned; /* ids of runs, guarded by mutex */
  int bell;          /* guarded by mutex */
};

G_DEFINE_FINAL_TYPE (ForeStore, fore_store, G_TYPE_OBJECT)

static ForeSql *
open_index (const char *home, ForeSqlMode mode, GError **error)
{
  g_autofree char *path = fore_dirs_dup_index_path (home);

  return fore_sql_open (path, mode, error);
}

static ForeLock *
take_lock (const char *home, gboolean exclusive, GError **error)
{
  g_autofree char *path = fore_dirs_dup_lock_path (home);

  return fore_lock_wait (path, exclusive, LOCK_TIMEOUT_MS, NULL, NULL, error);
}

/* An index from an older version is changed only while nobody else has it open. */
static gboolean
migrate_alone (ForeStore *self, ForeSql *sql, const char *backup_dir, GError **error)
{
  gboolean migrated;

  g_clear_pointer (&self->lock, fore_lock_free);
  self->lock = take_lock (self->home, TRUE, error);
  if (self->lock == NULL)
    {
      g_prefix_error (error, _ ("Close Foredeck and let its runs end, so that its index can be "
                                "brought up to date: "));
      return FALSE;
    }

  migrated = fore_schema_migrate (sql, fore_schema_get_index (), backup_dir, error);

  g_clear_pointer (&self->lock, fore_lock_free);
  if (!migrated)
    return FALSE;

  self->lock = take_lock (self->home, FALSE, error);
  return self->lock != NULL;
}

static gboolean
has_runs (const char *home)
{
  g_autofree char *path = fore_dirs_dup_runs_dir (home);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);

  return dir != NULL && g_dir_read_name (dir) != NULL;
}

/* A power cut may have taken from the index what it left the runs: compared once in every boot, by
 * whoever comes first. An index that cannot be written then is still good for reading.
 */
static void
compare_after_boot (ForeStore *self, ForeSql *sql)
{
  g_autofree char *path = fore_dirs_dup_boot_path (self->home);
  const char *boot = fore_process_get_boot_id ();
  g_autofree char *last = NULL;
  g_autoptr (GError) error = NULL;

  if (g_file_get_contents (path, &last, NULL, NULL) && g_strcmp0 (last, boot) == 0)
    return;

  if (!fore_rebuild_behind (self->home, sql, &error)
      || !g_file_set_contents_full (path, boot, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, &error))
    g_message ("the index could not be compared with the runs: %s", error->message);
}

static gboolean
prepare_index (ForeStore *self, ForeSql *sql, GError **error)
{
  g_autofree char *backup_dir = fore_dirs_dup_backup_dir (self->home);
  gboolean needed;
  gboolean is_new;

  if (!fore_schema_needs_migration (sql, fore_schema_get_index (), &needed, &is_new, error))
    return FALSE;

  fore_schema_prune_backups (backup_dir);
  if (!needed)
    return TRUE;

  if (!is_new)
    return migrate_alone (self, sql, backup_dir, error);

  if (!fore_schema_migrate (sql, fore_schema_get_index (), backup_dir, error))
    return FALSE;

  return !has_runs (self->home) || fore_rebuild_index (self->home, sql, error);
}

static int
open_bell (const char *home)
{
  g_autofree char *path = fore_dirs_dup_bell_path (home);

  return g_open (path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
}

static gboolean
open_all (ForeStore *self, GError **error)
{
  g_autoptr (ForeSql) sql = NULL;

  if (!fore_dirs_ensure_home (self->home, error))
    return FALSE;

  self->lock = take_lock (self->home, FALSE, error);
  if (self->lock == NULL)
    return FALSE;

  sql = open_index (self->home, FORE_SQL_CREATE, error);
  if (sql == NULL || !prepare_index (self, sql, error))
    return FALSE;

  compare_after_boot (self, sql);
  self->bell = open_bell (self->home);
  if (self->bell < 0)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
                   _ ("The folder “%s” cannot be written (%s); check its permissions."), self->home,
                   g_strerror (errno));
      return FALSE;
    }

  fore_store_give_back_index (self, g_steal_pointer (&sql));
  return TRUE;
}

static void
fore_store_finalize (GObject *object)
{
  ForeStore *self = FORE_STORE (object);

  g_queue_clear_full (&self->idle, (GDestroyNotify) fore_sql_free);
  g_hash_table_unref (self->owned);
  if (self->bell >= 0)
    g_close (self->bell, NULL);
  g_clear_pointer (&self->lock, fore_lock_free);
  g_free (self->home);
  g_mutex_clear (&self->mutex);

  G_OBJECT_CLASS (fore_store_parent_class)->finalize (object);
}

static void
fore_store_class_init (ForeStoreClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fore_store_finalize;
}

static void
fore_store_init (ForeStore *self)
{
  g_mutex_init (&self->mutex);
  g_queue_init (&self->idle);
  self->owned = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->bell = -1;
}

/**
 * fore_store_open:
 * @home: (nullable): the home folder, %NULL for fore_dirs_dup_home()
 * @error: return location
 *
 * Makes the home folder if it is missing, and the index out of what is in runs/ if that is missing.
 *
 * Returns: (transfer full) (nullable): the store. %FORE_ERROR_ENVIRONMENT if it cannot be used,
 *   %FORE_ERROR_NEWER if a newer version of Foredeck wrote it
 */
ForeStore *
fore_store_open (const char *home, GError **error)
{
  g_autoptr (ForeStore) self = g_object_new (FORE_TYPE_STORE, NULL);

  self->home = home != NULL ? g_canonicalize_filename (home, NULL) : fore_dirs_dup_home ();
  if (!open_all (self, error))
    return NULL;

  return g_steal_pointer (&self);
}

/**
 * fore_store_get_home:
 * @self: a store
 *
 * Returns: (transfer none): its absolute folder
 */
const char *
fore_store_get_home (ForeStore *self)
{
  g_return_val_if_fail (FORE_IS_STORE (self), NULL);

  return self->home;
}

/**
 * fore_store_borrow_index:
 * @self: a store
 * @error: return location
 *
 * Returns: (transfer full) (nullable): a connection to the index, for
 *   fore_store_give_back_index()
 */
ForeSql *
fore_store_borrow_index (ForeStore *self, GError **error)
{
  ForeSql *sql;

  g_mutex_lock (&self->mutex);
  sql = g_queue_pop_head (&self->idle);
  g_mutex_unlock (&self->mutex);

  return sql != NULL ? sql : open_index (self->home, FORE_SQL_WRITE, error);
}

/**
 * fore_store_give_back_index:
 * @self: a store
 * @sql: (transfer full) (nullable): what was borrowed
 */
void
fore_store_give_back_index (ForeStore *self, ForeSql *sql)
{
  if (sql == NULL)
    return;

  fore_sql_rollback (sql);
  g_mutex_lock (&self->mutex);
  if (self->idle.length < MAX_IDLE)
    g_queue_push_head (&self->idle, g_steal_pointer (&sql));
  g_mutex_unlock (&self->mutex);

  fore_sql_free (sql);
}

/**
 * fore_store_set_owns:
 * @self: a store
 * @run_id: a run
 * @owns: whether a writer of this store owns it now
 */
void
fore_store_set_owns (ForeStore *self, const char *run_id, gboolean owns)
{
  g_mutex_lock (&self->mutex);
  if (owns)
    g_hash_table_add (self->owned, g_strdup (run_id));
  else
    g_hash_table_remove (self->owned, run_id);
  g_mutex_unlock (&self->mutex);
}

/**
 * fore_store_owns:
 * @self: a store
 * @run_id: a run
 *
 * Returns: whether a writer of this store owns it
 */
gboolean
fore_store_owns (ForeStore *self, const char *run_id)
{
  gboolean owns;

  g_mutex_lock (&self->mutex);
  owns = g_hash_table_contains (self->owned, run_id);
  g_mutex_unlock (&self->mutex);

  return owns;
}

/**
 * fore_store_is_owned:
 * @self: a store
 * @run_id: a run
 *
 * Returns: whether some process owns the run just now
 */
gboolean
fore_store_is_owned (ForeStore *self, const char *run_id)
{
  g_autofree char *path = NULL;

  g_return_val_if_fail (FORE_IS_STORE (self), FALSE);
  g_return_val_if_fail (run_id != NULL, FALSE);

  path = fore_dirs_dup_owner_lock_path (self->home, run_id);
  return fore_lock_is_held (path);
}

/**
 * fore_store_look_at_owner:
 * @self: a store
 * @run_id: a run
 * @patience_us: how long an owner's main loop may take for one turn, in µs
 *
 * Returns: whether some process owns the run just now, and whether it does anything
 */
ForeOwnerState
fore_store_look_at_owner (ForeStore *self, const char *run_id, gint64 patience_us)
{
  g_autofree char *run_dir = NULL;
  gint64 stuck_us;

  g_return_val_if_fail (FORE_IS_STORE (self), FORE_OWNER_NONE);
  g_return_val_if_fail (run_id != NULL, FORE_OWNER_NONE);

  if (!fore_store_is_owned (self, run_id))
    return FORE_OWNER_NONE;

  run_dir = fore_dirs_dup_run_dir (self->home, run_id);

  return fore_pulse_read (run_dir, NULL, &stuck_us) && stuck_us > patience_us ? FORE_OWNER_STUCK
                                                                              : FORE_OWNER_AT_WORK;
}

/**
 * fore_store_ring:
 * @self: a store
 *
 * Rewrites the bell's byte, which everybody who follows anything watches.
 */
void
fore_store_ring (ForeStore *self)
{
  g_return_if_fail (FORE_IS_STORE (self));

  g_mutex_lock (&self->mutex);
  if (lseek (self->bell, 0, SEEK_SET) != 0 || write (self->bell, "!", 1) != 1)
    g_debug ("the bell cannot be rung: %s", g_strerror (errno));
  g_mutex_unlock (&self->mutex);
}

static char *
dup_damaged_path (const char *home)
{
  g_autofree char *folder = fore_dirs_dup_backup_dir (home);
  g_autofree char *name = g_strdup_printf ("foredeck-damaged-%" G_GINT64_FORMAT ".db",
                                           fore_clock_now_us () / G_USEC_PER_SEC);

  return g_build_filename (folder, name, NULL);
}

static gboolean
move_aside (const char *home, GError **error)
{
  g_autofree char *path = fore_dirs_dup_index_path (home);
  g_autofree char *target = dup_damaged_path (home);
  static const char *const suffixes[] = { "-wal", "-shm" };

  if (g_rename (path, target) != 0 && errno != ENOENT)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
                   _ ("“%s” cannot be moved aside (%s); check the permissions of its folder."),
                   path, g_strerror (errno));
      return FALSE;
    }

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *companion = g_strconcat (path, suffixes[i], NULL);

      g_unlink (companion);
    }

  return TRUE;
}

/**
 * fore_store_repair:
 * @home: (nullable): the home folder, %NULL for fore_dirs_dup_home()
 * @error: return location
 *
 * Moves the index to backup/ and makes a new one out of runs/. Trust in projects is forgotten.
 *
 * Returns: %FALSE on an error; %FORE_ERROR_BUSY while some process has the store open
 */
gboolean
fore_store_repair (const char *home, GError **error)
{
  g_autofree char *folder = home != NULL ? g_canonicalize_filename (home, NULL)
                                         : fore_dirs_dup_home ();
  g_autoptr (ForeStore) store = NULL;
  g_autoptr (ForeLock) lock = NULL;
  g_autofree char *path = fore_dirs_dup_lock_path (folder);

  if (!fore_dirs_ensure_home (folder, error))
    return FALSE;

  lock = fore_lock_try (path, TRUE, NULL, error);
  if (lock == NULL || !move_aside (folder, error))
    return FALSE;

  g_clear_pointer (&lock, fore_lock_free);
  store = fore_store_open (folder, error);
  return store != NULL;
}
