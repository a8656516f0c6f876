/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-changes.h"

#include "engine/fore-actions.h"
#include "git/fore-repository.h"
#include "model/fore-error.h"
#include "store/fore-run-reader.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* More than is usually shown, so that what shows changes can decide what it folds. */
#define CHANGES_CONTEXT 6
#define WHOLE_FILE (1024 * 1024)
#define MAX_LINES 400000

/* The two ends of a difference: commits, or with @new_revision %NULL the work folder as it is. */
typedef struct
{
  ForeRepository *repository;
  char *old_revision;
  char *new_revision;
  GStrv paths;
} Range;

static void
range_clear (Range *range)
{
  g_clear_object (&range->repository);
  g_free (range->old_revision);
  g_free (range->new_revision);
  g_strfreev (range->paths);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Range, range_clear)

static const ForeTask *
find_task (const ForeRunDelta *delta, const char *key)
{
  for (guint i = 0; i < delta->tasks->len; i++)
    {
      const ForeTask *task = delta->tasks->pdata[i];

      if (g_strcmp0 (task->key, key) == 0)
        return task;
    }

  return NULL;
}

static gboolean
set_revisions (Range *range, const char *old_revision, const char *new_revision)
{
  range->old_revision = g_strdup (old_revision);
  range->new_revision = g_strdup (new_revision);

  return TRUE;
}

static gboolean
set_nothing_yet (const char *what, GError **error)
{
  g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND, _ ("%s has no changes to show yet."), what);
  return FALSE;
}

/* A task's own tree, while it is there, shows what its agent has not committed yet. */
static gboolean
choose_task (Range *range, const ForeRun *run, const ForeTask *task, GError **error)
{
  gboolean has_tree = task->worktree != NULL && task->gitdir != NULL
                      && g_file_test (task->worktree, G_FILE_TEST_IS_DIR);

  if (task->base == NULL)
    return set_nothing_yet (task->title != NULL ? task->title : task->key, error);

  if (task->commit == NULL && has_tree)
    {
      range->repository = fore_repository_open_tree (task->gitdir, task->worktree, error);
      return range->repository != NULL && set_revisions (range, task->base, NULL);
    }

  range->repository = fore_repository_open (run->project, error);
  if (range->repository == NULL)
    return FALSE;
  if (task->commit == NULL && task->worktree != NULL)
    return set_nothing_yet (task->title != NULL ? task->title : task->key, error);

  return set_revisions (range, task->base, task->commit);
}

static gboolean
choose_run (Range *range, const ForeRun *run, GError **error)
{
  if (run->base_commit == NULL || run->result_commit == NULL)
    return set_nothing_yet (_ ("The run"), error);

  range->repository = fore_repository_open (run->project, error);
  return range->repository != NULL && set_revisions (range, run->base_commit, run->result_commit);
}

/* In a shared folder only what was seen to change while a task worked alone is the run's; the rest
 * may be the person's own.
 */
static gboolean
choose_shared (Range *range, const ForeRunDelta *delta, const char *task, GError **error)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; i < delta->tasks->len; i++)
    {
      const ForeTask *row = g_ptr_array_index (delta->tasks, i);

      for (guint j = 0; j < row->files->len && (task == NULL || strcmp (row->key, task) == 0); j++)
        g_strv_builder_add (builder, ((ForeChange *) g_ptr_array_index (row->files, j))->path);
    }

  range->paths = g_strv_builder_end (builder);
  if (range->paths[0] == NULL)
    {
      g_set_error_literal (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                           _ ("The run worked in the project's folder itself, where its changes "
                              "cannot be told from yours; “git diff” shows both."));
      return FALSE;
    }

  range->repository = fore_repository_open (delta->run->project, error);
  return range->repository != NULL && set_revisions (range, delta->run->base_commit, NULL);
}

