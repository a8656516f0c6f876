/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store/fore-column-json.h"

#include "model/fore-error.h"
#include "text/fore-json.h"

#include <glib/gi18n-lib.h>

/* What a list nests (plan > items > checks > argv), with some room. */
#define MAX_DEPTH 16

static void
append_string (GString *out, const char *text)
{
  if (text != NULL)
    fore_json_append_string (out, text);
  else
    g_string_append (out, "null");
}

static void
append_strv (GString *out, const char *const *strv)
{
  if (strv == NULL)
    {
      g_string_append (out, "null");
      return;
    }

  g_string_append_c (out, '[');
  for (guint i = 0; strv[i] != NULL; i++)
    {
      if (i > 0)
        g_string_append_c (out, ',');
      append_string (out, strv[i]);
    }
  g_string_append_c (out, ']');
}

static void
append_counts (GString *out, const ForeColumnWords *words, const guint *counts)
{
  const char *separator = "";

  g_string_append_c (out, '{');
  for (int i = 0; i < words->n; i++)
    {
      if (counts[i] == 0)
        continue;

      g_string_append_printf (out, "%s\"%s\":%u", separator, words->to_string (i), counts[i]);
      separator = ",";
    }
  g_string_append_c (out, '}');
}

static void append_field (GString *out, const ForeColumn *column, gconstpointer row);

static void
append_object (GString *out, const ForeRowType *type, gconstpointer row)
{
  g_string_append_c (out, '{');
  for (guint i = 0; i < type->n_columns; i++)
    {
      if (i > 0)
        g_string_append_c (out, ',');

      g_string_append_printf (out, "\"%s\":", type->columns[i].name);
      append_field (out, &type->columns[i], row);
    }
  g_string_append_c (out, '}');
}

static void
append_objects (GString *out, const ForeRowType *type, const GPtrArray *rows)
{
  if (rows == NULL)
    {
      g_string_append (out, "null");
      return;
    }

  g_string_append_c (out, '[');
  for (guint i = 0; i < rows->len; i++)
    {
      if (i > 0)
        g_string_append_c (out, ',');
      append_object (out, type, g_ptr_array_index (rows, i));
    }
  g_string_append_c (out, ']');
}

static void
append_field (GString *out, const ForeColumn *column, gconstpointer row)
{
  gconstpointer field = (const char *) row + column->offset;

  switch (column->type)
    {
    case FORE_COLUMN_TEXT:
      append_string (out, *(char *const *) field);
      break;

    case FORE_COLUMN_INT:
    case FORE_COLUMN_SIZE:
      g_string_append_printf (out, "%d", *(const int *) field);
      break;

    case FORE_COLUMN_INT64:
    case FORE_COLUMN_KNOWN:
      g_string_append_printf (out, "%" G_GINT64_FORMAT, *(const gint64 *) field);
      break;

    case FORE_COLUMN_BOOL:
      g_string_append (out, *(const gboolean *) field ? "true" : "false");
      break;

    case FORE_COLUMN_CHAR:
      append_string (out, (char[]){ *(const char *) field, '\0' });
      break;

    case FORE_COLUMN_WORD:
      append_string (out, column->words->to_string (*(const int *) field));
      break;

    case FORE_COLUMN_STRV:
      append_strv (out, *(const char *const *const *) field);
      break;

    case FORE_COLUMN_COUNTS:
      append_counts (out, column->words, field);
      break;

    case FORE_COLUMN_OBJECTS:
      append_objects (out, column->row_type, *(GPtrArray *const *) field);
      break;
    }
}

static gboolean
is_missing (const ForeColumn *column, gconstpointer row)
{
  gconstpointer field = (const char *) row + column->offset;

  return (column->type == FORE_COLUMN_STRV || column->type == FORE_COLUMN_OBJECTS)
         && *(gconstpointer const *) field == NULL;
}

/**
 * fore_column_json_encode:
 * @column: a column
 * @row: the structure
 *
 * Returns: (transfer full) (nullable): the field as JSON text; %NULL for a list that is not there
 */
char *
fore_column_json_encode (const ForeColumn *column, gconstpointer row)
{
  GString *out;

  if (is_missing (column, row))
    return NULL;

  out = g_string_new (NULL);
  append_field (out, column, row);

  return g_string_free (out, FALSE);
}

/**
 * fore_column_find_word:
 * @words: words
 * @text: (nullable): a word
 * @value: (out): the value that it stands for
 *
 * Returns: %FALSE, leaving @value alone, if @text is none of the words
 */
gboolean
fore_column_find_word (const ForeColumnWords *words, const char *text, int *value)
{
  for (int i = 0; text != NULL && i < words->n; i++)
    {
      if (g_str_equal (words->to_string (i), text))
        {
          *value = i;
          return TRUE;
        }
    }

  return FALSE;
}

