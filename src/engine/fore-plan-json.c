/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-plan-json.h"

#include "model/fore-error.h"
#include "model/fore-id.h"
#include "text/fore-json.h"

#include <glib/gi18n-lib.h>

static JsonArray *
words_to_json (GStrv words)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; words != NULL && words[i] != NULL; i++)
    json_array_add_string_element (array, words[i]);

  return array;
}

static JsonObject *
item_to_json (const ForePlanItem *item)
{
  JsonObject *object = json_object_new ();
  JsonArray *checks = json_array_new ();

  json_object_set_string_member (object, "id", item->id);
  json_object_set_string_member (object, "title", item->title);
  json_object_set_string_member (object, "role", item->role);
  json_object_set_string_member (object, "task", item->text);
  json_object_set_array_member (object, "dependsOn", words_to_json (item->depends_on));
  json_object_set_array_member (object, "paths", words_to_json (item->paths));
  for (guint i = 0; i < item->checks->len; i++)
    {
      const ForeCheck *check = g_ptr_array_index (item->checks, i);

      json_array_add_array_element (checks, words_to_json (check->argv));
    }
  json_object_set_array_member (object, "checks", checks);
  if (item->live)
    json_object_set_boolean_member (object, "live", TRUE);
  if (item->plans)
    json_object_set_boolean_member (object, "plans", TRUE);
  if (item->dropped)
    json_object_set_boolean_member (object, "dropped", TRUE);

  return object;
}

/**
 * fore_plan_to_json:
 * @plan: a plan
 *
 * Returns: (transfer full): its title, summary and items
 */
JsonNode *
fore_plan_to_json (const ForePlan *plan)
{
  g_autoptr (JsonObject) object = json_object_new ();
  JsonArray *items = json_array_new ();

  g_return_val_if_fail (plan != NULL, NULL);

  json_object_set_string_member (object, "title", plan->title != NULL ? plan->title : "");
  json_object_set_string_member (object, "summary", plan->summary != NULL ? plan->summary : "");
  for (guint i = 0; i < plan->items->len; i++)
    json_array_add_object_element (items, item_to_json (g_ptr_array_index (plan->items, i)));
  json_object_set_array_member (object, "items", items);

  return json_node_init_object (json_node_alloc (), object);
}

static const char *
get_any_string (JsonObject *object, const char *const *names)
{
  for (guint i = 0; names[i] != NULL; i++)
    {
      const char *value = fore_json_get_string (object, names[i], NULL);

      if (value != NULL && *value != '\0')
        return value;
    }

  return NULL;
}

static ForeCheck *
read_check (JsonNode *node)
{
  g_auto (GStrv) argv = NULL;

  /* As foredeckctl prints a check, with what came of it. */
  if (JSON_NODE_HOLDS_OBJECT (node))
    node = json_object_get_member (json_node_get_object (node), "argv");
  if (node == NULL)
    return NULL;

  if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING)
    {
      if (!g_shell_parse_argv (json_node_get_string (node), NULL, &argv, NULL))
        return NULL;
    }
  else if (JSON_NODE_HOLDS_ARRAY (node))
    {
      JsonArray *array = json_node_get_array (node);
      g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

      for (guint i = 0; i < json_array_get_length (array); i++)
        {
          JsonNode *word = json_array_get_element (array, i);

          if (!JSON_NODE_HOLDS_VALUE (word) || json_node_get_value_type (word) != G_TYPE_STRING)
            return NULL;
          g_strv_builder_add (builder, json_node_get_string (word));
        }
      argv = g_strv_builder_end (builder);
    }

  return argv != NULL && argv[0] != NULL ? fore_check_new ((const char *const *) argv) : NULL;
}

static void
note (GPtrArray *changes, const char *format, const char *id, const char *what)
{
  if (changes != NULL)
    {
      g_autofree char *whole = NULL;
      g_autoptr (GString) text = g_string_new (format);

      g_string_replace (text, "%1", id != NULL ? id : "?", 0);
      g_string_replace (text, "%2", what != NULL ? what : "", 0);
      whole = g_strdup (text->str);
      g_ptr_array_add (changes, g_steal_pointer (&whole));
    }
}

static gboolean
is_list (JsonObject *object, const char *member)
{
  JsonNode *node = json_object_get_member (object, member);

  return node == NULL || JSON_NODE_HOLDS_NULL (node) || JSON_NODE_HOLDS_ARRAY (node);
}

static GStrv
dup_words (ForePlanItem *item, JsonObject *object, const char *const *names, GPtrArray *changes)
{
  for (guint i = 0; names[i] != NULL; i++)
    {
      GStrv words = fore_json_dup_strv (object, names[i]);
      guint n_words = words != NULL ? g_strv_length (words) : 0;

      if (!is_list (object, names[i])
          || (words != NULL
              && n_words < json_array_get_length (fore_json_get_array (object, names[i]))))
        note (changes, _ ("“%2” of “%1” was left out: it is not a list of words"), item->id,
              names[i]);
      if (n_words > 0)
        return words;
      g_strfreev (words);
    }

  return NULL;
}