static gboolean
choose (Range *range, ForeStore *store, const char *run_id, const char *task, GError **error)
{
  g_autoptr (ForeRunDelta) delta = fore_run_read (store, run_id, 0, 0, 0, error);
  const ForeTask *row;

  if (delta == NULL)
    return FALSE;
  if (delta->run->options.isolation == FORE_ISOLATION_NONE && delta->run->base_commit != NULL)
    return choose_shared (range, delta, task, error);
  if (task == NULL)
    return choose_run (range, delta->run, error);

  row = find_task (delta, task);
  if (row == NULL)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND, _ ("There is no task “%s”."), task);
      return FALSE;
    }

  return choose_task (range, delta->run, row, error);
}

/**
 * fore_changes_load:
 * @store: the store
 * @run_id: whole id of the run
 * @task: (nullable): key of a task, or %NULL for the whole run
 * @error: where to put an error
 *
 * Computes what the run or the task changed; while a task works this is what stands in its tree
 * now. Blocking.
 *
 * Returns: (transfer full) (nullable): the difference; %FORE_ERROR_NOT_FOUND when there is none yet
 */
ForeDiff *
fore_changes_load (ForeStore *store, const char *run_id, const char *task, GError **error)
{
  g_auto (Range) range = { 0 };
  ForeDiffOptions options = { .context_lines = CHANGES_CONTEXT };

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);
  g_return_val_if_fail (run_id != NULL, NULL);

  if (!choose (&range, store, run_id, task, error))
    return NULL;

  options.paths = (const char *const *) range.paths;
  return fore_repository_diff (range.repository, range.old_revision, range.new_revision, &options,
                               error);
}

/**
 * fore_changes_load_file:
 * @store: the store
 * @run_id: whole id of the run
 * @task: (nullable): key of a task, or %NULL for the whole run
 * @path: a file
 * @max_size: bytes that the file may have, 0 for the limit of what is shown unasked
 * @error: where to put an error
 *
 * Computes what the run or the task changed in @path, with all lines of the file around it, within
 * the limits for what is shown. Blocking.
 *
 * Returns: (transfer full) (nullable): the difference, of one file or of none
 */
ForeDiff *
fore_changes_load_file (ForeStore *store,
                        const char *run_id,
                        const char *task,
                        const char *path,
                        guint64 max_size,
                        GError **error)
{
  const char *paths[] = { path, NULL };
  g_auto (Range) range = { 0 };
  ForeDiffOptions options = { .context_lines = WHOLE_FILE,
                              .max_file_size = max_size,
                              .max_file_lines = max_size > 0 ? MAX_LINES : 0,
                              .paths = paths };

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);
  g_return_val_if_fail (run_id != NULL && path != NULL, NULL);

  if (!choose (&range, store, run_id, task, error))
    return NULL;
  if (range.paths != NULL && !g_strv_contains ((const char *const *) range.paths, path))
    paths[0] = "";

  return fore_repository_diff (range.repository, range.old_revision, range.new_revision, &options,
                               error);
}

/**
 * fore_changes_load_patch:
 * @store: the store
 * @run_id: whole id of the run
 * @task: (nullable): key of a task, or %NULL for the whole run
 * @error: where to put an error
 *
 * Computes the same as fore_changes_load() as a patch that git can apply. Blocking.
 *
 * Returns: (transfer full) (nullable): the patch; bytes outside of UTF-8 stand as they are
 */
char *
fore_changes_load_patch (ForeStore *store, const char *run_id, const char *task, GError **error)
{
  g_auto (Range) range = { 0 };
  g_autoptr (GBytes) patch = NULL;
  gsize length;
  const char *data;

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);
  g_return_val_if_fail (run_id != NULL, NULL);

  if (!choose (&range, store, run_id, task, error))
    return NULL;

  if (range.paths != NULL)
    {
      g_set_error_literal (error, FORE_ERROR, FORE_ERROR_REFUSED,
                           _ ("The run worked in the project's folder itself; “git diff” makes a "
                              "patch of it."));
      return NULL;
    }

  patch = fore_repository_diff_patch (range.repository, range.old_revision, range.new_revision,
                                      error);
  if (patch == NULL)
    return NULL;

  data = g_bytes_get_data (patch, &length);
  return g_strndup (data != NULL ? data : "", length);
}

