/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "git/fore-repository-private.h"

G_BEGIN_DECLS

/* A submodule as it stands in a work folder. */
typedef struct
{
  char *path;             /* in the work folder */
  char *folder;           /* absolute */
  ForeRepository *home;   /* (nullable) whose worktree it is; NULL: not made by Foredeck */
  ForeWorktree *worktree; /* (nullable) likewise */
} ForeModule;

char **fore_git_list_modules (ForeRepository *tree);
gboolean fore_git_has_module (const char *workdir, const char *path);
gboolean fore_git_read_module_head (const char *workdir, const char *path, git_oid *oid);
gboolean fore_git_module_is_settled (const char *folder);
gboolean fore_git_stage_modules (
    git_repository *git, git_index *index, git_index *theirs, const char *workdir, GError **error);

ForeModule *fore_module_find (ForeRepository *tree, const char *path);
void fore_module_free (ForeModule *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeModule, fore_module_free)

/* What happens to the trees of submodules along with the tree that they stand in. */
gboolean fore_git_settle_modules (ForeRepository *tree,
                                  const char *branch,
                                  const char *base,
                                  const char *message,
                                  const ForeIdentity *author,
                                  GPtrArray *notes,
                                  GError **error);
void fore_git_undo_modules (ForeRepository *self, const char *branch, const char *path);
gboolean fore_git_remove_modules (ForeRepository *tree,
                                  const char *rescue_name,
                                  GPtrArray *rescued,
                                  GError **error);

G_END_DECLS
