/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-conflict-sides.h"

#include "engine/fore-integration-parts.h"
#include "git/fore-repository.h"
#include "model/fore-error.h"
#include "model/fore-graph.h"
#include "store/fore-run-reader.h"
#include "text/fore-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static const ForeTask *
find_task (const ForeRunDelta *delta, const char *key)
{
  for (guint i = 0; i < delta->tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (delta->tasks, i);

      if (g_strcmp0 (task->key, key) == 0)
        return task;
    }

  return NULL;
}

static const char *
get_work (const ForeTask *task)
{
  return task->commit != NULL ? task->commit : task->base;
}

/* As an attempt of the task lists them. */
static GPtrArray *
list_commits (const ForeRunDelta *delta, const ForeTask *task)
{
  GPtrArray *commits = g_ptr_array_new ();

  for (guint i = 0; task->depends_on != NULL && task->depends_on[i] != NULL; i++)
    {
      const ForeTask *before = find_task (delta, task->depends_on[i]);
      const char *commit = before != NULL ? get_work (before) : NULL;

      if (commit != NULL && !g_ptr_array_find_with_equal_func (commits, commit, g_str_equal, NULL))
        g_ptr_array_add (commits, (gpointer) commit);
    }

  return commits;
}

static char *
dup_author (const ForeRunDelta *delta, const ForeTask *task, const char *commit)
{
  for (guint i = 0; task->depends_on[i] != NULL; i++)
    {
      const ForeTask *before = find_task (delta, task->depends_on[i]);

      if (before != NULL && g_strcmp0 (get_work (before), commit) == 0)
        return g_strdup (before->key);
    }

  return NULL;
}

static gboolean
look_before_task (ForeConflictSides *self,
                  ForeRepository *repository,
                  const ForeRunDelta *delta,
                  const ForeTask *task,
                  GError **error)
{
  g_autoptr (GPtrArray) commits = list_commits (delta, task);

  if (commits->len == 0)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                   _ ("Nothing that “%s” builds on is left to compare."), task->key);
      return FALSE;
    }

  g_ptr_array_add (commits, NULL);
  self->result = fore_repository_show_conflicts (repository, (const char *const *) commits->pdata,
                                                 error);
  if (self->result == NULL)
    return FALSE;

  self->folder = task->attempts == 0 ? g_strdup (task->worktree) : NULL;
  self->theirs = dup_author (delta, task, self->result->conflict_with);
  return TRUE;
}

/* In the order in which the result is put together. */
static GPtrArray *
sort_tasks (const ForeRunDelta *delta, GError **error)
{
  g_autoptr (ForeGraph) graph = fore_graph_new ();
  g_autoptr (GPtrArray) keys = NULL;
  GPtrArray *sorted;

  for (guint i = 0; i < delta->tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (delta->tasks, i);

      if (!fore_graph_add (graph, task->key, (const char *const *) task->depends_on, error))
        return NULL;
    }

  keys = fore_graph_sort (graph);
  sorted = g_ptr_array_new ();
  for (guint i = 0; i < keys->len; i++)
    g_ptr_array_add (sorted, (gpointer) find_task (delta, g_ptr_array_index (keys, i)));

  return sorted;
}

static gboolean
look_at_end (ForeConflictSides *self,
             ForeRepository *repository,
             const ForeRunDelta *delta,
             GError **error)
{
  g_autoptr (GArray) parts = NULL;
  g_autoptr (GPtrArray) sorted = sort_tasks (delta, error);

  if (sorted == NULL)
    return FALSE;

  parts = fore_integration_parts_list (repository, sorted);
  self->result = fore_repository_show_integration (
      repository, delta->run->base_commit, (const ForeIntegrateTask *) (gpointer) parts->data,
      parts->len, error);
  if (self->result == NULL)
    return FALSE;

  self->theirs = g_strdup (self->result->conflict_with);
  return TRUE;
}

/**
 * fore_conflict_sides_load:
 * @store: the store
 * @request: a request about a conflict
 * @error: where to put an error
 *
 * Merges again, in memory, what would not fit together. Blocking.
 *
 * Returns: (transfer full) (nullable): what is on each side
 */
ForeConflictSides *
fore_conflict_sides_load (ForeStore *store, const ForeRequest *request, GError **error)
{
  g_autoptr (ForeRunDelta) delta = NULL;
  g_autoptr (ForeRepository) repository = NULL;
  g_autoptr (ForeConflictSides) self = g_new0 (ForeConflictSides, 1);
  const ForeTask *task;

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);
  g_return_val_if_fail (request != NULL, NULL);

  if (request->kind != FORE_REQUEST_CONFLICT)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE, _ ("Request %s is not about a conflict."),
                   request->id);
      return NULL;
    }

  delta = fore_run_read (store, request->run, 0, 0, 0, error);
  if (delta == NULL || (repository = fore_repository_open (delta->run->project, error)) == NULL)
    return NULL;

  task = request->task != NULL ? find_task (delta, request->task) : NULL;
  if (!(task != NULL ? look_before_task (self, repository, delta, task, error)
                     : look_at_end (self, repository, delta, error)))
    return NULL;

  return g_steal_pointer (&self);
}

/**
 * fore_conflict_sides_dup_text:
 * @conflict: a conflict with its contents
 * @side: one of its sides
 *
 * Returns: (transfer full) (nullable): what the file holds there, made valid UTF-8; %NULL where it
 *   is not there, is not text, or is too large to be shown
 */
char *
fore_conflict_sides_dup_text (const ForeMergeConflict *conflict, ForeMergeSide side)
{
  gconstpointer bytes;
  gsize length;

  g_return_val_if_fail (conflict != NULL && side < FORE_N_MERGE_SIDES, NULL);

  if (conflict->contents[side] == NULL)
    return NULL;

  bytes = g_bytes_get_data (conflict->contents[side], &length);
  if (length == 0)
    return g_strdup ("");
  if (memchr (bytes, '\0', length) != NULL)
    return NULL;

  return fore_text_make_valid (bytes, (gssize) length);
}

/**
 * fore_conflict_sides_free:
 * @self: (nullable): sides
 *
 * Frees @self.
 */
void
fore_conflict_sides_free (ForeConflictSides *self)
{
  if (self == NULL)
    return;

  g_clear_pointer (&self->result, fore_merge_result_free);
  g_free (self->theirs);
  g_free (self->folder);
  g_free (self);
}
