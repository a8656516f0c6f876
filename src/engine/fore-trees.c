/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-trees-private.h"

#include "engine/fore-pool.h"
#include "engine/fore-quarantines.h"
#include "model/fore-id.h"
#include "platform/fore-dirs.h"

#include <string.h>

G_DEFINE_FINAL_TYPE (ForeTrees, fore_trees, G_TYPE_OBJECT)

static void
job_free (Job *job)
{
  g_clear_pointer (&job->task, fore_task_free);
  g_clear_pointer (&job->tasks, g_ptr_array_unref);
  g_strfreev (job->commits);
  g_strfreev (job->seeds);
  g_free (job->target);
  g_free (job->expected);
  g_free (job->commit);
  g_free (job->message);
  g_free (job->path);
  g_free (job->keep);
  g_free (job);
}

static void
fore_trees_finalize (GObject *object)
{
  ForeTrees *self = FORE_TREES (object);

  g_free (self->home);
  g_free (self->project);
  g_free (self->run_id);
  g_free (self->base_commit);
  g_free (self->worktree_dir);
  g_strfreev (self->copy);
  g_strfreev (self->links);
  g_strfreev (self->setup);
  g_hash_table_unref (self->seeds);
  g_clear_pointer (&self->leader, fore_fingerprint_free);

  G_OBJECT_CLASS (fore_trees_parent_class)->finalize (object);
}

static void
fore_trees_class_init (ForeTreesClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fore_trees_finalize;
}

static void
fore_trees_init (ForeTrees *self)
{
  self->seeds = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                       (GDestroyNotify) g_strfreev);
}

/**
 * fore_trees_new:
 * @home: home of the store
 * @project: folder of the project
 * @run_id: the run
 * @base_commit: (nullable): commit that the run starts from
 * @isolated: whether tasks get trees of their own
 * @worktree_dir: (nullable): `home`, `sibling` or a folder
 *
 * Returns: (transfer full): the trees of a run
 */
ForeTrees *
fore_trees_new (const char *home,
                const char *project,
                const char *run_id,
                const char *base_commit,
                gboolean isolated,
                const char *worktree_dir)
{
  ForeTrees *self = g_object_new (FORE_TYPE_TREES, NULL);

  self->home = g_strdup (home);
  self->project = g_strdup (project);
  self->run_id = g_strdup (run_id);
  self->base_commit = g_strdup (base_commit);
  self->isolated = isolated && base_commit != NULL;
  self->worktree_dir = g_strdup (worktree_dir);

  return self;
}

/**
 * fore_trees_is_isolated:
 * @self: trees
 *
 * Returns: whether tasks get trees of their own
 */
gboolean
fore_trees_is_isolated (ForeTrees *self)
{
  g_return_val_if_fail (FORE_IS_TREES (self), FALSE);

  return self->isolated;
}

/**
 * fore_trees_set_setup:
 * @self: trees
 * @context: what the run is carried out with; outlives @self
 * @copy: (nullable) (array zero-terminated=1): patterns of ignored files that each new tree gets
 * @links: (nullable) (array zero-terminated=1): what each new tree links to
 * @setup: (nullable) (array zero-terminated=1): command that prepares a new tree, run in it
 * @setup_ms: how long it may take, in milliseconds
 *
 * Says what a new tree needs beside what git gives it.
 */
void
fore_trees_set_setup (ForeTrees *self,
                      ForeRunContext *context,
                      const char *const *copy,
                      const char *const *links,
                      const char *const *setup,
                      guint setup_ms)
{
  g_return_if_fail (FORE_IS_TREES (self));
  g_return_if_fail (context != NULL);

  self->context = context;
  self->copy = g_strdupv ((char **) copy);
  self->links = g_strdupv ((char **) links);
  self->setup = g_strdupv ((char **) setup);
  self->setup_ms = setup_ms;
}

/**
 * fore_trees_set_seeds:
 * @self: trees
 * @key: a task
 * @paths: (nullable) (array zero-terminated=1): files and folders of the project
 *
 * Says what the tree of one task gets from the project's folder as it is there, committed or not.
 */
