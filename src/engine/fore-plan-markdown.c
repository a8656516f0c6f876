/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-plan-markdown-private.h"

#include "model/fore-error.h"
#include "model/fore-id.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define TAB_WIDTH 4
#define HEADING_MAX 6
#define MAX_ENTRIES 1000

static guint
measure_indent (const char *line, const char **text)
{
  guint indent = 0;

  for (; *line == ' ' || *line == '\t'; line++)
    indent += *line == '\t' ? TAB_WIDTH : 1;
  *text = line;

  return indent;
}

/* Behind the mark of a heading, or NULL. */
static const char *
get_heading (const char *line, guint *level)
{
  const char *text;
  guint n = 0;

  if (measure_indent (line, &text) >= TAB_WIDTH)
    return NULL;
  while (text[n] == '#')
    n++;
  if (n == 0 || n > HEADING_MAX || !(text[n] == ' ' || text[n] == '\t'))
    return NULL;

  *level = n;
  text += n;
  while (g_ascii_isspace (*text))
    text++;

  return *text != '\0' ? text : NULL;
}

/* Behind the mark of a list item, or NULL. */
static const char *
get_list_item (const char *text, gboolean *numbered)
{
  const char *p = text;

  if (*p == '-' || *p == '*' || *p == '+')
    p++;
  else
    {
      while (g_ascii_isdigit (*p) && p - text < 9)
        p++;
      if (p == text || !(*p == '.' || *p == ')'))
        return NULL;
      p++;
    }
  if (!(*p == ' ' || *p == '\t'))
    return NULL;

  *numbered = g_ascii_isdigit (*text);
  while (g_ascii_isspace (*p))
    p++;

  return *p != '\0' ? p : NULL;
}

static gboolean
is_fence (const char *line, char *mark)
{
  const char *text;

  measure_indent (line, &text);
  if (!g_str_has_prefix (text, "```") && !g_str_has_prefix (text, "~~~"))
    return FALSE;

  *mark = *text;

  return TRUE;
}

/* The line that ends what begins at line @i, or G_MAXUINT. */
static guint
find_fence_end (char **lines, guint i, char mark)
{
  char end;

  for (guint j = i + 1; lines[j] != NULL; j++)
    {
      if (is_fence (lines[j], &end) && end == mark)
        return j;
    }

  return G_MAXUINT;
}

static gboolean
is_comment (const char *line)
{
  const char *text;

  measure_indent (line, &text);

  return g_str_has_prefix (text, "<!--");
}

static guint
find_comment_end (char **lines, guint i)
{
  for (guint j = i; lines[j] != NULL; j++)
    {
      if (strstr (lines[j], "-->") != NULL)
        return j;
    }

  return G_MAXUINT;
}

static gboolean
has_tag (const char *text)
{
  for (const char *p = text; *p != '\0'; p++)
    {
      gboolean first = p == text || g_ascii_isspace (p[-1]);

      if ((first && *p == '@' && g_ascii_isalnum (p[1])) || (*p == '(' && fore_plan_tag_is (p + 1)))
        return TRUE;
    }

  return FALSE;
}

/* Whether the heading at line @i only stands over items: a list, or deeper headings. */
static gboolean
is_group (ForePlanReader *self, guint i, guint level)
{
  for (guint j = i + 1; self->lines[j] != NULL; j++)
    {
      const char *text;
      guint deeper;
      gboolean numbered;
      char mark;

      if (is_fence (self->lines[j], &mark))
        j = find_fence_end (self->lines, j, mark);
      else if (is_comment (self->lines[j]))
        j = find_comment_end (self->lines, j);
      else if (get_heading (self->lines[j], &deeper) != NULL)
        return deeper > level;
      else if (measure_indent (self->lines[j], &text) < TAB_WIDTH
               && (text = get_list_item (text, &numbered)) != NULL && !fore_plan_tag_is (text))
        return TRUE;
      if (j == G_MAXUINT)
        return FALSE;
    }

  return FALSE;
}

/* Items */

static gboolean
is_taken (ForePlanReader *self, const char *id)
{
  return g_hash_table_contains (self->ids, id)
         || (self->rules->taken != NULL && g_strv_contains (self->rules->taken, id));
}

static char *
dup_free_id (ForePlanReader *self, const char *title)
{
  g_autofree char *id = fore_id_dup_task_key (title);

  if (!is_taken (self, id))
    return g_steal_pointer (&id);

  for (guint n = 2;; n++)
    {
      char *other = g_strdup_printf ("%.30s-%u", id, n);

      if (!is_taken (self, other))
        return other;
      g_free (other);
    }
}

