/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store/fore-index.h"

#include "platform/fore-clock.h"
#include "store/fore-table.h"

#include <string.h>

#define MAX_GOAL 4096
#define KEEP_DAYS 7
#define DAY_US (G_GINT64_CONSTANT (86400) * G_USEC_PER_SEC)
#define MAX_CANDIDATES 9

static gboolean
next_stamp (ForeSql *sql, gint64 *stamp, GError **error)
{
  return fore_sql_get_int (sql, "UPDATE counter SET rev = rev + 1 RETURNING rev", stamp, error);
}

static char *
dup_short_goal (const char *goal)
{
  const char *end;

  if (goal == NULL || strlen (goal) <= MAX_GOAL)
    return g_strdup (goal);

  end = g_utf8_find_prev_char (goal, goal + MAX_GOAL + 1);
  return g_strndup (goal, (gsize) (end - goal));
}

static gboolean
run_bound (ForeSql *sql, const char *text, const char *first, const char *second, GError **error)
{
  sqlite3_stmt *stmt = fore_sql_get (sql, text, error);

  if (stmt == NULL)
    return FALSE;

  sqlite3_bind_text (stmt, 1, first, -1, SQLITE_STATIC);
  if (second != NULL)
    sqlite3_bind_text (stmt, 2, second, -1, SQLITE_STATIC);

  return fore_sql_run (sql, stmt, error);
}

/**
 * fore_index_put_run:
 * @sql: the index, in a transaction
 * @run: a run
 * @error: return location
 *
 * Puts the run with a shortened goal, and its project.
 *
 * Returns: %FALSE on an error
 */
gboolean
fore_index_put_run (ForeSql *sql, const ForeRun *run, GError **error)
{
  g_autofree char *goal = dup_short_goal (run->goal);
  ForeRun row = *run;
  gint64 stamp;

  row.goal = goal;
  if (run->project != NULL && !fore_index_add_project (sql, run->project, error))
    return FALSE;

  return next_stamp (sql, &stamp, error)
         && fore_table_put (&fore_table_index_runs, sql, &row, (guint64) stamp, error);
}

static gboolean
remove_request (ForeSql *sql, const char *id, GError **error)
{
  return run_bound (sql, "DELETE FROM requests WHERE id = ?1", id, NULL, error);
}

/**
 * fore_index_request_is_kept:
 * @request: a request
 *
 * Returns: whether it is in the index: open ones, and for seven days those that are not any more
 */
gboolean
fore_index_request_is_kept (const ForeRequest *request)
{
  gint64 ended = request->answered > 0 ? request->answered : request->created;

  return request->state == FORE_REQUEST_OPEN || ended > fore_clock_now_us () - KEEP_DAYS * DAY_US;
}

/**
 * fore_index_put_request:
 * @sql: the index, in a transaction
 * @request: a request of a run that is in the index
 * @error: return location
 *
 * Returns: %FALSE on an error
 */
gboolean
fore_index_put_request (ForeSql *sql, const ForeRequest *request, GError **error)
{
  gint64 stamp;

  if (!fore_index_request_is_kept (request))
    return remove_request (sql, request->id, error);

  return next_stamp (sql, &stamp, error)
         && fore_table_put (&fore_table_index_requests, sql, request, (guint64) stamp, error);
}

/**
 * fore_index_answer_request:
 * @sql: the index, in a transaction
 * @answer: an answer that its run's file has taken
 * @error: return location
 *
 * Shows the request as answered until the run's owner says how it ended.
 *
 * Returns: %FALSE on an error
 */
gboolean
fore_index_answer_request (ForeSql *sql, const ForeAnswer *answer, GError **error)
{
  sqlite3_stmt *stmt;
  gint64 stamp;

  if (!next_stamp (sql, &stamp, error))
    return FALSE;

  stmt = fore_sql_get (sql,
                       "UPDATE requests SET state = 'answered', answer = ?2, answer_text = ?3,"
                       "answered_by = ?4, answered = ?5, stamp = ?6"
                       " WHERE id = ?1 AND state = 'open'",
                       error);
  if (stmt == NULL)
    return FALSE;

  sqlite3_bind_text (stmt, 1, answer->request, -1, SQLITE_STATIC);
  sqlite3_bind_text (stmt, 2, answer->option, -1, SQLITE_STATIC);
  sqlite3_bind_text (stmt, 3, answer->text, -1, SQLITE_STATIC);
  sqlite3_bind_text (stmt, 4, answer->by, -1, SQLITE_STATIC);
  sqlite3_bind_int64 (stmt, 5, answer->time);
  sqlite3_bind_int64 (stmt, 6, stamp);

  return fore_sql_run (sql, stmt, error);
}

