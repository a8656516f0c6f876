/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "text/fore-json.h"

#include "model/fore-error.h"
#include "text/fore-json-private.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* The documents under construction, the innermost last, and the name of the next member of each. */
typedef struct
{
  JsonNode *nodes[FORE_JSON_MAX_DEPTH];
  char *names[FORE_JSON_MAX_DEPTH];
  guint depth;
  JsonNode *root;
} Builder;

static void
builder_clear (Builder *builder)
{
  for (guint i = 0; i < builder->depth; i++)
    {
      g_clear_pointer (&builder->nodes[i], json_node_unref);
      g_clear_pointer (&builder->names[i], g_free);
    }
  builder->depth = 0;
}

static void
builder_add (Builder *builder, JsonNode *node)
{
  JsonNode *parent;

  if (builder->depth == 0)
    {
      builder->root = node;
      return;
    }

  parent = builder->nodes[builder->depth - 1];
  if (JSON_NODE_HOLDS_ARRAY (parent))
    {
      json_array_add_element (json_node_get_array (parent), node);
      return;
    }

  json_object_set_member (json_node_get_object (parent), builder->names[builder->depth - 1], node);
  g_clear_pointer (&builder->names[builder->depth - 1], g_free);
}

static void
builder_open (Builder *builder, gboolean object)
{
  JsonNode *node = json_node_alloc ();

  if (object)
    json_node_take_object (json_node_init (node, JSON_NODE_OBJECT), json_object_new ());
  else
    json_node_take_array (json_node_init (node, JSON_NODE_ARRAY), json_array_new ());

  builder->nodes[builder->depth] = node;
  builder->names[builder->depth] = NULL;
  builder->depth++;
}

static void
builder_close (Builder *builder)
{
  JsonNode *node = builder->nodes[--builder->depth];

  builder_add (builder, node);
}

static JsonNode *
number_node (const ForeJsonScanner *scanner)
{
  const char *text = scanner->text + scanner->token_start;
  JsonNode *node = json_node_alloc ();
  gint64 value;

  if (fore_json_number_is_int (text, scanner->token_length, &value))
    return json_node_init_int (node, value);

  return json_node_init_double (node, fore_json_number_to_double (text, scanner->token_length));
}

static JsonNode *
string_node (const ForeJsonScanner *scanner)
{
  g_autofree char *text = fore_json_scanner_dup_string (scanner);

  return json_node_init_string (json_node_alloc (), text);
}

static void
builder_take_token (Builder *builder, const ForeJsonScanner *scanner)
{
  switch (scanner->token)
    {
    case FORE_JSON_OBJECT_START:
    case FORE_JSON_ARRAY_START:
      builder_open (builder, scanner->token == FORE_JSON_OBJECT_START);
      break;
    case FORE_JSON_OBJECT_END:
    case FORE_JSON_ARRAY_END:
      builder_close (builder);
      break;
    case FORE_JSON_KEY:
      builder->names[builder->depth - 1] = fore_json_scanner_dup_string (scanner);
      break;
    case FORE_JSON_STRING:
      builder_add (builder, string_node (scanner));
      break;
    case FORE_JSON_NUMBER:
      builder_add (builder, number_node (scanner));
      break;
    case FORE_JSON_TRUE:
    case FORE_JSON_FALSE:
      builder_add (builder,
                   json_node_init_boolean (json_node_alloc (), scanner->token == FORE_JSON_TRUE));
      break;
    case FORE_JSON_NULL:
      builder_add (builder, json_node_init_null (json_node_alloc ()));
      break;
    case FORE_JSON_END:
    case FORE_JSON_ERROR:
    default:
      g_assert_not_reached ();
    }
}

static void
set_scan_error (const ForeJsonScanner *scanner, GError **error)
{
  guint line = 1;
  gsize line_start = 0;

  for (gsize i = 0; i < scanner->position && i < scanner->length; i++)
    {
      if (scanner->text[i] == '\n')
        {
          line++;
          line_start = i + 1;
        }
    }

  g_set_error (error, FORE_ERROR,
               scanner->problem == fore_json_problem_depth ? FORE_ERROR_LIMIT : FORE_ERROR_INVALID,
               _ ("This is not usable JSON; look at line %u, byte %lu: %s"), line,
               (gulong) (scanner->position - line_start + 1), scanner->problem);
}

