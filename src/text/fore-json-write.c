/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "text/fore-json.h"
#include "text/fore-text.h"

#include <math.h>
#include <string.h>

/* json-glib writes 0.1 as 0.10000000000000001; people and diffs want the shortest number that reads
 * back as the same.
 */
static void write_node (GString *out, JsonNode *node, gboolean pretty, guint level);

/**
 * fore_json_append_string:
 * @out: where to
 * @text: text; what is no UTF-8 in it is made valid
 *
 * Appends @text as a string of JSON, in its quotation marks.
 */
void
fore_json_append_string (GString *out, const char *text)
{
  g_autofree char *valid = NULL;

  g_return_if_fail (out != NULL && text != NULL);

  if (!g_utf8_validate (text, -1, NULL))
    text = valid = fore_text_make_valid (text, -1);

  g_string_append_c (out, '"');
  while (*text != '\0')
    {
      gsize plain = 0;

      while ((guchar) text[plain] >= 0x20 && text[plain] != '"' && text[plain] != '\\'
             && text[plain] != 0x7f)
        plain++;
      g_string_append_len (out, text, plain);
      text += plain;

      switch (*text)
        {
        case '\0':
          continue;
        case '"':
        case '\\':
          g_string_append_c (out, '\\');
          g_string_append_c (out, *text);
          break;
        case '\n':
          g_string_append (out, "\\n");
          break;
        case '\t':
          g_string_append (out, "\\t");
          break;
        case '\r':
          g_string_append (out, "\\r");
          break;
        default:
          g_string_append_printf (out, "\\u%04x", (guchar) *text);
        }
      text++;
    }
  g_string_append_c (out, '"');
}

/* Always with a point or an exponent, so that it is read as a floating-point number again. */
static void
write_double (GString *out, double value)
{
  static const char *const formats[] = { "%.15g", "%.16g", "%.17g" };
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  if (!isfinite (value))
    {
      g_string_append (out, "null");
      return;
    }

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_ascii_formatd (buffer, sizeof buffer, formats[i], value);
      if (g_ascii_strtod (buffer, NULL) == value)
        break;
    }

  g_string_append (out, buffer);
  if (strpbrk (buffer, ".e") == NULL)
    g_string_append (out, ".0");
}

static void
write_value (GString *out, JsonNode *node)
{
  GType type = json_node_get_value_type (node);

  if (type == G_TYPE_STRING)
    fore_json_append_string (out, json_node_get_string (node));
  else if (type == G_TYPE_BOOLEAN)
    g_string_append (out, json_node_get_boolean (node) ? "true" : "false");
  else if (type == G_TYPE_DOUBLE)
    write_double (out, json_node_get_double (node));
  else
    g_string_append_printf (out, "%" G_GINT64_FORMAT, json_node_get_int (node));
}

static void
write_break (GString *out, gboolean pretty, guint level)
{
  if (!pretty)
    return;

  g_string_append_c (out, '\n');
  for (guint i = 0; i < level; i++)
    g_string_append (out, "  ");
}

static void
write_array (GString *out, JsonArray *array, gboolean pretty, guint level)
{
  guint length = json_array_get_length (array);

  g_string_append_c (out, '[');
  for (guint i = 0; i < length; i++)
    {
      if (i > 0)
        g_string_append_c (out, ',');
      write_break (out, pretty, level + 1);
      write_node (out, json_array_get_element (array, i), pretty, level + 1);
    }
  if (length > 0)
    write_break (out, pretty, level);
  g_string_append_c (out, ']');
}

static void
write_object (GString *out, JsonObject *object, gboolean pretty, guint level)
{
  JsonObjectIter iter;
  const char *name;
  JsonNode *node;
  gboolean first = TRUE;

  g_string_append_c (out, '{');
  json_object_iter_init_ordered (&iter, object);
  while (json_object_iter_next_ordered (&iter, &name, &node))
    {
      if (!first)
        g_string_append_c (out, ',');
      first = FALSE;
      write_break (out, pretty, level + 1);
      fore_json_append_string (out, name);
      g_string_append (out, pretty ? ": " : ":");
      write_node (out, node, pretty, level + 1);
    }
  if (!first)
    write_break (out, pretty, level);
  g_string_append_c (out, '}');
}

static void
write_node (GString *out, JsonNode *node, gboolean pretty, guint level)
{
  switch (json_node_get_node_type (node))
    {
    case JSON_NODE_OBJECT:
      write_object (out, json_node_get_object (node), pretty, level);
      break;
    case JSON_NODE_ARRAY:
      write_array (out, json_node_get_array (node), pretty, level);
      break;
    case JSON_NODE_VALUE:
      write_value (out, node);
      break;
    case JSON_NODE_NULL:
    default:
      g_string_append (out, "null");
    }
}

/**
 * fore_json_to_string:
 * @node: a document, no deeper than fore_json_parse() allows
 * @pretty: whether to indent it
 *
 * Returns: (transfer full): @node as text, on one line unless @pretty
 */
char *
fore_json_to_string (JsonNode *node, gboolean pretty)
{
  GString *out;

  g_return_val_if_fail (node != NULL, NULL);

  out = g_string_new (NULL);
  write_node (out, node, pretty, 0);

  return g_string_free (out, FALSE);
}

/**
 * fore_json_set_text:
 * @object: an object
 * @member: name of a member
 * @text: (nullable): its value, of which what is no UTF-8 is made valid; %NULL leaves it out
 */
void
fore_json_set_text (JsonObject *object, const char *member, const char *text)
{
  g_autofree char *valid = NULL;

  g_return_if_fail (object != NULL && member != NULL);

  if (text == NULL)
    return;
  if (!g_utf8_validate (text, -1, NULL))
    text = valid = fore_text_make_valid (text, -1);

  json_object_set_string_member (object, member, text);
}
