/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store/fore-rebuild.h"

#include "model/fore-error.h"
#include "model/fore-id.h"
#include "model/fore-status.h"
#include "platform/fore-dirs.h"
#include "store/fore-index.h"
#include "store/fore-run-file.h"
#include "store/fore-schema.h"
#include "store/fore-table.h"

#include <glib/gi18n-lib.h>

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(const char *const *) a, *(const char *const *) b);
}

static GPtrArray *
list_run_ids (const char *home)
{
  g_autofree char *path = fore_dirs_dup_runs_dir (home);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  GPtrArray *ids = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      if (fore_id_is_run (name))
        g_ptr_array_add (ids, g_strdup (name));
    }

  g_ptr_array_sort (ids, compare_names);
  return ids;
}

static gboolean
put_requests (ForeSql *index, ForeSql *run_file, GError **error)
{
  g_autoptr (GPtrArray) ids = NULL;
  sqlite3_stmt *stmt = fore_table_select (&fore_table_requests, run_file, "ORDER BY id", error);

  ids = fore_table_read_all (&fore_table_requests, run_file, stmt, error);
  for (guint i = 0; ids != NULL && i < ids->len; i++)
    {
      const ForeRequest *row = g_ptr_array_index (ids, i);
      g_autoptr (ForeRequest) request = NULL;

      if (!fore_index_request_is_kept (row))
        continue;

      if (!fore_run_file_read_request (run_file, FORE_RUN_VIEW_OTHERS, row->id, &request, error)
          || !fore_index_put_request (index, request, error))
        return FALSE;
    }

  return ids != NULL;
}

static gboolean
put_day_costs (ForeSql *index, ForeSql *run_file, const char *run_id, GError **error)
{
  g_autoptr (GHashTable) days = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  GHashTableIter iter;
  gpointer day;
  gpointer cost;

  if (!fore_run_file_read_day_costs (run_file, days, error))
    return FALSE;

  g_hash_table_iter_init (&iter, days);
  while (g_hash_table_iter_next (&iter, &day, &cost))
    {
      if (!fore_index_put_day_cost (index, day, run_id, *(gint64 *) cost, error))
        return FALSE;
    }

  return TRUE;
}

/**
 * fore_rebuild_put_run:
 * @index: the index, in a transaction that writes
 * @run_file: a run's file
 * @error: return location
 *
 * Puts all into the index that follows from one run's file.
 *
 * Returns: %FALSE on an error
 */
gboolean
fore_rebuild_put_run (ForeSql *index, ForeSql *run_file, GError **error)
{
  sqlite3_stmt *stmt = fore_table_select (&fore_table_run, run_file, "LIMIT 1", error);
  g_autoptr (ForeRun) run = NULL;

  if (!fore_table_read_one (&fore_table_run, run_file, stmt, (gpointer *) &run, error))
    return FALSE;

  if (run == NULL)
    return TRUE;

  return fore_index_put_run (index, run, error) && put_requests (index, run_file, error)
         && put_day_costs (index, run_file, run->id, error);
}

/* A run that cannot be read must not keep the others out of the index. */
static gboolean
put_run_in_savepoint (const char *home, ForeSql *index, const char *run_id, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (ForeSql) run_file = fore_run_file_open_at (home, run_id, FORE_SQL_READ, &local);

  if (!fore_sql_exec (index, "SAVEPOINT one_run", error))
    return FALSE;

  if (run_file == NULL || !fore_index_remove_run (index, run_id, &local)
      || !fore_rebuild_put_run (index, run_file, &local))
    {
      g_message ("run %s is left out of the index: %s", run_id, local->message);
      if (!fore_sql_exec (index, "ROLLBACK TO one_run", error))
        return FALSE;
    }

  return fore_sql_exec (index, "RELEASE one_run", error);
}

/* Whether the index may say something else of a run than its file: it does not know the run, takes
 * it for unfinished, or the run's last owner did not close the file.
 */
