/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A linked work folder. Keep @git_dir when it is made: a tree is opened by it, not by what the
 * agent may have written into the folder.
 */
typedef struct
{
  char *name;        /* of its entry in the common git folder */
  char *path;        /* absolute folder */
  char *git_dir;     /* absolute <common dir>/worktrees/<name> */
  char *branch;      /* (nullable) checked out branch, NULL: detached or unreadable */
  char *lock_reason; /* (nullable) not NULL: locked */
  gboolean valid;    /* folder and entry point at each other */
} ForeWorktree;

ForeWorktree *fore_worktree_new (const char *git_dir, const char *path, const char *branch);
void fore_worktree_free (ForeWorktree *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeWorktree, fore_worktree_free)

G_END_DECLS
