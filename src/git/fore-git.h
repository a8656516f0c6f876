/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <git2.h>

#include "git/fore-identity.h"

G_BEGIN_DECLS

/* What the files of this folder share over libgit2. Private to src/git: nothing above it includes
 * this.
 */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (git_annotated_commit, git_annotated_commit_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (git_blob, git_blob_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (git_commit, git_commit_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (git_config, git_config_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (git_diff, git_diff_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (git_index, git_index_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (git_index_conflict_iterator, git_index_conflict_iterator_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (git_object, git_object_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (git_odb, git_odb_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (git_patch, git_patch_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (git_reference, git_reference_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (git_reference_iterator, git_reference_iterator_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (git_reflog, git_reflog_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (git_repository, git_repository_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (git_revwalk, git_revwalk_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (git_signature, git_signature_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (git_status_list, git_status_list_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (git_transaction, git_transaction_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (git_tree, git_tree_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (git_tree_entry, git_tree_entry_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (git_worktree, git_worktree_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (git_buf, git_buf_dispose)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (git_strarray, git_strarray_dispose)

void fore_git_init (void);
gboolean fore_git_outlast_lock (const char *path);
gboolean fore_git_fail (GError **error, int result, const char *sentence);
char *fore_git_oid_to_string (const git_oid *oid);

git_commit *fore_git_lookup_commit (git_repository *git, const char *commit, GError **error);
git_tree *fore_git_lookup_tree (git_repository *git, const char *revision, GError **error);
git_signature *
fore_git_make_signature (git_repository *git, const ForeIdentity *author, GError **error);
git_signature *fore_git_make_committer (git_repository *git, GError **error);
gboolean fore_git_create_commit (git_repository *git,
                                 git_oid *oid,
                                 const char *update_ref,
                                 const ForeIdentity *author,
                                 const char *message,
                                 git_tree *tree,
                                 git_commit *const *parents,
                                 gsize n_parents,
                                 GError **error);
gboolean fore_git_add_scratch (git_repository *git, const char *scratch_dir, GError **error);
gboolean fore_git_add_memory (git_repository *git, GError **error);
int fore_git_remove_ref (git_repository *git, const char *ref_name);
int fore_git_create_ref (git_repository *git,
                         const char *ref_name,
                         const git_oid *oid,
                         const char *log);
gboolean fore_git_swap_branch (git_repository *git,
                               const char *ref_name,
                               const git_oid *new_oid,
                               const git_oid *old_oid,
                               const char *log,
                               GError **error);

G_END_DECLS
