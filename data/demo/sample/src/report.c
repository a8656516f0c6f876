/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "tally.h"

#include <stdio.h>

/* Prints the counts for people. */
void
report_text (const struct tally *tally)
{
  printf ("%zu lines, %zu words, %zu bytes\n", tally->lines, tally->words, tally->bytes);
}
