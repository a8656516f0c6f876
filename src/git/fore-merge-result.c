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
 * fore_merge_conflict_get_id:
 * @self: a conflict
 * @side: one of its sides
 *
 * Returns: (transfer none) (nullable): id of the file there; %NULL where it is not
 */
const char *
fore_merge_conflict_get_id (const ForeMergeConflict *self, ForeMergeSide side)
{
  g_return_val_if_fail (self != NULL, NULL);

  switch (side)
    {
    case FORE_MERGE_SIDE_BASE:
      return self->base;

    case FORE_MERGE_SIDE_OURS:
      return self->ours;

    case FORE_MERGE_SIDE_THEIRS:
      return self->theirs;

    case FORE_N_MERGE_SIDES:
    default:
      g_return_val_if_reached (NULL);
    }
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