/**
 * fore_index_put_day_cost:
 * @sql: the index, in a transaction
 * @day: a day as fore_index_dup_day() gives it
 * @run: a run that is in the index
 * @cost: what its attempts begun on that day cost, in millionths of a dollar
 * @error: return location
 *
 * Returns: %FALSE on an error
 */
gboolean
fore_index_put_day_cost (
    ForeSql *sql, const char *day, const char *run, gint64 cost, GError **error)
{
  sqlite3_stmt *stmt = fore_sql_get (sql,
                                     "INSERT INTO day_costs (day, run, cost) VALUES (?1, ?2, ?3)"
                                     " ON CONFLICT (day, run) DO UPDATE SET cost = excluded.cost",
                                     error);

  if (stmt == NULL)
    return FALSE;

  sqlite3_bind_text (stmt, 1, day, -1, SQLITE_STATIC);
  sqlite3_bind_text (stmt, 2, run, -1, SQLITE_STATIC);
  sqlite3_bind_int64 (stmt, 3, cost);

  return fore_sql_run (sql, stmt, error);
}

/**
 * fore_index_add_project:
 * @sql: the index
 * @path: canonical path of a project
 * @error: return location
 *
 * Returns: %FALSE on an error; a project that is there already is none
 */
gboolean
fore_index_add_project (ForeSql *sql, const char *path, GError **error)
{
  sqlite3_stmt *stmt = fore_sql_get (sql,
                                     "INSERT OR IGNORE INTO projects (path, added, trusted)"
                                     " VALUES (?1, ?2, 0)",
                                     error);

  if (stmt == NULL)
    return FALSE;

  sqlite3_bind_text (stmt, 1, path, -1, SQLITE_STATIC);
  sqlite3_bind_int64 (stmt, 2, fore_clock_now_us ());

  return fore_sql_run (sql, stmt, error);
}

/**
 * fore_index_set_trusted:
 * @sql: the index, in a transaction
 * @path: canonical path of a project
 * @trusted: whether what lies in it may say what is run
 * @error: return location
 *
 * Returns: %FALSE on an error
 */
gboolean
fore_index_set_trusted (ForeSql *sql, const char *path, gboolean trusted, GError **error)
{
  if (!fore_index_add_project (sql, path, error))
    return FALSE;

  return run_bound (sql,
                    trusted ? "UPDATE projects SET trusted = 1 WHERE path = ?1"
                            : "UPDATE projects SET trusted = 0 WHERE path = ?1",
                    path, NULL, error);
}

/**
 * fore_index_remove_run:
 * @sql: the index, in a transaction
 * @run_id: a run
 * @error: return location
 *
 * Removes the run and all that hangs on it.
 *
 * Returns: %FALSE on an error
 */
gboolean
fore_index_remove_run (ForeSql *sql, const char *run_id, GError **error)
{
  return run_bound (sql, "DELETE FROM runs WHERE id = ?1", run_id, NULL, error);
}

/**
 * fore_index_clear:
 * @sql: the index, in a transaction
 * @error: return location
 *
 * Removes everything that can be made anew out of runs/.
 *
 * Returns: %FALSE on an error
 */
gboolean
fore_index_clear (ForeSql *sql, GError **error)
{
  return fore_sql_exec (sql, "DELETE FROM day_costs; DELETE FROM requests; DELETE FROM runs",
                        error);
}

/**
 * fore_index_dup_day:
 * @us: wall clock, microseconds since the epoch
 *
 * Returns: (transfer full): the day in the local time zone
 */
char *
fore_index_dup_day (gint64 us)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (us / G_USEC_PER_SEC);

  return time != NULL ? g_date_time_format (time, "%Y-%m-%d") : g_strdup ("1970-01-01");
}

/**
 * fore_index_list_runs:
 * @sql: the index
 * @project: (nullable): only runs of this project
 * @status: (nullable): only runs with this status
 * @limit: most runs, 0 for all
 * @offset: how many to leave out first
 * @error: return location
 *
 * Returns: (transfer full) (nullable) (element-type ForeRun): runs, newest first
 */
