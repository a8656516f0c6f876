/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-event-data.h"

#include "text/fore-json.h"

#include <stdarg.h>

static void
append_words (GString *out, const char *const *words)
{
  g_string_append_c (out, '[');
  for (guint i = 0; words != NULL && words[i] != NULL; i++)
    {
      if (i > 0)
        g_string_append_c (out, ',');
      fore_json_append_string (out, words[i]);
    }
  g_string_append_c (out, ']');
}

static void
append_name (GString *out, const char *name)
{
  if (out->len > 1)
    g_string_append_c (out, ',');
  fore_json_append_string (out, name);
  g_string_append_c (out, ':');
}

static void
append_text (GString *out, const char *name, const char *value)
{
  if (value == NULL)
    return;

  append_name (out, name);
  fore_json_append_string (out, value);
}

static void
append_value (GString *out, const char *key, va_list *args)
{
  const char *name = key + 2;

  if (key[0] == 's')
    {
      append_text (out, name, va_arg (*args, const char *));
      return;
    }

  append_name (out, name);
  switch (key[0])
    {
    case 'i':
      g_string_append_printf (out, "%" G_GINT64_FORMAT, va_arg (*args, gint64));
      break;

    case 'b':
      g_string_append (out, va_arg (*args, gboolean) ? "true" : "false");
      break;

    case 'v':
      append_words (out, va_arg (*args, const char *const *));
      break;

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
  GString *out = g_string_new ("{");
  va_list args;

  va_start (args, first_key);
  for (const char *key = first_key; key != NULL; key = va_arg (args, const char *))
    append_value (out, key, &args);
  va_end (args);
  g_string_append_c (out, '}');

  return g_string_free (out, FALSE);
}