/**
 * fore_json_parse:
 * @text: a JSON document
 * @length: bytes of @text, or -1 if a NUL ends it
 * @limits: (nullable): what to allow; %NULL for %FORE_JSON_DEFAULT_LIMITS
 * @error: return location for an error
 *
 * Reads a document from outside. Of members with the same name the last counts; whole numbers that
 * do not fit into 64 bits become floating-point ones; what a C string cannot hold becomes U+FFFD.
 *
 * Returns: (transfer full): the document, or %NULL with %FORE_ERROR_INVALID or %FORE_ERROR_LIMIT
 */
JsonNode *
fore_json_parse (const char *text, gssize length, const ForeJsonLimits *limits, GError **error)
{
  ForeJsonLimits allowed = limits != NULL ? *limits : FORE_JSON_DEFAULT_LIMITS;
  ForeJsonScanner scanner;
  Builder builder = { 0 };
  ForeJsonToken token;

  g_return_val_if_fail (text != NULL || length == 0, NULL);

  fore_json_scanner_init (&scanner, text, length, allowed.max_depth);
  if (scanner.length > allowed.max_bytes)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_LIMIT,
                   _ ("This JSON is larger than the %lu bytes allowed; make it smaller"),
                   (gulong) allowed.max_bytes);
      return NULL;
    }

  while ((token = fore_json_scanner_next (&scanner)) != FORE_JSON_END && token != FORE_JSON_ERROR)
    builder_take_token (&builder, &scanner);

  if (token == FORE_JSON_ERROR)
    {
      builder_clear (&builder);
      g_clear_pointer (&builder.root, json_node_unref);
      set_scan_error (&scanner, error);
      return NULL;
    }

  return builder.root;
}

/* Reads at most max_bytes + 1 bytes, so that a file without an end costs no memory. */
static GBytes *
read_limited (const char *path, gsize max_bytes, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, error);
  g_autoptr (GByteArray) data = g_byte_array_new ();
  guint8 buffer[16384];
  gssize n;

  if (stream == NULL)
    return NULL;

  while ((n = g_input_stream_read (G_INPUT_STREAM (stream), buffer, sizeof buffer, NULL, error))
         > 0)
    {
      g_byte_array_append (data, buffer, n);
      if (data->len > max_bytes)
        {
          g_set_error (error, FORE_ERROR, FORE_ERROR_LIMIT,
                       _ ("%s is larger than the %lu bytes allowed; make it smaller"), path,
                       (gulong) max_bytes);
          return NULL;
        }
    }

  return n < 0 ? NULL : g_byte_array_free_to_bytes (g_steal_pointer (&data));
}

/**
 * fore_json_load_file:
 * @path: a file
 * @limits: (nullable): what to allow; %NULL for %FORE_JSON_DEFAULT_LIMITS
 * @error: return location for an error
 *
 * Reads a document from a file; blocks. Errors name the file; a missing file is
 * %FORE_ERROR_NOT_FOUND, one that cannot be read %FORE_ERROR_ENVIRONMENT.
 *
 * Returns: (transfer full): the document, or %NULL
 */
JsonNode *
fore_json_load_file (const char *path, const ForeJsonLimits *limits, GError **error)
{
  ForeJsonLimits allowed = limits != NULL ? *limits : FORE_JSON_DEFAULT_LIMITS;
  g_autoptr (GError) local_error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  const char *text;
  gsize length;
  JsonNode *node;

  g_return_val_if_fail (path != NULL, NULL);

  bytes = read_limited (path, allowed.max_bytes, &local_error);
  if (bytes == NULL && local_error->domain == FORE_ERROR)
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return NULL;
    }
  if (bytes == NULL)
    {
      g_set_error (error, FORE_ERROR,
                   g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND)
                       ? FORE_ERROR_NOT_FOUND
                       : FORE_ERROR_ENVIRONMENT,
                   _ ("%s cannot be read: %s"), path, local_error->message);
      return NULL;
    }

  text = g_bytes_get_data (bytes, &length);
  node = fore_json_parse (text, length, &allowed, error);
  if (node == NULL)
    g_prefix_error (error, "%s: ", path);

  return node;
}