/* Tags of the current item may come on any of its lines: what it is called is known at its end. */
static gboolean
close_entry (ForePlanReader *self, GError **error)
{
  ForePlanEntry *entry = g_steal_pointer (&self->current);
  ForePlanItem *item;

  if (entry == NULL)
    return TRUE;

  item = entry->item;
  if (item->id != NULL && is_taken (self, item->id))
    {
      fore_plan_fail (entry->place, error,
                      _ ("There is a task “%s” already; give this one another id."), item->id);
      return FALSE;
    }
  if (item->id == NULL)
    item->id = dup_free_id (self, item->title);
  g_hash_table_insert (self->ids, item->id, entry);

  if (entry->done)
    {
      g_string_append_printf (self->done, "%s%s", self->done->len > 0 ? ", " : "", item->title);
      return TRUE;
    }
  if (entry->before != NULL)
    {
      g_free (self->numbered);
      self->numbered = g_strdup (item->id);
    }

  return TRUE;
}

static const char *
skip_box (const char *text, gboolean *done)
{
  if (text[0] != '[' || text[1] == '\0' || text[2] != ']' || !g_ascii_isspace (text[3])
      || strchr (" xX", text[1]) == NULL)
    return text;

  *done = text[1] != ' ';
  for (text += 3; g_ascii_isspace (*text);)
    text++;

  return text;
}

static gboolean
open_entry (ForePlanReader *self, ForePlanLine *line, gboolean numbered, GError **error)
{
  ForePlanEntry *entry = fore_plan_entry_new (fore_plan_line_get_place (line, line->p));

  g_ptr_array_add (self->entries, entry);
  line->p = skip_box (line->p, &entry->done);
  if (self->entries->len > MAX_ENTRIES)
    {
      fore_plan_fail (entry->place, error,
                      _ ("A file takes at most %d items, those that are done included."),
                      MAX_ENTRIES);
      return FALSE;
    }
  if (!entry->done && ++self->n_open > self->rules->max_items)
    {
      fore_plan_fail (entry->place, error,
                      _ ("The plan has more than the %u items that limits.plan_items allows; "
                         "split the file."),
                      self->rules->max_items);
      return FALSE;
    }
  if (numbered)
    entry->before = g_strdup (self->numbered != NULL ? self->numbered : "");
  self->current = entry;

  return fore_plan_tag_title (entry, line, error);
}

/* Lines */

static void
append_line (GString *text, const char *line, guint indent)
{
  for (guint at = 0; at < indent && (*line == ' ' || *line == '\t'); line++)
    at += *line == '\t' ? TAB_WIDTH : 1;
  g_string_append (text, line);
  g_string_append_c (text, '\n');
}

static void
add_text (ForePlanReader *self, const char *line)
{
  if (self->current != NULL)
    append_line (self->current->details, line, self->indent);
  else
    append_line (self->summary, line, 0);
}

static gboolean
read_heading (ForePlanReader *self, guint i, const char *text, guint level, GError **error)
{
  ForePlanLine line = { self->lines[i], text, i + 1 };

  if (!close_entry (self, error))
    return FALSE;

  g_clear_pointer (&self->numbered, g_free);
  self->in_list = FALSE;
  self->by_heading = FALSE;
  if (level == 1 && self->title == NULL && self->entries->len == 0)
    {
      self->title = g_strdup (text);
      return TRUE;
    }
  if (!has_tag (text) && is_group (self, i, level))
    {
      g_string_append_printf (self->summary, "\n%s\n\n", self->lines[i]);
      return TRUE;
    }

  self->by_heading = TRUE;
  self->indent = 0;

  return open_entry (self, &line, FALSE, error);
}

static gboolean
begins_item (ForePlanReader *self, guint indent)
{
  if (self->by_heading)
    return FALSE;

  return self->in_list ? indent < self->list_indent + 2 : indent < TAB_WIDTH;
}

static gboolean
read_list_item (ForePlanReader *self, guint i, const char *text, gboolean numbered, GError **error)
{
  ForePlanLine line = { self->lines[i], text, i + 1 };
  const char *mark;
  guint indent = measure_indent (self->lines[i], &mark);

  if (!close_entry (self, error))
    return FALSE;

  if (!numbered)
    g_clear_pointer (&self->numbered, g_free);
  self->in_list = TRUE;
  self->list_indent = indent;
  self->indent = indent + (guint) (text - mark);

  return open_entry (self, &line, numbered, error);
}

static gboolean
read_text (ForePlanReader *self, guint i, GError **error)
{
  const char *text;
  guint indent = measure_indent (self->lines[i], &text);
  gboolean numbered;
  const char *item = get_list_item (text, &numbered);
  ForePlanLine line = { self->lines[i], item != NULL ? item : text, i + 1 };

  if (self->current != NULL && !self->by_heading && self->blank_before
      && indent < self->list_indent + 2 && !close_entry (self, error))
    return FALSE;
  if (self->current != NULL && fore_plan_tag_is (line.p))
    return fore_plan_tag_read (self->current, &line, line.p + strlen (line.p), error);

  add_text (self, self->lines[i]);

  return TRUE;
}

