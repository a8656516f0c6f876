/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-decode-json.h"

#include "model/fore-error.h"
#include "text/fore-json.h"

#include <glib/gi18n-lib.h>

static const char *const outcome_names[] = { "unfinished", "completed", "failed" };

/* Absent is unknown. */
static void
set_string (JsonObject *object, const char *member, const char *value)
{
  if (value != NULL)
    json_object_set_string_member (object, member, value);
}

static void
set_known (JsonObject *object, const char *member, gint64 value)
{
  if (value >= 0)
    json_object_set_int_member (object, member, value);
}

static JsonNode *
object_node (JsonObject *object)
{
  JsonNode *node = json_node_new (JSON_NODE_OBJECT);

  json_node_take_object (node, object);

  return node;
}

/**
 * fore_outcome_to_string:
 * @outcome: an outcome
 *
 * Returns: (transfer none): the word for @outcome
 */
const char *
fore_outcome_to_string (ForeOutcome outcome)
{
  g_return_val_if_fail (outcome < G_N_ELEMENTS (outcome_names), NULL);

  return outcome_names[outcome];
}

/**
 * fore_usage_to_json:
 * @usage: a usage
 *
 * Returns: (transfer full): an object with what is known of @usage, the cost in US dollars
 */
JsonNode *
fore_usage_to_json (const ForeUsage *usage)
{
  JsonObject *object = json_object_new ();

  g_return_val_if_fail (usage != NULL, NULL);

  set_known (object, "input", usage->input);
  set_known (object, "output", usage->output);
  set_known (object, "cache_read", usage->cache_read);
  set_known (object, "cache_write", usage->cache_write);
  if (usage->cost >= 0)
    json_object_set_double_member (object, "cost", usage->cost / 1e6);
  json_object_set_boolean_member (object, "cost_known", usage->cost >= 0);
  json_object_set_boolean_member (object, "estimated", usage->estimated);

  return object_node (object);
}

static JsonArray *
options_to_json (GPtrArray *options)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < options->len; i++)
    {
      const ForeRequestOption *option = g_ptr_array_index (options, i);
      JsonObject *object = json_object_new ();

      set_string (object, "id", option->id);
      set_string (object, "name", option->name);
      set_string (object, "kind", option->kind);
      json_array_add_object_element (array, object);
    }

  return array;
}

/* A tool's input is JSON, but it came from outside and may be cut. */
static void
set_input (JsonObject *object, const char *input)
{
  JsonNode *node = input != NULL ? fore_json_parse (input, -1, NULL, NULL) : NULL;

  if (node != NULL)
    json_object_set_member (object, "input", node);
}

/**
 * fore_entry_to_json:
 * @entry: an entry
 *
 * Returns: (transfer full): @entry as an object; what is unknown is left out
 */
JsonNode *
fore_entry_to_json (const ForeEntry *entry)
{
  JsonObject *object = json_object_new ();

  g_return_val_if_fail (entry != NULL, NULL);

  set_string (object, "id", entry->id);
  set_string (object, "kind", fore_entry_kind_to_string (entry->kind));
  set_string (object, "state", fore_entry_state_to_string (entry->state));
  if (entry->append)
    json_object_set_boolean_member (object, "append", TRUE);
  set_string (object, "parent", entry->parent);
  set_string (object, "name", entry->name);
  set_string (object, "title", entry->title);
  set_string (object, "text", entry->text);
  set_input (object, entry->input);
  set_known (object, "exit_code", entry->exit_code);
  set_known (object, "ms", entry->ms);
  if (fore_usage_is_known (&entry->usage))
    json_object_set_member (object, "usage", fore_usage_to_json (&entry->usage));
  if (entry->options != NULL)
    json_object_set_array_member (object, "options", options_to_json (entry->options));
  set_known (object, "offset", entry->offset);

  return object_node (object);
}

/**
 * fore_summary_to_json:
 * @summary: a summary
 *
 * Returns: (transfer full): @summary as an object; what is unknown is left out
 */
JsonNode *
fore_summary_to_json (const ForeSummary *summary)
{
  JsonObject *object = json_object_new ();
  JsonArray *errors = json_array_new ();

  g_return_val_if_fail (summary != NULL, NULL);

  set_string (object, "outcome", fore_outcome_to_string (summary->outcome));
  if (summary->cause != FORE_CAUSE_NONE)
    set_string (object, "cause", fore_cause_to_string (summary->cause));
  set_string (object, "final_text", summary->final_text);
  json_object_set_member (object, "usage", fore_usage_to_json (&summary->usage));
  set_string (object, "session", summary->session);
  set_string (object, "model", summary->model);
  set_string (object, "mode", summary->mode);
  if (summary->limit_reset > 0)
    json_object_set_int_member (object, "limit_reset", summary->limit_reset);
  json_object_set_int_member (object, "turns", summary->turns);
  for (guint i = 0; i < summary->errors->len; i++)
    json_array_add_string_element (errors, g_ptr_array_index (summary->errors, i));
  json_object_set_array_member (object, "errors", errors);

  return object_node (object);
}

