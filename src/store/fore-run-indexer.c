/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store/fore-run-indexer.h"

#include "model/fore-attempt.h"
#include "model/fore-error.h"
#include "model/fore-request.h"
#include "model/fore-run.h"
#include "platform/fore-clock.h"
#include "platform/fore-dirs.h"
#include "store/fore-index.h"

#define INTERVAL_US (100 * 1000)
#define RETRY_US (100 * 1000)
#define FAULT_RETRY_US (2 * G_USEC_PER_SEC)
#define BUSY_MS 20
#define LAST_BUSY_MS 2000

typedef struct
{
  const char *day; /* interned */
  gint64 cost;
} AttemptCost;

struct _ForeRunIndexer
{
  ForeStore *store;
  char *run_id;
  ForeSql *sql;

  ForeRun *run;
  GHashTable *requests; /* id -> ForeRequest, to be written */
  GHashTable *attempts; /* <task>.<n> -> AttemptCost, of attempts that cost something */
  GHashTable *days;     /* day (interned) -> gint64 *, sums */
  GHashTable *dirty_days;

  gboolean dirty;
  gboolean urgent;
  gboolean told;
  gint64 last_flush;
  gint64 not_before;
};

/**
 * fore_run_indexer_new:
 * @store: the store
 * @run_id: the run
 *
 * Returns: (transfer full): an indexer with nothing to write
 */
ForeRunIndexer *
fore_run_indexer_new (ForeStore *store, const char *run_id)
{
  ForeRunIndexer *indexer = g_new0 (ForeRunIndexer, 1);

  indexer->store = g_object_ref (store);
  indexer->run_id = g_strdup (run_id);
  indexer->requests = g_hash_table_new_full (g_str_hash, g_str_equal, NULL,
                                             (GDestroyNotify) fore_request_free);
  indexer->attempts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  indexer->days = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  indexer->dirty_days = g_hash_table_new (NULL, NULL);

  return indexer;
}

/**
 * fore_run_indexer_free:
 * @indexer: (nullable): an indexer
 */
void
fore_run_indexer_free (ForeRunIndexer *indexer)
{
  if (indexer == NULL)
    return;

  fore_sql_free (indexer->sql);
  fore_run_free (indexer->run);
  g_hash_table_unref (indexer->requests);
  g_hash_table_unref (indexer->attempts);
  g_hash_table_unref (indexer->days);
  g_hash_table_unref (indexer->dirty_days);
  g_object_unref (indexer->store);
  g_free (indexer->run_id);
  g_free (indexer);
}

static gint64 *
get_day_sum (ForeRunIndexer *indexer, const char *day)
{
  gint64 *sum = g_hash_table_lookup (indexer->days, day);

  if (sum == NULL)
    {
      sum = g_new0 (gint64, 1);
      g_hash_table_insert (indexer->days, (gpointer) day, sum);
    }

  return sum;
}

static AttemptCost *
get_attempt_cost (ForeRunIndexer *indexer, const char *task, guint n, gint64 started)
{
  g_autofree char *key = g_strdup_printf ("%s.%u", task, n);
  g_autofree char *day = NULL;
  AttemptCost *known = g_hash_table_lookup (indexer->attempts, key);

  if (known != NULL)
    return known;

  day = fore_index_dup_day (started);
  known = g_new0 (AttemptCost, 1);
  known->day = g_intern_string (day);
  g_hash_table_insert (indexer->attempts, g_steal_pointer (&key), known);

  return known;
}

static void
note_cost (ForeRunIndexer *indexer, const char *task, guint n, gint64 started, gint64 cost)
{
  AttemptCost *known;

  if (started <= 0 || cost <= 0)
    return;

  known = get_attempt_cost (indexer, task, n, started);
  if (known->cost == cost)
    return;

  *get_day_sum (indexer, known->day) += cost - known->cost;
  known->cost = cost;
  g_hash_table_add (indexer->dirty_days, (gpointer) known->day);
  indexer->dirty = TRUE;
}

