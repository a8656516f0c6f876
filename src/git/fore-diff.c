/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "git/fore-diff.h"

/**
 * fore_diff_free:
 * @self: (nullable): a difference
 *
 * Frees @self with its files, hunks and lines.
 */
void
fore_diff_free (ForeDiff *self)
{
  if (self == NULL)
    return;

  g_ptr_array_unref (self->files);
  g_free (self);
}
