/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library/fore-library-private.h"

#include <string.h>

#include "library/fore-library-text.h"
#include "library/fore-workflow-script.h"

/* What speaks for a kind of file, in points. */
#define KEY_POINTS 2
#define STEP_POINTS 10
#define MAYBE_STEP_POINTS 1

typedef struct
{
  int points[FORE_N_KINDS];
  gboolean has_matter;
} Guess;

static gboolean
has_key (const char *kind, const char *key)
{
  const char *const *keys = fore_library_get_keys (kind);

  for (guint i = 0; keys[i] != NULL; i++)
    {
      if (fore_key_equal (keys[i], key))
        return TRUE;
    }

  return FALSE;
}

static char *
dup_key (const char *line)
{
  gsize length = strspn (line, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-");

  return length > 0 && line[length] == ':' ? g_strndup (line, length) : NULL;
}

/* A key that many kinds have says nothing. */
static void
weigh_key (Guess *guess, const char *line)
{
  g_autofree char *key = dup_key (line);
  guint n_kinds = 0;
  guint last = 0;

  for (guint i = 0; key != NULL && i < FORE_N_KINDS; i++)
    {
      if (has_key (fore_library_kind_to_string (i), key))
        {
          n_kinds++;
          last = i;
        }
    }

  if (n_kinds == 1)
    guess->points[last] += KEY_POINTS;
}

static void
weigh_section (Guess *guess, const char *heading, const char *next)
{
  g_autofree char *title = g_ascii_strdown (heading + strlen ("## "), -1);
  g_autofree char *key = next != NULL ? dup_key (next) : NULL;

  if (strcmp (g_strstrip (title), "roles") == 0)
    guess->points[FORE_KIND_TEAM] += STEP_POINTS;
  else if (key != NULL)
    guess->points[FORE_KIND_WORKFLOW] += has_key ("step", key) ? STEP_POINTS : MAYBE_STEP_POINTS;
}

static void
weigh_text (Guess *guess, const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  guint i = 0;

  for (guint k = 0; lines[k] != NULL; k++)
    g_strchomp (lines[k]);

  guess->has_matter = lines[0] != NULL && strcmp (lines[0], "---") == 0;
  if (guess->has_matter)
    {
      for (i = 1; lines[i] != NULL && strcmp (lines[i], "---") != 0; i++)
        weigh_key (guess, lines[i]);
    }
  for (; lines[i] != NULL; i++)
    {
      if (g_str_has_prefix (lines[i], "## "))
        weigh_section (guess, lines[i], lines[i + 1]);
    }
}

static ForeLibraryKind
guess_by_text (const char *text)
{
  Guess guess = { { 0 } };
  ForeLibraryKind best = FORE_KIND_AGENT;

  weigh_text (&guess, text);
  for (guint i = 0; i < FORE_N_KINDS; i++)
    {
      if (guess.points[i] > guess.points[best])
        best = (ForeLibraryKind) i;
    }

  return guess.points[best] > 0 || guess.has_matter ? best : FORE_KIND_WORKFLOW;
}

static gboolean
guess_by_folder (const char *path, ForeLibraryKind *kind)
{
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);
  g_autofree char *folder = g_path_get_dirname (absolute);
  g_autofree char *name = g_path_get_basename (folder);

  return fore_library_kind_from_string (name, kind);
}

/**
 * fore_library_guess_kind:
 * @path: a file, wherever it lies
 * @text: (nullable): what is in it
 *
 * Finds out what a file is: by its name, by the folder that it lies in, or by the keys and headings
 * in it.
 *
 * Returns: its kind
 */
ForeLibraryKind
fore_library_guess_kind (const char *path, const char *text)
{
  g_autofree char *name = NULL;
  ForeLibraryKind kind;

  g_return_val_if_fail (path != NULL, FORE_KIND_WORKFLOW);

  name = g_path_get_basename (path);
  if (g_str_has_suffix (name, ".workflow.md") || fore_workflow_script_is_one (name))
    return FORE_KIND_WORKFLOW;
  if (g_str_has_suffix (name, ".team.md"))
    return FORE_KIND_TEAM;
  if (strcmp (name, "SKILL.md") == 0)
    return FORE_KIND_SKILL;
  if (guess_by_folder (path, &kind))
    return kind;

  return text != NULL ? guess_by_text (text) : FORE_KIND_WORKFLOW;
}
