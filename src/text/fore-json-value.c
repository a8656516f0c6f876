/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "text/fore-json-private.h"

#include <math.h>
#include <string.h>

static gunichar
read_hex (const char *text)
{
  gunichar value = 0;

  for (guint i = 0; i < 4; i++)
    value = value << 4 | g_ascii_xdigit_value (text[i]);

  return value;
}

static char
simple_escape (char c)
{
  switch (c)
    {
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return c;
    }
}

/* Decodes the \u escape at text; a pair of surrogates is one character. */
static gsize
decode_unicode (const char *text, gsize available, gunichar *c)
{
  gunichar low;

  *c = read_hex (text + 2);
  if (*c == 0 || (*c >= 0xdc00 && *c <= 0xdfff))
    {
      *c = 0xfffd;
      return 6;
    }

  if (*c < 0xd800 || *c > 0xdbff)
    return 6;

  low = available >= 12 && text[6] == '\\' && text[7] == 'u' ? read_hex (text + 8) : 0;
  if (low < 0xdc00 || low > 0xdfff)
    {
      *c = 0xfffd;
      return 6;
    }

  *c = 0x10000 + ((*c - 0xd800) << 10) + (low - 0xdc00);

  return 12;
}

static char *
decode_escaped (const char *text, gsize length, gsize *decoded)
{
  /* No escape grows: the shortest one of three bytes in UTF-8 has six. */
  char *result = g_malloc (length + 1);
  char *out = result;
  gsize i = 0;

  while (i < length)
    {
      const char *next = memchr (text + i, '\\', length - i);
      gsize plain = next != NULL ? (gsize) (next - text) - i : length - i;
      gunichar c;

      memcpy (out, text + i, plain);
      out += plain;
      i += plain;
      if (i >= length)
        break;

      if (text[i + 1] == 'u')
        {
          i += decode_unicode (text + i, length - i, &c);
          out += g_unichar_to_utf8 (c, out);
        }
      else
        {
          *out++ = simple_escape (text[i + 1]);
          i += 2;
        }
    }

  *out = '\0';
  if (decoded != NULL)
    *decoded = out - result;

  return result;
}

char *
fore_json_string_decode (const char *text, gsize length, gboolean escaped, gsize *decoded)
{
  if (escaped)
    return decode_escaped (text, length, decoded);

  if (decoded != NULL)
    *decoded = length;

  return g_strndup (text, length);
}

gboolean
fore_json_string_equals (const char *text, gsize length, gboolean escaped, const char *other)
{
  g_autofree char *decoded = NULL;

  if (!escaped)
    return strlen (other) == length && memcmp (text, other, length) == 0;

  decoded = decode_escaped (text, length, NULL);

  return strcmp (decoded, other) == 0;
}

/* Whether the number is written as a whole one and fits into 64 bits. */
gboolean
fore_json_number_is_int (const char *text, gsize length, gint64 *value)
{
  gboolean negative = length > 0 && text[0] == '-';
  guint64 limit = negative ? (guint64) G_MAXINT64 + 1 : (guint64) G_MAXINT64;
  guint64 sum = 0;

  for (gsize i = negative; i < length; i++)
    {
      guint digit = (guchar) text[i] - '0';

      if (digit > 9 || sum > (limit - digit) / 10)
        return FALSE;
      sum = sum * 10 + digit;
    }

  *value = negative ? (gint64) (0 - sum) : (gint64) sum;

  return TRUE;
}

double
fore_json_number_to_double (const char *text, gsize length)
{
  char buffer[64];
  g_autofree char *copy = NULL;
  char *number = buffer;
  double value;

  if (length >= sizeof buffer)
    number = copy = g_malloc (length + 1);

  memcpy (number, text, length);
  number[length] = '\0';
  value = g_ascii_strtod (number, NULL);

  return isfinite (value) ? value : copysign (G_MAXDOUBLE, value);
}

gint64
fore_json_number_to_int (const char *text, gsize length)
{
  gint64 value;
  double number;

  if (fore_json_number_is_int (text, length, &value))
    return value;

  number = fore_json_number_to_double (text, length);
  if (number >= (double) G_MAXINT64)
    return G_MAXINT64;
  if (number <= (double) G_MININT64)
    return G_MININT64;

  return (gint64) number;
}