static JsonNode *
get_member (JsonObject *object, const char *member)
{
  return object != NULL ? json_object_get_member (object, member) : NULL;
}

static gboolean
holds (JsonNode *node, GType type)
{
  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == type;
}

/**
 * fore_json_get_string:
 * @object: (nullable): an object
 * @member: name of a member
 * @fallback: (nullable): what to return otherwise
 *
 * Returns: (transfer none) (nullable): the string, owned by @object, or @fallback
 */
const char *
fore_json_get_string (JsonObject *object, const char *member, const char *fallback)
{
  JsonNode *node = get_member (object, member);

  return holds (node, G_TYPE_STRING) ? json_node_get_string (node) : fallback;
}

/**
 * fore_json_get_int:
 * @object: (nullable): an object
 * @member: name of a member
 * @fallback: what to return otherwise
 *
 * Returns: the number, cut to a whole one that fits into 64 bits, or @fallback
 */
gint64
fore_json_get_int (JsonObject *object, const char *member, gint64 fallback)
{
  JsonNode *node = get_member (object, member);
  double value;

  if (holds (node, G_TYPE_INT64))
    return json_node_get_int (node);
  if (!holds (node, G_TYPE_DOUBLE))
    return fallback;

  value = json_node_get_double (node);
  if (isnan (value))
    return fallback;
  if (value >= (double) G_MAXINT64)
    return G_MAXINT64;
  if (value <= (double) G_MININT64)
    return G_MININT64;

  return (gint64) value;
}

/**
 * fore_json_get_double:
 * @object: (nullable): an object
 * @member: name of a member
 * @fallback: what to return otherwise
 *
 * Returns: the number, or @fallback
 */
double
fore_json_get_double (JsonObject *object, const char *member, double fallback)
{
  JsonNode *node = get_member (object, member);

  if (holds (node, G_TYPE_DOUBLE))
    return json_node_get_double (node);
  if (holds (node, G_TYPE_INT64))
    return (double) json_node_get_int (node);

  return fallback;
}

/**
 * fore_json_get_bool:
 * @object: (nullable): an object
 * @member: name of a member
 * @fallback: what to return otherwise
 *
 * Returns: the value, or @fallback
 */
gboolean
fore_json_get_bool (JsonObject *object, const char *member, gboolean fallback)
{
  JsonNode *node = get_member (object, member);

  return holds (node, G_TYPE_BOOLEAN) ? json_node_get_boolean (node) : fallback;
}

/**
 * fore_json_get_object:
 * @object: (nullable): an object
 * @member: name of a member
 *
 * Returns: (transfer none) (nullable): the object under @member, owned by @object, or %NULL
 */
JsonObject *
fore_json_get_object (JsonObject *object, const char *member)
{
  JsonNode *node = get_member (object, member);

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

/**
 * fore_json_get_array:
 * @object: (nullable): an object
 * @member: name of a member
 *
 * Returns: (transfer none) (nullable): the array under @member, owned by @object, or %NULL
 */
JsonArray *
fore_json_get_array (JsonObject *object, const char *member)
{
  JsonNode *node = get_member (object, member);

  return node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
}

/**
 * fore_json_dup_strv:
 * @object: (nullable): an object
 * @member: name of a member
 *
 * Returns: (transfer full) (nullable): the strings of the array under @member (other elements are
 *   left out), or %NULL if there is no array
 */
GStrv
fore_json_dup_strv (JsonObject *object, const char *member)
{
  JsonArray *array = fore_json_get_array (object, member);
  GPtrArray *strings;

  if (array == NULL)
    return NULL;

  strings = g_ptr_array_new ();
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonNode *node = json_array_get_element (array, i);

      if (holds (node, G_TYPE_STRING))
        g_ptr_array_add (strings, g_strdup (json_node_get_string (node)));
    }
  g_ptr_array_add (strings, NULL);

  return (GStrv) g_ptr_array_free (strings, FALSE);
}
