/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store/fore-run-file.h"

#include "model/fore-error.h"
#include "model/fore-id.h"
#include "platform/fore-dirs.h"
#include "store/fore-index.h"
#include "store/fore-schema.h"
#include "store/fore-table.h"

#include <glib/gi18n-lib.h>

static void
set_missing (const char *run_id, GError **error)
{
  g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
               _ ("There is no run “%s”; “foredeckctl list” shows those that there are."), run_id);
}

/**
 * fore_run_file_open_at:
 * @home: the home folder
 * @run_id: a run, from anywhere
 * @mode: how to open it, not to create it
 * @error: return location
 *
 * Returns: (transfer full) (nullable): a connection to the run's file, which is of our version
 */
ForeSql *
fore_run_file_open_at (const char *home, const char *run_id, ForeSqlMode mode, GError **error)
{
  g_autoptr (ForeSql) sql = NULL;
  g_autofree char *path = NULL;

  if (!fore_id_is_run (run_id))
    {
      set_missing (run_id, error);
      return NULL;
    }

  path = fore_dirs_dup_run_db_path (home, run_id);
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      set_missing (run_id, error);
      return NULL;
    }

  sql = fore_sql_open (path, mode, error);
  if (sql == NULL)
    return NULL;

  fore_sql_manage_checkpoints (sql);
  if (!fore_schema_check (sql, fore_schema_get_run (), error))
    return NULL;

  return g_steal_pointer (&sql);
}

/**
 * fore_run_file_open:
 * @store: the store
 * @run_id: a run, from anywhere
 * @mode: how to open it, not to create it
 * @error: return location
 *
 * Returns: (transfer full) (nullable): a connection to the run's file, which is of our version
 */
ForeSql *
fore_run_file_open (ForeStore *store, const char *run_id, ForeSqlMode mode, GError **error)
{
  return fore_run_file_open_at (fore_store_get_home (store), run_id, mode, error);
}

/**
 * fore_run_file_next_rev:
 * @sql: a run's file, in a transaction that writes
 * @rev: (out): a new revision
 * @error: return location
 *
 * Returns: %FALSE on an error
 */
gboolean
fore_run_file_next_rev (ForeSql *sql, guint64 *rev, GError **error)
{
  return fore_sql_get_int (sql, "UPDATE counter SET rev = rev + 1 RETURNING rev", (gint64 *) rev,
                           error);
}

static void
apply_answer (ForeRequest *request, const ForeAnswer *answer)
{
  request->state = FORE_REQUEST_ANSWERED;
  g_free (request->answer);
  request->answer = g_strdup (answer->option);
  g_free (request->answer_text);
  request->answer_text = g_strdup (answer->text);
  g_free (request->answered_by);
  request->answered_by = g_strdup (answer->by);
  request->answered = answer->time;
}

/**
 * fore_run_file_read_answer:
 * @sql: a run's file
 * @request_id: a request
 * @answer: (out) (nullable): its answer, %NULL while there is none
 * @error: return location
 *
 * Returns: %FALSE on an error
 */
gboolean
fore_run_file_read_answer (ForeSql *sql,
                           const char *request_id,
                           ForeAnswer **answer,
                           GError **error)
{
  sqlite3_stmt *stmt = fore_table_select (&fore_table_answers, sql, "WHERE request = ?1", error);

  if (stmt == NULL)
    return FALSE;

  sqlite3_bind_text (stmt, 1, request_id, -1, SQLITE_STATIC);
  return fore_table_read_one (&fore_table_answers, sql, stmt, (gpointer *) answer, error);
}

static gboolean
overlay_answer (ForeSql *sql, ForeRequest *request, GError **error)
{
  g_autoptr (ForeAnswer) answer = NULL;

  if (request->state != FORE_REQUEST_OPEN)
    return TRUE;

  if (!fore_run_file_read_answer (sql, request->id, &answer, error))
    return FALSE;

  if (answer != NULL)
    apply_answer (request, answer);

  return TRUE;
}

/**
 * fore_run_file_read_request:
 * @sql: a run's file
 * @view: for whom
 * @request_id: a request
 * @request: (out) (nullable): the request, %NULL if there is none
 * @error: return location
 *
 * Returns: %FALSE on an error
 */
gboolean
fore_run_file_read_request (
    ForeSql *sql, ForeRunView view, const char *request_id, ForeRequest **request, GError **error)
{
  sqlite3_stmt *stmt = fore_table_select (&fore_table_requests, sql, "WHERE id = ?1", error);

  if (stmt == NULL)
    return FALSE;

  sqlite3_bind_text (stmt, 1, request_id, -1, SQLITE_STATIC);
  if (!fore_table_read_one (&fore_table_requests, sql, stmt, (gpointer *) request, error))
    return FALSE;

  if (*request == NULL || view == FORE_RUN_VIEW_OWNER)
    return TRUE;

  return overlay_answer (sql, *request, error);
}

static GPtrArray *
read_after (ForeSql *sql, const ForeTable *table, const char *rest, gint64 after, GError **error)
{
  sqlite3_stmt *stmt = fore_table_select (table, sql, rest, error);

  if (stmt == NULL)
    return NULL;

  sqlite3_bind_int64 (stmt, 1, after);
  return fore_table_read_all (table, sql, stmt, error);
}

