/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "text/fore-prune.h"

#include <string.h>

/* Below this there is room for nothing but a beginning. */
#define SMALL_BUDGET 1024
#define NOTE_BYTES 160
#define MAX_LINE 400

/* Shares of the budget in percent; what the lines with errors leave over goes to the beginning. */
#define TAIL_SHARE 30
#define ERROR_SHARE 15

typedef struct
{
  const char *start;
  gsize length;
} Line;

/* Words by which tools say that something is wrong, in small letters. */
static const char *const error_words[] = { "error",     "fail",       "fatal",     "panic",
                                           "exception", "traceback",  "assert",    "undefined",
                                           "denied",    "abort",      "not found", "cannot",
                                           "segment",   "unexpected", "conflict",  "warning:" };

static GArray *
split_lines (const char *text)
{
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (Line));

  while (*text != '\0')
    {
      Line line = { text, strcspn (text, "\n") };

      text += line.length + (text[line.length] == '\n');
      g_array_append_val (lines, line);
    }

  return lines;
}

static const Line *
get_line (GArray *lines, guint i)
{
  return &g_array_index (lines, Line, i);
}

static gboolean
is_fence (const Line *line)
{
  return line->length >= 3
         && (strncmp (line->start, "```", 3) == 0 || strncmp (line->start, "~~~", 3) == 0);
}

static gboolean
speaks_of_error (const Line *line)
{
  g_autofree char *lower = g_ascii_strdown (line->start, (gssize) MIN (line->length, MAX_LINE));

  for (guint i = 0; i < G_N_ELEMENTS (error_words); i++)
    {
      if (strstr (lower, error_words[i]) != NULL)
        return TRUE;
    }

  return FALSE;
}

/* At most @most bytes of a line, cut at a character. */
static void
append_line (GString *text, const Line *line, gsize most)
{
  gsize length = line->length;

  if (length > most)
    {
      const char *end = g_utf8_find_prev_char (line->start, line->start + most + 1);

      length = end != NULL ? (gsize) (end - line->start) : 0;
    }
  g_string_append_len (text, line->start, (gssize) length);
  g_string_append (text, length < line->length ? "…\n" : "\n");
}

/* The line behind the last one of a beginning of @budget bytes. */
static guint
find_head_end (GArray *lines, gsize budget)
{
  gsize used = 0;
  guint i;

  for (i = 0; i < lines->len; i++)
    {
      used += get_line (lines, i)->length + 1;
      if (used > budget)
        break;
    }

  return i;
}

static guint
find_tail_start (GArray *lines, guint first, gsize budget)
{
  gsize used = 0;
  guint i;

  for (i = lines->len; i > first; i--)
    {
      used += get_line (lines, i - 1)->length + 1;
      if (used > budget)
        break;
    }

  return i;
}

/* The fence that is open before line @end, or NULL. */
static const Line *
find_open_fence (GArray *lines, guint end)
{
  const Line *open = NULL;

  for (guint i = 0; i < end; i++)
    {
      if (is_fence (get_line (lines, i)))
        open = open == NULL ? get_line (lines, i) : NULL;
    }

  return open;
}

static void
append_errors (GString *text, GArray *lines, guint from, guint to, gsize budget)
{
  gsize start = text->len;

  for (guint i = from; i < to; i++)
    {
      const Line *line = get_line (lines, i);

      if (!speaks_of_error (line))
        continue;
      if (text->len - start + MIN (line->length, MAX_LINE) + 16 > budget)
        return;
      g_string_append_printf (text, "%u: ", i + 1);
      append_line (text, line, MAX_LINE);
    }
}

static void
append_note (GString *text, GArray *lines, guint from, guint to, const char *where)
{
  gsize bytes = 0;

  for (guint i = from; i < to; i++)
    bytes += get_line (lines, i)->length + 1;

  g_string_append_printf (text, "[%u lines, %" G_GSIZE_FORMAT " bytes left out here%s%s]\n",
                          to - from, bytes, where != NULL ? "; the whole text is in " : "",
                          where != NULL ? where : "");
}

static char *
cut_short (const char *text, gsize budget, const char *where)
{
  const char *end = g_utf8_find_prev_char (text, text + budget + 1);
  gsize length = end != NULL ? (gsize) (end - text) : 0;

  return g_strdup_printf ("%.*s\n[%" G_GSIZE_FORMAT " more bytes%s%s]\n", (int) length, text,
                          strlen (text) - length, where != NULL ? ": the whole text is in " : "",
                          where != NULL ? where : " left out");
}

static char *
join_ends (GArray *lines, guint head, guint tail, gsize errors, const char *where)
{
  GString *text = g_string_new (NULL);
  const Line *open_at_head = find_open_fence (lines, head);
  const Line *open_at_tail = find_open_fence (lines, tail);

  for (guint i = 0; i < head; i++)
    append_line (text, get_line (lines, i), get_line (lines, i)->length);
  if (open_at_head != NULL)
    g_string_append_printf (text, "%.3s\n", open_at_head->start);

  append_note (text, lines, head, tail, where);
  append_errors (text, lines, head, tail, errors);

  if (open_at_tail != NULL)
    append_line (text, open_at_tail, MAX_LINE);
  for (guint i = tail; i < lines->len; i++)
    append_line (text, get_line (lines, i), get_line (lines, i)->length);

  return g_string_free (text, FALSE);
}

/**
 * fore_prune_text:
 * @text: UTF-8
 * @budget: how many bytes may be left of it
 * @where: (nullable): where the whole text is, to say so
 *
 * Makes a text shorter so that it still can be worked with: whole lines of its beginning and of its
 * end stay, and of the middle the lines that speak of errors, with their numbers; fences of code
 * that the cut opens are closed. What fits stays as it is.
 *
 * Returns: (transfer full): the text, at most @budget bytes and what is said about the cut
 */
char *
fore_prune_text (const char *text, gsize budget, const char *where)
{
  g_autoptr (GArray) lines = NULL;
  gsize errors = budget * ERROR_SHARE / 100, tail_bytes = budget * TAIL_SHARE / 100;
  guint head, tail;

  g_return_val_if_fail (text != NULL, NULL);

  if (strlen (text) <= budget)
    return g_strdup (text);
  if (budget < SMALL_BUDGET)
    return cut_short (text, budget, where);

  lines = split_lines (text);
  head = find_head_end (lines, budget - errors - tail_bytes - NOTE_BYTES);
  tail = find_tail_start (lines, head, tail_bytes);
  if (head == 0 || tail == lines->len || head >= tail)
    return cut_short (text, budget, where);

  return join_ends (lines, head, tail, errors, where);
}
