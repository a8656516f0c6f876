/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library/fore-setting-value.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "library/fore-library-text.h"
#include "model/fore-quantity.h"
#include "text/fore-json.h"
#include "text/fore-text.h"

#define MAX_LIST 1000
#define WHOLE_LIMIT 9007199254740992.0

static gboolean
node_is (JsonNode *node, GType type)
{
  return JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == type;
}

/* A whole number, however it is written in JSON: 5, 5.0 or 5e0. */
static gboolean
read_whole (JsonNode *node, gint64 *number)
{
  double real;

  if (node_is (node, G_TYPE_INT64))
    {
      *number = json_node_get_int (node);
      return TRUE;
    }
  if (!node_is (node, G_TYPE_DOUBLE))
    return FALSE;

  real = json_node_get_double (node);
  if (real != floor (real) || fabs (real) > WHOLE_LIMIT)
    return FALSE;

  *number = (gint64) real;
  return TRUE;
}

static gboolean
read_bool (ForeSettingValue *self, JsonNode *node)
{
  if (!node_is (node, G_TYPE_BOOLEAN))
    return FALSE;

  self->number = json_node_get_boolean (node);
  return TRUE;
}

static gboolean
read_real (ForeSettingValue *self, JsonNode *node)
{
  if (!node_is (node, G_TYPE_DOUBLE) && !node_is (node, G_TYPE_INT64))
    return FALSE;

  self->real = json_node_get_double (node);
  return isfinite (self->real);
}

static gboolean
read_quantity (ForeSettingValue *self, JsonNode *node)
{
  if (read_whole (node, &self->number))
    return TRUE;
  if (!node_is (node, G_TYPE_STRING))
    return FALSE;
  if (self->key->type == FORE_SETTING_DURATION)
    return fore_duration_parse (json_node_get_string (node), &self->number);

  return fore_size_parse (json_node_get_string (node), &self->number);
}

static gboolean
read_text (ForeSettingValue *self, JsonNode *node)
{
  const char *text = node_is (node, G_TYPE_STRING) ? json_node_get_string (node) : NULL;

  if (text == NULL || *text == '\0')
    return FALSE;
  if (self->key->type == FORE_SETTING_ENUM && !g_strv_contains (self->key->choices, text))
    return FALSE;

  self->text = g_strdup (text);
  return TRUE;
}

static GStrv
dup_list (JsonNode *node)
{
  g_autoptr (GStrvBuilder) builder = NULL;
  JsonArray *array;

  if (!JSON_NODE_HOLDS_ARRAY (node))
    return NULL;

  array = json_node_get_array (node);
  if (json_array_get_length (array) > MAX_LIST)
    return NULL;

  builder = g_strv_builder_new ();
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonNode *item = json_array_get_element (array, i);

      if (!node_is (item, G_TYPE_STRING))
        return NULL;
      g_strv_builder_add (builder, json_node_get_string (item));
    }

  return g_strv_builder_end (builder);
}

static gboolean
read_list (ForeSettingValue *self, JsonNode *node)
{
  self->list = dup_list (node);
  self->json = json_node_ref (node);
  return self->list != NULL;
}

/* A command is a list of words; a text is split into words as a shell would, by no shell, and may
 * not count on one. */
static GStrv
dup_command (JsonNode *node)
{
  g_auto (GStrv) argv = NULL;

  if (node_is (node, G_TYPE_STRING))
    g_shell_parse_argv (json_node_get_string (node), NULL, &argv, NULL);
  else
    argv = dup_list (node);

  if (argv == NULL || argv[0] == NULL || argv[0][0] == '\0'
      || (node_is (node, G_TYPE_STRING) && fore_text_needs_shell ((const char *const *) argv)))
    return NULL;

  return g_steal_pointer (&argv);
}

static gboolean
read_commands (ForeSettingValue *self, JsonNode *node)
{
  JsonArray *array;

  if (!JSON_NODE_HOLDS_ARRAY (node))
    return FALSE;

  array = json_node_get_array (node);
  if (json_array_get_length (array) > MAX_LIST)
    return FALSE;

  self->json = json_node_ref (node);
  self->commands = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      GStrv argv = dup_command (json_array_get_element (array, i));

      if (argv == NULL)
        return FALSE;
      g_ptr_array_add (self->commands, argv);
    }

  return TRUE;
}

