/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "git/fore-worktree.h"

/**
 * fore_worktree_new:
 * @git_dir: the entry recorded when the worktree was made
 * @path: its folder
 * @branch: (nullable): its branch
 *
 * Puts a worktree together again from what was kept of it; nothing is checked.
 *
 * Returns: (transfer full): free with fore_worktree_free()
 */
ForeWorktree *
fore_worktree_new (const char *git_dir, const char *path, const char *branch)
{
  ForeWorktree *self;

  g_return_val_if_fail (git_dir != NULL, NULL);
  g_return_val_if_fail (path != NULL, NULL);

  self = g_new0 (ForeWorktree, 1);
  self->name = g_path_get_basename (git_dir);
  self->path = g_strdup (path);
  self->git_dir = g_strdup (git_dir);
  self->branch = g_strdup (branch);

  return self;
}

/**
 * fore_worktree_free:
 * @self: (nullable): a worktree
 *
 * Frees @self; the folder stays.
 */
void
fore_worktree_free (ForeWorktree *self)
{
  if (self == NULL)
    return;

  g_free (self->name);
  g_free (self->path);
  g_free (self->git_dir);
  g_free (self->branch);
  g_free (self->lock_reason);
  g_free (self);
}