static gboolean
read_line (ForePlanReader *self, guint i, GError **error)
{
  const char *line = self->lines[i];
  gboolean numbered;
  const char *text;
  guint level;
  guint indent = measure_indent (line, &text);
  const char *item = get_list_item (text, &numbered);
  const char *heading = get_heading (line, &level);

  if (*text == '\0')
    {
      add_text (self, "");
      return TRUE;
    }
  if (heading != NULL)
    return read_heading (self, i, heading, level, error);
  if (item != NULL && begins_item (self, indent) && !fore_plan_tag_is (item))
    return read_list_item (self, i, item, numbered, error);

  return read_text (self, i, error);
}

static gboolean
read_block (
    ForePlanReader *self, guint *i, guint end, gboolean keep, const char *what, GError **error)
{
  const char *text;
  ForePlanLine line = { self->lines[*i], NULL, *i + 1 };

  measure_indent (line.start, &text);
  if (end == G_MAXUINT)
    {
      fore_plan_fail (fore_plan_line_get_place (&line, text), error,
                      _ ("What begins here is never closed; add “%s”."), what);
      return FALSE;
    }

  for (guint j = *i; keep && j <= end; j++)
    add_text (self, self->lines[j]);
  *i = end;

  return TRUE;
}

static gboolean
read_lines (ForePlanReader *self, GError **error)
{
  for (guint i = 0; self->lines[i] != NULL; i++)
    {
      char mark;
      const char *text;
      gboolean blank;
      gboolean read;

      measure_indent (self->lines[i], &text);
      blank = *text == '\0';
      if (is_fence (self->lines[i], &mark))
        read = read_block (self, &i, find_fence_end (self->lines, i, mark), TRUE,
                           mark == '`' ? "```" : "~~~", error);
      else if (is_comment (self->lines[i]))
        read = read_block (self, &i, find_comment_end (self->lines, i), FALSE, "-->", error);
      else
        read = read_line (self, i, error);
      if (!read)
        return FALSE;
      self->blank_before = blank;
    }

  return close_entry (self, error);
}

static gboolean
check_text (const char *text, gsize length, GError **error)
{
  const char *end;

  if (length > FORE_PLAN_MARKDOWN_MAX)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_LIMIT,
                   _ ("The plan has more than %d kB; put long material into files of the project."),
                   FORE_PLAN_MARKDOWN_MAX / 1024);
      return FALSE;
    }
  if (!g_utf8_validate_len (text, length, &end))
    {
      guint line = 1;

      for (const char *p = text; p < end; p++)
        line += *p == '\n';
      fore_plan_fail ((ForePlanPlace){ line, 1 }, error, _ ("The file has to be UTF-8 text."));
      return FALSE;
    }

  return TRUE;
}

static void
drop_return (char *line)
{
  gsize length = strlen (line);

  if (length > 0 && line[length - 1] == '\r')
    line[length - 1] = '\0';
}

/**
 * fore_plan_from_markdown:
 * @text: Markdown of a person: headings and lists are items
 * @length: length of @text in bytes, or -1
 * @rules: what a plan must keep to
 * @error: return location for an error
 *
 * Reads a plan that a person wrote (docs/planning.md has the form). Nothing is put right: errors
 * are %FORE_ERROR_INVALID and begin with line and column, or %FORE_ERROR_LIMIT for more than
 * %FORE_PLAN_MARKDOWN_MAX bytes.
 *
 * Returns: (transfer full): the plan, or %NULL
 */
ForePlan *
fore_plan_from_markdown (const char *text,
                         gssize length,
                         const ForePlanRules *rules,
                         GError **error)
{
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);
  g_auto (GStrv) lines = NULL;
  g_autofree char *copy = NULL;
  g_autoptr (GString) summary = g_string_new (NULL);
  g_autoptr (GString) done = g_string_new (NULL);
  ForePlanReader self = { .rules = rules, .ids = ids, .summary = summary, .done = done };
  ForePlan *plan = NULL;

  g_return_val_if_fail (text != NULL, NULL);
  g_return_val_if_fail (rules != NULL && rules->roles != NULL, NULL);

  if (!check_text (text, length >= 0 ? (gsize) length : strlen (text), error))
    return NULL;

  copy = length >= 0 ? g_strndup (text, (gsize) length) : g_strdup (text);
  lines = g_strsplit (copy, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    drop_return (lines[i]);
  entries = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_plan_entry_free);
  self.lines = lines;
  self.entries = entries;
  if (read_lines (&self, error))
    plan = fore_plan_reader_make_plan (&self, error);
  g_free (self.title);
  g_free (self.numbered);

  return plan;
}