void
fore_trees_set_seeds (ForeTrees *self, const char *key, const char *const *paths)
{
  g_return_if_fail (FORE_IS_TREES (self));
  g_return_if_fail (key != NULL);

  if (paths != NULL && paths[0] != NULL)
    g_hash_table_replace (self->seeds, g_strdup (key), g_strdupv ((char **) paths));
}

void
fore_trees_start_job (ForeTrees *self,
                      Job *job,
                      GTaskThreadFunc func,
                      const char *name,
                      GCancellable *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_name (task, name);
  g_task_set_source_tag (task, (gpointer) func);
  g_task_set_task_data (task, job, (GDestroyNotify) job_free);
  /* A command that prepares a tree may take minutes; what others have to commit does not wait. */
  if (job->task != NULL && self->setup != NULL && self->setup[0] != NULL)
    g_task_run_in_thread (task, func);
  else
    fore_pool_run (FORE_POOL_GIT, task, func);
  g_object_unref (task);
}

static char *
dup_tree_path (ForeTrees *self, const char *key)
{
  g_autofree char *name = g_path_get_basename (self->project);
  g_autofree char *trees = NULL;

  if (self->worktree_dir == NULL || strcmp (self->worktree_dir, "home") == 0)
    {
      trees = fore_dirs_dup_worktrees_dir (self->home);
      return g_build_filename (trees, name, self->run_id, key, NULL);
    }

  if (strcmp (self->worktree_dir, "sibling") == 0)
    {
      g_autofree char *folder = g_strdup_printf (".%s-foredeck", name);
      g_autofree char *parent = g_path_get_dirname (self->project);

      return g_build_filename (parent, folder, self->run_id, key, NULL);
    }

  return g_build_filename (self->worktree_dir, name, self->run_id, key, NULL);
}

/* No agent starts before its tree is on record: what stands in the way of a task without one is
 * what a runner that died had made of a tree, and nobody has worked in it. Where there was a tree
 * and it was cleaned away, its branch is left; deleting it keeps its commits.
 */
static gboolean
clear_way (ForeRepository *repository, const ForeTask *task, const char *branch, const char *path)
{
  g_autoptr (GError) error = NULL;
  gboolean cleared;

  if (task->worktree == NULL)
    cleared = fore_repository_undo_add_worktree (repository, branch, path, &error);
  else
    cleared = !g_file_test (path, G_FILE_TEST_EXISTS)
              && fore_repository_prune_worktrees (repository, NULL, &error)
              && fore_repository_delete_branch (repository, branch, &error);

  if (error != NULL)
    g_message ("What stands in the way of “%s” stays: %s", task->key, error->message);

  return cleared;
}

static gboolean
add_tree (ForeTrees *self, ForeRepository *repository, Job *job, ForeTree *tree, GError **error)
{
  g_autoptr (ForeWorktree) worktree = NULL;
  g_autoptr (GError) refusal = NULL;
  g_autofree char *path = dup_tree_path (self, job->task->key);
  g_autofree char *branch = fore_id_dup_task_branch (self->run_id, job->task->key);
  g_autofree char *parent = g_path_get_dirname (path);

  if (!fore_dirs_ensure_dir (parent, error))
    return FALSE;

  worktree = fore_repository_add_worktree (repository, branch, tree->base, path, &refusal);
  if (worktree == NULL && clear_way (repository, job->task, branch, path))
    {
      g_clear_error (&refusal);
      worktree = fore_repository_add_worktree (repository, branch, tree->base, path, &refusal);
    }
  if (worktree == NULL)
    {
      g_propagate_error (error, g_steal_pointer (&refusal));
      return FALSE;
    }

  tree->path = g_strdup (worktree->path);
  tree->git_dir = g_strdup (worktree->git_dir);
  tree->branch = g_steal_pointer (&branch);

  return TRUE;
}

