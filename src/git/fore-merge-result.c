/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "git/fore-merge-result.h"

static const char *const mode_names[] = {
  [FORE_MERGE_FAST_FORWARD] = "ff",
  [FORE_MERGE_COMMIT] = "merge",
  [FORE_MERGE_SQUASH] = "squash",
};

/**
 * fore_merge_mode_to_string:
 * @mode: how to merge
 *
 * Returns: (transfer none): the word of settings and JSON
 */
const char *
fore_merge_mode_to_string (ForeMergeMode mode)
{
  g_return_val_if_fail (mode < G_N_ELEMENTS (mode_names), NULL);

  return mode_names[mode];
}

/**
 * fore_merge_mode_from_string:
 * @text: (nullable): a word
 * @mode: (out): where to put the mode
 *
 * Returns: %FALSE, leaving @mode alone, if @text names none
 */
gboolean
fore_merge_mode_from_string (const char *text, ForeMergeMode *mode)
{
  g_return_val_if_fail (mode != NULL, FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (mode_names); i++)
    {
      if (g_strcmp0 (text, mode_names[i]) == 0)
        {
          *mode = i;
          return TRUE;
        }
    }

  return FALSE;
}

/**
 * fore_merge_result_free:
 * @self: (nullable): a result
 *
 * Frees @self.
 */
void
fore_merge_result_free (ForeMergeResult *self)
{
  if (self == NULL)
    return;

  g_free (self->commit);
  g_free (self->tree);
  g_clear_pointer (&self->conflicts, g_ptr_array_unref);
  g_free (self->conflict_with);
  g_strfreev (self->local_conflicts);
  g_free (self);
}
