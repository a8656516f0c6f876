/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library/fore-team-role.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "library/fore-diagnostic.h"
#include "library/fore-library-text.h"
#include "model/fore-nearest.h"

/* As g_ascii_isspace() has them. */
#define BLANKS " \t\n\f\r"

static const char *const known_words[] = { "agent",    "model",  "fallback",       "fallbackModels",
                                           "thinking", "skills", "maxConcurrency", NULL };

/**
 * fore_team_role_get_keys:
 *
 * Gets the keys that a role of a team may have.
 *
 * Returns: (transfer none) (array zero-terminated=1): the keys
 */
const char *const *
fore_team_role_get_keys (void)
{
  return known_words;
}

/**
 * fore_team_role_new:
 * @name: its name
 * @agent: name of the agent that fills it
 *
 * Makes a role.
 *
 * Returns: (transfer full): the role
 */
ForeTeamRole *
fore_team_role_new (const char *name, const char *agent)
{
  ForeTeamRole *self;

  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (agent != NULL, NULL);

  self = g_new0 (ForeTeamRole, 1);
  self->name = g_strdup (name);
  self->agent = g_strdup (agent);

  return self;
}

/**
 * fore_team_role_free:
 * @self: (transfer full): a role
 *
 * Frees a role.
 */
void
fore_team_role_free (ForeTeamRole *self)
{
  g_return_if_fail (self != NULL);

  g_free (self->name);
  g_free (self->agent);
  g_free (self->model);
  g_strfreev (self->fallback);
  g_free (self->thinking);
  g_strfreev (self->skills);
  g_free (self->description);
  g_free (self);
}

/* Where a role stands, and what of it is being read. */
typedef struct
{
  const char *path;
  const char *start;
  guint line;
  gboolean foreign;
  GPtrArray *diagnostics;
} Reading;

/* The line that we see has lost its dash. */
static guint
get_column (const Reading *reading, const char *place)
{
  return (guint) g_utf8_strlen (reading->start, place - reading->start) + 2;
}

/* Takes one word from @text, which may be `key="with spaces"`, and moves behind it. */
static char *
take_word (const char **text)
{
  GString *word = g_string_new (NULL);
  gboolean quoted = FALSE;
  const char *c = *text;

  for (; *c != '\0' && (quoted || !g_ascii_isspace (*c)); c++)
    {
      if (*c == '"' && (quoted || (word->len > 0 && word->str[word->len - 1] == '=')))
        quoted = !quoted;
      else
        g_string_append_c (word, *c);
    }

  *text = c;
  return g_string_free (word, word->len == 0);
}

static void
set_skills (ForeTeamRole *self, const char *value)
{
  g_clear_pointer (&self->skills, g_strfreev);
  self->no_skills = strcmp (value, "false") == 0;
  if (!self->no_skills)
    self->skills = fore_csv_split (value);
}

/* Returns FALSE if @key is none of ours. Sets @good to whether the value is one. */
static gboolean
set_word (ForeTeamRole *self, const char *key, const char *value, gboolean *good)
{
  *good = *value != '\0';
  if (fore_key_equal (key, "model") || fore_key_equal (key, "thinking"))
    *good = *good && value[strcspn (value, " \t,{}[]")] == '\0';
  if (fore_key_equal (key, "agent"))
    {
      g_free (self->agent);
      self->agent = g_ascii_strdown (value, -1);
      *good = fore_library_name_is_valid (self->agent);
    }
  else if (fore_key_equal (key, "model"))
    {
      g_free (self->model);
      self->model = strcmp (value, "false") != 0 ? g_strdup (value) : NULL;
    }
  else if (fore_key_equal (key, "thinking"))
    {
      g_free (self->thinking);
      self->thinking = strcmp (value, "false") != 0 ? g_strdup (value) : NULL;
    }
  else if (fore_key_equal (key, "fallback") || fore_key_equal (key, "fallbackModels"))
    {
      g_strfreev (self->fallback);
      self->fallback = fore_csv_split (value);
    }
  else if (fore_key_equal (key, "skills"))
    set_skills (self, value);
  else if (fore_key_equal (key, "maxConcurrency"))
    *good = fore_parse_count (value, G_MAXINT, &self->max_agents) && self->max_agents > 0;
  else
    return FALSE;

  return TRUE;
}

static void
report_word (const Reading *reading, const char *key, gboolean known, guint column)
{
  GPtrArray *diagnostics = reading->diagnostics;
  const char *path = reading->path;
  guint line = reading->line;
  const char *nearest = known ? NULL : fore_nearest_word (key, known_words);

  if (known)
    fore_diagnostics_add (
        diagnostics, reading->foreign ? FORE_DIAGNOSTIC_WARNING : FORE_DIAGNOSTIC_ERROR, path, line,
        column, key, _ ("The value of `%s` is not usable and was left out."), key);
  else if (nearest != NULL)
    fore_diagnostics_add (diagnostics, FORE_DIAGNOSTIC_WARNING, path, line, column, key,
                          _ ("A role has no `%s`. Did you mean `%s`?"), key, nearest);
  else
    fore_diagnostics_add (diagnostics, FORE_DIAGNOSTIC_WARNING, path, line, column, key,
                          _ ("A role has no `%s`; it is read as part of the description."), key);
}

static void
read_words (ForeTeamRole *self, const Reading *reading, const char *text)
{
  g_autoptr (GString) description = g_string_new (NULL);

  while (*(text += strspn (text, BLANKS)) != '\0')
    {
      guint column = get_column (reading, text);
      g_autofree char *word = take_word (&text);
      g_autofree char *key = g_strndup (word, strcspn (word, "="));
      gboolean known, good = FALSE;

      if (word[strlen (key)] == '=' && key[0] != '\0')
        {
          known = set_word (self, key, word + strlen (key) + 1, &good);
          if (!known || !good)
            report_word (reading, key, known, column);
          if (known && fore_key_equal (key, "agent"))
            self->agent_column = column;
          if (known)
            continue;
        }
      g_string_append_printf (description, "%s%s", description->len > 0 ? " " : "", word);
    }

  if (description->len > 0)
    self->description = g_strdup (description->str);
}

/**
 * fore_team_role_new_from_line:
 * @line: `name: agent=A model=M any text`, without the dash
 * @path: (nullable): the file, for messages
 * @line_number: line in it
 * @foreign: whether it is written for another system, so that faults are only warnings
 * @diagnostics: (nullable) (element-type ForeDiagnostic): where to say what is wrong
 *
 * Reads a role.
 *
 * Returns: (transfer full) (nullable): the role, or %NULL if @line is none
 */
ForeTeamRole *
fore_team_role_new_from_line (
    const char *line, const char *path, guint line_number, gboolean foreign, GPtrArray *diagnostics)
{
  Reading reading = { path, line, line_number, foreign, diagnostics };
  ForeTeamRole *self;
  g_autofree char *name = NULL;
  gsize length;

  g_return_val_if_fail (line != NULL, NULL);

  while (g_ascii_isspace (*line))
    line++;
  length = strcspn (line, ": \t");
  name = g_strndup (line, length);
  line += length;
  while (g_ascii_isspace (*line))
    line++;
  if (!fore_library_name_is_valid (name) || (*line != ':' && *line != '\0'))
    return NULL;

  self = fore_team_role_new (name, name);
  self->line = line_number;
  self->agent_column = get_column (&reading, reading.start + strspn (reading.start, " \t"));
  read_words (self, &reading, line + (*line == ':'));

  return self;
}