GPtrArray *
fore_index_list_runs (ForeSql *sql,
                      const char *project,
                      const char *status,
                      guint limit,
                      guint offset,
                      GError **error)
{
  const char *rest;
  sqlite3_stmt *stmt;

  if (project != NULL)
    rest = "WHERE project = ?1 AND (?2 IS NULL OR status = ?2)"
           " ORDER BY created DESC, id LIMIT ?3 OFFSET ?4";
  else
    rest = "WHERE ?1 IS NULL AND (?2 IS NULL OR status = ?2)"
           " ORDER BY created DESC, id LIMIT ?3 OFFSET ?4";

  stmt = fore_table_select (&fore_table_index_runs, sql, rest, error);
  if (stmt == NULL)
    return NULL;

  sqlite3_bind_text (stmt, 1, project, -1, SQLITE_STATIC);
  sqlite3_bind_text (stmt, 2, status, -1, SQLITE_STATIC);
  sqlite3_bind_int64 (stmt, 3, limit == 0 ? -1 : (gint64) limit);
  sqlite3_bind_int64 (stmt, 4, offset);

  return fore_table_read_all (&fore_table_index_runs, sql, stmt, error);
}

/**
 * fore_index_get_run:
 * @sql: the index
 * @run_id: a run
 * @run: (out) (nullable): the run, %NULL if it is not there
 * @error: return location
 *
 * Returns: %FALSE on an error
 */
gboolean
fore_index_get_run (ForeSql *sql, const char *run_id, ForeRun **run, GError **error)
{
  sqlite3_stmt *stmt = fore_table_select (&fore_table_index_runs, sql, "WHERE id = ?1", error);

  if (stmt == NULL)
    return FALSE;

  sqlite3_bind_text (stmt, 1, run_id, -1, SQLITE_STATIC);
  return fore_table_read_one (&fore_table_index_runs, sql, stmt, (gpointer *) run, error);
}

/**
 * fore_index_list_requests_since:
 * @sql: the index
 * @answered: time before which requests must have ended to be left out
 * @error: return location
 *
 * Returns: (transfer full) (nullable) (element-type ForeRequest): all open requests and those that
 *   ended later than that, oldest first
 */
GPtrArray *
fore_index_list_requests_since (ForeSql *sql, gint64 answered, GError **error)
{
  sqlite3_stmt *stmt = fore_table_select (
      &fore_table_index_requests, sql,
      "WHERE state = 'open' OR max(answered, created) >= ?1 ORDER BY created, id", error);

  if (stmt == NULL)
    return NULL;

  sqlite3_bind_int64 (stmt, 1, answered);
  return fore_table_read_all (&fore_table_index_requests, sql, stmt, error);
}

/**
 * fore_index_list_requests:
 * @sql: the index
 * @open_only: whether those that are not open any more are left out
 * @error: return location
 *
 * Returns: (transfer full) (nullable) (element-type ForeRequest): requests, oldest first
 */
GPtrArray *
fore_index_list_requests (ForeSql *sql, gboolean open_only, GError **error)
{
  return fore_index_list_requests_since (sql, open_only ? G_MAXINT64 : 0, error);
}

static GPtrArray *
read_texts (ForeSql *sql, sqlite3_stmt *stmt, GError **error)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  gboolean row;

  while (TRUE)
    {
      if (!fore_sql_step (sql, stmt, &row, error))
        return NULL;

      if (!row)
        return g_steal_pointer (&texts);

      g_ptr_array_add (texts, g_strdup ((const char *) sqlite3_column_text (stmt, 0)));
    }
}

/**
 * fore_index_list_projects:
 * @sql: the index
 * @error: return location
 *
 * Returns: (transfer full) (nullable) (element-type utf8): paths, the last used first
 */
GPtrArray *
fore_index_list_projects (ForeSql *sql, GError **error)
{
  sqlite3_stmt *stmt = fore_sql_get (
      sql,
      "SELECT path FROM projects ORDER BY"
      " max(added, coalesce((SELECT max(created) FROM runs WHERE project = path), 0)) DESC, path",
      error);

  return stmt != NULL ? read_texts (sql, stmt, error) : NULL;
}

