/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "git/fore-changed-lines.h"

#include "git/fore-git.h"

static int
add_hunk (const git_diff_delta *delta, const git_diff_hunk *hunk, void *data)
{
  ForeChangedLines lines = { 0, (guint) hunk->new_lines };

  if (hunk->new_lines == 0)
    return 0;

  lines.first = (guint) hunk->new_start - 1;
  g_array_append_val ((GArray *) data, lines);

  return 0;
}

/**
 * fore_changed_lines_find:
 * @before: (nullable): a text; %NULL is an empty one
 * @after: another
 *
 * Returns: (transfer full) (element-type ForeChangedLines): the lines of @after that @before does
 *   not have there, in their order; none where git takes one of them for binary
 */
GArray *
fore_changed_lines_find (GBytes *before, GBytes *after)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (ForeChangedLines));
  git_diff_options options = GIT_DIFF_OPTIONS_INIT;
  gconstpointer old_data = NULL, new_data;
  gsize old_length = 0, new_length;

  g_return_val_if_fail (after != NULL, NULL);

  fore_git_init ();
  options.context_lines = 0;
  if (before != NULL)
    old_data = g_bytes_get_data (before, &old_length);
  new_data = g_bytes_get_data (after, &new_length);
  if (git_diff_buffers (old_data, old_length, NULL, new_data, new_length, NULL, &options, NULL,
                        NULL, add_hunk, NULL, found)
      != 0)
    g_array_set_size (found, 0);

  return g_steal_pointer (&found);
}
