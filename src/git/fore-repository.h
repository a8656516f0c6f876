/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib-object.h>

#include "git/fore-diff.h"
#include "git/fore-file-change.h"
#include "git/fore-fingerprint.h"
#include "git/fore-identity.h"
#include "git/fore-merge-result.h"
#include "git/fore-repository-state.h"
#include "git/fore-rescue.h"
#include "git/fore-tree-commit.h"
#include "git/fore-tree-report.h"
#include "git/fore-worktree.h"

G_BEGIN_DECLS

/* A git repository as Foredeck uses it: paths only. Every function below opens the repository
 * again, blocks and may be called from any thread. Programs are started only for what libgit2
 * cannot do: filters that git's settings name, and hooks and signatures when a tree is made and
 * when a person merges. Commits are named by 40 hexadecimal digits, branches by their short name,
 * paths are relative to the work folder and are bytes (not always UTF-8). Writes wait for `<common
 * dir>/foredeck.lock`: first for the threads of this program, then at most a minute for other
 * programs, after which the error is FORE_ERROR_BUSY and names the holder.
 */
#define FORE_TYPE_REPOSITORY (fore_repository_get_type ())
G_DECLARE_FINAL_TYPE (ForeRepository, fore_repository, FORE, REPOSITORY, GObject)

/* Opening */
ForeRepository *fore_repository_open (const char *path, GError **error);
char *fore_repository_dup_top (const char *path);
ForeRepository *fore_repository_open_tree (const char *git_dir, const char *path, GError **error);
ForeRepository *
fore_repository_create (const char *path, const char *initial_branch, GError **error);

const char *fore_repository_get_workdir (ForeRepository *self);
const char *fore_repository_get_git_dir (ForeRepository *self);
const char *fore_repository_get_common_dir (ForeRepository *self);
const char *fore_repository_get_name (ForeRepository *self);
void fore_repository_set_lock_wait (ForeRepository *self, guint milliseconds);
void fore_repository_set_hook_wait (ForeRepository *self, guint milliseconds);

/* State */
ForeRepositoryState *
fore_repository_read_state (ForeRepository *self, guint path_limit, GError **error);
ForeIdentity *fore_repository_read_identity (ForeRepository *self, GError **error);
gboolean
fore_repository_write_identity (ForeRepository *self, const ForeIdentity *identity, GError **error);
char **fore_repository_list_programs (ForeRepository *self, gboolean *has_git, GError **error);
ForeFingerprint *fore_repository_read_fingerprint (ForeRepository *self, GError **error);
char **fore_repository_list_written (ForeRepository *self,
                                     const ForeFingerprint *before,
                                     const ForeFingerprint *after,
                                     GError **error);

/* Files */
GPtrArray *fore_repository_list_files (
    ForeRepository *self, const char *commit, const char *pattern, guint limit, GError **error);

/* Names */
char *fore_repository_resolve (ForeRepository *self, const char *revision, GError **error);
char *fore_repository_resolve_branch (ForeRepository *self, const char *branch, GError **error);
char *fore_repository_pick_branch_prefix (ForeRepository *self, const char *run, GError **error);
gboolean fore_repository_create_branch (ForeRepository *self,
                                        const char *branch,
                                        const char *commit,
                                        GError **error);
gboolean fore_repository_publish_branch (ForeRepository *self,
                                         const char *branch,
                                         const char *commit,
                                         GError **error);
gboolean fore_repository_delete_branch (ForeRepository *self, const char *branch, GError **error);
char **fore_repository_list_branches (ForeRepository *self, const char *prefix, GError **error);
gboolean fore_branch_name_is_ours (const char *branch);

/* Worktrees */
ForeWorktree *fore_repository_add_worktree (ForeRepository *self,
                                            const char *branch,
                                            const char *start_commit,
                                            const char *path,
                                            GError **error);
gboolean fore_repository_undo_add_worktree (ForeRepository *self,
                                            const char *branch,
                                            const char *path,
                                            GError **error);
char *fore_repository_seed_tree (ForeRepository *self,
                                 const ForeWorktree *worktree,
                                 const char *const *copy,
                                 const char *const *links,
                                 GError **error);
char *fore_repository_add_modules (ForeRepository *self, const ForeWorktree *worktree);
GPtrArray *fore_repository_list_module_trees (ForeRepository *tree);
ForeWorktree *fore_repository_renew_worktree (ForeRepository *self,
                                              const ForeWorktree *worktree,
                                              const char *start_commit,
                                              const char *rescue_name,
                                              GError **error);
GPtrArray *fore_repository_list_worktrees (ForeRepository *self, GError **error);
gboolean fore_repository_lock_worktree (ForeRepository *self,
                                        const char *name,
                                        const char *reason,
                                        GError **error);
gboolean fore_repository_unlock_worktree (ForeRepository *self, const char *name, GError **error);
gboolean fore_repository_validate_worktree (ForeRepository *self,
                                            const ForeWorktree *worktree,
                                            GError **error);
gboolean fore_repository_remove_worktree (ForeRepository *self,
                                          const ForeWorktree *worktree,
                                          const char *rescue_name,
                                          const char *const *keep_ignored,
                                          char ***rescue_refs,
                                          GError **error);