static void
load_costs (ForeRunIndexer *indexer, ForeSql *run_file)
{
  sqlite3_stmt *stmt = fore_sql_get (
      run_file, "SELECT task, n, started, cost FROM attempts WHERE cost > 0 AND started > 0", NULL);
  gboolean row = FALSE;

  while (stmt != NULL && fore_sql_step (run_file, stmt, &row, NULL) && row)
    note_cost (indexer, (const char *) sqlite3_column_text (stmt, 0),
               (guint) sqlite3_column_int64 (stmt, 1), sqlite3_column_int64 (stmt, 2),
               sqlite3_column_int64 (stmt, 3));
}

static void
take_request (ForeRunIndexer *indexer, ForeRequest *request)
{
  g_hash_table_replace (indexer->requests, request->id, request);
  indexer->dirty = TRUE;
  indexer->urgent = TRUE;
}

static void
load_requests (ForeRunIndexer *indexer, ForeSql *run_file)
{
  g_autoptr (GPtrArray) requests = NULL;
  sqlite3_stmt *stmt;

  /* whoever answered one that is still open has said so in the index himself */
  stmt = fore_table_select (&fore_table_requests, run_file,
                            "WHERE state != 'open' OR id NOT IN (SELECT request FROM answers)",
                            NULL);
  requests = fore_table_read_all (&fore_table_requests, run_file, stmt, NULL);
  for (guint i = 0; requests != NULL && i < requests->len; i++)
    take_request (indexer, fore_request_copy (g_ptr_array_index (requests, i)));
}

/**
 * fore_run_indexer_load:
 * @indexer: an indexer
 * @run_file: the run's file
 *
 * Takes what the last owner left, so that whatever of it did not reach the index does now.
 */
void
fore_run_indexer_load (ForeRunIndexer *indexer, ForeSql *run_file)
{
  sqlite3_stmt *stmt = fore_table_select (&fore_table_run, run_file, "LIMIT 1", NULL);

  fore_table_read_one (&fore_table_run, run_file, stmt, (gpointer *) &indexer->run, NULL);
  load_requests (indexer, run_file);
  load_costs (indexer, run_file);
  indexer->dirty = indexer->run != NULL;
  indexer->urgent = indexer->dirty;
}

static gboolean
is_urgent (const ForeRun *before, const ForeRun *run)
{
  return before == NULL || before->status != run->status || before->approved != run->approved
         || before->plan_version != run->plan_version || before->owner_pid != run->owner_pid
         || before->n_tasks != run->n_tasks || g_strcmp0 (before->title, run->title) != 0
         || g_strcmp0 (before->phase_text, run->phase_text) != 0
         || g_strcmp0 (before->result_commit, run->result_commit) != 0
         || g_strcmp0 (before->merged_commit, run->merged_commit) != 0
         || g_strcmp0 (before->merged_into, run->merged_into) != 0;
}

static void
take_run (ForeRunIndexer *indexer, ForeRun *run)
{
  indexer->urgent |= is_urgent (indexer->run, run);
  indexer->dirty = TRUE;
  fore_run_free (indexer->run);
  indexer->run = run;
}

/**
 * fore_run_indexer_take:
 * @indexer: an indexer
 * @batch: what was committed; the rows that go into the index are stolen
 */
void
fore_run_indexer_take (ForeRunIndexer *indexer, ForeBatch *batch)
{
  for (guint i = 0; i < fore_batch_get_length (batch); i++)
    {
      ForeWrite *write = fore_batch_get (batch, i);

      if (write->kind == FORE_WRITE_RUN)
        take_run (indexer, fore_batch_steal (batch, i));
      else if (write->kind == FORE_WRITE_REQUEST)
        take_request (indexer, fore_batch_steal (batch, i));
      else if (write->kind == FORE_WRITE_ATTEMPT)
        {
          const ForeAttempt *attempt = write->row;

          note_cost (indexer, attempt->task, attempt->n, attempt->started, attempt->usage.cost);
        }
    }
}

