/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-store-jobs.h"

#include "app/fore-draft-file.h"
#include "engine/fore-log-settings.h"
#include "library/fore-library.h"
#include "platform/fore-crash.h"
#include "platform/fore-dirs.h"

static gpointer
open_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  ForeStore *store = fore_store_open (NULL, error);
  g_autofree char *user_dir = fore_library_dup_user_dir ();
  g_autoptr (ForeSettings) settings = fore_settings_load (user_dir, NULL, FALSE, NULL);

  if (store != NULL)
    {
      fore_log_settings_apply (fore_store_get_home (store), settings);
      fore_draft_file_load (fore_store_get_home (store));
    }

  return store;
}

/**
 * fore_store_jobs_open:
 * @owner: (type GObject): whom @done is for
 * @done: called with the #ForeStore or the error
 */
void
fore_store_jobs_open (gpointer owner, ForeJobDone done)
{
  fore_job_run (owner, "open-store", NULL, open_thread, NULL, NULL, g_object_unref, done);
}

typedef struct
{
  ForeStore *store;
  char *prefix;
} FindQuery;

static void
find_query_free (gpointer data)
{
  FindQuery *query = data;

  g_object_unref (query->store);
  g_free (query->prefix);
  g_free (query);
}

static gpointer
find_run_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  FindQuery *query = data;

  return fore_store_find_run (query->store, query->prefix, error);
}

/**
 * fore_store_jobs_find_run:
 * @owner: (type GObject): whom @done is for
 * @store: the store
 * @prefix: how the id of a run begins
 * @done: called with the whole id or the error
 */
void
fore_store_jobs_find_run (gpointer owner, ForeStore *store, const char *prefix, ForeJobDone done)
{
  FindQuery *query;

  g_return_if_fail (FORE_IS_STORE (store));

  query = g_new0 (FindQuery, 1);
  query->store = g_object_ref (store);
  query->prefix = g_strdup (prefix);
  fore_job_run (owner, "find-run", NULL, find_run_thread, query, find_query_free, g_free, done);
}

static gpointer
list_crashes_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  return fore_crash_list_unseen (data);
}

/**
 * fore_store_jobs_list_crashes:
 * @owner: (type GObject): whom @done is for
 * @store: the store
 * @done: called with the paths of the reports that nobody has seen
 */
void
fore_store_jobs_list_crashes (gpointer owner, ForeStore *store, ForeJobDone done)
{
  g_return_if_fail (FORE_IS_STORE (store));

  fore_job_run (owner, "list-crashes", NULL, list_crashes_thread,
                g_strdup (fore_store_get_home (store)), g_free, (GDestroyNotify) g_strfreev, done);
}

static gpointer
free_space_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  guint64 *bytes = g_new (guint64, 1);

  *bytes = fore_dirs_get_free_space (data);

  return bytes;
}

/**
 * fore_store_jobs_measure_space:
 * @owner: (type GObject): whom @done is for
 * @store: the store
 * @done: called with a pointer to a #guint64: bytes that are free where the store lies
 */
void
fore_store_jobs_measure_space (gpointer owner, ForeStore *store, ForeJobDone done)
{
  g_return_if_fail (FORE_IS_STORE (store));

  fore_job_run (owner, "free-space", NULL, free_space_thread,
                g_strdup (fore_store_get_home (store)), g_free, g_free, done);
}