static gboolean
may_be_behind (const char *home, ForeSql *index, const char *run_id)
{
  g_autofree char *path = fore_dirs_dup_run_db_path (home, run_id);
  g_autofree char *log = g_strconcat (path, "-wal", NULL);
  g_autoptr (ForeRun) run = NULL;

  if (g_file_test (log, G_FILE_TEST_EXISTS))
    return TRUE;

  return !fore_index_get_run (index, run_id, &run, NULL) || run == NULL
         || fore_run_status_get_class (run->status) != FORE_CLASS_FINISHED;
}

static gboolean
put_behind (const char *home, ForeSql *index, GError **error)
{
  g_autoptr (GPtrArray) ids = list_run_ids (home);

  for (guint i = 0; i < ids->len; i++)
    {
      const char *id = g_ptr_array_index (ids, i);

      if (may_be_behind (home, index, id) && !put_run_in_savepoint (home, index, id, error))
        return FALSE;
    }

  return TRUE;
}

static gboolean
fill_index (const char *home, ForeSql *index, GError **error)
{
  g_autoptr (GPtrArray) ids = list_run_ids (home);

  if (!fore_index_clear (index, error))
    return FALSE;

  for (guint i = 0; i < ids->len; i++)
    {
      if (!put_run_in_savepoint (home, index, g_ptr_array_index (ids, i), error))
        return FALSE;
    }

  return TRUE;
}

/**
 * fore_rebuild_index:
 * @home: the home folder
 * @index: the index
 * @error: return location
 *
 * Makes everything in the index that follows from runs/ anew, in one transaction.
 *
 * Returns: %FALSE on an error; the index is as before then
 */
gboolean
fore_rebuild_index (const char *home, ForeSql *index, GError **error)
{
  if (!fore_sql_begin (index, error))
    return FALSE;

  if (fill_index (home, index, error) && fore_sql_commit (index, error))
    return TRUE;

  fore_sql_rollback (index);
  return FALSE;
}

/**
 * fore_rebuild_behind:
 * @home: the home folder
 * @index: the index
 * @error: return location
 *
 * Takes into the index, in one transaction, what runs say that it may have lost: it is not forced
 * to the disk with each change as their files are, so that a power cut takes more from it. Costs a
 * look at every run, and the reading of those that are not finished.
 *
 * Returns: %FALSE on an error; the index is as before then
 */
gboolean
fore_rebuild_behind (const char *home, ForeSql *index, GError **error)
{
  if (!fore_sql_begin (index, error))
    return FALSE;

  if (put_behind (home, index, error) && fore_sql_commit (index, error))
    return TRUE;

  fore_sql_rollback (index);
  return FALSE;
}

static void
add_problem (GPtrArray *problems, const char *path, const char *what)
{
  g_ptr_array_add (problems, g_strdup_printf (_ ("“%s” is damaged: %s"), path, what));
}

static void
check_rows (ForeSql *sql, const char *text, const char *good, GPtrArray *problems)
{
  g_autoptr (GError) error = NULL;
  sqlite3_stmt *stmt = fore_sql_get (sql, text, &error);
  gboolean row = FALSE;

  while (stmt != NULL && fore_sql_step (sql, stmt, &row, &error) && row)
    {
      const char *found = (const char *) sqlite3_column_text (stmt, 0);

      if (g_strcmp0 (found, good) != 0)
        add_problem (problems, fore_sql_get_path (sql), found != NULL ? found : "?");
    }

  if (error != NULL)
    g_ptr_array_add (problems, g_strdup (error->message));
}

static void
check_file (ForeSql *sql, GPtrArray *problems)
{
  check_rows (sql, "PRAGMA integrity_check (20)", "ok", problems);
  check_rows (sql, "PRAGMA foreign_key_check", NULL, problems);
}

static void
check_indexed (ForeSql *index, const char *run_id, GPtrArray *problems)
{
  g_autoptr (ForeRun) run = NULL;

  if (fore_index_get_run (index, run_id, &run, NULL) && run == NULL)
    g_ptr_array_add (problems, g_strdup_printf (_ ("Run “%s” is missing from the index."), run_id));
}

