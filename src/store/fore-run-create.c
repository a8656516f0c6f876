/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store/fore-run-writer.h"

#include "model/fore-error.h"
#include "model/fore-id.h"
#include "platform/fore-dirs.h"
#include "platform/fore-files.h"
#include "platform/fore-sync.h"
#include "store/fore-batch.h"
#include "store/fore-rebuild.h"
#include "store/fore-run-file.h"
#include "store/fore-schema.h"
#include "store/fore-store-private.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

static gboolean
fill_new_file (ForeSql *sql,
               ForeStore *store,
               const ForeRun *run,
               GPtrArray *tasks,
               GPtrArray *events,
               GError **error)
{
  g_autofree char *backup_dir = fore_dirs_dup_backup_dir (fore_store_get_home (store));
  g_autoptr (ForeBatch) batch = fore_batch_new ();
  gint64 seq = 0;

  if (!fore_schema_migrate (sql, fore_schema_get_run (), backup_dir, error))
    return FALSE;

  fore_batch_add (batch, FORE_WRITE_RUN, run);
  for (guint i = 0; tasks != NULL && i < tasks->len; i++)
    fore_batch_add (batch, FORE_WRITE_TASK, g_ptr_array_index (tasks, i));
  for (guint i = 0; events != NULL && i < events->len; i++)
    fore_batch_add (batch, FORE_WRITE_EVENT, g_ptr_array_index (events, i));

  return fore_batch_commit (batch, sql, &seq, error) && fore_sql_checkpoint (sql, TRUE, error);
}

/* The run is there whether the index knows it or not, and its owner puts it there again. */
static void
index_new_run (ForeStore *store, const char *run_id)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeSql) run_file = fore_run_file_open (store, run_id, FORE_SQL_READ, &error);
  ForeSql *index = run_file != NULL ? fore_store_borrow_index (store, &error) : NULL;

  if (index == NULL || !fore_sql_begin (index, &error)
      || !fore_rebuild_put_run (index, run_file, &error) || !fore_sql_commit (index, &error))
    g_message ("run %s is not in the index yet: %s", run_id, error->message);

  fore_store_give_back_index (store, index);
}

static gboolean
create_file (ForeStore *store,
             const char *path,
             const ForeRun *run,
             GPtrArray *tasks,
             GPtrArray *events,
             GError **error)
{
  g_autoptr (ForeSql) sql = fore_sql_open (path, FORE_SQL_CREATE, error);

  return sql != NULL && fill_new_file (sql, store, run, tasks, events, error);
}

static void
remove_file (const char *path)
{
  g_autofree char *wal = g_strconcat (path, "-wal", NULL);
  g_autofree char *shm = g_strconcat (path, "-shm", NULL);

  g_unlink (path);
  g_unlink (wal);
  g_unlink (shm);
}

/**
 * fore_run_writer_create:
 * @store: the store
 * @run: a new run
 * @tasks: (nullable) (element-type ForeTask): its tasks so far
 * @events: (nullable) (element-type ForeEvent): its events so far
 * @error: return location
 *
 * Makes a run's folder and file, durably, and puts it into the index. Blocks.
 *
 * Returns: %FALSE on an error, also if there is such a run already
 */
gboolean
fore_run_writer_create (
    ForeStore *store, const ForeRun *run, GPtrArray *tasks, GPtrArray *events, GError **error)
{
  g_autofree char *path = NULL;
  g_autofree char *folder = NULL;
  g_autofree char *runs = NULL;
  const char *home;

  g_return_val_if_fail (FORE_IS_STORE (store), FALSE);
  g_return_val_if_fail (run != NULL && fore_id_is_run (run->id), FALSE);

  home = fore_store_get_home (store);
  path = fore_dirs_dup_run_db_path (home, run->id);
  if (g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_BUSY, _ ("There is a run “%s” already."), run->id);
      return FALSE;
    }

  if (!fore_dirs_ensure_run (home, run->id, error))
    return FALSE;

  if (!create_file (store, path, run, tasks, events, error))
    {
      remove_file (path);
      return FALSE;
    }

  folder = fore_dirs_dup_run_dir (home, run->id);
  runs = fore_dirs_dup_runs_dir (home);
  fore_sync_path (folder);
  fore_sync_path (runs);
  index_new_run (store, run->id);
  fore_store_ring (store);
  return TRUE;
}
