/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library/fore-recommend.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_PARTS 50
#define MANY_PARTS 3

static const char *const review_words[] = { "review",          "audit",        "critique", "judge",
                                            "assess",          "inspect",      "security", "diff",
                                            "vulnerabilities", "pull request", NULL };
static const char *const review_phrases[] = {
  "security review", "code review", "security audit", "review the", "review this", "audit the", NULL
};
static const char *const deep_phrases[]
    = { "deep read",         "deep research",    "source audit",
        "multiple projects", "several projects", "whole codebase",
        "entire codebase",   "all repositories", NULL };
static const char *const research_words[] = { "research", "investigate", "compare",  "explain",
                                              "find out", "understand",  "explore",  "analyse",
                                              "analyze",  "why",         "how does", "survey",
                                              NULL };
static const char *const quick_words[] = { "fix",   "typo",     "bug",   "broken",
                                           "crash", "tiny",     "small", "regression",
                                           "quick", "one-line", "wrong", NULL };
static const char *const work_words[] = { "implement", "add",     "build",     "create",
                                          "write",     "migrate", "refactor",  "rewrite",
                                          "port",      "extend",  "support",   "remove",
                                          "replace",   "convert", "introduce", NULL };

/* What a part sounds like; the first that matches counts. */
static const struct
{
  const char *word;
  const char *role;
} role_words[] = {
  { "test", "test-engineer" }, { "review", "reviewer" },      { "audit", "security-reviewer" },
  { "document", "writer" },    { "documentation", "writer" }, { "readme", "writer" },
  { "research", "explorer" },  { "investigate", "explorer" }, { "plan", "planner" },
  { "verify", "verifier" },    { "check", "verifier" },
};

static gboolean
is_word_end (const char *text)
{
  return !g_unichar_isalnum (g_utf8_get_char (text));
}

/* Whether @phrase stands in @text as whole words; `fixes` is no `fix`. Both in small letters. */
static gboolean
has_phrase (const char *text, const char *phrase)
{
  gsize length = strlen (phrase);

  for (const char *place = text; length > 0 && (place = strstr (place, phrase)) != NULL; place++)
    {
      const char *before = place > text ? g_utf8_prev_char (place) : NULL;

      if ((before == NULL || is_word_end (before)) && is_word_end (place + length))
        return TRUE;
    }

  return FALSE;
}

static guint
count_phrases (const char *text, const char *const *phrases, const char **first)
{
  guint n = 0;

  for (guint i = 0; phrases != NULL && phrases[i] != NULL; i++)
    {
      g_autofree char *phrase = g_utf8_strdown (phrases[i], -1);

      if (!has_phrase (text, phrase))
        continue;
      if (n++ == 0 && first != NULL)
        *first = phrases[i];
    }

  return n;
}

static const char *
guess_role (const char *title)
{
  g_autofree char *lower = g_utf8_strdown (title, -1);

  for (guint i = 0; i < G_N_ELEMENTS (role_words); i++)
    {
      if (has_phrase (lower, role_words[i].word))
        return role_words[i].role;
    }

  return "executor";
}

/* The text behind `- `, `* `, `1. ` or `2) `, or NULL. */
static const char *
get_item (const char *line)
{
  gsize digits;

  line += strspn (line, " \t");
  if ((line[0] == '-' || line[0] == '*') && line[1] == ' ')
    return line + 2;

  digits = strspn (line, "0123456789");
  if (digits > 0 && digits < 4 && (line[digits] == '.' || line[digits] == ')')
      && line[digits + 1] == ' ')
    return line + digits + 2;

  return NULL;
}

static void
part_free (gpointer data)
{
  ForeRecommendedPart *part = data;

  g_free (part->title);
  g_free (part->role);
  g_free (part);
}

static GPtrArray *
list_parts (const char *goal)
{
  GPtrArray *parts = g_ptr_array_new_with_free_func (part_free);
  g_auto (GStrv) lines = g_strsplit (goal, "\n", -1);

  for (guint i = 0; lines[i] != NULL && parts->len < MAX_PARTS; i++)
    {
      const char *item = get_item (lines[i]);
      ForeRecommendedPart *part;

      if (item == NULL)
        continue;
      part = g_new0 (ForeRecommendedPart, 1);
      part->title = g_strstrip (g_strdup (item));
      part->role = g_strdup (guess_role (item));
      g_ptr_array_add (parts, part);
    }

  return parts;
}

/* A team that the person or the project made for such goals; the one with most of its words. */
static const ForeTeam *
find_made_for (ForeLibrary *library, const char *text, const char **word)
{
  GPtrArray *teams = fore_library_list_teams (library);
  const ForeTeam *best = NULL;
  guint most = 0;

  for (guint i = 0; i < teams->len; i++)
    {
      const ForeTeam *team = teams->pdata[i];
      const char *first = NULL;
      guint n;

      if (team->source.layer == FORE_LAYER_BUILTIN || team->source.n_errors > 0
          || count_phrases (text, (const char *const *) team->routing.avoid_when, NULL) > 0)
        continue;

      n = count_phrases (text, (const char *const *) team->routing.triggers, &first);
      if (n > most)
        {
          most = n;
          best = team;
          *word = first;
        }
    }

  return best;
}

