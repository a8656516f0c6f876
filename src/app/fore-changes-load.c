/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-changes-load.h"

#include "engine/fore-changes.h"

/* Bytes of a file that somebody wants to see although it is large. */
#define MAX_SIZE (16 * 1024 * 1024)

typedef struct
{
  ForeStore *store;
  char *run_id;
  char *task;
  char *path;
} ChangesQuery;

static void
changes_query_free (gpointer data)
{
  ChangesQuery *query = data;

  g_object_unref (query->store);
  g_free (query->run_id);
  g_free (query->task);
  g_free (query->path);
  g_free (query);
}

static ForeDiffFileState
file_state (ForeFileStatus status)
{
  switch (status)
    {
    case FORE_FILE_ADDED:
      return FORE_DIFF_FILE_ADDED;
    case FORE_FILE_DELETED:
      return FORE_DIFF_FILE_REMOVED;
    case FORE_FILE_RENAMED:
      return FORE_DIFF_FILE_RENAMED;
    default:
      return FORE_DIFF_FILE_MODIFIED;
    }
}

static void
add_hunk (ForeDiffDoc *doc, const ForeDiffHunk *hunk)
{
  const char *heading = hunk->header != NULL ? g_strrstr (hunk->header, "@@") : NULL;

  fore_diff_doc_add_hunk (doc, hunk->old_start, hunk->new_start,
                          heading != NULL && heading[2] == ' ' ? heading + 3 : NULL);
  for (guint i = 0; i < hunk->lines->len; i++)
    {
      const ForeDiffLine *line = &g_array_index (hunk->lines, ForeDiffLine, i);
      g_autofree char *text = g_utf8_make_valid (line->text != NULL ? line->text : "", -1);

      fore_diff_doc_add_line (doc,
                              line->origin == '+'   ? FORE_DIFF_LINE_ADDED
                              : line->origin == '-' ? FORE_DIFF_LINE_REMOVED
                                                    : FORE_DIFF_LINE_CONTEXT,
                              text, -1);
    }
}

static ForeDiffDoc *
make_doc (const ForeDiff *diff)
{
  ForeDiffDoc *doc = fore_diff_doc_new ();

  for (guint i = 0; i < diff->files->len; i++)
    {
      const ForeDiffFile *file = g_ptr_array_index (diff->files, i);
      g_autofree char *path = g_utf8_make_valid (file->change->path, -1);
      g_autofree char *old_path = file->change->old_path != NULL
                                      ? g_utf8_make_valid (file->change->old_path, -1)
                                      : NULL;

      fore_diff_doc_add_file (doc, path, old_path, file_state (file->change->status),
                              file->change->binary);
      if (file->change->too_large)
        fore_diff_doc_set_too_large (doc);
      for (guint j = 0; j < file->hunks->len; j++)
        add_hunk (doc, g_ptr_array_index (file->hunks, j));
    }

  return doc;
}

static gpointer
load_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  ChangesQuery *query = data;
  g_autoptr (ForeDiff) diff = NULL;

  if (query->path != NULL)
    diff = fore_changes_load_file (query->store, query->run_id, query->task, query->path, MAX_SIZE,
                                   error);
  else
    diff = fore_changes_load (query->store, query->run_id, query->task, error);

  return diff != NULL ? make_doc (diff) : NULL;
}

/**
 * fore_changes_query:
 * @owner: (type GObject): whom @done is for
 * @store: the store
 * @run_id: id of a run
 * @task: (nullable): key of the one task whose changes are wanted
 * @cancellable: (nullable): gives the answer up
 * @done: called with a #ForeDiffDoc or the error
 */
void
fore_changes_query (gpointer owner,
                    ForeStore *store,
                    const char *run_id,
                    const char *task,
                    GCancellable *cancellable,
                    ForeJobDone done)
{
  ChangesQuery *query;

  g_return_if_fail (FORE_IS_STORE (store));
  g_return_if_fail (run_id != NULL);

  query = g_new0 (ChangesQuery, 1);
  query->store = g_object_ref (store);
  query->run_id = g_strdup (run_id);
  query->task = g_strdup (task);
  fore_job_run (owner, "load-changes", cancellable, load_thread, query, changes_query_free,
                (GDestroyNotify) fore_diff_doc_unref, done);
}

/**
 * fore_changes_query_file:
 * @owner: (type GObject): whom @done is for
 * @store: the store
 * @run_id: id of a run
 * @task: (nullable): key of the one task whose changes are wanted
 * @path: a file
 * @cancellable: (nullable): gives the answer up
 * @done: called with a #ForeDiffDoc of at most that file, or the error
 */
void
fore_changes_query_file (gpointer owner,
                         ForeStore *store,
                         const char *run_id,
                         const char *task,
                         const char *path,
                         GCancellable *cancellable,
                         ForeJobDone done)
{
  ChangesQuery *query;

  g_return_if_fail (FORE_IS_STORE (store));
  g_return_if_fail (run_id != NULL && path != NULL);

  query = g_new0 (ChangesQuery, 1);
  query->store = g_object_ref (store);
  query->run_id = g_strdup (run_id);
  query->task = g_strdup (task);
  query->path = g_strdup (path);
  fore_job_run (owner, "load-file", cancellable, load_thread, query, changes_query_free,
                (GDestroyNotify) fore_diff_doc_unref, done);
}
