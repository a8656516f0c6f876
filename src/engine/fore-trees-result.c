/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-trees-private.h"

#include "engine/fore-integration-parts.h"
#include "model/fore-error.h"
#include "model/fore-id.h"

#define MERGE_TRIES 3

/* A runner that died between making the branch and having it on record left one that nobody knows:
 * deleting it keeps its commits.
 */
static ForeMergeResult *
integrate (ForeTrees *self,
           ForeRepository *repository,
           const Job *job,
           const GArray *parts,
           GError **error)
{
  const ForeIntegrateTask *tasks = (const ForeIntegrateTask *) (gpointer) parts->data;
  g_autofree char *branch = fore_id_dup_result_branch (self->run_id);
  g_autoptr (GError) problem = NULL;
  ForeMergeResult *result;

  result = fore_repository_integrate (repository, self->base_commit, tasks, parts->len, branch,
                                      job->commit, job->favor, &problem);
  if (result == NULL && job->commit == NULL
      && g_error_matches (problem, FORE_ERROR, FORE_ERROR_STALE)
      && fore_repository_delete_branch (repository, branch, NULL))
    {
      g_clear_error (&problem);
      result = fore_repository_integrate (repository, self->base_commit, tasks, parts->len, branch,
                                          NULL, job->favor, &problem);
    }
  if (result == NULL)
    g_propagate_error (error, g_steal_pointer (&problem));

  return result;
}

static void
integrate_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  ForeTrees *self = source;
  Job *job = data;
  g_autoptr (ForeRepository) repository = NULL;
  g_autoptr (GArray) parts = NULL;
  ForeMergeResult *result = NULL;
  GError *error = NULL;

  repository = fore_repository_open (self->project, &error);
  if (repository != NULL)
    {
      parts = fore_integration_parts_list (repository, job->tasks);
      result = integrate (self, repository, job, parts, &error);
    }
  if (result == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, result, (GDestroyNotify) fore_merge_result_free);
}

static GPtrArray *
copy_tasks (GPtrArray *tasks)
{
  GPtrArray *copies = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_task_free);

  for (guint i = 0; i < tasks->len; i++)
    g_ptr_array_add (copies, fore_task_copy (g_ptr_array_index (tasks, i)));

  return copies;
}

/**
 * fore_trees_integrate_async:
 * @self: trees
 * @tasks: (element-type ForeTask): all tasks in topological order
 * @favor: what to do where two of them changed the same
 * @expected: (nullable): commit that the result branch is known to be at
 * @cancellable: (nullable): a cancellable
 * @callback: called when the result branch stands
 * @user_data: data for @callback
 *
 * Makes the integration branch: one commit per task that changed something.
 */
void
fore_trees_integrate_async (ForeTrees *self,
                            GPtrArray *tasks,
                            ForeMergeFavor favor,
                            const char *expected,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  Job *job;

  g_return_if_fail (FORE_IS_TREES (self));
  g_return_if_fail (tasks != NULL);

  job = g_new0 (Job, 1);
  job->tasks = copy_tasks (tasks);
  job->favor = favor;
  job->commit = g_strdup (expected);
  fore_trees_start_job (self, job, integrate_in_thread, "integrate", cancellable, callback,
                        user_data);
}

/**
 * fore_trees_integrate_finish:
 * @self: trees
 * @result: the result
 * @error: return location for an error
 *
 * Returns: (transfer full): the merge, or %NULL
 */
ForeMergeResult *
fore_trees_integrate_finish (ForeTrees *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/* Where the person looked at the target, it must still be there. Otherwise whoever moves it while
 * it is merged has it merged again on top of that.
 */
static ForeMergeResult *
merge (ForeRepository *repository, const Job *job, GError **error)
{
  g_autoptr (GError) problem = NULL;
  ForeMergeResult *result = NULL;

  for (guint i = 0; result == NULL && i < MERGE_TRIES; i++)
    {
      g_autofree char *old = fore_repository_resolve_branch (repository, job->target, error);

      if (old == NULL)
        return NULL;

      g_clear_error (&problem);
      result = fore_repository_merge_into (repository, job->target, job->expected ?: old,
                                           job->commit, job->mode, job->message, FALSE, &problem);
      if (job->expected != NULL || !g_error_matches (problem, FORE_ERROR, FORE_ERROR_STALE))
        break;
    }

  if (result == NULL)
    g_propagate_error (error, g_steal_pointer (&problem));
  return result;
}

/* The branch of the result has it as well; this one is in the list of what was put aside. */
static void
keep_whole (ForeTrees *self, ForeRepository *repository, const char *commit)
{
  g_autofree char *name = g_strdup_printf ("%s/whole/1", self->run_id);
  g_autoptr (GError) error = NULL;

  if (!fore_repository_keep (repository, commit, name, &error))
    g_warning ("The whole result is only on its branch: %s", error->message);
}

static void
merge_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  ForeTrees *self = source;
  Job *job = data;
  g_autoptr (ForeRepository) repository = NULL;
  ForeMergeResult *result = NULL;
  GError *error = NULL;

  repository = fore_repository_open (self->project, &error);
  if (repository != NULL)
    result = merge (repository, job, &error);
  if (result != NULL && result->clean && job->keep != NULL)
    keep_whole (self, repository, job->keep);
  if (result == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, result, (GDestroyNotify) fore_merge_result_free);
}

