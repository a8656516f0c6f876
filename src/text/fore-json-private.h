/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "text/fore-json.h"

#include <string.h>

G_BEGIN_DECLS

/* Eight bytes at a time, the first of them the lowest. */
#define FORE_JSON_ONES G_GUINT64_CONSTANT (0x0101010101010101)
#define FORE_JSON_HIGHS G_GUINT64_CONSTANT (0x8080808080808080)

static inline guint64
fore_json_load_word (const char *text)
{
  guint64 word;

  memcpy (&word, text, 8);
  return GUINT64_FROM_LE (word);
}

/* Which byte the lowest of marks, each a byte's highest bit, is of. */
static inline guint
fore_json_first_mark (guint64 marks)
{
  return (guint) __builtin_ctzll (marks) / 8;
}

extern const char fore_json_problem_depth[];

/* All take the text of one token, already checked by the scanner. */
gboolean
fore_json_string_equals (const char *text, gsize length, gboolean escaped, const char *other);
char *fore_json_string_decode (const char *text, gsize length, gboolean escaped, gsize *decoded);
gboolean fore_json_number_is_int (const char *text, gsize length, gint64 *value);
gint64 fore_json_number_to_int (const char *text, gsize length);
double fore_json_number_to_double (const char *text, gsize length);

G_END_DECLS