static GPtrArray *
read_requests (ForeSql *sql, ForeRunView view, gint64 after, GError **error)
{
  g_autoptr (GPtrArray) requests = NULL;

  if (view == FORE_RUN_VIEW_OWNER)
    return read_after (sql, &fore_table_requests, "WHERE rev > ?1 ORDER BY created, id", after,
                       error);

  requests = read_after (sql, &fore_table_requests,
                         "WHERE rev > ?1 OR id IN (SELECT request FROM answers WHERE rev > ?1)"
                         " ORDER BY created, id",
                         after, error);
  for (guint i = 0; requests != NULL && i < requests->len; i++)
    {
      if (!overlay_answer (sql, g_ptr_array_index (requests, i), error))
        return NULL;
    }

  return g_steal_pointer (&requests);
}

static gboolean
read_run (ForeSql *sql, gint64 after, ForeRun **run, GError **error)
{
  sqlite3_stmt *stmt = fore_table_select (&fore_table_run, sql, "WHERE rev > ?1", error);

  if (stmt == NULL)
    return FALSE;

  sqlite3_bind_int64 (stmt, 1, after);
  return fore_table_read_one (&fore_table_run, sql, stmt, (gpointer *) run, error);
}

static gboolean
read_events (ForeSql *sql, ForeRunDelta *delta, guint max_events, GError **error)
{
  sqlite3_stmt *stmt = fore_table_select (&fore_table_events, sql,
                                          "WHERE seq > ?1 ORDER BY seq LIMIT ?2", error);

  if (stmt == NULL)
    return FALSE;

  sqlite3_bind_int64 (stmt, 1, delta->seq);
  sqlite3_bind_int64 (stmt, 2, max_events == G_MAXUINT ? -1 : (gint64) max_events);
  delta->events = fore_table_read_all (&fore_table_events, sql, stmt, error);
  if (delta->events == NULL)
    return FALSE;

  if (delta->events->len > 0)
    delta->seq
        = ((const ForeEvent *) g_ptr_array_index (delta->events, delta->events->len - 1))->seq;

  return TRUE;
}

static gboolean
read_rows (ForeSql *sql, ForeRunView view, ForeRunDelta *delta, gint64 after, GError **error)
{
  return (delta->tasks = read_after (sql, &fore_table_tasks,
                                     "WHERE rev > ?1 ORDER BY position, key", after, error))
             != NULL
         && (delta->attempts = read_after (sql, &fore_table_attempts,
                                           "WHERE rev > ?1 ORDER BY started, task, n", after,
                                           error))
                != NULL
         && (delta->plans = read_after (sql, &fore_table_plans, "WHERE rev > ?1 ORDER BY version",
                                        after, error))
                != NULL
         && (delta->requests = read_requests (sql, view, after, error)) != NULL
         && (delta->commands = read_after (sql, &fore_table_commands, "WHERE rev > ?1 ORDER BY id",
                                           after, error))
                != NULL
         && (delta->messages = read_after (sql, &fore_table_messages,
                                           "WHERE rev > ?1 ORDER BY time, id", after, error))
                != NULL;
}

static gboolean
read_delta (ForeSql *sql,
            ForeRunView view,
            ForeRunDelta *delta,
            gint64 after,
            guint max_events,
            GError **error)
{
  return fore_sql_get_int (sql, "SELECT rev FROM counter", (gint64 *) &delta->rev, error)
         && read_run (sql, after, &delta->run, error) && read_rows (sql, view, delta, after, error)
         && read_events (sql, delta, max_events, error);
}

/**
 * fore_run_file_read:
 * @sql: a run's file
 * @view: for whom
 * @after_rev: revision that is known already
 * @after_seq: event that is known already
 * @max_events: most events, 0 for none, %G_MAXUINT for all
 * @error: return location
 *
 * Reads what changed, in one transaction.
 *
 * Returns: (transfer full) (nullable): the difference
 */
ForeRunDelta *
fore_run_file_read (ForeSql *sql,
                    ForeRunView view,
                    guint64 after_rev,
                    gint64 after_seq,
                    guint max_events,
                    GError **error)
{
  g_autoptr (ForeRunDelta) delta = g_new0 (ForeRunDelta, 1);
  gboolean read;

  delta->seq = after_seq;
  if (!fore_sql_begin_read (sql, error))
    return NULL;

  read = read_delta (sql, view, delta, (gint64) after_rev, max_events, error);
  fore_sql_rollback (sql);

  return read ? g_steal_pointer (&delta) : NULL;
}

/**
 * fore_run_file_read_day_costs:
 * @sql: a run's file
 * @days: (element-type utf8 gint64): day -> cost (a gint64 *), to be added to
 * @error: return location
 *
 * Sums up what its attempts cost by the day on which they began.
 *
 * Returns: %FALSE on an error
 */
gboolean
fore_run_file_read_day_costs (ForeSql *sql, GHashTable *days, GError **error)
{
  sqlite3_stmt *stmt = fore_sql_get (
      sql, "SELECT started, cost FROM attempts WHERE cost > 0 AND started > 0", error);
  gboolean row;

  if (stmt == NULL)
    return FALSE;

  while (TRUE)
    {
      g_autofree char *day = NULL;
      gint64 *sum;

      if (!fore_sql_step (sql, stmt, &row, error))
        return FALSE;

      if (!row)
        return TRUE;

      day = fore_index_dup_day (sqlite3_column_int64 (stmt, 0));
      sum = g_hash_table_lookup (days, day);
      if (sum == NULL)
        {
          sum = g_new0 (gint64, 1);
          g_hash_table_insert (days, g_strdup (day), sum);
        }

      *sum += sqlite3_column_int64 (stmt, 1);
    }
}
