/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "git/fore-tree-commit.h"

/**
 * fore_tree_commit_free:
 * @self: (nullable): what was committed
 *
 * Frees @self.
 */
void
fore_tree_commit_free (ForeTreeCommit *self)
{
  if (self == NULL)
    return;

  g_free (self->commit);
  g_clear_pointer (&self->changes, g_ptr_array_unref);
  g_free (self->agent_branch);
  g_strfreev (self->nested);
  g_strfreev (self->notes);
  g_free (self);
}
