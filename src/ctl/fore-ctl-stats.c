/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ctl/fore-ctl-output.h"
#include "ctl/fore-ctl-verbs.h"
#include "engine/fore-run-figures.h"
#include "text/fore-json.h"

#include <glib/gi18n.h>

#define DEFAULT_RUNS 20

static gint64
get_figure (JsonObject *figures, const char *part, const char *member)
{
  JsonObject *object = fore_json_get_object (figures, part);

  return object != NULL ? fore_json_get_int (object, member, 0) : 0;
}

/* In MB of 1,000,000 bytes a second of CPU time. */
static double
get_rate (JsonObject *rate)
{
  gint64 us = fore_json_get_int (rate, "cpu_us", 0);

  return us > 0 ? (double) fore_json_get_int (rate, "bytes", 0) / us : 0;
}

/* What follows from the figures and is easier read than worked out. */
static void
add_derived (JsonObject *figures)
{
  JsonObject *loop = fore_json_get_object (figures, "main_loop");
  JsonObject *store = fore_json_get_object (figures, "store");
  JsonObject *decode = fore_json_get_object (figures, "decode");
  gint64 tasks = fore_json_get_int (figures, "tasks", 0);
  g_autoptr (GList) clis = decode != NULL ? json_object_get_members (decode) : NULL;

  if (loop != NULL && tasks > 0)
    json_object_set_int_member (loop, "cpu_us_per_task",
                                fore_json_get_int (loop, "cpu_us", 0) / tasks);
  if (store != NULL && get_figure (figures, "store", "commits") > 0)
    json_object_set_double_member (store, "rows_per_commit",
                                   (double) get_figure (figures, "store", "rows")
                                       / get_figure (figures, "store", "commits"));

  for (GList *l = clis; l != NULL; l = l->next)
    {
      JsonObject *rate = fore_json_get_object (decode, l->data);

      if (rate != NULL)
        json_object_set_double_member (rate, "mb_per_s", get_rate (rate));
    }
}

static void
print_figures (ForeCtl *ctl, const char *title, JsonObject *figures)
{
  JsonObject *decode = fore_json_get_object (figures, "decode");
  JsonObject *loop = fore_json_get_object (figures, "main_loop");
  g_autoptr (GList) clis = decode != NULL ? json_object_get_members (decode) : NULL;

  fore_ctl_print_styled (ctl, FORE_CTL_BOLD, title);
  fore_ctl_write ("\n", 1);
  if (loop == NULL)
    {
      fore_ctl_print (ctl, "  %s\n", _ ("No figures yet; they come when a runner gives a run up."));
      return;
    }

  fore_ctl_print (ctl, _ ("  main loop  %.2f ms a task, worst %.1f ms (%.1f ms of CPU), stalls %d"),
                  get_figure (figures, "main_loop", "cpu_us_per_task") / 1e3,
                  get_figure (figures, "main_loop", "worst_wall_us") / 1e3,
                  get_figure (figures, "main_loop", "worst_cpu_us") / 1e3,
                  (int) get_figure (figures, "main_loop", "stalls"));
  if (json_object_has_member (loop, "worst_source"))
    fore_ctl_print (ctl, " (%s)", fore_json_get_string (loop, "worst_source", ""));
  fore_ctl_print (ctl, "\n");
  fore_ctl_print (ctl, _ ("  store      %d rows in %d commits, %d syncs, the longest %.1f ms\n"),
                  (int) get_figure (figures, "store", "rows"),
                  (int) get_figure (figures, "store", "commits"),
                  (int) get_figure (figures, "store", "syncs"),
                  get_figure (figures, "store", "worst_sync_us") / 1e3);
  for (GList *l = clis; l != NULL; l = l->next)
    {
      JsonObject *rate = fore_json_get_object (decode, l->data);

      if (rate != NULL)
        fore_ctl_print (ctl, _ ("  decoded    %s: %.1f MB, %.0f MB/s\n"), (const char *) l->data,
                        fore_json_get_int (rate, "bytes", 0) / 1e6, get_rate (rate));
    }
}

static GPtrArray *
list_run_ids (ForeCtl *ctl, GError **error)
{
  g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);
  const char *prefix = fore_ctl_get_word (ctl, 0);
  guint limit = fore_ctl_get_number (ctl, "limit", DEFAULT_RUNS);
  g_autoptr (GPtrArray) runs = NULL;

  if (prefix != NULL)
    {
      char *id = fore_ctl_find_run (ctl, prefix, error);

      if (id == NULL)
        return NULL;
      g_ptr_array_add (ids, id);
      return g_steal_pointer (&ids);
    }

  runs = fore_store_list_runs (ctl->store, NULL, NULL, limit, 0, error);
  if (runs == NULL)
    return NULL;

  for (guint i = 0; i < runs->len; i++)
    g_ptr_array_add (ids, g_strdup (((const ForeRun *) g_ptr_array_index (runs, i))->id));

  return g_steal_pointer (&ids);
}

static void
add_to_total (JsonObject *total, JsonObject *figures)
{
  gint64 tasks = fore_json_get_int (total, "tasks", 0) + fore_json_get_int (figures, "tasks", 0);

  fore_run_figures_add (total, figures);
  json_object_set_int_member (total, "tasks", tasks);
}

static gboolean
print_stats (ForeCtl *ctl, GPtrArray *ids, GError **error)
{
  g_autoptr (JsonNode) root = json_node_new (JSON_NODE_OBJECT);
  JsonObject *object = json_object_new ();
  JsonObject *total = json_object_new ();
  JsonArray *array = json_array_new ();

  json_node_take_object (root, object);
  json_object_set_array_member (object, "runs", array);
  json_object_set_object_member (object, "total", total);
  for (guint i = 0; i < ids->len; i++)
    {
      const char *id = g_ptr_array_index (ids, i);
      JsonNode *node = fore_run_figures_read (ctl->store, id, error);
      JsonObject *figures;

      if (node == NULL)
        return FALSE;

      figures = json_node_get_object (node);
      add_to_total (total, figures);
      add_derived (figures);
      json_object_set_string_member (figures, "run", id);
      json_array_add_element (array, node);
      if (!ctl->json)
        print_figures (ctl, id, figures);
    }

  add_derived (total);
  if (ctl->json)
    fore_ctl_print_json (ctl, root);
  else if (ids->len > 1)
    print_figures (ctl, _ ("All of these"), total);

  return TRUE;
}

gboolean
fore_ctl_do_stats (ForeCtl *ctl, GError **error)
{
  g_autoptr (GPtrArray) ids = NULL;

  if (fore_ctl_get_store (ctl, error) == NULL || (ids = list_run_ids (ctl, error)) == NULL)
    return FALSE;

  return print_stats (ctl, ids, error);
}