/* The entries so far, each with its place in the list, so that later ones can replace them. */
typedef struct
{
  GPtrArray *entries;
  GHashTable *by_id;
  GHashTable *texts;
} Collector;

static void
append_text (Collector *collector, ForeEntry *known, const char *text)
{
  GString *joined = g_hash_table_lookup (collector->texts, known);

  if (joined == NULL)
    {
      joined = g_string_new (known->text);
      g_hash_table_insert (collector->texts, known, joined);
    }

  g_string_append (joined, text != NULL ? text : "");
}

/* The id stays the same piece of memory, as the table refers to it. */
static void
replace_entry (ForeEntry *known, ForeEntry *replacement)
{
  ForeEntry earlier = *known;

  g_free (replacement->id);
  replacement->id = g_steal_pointer (&earlier.id);
  *known = *replacement;
  *replacement = earlier;
  fore_entry_free (replacement);
}

static void
collect_entry (const ForeEntry *entry, gpointer user_data)
{
  Collector *collector = user_data;
  ForeEntry *known = entry->id != NULL ? g_hash_table_lookup (collector->by_id, entry->id) : NULL;
  ForeEntry *copy;

  g_assert (collector->entries != NULL);

  if (known != NULL && entry->append)
    {
      append_text (collector, known, entry->text);
      known->state = entry->state;
      return;
    }

  copy = fore_entry_copy (entry);
  copy->append = FALSE;
  if (known == NULL)
    {
      g_ptr_array_add (collector->entries, copy);
      if (copy->id != NULL)
        g_hash_table_insert (collector->by_id, copy->id, copy);
      return;
    }

  g_hash_table_remove (collector->texts, known);
  replace_entry (known, copy);
}

static void
free_string (gpointer string)
{
  g_string_free (string, TRUE);
}

static JsonArray *
collected_to_json (Collector *collector)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < collector->entries->len; i++)
    {
      ForeEntry *entry = g_ptr_array_index (collector->entries, i);
      GString *joined = g_hash_table_lookup (collector->texts, entry);

      if (joined != NULL)
        {
          g_free (entry->text);
          entry->text = g_strdup (joined->str);
        }
      json_array_add_element (array, fore_entry_to_json (entry));
    }

  return array;
}

static gboolean
feed_file (ForeDecoder *decoder, const char *path, Collector *collector, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) local_error = NULL;
  g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, &local_error);
  g_autofree char *buffer = g_malloc (65536);
  gssize n = -1;

  while (stream != NULL
         && (n = g_input_stream_read (G_INPUT_STREAM (stream), buffer, 65536, NULL, &local_error))
                > 0)
    fore_decoder_feed (decoder, buffer, n, collect_entry, collector);

  if (n == 0)
    {
      fore_decoder_finish (decoder, collect_entry, collector);
      return TRUE;
    }

  g_set_error (error, FORE_ERROR,
               g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND)
                   ? FORE_ERROR_NOT_FOUND
                   : FORE_ERROR_ENVIRONMENT,
               _ ("%s cannot be read: %s"), path, local_error->message);

  return FALSE;
}

/**
 * fore_decoder_decode_file:
 * @adapter: an adapter
 * @path: file with what its CLI printed
 * @live: whether that was a live session
 * @error: return location for an error
 *
 * Decodes a recording; blocks.
 *
 * Returns: (transfer full): an object with `entries` and `summary`, or %NULL if @path cannot be
 * read
 */
JsonNode *
fore_decoder_decode_file (const ForeAdapter *adapter,
                          const char *path,
                          gboolean live,
                          GError **error)
{
  g_autoptr (ForeDecoder) decoder = NULL;
  Collector collector = { 0 };
  JsonNode *node = NULL;

  g_return_val_if_fail (adapter != NULL, NULL);
  g_return_val_if_fail (path != NULL, NULL);

  decoder = fore_adapter_new_decoder (adapter, live);
  collector.entries = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_entry_free);
  collector.by_id = g_hash_table_new (g_str_hash, g_str_equal);
  collector.texts = g_hash_table_new_full (NULL, NULL, NULL, free_string);

  if (feed_file (decoder, path, &collector, error))
    {
      JsonObject *object = json_object_new ();

      json_object_set_array_member (object, "entries", collected_to_json (&collector));
      json_object_set_member (object, "summary",
                              fore_summary_to_json (fore_decoder_get_summary (decoder)));
      node = object_node (object);
    }

  g_hash_table_unref (collector.texts);
  g_hash_table_unref (collector.by_id);
  g_ptr_array_unref (collector.entries);

  return node;
}
