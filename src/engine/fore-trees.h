/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-conflict-way.h"
#include "engine/fore-run-context.h"
#include "git/fore-repository.h"
#include "model/fore-task.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * ForeTrees:
 *
 * The working trees of one run and what is made of them. Each call runs in the git pool and ends in
 * the caller's main context. In a run without a repository, or with isolation `none`, tasks work in
 * the project's folder.
 */
#define FORE_TYPE_TREES (fore_trees_get_type ())
G_DECLARE_FINAL_TYPE (ForeTrees, fore_trees, FORE, TREES, GObject)

/**
 * ForeTree:
 * @path: folder to work in
 * @git_dir: (nullable): its git folder; %NULL in a shared folder
 * @branch: (nullable): its branch
 * @base: (nullable): commit it starts from
 * @conflicts: (nullable): paths that the dependencies both changed and nobody settled yet; without
 *   a @base nothing was made
 * @setup_log: (nullable): file that says what was copied, linked and run to prepare it
 * @setup_ms: how long that took, in milliseconds
 */
typedef struct
{
  char *path;
  char *git_dir;
  char *branch;
  char *base;
  GStrv conflicts;
  char *setup_log;
  gint64 setup_ms;
} ForeTree;

/**
 * ForeTreeWork:
 * @commit: commit of what was left, or the base
 * @files: (element-type ForeChange): what changed
 * @note: (nullable): sentences about what of it a merge does not bring by itself
 * @marked: (nullable): files in which conflict marks of what it builds on still stand
 */
typedef struct
{
  char *commit;
  GPtrArray *files;
  char *note;
  GStrv marked;
} ForeTreeWork;

ForeTrees *fore_trees_new (const char *home,
                           const char *project,
                           const char *run_id,
                           const char *base_commit,
                           gboolean isolated,
                           const char *worktree_dir);
gboolean fore_trees_is_isolated (ForeTrees *self);
void fore_trees_set_setup (ForeTrees *self,
                           ForeRunContext *context,
                           const char *const *copy,
                           const char *const *links,
                           const char *const *setup,
                           guint setup_ms);

void fore_trees_set_seeds (ForeTrees *self, const char *key, const char *const *paths);

/* @commits: those of the dependencies, empty for the run's base. */
void fore_trees_prepare_async (ForeTrees *self,
                               const ForeTask *task,
                               const char *const *commits,
                               ForeConflictWay way,
                               gboolean renew,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data);
ForeTree *fore_trees_prepare_finish (ForeTrees *self, GAsyncResult *result, GError **error);

void fore_trees_commit_async (ForeTrees *self,
                              const ForeTask *task,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data);
ForeTreeWork *fore_trees_commit_finish (ForeTrees *self, GAsyncResult *result, GError **error);

/* @tasks: (element-type ForeTask) in topological order; those without work are left out. */
void fore_trees_integrate_async (ForeTrees *self,
                                 GPtrArray *tasks,
                                 ForeMergeFavor favor,
                                 const char *expected,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data);
ForeMergeResult *
fore_trees_integrate_finish (ForeTrees *self, GAsyncResult *result, GError **error);

void fore_trees_merge_async (ForeTrees *self,
                             const char *target,
                             const char *expected,
                             const char *commit,
                             ForeMergeMode mode,
                             const char *message,
                             const char *keep,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
ForeMergeResult *fore_trees_merge_finish (ForeTrees *self, GAsyncResult *result, GError **error);

/* Removes the trees of @tasks, keeping what only they hold under rescue refs. */
void fore_trees_remove_async (ForeTrees *self,
                              GPtrArray *tasks,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data);
/* Takes back a tree in which only checks ran. */
void fore_trees_undo_async (ForeTrees *self,
                            const ForeTree *tree,
                            GAsyncReadyCallback callback,
                            gpointer user_data);
gboolean fore_trees_undo_finish (ForeTrees *self, GAsyncResult *result, GError **error);
GStrv fore_trees_remove_finish (ForeTrees *self, GAsyncResult *result, GError **error);

/* Fingerprint of the person's own checkout: paths that changed since the last call. */
void fore_trees_watch_leader_async (ForeTrees *self,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);
GStrv fore_trees_watch_leader_finish (ForeTrees *self, GAsyncResult *result, GError **error);

void fore_tree_free (ForeTree *tree);
void fore_tree_work_free (ForeTreeWork *work);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeTree, fore_tree_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeTreeWork, fore_tree_work_free)

G_END_DECLS
