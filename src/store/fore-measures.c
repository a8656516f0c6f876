/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store/fore-measures.h"

#include "store/fore-sql.h"
#include "store/fore-store-private.h"

/* What was measured last counts a quarter once there are four measurements. What is not known of
 * one measurement leaves what was known as it is.
 */
#define MEAN(column)                                                                               \
  " " column " = CASE WHEN excluded." column " IS NULL THEN " column " WHEN " column               \
  " IS NULL THEN excluded." column " ELSE (" column " * min(n, 3) + excluded." column              \
  ") / (min(n, 3) + 1) END,"
/* The first measurement tells of no estimate that it was off. */
#define DISTANCE(column)                                                                           \
  "abs(" column " - excluded." column ") * 1000 / max(excluded." column ", 1)"
#define MEAN_OFF(off, column)                                                                      \
  " " off " = CASE WHEN " column " IS NULL OR excluded." column " IS NULL THEN " off " WHEN " off  \
  " IS NULL THEN " DISTANCE (column) " ELSE (" off " * min(n - 1, 3) + " DISTANCE (                \
      column) ") / (min(n - 1, 3) + 1) END,"

#define LEARN                                                                                      \
  "INSERT INTO durations (project, name, ms, tokens, cost, n) VALUES (?1, ?2, ?3, ?4, ?5, 1)"      \
  " ON CONFLICT (project, name) DO UPDATE SET" MEAN ("ms") MEAN ("tokens") MEAN ("cost")           \
      MEAN_OFF ("off_ms", "ms") MEAN_OFF ("off_tokens", "tokens") " n = n + 1"

#define READ                                                                                       \
  "SELECT name, ms, tokens, cost, off_ms, off_tokens, n FROM durations WHERE project = ?1"

/* What is learned of thousands of tasks touches as many pages, none of which is needed again. */
#define SMALL_CACHE "PRAGMA cache_size = -128"
#define USUAL_CACHE "PRAGMA cache_size = -2000"

static gint64
get_column (sqlite3_stmt *stmt, int column)
{
  if (sqlite3_column_type (stmt, column) == SQLITE_NULL)
    return FORE_MEASURE_UNKNOWN;

  return sqlite3_column_int64 (stmt, column);
}

static gboolean
read_all (ForeSql *sql, const char *project, GHashTable *measures, GError **error)
{
  sqlite3_stmt *stmt = fore_sql_get (sql, READ, error);
  gboolean row;

  if (stmt == NULL)
    return FALSE;

  sqlite3_bind_text (stmt, 1, project, -1, SQLITE_STATIC);
  while (fore_sql_step (sql, stmt, &row, error))
    {
      ForeMeasure measure;

      if (!row)
        return TRUE;

      measure = (ForeMeasure){ get_column (stmt, 1), get_column (stmt, 2), get_column (stmt, 3),
                               get_column (stmt, 4), get_column (stmt, 5), get_column (stmt, 6) };
      g_hash_table_insert (measures, g_strdup ((const char *) sqlite3_column_text (stmt, 0)),
                           g_memdup2 (&measure, sizeof measure));
    }

  return FALSE;
}

/**
 * fore_measures_read:
 * @store: the store
 * @project: canonical path of a project
 * @error: return location
 *
 * Returns: (transfer full) (nullable) (element-type utf8 ForeMeasure): what things took, by
 *   their names; blocks
 */
GHashTable *
fore_measures_read (ForeStore *store, const char *project, GError **error)
{
  g_autoptr (GHashTable) measures = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  gboolean done;
  ForeSql *sql;

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);
  g_return_val_if_fail (project != NULL, NULL);

  sql = fore_store_borrow_index (store, error);
  if (sql == NULL)
    return NULL;

  done = read_all (sql, project, measures, error);
  fore_store_give_back_index (store, sql);

  return done ? g_steal_pointer (&measures) : NULL;
}

static void
bind_known (sqlite3_stmt *stmt, int place, gint64 value)
{
  if (value != FORE_MEASURE_UNKNOWN)
    sqlite3_bind_int64 (stmt, place, value);
}

static gboolean
learn_one (
    ForeSql *sql, const char *project, const char *name, const ForeMeasure *measure, GError **error)
{
  sqlite3_stmt *stmt = fore_sql_get (sql, LEARN, error);

  if (stmt == NULL)
    return FALSE;

  sqlite3_bind_text (stmt, 1, project, -1, SQLITE_STATIC);
  sqlite3_bind_text (stmt, 2, name, -1, SQLITE_STATIC);
  sqlite3_bind_int64 (stmt, 3, measure->ms);
  bind_known (stmt, 4, measure->tokens);
  bind_known (stmt, 5, measure->cost);

  return fore_sql_run (sql, stmt, error);
}

static gboolean
learn_all (ForeSql *sql, const char *project, GHashTable *measures, GError **error)
{
  GHashTableIter iter;
  gpointer name, measure;

  g_hash_table_iter_init (&iter, measures);
  while (g_hash_table_iter_next (&iter, &name, &measure))
    {
      if (!learn_one (sql, project, name, measure, error))
        return FALSE;
    }

  return TRUE;
}

/**
 * fore_measures_learn:
 * @store: the store
 * @project: canonical path of a project
 * @measures: (element-type utf8 ForeMeasure): what things took now, by their names; how far off and
 *   how often is not looked at
 * @error: return location
 *
 * Adds one measurement of each to what the index knows. Blocks.
 *
 * Returns: %FALSE on an error
 */
gboolean
fore_measures_learn (ForeStore *store, const char *project, GHashTable *measures, GError **error)
{
  gboolean done;
  ForeSql *sql;

  g_return_val_if_fail (FORE_IS_STORE (store), FALSE);
  g_return_val_if_fail (project != NULL && measures != NULL, FALSE);

  sql = fore_store_borrow_index (store, error);
  if (sql == NULL)
    return FALSE;

  done = fore_sql_exec (sql, SMALL_CACHE, error) && fore_sql_begin (sql, error);
  if (done)
    done = learn_all (sql, project, measures, error) && fore_sql_commit (sql, error);
  if (!fore_sql_exec (sql, USUAL_CACHE, NULL))
    g_debug ("The index keeps its small cache");
  fore_store_give_back_index (store, sql);

  return done;
}
