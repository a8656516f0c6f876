/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "git/fore-tree-report.h"

/**
 * fore_ignored_fate_to_string:
 * @fate: what becomes of it
 *
 * Returns: (transfer none): a word for it
 */
const char *
fore_ignored_fate_to_string (ForeIgnoredFate fate)
{
  static const char *const words[] = { "kept", "same", "remade", "too-large" };

  g_return_val_if_fail (fate < G_N_ELEMENTS (words), NULL);

  return words[fate];
}

/**
 * fore_tree_report_is_safe:
 * @self: a report
 *
 * Returns: whether the tree can be removed and all that is worth keeping would be kept
 */
gboolean
fore_tree_report_is_safe (const ForeTreeReport *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->obstacles == NULL || self->obstacles[0] == NULL;
}

/**
 * fore_tree_report_free:
 * @self: (nullable): a report
 *
 * Frees @self.
 */
void
fore_tree_report_free (ForeTreeReport *self)
{
  if (self == NULL)
    return;

  g_clear_pointer (&self->ignored, g_ptr_array_unref);
  g_strfreev (self->obstacles);
  g_free (self);
}
