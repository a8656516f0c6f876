/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "text/fore-plain-line.h"

#include "text/fore-text.h"

#include <string.h>

#define MAX_HEADING 6
#define LONGEST_LINE 1000

static const char *
skip_heading (const char *text)
{
  gsize n = strspn (text, "#");

  return n > 0 && n <= MAX_HEADING && (text[n] == ' ' || text[n] == '\0') ? text + n : text;
}

static const char *
skip_list_mark (const char *text)
{
  return strchr ("-*+", *text) != NULL && *text != '\0' && text[1] == ' ' ? text + 2 : text;
}

/* What says at the begin of a line what kind of block it is. */
static const char *
skip_block_marks (const char *text)
{
  const char *before;

  do
    {
      while (*text == ' ' || *text == '\t')
        text++;
      before = text;
      if (*text == '>')
        text++;
      text = skip_heading (skip_list_mark (text));
    }
  while (text != before);

  return text;
}

/* Fences, rules and underlines of headings have nothing to say. */
static gboolean
is_only_marks (const char *text)
{
  return g_str_has_prefix (text, "```") || g_str_has_prefix (text, "~~~")
         || text[strspn (text, "#>-=*_+ \t")] == '\0';
}

static void
close_heading (GString *line)
{
  gsize end = line->len;

  while (end > 0 && line->str[end - 1] == '#')
    end--;
  if (end > 0 && line->str[end - 1] == ' ')
    g_string_truncate (line, end - 1);
}

/* The words of `[words](address)`; of what only looks like it, nothing. */
static const char *
add_link (GString *plain, const char *text)
{
  const char *words = text + (*text == '!' ? 2 : 1);
  const char *end = strchr (words, ']');
  const char *close = end != NULL && end[1] == '(' ? strchr (end, ')') : NULL;

  if (close == NULL || memchr (words, '[', (gsize) (end - words)) != NULL)
    return text;

  g_string_append_len (plain, words, end - words);
  return close + 1;
}

static const char *
add_code (GString *plain, const char *text)
{
  gsize n = strspn (text, "`");
  g_autofree char *fence = g_strndup (text, n);
  const char *end = strstr (text + n, fence);

  if (end == NULL)
    {
      g_string_append (plain, fence);
      return text + n;
    }

  g_string_append_len (plain, text + n, end - text - n);
  return end + n;
}

/* Asterisks with a blank on either side, or without a partner, are asterisks. */
static const char *
add_emphasis (GString *plain, const char *text)
{
  gsize n = strspn (text, "*");
  g_autofree char *mark = g_strndup (text, n);
  const char *words = text + n;
  const char *end = *words != '\0' && *words != ' ' ? strstr (words, mark) : NULL;

  if (end == NULL || end[-1] == ' ')
    {
      g_string_append (plain, mark);
      return words;
    }

  g_string_append_len (plain, words, end - words);
  return end + n;
}

static void
add_plain (GString *plain, const char *text)
{
  while (*text != '\0')
    {
      const char *next = text;

      if (*text == '\\' && g_ascii_ispunct (text[1]))
        text = next = text + 1;
      else if (*text == '`')
        next = add_code (plain, text);
      else if (*text == '*')
        next = add_emphasis (plain, text);
      else if (*text == '[' || (*text == '!' && text[1] == '['))
        next = add_link (plain, text);

      if (next == text)
        g_string_append_c (plain, *next++);
      text = next;
    }
}

/**
 * fore_plain_line_dup:
 * @markdown: a text in UTF-8, as people and agents write it
 * @max_chars: most characters of the result
 *
 * What emphasis encloses is taken as it stands; marks of blocks, links and code go. The marks are
 * those of CommonMark 0.30 that come in titles: headings, quotes, lists, fences, emphasis with
 * asterisks, code, links; underscores are left, as they stand in names.
 *
 * Returns: (transfer full): the first line of @markdown that says something, as plain text; its
 *   first line of any kind if none does
 */
char *
fore_plain_line_dup (const char *markdown, guint max_chars)
{
  g_auto (GStrv) lines = NULL;
  g_autoptr (GString) plain = NULL;

  g_return_val_if_fail (markdown != NULL, NULL);

  plain = g_string_new (NULL);
  lines = g_strsplit (markdown, "\n", -1);
  for (guint i = 0; lines[i] != NULL && plain->len == 0; i++)
    {
      g_autofree char *begin = NULL;
      g_autoptr (GString) line = NULL;

      g_strchomp (lines[i]);
      if (is_only_marks (lines[i]))
        continue;
      begin = fore_text_shorten (skip_block_marks (lines[i]), LONGEST_LINE);
      line = g_string_new (begin);
      close_heading (line);
      add_plain (plain, line->str);
    }

  return fore_text_first_line (plain->len > 0 ? plain->str : markdown, max_chars);
}
