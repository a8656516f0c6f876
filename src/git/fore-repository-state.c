/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "git/fore-repository-state.h"

/**
 * fore_repository_state_is_dirty:
 * @self: a state
 *
 * Returns: whether any file differs from the commit of HEAD
 */
gboolean
fore_repository_state_is_dirty (const ForeRepositoryState *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->n_modified + self->n_untracked + self->n_conflicted > 0;
}

/**
 * fore_repository_state_free:
 * @self: (nullable): a state
 *
 * Frees @self.
 */
void
fore_repository_state_free (ForeRepositoryState *self)
{
  if (self == NULL)
    return;

  g_free (self->branch);
  g_free (self->commit);
  g_free (self->operation);
  g_strfreev (self->dirty_paths);
  g_free (self);
}
