/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "text/fore-text.h"

#include "model/fore-quantity.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define SECOND 1000
#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)

/* Characters that change what is seen without being seen: bidirectional controls, zero-width
 * characters, tags, separators that some programs take for the end of a line.
 */
static gboolean
is_hidden (gunichar c)
{
  return (c >= 0x7f && c <= 0x9f) || c == 0xad || c == 0x61c || c == 0x180e
         || (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e)
         || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || (c >= 0xfff9 && c <= 0xfffb)
         || (c >= 0xe0000 && c <= 0xe007f);
}

/**
 * fore_text_make_valid:
 * @data: bytes
 * @length: number of bytes, or -1 if a NUL ends them
 *
 * Returns: (transfer full): @data as UTF-8; what is none, and NUL, is U+FFFD
 */
char *
fore_text_make_valid (const char *data, gssize length)
{
  g_return_val_if_fail (data != NULL || length == 0, NULL);

  return g_utf8_make_valid (data != NULL ? data : "", length);
}

/**
 * fore_text_make_visible:
 * @text: text from outside; need not be UTF-8
 *
 * Shows what would act without being seen: control characters as their pictures, bidirectional and
 * zero-width ones by their numbers. Line feeds and tabs stay.
 *
 * Returns: (transfer full): text that looks like what it is
 */
char *
fore_text_make_visible (const char *text)
{
  g_autofree char *valid = NULL;
  GString *result;

  g_return_val_if_fail (text != NULL, NULL);

  valid = g_utf8_make_valid (text, -1);
  result = g_string_sized_new (strlen (valid));

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (c == '\n' || c == '\t')
        g_string_append_c (result, c);
      else if (c < 0x20)
        g_string_append_unichar (result, 0x2400 + c);
      else if (is_hidden (c))
        g_string_append_printf (result, "⟨U+%04X⟩", c);
      else
        g_string_append_len (result, p, g_utf8_next_char (p) - p);
    }

  return g_string_free (result, FALSE);
}

/* Passes over the rest of a control string, up to BEL or ESC backslash. */
static const char *
skip_control_string (const char *p)
{
  while (*p != '\0' && *p != '\a' && !(p[0] == '\x1b' && p[1] == '\\'))
    p++;

  if (*p == '\0')
    return p;

  return *p == '\a' ? p + 1 : p + 2;
}

/* Passes over the escape sequence at p. */
static const char *
skip_escape (const char *p)
{
  p++;
  if (*p == '[')
    {
      for (p++; *p >= 0x20 && *p < 0x40;)
        p++;
      return *p >= 0x40 && *p < 0x7f ? p + 1 : p;
    }

  if (*p == ']' || *p == 'P' || *p == 'X' || *p == '^' || *p == '_')
    return skip_control_string (p + 1);

  while (*p >= 0x20 && *p < 0x30)
    p++;

  return *p >= 0x30 && *p < 0x7f ? p + 1 : p;
}

/**
 * fore_text_strip_ansi:
 * @text: text in UTF-8
 *
 * Takes out escape sequences of terminals and control characters except line feed, tab and
 * carriage return.
 *
 * Returns: (transfer full): the plain text
 */
char *
fore_text_strip_ansi (const char *text)
{
  GString *result;
  const char *p = text;

  g_return_val_if_fail (text != NULL, NULL);

  result = g_string_sized_new (strlen (text));
  while (*p != '\0')
    {
      guchar c = *p;

      if (c == 0x1b)
        {
          p = skip_escape (p);
          continue;
        }
      if ((c >= 0x20 && c != 0x7f) || c == '\n' || c == '\t' || c == '\r')
        g_string_append_c (result, c);
      p++;
    }

  return g_string_free (result, FALSE);
}

/* Length in bytes of the first max_chars characters of the first length bytes. */
static gsize
prefix_length (const char *text, gsize length, guint max_chars)
{
  const char *p = text;

  while (max_chars > 0 && p < text + length)
    {
      p = g_utf8_next_char (p);
      max_chars--;
    }

  return MIN ((gsize) (p - text), length);
}

static char *
shorten (const char *text, gsize length, guint max_chars)
{
  gsize kept = prefix_length (text, length, max_chars);

  if (kept == length)
    return g_strndup (text, length);

  kept = prefix_length (text, length, MAX (max_chars, 1) - 1);

  return g_strdup_printf ("%.*s…", (int) kept, text);
}