static gboolean
read_hooks (ForeSettingValue *self, JsonNode *node, char **problem)
{
  self->json = json_node_ref (node);
  self->hooks = fore_hook_defs_parse (node, problem);
  return self->hooks != NULL;
}

static gboolean
read_rules (ForeSettingValue *self, JsonNode *node, char **problem)
{
  self->json = json_node_ref (node);
  self->rules = fore_tool_rules_parse (node, problem);
  return self->rules != NULL;
}

static gboolean
read_node (ForeSettingValue *self, JsonNode *node, char **problem)
{
  switch (self->key->type)
    {
    case FORE_SETTING_BOOL:
      return read_bool (self, node);
    case FORE_SETTING_INT:
      return read_whole (node, &self->number);
    case FORE_SETTING_DOUBLE:
      return read_real (self, node);
    case FORE_SETTING_DURATION:
    case FORE_SETTING_SIZE:
      return read_quantity (self, node);
    case FORE_SETTING_STRING:
    case FORE_SETTING_ENUM:
      return read_text (self, node);
    case FORE_SETTING_STRV:
      return read_list (self, node);
    case FORE_SETTING_COMMANDS:
      return read_commands (self, node);
    case FORE_SETTING_RULES:
      return read_rules (self, node, problem);
    case FORE_SETTING_HOOKS:
      return read_hooks (self, node, problem);
    default:
      g_return_val_if_reached (FALSE);
    }
}

static gboolean
has_range (const ForeSettingKey *key)
{
  return key->maximum > key->minimum;
}

static gboolean
in_range (const ForeSettingValue *self)
{
  double value = self->key->type == FORE_SETTING_DOUBLE ? self->real : (double) self->number;

  return !has_range (self->key) || (value >= self->key->minimum && value <= self->key->maximum);
}

static char *
dup_bound (const ForeSettingKey *key, double bound)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  if (key->type == FORE_SETTING_DURATION)
    return fore_duration_format ((gint64) bound);
  if (key->type == FORE_SETTING_SIZE)
    return fore_size_format ((gint64) bound);

  return g_strdup (g_ascii_formatd (buffer, sizeof buffer, "%.16g", bound));
}

static char *
dup_range_problem (const ForeSettingKey *key)
{
  g_autofree char *low = dup_bound (key, key->minimum);
  g_autofree char *high = dup_bound (key, key->maximum);

  return g_strdup_printf (_ ("it must be from %s to %s"), low, high);
}

static char *
dup_type_problem (const ForeSettingKey *key)
{
  g_autofree char *words = NULL;

  switch (key->type)
    {
    case FORE_SETTING_BOOL:
      return g_strdup (_ ("it must be true or false"));
    case FORE_SETTING_INT:
      return g_strdup (_ ("it must be a whole number"));
    case FORE_SETTING_DOUBLE:
      return g_strdup (_ ("it must be a number"));
    case FORE_SETTING_DURATION:
      return g_strdup (_ ("it must be a time such as \"10 min\""));
    case FORE_SETTING_SIZE:
      return g_strdup (_ ("it must be a size such as \"512 MiB\""));
    case FORE_SETTING_ENUM:
      words = g_strjoinv (", ", (char **) key->choices);
      return g_strdup_printf (_ ("it must be one of %s"), words);
    case FORE_SETTING_STRV:
      return g_strdup (_ ("it must be a list of texts"));
    case FORE_SETTING_COMMANDS:
      return g_strdup (_ ("it must be a list of commands such as [[\"make\", \"check\"]]"));
    default:
      return g_strdup (_ ("it must be a text that is not empty"));
    }
}

/**
 * fore_setting_value_new:
 * @key: a key
 * @node: what a file says
 * @problem: (out): place for what is wrong, as the second half of a sentence
 *
 * Checks a value.
 *
 * Returns: (transfer full) (nullable): the value, or %NULL if it is none
 */
