/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "text/fore-token-class.h"

/* Planes 0 and 1 are looked up; what is above is asked of GLib each time. */
#define N_TABLE 0x20000

static guint8 table[N_TABLE];

static ForeTokenClass
classify (gunichar c)
{
  if (c == '\n' || c == '\r')
    return FORE_TOKEN_NEWLINE;
  /* \s is the property White_Space, which has controls that GLib's categories keep apart. */
  if ((c >= 0x09 && c <= 0x0d) || c == 0x85)
    return FORE_TOKEN_SPACE;

  switch (g_unichar_type (c))
    {
    case G_UNICODE_UPPERCASE_LETTER:
    case G_UNICODE_TITLECASE_LETTER:
      return FORE_TOKEN_UPPER;
    case G_UNICODE_LOWERCASE_LETTER:
      return FORE_TOKEN_LOWER;
    case G_UNICODE_MODIFIER_LETTER:
    case G_UNICODE_OTHER_LETTER:
      return FORE_TOKEN_LETTER;
    case G_UNICODE_SPACING_MARK:
    case G_UNICODE_ENCLOSING_MARK:
    case G_UNICODE_NON_SPACING_MARK:
      return FORE_TOKEN_MARK;
    case G_UNICODE_DECIMAL_NUMBER:
    case G_UNICODE_LETTER_NUMBER:
    case G_UNICODE_OTHER_NUMBER:
      return FORE_TOKEN_NUMBER;
    case G_UNICODE_LINE_SEPARATOR:
    case G_UNICODE_PARAGRAPH_SEPARATOR:
    case G_UNICODE_SPACE_SEPARATOR:
      return FORE_TOKEN_SPACE;
    default:
      return FORE_TOKEN_OTHER;
    }
}

/**
 * fore_token_class_init:
 *
 * Fills the table. May be called any number of times, from any thread.
 */
void
fore_token_class_init (void)
{
  static gsize filled;

  if (!g_once_init_enter (&filled))
    return;

  for (gunichar c = 0; c < N_TABLE; c++)
    table[c] = classify (c);

  g_once_init_leave (&filled, 1);
}

static ForeTokenClass
look_up (gunichar c)
{
  if (c < N_TABLE)
    return table[c];

  return c <= 0x10ffff ? classify (c) : FORE_TOKEN_OTHER;
}

/**
 * fore_token_class_at:
 * @text: where a character begins, before @end
 * @end: where the text ends
 * @length: (out): how many bytes the character takes
 *
 * Classifies a character. Bytes that are no UTF-8 are taken one by one, as is a character that is
 * cut off by @end, so that what follows never depends on what stands before it.
 *
 * Returns: its class
 */
ForeTokenClass
fore_token_class_at (const guint8 *text, const guint8 *end, guint *length)
{
  guint8 first = *text;
  guint n = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  gunichar c;

  *length = 1;
  if (first < 0x80)
    return table[first];
  if (first < 0xc0 || n > (gsize) (end - text))
    return FORE_TOKEN_OTHER;

  c = first & (0x7f >> n);
  for (guint i = 1; i < n; i++)
    {
      if ((text[i] & 0xc0) != 0x80)
        return FORE_TOKEN_OTHER;
      c = c << 6 | (text[i] & 0x3f);
    }

  *length = n;
  return look_up (c);
}