static gboolean
has_tree (const ForeTask *task)
{
  return task->worktree != NULL && task->gitdir != NULL && task->base != NULL
         && task->branch != NULL;
}

/* The tree that earlier attempts worked in; made again where it is not what it was, or cannot be.
 */
static gboolean
reuse_tree (
    ForeTrees *self, ForeRepository *repository, const Job *job, ForeTree *tree, GError **error)
{
  const ForeTask *task = job->task;
  g_autofree char *rescue = g_strdup_printf ("%s/%s", self->run_id, task->key);
  g_autoptr (ForeWorktree) worktree = fore_worktree_new (task->gitdir, task->worktree,
                                                         task->branch);
  g_autoptr (ForeWorktree) renewed = NULL;

  if (job->renew || !fore_repository_validate_worktree (repository, worktree, NULL))
    {
      renewed = fore_repository_renew_worktree (repository, worktree, task->base, rescue, error);
      if (renewed == NULL)
        return FALSE;
    }

  tree->path = g_strdup (task->worktree);
  tree->git_dir = g_strdup (renewed != NULL ? renewed->git_dir : task->gitdir);
  tree->branch = g_strdup (task->branch);
  tree->base = g_strdup (task->base);

  return (renewed == NULL || fore_trees_set_up (self, repository, job, tree, error))
         && fore_trees_settle_conflicts (repository, job, tree, error);
}

static void
prepare_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  ForeTrees *self = source;
  Job *job = data;
  g_autoptr (ForeRepository) repository = NULL;
  g_autoptr (ForeTree) tree = g_new0 (ForeTree, 1);
  GError *error = NULL;

  /* What an attempt left that nobody saw the end of. */
  if (!has_tree (job->task)
      || fore_quarantines_import (self->home, self->run_id, job->task->key, &error))
    repository = fore_repository_open (self->project, &error);
  if (repository == NULL)
    {
      g_task_return_error (task, error);
      return;
    }

  if (has_tree (job->task))
    reuse_tree (self, repository, job, tree, &error);
  else if (fore_trees_find_base (self, repository, job, tree, &error) && tree->base != NULL
           && add_tree (self, repository, job, tree, &error))
    fore_trees_set_up (self, repository, job, tree, &error);

  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, g_steal_pointer (&tree), (GDestroyNotify) fore_tree_free);
}

/**
 * fore_trees_prepare_async:
 * @self: trees
 * @task: the task that is to start
 * @commits: (array zero-terminated=1): work of its dependencies
 * @way: what to do where two of them changed the same
 * @renew: whether an earlier attempt's tree cannot be trusted any more
 * @cancellable: (nullable): a cancellable
 * @callback: called when the tree is there
 * @user_data: data for @callback
 *
 * Makes the tree that @task works in, or finds the one that its earlier attempt worked in.
 */
void
fore_trees_prepare_async (ForeTrees *self,
                          const ForeTask *task,
                          const char *const *commits,
                          ForeConflictWay way,
                          gboolean renew,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  Job *job;

  g_return_if_fail (FORE_IS_TREES (self));
  g_return_if_fail (task != NULL);

  if (!self->isolated)
    {
      g_autoptr (GTask) done = g_task_new (self, cancellable, callback, user_data);
      ForeTree *tree = g_new0 (ForeTree, 1);

      tree->path = g_strdup (self->project);
      g_task_return_pointer (done, tree, (GDestroyNotify) fore_tree_free);
      return;
    }

  job = g_new0 (Job, 1);
  job->task = fore_task_copy (task);
  job->commits = g_strdupv ((char **) commits);
  job->seeds = g_strdupv (g_hash_table_lookup (self->seeds, task->key));
  job->way = way;
  job->renew = renew;
  fore_trees_start_job (self, job, prepare_in_thread, "prepare a tree", cancellable, callback,
                        user_data);
}

/**
 * fore_trees_prepare_finish:
 * @self: trees
 * @result: the result
 * @error: return location for an error
 *
 * Returns: (transfer full): the tree, or %NULL
 */