/* Takes @reason. */
static void
choose (ForeRecommendation *self, const char *team, ForeConfidence confidence, char *reason)
{
  self->team = g_strdup (team);
  self->confidence = confidence;
  self->reason = reason;
}

/* The rules, the first that holds counts: who only wants to know must not be answered with work,
 * and a list is more than one repair.
 */
static void
judge (ForeRecommendation *self, ForeLibrary *library, const char *text)
{
  const char *word = NULL;
  const ForeTeam *own = find_made_for (library, text, &word);
  guint n_work = count_phrases (text, work_words, NULL);

  if (own != NULL)
    choose (self, own->name, FORE_CONFIDENCE_HIGH,
            g_strdup_printf (_ ("This team is made for “%s”."), word));
  else if (count_phrases (text, review_phrases, &word) > 0
           || (n_work == 0 && count_phrases (text, review_words, &word) > 1))
    choose (self, "review", FORE_CONFIDENCE_HIGH,
            g_strdup_printf (_ ("“%s”: something is to be judged."), word));
  else if (count_phrases (text, deep_phrases, &word) > 0)
    choose (self, "parallel-research", FORE_CONFIDENCE_HIGH,
            g_strdup_printf (_ ("“%s”: more to read than one agent can."), word));
  else if (n_work == 0 && self->parts->len == 0 && count_phrases (text, research_words, &word) > 0)
    choose (self, "research", FORE_CONFIDENCE_MEDIUM,
            g_strdup_printf (_ ("“%s”: somebody wants to know, not to change."), word));
  else if (self->parts->len >= MANY_PARTS)
    choose (self, "implementation", FORE_CONFIDENCE_HIGH,
            g_strdup (_ ("The goal lists several things to be done.")));
  else if (count_phrases (text, quick_words, &word) > 0)
    choose (self, "fast-fix", FORE_CONFIDENCE_MEDIUM,
            g_strdup_printf (_ ("“%s”: something small is to be put right."), word));
  else if (count_phrases (text, work_words, &word) > 0)
    choose (self, "implementation", FORE_CONFIDENCE_MEDIUM,
            g_strdup_printf (_ ("“%s”: something is to be made, which wants a plan."), word));
  else
    choose (self, "default", FORE_CONFIDENCE_LOW,
            g_strdup (_ ("Nothing in the goal says what kind of work it is.")));
}

/* Names of ours may be missing where a person has a crew of their own. */
static void
find_workflow (ForeRecommendation *self, ForeLibrary *library)
{
  GPtrArray *teams = fore_library_list_teams (library);
  const ForeTeam *team = fore_library_get_team (library, self->team);

  if (team == NULL && teams->len > 0)
    team = teams->pdata[0];

  g_clear_pointer (&self->team, g_free);
  if (team == NULL)
    return;

  self->team = g_strdup (team->name);
  self->workflow = g_strdup (team->default_workflow);
}

/**
 * fore_recommend:
 * @library: a library
 * @goal: what somebody wants done
 *
 * Recommends a team for a goal, by fixed rules over its words (English ones, and the triggers of
 * teams in any language): a team that the person or the project made for such words; review; deep
 * reading; research; a list of things; a repair; making something; else the default team.
 *
 * Returns: (transfer full): the recommendation
 */
ForeRecommendation *
fore_recommend (ForeLibrary *library, const char *goal)
{
  ForeRecommendation *self;
  g_autofree char *text = NULL;

  g_return_val_if_fail (library != NULL, NULL);
  g_return_val_if_fail (goal != NULL, NULL);

  text = g_utf8_strdown (goal, -1);
  self = g_new0 (ForeRecommendation, 1);
  self->parts = list_parts (goal);
  judge (self, library, text);
  find_workflow (self, library);

  return self;
}

/**
 * fore_recommendation_free:
 * @self: (transfer full): a recommendation
 *
 * Frees a recommendation.
 */
void
fore_recommendation_free (ForeRecommendation *self)
{
  g_return_if_fail (self != NULL);

  g_free (self->team);
  g_free (self->workflow);
  g_free (self->reason);
  g_ptr_array_unref (self->parts);
  g_free (self);
}

/**
 * fore_confidence_to_string:
 * @confidence: how sure
 *
 * Returns: (transfer none): the word that stands for it in JSON
 */
const char *
fore_confidence_to_string (ForeConfidence confidence)
{
  static const char *const words[] = { "low", "medium", "high" };

  g_return_val_if_fail ((guint) confidence < G_N_ELEMENTS (words), "low");

  return words[confidence];
}