ForeSettingValue *
fore_setting_value_new (const ForeSettingKey *key, JsonNode *node, char **problem)
{
  g_autoptr (ForeSettingValue) self = NULL;

  g_return_val_if_fail (key != NULL, NULL);
  g_return_val_if_fail (node != NULL, NULL);
  g_return_val_if_fail (problem != NULL, NULL);

  self = g_new0 (ForeSettingValue, 1);
  self->key = key;
  *problem = NULL;
  if (!read_node (self, node, problem))
    *problem = *problem != NULL ? *problem : dup_type_problem (key);
  else if (!in_range (self))
    *problem = dup_range_problem (key);
  else
    return g_steal_pointer (&self);

  return NULL;
}

static JsonNode *
new_number (const char *text)
{
  JsonNode *node = json_node_new (JSON_NODE_VALUE);
  gint64 whole;
  double real;
  char *end;

  if (g_ascii_string_to_signed (text, 10, G_MININT64, G_MAXINT64, &whole, NULL))
    json_node_set_int (node, whole);
  else if (real = g_ascii_strtod (text, &end), end != text && *end == '\0')
    json_node_set_double (node, real);
  else
    json_node_set_string (node, text);

  return node;
}

static JsonNode *
new_bool (const char *text)
{
  JsonNode *node = json_node_new (JSON_NODE_VALUE);
  gboolean value;

  if (fore_parse_yes_no (text, &value))
    json_node_set_boolean (node, value);
  else
    json_node_set_string (node, text);

  return node;
}

static JsonNode *
new_text_list (const char *text)
{
  g_auto (GStrv) words = fore_csv_split (text);
  JsonArray *array = json_array_new ();
  JsonNode *node = json_node_new (JSON_NODE_ARRAY);

  for (guint i = 0; words[i] != NULL; i++)
    json_array_add_string_element (array, words[i]);
  json_node_take_array (node, array);

  return node;
}

static JsonNode *
new_command (const char *text)
{
  JsonArray *array = json_array_new ();
  JsonNode *node = json_node_new (JSON_NODE_ARRAY);

  json_array_add_string_element (array, text);
  json_node_take_array (node, array);

  return node;
}

/**
 * fore_setting_text_to_node:
 * @key: a key
 * @text: what a person typed
 * @problem: (out): place for what is wrong, as the second half of a sentence
 *
 * Turns text from a command line into what would stand in a file. Lists may be JSON or have commas.
 *
 * Returns: (transfer full) (nullable): the node, not yet checked, or %NULL if it is bad JSON
 */
JsonNode *
fore_setting_text_to_node (const ForeSettingKey *key, const char *text, char **problem)
{
  g_autoptr (GError) error = NULL;
  JsonNode *node;

  g_return_val_if_fail (key != NULL, NULL);
  g_return_val_if_fail (text != NULL, NULL);
  g_return_val_if_fail (problem != NULL, NULL);

  if (key->type == FORE_SETTING_BOOL)
    return new_bool (text);
  if (key->type < FORE_SETTING_STRING)
    return new_number (text);
  if (key->type < FORE_SETTING_STRV)
    return json_node_init_string (json_node_alloc (), text);
  if (key->type == FORE_SETTING_STRV && text[0] != '[')
    return new_text_list (text);
  if (key->type == FORE_SETTING_COMMANDS && text[0] != '[')
    return new_command (text);

  node = fore_json_parse (text, -1, NULL, &error);
  if (node == NULL)
    *problem = g_strdup (error->message);

  return node;
}

/**
 * fore_setting_value_new_from_text:
 * @key: a key
 * @text: what a person typed
 * @problem: (out): place for what is wrong, as the second half of a sentence
 *
 * Reads and checks a value.
 *
 * Returns: (transfer full) (nullable): the value, or %NULL if it is none
 */
ForeSettingValue *
fore_setting_value_new_from_text (const ForeSettingKey *key, const char *text, char **problem)
{
  g_autoptr (JsonNode) node = fore_setting_text_to_node (key, text, problem);

  return node != NULL ? fore_setting_value_new (key, node, problem) : NULL;
}

/**
 * fore_setting_value_free:
 * @self: (transfer full): a value
 *
 * Frees a value.
 */
