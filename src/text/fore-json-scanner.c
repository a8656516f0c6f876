/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "text/fore-json.h"

#include "text/fore-json-private.h"

#include <string.h>

enum
{
  STATE_VALUE,
  STATE_FIRST_VALUE,
  STATE_FIRST_KEY,
  STATE_KEY,
  STATE_AFTER,
  STATE_DONE,
  STATE_FAILED,
};

const char fore_json_problem_depth[] = "too many brackets are open at once";

static ForeJsonToken
fail (ForeJsonScanner *scanner, const char *problem)
{
  scanner->state = STATE_FAILED;
  scanner->problem = problem;
  scanner->token = FORE_JSON_ERROR;
  scanner->token_start = scanner->position;
  scanner->token_length = 0;

  return FORE_JSON_ERROR;
}

static inline gboolean
in_object (const ForeJsonScanner *scanner)
{
  guint level = scanner->depth - 1;

  return (scanner->stack[level / 8] >> (level % 8)) & 1;
}

static inline void
skip_space (ForeJsonScanner *scanner)
{
  const char *text = scanner->text;
  gsize position = scanner->position;

  while (position < scanner->length
         && (text[position] == ' ' || text[position] == '\n' || text[position] == '\r'
             || text[position] == '\t'))
    position++;

  scanner->position = position;
}

/* Marks those of eight bytes that are a quote, a backslash, a control character or not ASCII. Of
 * the marks the lowest is always right; behind it there may be some too many.
 */
static inline guint64
mark_special (guint64 word)
{
  guint64 quote = word ^ (FORE_JSON_ONES * '"');
  guint64 backslash = word ^ (FORE_JSON_ONES * '\\');

  return ((quote - FORE_JSON_ONES) | (backslash - FORE_JSON_ONES) | (word - FORE_JSON_ONES * 0x20)
          | word)
         & FORE_JSON_HIGHS;
}

static inline gsize
skip_plain (const char *text, gsize position, gsize length)
{
  while (position + 8 <= length)
    {
      guint64 special = mark_special (fore_json_load_word (text + position));

      if (special != 0)
        return position + fore_json_first_mark (special);
      position += 8;
    }

  while (position < length && (guchar) text[position] >= 0x20 && (guchar) text[position] < 0x80
         && text[position] != '"' && text[position] != '\\')
    position++;

  return position;
}

static inline gboolean
is_continuation (char c)
{
  return ((guchar) c & 0xc0) == 0x80;
}

/* Length of the well-formed UTF-8 sequence at text, or 0. */
static inline guint
utf8_length (const char *text, gsize available)
{
  guchar a = text[0];
  guchar b = available > 1 ? text[1] : 0;

  if (a >= 0xc2 && a <= 0xdf && is_continuation (b))
    return 2;

  if (a >= 0xe0 && a <= 0xef && available >= 3 && is_continuation (b) && is_continuation (text[2])
      && !(a == 0xe0 && b < 0xa0) && !(a == 0xed && b >= 0xa0))
    return 3;

  if (a >= 0xf0 && a <= 0xf4 && available >= 4 && is_continuation (b) && is_continuation (text[2])
      && is_continuation (text[3]) && !(a == 0xf0 && b < 0x90) && !(a == 0xf4 && b >= 0x90))
    return 4;

  return 0;
}

/* Length of the escape at text (which starts with a backslash), or 0. */
static inline guint
escape_length (const char *text, gsize available)
{
  if (available < 2)
    return 0;

  if (text[1] != 'u')
    return strchr ("\"\\/bfnrt", text[1]) != NULL && text[1] != '\0' ? 2 : 0;

  if (available < 6)
    return 0;

  for (guint i = 2; i < 6; i++)
    {
      if (!g_ascii_isxdigit (text[i]))
        return 0;
    }

  return 6;
}

