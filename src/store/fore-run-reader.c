/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store/fore-run-reader.h"

#include "model/fore-error.h"
#include "model/fore-id.h"
#include "store/fore-run-file.h"
#include "store/fore-store-private.h"
#include "store/fore-table.h"

#include <glib/gi18n-lib.h>

static ForeRunView
get_view (ForeStore *store, const char *run_id)
{
  return fore_store_owns (store, run_id) ? FORE_RUN_VIEW_OWNER : FORE_RUN_VIEW_OTHERS;
}

/**
 * fore_run_delta_free:
 * @delta: (nullable): a difference
 */
void
fore_run_delta_free (ForeRunDelta *delta)
{
  if (delta == NULL)
    return;

  fore_run_free (delta->run);
  g_clear_pointer (&delta->tasks, g_ptr_array_unref);
  g_clear_pointer (&delta->attempts, g_ptr_array_unref);
  g_clear_pointer (&delta->plans, g_ptr_array_unref);
  g_clear_pointer (&delta->requests, g_ptr_array_unref);
  g_clear_pointer (&delta->commands, g_ptr_array_unref);
  g_clear_pointer (&delta->messages, g_ptr_array_unref);
  g_clear_pointer (&delta->events, g_ptr_array_unref);
  g_free (delta);
}

/**
 * fore_run_delta_is_empty:
 * @delta: a difference
 *
 * Returns: whether nothing changed
 */
gboolean
fore_run_delta_is_empty (const ForeRunDelta *delta)
{
  g_return_val_if_fail (delta != NULL, TRUE);

  return delta->run == NULL && delta->tasks->len == 0 && delta->attempts->len == 0
         && delta->plans->len == 0 && delta->requests->len == 0 && delta->commands->len == 0
         && delta->messages->len == 0 && delta->events->len == 0;
}

/**
 * fore_run_read:
 * @store: the store
 * @run_id: a run
 * @after_rev: revision that is known already, 0 for none
 * @after_seq: event that is known already, 0 for none
 * @max_events: most events, 0 for none, %G_MAXUINT for all
 * @error: return location
 *
 * Returns: (transfer full) (nullable): what changed since; its lists are never %NULL
 */
ForeRunDelta *
fore_run_read (ForeStore *store,
               const char *run_id,
               guint64 after_rev,
               gint64 after_seq,
               guint max_events,
               GError **error)
{
  g_autoptr (ForeSql) sql = NULL;

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);
  g_return_val_if_fail (run_id != NULL, NULL);

  sql = fore_run_file_open (store, run_id, FORE_SQL_READ, error);
  if (sql == NULL)
    return NULL;

  return fore_run_file_read (sql, get_view (store, run_id), after_rev, after_seq, max_events,
                             error);
}

/**
 * fore_run_read_events_of:
 * @store: the store
 * @run_id: a run
 * @type: what happened
 * @error: return location
 *
 * Returns: (transfer full) (nullable) (element-type ForeEvent): all events of @type, oldest first
 */
GPtrArray *
fore_run_read_events_of (ForeStore *store, const char *run_id, ForeEventType type, GError **error)
{
  g_autoptr (ForeSql) sql = NULL;
  sqlite3_stmt *stmt;

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);
  g_return_val_if_fail (run_id != NULL, NULL);

  sql = fore_run_file_open (store, run_id, FORE_SQL_READ, error);
  if (sql == NULL)
    return NULL;

  stmt = fore_table_select (&fore_table_events, sql, "WHERE type = ?1 ORDER BY seq", error);
  if (stmt == NULL)
    return NULL;

  sqlite3_bind_text (stmt, 1, fore_event_type_to_string (type), -1, SQLITE_STATIC);
  return fore_table_read_all (&fore_table_events, sql, stmt, error);
}

/**
 * fore_run_read_last_time:
 * @store: the store
 * @run_id: a run
 * @time: (out): when its last event was, in microseconds since the epoch; 0 for none
 * @error: return location
 *
 * Returns: %FALSE on an error
 */
