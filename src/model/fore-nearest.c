/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "model/fore-nearest.h"

#include <string.h>

/* Words are compared up to this length: names that people type are shorter. */
#define MAX_WORD 64

/**
 * fore_edit_distance:
 * @a: a word
 * @b: another word
 * @limit: what counts as "too far"
 *
 * Counts how many insertions, deletions, replacements and swaps of neighbours turn @a into @b,
 * ASCII case ignored.
 *
 * Returns: the distance, or @limit + 1 if it is more than @limit or a word is very long
 */
guint
fore_edit_distance (const char *a, const char *b, guint limit)
{
  guint rows[3][MAX_WORD + 1];
  gsize n_a, n_b;

  g_return_val_if_fail (a != NULL, limit + 1);
  g_return_val_if_fail (b != NULL, limit + 1);

  n_a = strlen (a);
  n_b = strlen (b);
  if (n_a > MAX_WORD || n_b > MAX_WORD || MAX (n_a, n_b) - MIN (n_a, n_b) > limit)
    return limit + 1;

  for (gsize j = 0; j <= n_b; j++)
    rows[0][j] = j;

  for (gsize i = 1; i <= n_a; i++)
    {
      guint *now = rows[i % 3], *before = rows[(i - 1) % 3], *two_before = rows[(i + 1) % 3];

      now[0] = i;
      for (gsize j = 1; j <= n_b; j++)
        {
          char x = g_ascii_tolower (a[i - 1]), y = g_ascii_tolower (b[j - 1]);

          now[j] = MIN (before[j - 1] + (x != y), MIN (before[j], now[j - 1]) + 1);
          if (i > 1 && j > 1 && x == g_ascii_tolower (b[j - 2]) && y == g_ascii_tolower (a[i - 2]))
            now[j] = MIN (now[j], two_before[j - 2] + 1);
        }
    }

  return MIN (rows[n_a % 3][n_b], limit + 1);
}

/**
 * fore_nearest_word:
 * @word: what was typed
 * @words: (array zero-terminated=1): what could have been meant
 *
 * Finds the word that @word is most likely a slip of.
 *
 * Returns: (transfer none) (nullable): one of @words, or %NULL if none is near
 */
const char *
fore_nearest_word (const char *word, const char *const *words)
{
  const char *nearest = NULL;
  guint best;

  g_return_val_if_fail (word != NULL, NULL);
  g_return_val_if_fail (words != NULL, NULL);

  best = CLAMP (strlen (word) / 3, 1, 3) + 1;
  for (guint i = 0; words[i] != NULL; i++)
    {
      guint distance = fore_edit_distance (word, words[i], best);

      if (distance < best)
        {
          best = distance;
          nearest = words[i];
        }
    }

  return nearest;
}