/* Scans the string whose opening quote has been passed. */
static gboolean
scan_string (ForeJsonScanner *scanner)
{
  const char *text = scanner->text;
  gsize position = scanner->position;
  gsize length = scanner->length;

  scanner->token_start = position;
  scanner->token_escaped = FALSE;

  while (TRUE)
    {
      guint step;

      position = skip_plain (text, position, length);
      scanner->position = position;
      if (position >= length)
        return fail (scanner, "a string is not closed"), FALSE;
      if (text[position] == '"')
        break;

      if (text[position] == '\\')
        {
          scanner->token_escaped = TRUE;
          step = escape_length (text + position, length - position);
        }
      else
        {
          step = utf8_length (text + position, length - position);
        }

      if (step == 0)
        return fail (scanner, "a string holds a character that is not allowed there"), FALSE;
      position += step;
    }

  scanner->token_length = position - scanner->token_start;
  scanner->position = position + 1;

  return TRUE;
}

static inline gsize
skip_digits (const char *text, gsize position, gsize length)
{
  while (position < length && g_ascii_isdigit (text[position]))
    position++;

  return position;
}

/* End of the number at position, or 0 if there is none. */
static gsize
number_end (const char *text, gsize position, gsize length)
{
  gsize digits;

  if (position < length && text[position] == '-')
    position++;

  digits = skip_digits (text, position, length);
  if (digits == position || (text[position] == '0' && digits > position + 1))
    return 0;
  position = digits;

  if (position < length && text[position] == '.')
    {
      digits = skip_digits (text, position + 1, length);
      if (digits == position + 1)
        return 0;
      position = digits;
    }

  if (position < length && (text[position] == 'e' || text[position] == 'E'))
    {
      position++;
      if (position < length && (text[position] == '+' || text[position] == '-'))
        position++;
      digits = skip_digits (text, position, length);
      if (digits == position)
        return 0;
      position = digits;
    }

  return position;
}

static ForeJsonToken
scan_number (ForeJsonScanner *scanner)
{
  gsize end = number_end (scanner->text, scanner->position, scanner->length);

  if (end == 0)
    return fail (scanner, "a number is malformed");

  scanner->token_start = scanner->position;
  scanner->token_length = end - scanner->position;
  scanner->position = end;

  return scanner->token = FORE_JSON_NUMBER;
}

static ForeJsonToken
scan_word (ForeJsonScanner *scanner, const char *word, ForeJsonToken token)
{
  gsize length = strlen (word);

  if (scanner->length - scanner->position < length
      || memcmp (scanner->text + scanner->position, word, length) != 0)
    return fail (scanner, "there is a word that is not JSON");

  scanner->token_start = scanner->position;
  scanner->token_length = length;
  scanner->position += length;

  return scanner->token = token;
}

static ForeJsonToken
scan_open (ForeJsonScanner *scanner, gboolean object)
{
  guint level = scanner->depth;

  if (level >= scanner->max_depth)
    return fail (scanner, fore_json_problem_depth);

  if (object)
    scanner->stack[level / 8] |= 1u << (level % 8);
  else
    scanner->stack[level / 8] &= ~(1u << (level % 8));

  scanner->depth++;
  scanner->token_start = scanner->position;
  scanner->token_length = 1;
  scanner->position++;
  scanner->state = object ? STATE_FIRST_KEY : STATE_FIRST_VALUE;

  return scanner->token = object ? FORE_JSON_OBJECT_START : FORE_JSON_ARRAY_START;
}

static ForeJsonToken
scan_close (ForeJsonScanner *scanner, gboolean object)
{
  if (in_object (scanner) != object)
    return fail (scanner, "a bracket is closed by one of the other kind");

  scanner->depth--;
  scanner->token_start = scanner->position;
  scanner->token_length = 1;
  scanner->position++;
  scanner->state = scanner->depth == 0 ? STATE_DONE : STATE_AFTER;

  return scanner->token = object ? FORE_JSON_OBJECT_END : FORE_JSON_ARRAY_END;
}

