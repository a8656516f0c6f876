/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store/fore-durations.h"

#include "store/fore-sql.h"
#include "store/fore-store-private.h"

/* What was measured last counts a quarter once there are four measurements. */
#define LEARN                                                                                      \
  "INSERT INTO durations (project, name, ms, n) VALUES (?1, ?2, ?3, 1)"                            \
  " ON CONFLICT (project, name) DO UPDATE SET"                                                     \
  " ms = (ms * min(n, 3) + excluded.ms) / (min(n, 3) + 1), n = n + 1"

/* What is learned of thousands of tasks touches as many pages, none of which is needed again. */
#define SMALL_CACHE "PRAGMA cache_size = -128"
#define USUAL_CACHE "PRAGMA cache_size = -2000"

static gboolean
read_all (ForeSql *sql, const char *project, GHashTable *durations, GError **error)
{
  sqlite3_stmt *stmt = fore_sql_get (sql, "SELECT name, ms FROM durations WHERE project = ?1",
                                     error);
  gboolean row;

  if (stmt == NULL)
    return FALSE;

  sqlite3_bind_text (stmt, 1, project, -1, SQLITE_STATIC);
  while (fore_sql_step (sql, stmt, &row, error))
    {
      gint64 ms;

      if (!row)
        return TRUE;

      ms = sqlite3_column_int64 (stmt, 1);
      g_hash_table_insert (durations, g_strdup ((const char *) sqlite3_column_text (stmt, 0)),
                           g_memdup2 (&ms, sizeof ms));
    }

  return FALSE;
}

/**
 * fore_durations_read:
 * @store: the store
 * @project: canonical path of a project
 * @error: return location
 *
 * Returns: (transfer full) (nullable) (element-type utf8 gint64): how long something took on
 *   average, in milliseconds, by its name; blocks
 */
GHashTable *
fore_durations_read (ForeStore *store, const char *project, GError **error)
{
  g_autoptr (GHashTable) durations = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                                            g_free);
  gboolean done;
  ForeSql *sql;

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);
  g_return_val_if_fail (project != NULL, NULL);

  sql = fore_store_borrow_index (store, error);
  if (sql == NULL)
    return NULL;

  done = read_all (sql, project, durations, error);
  fore_store_give_back_index (store, sql);

  return done ? g_steal_pointer (&durations) : NULL;
}

static gboolean
learn_one (ForeSql *sql, const char *project, const char *name, gint64 ms, GError **error)
{
  sqlite3_stmt *stmt = fore_sql_get (sql, LEARN, error);

  if (stmt == NULL)
    return FALSE;

  sqlite3_bind_text (stmt, 1, project, -1, SQLITE_STATIC);
  sqlite3_bind_text (stmt, 2, name, -1, SQLITE_STATIC);
  sqlite3_bind_int64 (stmt, 3, ms);

  return fore_sql_run (sql, stmt, error);
}

static gboolean
learn_all (ForeSql *sql, const char *project, GHashTable *durations, GError **error)
{
  GHashTableIter iter;
  gpointer name, ms;

  g_hash_table_iter_init (&iter, durations);
  while (g_hash_table_iter_next (&iter, &name, &ms))
    {
      if (!learn_one (sql, project, name, *(const gint64 *) ms, error))
        return FALSE;
    }

  return TRUE;
}

/**
 * fore_durations_learn:
 * @store: the store
 * @project: canonical path of a project
 * @durations: (element-type utf8 gint64): how long something took now, in milliseconds, by its name
 * @error: return location
 *
 * Adds one measurement of each to what the index knows. Blocks.
 *
 * Returns: %FALSE on an error
 */
gboolean
fore_durations_learn (ForeStore *store, const char *project, GHashTable *durations, GError **error)
{
  gboolean done;
  ForeSql *sql;

  g_return_val_if_fail (FORE_IS_STORE (store), FALSE);
  g_return_val_if_fail (project != NULL && durations != NULL, FALSE);

  sql = fore_store_borrow_index (store, error);
  if (sql == NULL)
    return FALSE;

  done = fore_sql_exec (sql, SMALL_CACHE, error) && fore_sql_begin (sql, error);
  if (done)
    done = learn_all (sql, project, durations, error) && fore_sql_commit (sql, error);
  if (!fore_sql_exec (sql, USUAL_CACHE, NULL))
    g_debug ("The index keeps its small cache");
  fore_store_give_back_index (store, sql);

  return done;
}