/**
 * fore_run_indexer_get_due:
 * @indexer: an indexer
 *
 * Returns: monotonic time in microseconds at which fore_run_indexer_flush() has something to do, or
 *   -1 for never
 */
gint64
fore_run_indexer_get_due (ForeRunIndexer *indexer)
{
  if (!indexer->dirty)
    return -1;

  if (indexer->urgent)
    return indexer->not_before;

  return MAX (indexer->not_before, indexer->last_flush + INTERVAL_US);
}

static gboolean
write_requests (ForeRunIndexer *indexer, GError **error)
{
  GHashTableIter iter;
  gpointer request;

  g_hash_table_iter_init (&iter, indexer->requests);
  while (g_hash_table_iter_next (&iter, NULL, &request))
    {
      if (!fore_index_put_request (indexer->sql, request, error))
        return FALSE;
    }

  return TRUE;
}

static gboolean
write_days (ForeRunIndexer *indexer, GError **error)
{
  GHashTableIter iter;
  gpointer day;

  g_hash_table_iter_init (&iter, indexer->dirty_days);
  while (g_hash_table_iter_next (&iter, &day, NULL))
    {
      if (!fore_index_put_day_cost (indexer->sql, day, indexer->run_id, *get_day_sum (indexer, day),
                                    error))
        return FALSE;
    }

  return TRUE;
}

static gboolean
open_index (ForeRunIndexer *indexer, GError **error)
{
  g_autofree char *path = NULL;

  if (indexer->sql != NULL)
    return TRUE;

  path = fore_dirs_dup_index_path (fore_store_get_home (indexer->store));
  indexer->sql = fore_sql_open (path, FORE_SQL_WRITE, error);

  /* what is lost with the power is put again by the run's next owner */
  return indexer->sql != NULL && fore_sql_exec (indexer->sql, "PRAGMA synchronous = NORMAL", error);
}

static gboolean
write_index (ForeRunIndexer *indexer, GError **error)
{
  if (!fore_sql_begin (indexer->sql, error))
    return FALSE;

  if (fore_index_put_run (indexer->sql, indexer->run, error) && write_requests (indexer, error)
      && write_days (indexer, error) && fore_sql_commit (indexer->sql, error))
    return TRUE;

  fore_sql_rollback (indexer->sql);
  return FALSE;
}

static void
note_failure (ForeRunIndexer *indexer, const GError *error)
{
  gboolean busy = g_error_matches (error, FORE_ERROR, FORE_ERROR_BUSY);

  indexer->not_before = g_get_monotonic_time () + (busy ? RETRY_US : FAULT_RETRY_US);
  if (!busy && !indexer->told)
    {
      g_message ("run %s is not up to date in the index: %s", indexer->run_id, error->message);
      indexer->told = TRUE;
    }
}

static void
note_success (ForeRunIndexer *indexer)
{
  g_hash_table_remove_all (indexer->requests);
  g_hash_table_remove_all (indexer->dirty_days);
  indexer->dirty = FALSE;
  indexer->urgent = FALSE;
  indexer->told = FALSE;
  indexer->not_before = 0;
  indexer->last_flush = g_get_monotonic_time ();
}

/**
 * fore_run_indexer_flush:
 * @indexer: an indexer
 * @now: whether it is the last chance, worth waiting for
 *
 * Writes what is due.
 *
 * Returns: whether the index changed
 */
gboolean
fore_run_indexer_flush (ForeRunIndexer *indexer, gboolean now)
{
  g_autoptr (GError) error = NULL;

  if (!indexer->dirty || indexer->run == NULL)
    return FALSE;

  if (!now && fore_run_indexer_get_due (indexer) > g_get_monotonic_time ())
    return FALSE;

  if (!open_index (indexer, &error))
    {
      note_failure (indexer, error);
      return FALSE;
    }

  sqlite3_busy_timeout (fore_sql_get_db (indexer->sql), now ? LAST_BUSY_MS : BUSY_MS);
  if (!write_index (indexer, &error))
    {
      note_failure (indexer, error);
      return FALSE;
    }

  note_success (indexer);
  return TRUE;
}