/**
 * fore_trees_merge_async:
 * @self: trees
 * @target: branch to merge into
 * @expected: (nullable): commit that it must be at; %NULL takes it as it is
 * @commit: commit of the result
 * @mode: how
 * @message: commit message
 * @keep: (nullable): a commit that gets a rescue ref when it is done
 * @cancellable: (nullable): a cancellable
 * @callback: called when it is done or was refused
 * @user_data: data for @callback
 */
void
fore_trees_merge_async (ForeTrees *self,
                        const char *target,
                        const char *expected,
                        const char *commit,
                        ForeMergeMode mode,
                        const char *message,
                        const char *keep,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  Job *job;

  g_return_if_fail (FORE_IS_TREES (self));
  g_return_if_fail (target != NULL && commit != NULL);

  job = g_new0 (Job, 1);
  job->target = g_strdup (target);
  job->expected = g_strdup (expected);
  job->commit = g_strdup (commit);
  job->mode = mode;
  job->message = g_strdup (message);
  job->keep = g_strdup (keep);
  fore_trees_start_job (self, job, merge_in_thread, "merge", cancellable, callback, user_data);
}

/**
 * fore_trees_merge_finish:
 * @self: trees
 * @result: the result
 * @error: return location for an error
 *
 * Returns: (transfer full): the merge, or %NULL
 */
ForeMergeResult *
fore_trees_merge_finish (ForeTrees *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/* A tree that would take something with it stays, and says why. */
static void
retire (ForeTrees *self,
        ForeRepository *repository,
        const ForeTask *of,
        GStrvBuilder *refs,
        GString *problems)
{
  g_autoptr (ForeWorktree) worktree = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *name = NULL;
  g_auto (GStrv) rescued = NULL;

  if (of->worktree == NULL || of->gitdir == NULL || !g_file_test (of->gitdir, G_FILE_TEST_IS_DIR))
    return;

  worktree = fore_worktree_new (of->gitdir, of->worktree, of->branch);
  name = g_strdup_printf ("%s/%s", self->run_id, of->key);
  if (!fore_repository_retire_worktree (repository, worktree, name, FALSE, &rescued, &error))
    g_string_append_printf (problems, "%s%s", problems->len > 0 ? "; " : "", error->message);
  else if (rescued != NULL)
    g_strv_builder_addv (refs, (const char **) rescued);
}

static void
remove_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  ForeTrees *self = source;
  Job *job = data;
  g_autoptr (ForeRepository) repository = NULL;
  g_autoptr (GStrvBuilder) refs = g_strv_builder_new ();
  g_autoptr (GString) problems = g_string_new (NULL);
  GError *error = NULL;

  repository = fore_repository_open (self->project, &error);
  if (repository == NULL)
    {
      g_task_return_error (task, error);
      return;
    }

  for (guint i = 0; i < job->tasks->len; i++)
    retire (self, repository, g_ptr_array_index (job->tasks, i), refs, problems);

  if (problems->len > 0)
    g_message ("Some working trees stay: %s", problems->str);
  g_task_return_pointer (task, g_strv_builder_end (refs), (GDestroyNotify) g_strfreev);
}

/**
 * fore_trees_remove_async:
 * @self: trees
 * @tasks: (element-type ForeTask): tasks whose trees go
 * @cancellable: (nullable): a cancellable
 * @callback: called when they are gone
 * @user_data: data for @callback
 */
void
fore_trees_remove_async (ForeTrees *self,
                         GPtrArray *tasks,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  Job *job;

  g_return_if_fail (FORE_IS_TREES (self));
  g_return_if_fail (tasks != NULL);

  job = g_new0 (Job, 1);
  job->tasks = copy_tasks (tasks);
  fore_trees_start_job (self, job, remove_in_thread, "remove trees", cancellable, callback,
                        user_data);
}