static void
check_run_file (const char *home, const char *run_id, GPtrArray *problems)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeSql) sql = fore_run_file_open_at (home, run_id, FORE_SQL_READ, &error);
  g_autoptr (ForeRunDelta) delta = NULL;

  if (sql != NULL)
    {
      check_file (sql, problems);
      delta = fore_run_file_read (sql, FORE_RUN_VIEW_OWNER, 0, 0, 0, &error);
    }
  if (delta == NULL)
    g_ptr_array_add (problems, g_strdup (error->message));
}

/* Of two copies the later, by version and time in its name. */
static char *
find_backup (const char *home, const char *run_id)
{
  g_autofree char *folder = fore_dirs_dup_backup_dir (home);
  g_autofree char *prefix = g_strdup_printf ("%s-%s-v", fore_schema_get_run ()->name, run_id);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autofree char *last = NULL;
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      if (g_str_has_prefix (name, prefix) && g_strcmp0 (name, last) > 0)
        {
          g_free (last);
          last = g_strdup (name);
        }
    }

  return last != NULL ? g_build_filename (folder, last, NULL) : NULL;
}

static void
check_run (const char *home, ForeSql *index, const char *run_id, GPtrArray *problems)
{
  guint before = problems->len;
  g_autofree char *backup = NULL;

  check_run_file (home, run_id, problems);
  if (problems->len > before && (backup = find_backup (home, run_id)) != NULL)
    g_ptr_array_add (problems, g_strdup_printf (_ ("A copy of run “%s” from before an upgrade is "
                                                   "“%s”; to go back to it, put it in the place of "
                                                   "the damaged file."),
                                                run_id, backup));
  check_indexed (index, run_id, problems);
}

static void
check_indexed_runs (const char *home, ForeSql *index, GPtrArray *problems)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs = fore_index_list_runs (index, NULL, NULL, 0, 0, &error);

  if (runs == NULL)
    g_ptr_array_add (problems, g_strdup (error->message));
  for (guint i = 0; runs != NULL && i < runs->len; i++)
    {
      const ForeRun *run = g_ptr_array_index (runs, i);
      g_autofree char *path = fore_dirs_dup_run_db_path (home, run->id);

      if (!g_file_test (path, G_FILE_TEST_EXISTS))
        g_ptr_array_add (
            problems,
            g_strdup_printf (_ ("Run “%s” is in the index, but its file is gone."), run->id));
    }
}

/**
 * fore_rebuild_check_index:
 * @index: the index
 * @problems: (element-type utf8): where to add one sentence per problem
 *
 * Looks whether the file of the index is whole, whatever it says of runs.
 */
void
fore_rebuild_check_index (ForeSql *index, GPtrArray *problems)
{
  check_file (index, problems);
}

/**
 * fore_rebuild_check_pages:
 * @sql: a run or the index
 * @error: return location for an error
 *
 * Looks whether the pages of the file hang together, which is quicker than all that
 * fore_rebuild_check() looks at. Blocking.
 *
 * Returns: whether they do
 */
gboolean
fore_rebuild_check_pages (ForeSql *sql, GError **error)
{
  sqlite3_stmt *stmt = fore_sql_get (sql, "PRAGMA quick_check (1)", error);
  const char *found;
  gboolean row = FALSE;

  if (stmt == NULL || !fore_sql_step (sql, stmt, &row, error))
    return FALSE;

  found = row ? (const char *) sqlite3_column_text (stmt, 0) : NULL;
  if (g_strcmp0 (found, "ok") == 0)
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
               _ ("“%s” is damaged (%s); run “foredeckctl doctor --check-store”."),
               fore_sql_get_path (sql), found != NULL ? found : "?");
  return FALSE;
}

/**
 * fore_rebuild_check:
 * @home: the home folder
 * @index: the index
 * @problems: (element-type utf8): where to add one sentence per problem
 *
 * Looks at every run, and whether the index knows it.
 */
void
fore_rebuild_check (const char *home, ForeSql *index, GPtrArray *problems)
{
  g_autoptr (GPtrArray) ids = list_run_ids (home);

  for (guint i = 0; i < ids->len; i++)
    check_run (home, index, g_ptr_array_index (ids, i), problems);
  check_indexed_runs (home, index, problems);
}
