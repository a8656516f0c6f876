/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-trees-private.h"

static GStrv
list_paths (const ForeMergeResult *merge)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; i < merge->conflicts->len; i++)
    g_strv_builder_add (builder,
                        ((ForeMergeConflict *) g_ptr_array_index (merge->conflicts, i))->path);

  return g_strv_builder_end (builder);
}

/* The commit that a tree starts from: the merged work of what the task depends on. */
gboolean
fore_trees_find_base (
    ForeTrees *self, ForeRepository *repository, const Job *job, ForeTree *tree, GError **error)
{
  ForeMergeFavor favor = fore_conflict_way_get_favor (job->way);
  g_autoptr (ForeIdentity) author = NULL;
  g_autoptr (ForeMergeResult) merge = NULL;
  g_autofree char *message = NULL;

  if (job->commits == NULL || job->commits[0] == NULL || job->commits[1] == NULL)
    {
      tree->base = g_strdup (job->commits != NULL && job->commits[0] != NULL ? job->commits[0]
                                                                             : self->base_commit);
      return TRUE;
    }

  author = fore_repository_read_identity (repository, NULL);
  message = g_strdup_printf ("Merge what “%s” builds on", job->task->title);
  merge = fore_repository_merge_commits (repository, (const char *const *) job->commits, favor,
                                         message, author, error);
  if (merge == NULL)
    return FALSE;

  if (merge->conflicts->len > 0)
    tree->conflicts = list_paths (merge);
  if (merge->conflicts->len == 0 || favor != FORE_MERGE_FAVOR_NONE)
    tree->base = g_strdup (merge->commit);

  return TRUE;
}

/* Commits what the person made of the marks. With some left that is still not lost. */
static char *
commit_resolution (const Job *job, ForeRepository *repository, GError **error)
{
  const ForeTask *task = job->task;
  g_autoptr (ForeRepository) tree = NULL;
  g_autoptr (ForeIdentity) author = NULL;
  g_autoptr (ForeTreeCommit) commit = NULL;
  g_autofree char *message = NULL;

  tree = fore_repository_open_tree (task->gitdir, task->worktree, error);
  if (tree == NULL)
    return NULL;

  author = fore_repository_read_identity (repository, NULL);
  message = g_strdup_printf ("Resolve what “%s” builds on\n\nForedeck-Task: %s\n", task->title,
                             task->key);
  commit = fore_repository_commit_tree (tree, task->branch, task->base, message, author, error);

  return commit != NULL ? g_strdup (commit->commit) : NULL;
}

/* Where a person has resolved all, what they made is what the task's agent starts from. */
static gboolean
take_resolution (ForeRepository *repository, const Job *job, ForeTree *tree, GError **error)
{
  g_autofree char *commit = commit_resolution (job, repository, error);
  g_auto (GStrv) marked = NULL;

  if (commit == NULL)
    return FALSE;

  marked = fore_repository_find_marks (repository, tree->base, commit, error);
  if (marked == NULL)
    return FALSE;

  if (marked[0] != NULL)
    {
      tree->conflicts = g_steal_pointer (&marked);
      return TRUE;
    }

  g_free (tree->base);
  tree->base = g_steal_pointer (&commit);

  return TRUE;
}

/* A runner died before it could ask the person to begin. */
static gboolean
list_again (ForeRepository *repository, const Job *job, ForeTree *tree, GError **error)
{
  g_autoptr (ForeMergeResult) merge = NULL;

  merge = fore_repository_predict_merge (repository, (const char *const *) job->commits, error);
  if (merge == NULL)
    return FALSE;

  if (merge->conflicts->len > 0)
    tree->conflicts = list_paths (merge);

  return TRUE;
}

/* What is left to resolve in a tree that may have been made with marks. */
gboolean
fore_trees_settle_conflicts (ForeRepository *repository,
                             const Job *job,
                             ForeTree *tree,
                             GError **error)
{
  g_autofree char *commit = NULL;
  g_auto (GStrv) marked = NULL;

  if (job->task->attempts == 0 && job->way == FORE_CONFLICT_RESOLVED)
    return take_resolution (repository, job, tree, error);
  if (job->task->attempts == 0 && job->way == FORE_CONFLICT_HAND)
    return list_again (repository, job, tree, error);

  commit = fore_repository_resolve_branch (repository, tree->branch, NULL);
  marked = fore_repository_find_marks (repository, tree->base, commit != NULL ? commit : tree->base,
                                       NULL);
  if (marked != NULL && marked[0] != NULL)
    tree->conflicts = g_steal_pointer (&marked);

  return TRUE;
}
