/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-plan-markdown-private.h"

#include "model/fore-error.h"
#include "model/fore-id.h"
#include "text/fore-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_WORDS 100
#define MAX_LINE 4096

typedef gboolean (*ReadWord) (ForePlanEntry *entry,
                              const char *word,
                              ForePlanPlace place,
                              GError **error);

typedef enum
{
  TAG_ID,
  TAG_ROLE,
  TAG_AFTER,
  TAG_PATHS,
  TAG_CHECK,
  N_TAGS
} Tag;

static const char *const tags[N_TAGS] = { "id:", "role:", "after:", "paths:", "check:" };

static void
after_free (gpointer data)
{
  ForePlanAfter *after = data;

  g_free (after->id);
  g_free (after);
}

ForePlanEntry *
fore_plan_entry_new (ForePlanPlace place)
{
  ForePlanEntry *entry = g_new0 (ForePlanEntry, 1);

  entry->item = fore_plan_item_new (NULL);
  entry->details = g_string_new (NULL);
  entry->place = place;

  return entry;
}

void
fore_plan_entry_free (ForePlanEntry *entry)
{
  g_clear_pointer (&entry->item, fore_plan_item_free);
  g_clear_pointer (&entry->afters, g_ptr_array_unref);
  g_string_free (entry->details, TRUE);
  g_free (entry->before);
  g_free (entry);
}

ForePlanPlace
fore_plan_line_get_place (const ForePlanLine *line, const char *p)
{
  return (ForePlanPlace){ line->number, (guint) g_utf8_pointer_to_offset (line->start, p) + 1 };
}

void
fore_plan_fail (ForePlanPlace place, GError **error, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, FORE_ERROR, FORE_ERROR_INVALID, "%u:%u: %s", place.line, place.column, text);
}

static int
find_tag (const char *text)
{
  for (guint i = 0; i < N_TAGS; i++)
    {
      if (g_str_has_prefix (text, tags[i]))
        return (int) i;
    }

  return -1;
}

/* Whether a tag with a value begins here. */
gboolean
fore_plan_tag_is (const char *text)
{
  return find_tag (text) >= 0;
}

/* Behind the span of code that begins at @p; @p itself if it is never closed. */
static const char *
skip_code (const char *p, const char *end)
{
  const char *close = memchr (p + 1, '`', (gsize) (end - p - 1));

  return close != NULL ? close + 1 : p;
}

static const char *
find_outside_code (const char *p, const char *end, char wanted)
{
  while (p < end && *p != wanted)
    {
      const char *next = *p == '`' ? skip_code (p, end) : p;

      p = next > p ? next : p + 1;
    }

  return p < end ? p : NULL;
}

static gboolean
has_room (guint n, ForePlanPlace place, GError **error)
{
  if (n >= MAX_WORDS)
    fore_plan_fail (place, error, _ ("An item takes at most %d of these; split it."), MAX_WORDS);

  return n < MAX_WORDS;
}

/* Columns are counted from the start of a line. */
static gboolean
is_short (const ForePlanLine *line, GError **error)
{
  ForePlanPlace place = { line->number, 1 };

  if (strlen (line->start) <= MAX_LINE)
    return TRUE;

  fore_plan_fail (place, error, _ ("This line has more than %d bytes; break it."), MAX_LINE);
  return FALSE;
}

static gboolean
read_id (ForePlanEntry *entry, const char *word, ForePlanPlace place, GError **error)
{
  if (!fore_id_is_task_key (word))
    {
      fore_plan_fail (place, error, _ ("“%s” cannot be an id; take 1 to 40 of a–z, 0–9 and “-”."),
                      word);
      return FALSE;
    }

  g_free (entry->item->id);
  entry->item->id = g_strdup (word);

  return TRUE;
}

static gboolean
read_role (ForePlanEntry *entry, const char *word, ForePlanPlace place, GError **error)
{
  if (entry->item->role != NULL && strcmp (entry->item->role, word) != 0)
    {
      fore_plan_fail (place, error,
                      _ ("The item has the role “%s” already; leave one of them out."),
                      entry->item->role);
      return FALSE;
    }

  g_free (entry->item->role);
  entry->item->role = g_strdup (word);
  entry->place = place;

  return TRUE;
}