/**
 * fore_text_shorten:
 * @text: text in UTF-8
 * @max_chars: most characters of the result
 *
 * Returns: (transfer full): @text, cut with an ellipsis if it is longer
 */
char *
fore_text_shorten (const char *text, guint max_chars)
{
  g_return_val_if_fail (text != NULL, NULL);

  return shorten (text, strlen (text), max_chars);
}

/**
 * fore_text_first_line:
 * @text: text in UTF-8
 * @max_chars: most characters of the result
 *
 * Returns: (transfer full): the first line of @text that is not blank, without the space around it
 */
char *
fore_text_first_line (const char *text, guint max_chars)
{
  const char *end;

  g_return_val_if_fail (text != NULL, NULL);

  while (g_ascii_isspace (*text))
    text++;

  end = text + strcspn (text, "\r\n");
  while (end > text && g_ascii_isspace (end[-1]))
    end--;

  return shorten (text, end - text, max_chars);
}

/**
 * fore_text_estimate_tokens:
 * @text: text
 * @length: bytes of @text, or -1 if a NUL ends it
 *
 * A guess at the number of tokens from the number of bytes: four of ASCII or three of other
 * characters make one.
 *
 * Returns: the guess, never 0 for text
 */
guint
fore_text_estimate_tokens (const char *text, gssize length)
{
  gsize n, ascii = 0;

  g_return_val_if_fail (text != NULL || length == 0, 0);

  n = length < 0 ? strlen (text) : (gsize) length;
  for (gsize i = 0; i < n; i++)
    ascii += (guchar) text[i] < 0x80;

  return MIN ((ascii + 3) / 4 + (n - ascii + 2) / 3, G_MAXUINT);
}

/**
 * fore_text_quote_word:
 * @word: a word of a command, a path for one
 *
 * Returns: (transfer full): @word as a shell reads it as one word; as it is where that needs
 * nothing
 */
char *
fore_text_quote_word (const char *word)
{
  g_return_val_if_fail (word != NULL, NULL);

  if (word[0] != '\0' && word[0] != '~'
      && strspn (word, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "/._-+:@%,=~") == strlen (word))
    return g_strdup (word);

  return g_shell_quote (word);
}

/**
 * fore_text_format_duration:
 * @ms: milliseconds
 *
 * Returns: (transfer full): how long that is, in at most two units
 */
char *
fore_text_format_duration (gint64 ms)
{
  ms = MAX (ms, 0);

  if (ms < SECOND)
    return g_strdup_printf (_ ("%d ms"), (int) ms);
  if (ms < 10 * SECOND)
    return g_strdup_printf (_ ("%d.%d s"), (int) (ms / SECOND), (int) (ms % SECOND / 100));
  if (ms < MINUTE)
    return g_strdup_printf (_ ("%d s"), (int) (ms / SECOND));
  if (ms < HOUR)
    return g_strdup_printf (_ ("%d min %d s"), (int) (ms / MINUTE), (int) (ms % MINUTE / SECOND));
  if (ms < DAY)
    return g_strdup_printf (_ ("%d h %d min"), (int) (ms / HOUR), (int) (ms % HOUR / MINUTE));

  return g_strdup_printf (_ ("%d d %d h"), (int) (ms / DAY), (int) (ms % DAY / HOUR));
}

/* Half a unit up, without an overflow. */
static gint64
divide_rounded (gint64 value, gint64 unit)
{
  return value / unit + (value % unit >= (unit + 1) / 2 ? 1 : 0);
}

/**
 * fore_text_format_tokens:
 * @tokens: a number of tokens; negative for unknown
 *
 * Returns: (transfer full): the number in short: "840", "9.4 k", "214 k", "1.2 M"
 */
char *
fore_text_format_tokens (gint64 tokens)
{
  if (tokens < 0)
    return g_strdup (_ ("unknown"));
  if (tokens < 1000)
    return g_strdup_printf ("%d", (int) tokens);
  if (divide_rounded (tokens, 100) < 100)
    return g_strdup_printf (_ ("%.1f k"), divide_rounded (tokens, 100) / 10.0);
  if (divide_rounded (tokens, 1000) < 1000)
    return g_strdup_printf (_ ("%.0f k"), (double) divide_rounded (tokens, 1000));
  if (divide_rounded (tokens, 100000) < 100)
    return g_strdup_printf (_ ("%.1f M"), divide_rounded (tokens, 100000) / 10.0);

  return g_strdup_printf (_ ("%.0f M"), (double) divide_rounded (tokens, 1000000));
}

