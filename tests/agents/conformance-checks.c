/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "conformance-checks.h"

#include "text/fore-json.h"

#include <string.h>

/* The last line of a kind that the recording itself ends with says what has to come out. */
static void
check_pi (const ForeSummary *summary, JsonObject *last, gboolean settled)
{
  const char *stop = fore_json_get_string (last, "stopReason", "");
  JsonArray *content = fore_json_get_array (last, "content");
  g_autoptr (GString) text = g_string_new (NULL);

  g_assert_cmpint (summary->settled, ==, settled);
  if (!settled)
    return;

  g_assert_cmpint (summary->outcome, ==,
                   g_str_equal (stop, "stop") || g_str_equal (stop, "toolUse")
                       ? FORE_OUTCOME_COMPLETED
                       : FORE_OUTCOME_FAILED);
  for (guint i = 0; content != NULL && i < json_array_get_length (content); i++)
    g_string_append (text,
                     fore_json_get_string (json_array_get_object_element (content, i), "text", ""));
  g_assert_cmpstr (summary->final_text, ==, text->len > 0 ? text->str : NULL);
}

static gboolean
check_pi_recording (const char *data, const ForeSummary *summary)
{
  g_auto (GStrv) lines = g_strsplit (data, "\n", -1);
  g_autoptr (JsonNode) last = NULL;
  gint64 input = 0;
  gboolean settled = FALSE;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      ForeJsonLimits limits = { 256, G_MAXUINT };
      g_autoptr (JsonNode) node = fore_json_parse (lines[i], -1, &limits, NULL);
      JsonObject *object = node != NULL && JSON_NODE_HOLDS_OBJECT (node)
                               ? json_node_get_object (node)
                               : NULL;
      const char *type = fore_json_get_string (object, "type", "");
      JsonObject *message = fore_json_get_object (object, "message");

      if (g_str_equal (type, "agent_settled"))
        settled = TRUE;
      else if (g_str_equal (type, "agent_start"))
        settled = FALSE;
      if (!g_str_equal (type, "message_end")
          || !g_str_equal (fore_json_get_string (message, "role", ""), "assistant"))
        continue;
      input += fore_json_get_int (fore_json_get_object (message, "usage"), "input", 0);
      g_clear_pointer (&last, json_node_unref);
      last = json_node_init_object (json_node_alloc (), message);
    }

  if (last == NULL)
    return FALSE;

  check_pi (summary, json_node_get_object (last), settled);
  g_assert_cmpint (MAX (summary->usage.input, 0), ==, input);

  return TRUE;
}

static void
check_claude (const ForeSummary *summary, JsonObject *result)
{
  gboolean good = !fore_json_get_bool (result, "is_error", FALSE);
  const char *text = fore_json_get_string (result, "result", NULL);
  double cost = fore_json_get_double (result, "total_cost_usd", 0);

  g_assert_true (summary->settled);
  g_assert_cmpint (summary->outcome, ==, good ? FORE_OUTCOME_COMPLETED : FORE_OUTCOME_FAILED);
  if (good)
    g_assert_cmpstr (summary->final_text, ==, text != NULL && *text != '\0' ? text : NULL);
  g_assert_cmpfloat_with_epsilon (summary->usage.cost / 1e6, cost, 1e-6);
}

static gboolean
check_claude_recording (const char *data, const ForeSummary *summary)
{
  g_auto (GStrv) lines = g_strsplit (data, "\n", -1);
  g_autoptr (JsonNode) last = NULL;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autoptr (JsonNode) node = fore_json_parse (lines[i], -1, NULL, NULL);

      if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node)
          || !g_str_equal (fore_json_get_string (json_node_get_object (node), "type", ""),
                           "result"))
        continue;
      g_clear_pointer (&last, json_node_unref);
      last = g_steal_pointer (&node);
    }

  if (last == NULL)
    {
      g_assert_false (summary->settled);
      return FALSE;
    }

  check_claude (summary, json_node_get_object (last));

  return TRUE;
}

/* The others are read into a list of documents first. */
static GPtrArray *
read_lines (const char *data)
{
  g_auto (GStrv) lines = g_strsplit (data, "\n", -1);
  GPtrArray *nodes = g_ptr_array_new_with_free_func ((GDestroyNotify) json_node_unref);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      JsonNode *node = fore_json_parse (lines[i], -1, NULL, NULL);

      if (node != NULL && JSON_NODE_HOLDS_OBJECT (node))
        g_ptr_array_add (nodes, node);
      else
        g_clear_pointer (&node, json_node_unref);
    }

  return nodes;
}

static JsonObject *
find_last_of (GPtrArray *nodes, const char *type)
{
  for (guint i = nodes->len; i > 0; i--)
    {
      JsonObject *object = json_node_get_object (g_ptr_array_index (nodes, i - 1));

      if (g_str_equal (fore_json_get_string (object, "type", ""), type))
        return object;
    }

  return NULL;
}