static gboolean
read_after (ForePlanEntry *entry, const char *word, ForePlanPlace place, GError **error)
{
  ForePlanAfter *after;

  if (entry->afters == NULL)
    entry->afters = g_ptr_array_new_with_free_func (after_free);
  if (strcmp (word, "none") == 0)
    return TRUE;
  if (!has_room (entry->afters->len, place, error))
    return FALSE;

  after = g_new0 (ForePlanAfter, 1);
  after->id = g_strdup (word);
  after->place = place;
  g_ptr_array_add (entry->afters, after);

  return TRUE;
}

static gboolean
read_path (ForePlanEntry *entry, const char *word, ForePlanPlace place, GError **error)
{
  GStrv paths = entry->item->paths;
  guint n = paths != NULL ? g_strv_length (paths) : 0;

  if (!fore_id_is_tree_path (word))
    {
      fore_plan_fail (place, error,
                      _ ("“%s” is not inside the project; name a path relative to its folder."),
                      word);
      return FALSE;
    }

  if (!has_room (n, place, error))
    return FALSE;

  entry->item->paths = g_renew (char *, paths, n + 2);
  entry->item->paths[n] = g_strdup (word);
  entry->item->paths[n + 1] = NULL;

  return TRUE;
}

static gboolean
read_check (ForePlanEntry *entry, const char *word, ForePlanPlace place, GError **error)
{
  g_auto (GStrv) argv = NULL;
  g_autoptr (GError) problem = NULL;

  if (!g_shell_parse_argv (word, NULL, &argv, &problem))
    {
      fore_plan_fail (place, error, _ ("“%s” is not a command: %s"), word, problem->message);
      return FALSE;
    }
  if (fore_text_needs_shell ((const char *const *) argv))
    {
      fore_plan_fail (place, error,
                      _ ("“%s” needs a shell, and checks run without one; name a script."), word);
      return FALSE;
    }

  if (!has_room (entry->item->checks->len, place, error))
    return FALSE;

  g_ptr_array_add (entry->item->checks, fore_check_new ((const char *const *) argv));

  return TRUE;
}

static char *
dup_word (const char **start, const char *end)
{
  const char *from = *start;

  while (from < end && (g_ascii_isspace (*from) || *from == '`'))
    from++;
  while (end > from && (g_ascii_isspace (end[-1]) || end[-1] == '`'))
    end--;
  *start = from;

  return g_strndup (from, (gsize) (end - from));
}

static gboolean
read_words (
    ForePlanEntry *entry, const ForePlanLine *line, const char *end, ReadWord read, GError **error)
{
  const char *p = line->p;

  while (p <= end)
    {
      const char *comma = find_outside_code (p, end, ',');
      const char *stop = comma != NULL ? comma : end;
      const char *start = p;
      g_autofree char *word = dup_word (&start, stop);

      if (*word == '\0')
        {
          fore_plan_fail (fore_plan_line_get_place (line, start), error,
                          _ ("A word is missing here."));
          return FALSE;
        }
      if (!read (entry, word, fore_plan_line_get_place (line, start), error))
        return FALSE;
      p = stop + 1;
    }

  return TRUE;
}

static gboolean
read_checks (ForePlanEntry *entry, const ForePlanLine *line, const char *end, GError **error)
{
  const char *p = memchr (line->p, '`', (gsize) (end - line->p));

  if (p == NULL || skip_code (p, end) == p)
    {
      fore_plan_fail (fore_plan_line_get_place (line, line->p), error,
                      _ ("Put the command of a check between backquotes, such as check: `%s`."),
                      "make test");
      return FALSE;
    }

  while (p != NULL)
    {
      const char *next = skip_code (p, end);
      g_autofree char *word = NULL;

      if (next == p)
        break;
      word = g_strndup (p + 1, (gsize) (next - p - 2));
      if (!read_check (entry, word, fore_plan_line_get_place (line, p), error))
        return FALSE;
      p = next < end ? memchr (next, '`', (gsize) (end - next)) : NULL;
    }

  return TRUE;
}