static ForeJsonToken
scan_value (ForeJsonScanner *scanner)
{
  char c = scanner->text[scanner->position];

  if (c == '{' || c == '[')
    return scan_open (scanner, c == '{');

  scanner->state = scanner->depth == 0 ? STATE_DONE : STATE_AFTER;
  switch (c)
    {
    case '"':
      scanner->position++;
      return scan_string (scanner) ? (scanner->token = FORE_JSON_STRING) : FORE_JSON_ERROR;
    case 't':
      return scan_word (scanner, "true", FORE_JSON_TRUE);
    case 'f':
      return scan_word (scanner, "false", FORE_JSON_FALSE);
    case 'n':
      return scan_word (scanner, "null", FORE_JSON_NULL);
    default:
      return scan_number (scanner);
    }
}

static ForeJsonToken
scan_key (ForeJsonScanner *scanner)
{
  if (scanner->text[scanner->position] != '"')
    return fail (scanner, "a name in quotes is missing");

  scanner->position++;
  if (!scan_string (scanner))
    return FORE_JSON_ERROR;

  skip_space (scanner);
  if (scanner->position >= scanner->length || scanner->text[scanner->position] != ':')
    return fail (scanner, "a colon is missing");

  scanner->position++;
  scanner->state = STATE_VALUE;

  return scanner->token = FORE_JSON_KEY;
}

static ForeJsonToken
scan_after (ForeJsonScanner *scanner)
{
  char c = scanner->text[scanner->position];

  if (c == '}' || c == ']')
    return scan_close (scanner, c == '}');

  if (c != ',')
    return fail (scanner, "a comma or a closing bracket is missing");

  scanner->position++;
  skip_space (scanner);
  if (scanner->position >= scanner->length)
    return fail (scanner, "the text ends too early");

  return in_object (scanner) ? scan_key (scanner) : scan_value (scanner);
}

static ForeJsonToken
scan_end (ForeJsonScanner *scanner)
{
  if (scanner->state != STATE_DONE)
    return fail (scanner, "the text ends too early");

  scanner->token_start = scanner->position;
  scanner->token_length = 0;

  return scanner->token = FORE_JSON_END;
}

/**
 * fore_json_scanner_init:
 * @scanner: a scanner
 * @text: text to scan; it must stay in place as long as @scanner is used
 * @length: bytes of @text, or -1 if a NUL ends it
 * @max_depth: most brackets open at once, at most %FORE_JSON_MAX_DEPTH
 *
 * Puts @scanner before the first token of @text. A byte order mark is passed over.
 */
void
fore_json_scanner_init (ForeJsonScanner *scanner, const char *text, gssize length, guint max_depth)
{
  g_return_if_fail (scanner != NULL);
  g_return_if_fail (text != NULL || length == 0);

  scanner->text = text;
  scanner->length = length < 0 ? strlen (text) : (gsize) length;
  scanner->position = 0;
  scanner->depth = 0;
  scanner->max_depth = MIN (max_depth, FORE_JSON_MAX_DEPTH);
  scanner->token = FORE_JSON_END;
  scanner->token_start = 0;
  scanner->token_length = 0;
  scanner->token_escaped = FALSE;
  scanner->problem = NULL;
  scanner->state = STATE_VALUE;

  if (scanner->length >= 3 && memcmp (text, "\xef\xbb\xbf", 3) == 0)
    scanner->position = 3;
}

/**
 * fore_json_scanner_next:
 * @scanner: a scanner
 *
 * Goes on to the next token. The start and length of strings and keys are those of what stands
 * between the quotes.
 *
 * Returns: the token; %FORE_JSON_END after the document; %FORE_JSON_ERROR (then always) where it is
 *   not JSON, with the reason in @problem and the place in @position
 */
