/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "tally.h"

/* The number of lines; the last one counts even if no line feed ends it. */
size_t
count_lines (const char *text, size_t length)
{
  size_t lines = 0;

  for (size_t i = 0; i < length; i++)
    {
      if (text[i] == '\n')
        lines++;
    }

  if (length > 0 && text[length - 1] != '\n')
    lines++;

  return lines;
}

/* The length of the longest line in bytes, without its line feed. */
size_t
longest_line (const char *text, size_t length)
{
  return length;
}
