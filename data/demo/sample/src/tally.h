/* SPDX-License-Identifier: GPL-3.0-or-later */

#ifndef TALLY_H
#define TALLY_H

#include <stddef.h>

struct tally
{
  size_t lines;
  size_t words;
  size_t bytes;
  size_t longest;
};

size_t count_words (const char *text, size_t length);
size_t count_lines (const char *text, size_t length);
size_t longest_line (const char *text, size_t length);
void report_text (const struct tally *tally);

#endif
