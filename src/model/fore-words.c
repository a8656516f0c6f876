/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "model/fore-words.h"

/**
 * fore_words_find:
 * @words: (array length=n_words): the words of an enumeration, by value
 * @n_words: how many
 * @text: (nullable): what to look for
 * @position: (out): where to put its value
 *
 * Returns: %FALSE, leaving @position alone, if @text is none of @words
 */
gboolean
fore_words_find (const char *const *words, guint n_words, const char *text, guint *position)
{
  g_return_val_if_fail (words != NULL, FALSE);
  g_return_val_if_fail (position != NULL, FALSE);

  for (guint i = 0; i < n_words; i++)
    {
      if (g_strcmp0 (words[i], text) == 0)
        {
          *position = i;
          return TRUE;
        }
    }

  return FALSE;
}