static void
read_checks (ForePlanItem *item, JsonObject *object, GPtrArray *changes)
{
  JsonArray *array = fore_json_get_array (object, "checks");

  if (!is_list (object, "checks"))
    note (changes, _ ("the checks of “%1” were left out: they are not a list of commands"),
          item->id, NULL);

  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      ForeCheck *check = read_check (json_array_get_element (array, i));

      if (check != NULL)
        g_ptr_array_add (item->checks, check);
      else
        note (changes, _ ("a check of “%1” was left out: it is not a command"), item->id, NULL);
    }
}

static void
drop_bad_paths (ForePlanItem *item, GPtrArray *changes)
{
  g_autoptr (GStrvBuilder) kept = g_strv_builder_new ();

  for (guint i = 0; item->paths != NULL && item->paths[i] != NULL; i++)
    {
      if (fore_id_is_tree_path (item->paths[i]))
        g_strv_builder_add (kept, item->paths[i]);
      else
        note (changes, _ ("a path of “%1” was left out: %2 is outside the project"), item->id,
              item->paths[i]);
    }

  g_strfreev (item->paths);
  item->paths = g_strv_builder_end (kept);
}

static ForePlanItem *
read_item (JsonObject *object, guint position, GPtrArray *changes)
{
  static const char *const id_names[] = { "id", "key", "name", NULL };
  static const char *const title_names[] = { "title", "name", "summary", NULL };
  static const char *const text_names[] = { "task", "text", "description", "prompt", NULL };
  static const char *const dep_names[] = { "dependsOn", "depends_on", "deps", "after", NULL };
  static const char *const path_names[] = { "paths", "files", NULL };
  ForePlanItem *item = fore_plan_item_new (NULL);
  const char *id = get_any_string (object, id_names);

  item->id = g_strdup (id);
  if (!fore_id_is_task_key (item->id))
    {
      g_autofree char *fallback = g_strdup_printf ("item-%u", position + 1);

      g_free (item->id);
      item->id = fore_id_dup_task_key (id != NULL ? id : fallback);
      note (changes, _ ("the id “%2” became “%1”"), item->id, id);
    }

  item->title = g_strdup (get_any_string (object, title_names));
  if (item->title == NULL)
    item->title = g_strdup (item->id);
  item->role = g_strdup (fore_json_get_string (object, "role", "executor"));
  item->text = g_strdup (get_any_string (object, text_names));
  if (item->text == NULL)
    item->text = g_strdup (item->title);
  item->depends_on = dup_words (item, object, dep_names, changes);
  item->paths = dup_words (item, object, path_names, changes);
  item->live = fore_json_get_bool (object, "live", FALSE);
  item->plans = fore_json_get_bool (object, "plans", FALSE);
  item->dropped = fore_json_get_bool (object, "dropped", FALSE);
  drop_bad_paths (item, changes);
  read_checks (item, object, changes);

  return item;
}

/**
 * fore_plan_from_json:
 * @node: JSON of a plan, or an object whose member `plan` is one
 * @changes: (nullable) (element-type utf8): gets a sentence for each thing that was put right
 * @error: return location for an error
 *
 * Reads a plan tolerantly: known other names of keys, ids made valid, paths outside the project
 * left out. Does not check roles, dependencies or counts. Error: %FORE_ERROR_INVALID if there are
 * no items.
 *
 * Returns: (transfer full): the plan, or %NULL
 */
ForePlan *
fore_plan_from_json (JsonNode *node, GPtrArray *changes, GError **error)
{
  g_autoptr (ForePlan) plan = fore_plan_new ();
  JsonObject *object = NULL;
  JsonArray *items = NULL;

  g_return_val_if_fail (node != NULL, NULL);

  if (JSON_NODE_HOLDS_OBJECT (node))
    {
      object = json_node_get_object (node);
      if (fore_json_get_object (object, "plan") != NULL)
        object = fore_json_get_object (object, "plan");
      items = fore_json_get_array (object, "items");
      if (items == NULL)
        items = fore_json_get_array (object, "tasks");
    }
  else if (JSON_NODE_HOLDS_ARRAY (node))
    {
      items = json_node_get_array (node);
    }

  for (guint i = 0; items != NULL && i < json_array_get_length (items); i++)
    {
      JsonNode *element = json_array_get_element (items, i);

      if (JSON_NODE_HOLDS_OBJECT (element))
        g_ptr_array_add (plan->items, read_item (json_node_get_object (element), i, changes));
      else
        note (changes, _ ("an item was left out: it is not an object"), NULL, NULL);
    }

  if (plan->items->len == 0)
    {
      g_set_error_literal (error, FORE_ERROR, FORE_ERROR_INVALID,
                           _ ("The plan has no items; it needs a list “items” with at least one."));
      return NULL;
    }

  plan->title = g_strdup (object != NULL ? fore_json_get_string (object, "title", "") : "");
  plan->summary = g_strdup (object != NULL ? fore_json_get_string (object, "summary", "") : "");

  return g_steal_pointer (&plan);
}
