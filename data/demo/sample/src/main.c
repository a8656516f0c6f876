/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "tally.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads all of the standard input. */
static char *
read_input (size_t *length)
{
  size_t size = 4096;
  char *text = malloc (size);
  size_t n;

  *length = 0;
  while (text != NULL && (n = fread (text + *length, 1, size - *length, stdin)) > 0)
    {
      *length += n;
      if (*length == size)
        text = realloc (text, size *= 2);
    }

  return text;
}

int
main (int argc, char **argv)
{
  struct tally tally = { 0 };
  char *text = read_input (&tally.bytes);

  if (text == NULL)
    return 1;

  tally.lines = count_lines (text, tally.bytes);
  tally.words = count_words (text, tally.bytes);
  report_text (&tally);
  free (text);

  return 0;
}