static gboolean
check_codex_recording (const char *data, const ForeSummary *summary)
{
  g_autoptr (GPtrArray) nodes = read_lines (data);
  JsonObject *completed = find_last_of (nodes, "turn.completed");
  JsonObject *usage = fore_json_get_object (completed, "usage");
  const char *text = NULL;

  for (guint i = 0; i < nodes->len; i++)
    {
      JsonObject *item = fore_json_get_object (json_node_get_object (g_ptr_array_index (nodes, i)),
                                               "item");

      if (g_str_equal (fore_json_get_string (item, "type", ""), "agent_message"))
        text = fore_json_get_string (item, "text", NULL);
    }

  g_assert_cmpint (summary->settled, ==,
                   completed != NULL || find_last_of (nodes, "turn.failed") != NULL);
  g_assert_cmpstr (summary->final_text, ==, text);
  if (completed == NULL)
    return FALSE;

  g_assert_cmpint (summary->outcome, ==, FORE_OUTCOME_COMPLETED);
  g_assert_cmpint (summary->usage.input + summary->usage.cache_read, ==,
                   fore_json_get_int (usage, "input_tokens", -1));
  g_assert_cmpint (summary->usage.output, ==, fore_json_get_int (usage, "output_tokens", -1));

  return TRUE;
}

static gboolean
check_gemini_recording (const char *data, const ForeSummary *summary)
{
  g_autoptr (GPtrArray) nodes = read_lines (data);
  JsonObject *result = find_last_of (nodes, "result");
  JsonObject *stats = fore_json_get_object (result, "stats");
  gint64 total = fore_json_get_int (stats, "total_tokens", 0);
  gboolean good = g_str_equal (fore_json_get_string (result, "status", ""), "success");
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean other = FALSE;

  for (guint i = 0; i < nodes->len; i++)
    {
      JsonObject *object = json_node_get_object (g_ptr_array_index (nodes, i));

      if (!g_str_equal (fore_json_get_string (object, "role", ""), "assistant"))
        {
          other = TRUE;
          continue;
        }
      if (other)
        g_string_truncate (text, 0);
      other = FALSE;
      g_string_append (text, fore_json_get_string (object, "content", ""));
    }

  g_assert_cmpint (summary->settled, ==, result != NULL);
  if (result == NULL)
    return FALSE;

  g_assert_cmpint (summary->outcome, ==, good ? FORE_OUTCOME_COMPLETED : FORE_OUTCOME_FAILED);
  g_assert_cmpstr (summary->final_text, ==, text->len > 0 ? text->str : NULL);
  g_assert_cmpint (MAX (fore_usage_get_tokens (&summary->usage), 0), ==, total);

  return TRUE;
}

static gboolean
check_opencode_recording (const char *data, const ForeSummary *summary)
{
  g_autoptr (GPtrArray) nodes = read_lines (data);
  JsonObject *step = fore_json_get_object (find_last_of (nodes, "step_finish"), "part");
  JsonObject *text = fore_json_get_object (find_last_of (nodes, "text"), "part");
  gint64 total = 0;
  double cost = 0;

  for (guint i = 0; i < nodes->len; i++)
    {
      JsonObject *part = fore_json_get_object (json_node_get_object (g_ptr_array_index (nodes, i)),
                                               "part");

      total += fore_json_get_int (fore_json_get_object (part, "tokens"), "total", 0);
      cost += fore_json_get_double (part, "cost", 0);
    }

  g_assert_cmpint (MAX (fore_usage_get_tokens (&summary->usage), 0), ==, total);
  g_assert_cmpfloat_with_epsilon (MAX (summary->usage.cost, 0) / 1e6, cost, 1e-6);
  g_assert_cmpstr (summary->final_text, ==, fore_json_get_string (text, "text", NULL));
  if (g_strcmp0 (fore_json_get_string (step, "reason", NULL), "stop") != 0)
    return FALSE;

  g_assert_cmpint (summary->outcome, ==, FORE_OUTCOME_COMPLETED);

  return TRUE;
}

gboolean
conformance_check (const char *cli, const char *data, const ForeSummary *summary)
{
  static const struct
  {
    const char *cli;
    gboolean (*check) (const char *data, const ForeSummary *summary);
  } checks[] = {
    { "pi", check_pi_recording },
    { "claude", check_claude_recording },
    { "codex", check_codex_recording },
    { "gemini", check_gemini_recording },
    { "opencode", check_opencode_recording },
  };

  for (guint i = 0; i < G_N_ELEMENTS (checks); i++)
    {
      if (g_str_equal (cli, checks[i].cli))
        return checks[i].check (data, summary);
    }

  return FALSE;
}