/**
 * fore_trees_remove_finish:
 * @self: trees
 * @result: the result
 * @error: return location for an error
 *
 * Returns: (transfer full): refs that keep what only the trees held, or %NULL on an error
 */
GStrv
fore_trees_remove_finish (ForeTrees *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
undo_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  ForeTrees *self = source;
  Job *job = data;
  g_autoptr (ForeRepository) repository = NULL;
  GError *error = NULL;

  repository = fore_repository_open (self->project, &error);
  if (repository != NULL
      && fore_repository_undo_add_worktree (repository, job->target, job->path, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/**
 * fore_trees_undo_async:
 * @self: trees
 * @tree: a tree in which nobody has worked
 * @callback: called when it is gone
 * @user_data: data for @callback
 *
 * Removes a tree, its branch and all that stands in it.
 */
void
fore_trees_undo_async (ForeTrees *self,
                       const ForeTree *tree,
                       GAsyncReadyCallback callback,
                       gpointer user_data)
{
  Job *job;

  g_return_if_fail (FORE_IS_TREES (self));
  g_return_if_fail (tree != NULL && tree->branch != NULL);

  job = g_new0 (Job, 1);
  job->target = g_strdup (tree->branch);
  job->path = g_strdup (tree->path);
  fore_trees_start_job (self, job, undo_in_thread, "undo a tree", NULL, callback, user_data);
}

/**
 * fore_trees_undo_finish:
 * @self: trees
 * @result: the result
 * @error: return location for an error
 *
 * Returns: whether it is gone
 */
gboolean
fore_trees_undo_finish (ForeTrees *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/* A branch that was switched or something that was staged shows in no file. */
static GStrv
list_changed (ForeRepository *repository, const ForeFingerprint *before, const ForeFingerprint *now)
{
  g_auto (GStrv) written = fore_repository_list_written (repository, before, now, NULL);
  g_autoptr (GStrvBuilder) paths = g_strv_builder_new ();

  if (g_strcmp0 (before->head_ref, now->head_ref) != 0 || g_strcmp0 (before->head, now->head) != 0)
    g_strv_builder_add (paths, ".git/HEAD");
  if (g_strcmp0 (before->index_hash, now->index_hash) != 0)
    g_strv_builder_add (paths, ".git/index");
  if (written != NULL)
    g_strv_builder_addv (paths, (const char **) written);

  return g_strv_builder_end (paths);
}

static void
watch_leader_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  ForeTrees *self = source;
  g_autoptr (ForeRepository) repository = NULL;
  g_autoptr (ForeFingerprint) now = NULL;
  static GMutex mutex;
  GStrv paths = NULL;
  GError *error = NULL;

  repository = fore_repository_open (self->project, &error);
  if (repository != NULL)
    now = fore_repository_read_fingerprint (repository, &error);
  if (now == NULL)
    {
      g_task_return_error (task, error);
      return;
    }

  g_mutex_lock (&mutex);
  if (self->leader != NULL && !fore_fingerprint_equal (self->leader, now))
    paths = self->isolated ? list_changed (repository, self->leader, now)
                           : fore_repository_list_written (repository, self->leader, now, NULL);
  g_clear_pointer (&self->leader, fore_fingerprint_free);
  self->leader = g_steal_pointer (&now);
  g_mutex_unlock (&mutex);

  g_task_return_pointer (task, paths != NULL ? paths : g_new0 (char *, 1),
                         (GDestroyNotify) g_strfreev);
}

/**
 * fore_trees_watch_leader_async:
 * @self: trees
 * @cancellable: (nullable): a cancellable
 * @callback: called when the person's checkout was looked at
 * @user_data: data for @callback
 *
 * Looks whether the person's own checkout changed since the last call; the first call only looks.
 */
void
fore_trees_watch_leader_async (ForeTrees *self,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  g_return_if_fail (FORE_IS_TREES (self));

  fore_trees_start_job (self, g_new0 (Job, 1), watch_leader_in_thread, "look at the checkout",
                        cancellable, callback, user_data);
}

/**
 * fore_trees_watch_leader_finish:
 * @self: trees
 * @result: the result
 * @error: return location for an error
 *
 * Returns: (transfer full): paths that changed, or %NULL on an error
 */
GStrv
fore_trees_watch_leader_finish (ForeTrees *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
