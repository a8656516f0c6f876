/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "git/fore-git.h"
#include "git/fore-repository.h"
#include "git/fore-write-lock.h"

G_BEGIN_DECLS

/* Our own copy of a worktree's index, in its entry: what an agent does to the index by git
 * commands cannot hide a file from us, and unchanged files need not be read again.
 */
#define FORE_INDEX_NAME "foredeck-index"

/* What the files of ForeRepository share among themselves. */
git_repository *fore_repository_open_git (ForeRepository *self, GError **error);
gboolean fore_repository_require_workdir (ForeRepository *self, GError **error);
guint fore_repository_get_lock_wait (ForeRepository *self);
guint fore_repository_get_hook_wait (ForeRepository *self);

/* Names */
gboolean fore_git_require_ours (const char *branch, GError **error);

/* Trees of work folders */
git_index *fore_git_open_our_index (ForeRepository *self,
                                    git_repository *git,
                                    git_commit *base,
                                    GError **error);
gboolean
fore_git_stage_folder (git_repository *git, git_index *index, GPtrArray *nested, GError **error);
git_tree *fore_git_write_tree (ForeRepository *self,
                               git_repository *git,
                               git_commit *base,
                               const char *const *keep_ignored,
                               GPtrArray *nested,
                               GError **error);

/* Differences */
GPtrArray *fore_git_list_changes (git_repository *git, git_diff *diff, GError **error);
git_diff *fore_git_diff_trees (git_repository *git, git_tree *old, git_tree *new, GError **error);
GBytes *fore_git_write_patch (git_diff *diff, GError **error);

/* Merges */
ForeMergeResult *fore_merge_result_new (void);
gboolean fore_git_reaches (git_repository *git, git_commit *from, git_commit *to);
int fore_git_reached_by_any (git_repository *git, const git_oid *commit, GArray *tips);
int
fore_git_merge_index (git_index **index, git_repository *git, git_commit *ours, git_commit *theirs);
gboolean fore_git_finish_merge (git_repository *git,
                                git_index *index,
                                ForeMergeFavor favor,
                                ForeMergeResult *result,
                                git_tree **tree,
                                GError **error);
gboolean fore_git_merge_pair (git_repository *git,
                              git_commit *ours,
                              git_commit *theirs,
                              ForeMergeFavor favor,
                              ForeMergeResult *result,
                              git_tree **tree,
                              GError **error);

/* Paths */
gboolean fore_git_is_remade (const char *path);
GHashTable *fore_git_make_places (GPtrArray *paths);
gboolean fore_git_places_overlap (GHashTable *places, const char *path);

/* Signatures */
gboolean
fore_git_sign_commits (git_repository *git, git_oid *oid, const git_oid *base, GError **error);

/* Worktrees */
char *fore_git_read_head_branch (const char *git_dir);
ForeWorktree *fore_git_read_worktree (const char *common_dir, const char *name);
char *fore_repository_dup_main_dir (ForeRepository *self);
gboolean fore_git_refuse_checked_out (const char *branch, const char *folder, GError **error);
gboolean fore_git_require_unlocked (const ForeWorktree *worktree, GError **error);
gboolean fore_repository_require_free (ForeRepository *self, const char *branch, GError **error);
gboolean fore_repository_find_checkout (
    ForeRepository *self, const char *branch, char **folder, char **git_dir, GError **error);
gboolean fore_git_rescue_commit (git_repository *git,
                                 const git_oid *commit,
                                 const char *rescue_name,
                                 const char *except_ref,
                                 GPtrArray *rescued,
                                 GError **error);

gboolean fore_git_remove_entry (const char *common_dir, const char *git_dir, GError **error);
gboolean fore_git_rescue_entry (git_repository *git,
                                const char *git_dir,
                                const char *rescue_name,
                                GPtrArray *rescued,
                                GError **error);

G_END_DECLS
