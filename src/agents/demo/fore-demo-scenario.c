/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/demo/fore-demo-scenario.h"

#include "model/fore-error.h"
#include "text/fore-json.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Reads a scenario; it is in the format that data/demo/README.md describes. */
JsonNode *
demo_scenario_load (const char *path, GError **error)
{
  JsonNode *node = fore_json_load_file (path, NULL, error);

  if (node == NULL)
    return NULL;

  if (!JSON_NODE_HOLDS_OBJECT (node)
      || fore_json_get_object (json_node_get_object (node), "tasks") == NULL)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_INVALID,
                   _ ("%s is no scenario: it has no object “tasks”"), path);
      json_node_unref (node);
      return NULL;
    }

  return node;
}

const char *
demo_scenario_get_model (JsonNode *scenario)
{
  return fore_json_get_string (json_node_get_object (scenario), "model", "demo");
}

static gboolean
matches (JsonObject *script, guint attempt, const char *prompt)
{
  JsonObject *when = fore_json_get_object (script, "when");
  const char *phrase = fore_json_get_string (when, "prompt", NULL);
  gint64 wanted = fore_json_get_int (when, "attempt", 0);

  if (wanted != 0 && wanted != attempt)
    return FALSE;

  return phrase == NULL || strstr (prompt, phrase) != NULL;
}

/* The steps of the first script of the task whose conditions hold, or of the default ones. */
JsonArray *
demo_scenario_find_steps (JsonNode *scenario, const char *task, guint attempt, const char *prompt)
{
  JsonObject *root = json_node_get_object (scenario);
  JsonArray *scripts = fore_json_get_array (fore_json_get_object (root, "tasks"), task);

  if (scripts == NULL)
    scripts = fore_json_get_array (root, "default");

  for (guint i = 0; scripts != NULL && i < json_array_get_length (scripts); i++)
    {
      JsonNode *node = json_array_get_element (scripts, i);

      if (JSON_NODE_HOLDS_OBJECT (node) && matches (json_node_get_object (node), attempt, prompt))
        return fore_json_get_array (json_node_get_object (node), "steps");
    }

  return NULL;
}