ForeTree *
fore_trees_prepare_finish (ForeTrees *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

static ForeChange *
to_change (const ForeFileChange *file)
{
  static const char letters[] = { 'A', 'M', 'D', 'R', 'T' };
  ForeChange *change;

  change = fore_change_new (file->path, letters[file->status],
                            file->binary ? -1 : (int) file->insertions,
                            file->binary ? -1 : (int) file->deletions);
  change->old_path = g_strdup (file->old_path);

  return change;
}

static void
commit_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  ForeTrees *self = source;
  Job *job = data;
  const ForeTask *of = job->task;
  g_autoptr (ForeRepository) tree = NULL;
  g_autoptr (ForeRepository) leader = NULL;
  g_autoptr (ForeIdentity) author = NULL;
  g_autoptr (ForeTreeCommit) commit = NULL;
  g_autofree char *message = NULL;
  ForeTreeWork *work;
  GError *error = NULL;

  if (fore_quarantines_import (self->home, self->run_id, of->key, &error))
    leader = fore_repository_open (self->project, &error);
  if (leader != NULL)
    tree = fore_repository_open_tree (of->gitdir, of->worktree, &error);
  if (tree != NULL)
    {
      author = fore_repository_read_identity (leader, NULL);
      message = g_strdup_printf ("%s\n\nForedeck-Task: %s\nForedeck-Agent: %s\n", of->title,
                                 of->key, of->cli);
      commit = fore_repository_commit_tree (tree, of->branch, of->base, message, author, &error);
    }
  if (commit == NULL)
    {
      g_task_return_error (task, error);
      return;
    }

  work = g_new0 (ForeTreeWork, 1);
  work->commit = g_strdup (commit->commit);
  work->marked = fore_repository_find_marks (leader, of->base, work->commit, NULL);
  work->files = fore_changes_copy (NULL);
  for (guint i = 0; i < commit->changes->len; i++)
    g_ptr_array_add (work->files, to_change (g_ptr_array_index (commit->changes, i)));
  if (commit->notes[0] != NULL)
    work->note = g_strjoinv (" ", commit->notes);

  g_task_return_pointer (task, work, (GDestroyNotify) fore_tree_work_free);
}

/**
 * fore_trees_commit_async:
 * @self: trees
 * @task: a task whose agent has ended, with its tree
 * @cancellable: (nullable): a cancellable
 * @callback: called when what it left is safe on its branch
 * @user_data: data for @callback
 *
 * Commits what an agent left (tracked, untracked, its own commits) and computes what it changed.
 */
void
fore_trees_commit_async (ForeTrees *self,
                         const ForeTask *task,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  Job *job;

  g_return_if_fail (FORE_IS_TREES (self));
  g_return_if_fail (task != NULL && task->gitdir != NULL);

  job = g_new0 (Job, 1);
  job->task = fore_task_copy (task);
  fore_trees_start_job (self, job, commit_in_thread, "commit a tree", cancellable, callback,
                        user_data);
}

/**
 * fore_trees_commit_finish:
 * @self: trees
 * @result: the result
 * @error: return location for an error
 *
 * Returns: (transfer full): what was left, or %NULL
 */
ForeTreeWork *
fore_trees_commit_finish (ForeTrees *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * fore_tree_free:
 * @tree: (nullable): a tree
 */
void
fore_tree_free (ForeTree *tree)
{
  if (tree == NULL)
    return;

  g_free (tree->path);
  g_free (tree->git_dir);
  g_free (tree->branch);
  g_free (tree->base);
  g_strfreev (tree->conflicts);
  g_free (tree->setup_log);
  g_free (tree);
}

/**
 * fore_tree_work_free:
 * @work: (nullable): work
 */
void
fore_tree_work_free (ForeTreeWork *work)
{
  if (work == NULL)
    return;

  g_free (work->commit);
  g_clear_pointer (&work->files, g_ptr_array_unref);
  g_free (work->note);
  g_strfreev (work->marked);
  g_free (work);
}
