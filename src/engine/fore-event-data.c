/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-event-data.h"

#include "text/fore-json.h"

#include <stdarg.h>

static void
add_value (JsonObject *object, const char *key, va_list *args)
{
  const char *name = key + 2;

  switch (key[0])
    {
    case 's':
      {
        const char *value = va_arg (*args, const char *);

        if (value != NULL)
          json_object_set_string_member (object, name, value);
        break;
      }

    case 'i':
      json_object_set_int_member (object, name, va_arg (*args, gint64));
      break;

    case 'b':
      json_object_set_boolean_member (object, name, va_arg (*args, gboolean));
      break;

    case 'v':
      {
        const char *const *words = va_arg (*args, const char *const *);
        JsonArray *array = json_array_new ();

        for (guint i = 0; words != NULL && words[i] != NULL; i++)
          json_array_add_string_element (array, words[i]);
        json_object_set_array_member (object, name, array);
        break;
      }

    default:
      g_assert_not_reached ();
    }
}

/**
 * fore_event_data_new:
 * @first_key: a type and a key, such as `s:from`, followed by its value; then further pairs; %NULL
 *
 * Makes the JSON object of an event. Types: `s` string (%NULL leaves the key out), `i` #gint64, `b`
 * #gboolean, `v` NULL-terminated words.
 *
 * Returns: (transfer full): JSON text
 */
char *
fore_event_data_new (const char *first_key, ...)
{
  JsonObject *object = json_object_new ();
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), object);
  va_list args;

  json_object_unref (object);

  va_start (args, first_key);
  for (const char *key = first_key; key != NULL; key = va_arg (args, const char *))
    add_value (object, key, &args);
  va_end (args);

  return fore_json_to_string (node, FALSE);
}
