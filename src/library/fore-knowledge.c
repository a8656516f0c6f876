/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library/fore-knowledge.h"

#include <string.h>

#define MAX_SECTIONS 500
/* Words of fewer letters join others and say nothing of their own. */
#define MIN_WORD 4

/* A part of a file of knowledge: a heading `## …` and what is below it. */
typedef struct
{
  char *title;
  const char *start;
  gsize length;
  double score;
} Section;

static void
section_clear (gpointer data)
{
  g_free (((Section *) data)->title);
}

static gboolean
is_convention (const Section *section)
{
  static const char *const titles[] = { "code style", "environment", "architecture", "testing",
                                        "release process" };

  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    {
      if (g_ascii_strcasecmp (section->title, titles[i]) == 0)
        return TRUE;
    }

  return FALSE;
}

static GArray *
split (const char *text)
{
  GArray *sections = g_array_new (FALSE, FALSE, sizeof (Section));
  const char *line = text;

  g_array_set_clear_func (sections, section_clear);
  while (*line != '\0')
    {
      gsize length = strcspn (line, "\n");

      if (strncmp (line, "## ", 3) == 0 && sections->len < MAX_SECTIONS)
        {
          Section section = { g_strstrip (g_strndup (line + 3, length - 3)), line, 0, 0 };

          g_array_append_val (sections, section);
        }
      line += length + (line[length] == '\n');
      if (sections->len > 0)
        {
          Section *last = &g_array_index (sections, Section, sections->len - 1);

          last->length = (gsize) (line - last->start);
        }
    }

  return sections;
}

/* As many whole lines as fit. Returns whether all did. */
static gboolean
append_lines (GString *text, const char *start, gsize length, gsize budget)
{
  gsize room = text->len < budget ? budget - text->len : 0;

  if (length > room)
    {
      while (room > 0 && start[room - 1] != '\n')
        room--;
      g_string_append_len (text, start, (gssize) room);
      return FALSE;
    }

  g_string_append_len (text, start, (gssize) length);
  return TRUE;
}

static void
append_index (GString *text, GArray *sections)
{
  for (guint i = 0; i < sections->len; i++)
    g_string_append_printf (text, "%s%s", i == 0 ? "\nSections there: " : ", ",
                            g_array_index (sections, Section, i).title);
  if (sections->len > 0)
    g_string_append_c (text, '\n');
}

/**
 * fore_knowledge_dup_conventions:
 * @text: a file of knowledge: Markdown with sections `## …`
 * @budget: how many bytes of it are wanted
 *
 * Takes out what every task of a project should know: the sections Code Style, Environment,
 * Architecture, Testing and Release Process, cut at a line, and the titles of all sections. Of a
 * file without sections, its beginning.
 *
 * Returns: (transfer full): Markdown, the same for every task
 */
char *
fore_knowledge_dup_conventions (const char *text, gsize budget)
{
  g_autoptr (GArray) sections = NULL;
  GString *result;

  g_return_val_if_fail (text != NULL, NULL);

  sections = split (text);
  result = g_string_new (NULL);
  if (sections->len == 0)
    append_lines (result, text, strlen (text), budget);

  for (guint i = 0; i < sections->len; i++)
    {
      const Section *section = &g_array_index (sections, Section, i);

      if (is_convention (section)
          && !append_lines (result, section->start, section->length, budget))
        break;
    }
  append_index (result, sections);

  return g_string_free (result, FALSE);
}

static GHashTable *
collect_words (const char *text)
{
  GHashTable *words = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *folded = g_utf8_strdown (text, -1);
  g_autoptr (GString) word = g_string_new (NULL);

  for (const char *c = folded;; c = g_utf8_next_char (c))
    {
      gunichar letter = g_utf8_get_char (c);

      if (letter != 0 && g_unichar_isalnum (letter))
        g_string_append_unichar (word, letter);
      else
        {
          if (g_utf8_strlen (word->str, -1) >= MIN_WORD)
            g_hash_table_add (words, g_strdup (word->str));
          g_string_truncate (word, 0);
        }
      if (letter == 0)
        return words;
    }
}

/* In how many titles each word stands: a word that stands in all of them tells none apart. */
static GHashTable *
count_titles (GPtrArray *title_words)
{
  GHashTable *counts = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < title_words->len; i++)
    {
      GHashTableIter iter;
      gpointer word;

      g_hash_table_iter_init (&iter, title_words->pdata[i]);
      while (g_hash_table_iter_next (&iter, &word, NULL))
        {
          guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, word));

          g_hash_table_insert (counts, word, GUINT_TO_POINTER (n + 1));
        }
    }

  return counts;
}

static double
score_words (GHashTable *words, GHashTable *query, GHashTable *counts)
{
  GHashTableIter iter;
  gpointer word;
  double score = 0;

  g_hash_table_iter_init (&iter, words);
  while (g_hash_table_iter_next (&iter, &word, NULL))
    {
      if (g_hash_table_contains (query, word))
        score += 1.0 / GPOINTER_TO_UINT (g_hash_table_lookup (counts, word));
    }

  return score;
}

static void
score (GArray *sections, const char *query)
{
  g_autoptr (GPtrArray) title_words = g_ptr_array_new_with_free_func (
      (GDestroyNotify) g_hash_table_unref);
  g_autoptr (GHashTable) wanted = collect_words (query);
  g_autoptr (GHashTable) counts = NULL;

  for (guint i = 0; i < sections->len; i++)
    g_ptr_array_add (title_words, collect_words (g_array_index (sections, Section, i).title));
  counts = count_titles (title_words);

  for (guint i = 0; i < sections->len; i++)
    g_array_index (sections, Section, i).score = score_words (title_words->pdata[i], wanted,
                                                              counts);
}

/* The best first; equals as they stand in the file. */
static int
compare (gconstpointer a, gconstpointer b)
{
  const Section *x = a, *y = b;

  if (x->score != y->score)
    return x->score < y->score ? 1 : -1;

  return (x->start > y->start) - (x->start < y->start);
}

/**
 * fore_knowledge_dup_sections:
 * @text: a file of knowledge: Markdown with sections `## …`
 * @query: what somebody is to do: goal and task
 * @budget: how many bytes of it are wanted
 *
 * Takes out the sections that fit a task: those that share words with @query in their titles, rare
 * words counting more, the best first, cut at a line. Those of
 * fore_knowledge_dup_conventions() are left out.
 *
 * Returns: (transfer full): Markdown, empty if nothing fits
 */
char *
fore_knowledge_dup_sections (const char *text, const char *query, gsize budget)
{
  g_autoptr (GArray) sections = NULL;
  GString *result;

  g_return_val_if_fail (text != NULL, NULL);
  g_return_val_if_fail (query != NULL, NULL);

  sections = split (text);
  score (sections, query);
  g_array_sort (sections, compare);

  result = g_string_new (NULL);
  for (guint i = 0; i < sections->len; i++)
    {
      const Section *section = &g_array_index (sections, Section, i);

      if (is_convention (section))
        continue;
      if (section->score <= 0 || !append_lines (result, section->start, section->length, budget))
        break;
    }

  return g_string_free (result, FALSE);
}