ForeTreeReport *fore_repository_inspect_worktree (ForeRepository *self,
                                                  const ForeWorktree *worktree,
                                                  GError **error);
gboolean fore_repository_retire_worktree (ForeRepository *self,
                                          const ForeWorktree *worktree,
                                          const char *rescue_name,
                                          gboolean drop_obstacles,
                                          char ***rescue_refs,
                                          GError **error);
gboolean fore_repository_prune_worktrees (ForeRepository *self, guint *n_pruned, GError **error);

/* Work that was put aside, below refs/foredeck/rescue/ */
GPtrArray *fore_repository_list_rescues (ForeRepository *self, const char *prefix, GError **error);
char *fore_repository_restore_rescue (ForeRepository *self,
                                      const char *name,
                                      const char *branch,
                                      GError **error);
gboolean fore_repository_export_rescue (ForeRepository *self,
                                        const char *name,
                                        const char *folder,
                                        GError **error);
gboolean fore_repository_drop_rescue (ForeRepository *self,
                                      const char *name,
                                      const char *expected,
                                      GError **error);

/* Commits: @self is the tree that is committed */
char *fore_repository_commit_all (ForeRepository *self,
                                  const char *message,
                                  const ForeIdentity *author,
                                  GError **error);
ForeTreeCommit *fore_repository_commit_tree (ForeRepository *self,
                                             const char *branch,
                                             const char *base,
                                             const char *message,
                                             const ForeIdentity *author,
                                             GError **error);
char *fore_repository_snapshot_base (ForeRepository *self, const char *run, GError **error);

/* What a tree held before somebody worked in it. Objects go to @scratch_dir, a folder of ours,
 * never to the person's object store.
 */
char *fore_repository_snapshot (ForeRepository *self, const char *scratch_dir, GError **error);
GPtrArray *fore_repository_compare_snapshot (ForeRepository *self,
                                             const char *scratch_dir,
                                             const char *snapshot,
                                             GBytes **patch,
                                             GError **error);
gboolean fore_repository_restore_snapshot (ForeRepository *self,
                                           const char *scratch_dir,
                                           const char *snapshot,
                                           const char *const *paths,
                                           GError **error);

/* Differences: @new_revision NULL is the work folder with its untracked files */
GPtrArray *fore_repository_list_changes (ForeRepository *self,
                                         const char *old_revision,
                                         const char *new_revision,
                                         GError **error);
ForeDiff *fore_repository_diff (ForeRepository *self,
                                const char *old_revision,
                                const char *new_revision,
                                const ForeDiffOptions *options,
                                GError **error);
GBytes *fore_repository_diff_patch (ForeRepository *self,
                                    const char *old_revision,
                                    const char *new_revision,
                                    GError **error);

/* Merging in memory: work folders and branches stay as they are */
ForeMergeResult *fore_repository_merge_commits (ForeRepository *self,
                                                const char *const *commits,
                                                ForeMergeFavor favor,
                                                const char *message,
                                                const ForeIdentity *author,
                                                GError **error);
ForeMergeResult *
fore_repository_predict_merge (ForeRepository *self, const char *const *commits, GError **error);
ForeMergeResult *
fore_repository_show_conflicts (ForeRepository *self, const char *const *commits, GError **error);
char **fore_repository_find_marks (ForeRepository *self,
                                   const char *base,
                                   const char *commit,
                                   GError **error);
ForeMergeResult *fore_repository_predict_trees (ForeRepository *self,
                                                const char *scratch_dir,
                                                const char *base,
                                                const char *ours,
                                                const char *theirs,
                                                GError **error);

typedef struct
{
  const char *key;    /* task key, for the trailer Foredeck-Task */
  const char *title;  /* subject line */
  const char *agent;  /* (nullable) for the trailer Foredeck-Agent */
  const char *base;   /* commit the task's tree started from */
  const char *commit; /* commit of what the task left */
} ForeIntegrateTask;

ForeMergeResult *fore_repository_integrate (ForeRepository *self,
                                            const char *base,
                                            const ForeIntegrateTask *tasks,
                                            gsize n_tasks,
                                            const char *branch,
                                            const char *expected,
                                            ForeMergeFavor favor,
                                            GError **error);

ForeMergeResult *fore_repository_show_integration (ForeRepository *self,
                                                   const char *base,
                                                   const ForeIntegrateTask *tasks,
                                                   gsize n_tasks,
                                                   GError **error);

/* A result without some of its files */
char *fore_repository_trim (ForeRepository *self,
                            const char *base,
                            const char *commit,
                            const char *const *names,
                            char ***dropped,
                            GError **error);
gboolean fore_repository_keep (ForeRepository *self,
                               const char *commit,
                               const char *rescue_name,
                               GError **error);

/* Merging into a branch of the person */
ForeMergeResult *fore_repository_merge_into (ForeRepository *self,
                                             const char *target,
                                             const char *expected,
                                             const char *commit,
                                             ForeMergeMode mode,
                                             const char *message,
                                             gboolean dry_run,
                                             GError **error);

G_END_DECLS