gboolean
fore_run_read_last_time (ForeStore *store, const char *run_id, gint64 *time, GError **error)
{
  g_autoptr (ForeSql) sql = NULL;

  g_return_val_if_fail (FORE_IS_STORE (store), FALSE);
  g_return_val_if_fail (run_id != NULL && time != NULL, FALSE);

  sql = fore_run_file_open (store, run_id, FORE_SQL_READ, error);

  return sql != NULL
         && fore_sql_get_int (sql,
                              "SELECT coalesce((SELECT time FROM events ORDER BY seq DESC LIMIT 1),"
                              " 0)",
                              time, error);
}

/**
 * fore_run_read_inputs:
 * @store: the store
 * @run_id: a run
 * @inputs: (out caller-allocates): what others wrote that no owner took up; for
 *   fore_run_inputs_clear()
 * @error: return location
 *
 * Reads answers to open requests, queued commands and queued messages, and nothing else of the run.
 *
 * Returns: %FALSE on an error; @inputs are empty then
 */
gboolean
fore_run_read_inputs (ForeStore *store, const char *run_id, ForeRunInputs *inputs, GError **error)
{
  g_autoptr (ForeSql) sql = NULL;

  g_return_val_if_fail (FORE_IS_STORE (store), FALSE);
  g_return_val_if_fail (run_id != NULL && inputs != NULL, FALSE);

  fore_run_inputs_init (inputs);
  sql = fore_run_file_open (store, run_id, FORE_SQL_READ, error);

  return sql != NULL && fore_run_inputs_read (inputs, sql, error);
}

/**
 * fore_run_read_plan:
 * @store: the store
 * @run_id: a run
 * @version: a version, 0 for the newest
 * @error: return location
 *
 * Returns: (transfer full) (nullable): that version of the run's plan; %FORE_ERROR_NOT_FOUND if it
 *   has none
 */
ForePlan *
fore_run_read_plan (ForeStore *store, const char *run_id, guint version, GError **error)
{
  g_autoptr (ForeSql) sql = NULL;
  gpointer plan = NULL;
  sqlite3_stmt *stmt;

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);
  g_return_val_if_fail (run_id != NULL, NULL);

  sql = fore_run_file_open (store, run_id, FORE_SQL_READ, error);
  if (sql == NULL)
    return NULL;

  stmt = fore_table_select (&fore_table_plans, sql,
                            "WHERE ?1 = 0 OR version = ?1 ORDER BY version DESC LIMIT 1", error);
  if (stmt == NULL)
    return NULL;

  sqlite3_bind_int64 (stmt, 1, version);
  if (!fore_table_read_one (&fore_table_plans, sql, stmt, &plan, error))
    return NULL;

  if (plan == NULL)
    g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                 _ ("Run “%s” has no such version of a plan."), run_id);

  return plan;
}

static void
set_no_request (const char *request_id, GError **error)
{
  g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
               _ ("There is no request “%s”; “foredeckctl requests” shows those that there are."),
               request_id);
}

/**
 * fore_run_read_request:
 * @store: the store
 * @request_id: a request
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the request; %FORE_ERROR_NOT_FOUND if there is none
 */
ForeRequest *
fore_run_read_request (ForeStore *store, const char *request_id, GError **error)
{
  g_autoptr (ForeSql) sql = NULL;
  g_autofree char *run_id = NULL;
  ForeRequest *request = NULL;
  guint n;

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);
  g_return_val_if_fail (request_id != NULL, NULL);

  if (!fore_id_parse_request (request_id, &run_id, &n))
    {
      set_no_request (request_id, error);
      return NULL;
    }

  sql = fore_run_file_open (store, run_id, FORE_SQL_READ, error);
  if (sql == NULL)
    return NULL;

  if (!fore_run_file_read_request (sql, get_view (store, run_id), request_id, &request, error))
    {
      fore_request_free (request);
      return NULL;
    }

  if (request == NULL)
    set_no_request (request_id, error);

  return request;
}
