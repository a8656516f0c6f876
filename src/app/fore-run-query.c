/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-run-query.h"

typedef struct
{
  ForeStore *store;
  char *run_id;
} RunQuery;

static void
run_query_free (gpointer data)
{
  RunQuery *query = data;

  g_object_unref (query->store);
  g_free (query->run_id);
  g_free (query);
}

static gpointer
read_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  RunQuery *query = data;

  return fore_run_read (query->store, query->run_id, 0, 0, 0, error);
}

/**
 * fore_run_query_read:
 * @owner: (type GObject): whom @done is for
 * @store: the store
 * @run_id: id of a run
 * @cancellable: (nullable): ends it without a report
 * @done: called with a #ForeRunDelta of the whole run without events, or the error
 *
 * Reads a run once, in a worker thread.
 */
void
fore_run_query_read (gpointer owner,
                     ForeStore *store,
                     const char *run_id,
                     GCancellable *cancellable,
                     ForeJobDone done)
{
  RunQuery *query;

  g_return_if_fail (FORE_IS_STORE (store));
  g_return_if_fail (run_id != NULL);

  query = g_new0 (RunQuery, 1);
  query->store = g_object_ref (store);
  query->run_id = g_strdup (run_id);
  fore_job_run (owner, "read-run", cancellable, read_thread, query, run_query_free,
                (GDestroyNotify) fore_run_delta_free, done);
}