/**
 * fore_index_find_ids:
 * @sql: the index
 * @requests: whether to look for requests rather than runs
 * @prefix: how the id begins; letters, digits and hyphens
 * @error: return location
 *
 * Returns: (transfer full) (nullable) (element-type utf8): ids that begin so, at most nine
 */
GPtrArray *
fore_index_find_ids (ForeSql *sql, gboolean requests, const char *prefix, GError **error)
{
  const char *text = requests ? "SELECT id FROM requests WHERE id >= ?1 AND id < ?1 || '{'"
                                " ORDER BY id LIMIT ?2"
                              : "SELECT id FROM runs WHERE id >= ?1 AND id < ?1 || '{'"
                                " ORDER BY id LIMIT ?2";
  sqlite3_stmt *stmt = fore_sql_get (sql, text, error);

  if (stmt == NULL)
    return NULL;

  sqlite3_bind_text (stmt, 1, prefix, -1, SQLITE_STATIC);
  sqlite3_bind_int64 (stmt, 2, MAX_CANDIDATES);
  return read_texts (sql, stmt, error);
}

/**
 * fore_index_get_day_cost:
 * @sql: the index
 * @day: a day as fore_index_dup_day() gives it
 * @error: return location
 *
 * Returns: what all attempts begun on that day cost, in millionths of a dollar; -1 on an error
 */
gint64
fore_index_get_day_cost (ForeSql *sql, const char *day, GError **error)
{
  sqlite3_stmt *stmt = fore_sql_get (
      sql, "SELECT coalesce(sum(cost), 0) FROM day_costs WHERE day = ?1", error);
  gboolean row;
  gint64 cost;

  if (stmt == NULL)
    return -1;

  sqlite3_bind_text (stmt, 1, day, -1, SQLITE_STATIC);
  if (!fore_sql_step (sql, stmt, &row, error))
    return -1;

  cost = sqlite3_column_int64 (stmt, 0);
  sqlite3_reset (stmt);

  return cost;
}

/**
 * fore_index_is_trusted:
 * @sql: the index
 * @path: canonical path of a project
 *
 * Returns: whether a person trusted it; %FALSE if that cannot be found out
 */
gboolean
fore_index_is_trusted (ForeSql *sql, const char *path)
{
  sqlite3_stmt *stmt = fore_sql_get (sql, "SELECT 1 FROM projects WHERE path = ?1 AND trusted = 1",
                                     NULL);
  gboolean row;

  if (stmt == NULL)
    return FALSE;

  sqlite3_bind_text (stmt, 1, path, -1, SQLITE_STATIC);
  if (!fore_sql_step (sql, stmt, &row, NULL))
    return FALSE;

  sqlite3_reset (stmt);
  return row;
}

static gboolean
append_stamps (ForeSql *sql, const char *text, gint64 value, GString *mark, GError **error)
{
  sqlite3_stmt *stmt = fore_sql_get (sql, text, error);
  gboolean row;

  if (stmt == NULL)
    return FALSE;

  sqlite3_bind_int64 (stmt, 1, value);
  while (TRUE)
    {
      if (!fore_sql_step (sql, stmt, &row, error))
        return FALSE;

      if (!row)
        return TRUE;

      g_string_append_printf (mark, "%s:%lld ", (const char *) sqlite3_column_text (stmt, 0),
                              sqlite3_column_int64 (stmt, 1));
    }
}

/**
 * fore_index_dup_mark:
 * @sql: the index, in a transaction
 * @page_size: runs of a page
 * @answered: as for fore_index_list_requests_since()
 * @error: return location
 *
 * Returns: (transfer full) (nullable): a text that differs whenever the first page of runs or the
 *   requests differ
 */
char *
fore_index_dup_mark (ForeSql *sql, guint page_size, gint64 answered, GError **error)
{
  g_autoptr (GString) mark = g_string_new (NULL);

  if (!append_stamps (sql, "SELECT id, stamp FROM runs ORDER BY created DESC, id LIMIT ?1",
                      page_size, mark, error))
    return NULL;

  g_string_append_c (mark, '/');
  if (!append_stamps (sql,
                      "SELECT id, stamp FROM requests"
                      " WHERE state = 'open' OR max(answered, created) >= ?1 ORDER BY created, id",
                      answered, mark, error))
    return NULL;

  return g_strdup (mark->str);
}