/* Reads the tag at the line's place, whose value goes to @end. */
gboolean
fore_plan_tag_read (ForePlanEntry *entry, const ForePlanLine *line, const char *end, GError **error)
{
  static const ReadWord readers[N_TAGS] = {
    [TAG_ID] = read_id,
    [TAG_ROLE] = read_role,
    [TAG_AFTER] = read_after,
    [TAG_PATHS] = read_path,
  };
  int tag = find_tag (line->p);
  ForePlanLine value = *line;

  g_assert (tag >= 0);

  if (!is_short (line, error))
    return FALSE;

  value.p += strlen (tags[tag]);
  while (value.p < end && g_ascii_isspace (*value.p))
    value.p++;

  return tag == TAG_CHECK ? read_checks (entry, &value, end, error)
                          : read_words (entry, &value, end, readers[tag], error);
}

/* The tags between the brackets that begin at the line's place; @next is behind them. */
static gboolean
read_bracket (ForePlanEntry *entry, const ForePlanLine *line, const char **next, GError **error)
{
  const char *whole_end = line->p + strlen (line->p);
  const char *end = find_outside_code (line->p, whole_end, ')');
  ForePlanLine tag = *line;

  if (end == NULL)
    {
      fore_plan_fail (fore_plan_line_get_place (line, line->p), error,
                      _ ("This bracket is never closed; add a “)”."));
      return FALSE;
    }

  for (tag.p++; tag.p < end;)
    {
      const char *semicolon = find_outside_code (tag.p, end, ';');
      const char *stop = semicolon != NULL ? semicolon : end;

      while (tag.p < stop && g_ascii_isspace (*tag.p))
        tag.p++;
      if (!fore_plan_tag_is (tag.p))
        {
          fore_plan_fail (fore_plan_line_get_place (&tag, tag.p), error,
                          _ ("Here has to stand one of %s."), "id: role: after: paths: check:");
          return FALSE;
        }
      if (!fore_plan_tag_read (entry, &tag, stop, error))
        return FALSE;
      tag.p = stop + 1;
    }
  *next = end + 1;

  return TRUE;
}

static gboolean
is_name_char (char c)
{
  return g_ascii_isalnum (c) || c == '-' || c == '_';
}

static gboolean
read_at (ForePlanEntry *entry, const ForePlanLine *line, const char **next, GError **error)
{
  const ForePlanPlace place = fore_plan_line_get_place (line, line->p);
  const char *end = line->p + 1;
  g_autofree char *word = NULL;

  while (is_name_char (*end))
    end++;
  word = g_strndup (line->p + 1, (gsize) (end - line->p - 1));
  *next = end;

  return read_role (entry, word, place, error);
}

/* Reads the rest of a line as the title of an item: what is no tag is the title. */
gboolean
fore_plan_tag_title (ForePlanEntry *entry, const ForePlanLine *line, GError **error)
{
  g_autoptr (GString) title = g_string_new (NULL);
  const char *end = line->p + strlen (line->p);
  ForePlanLine at = *line;

  if (!is_short (line, error))
    return FALSE;

  while (at.p < end)
    {
      const char *next = at.p + 1;
      gboolean first = at.p == line->p || g_ascii_isspace (at.p[-1]);

      if (*at.p == '`' && skip_code (at.p, end) > at.p)
        next = skip_code (at.p, end);
      else if (first && *at.p == '@' && is_name_char (at.p[1]))
        {
          if (!read_at (entry, &at, &at.p, error))
            return FALSE;
          continue;
        }
      else if (*at.p == '(' && fore_plan_tag_is (at.p + 1))
        {
          if (!read_bracket (entry, &at, &at.p, error))
            return FALSE;
          continue;
        }
      g_string_append_len (title, at.p, next - at.p);
      at.p = next;
    }

  g_strstrip (title->str);
  if (*title->str == '\0')
    {
      fore_plan_fail (fore_plan_line_get_place (line, line->p), error,
                      _ ("This item does not say what is to be done; give it a title."));
      return FALSE;
    }
  entry->item->title = g_strdup (title->str);

  return TRUE;
}
