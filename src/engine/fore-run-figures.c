/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-run-figures.h"

#include "engine/fore-decode-rates.h"
#include "platform/fore-stall.h"
#include "store/fore-run-reader.h"
#include "text/fore-json.h"

static JsonObject *
describe_loop (void)
{
  JsonObject *object = json_object_new ();
  ForeStallFigures figures;

  fore_stall_get_figures (&figures);
  json_object_set_int_member (object, "dispatches", (gint64) figures.n_dispatches);
  json_object_set_int_member (object, "cpu_us", figures.cpu_us);
  json_object_set_int_member (object, "worst_wall_us", figures.worst_wall_us);
  json_object_set_int_member (object, "worst_cpu_us", figures.worst_cpu_us);
  json_object_set_int_member (object, "p999_wall_us", figures.p999_wall_us);
  json_object_set_int_member (object, "stalls", figures.n_stalls);
  if (figures.worst_source[0] != '\0')
    json_object_set_string_member (object, "worst_source", figures.worst_source);

  return object;
}

static JsonObject *
describe_writer (ForeRunWriter *writer)
{
  JsonObject *object = json_object_new ();
  ForeWriterFigures figures;

  fore_run_writer_get_figures (writer, &figures);
  json_object_set_int_member (object, "rows", (gint64) figures.n_rows);
  json_object_set_int_member (object, "events", (gint64) figures.n_events);
  json_object_set_int_member (object, "commits", (gint64) figures.n_commits);
  json_object_set_int_member (object, "barriers", (gint64) figures.n_barriers);
  json_object_set_int_member (object, "syncs", (gint64) figures.n_syncs);
  json_object_set_int_member (object, "sync_us", figures.sync_us);
  json_object_set_int_member (object, "worst_sync_us", figures.worst_sync_us);
  json_object_set_int_member (object, "most_queued", figures.most_queued);

  return object;
}

/**
 * fore_run_figures_emit:
 * @state: a run that its owner is about to give up
 *
 * Adds what it cost to carry the run out: how long the main loop was held, how rows were grouped
 * into commits and syncs, how fast output was decoded. In the thread of the main loop.
 */
void
fore_run_figures_emit (ForeRunState *state)
{
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);
  JsonObject *object = json_object_new ();

  g_return_if_fail (FORE_IS_RUN_STATE (state));

  json_object_set_object_member (object, "main_loop", describe_loop ());
  json_object_set_object_member (object, "store",
                                 describe_writer (fore_run_state_get_writer (state)));
  json_object_set_member (object, "decode", fore_decode_rates_to_json ());
  json_object_set_int_member (object, "tasks", fore_run_state_get_run (state)->n_tasks);
  json_node_take_object (node, object);
  fore_run_state_emit (state, FORE_EVENT_RUN_FIGURES, NULL, 0, json_to_string (node, FALSE));
}

static gboolean
is_extreme (const char *member)
{
  return g_str_has_prefix (member, "worst_") || g_str_has_prefix (member, "most_")
         || g_str_has_prefix (member, "p999_") || g_str_equal (member, "tasks");
}

static void
add_number (JsonObject *sum, const char *member, gint64 value)
{
  gint64 before = fore_json_get_int (sum, member, 0);

  json_object_set_int_member (sum, member,
                              is_extreme (member) ? MAX (before, value) : before + value);
}

/**
 * fore_run_figures_add:
 * @sum: figures
 * @figures: further ones of the same run
 *
 * Adds up what can be, and keeps the worst of the rest. The source of the worst stall is that of
 * the runner whose main loop was held longest.
 */
void
fore_run_figures_add (JsonObject *sum, JsonObject *figures)
{
  gboolean worse;
  JsonObjectIter iter;
  const char *member;
  JsonNode *node;

  g_return_if_fail (sum != NULL && figures != NULL);

  worse = fore_json_get_int (figures, "worst_wall_us", 0)
          > fore_json_get_int (sum, "worst_wall_us", 0);
  json_object_iter_init (&iter, figures);
  while (json_object_iter_next (&iter, &member, &node))
    {
      if (JSON_NODE_HOLDS_OBJECT (node))
        {
          if (fore_json_get_object (sum, member) == NULL)
            json_object_set_object_member (sum, member, json_object_new ());
          fore_run_figures_add (fore_json_get_object (sum, member), json_node_get_object (node));
        }
      else if (json_node_get_value_type (node) == G_TYPE_INT64)
        add_number (sum, member, json_node_get_int (node));
      else if (worse || !json_object_has_member (sum, member))
        json_object_set_member (sum, member, json_node_copy (node));
    }
}

/**
 * fore_run_figures_read:
 * @store: the store
 * @run_id: a run
 * @error: return location for an error
 *
 * Blocking.
 *
 * Returns: (transfer full) (nullable): figures of all runners that the run had until now
 */
JsonNode *
fore_run_figures_read (ForeStore *store, const char *run_id, GError **error)
{
  g_autoptr (GPtrArray) events = NULL;
  JsonObject *sum;
  JsonNode *node;

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);
  g_return_val_if_fail (run_id != NULL, NULL);

  events = fore_run_read_events_of (store, run_id, FORE_EVENT_RUN_FIGURES, error);
  if (events == NULL)
    return NULL;

  sum = json_object_new ();
  for (guint i = 0; i < events->len; i++)
    {
      const ForeEvent *event = g_ptr_array_index (events, i);
      const char *text = event->data != NULL ? event->data : "";
      g_autoptr (JsonNode) data = fore_json_parse (text, -1, NULL, NULL);

      if (data != NULL && JSON_NODE_HOLDS_OBJECT (data))
        fore_run_figures_add (sum, json_node_get_object (data));
    }

  node = json_node_new (JSON_NODE_OBJECT);
  json_node_take_object (node, sum);
  return node;
}