void
fore_setting_value_free (ForeSettingValue *self)
{
  g_return_if_fail (self != NULL);

  g_free (self->text);
  g_strfreev (self->list);
  g_clear_pointer (&self->commands, g_ptr_array_unref);
  g_clear_pointer (&self->hooks, g_ptr_array_unref);
  g_clear_pointer (&self->rules, g_ptr_array_unref);
  g_clear_pointer (&self->json, json_node_unref);
  g_free (self);
}

static gpointer
copy_hook (gconstpointer hook, gpointer user_data)
{
  return fore_hook_def_copy (hook);
}

static JsonNode *
join_lists (JsonNode *first, JsonNode *second)
{
  JsonArray *array = json_array_new ();
  JsonNode *parts[] = { first, second };
  JsonNode *node;

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      JsonArray *part = json_node_get_array (parts[i]);

      for (guint k = 0; k < json_array_get_length (part); k++)
        json_array_add_element (array, json_node_copy (json_array_get_element (part, k)));
    }

  node = json_node_init_array (json_node_alloc (), array);
  json_array_unref (array);

  return node;
}

/**
 * fore_setting_value_join:
 * @before: the value of the layer below
 * @self: (transfer full): the value of a layer
 *
 * Hooks of a project come after the person's own and do not take their place; any other value does.
 *
 * Returns: (transfer full): what is in force
 */
ForeSettingValue *
fore_setting_value_join (const ForeSettingValue *before, ForeSettingValue *self)
{
  ForeSettingValue *joined;

  g_return_val_if_fail (before != NULL && self != NULL, self);

  if (self->hooks == NULL || before->hooks == NULL)
    return self;

  joined = g_new0 (ForeSettingValue, 1);
  joined->key = self->key;
  joined->json = join_lists (before->json, self->json);
  joined->hooks = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_hook_def_free);
  g_ptr_array_extend (joined->hooks, before->hooks, copy_hook, NULL);
  g_ptr_array_extend (joined->hooks, self->hooks, copy_hook, NULL);
  fore_setting_value_free (self);

  return joined;
}

/**
 * fore_setting_value_dup_text:
 * @self: a value
 *
 * Writes a value so that fore_setting_value_new_from_text() reads it again.
 *
 * Returns: (transfer full): the text
 */
char *
fore_setting_value_dup_text (const ForeSettingValue *self)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  g_return_val_if_fail (self != NULL, NULL);

  switch (self->key->type)
    {
    case FORE_SETTING_BOOL:
      return g_strdup (self->number != 0 ? "true" : "false");
    case FORE_SETTING_INT:
      return g_strdup_printf ("%" G_GINT64_FORMAT, self->number);
    case FORE_SETTING_DOUBLE:
      return g_strdup (g_ascii_formatd (buffer, sizeof buffer, "%.15g", self->real));
    case FORE_SETTING_DURATION:
      return fore_duration_format (self->number);
    case FORE_SETTING_SIZE:
      return fore_size_format (self->number);
    case FORE_SETTING_STRING:
    case FORE_SETTING_ENUM:
      return g_strdup (self->text);
    default:
      return fore_json_to_string (self->json, FALSE);
    }
}

static int
rank (const ForeSettingValue *self)
{
  for (int i = 0; self->key->choices[i] != NULL; i++)
    {
      if (strcmp (self->key->choices[i], self->text) == 0)
        return i;
    }

  return G_MAXINT;
}

/**
 * fore_setting_value_is_at_most:
 * @self: a value of a key that a project may only tighten
 * @other: another value of that key
 *
 * Tells whether @self is as strict as @other or stricter: a smaller number, an earlier word.
 *
 * Returns: %TRUE if it is; %FALSE for types that have no order
 */
gboolean
fore_setting_value_is_at_most (const ForeSettingValue *self, const ForeSettingValue *other)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (other != NULL, FALSE);

  switch (self->key->type)
    {
    case FORE_SETTING_INT:
    case FORE_SETTING_DURATION:
    case FORE_SETTING_SIZE:
      return self->number <= other->number;
    case FORE_SETTING_DOUBLE:
      return self->real <= other->real;
    case FORE_SETTING_ENUM:
      return rank (self) <= rank (other);
    default:
      return FALSE;
    }
}