static GPtrArray *
list_obstacles (const ForeMergeResult *result, guint *n_conflicts)
{
  GPtrArray *paths;

  if (result->clean)
    return NULL;

  paths = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; result->conflicts != NULL && i < result->conflicts->len; i++)
    {
      const ForeMergeConflict *conflict = result->conflicts->pdata[i];

      g_ptr_array_add (paths, g_strdup (conflict->path));
    }
  if (n_conflicts != NULL)
    *n_conflicts = paths->len;
  for (guint i = 0; result->local_conflicts != NULL && result->local_conflicts[i] != NULL; i++)
    g_ptr_array_add (paths, g_strdup (result->local_conflicts[i]));

  return paths;
}

/**
 * fore_changes_predict_merge:
 * @store: the store
 * @run_id: whole id of the run
 * @target: (nullable): a branch, or %NULL for the one that the run started from
 * @head: (out) (optional) (transfer full): the commit at the branch that was looked at
 * @n_conflicts: (out) (optional): how many of the paths changed on both sides; they are the first,
 *   and what follows has changes in the person's folder that are not committed
 * @error: where to put an error
 *
 * Tries in memory what a merge of the run's result would do; changes nothing. Blocking.
 *
 * Returns: (transfer full) (element-type filename) (nullable): paths in the way; %NULL without an
 *   error when it would be clean
 */
GPtrArray *
fore_changes_predict_merge (ForeStore *store,
                            const char *run_id,
                            const char *target,
                            char **head,
                            guint *n_conflicts,
                            GError **error)
{
  g_autoptr (ForeRunDelta) delta = NULL;
  g_autoptr (ForeRepository) repository = NULL;
  g_autoptr (ForeMergeResult) result = NULL;
  g_autofree char *expected = NULL;

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);
  g_return_val_if_fail (run_id != NULL, NULL);

  delta = fore_run_read (store, run_id, 0, 0, 0, error);
  if (delta == NULL || !fore_actions_check_merge (store, run_id, error))
    return NULL;
  if (delta->run->result_commit == NULL)
    {
      set_nothing_yet (_ ("The run"), error);
      return NULL;
    }

  target = target != NULL ? target : delta->run->base_branch;
  if (target == NULL)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                   _ ("The run did not start from a branch; name the one to merge into."));
      return NULL;
    }

  repository = fore_repository_open (delta->run->project, error);
  if (repository == NULL)
    return NULL;

  expected = fore_repository_resolve_branch (repository, target, error);
  if (expected == NULL)
    return NULL;

  result = fore_repository_merge_into (repository, target, expected, delta->run->result_commit,
                                       FORE_MERGE_COMMIT, "", TRUE, error);
  if (head != NULL)
    *head = g_steal_pointer (&expected);

  return result != NULL ? list_obstacles (result, n_conflicts) : NULL;
}

/**
 * fore_changes_make_branch:
 * @store: the store
 * @run_id: whole id of the run
 * @branch: a name that is free
 * @error: where to put an error; %FORE_ERROR_REFUSED for a taken name
 *
 * Makes a branch of the person's own of the run's result; the run can still be merged. Blocking.
 *
 * Returns: whether it was made
 */
gboolean
fore_changes_make_branch (ForeStore *store, const char *run_id, const char *branch, GError **error)
{
  g_autoptr (ForeRunDelta) delta = NULL;
  g_autoptr (ForeRepository) repository = NULL;

  g_return_val_if_fail (FORE_IS_STORE (store), FALSE);
  g_return_val_if_fail (run_id != NULL && branch != NULL, FALSE);

  delta = fore_run_read (store, run_id, 0, 0, 0, error);
  if (delta == NULL)
    return FALSE;
  if (delta->run->result_commit == NULL)
    return set_nothing_yet (_ ("The run"), error);

  repository = fore_repository_open (delta->run->project, error);
  return repository != NULL
         && fore_repository_publish_branch (repository, branch, delta->run->result_commit, error);
}