static GStrv
dup_strv (JsonArray *array)
{
  guint length = json_array_get_length (array);
  /* a builder leaves room for sixteen words, in each of thousands of rows */
  GStrv strv = g_new0 (char *, length + 1);
  guint n = 0;

  for (guint i = 0; i < length; i++)
    {
      JsonNode *node = json_array_get_element (array, i);

      if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING)
        strv[n++] = g_strdup (json_node_get_string (node));
    }

  return strv;
}

static void
read_counts (const ForeColumnWords *words, JsonObject *object, guint *counts)
{
  for (int i = 0; i < words->n; i++)
    counts[i] = (guint) fore_json_get_int (object, words->to_string (i), 0);
}

static void read_field (const ForeColumn *column, JsonNode *node, gpointer row);

static gpointer
read_object (const ForeRowType *type, JsonObject *object)
{
  gpointer row = type->create ();

  for (guint i = 0; i < type->n_columns; i++)
    {
      JsonNode *member = json_object_get_member (object, type->columns[i].name);

      if (member != NULL)
        read_field (&type->columns[i], member, row);
    }

  return row;
}

static GPtrArray *
read_objects (const ForeRowType *type, JsonArray *array)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func (type->destroy);

  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonNode *node = json_array_get_element (array, i);

      if (JSON_NODE_HOLDS_OBJECT (node))
        g_ptr_array_add (rows, read_object (type, json_node_get_object (node)));
    }

  return rows;
}

static void
read_string (const ForeColumn *column, const char *text, gpointer field)
{
  switch (column->type)
    {
    case FORE_COLUMN_TEXT:
      g_free (*(char **) field);
      *(char **) field = g_strdup (text);
      break;

    case FORE_COLUMN_CHAR:
      *(char *) field = *text;
      break;

    case FORE_COLUMN_WORD:
      fore_column_find_word (column->words, text, field);
      break;

    default:
      break;
    }
}

static void
read_number (const ForeColumn *column, gint64 value, gpointer field)
{
  if (column->type == FORE_COLUMN_INT || column->type == FORE_COLUMN_SIZE)
    *(int *) field = (int) value;
  else if (column->type == FORE_COLUMN_INT64 || column->type == FORE_COLUMN_KNOWN)
    *(gint64 *) field = value;
}

static void
read_value (const ForeColumn *column, JsonNode *node, gpointer field)
{
  GType type = json_node_get_value_type (node);

  if (type == G_TYPE_STRING)
    read_string (column, json_node_get_string (node), field);
  else if (type == G_TYPE_INT64)
    read_number (column, json_node_get_int (node), field);
  else if (type == G_TYPE_BOOLEAN && column->type == FORE_COLUMN_BOOL)
    *(gboolean *) field = json_node_get_boolean (node);
}

static void
read_array (const ForeColumn *column, JsonArray *array, gpointer field)
{
  if (column->type == FORE_COLUMN_STRV)
    {
      g_strfreev (*(GStrv *) field);
      *(GStrv *) field = dup_strv (array);
    }
  else if (column->type == FORE_COLUMN_OBJECTS)
    {
      g_clear_pointer ((GPtrArray **) field, g_ptr_array_unref);
      *(GPtrArray **) field = read_objects (column->row_type, array);
    }
}

/* A value of another type leaves what the structure began with, as a missing one does: newer
 * versions may say more in a list than this one knows. */
static void
read_field (const ForeColumn *column, JsonNode *node, gpointer row)
{
  gpointer field = (char *) row + column->offset;

  if (JSON_NODE_HOLDS_VALUE (node))
    read_value (column, node, field);
  else if (JSON_NODE_HOLDS_ARRAY (node))
    read_array (column, json_node_get_array (node), field);
  else if (JSON_NODE_HOLDS_OBJECT (node) && column->type == FORE_COLUMN_COUNTS)
    read_counts (column->words, json_node_get_object (node), field);
}

/**
 * fore_column_json_decode:
 * @column: a column
 * @text: (nullable): JSON text; %NULL leaves the field as it is
 * @row: the structure to fill
 * @error: return location
 *
 * Returns: %FALSE if @text is not JSON
 */
gboolean
fore_column_json_decode (const ForeColumn *column, const char *text, gpointer row, GError **error)
{
  static const ForeJsonLimits limits = { MAX_DEPTH, 256 * 1024 * 1024 };
  g_autoptr (JsonNode) node = NULL;

  if (text == NULL)
    return TRUE;

  node = fore_json_parse (text, -1, &limits, error);
  if (node == NULL)
    {
      g_prefix_error (error, _ ("“%s” is unreadable: "), column->name);
      return FALSE;
    }

  read_field (column, node, row);
  return TRUE;
}
