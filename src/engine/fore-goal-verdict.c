/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-goal-verdict.h"

#include "text/fore-json.h"

#include <string.h>

#define KEY "\"achieved\""
#define MAX_ANSWER (256 * 1024)
#define MAX_BACK 16
#define MAX_REASON 2000
#define MAX_EVIDENCE 20
#define NEAR 0.8

/* The object that begins at @start, as long as its brackets say. */
static JsonNode *
read_object (const char *start, const char *end)
{
  gboolean quoted = FALSE;
  guint depth = 0;

  for (const char *p = start; p < end; p++)
    {
      if (quoted && *p == '\\' && p + 1 < end)
        p++;
      else if (*p == '"')
        quoted = !quoted;
      else if (!quoted && *p == '{')
        depth++;
      else if (!quoted && *p == '}' && --depth == 0)
        return fore_json_parse (start, p + 1 - start, NULL, NULL);
    }

  return NULL;
}

static JsonNode *
find_around (const char *text, const char *key, const char *end)
{
  guint n_tried = 0;

  for (const char *p = key; p > text && n_tried < MAX_BACK; p--)
    {
      g_autoptr (JsonNode) node = NULL;

      if (p[-1] != '{')
        continue;

      n_tried++;
      node = read_object (p - 1, end);
      if (node != NULL && JSON_NODE_HOLDS_OBJECT (node)
          && json_object_has_member (json_node_get_object (node), "achieved"))
        return g_steal_pointer (&node);
    }

  return NULL;
}

/* A judge that shows the form first and fills it in afterwards means the last one. */
static JsonNode *
find_verdict (const char *answer)
{
  gsize length = strlen (answer);
  const char *text = length > MAX_ANSWER ? answer + length - MAX_ANSWER : answer;
  const char *key = g_strrstr (text, KEY);

  return key != NULL ? find_around (text, key, answer + length) : NULL;
}

static gboolean
is_invisible (gunichar c)
{
  return (g_unichar_iscntrl (c) && c != '\n') || g_unichar_type (c) == G_UNICODE_FORMAT;
}

/* It is read by a person and by the next agent, neither of whom should miss a part of it. */
static char *
dup_reason (const char *text)
{
  GString *reason = g_string_new (NULL);
  guint n_chars = 0;

  for (const char *p = text; *p != '\0' && n_chars < MAX_REASON; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (is_invisible (c))
        continue;
      g_string_append_unichar (reason, c);
      n_chars++;
    }

  return g_strstrip (g_string_free (reason, FALSE));
}

static GStrv
dup_evidence (JsonObject *object)
{
  g_auto (GStrv) given = fore_json_dup_strv (object, "evidence");
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; given != NULL && given[i] != NULL && i < MAX_EVIDENCE; i++)
    {
      g_autofree char *line = dup_reason (given[i]);

      g_strv_builder_add (builder, line);
    }

  return g_strv_builder_end (builder);
}

static gboolean
get_flag (JsonObject *object, const char *member, gboolean *value)
{
  JsonNode *node = json_object_get_member (object, member);

  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node)
      || json_node_get_value_type (node) != G_TYPE_BOOLEAN)
    return FALSE;

  *value = json_node_get_boolean (node);

  return TRUE;
}

/**
 * fore_goal_verdict_parse:
 * @answer: (nullable): what a judge answered
 * @problem: (out) (optional) (transfer full): why there is no verdict, in words for the judge
 *
 * Finds the verdict in an answer: the last JSON object with a member `achieved`, wherever it
 * stands. Only true and false count; a verdict without a reason is none.
 *
 * Returns: (transfer full) (nullable): the verdict
 */
ForeGoalVerdict *
fore_goal_verdict_parse (const char *answer, char **problem)
{
  g_autoptr (JsonNode) node = answer != NULL ? find_verdict (answer) : NULL;
  g_autoptr (ForeGoalVerdict) verdict = g_new0 (ForeGoalVerdict, 1);
  JsonObject *object = node != NULL ? json_node_get_object (node) : NULL;
  const char *said = NULL;

  if (object == NULL)
    said = "there is no JSON object with a member “achieved”";
  else if (!get_flag (object, "achieved", &verdict->achieved))
    said = "“achieved” is neither true nor false";
  else
    {
      verdict->reason = dup_reason (fore_json_get_string (object, "reason", ""));
      if (*verdict->reason == '\0')
        said = "“reason” is missing or empty";
    }

  if (said != NULL)
    {
      if (problem != NULL)
        *problem = g_strdup (said);
      return NULL;
    }

  get_flag (object, "blocked", &verdict->blocked);
  verdict->evidence = dup_evidence (object);

  return g_steal_pointer (&verdict);
}

/**
 * fore_goal_verdict_free:
 * @verdict: (nullable): a verdict
 */
void
fore_goal_verdict_free (ForeGoalVerdict *verdict)
{
  if (verdict == NULL)
    return;

  g_free (verdict->reason);
  g_strfreev (verdict->evidence);
  g_free (verdict);
}

/* Numbers, case and spacing say nothing about what a reason is. */
static GHashTable *
list_trigrams (const char *text)
{
  GHashTable *set = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GString) plain = g_string_new (" ");
  g_autofree char *lower = g_utf8_casefold (text, -1);
  g_autofree gunichar *chars = NULL;
  glong n = 0;

  for (const char *p = lower; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (g_unichar_isalpha (c))
        g_string_append_unichar (plain, c);
      else if (plain->str[plain->len - 1] != ' ')
        g_string_append_c (plain, ' ');
    }

  chars = g_utf8_to_ucs4_fast (plain->str, -1, &n);
  for (glong i = 0; i + 3 <= n; i++)
    g_hash_table_add (set, g_ucs4_to_utf8 (chars + i, 3, NULL, NULL, NULL));

  return set;
}

/**
 * fore_goal_reasons_are_near:
 * @a: a reason, valid UTF-8
 * @b: another
 *
 * Compares the sets of three letters in a row of both (Jaccard index, P. Jaccard 1912): 0.8 and
 * more is near.
 *
 * Returns: whether both say about the same
 */
gboolean
fore_goal_reasons_are_near (const char *a, const char *b)
{
  g_autoptr (GHashTable) left = NULL;
  g_autoptr (GHashTable) right = NULL;
  GHashTableIter iter;
  gpointer trigram;
  guint n_common = 0;

  g_return_val_if_fail (a != NULL && b != NULL, FALSE);

  if (strcmp (a, b) == 0)
    return TRUE;

  left = list_trigrams (a);
  right = list_trigrams (b);
  g_hash_table_iter_init (&iter, left);
  while (g_hash_table_iter_next (&iter, &trigram, NULL))
    n_common += g_hash_table_contains (right, trigram);

  return n_common > 0
         && n_common >= NEAR * (g_hash_table_size (left) + g_hash_table_size (right) - n_common);
}
