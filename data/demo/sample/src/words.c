/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "tally.h"

/* The number of words in the text. */
size_t
count_words (const char *text, size_t length)
{
  size_t words = 0;

  for (size_t i = 0; i < length; i++)
    {
      if (text[i] == ' ' || text[i] == '\n')
        words++;
    }

  return words;
}