ForeJsonToken
fore_json_scanner_next (ForeJsonScanner *scanner)
{
  g_return_val_if_fail (scanner != NULL, FORE_JSON_ERROR);

  if (scanner->state == STATE_FAILED)
    return FORE_JSON_ERROR;

  skip_space (scanner);
  if (scanner->position >= scanner->length)
    return scan_end (scanner);

  switch (scanner->state)
    {
    case STATE_VALUE:
      return scan_value (scanner);
    case STATE_FIRST_VALUE:
      if (scanner->text[scanner->position] == ']')
        return scan_close (scanner, FALSE);
      return scan_value (scanner);
    case STATE_FIRST_KEY:
      if (scanner->text[scanner->position] == '}')
        return scan_close (scanner, TRUE);
      return scan_key (scanner);
    case STATE_AFTER:
      return scan_after (scanner);
    default:
      return fail (scanner, "there is something after the end");
    }
}

/**
 * fore_json_scanner_skip:
 * @scanner: a scanner
 *
 * Passes over a value: the one that belongs to the key just read, or the rest of the object or
 * array just opened. After any other token nothing is passed over.
 *
 * Returns: %FALSE if it is not JSON
 */
gboolean
fore_json_scanner_skip (ForeJsonScanner *scanner)
{
  guint depth;

  g_return_val_if_fail (scanner != NULL, FALSE);

  if (scanner->token == FORE_JSON_KEY)
    fore_json_scanner_next (scanner);

  if (scanner->token == FORE_JSON_OBJECT_START || scanner->token == FORE_JSON_ARRAY_START)
    {
      depth = scanner->depth;
      while (scanner->depth >= depth && scanner->token != FORE_JSON_ERROR)
        fore_json_scanner_next (scanner);
    }

  return scanner->token != FORE_JSON_ERROR;
}

/**
 * fore_json_scanner_equals:
 * @scanner: a scanner at a string or key
 * @text: text to compare with
 *
 * Returns: whether the string or key just read is @text
 */
gboolean
fore_json_scanner_equals (const ForeJsonScanner *scanner, const char *text)
{
  g_return_val_if_fail (scanner != NULL, FALSE);
  g_return_val_if_fail (text != NULL, FALSE);

  if (scanner->token != FORE_JSON_KEY && scanner->token != FORE_JSON_STRING)
    return FALSE;

  return fore_json_string_equals (scanner->text + scanner->token_start, scanner->token_length,
                                  scanner->token_escaped, text);
}

/**
 * fore_json_scanner_dup_string:
 * @scanner: a scanner at a string or key
 *
 * Decodes the string or key just read. What a C string in UTF-8 cannot hold (lone surrogates, NUL)
 * becomes U+FFFD.
 *
 * Returns: (transfer full) (nullable): the string, or %NULL at another token
 */
char *
fore_json_scanner_dup_string (const ForeJsonScanner *scanner)
{
  g_return_val_if_fail (scanner != NULL, NULL);

  if (scanner->token != FORE_JSON_KEY && scanner->token != FORE_JSON_STRING)
    return NULL;

  return fore_json_string_decode (scanner->text + scanner->token_start, scanner->token_length,
                                  scanner->token_escaped, NULL);
}

/**
 * fore_json_scanner_get_int:
 * @scanner: a scanner
 * @fallback: what to return at anything but a number
 *
 * Returns: the number just read, cut to a whole one and, where it lies outside of 64 bits, to the
 *   nearest that fits
 */
gint64
fore_json_scanner_get_int (const ForeJsonScanner *scanner, gint64 fallback)
{
  g_return_val_if_fail (scanner != NULL, fallback);

  if (scanner->token != FORE_JSON_NUMBER)
    return fallback;

  return fore_json_number_to_int (scanner->text + scanner->token_start, scanner->token_length);
}

/**
 * fore_json_scanner_get_double:
 * @scanner: a scanner
 * @fallback: what to return at anything but a number
 *
 * Returns: the number just read, where it is too large the largest that fits
 */
double
fore_json_scanner_get_double (const ForeJsonScanner *scanner, double fallback)
{
  g_return_val_if_fail (scanner != NULL, fallback);

  if (scanner->token != FORE_JSON_NUMBER)
    return fallback;

  return fore_json_number_to_double (scanner->text + scanner->token_start, scanner->token_length);
}
