/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-review-places.h"

#include <string.h>

/**
 * fore_review_find_line:
 * @comment: a comment
 * @file: its file as it is now
 *
 * Finds the line that @comment is about, which may have moved since: the one that has the text of
 * its quote and is nearest to where it was, else the nearest one.
 *
 * Returns: the number of a line that @file shows, or 0 if it has none
 */
guint
fore_review_find_line (const ForeReviewComment *comment, const ForeDiffDocFile *file)
{
  g_autofree char *quoted = comment->quote != NULL
                                ? g_strndup (comment->quote, strcspn (comment->quote, "\n"))
                                : NULL;
  guint best = 0;
  guint any = 0;

  for (guint i = 0; i < file->hunks->len; i++)
    {
      const ForeDiffDocHunk *hunk = g_ptr_array_index (file->hunks, i);

      for (guint j = 0; j < hunk->lines->len; j++)
        {
          const ForeDiffDocLine *line = &g_array_index (hunk->lines, ForeDiffDocLine, j);
          gint64 distance = ABS ((gint64) line->new_number - comment->first);

          if (line->new_number == 0)
            continue;
          if (any == 0 || distance < ABS ((gint64) any - comment->first))
            any = line->new_number;
          if (quoted != NULL && strcmp (line->text, quoted) == 0
              && (best == 0 || distance < ABS ((gint64) best - comment->first)))
            best = line->new_number;
        }
    }

  return best != 0 ? best : any;
}

/**
 * fore_review_make_stamp:
 * @file: a changed file
 *
 * Returns: (transfer full): what its changes are: it counts as viewed only as long as they are that
 */
char *
fore_review_make_stamp (const ForeDiffDocFile *file)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA1);

  for (guint i = 0; i < file->hunks->len; i++)
    {
      const ForeDiffDocHunk *hunk = g_ptr_array_index (file->hunks, i);

      for (guint j = 0; j < hunk->lines->len; j++)
        {
          const ForeDiffDocLine *line = &g_array_index (hunk->lines, ForeDiffDocLine, j);

          if (line->kind == FORE_DIFF_LINE_CONTEXT)
            continue;
          g_checksum_update (checksum, (const guchar *) line->text, -1);
          g_checksum_update (checksum,
                             (const guchar *) (line->kind == FORE_DIFF_LINE_ADDED ? "+" : "-"), 1);
        }
    }

  return g_strdup (g_checksum_get_string (checksum));
}