/**
 * fore_text_format_cost:
 * @micro_dollars: millionths of a US dollar; negative for unknown
 *
 * Returns: (transfer full): the amount, to four places below a cent
 */
char *
fore_text_format_cost (gint64 micro_dollars)
{
  if (micro_dollars < 0)
    return g_strdup (_ ("unknown"));
  if (micro_dollars > 0 && micro_dollars < 10 * 1000)
    return g_strdup_printf ("$%.4f", MAX (divide_rounded (micro_dollars, 100), 1) / 1e4);

  return g_strdup_printf ("$%.2f", divide_rounded (micro_dollars, 10000) / 100.0);
}

/**
 * fore_text_format_size:
 * @bytes: a size
 *
 * Returns: (transfer full): the size in short
 */
char *
fore_text_format_size (guint64 bytes)
{
  return g_format_size_full (bytes, G_FORMAT_SIZE_IEC_UNITS);
}

/**
 * fore_text_format_time:
 * @us: microseconds since the epoch
 *
 * Returns: (transfer full) (nullable): the time in UTC as ISO 8601 with milliseconds, or %NULL if
 *   no calendar reaches that far
 */
char *
fore_text_format_time (gint64 us)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_utc (us / G_USEC_PER_SEC);
  g_autofree char *seconds = NULL;

  if (time == NULL || us < 0)
    return NULL;

  seconds = g_date_time_format (time, "%Y-%m-%dT%H:%M:%S");

  return g_strdup_printf ("%s.%03dZ", seconds, (int) (us % G_USEC_PER_SEC / 1000));
}

/**
 * fore_text_parse_duration:
 * @text: a duration such as `10 min`
 * @ms: (out): where to put the milliseconds
 *
 * Returns: %FALSE, leaving @ms alone, if @text is no duration
 */
gboolean
fore_text_parse_duration (const char *text, gint64 *ms)
{
  g_return_val_if_fail (text != NULL && ms != NULL, FALSE);

  return fore_duration_parse (text, ms);
}

/**
 * fore_text_parse_size:
 * @text: a size such as `512 MiB`
 * @bytes: (out): where to put the bytes
 *
 * Returns: %FALSE, leaving @bytes alone, if @text is no size
 */
gboolean
fore_text_parse_size (const char *text, gint64 *bytes)
{
  g_return_val_if_fail (text != NULL && bytes != NULL, FALSE);

  return fore_size_parse (text, bytes);
}

static gboolean
is_shell_call (const char *const *words)
{
  static const char *const shells[] = { "sh", "bash", "dash", "zsh", "ksh", "fish", NULL };
  g_autofree char *program = NULL;

  if (words[0] == NULL || words[1] == NULL || words[1][0] != '-')
    return FALSE;

  program = g_path_get_basename (words[0]);

  return g_strv_contains (shells, program);
}

/* `$HOME`, `${HOME}`, `$(date)`, `` `date` ``; not `$p` or `$1`, which sed and awk are given. */
static gboolean
is_expanded (const char *word)
{
  gsize n = 1;

  if (word[0] == '`' || g_str_has_prefix (word, "${") || g_str_has_prefix (word, "$("))
    return TRUE;
  if (word[0] != '$' || !(g_ascii_isupper (word[1]) || word[1] == '_'))
    return FALSE;

  while (g_ascii_isupper (word[n]) || g_ascii_isdigit (word[n]) || word[n] == '_')
    n++;

  return word[n] == '\0' || word[n] == '/';
}

static gboolean
is_operator (const char *word)
{
  static const char *const operators[] = { "&&", "||", "|", "&", ";", NULL };
  const char *from = word + g_ascii_isdigit (word[0]);

  return g_strv_contains (operators, word) || *from == '>' || *from == '<'
         || (word[0] != '\0' && g_str_has_suffix (word, ";"));
}

/**
 * fore_text_needs_shell:
 * @words: (array zero-terminated=1): a command line, split into words
 *
 * Tells what was written for a shell, as `make; make check` or `ls > list`: without one, its signs
 * are words like others. What calls a shell itself needs none.
 *
 * Returns: whether a word is one of a shell's signs
 */
gboolean
fore_text_needs_shell (const char *const *words)
{
  g_return_val_if_fail (words != NULL, FALSE);

  if (is_shell_call (words))
    return FALSE;

  for (guint i = 0; words[i] != NULL; i++)
    {
      if (is_operator (words[i]) || is_expanded (words[i]))
        return TRUE;
    }

  return FALSE;
}
