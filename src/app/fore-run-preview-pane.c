/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-run-preview-pane.h"

#include "agents/fore-adapter.h"
#include "app/fore-application.h"
#include "app/fore-empty.h"
#include "app/fore-graph-view.h"
#include "app/fore-job.h"
#include "app/fore-list-sync.h"
#include "app/fore-run-graph.h"
#include "app/fore-run-nodes.h"
#include "app/fore-run-start.h"
#include "engine/fore-forecast.h"
#include "engine/fore-goal.h"
#include "engine/fore-plan-file.h"
#include "engine/fore-trust.h"
#include "model/fore-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define PLAN_NODE "plan:tasks"

#define NO_AGENT N_ ("It needs an agent, and none was found on this machine.")

struct _ForeRunPreviewPane
{
  GtkWidget parent_instance;

  GtkWidget *box;
  ForeEmpty *empty;
  ForeGraphView *graph;
  GtkLabel *note;

  GListStore *nodes;
  GHashTable *node_items;
  GCancellable *cancellable;
  GPtrArray *clis;
  GPtrArray *needed;
  char *refusal;
  char *untrusted;
  gboolean needs_agent;
};

G_DEFINE_FINAL_TYPE (ForeRunPreviewPane, fore_run_preview_pane, GTK_TYPE_WIDGET)

enum
{
  PREVIEWED,
  JUDGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

typedef struct
{
  ForeStore *store;
  ForeRunSpec *spec;
  char *untrusted;
} PreviewQuery;

static void
preview_query_free (gpointer data)
{
  PreviewQuery *query = data;

  g_object_unref (query->store);
  fore_run_spec_free (query->spec);
  g_free (query->untrusted);
  g_free (query);
}

static gpointer
preview_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  PreviewQuery *query = data;

  ForeRunPreview *preview;

  query->untrusted = fore_run_start_dup_untrusted (query->store, query->spec);
  if (!fore_run_start_read_plan (query->spec, error))
    return NULL;

  preview = fore_actions_preview (query->store, query->spec, error);
  if (preview != NULL)
    fore_plan_file_show (preview);

  return preview;
}

static ForeGraphNode *
dup_node (ForeRunPreviewPane *self, const char *id, const char *title)
{
  ForeGraphNode *node = g_hash_table_lookup (self->node_items, id);

  if (node == NULL)
    {
      node = fore_graph_node_new (id, title);
      g_hash_table_insert (self->node_items, g_strdup (id), node);
    }
  fore_graph_node_set_title (node, title);

  return g_object_ref (node);
}

static ForeGraphNode *
dup_task_node (ForeRunPreviewPane *self, const ForeTask *task, gboolean dashed)
{
  ForeGraphNode *node = dup_node (self, task->key, task->title);
  g_autofree char *line = task->cli != NULL ? g_strdup_printf ("%s · %s", task->role, task->cli)
                                            : NULL;

  fore_graph_node_set_subtitle (node, line != NULL ? line : task->role);
  fore_graph_node_set_status (node, FORE_VIEW_PENDING);
  fore_graph_node_set_dashed (node, dashed);

  return node;
}

static void
add_decision (ForeRunPreviewPane *self, GPtrArray *nodes, const char *id, gboolean asks)
{
  ForeGraphNode *node = dup_node (self, id, asks ? _ ("Your Approval") : _ ("Approved by Itself"));

  const char *what = strcmp (id, FORE_NODE_PLAN) == 0 ? _ ("you read the plan first")
                                                      : _ ("before it writes");

  fore_graph_node_set_subtitle (node, asks ? what : _ ("as you chose below"));
  fore_graph_node_set_status (node, FORE_VIEW_GATE);
  g_ptr_array_add (nodes, node);
}

static void
add_plan_tasks (ForeRunPreviewPane *self, GPtrArray *nodes, gboolean scripted, guint jobs)
{
  ForeGraphNode *node = dup_node (self, PLAN_NODE,
                                  scripted ? _ ("Tasks of the Script") : _ ("Tasks of the Plan"));
  g_autofree char *line = g_strdup_printf (_ ("up to %u at once"), jobs);

  fore_graph_node_set_subtitle (node, line);
  fore_graph_node_set_dashed (node, TRUE);
  g_ptr_array_add (nodes, node);
}

static void
show_known (ForeRunPreviewPane *self, gboolean known)
{
  gtk_widget_set_visible (GTK_WIDGET (self->graph), known);
  gtk_widget_set_visible (GTK_WIDGET (self->empty), !known);
}

static gboolean
has_same_nodes (GListModel *shown, GPtrArray *nodes)
{
  if (g_list_model_get_n_items (shown) != nodes->len)
    return FALSE;

  for (guint i = 0; i < nodes->len; i++)
    {
      g_autoptr (ForeGraphNode) node = g_list_model_get_item (shown, i);

      if (g_strcmp0 (fore_graph_node_get_id (node),
                     fore_graph_node_get_id (g_ptr_array_index (nodes, i)))
          != 0)
        return FALSE;
    }

  return TRUE;
}

static void
show_graph (ForeRunPreviewPane *self, const ForeRunPreview *preview)
{
  g_autoptr (ForeRunGraph) graph = fore_run_graph_new_preview (preview->run, preview->tasks,
                                                               preview->adaptive, preview->gated);
  g_autoptr (GPtrArray) nodes = g_ptr_array_new_with_free_func (g_object_unref);
  gboolean asks = preview->run->options.approval == FORE_APPROVAL_ASK;
  gboolean after_plan = FALSE;

  for (guint i = 0; i < preview->tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (preview->tasks, i);

      g_ptr_array_add (nodes, dup_task_node (self, task, after_plan));
      if (graph->plan_gate && g_strcmp0 (task->key, graph->planner) == 0)
        {
          add_decision (self, nodes, FORE_NODE_PLAN, asks);
          add_plan_tasks (self, nodes, FALSE, preview->run->options.jobs);
          after_plan = TRUE;
        }
      else if (fore_task_is_script (task))
        add_plan_tasks (self, nodes, TRUE, preview->run->options.jobs);
    }
  if (graph->write_gate)
    add_decision (self, nodes, FORE_NODE_WRITE, asks);
  if (graph->result)
    {
      ForeGraphNode *node = dup_node (self, FORE_NODE_RESULT, _ ("Ready to Merge"));

      fore_graph_node_set_subtitle (node, _ ("your review"));
      g_ptr_array_add (nodes, node);
    }
  /* What is typed makes another plan, which grows out of no earlier one. */
  if (!has_same_nodes (G_LIST_MODEL (self->nodes), nodes))
    fore_graph_view_forget_places (self->graph);
  fore_list_sync (self->nodes, nodes);
  fore_graph_view_set_edges (self->graph, graph->edges);
}

static char *
describe_agents (const ForeRunPreview *preview)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < preview->tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (preview->tasks, i);

      if (task->role == NULL || task->cli == NULL || fore_task_is_script (task)
          || !g_hash_table_add (seen, task->role))
        continue;
      g_string_append_printf (text, "%s%s: %s", text->len > 0 ? " · " : "", task->role, task->cli);
      if (task->model != NULL)
        g_string_append_printf (text, " (%s)", task->model);
    }

  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
is_goal_loop (const ForeRunPreview *preview)
{
  for (guint i = 0; i < preview->tasks->len; i++)
    {
      if (fore_goal_is_judge (g_ptr_array_index (preview->tasks, i)))
        return TRUE;
    }

  return FALSE;
}

static void
append_line (GString *text, const char *line)
{
  if (line != NULL)
    g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", line);
}

static void
show_notes (ForeRunPreviewPane *self, const ForeRunPreview *preview)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *agents = describe_agents (preview);
  g_autofree char *trust = fore_trust_dup_warning (preview->run->project);
  g_autofree char *forecast = preview->forecast != NULL ? fore_forecast_dup_text (preview->forecast)
                                                        : NULL;

  if (is_goal_loop (preview))
    g_string_append (text, _ ("Turns like this one follow until the goal is achieved."));
  for (guint i = 0; preview->warnings != NULL && i < preview->warnings->len; i++)
    {
      const char *warning = g_ptr_array_index (preview->warnings, i);

      if (strcmp (warning, trust) != 0)
        g_string_append_printf (text, "%s⚠ %s", text->len > 0 ? "\n" : "", warning);
    }
  append_line (text, preview->forecast != NULL ? preview->advice : NULL);
  append_line (text, forecast);
  append_line (text, *agents != 0 ? agents : NULL);
  gtk_label_set_text (self->note, text->str);
  gtk_widget_set_visible (GTK_WIDGET (self->note), text->len > 0);
}

static void
take_refusal (ForeRunPreviewPane *self, char *refusal)
{
  g_free (self->refusal);
  self->refusal = refusal;
  if (refusal != NULL)
    {
      fore_empty_set (self->empty, "fore-warning-symbolic", _ ("This Cannot Start Like That"),
                      refusal);
      gtk_widget_set_visible (GTK_WIDGET (self->note), FALSE);
    }
  show_known (self, refusal == NULL);
  g_signal_emit (self, signals[JUDGED], 0);
}

static gboolean
has_cli (ForeRunPreviewPane *self, const char *name)
{
  return g_ptr_array_find_with_equal_func (self->clis, name, g_str_equal, NULL);
}

static gboolean
has_agent (ForeRunPreviewPane *self)
{
  return self->clis == NULL || self->clis->len > (has_cli (self, "demo") ? 1 : 0);
}

/* A program that is not there would fail the run at its first task. */
static char *
dup_missing (ForeRunPreviewPane *self)
{
  for (guint i = 0; self->clis != NULL && i < self->needed->len; i++)
    {
      const ForeAdapter *adapter = fore_adapter_lookup (self->needed->pdata[i]);

      if (adapter == NULL || adapter->program == NULL || has_cli (self, adapter->name))
        continue;
      if (!has_agent (self))
        return g_strdup (_ (NO_AGENT));
      return g_strdup_printf (_ ("It needs %s, which was not found on this machine; install it or "
                                 "choose another agent."),
                              adapter->title);
    }

  return NULL;
}

static void
show_failure (ForeRunPreviewPane *self, const GError *error)
{
  self->needs_agent = g_error_matches (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT);
  g_ptr_array_set_size (self->needed, 0);
  take_refusal (self,
                g_strdup (self->needs_agent && !has_agent (self) ? _ (NO_AGENT) : error->message));
}

static void
collect_needed (ForeRunPreviewPane *self, const ForeRunPreview *preview)
{
  g_ptr_array_set_size (self->needed, 0);
  for (guint i = 0; i < preview->tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (preview->tasks, i);

      if (task->cli != NULL
          && !g_ptr_array_find_with_equal_func (self->needed, task->cli, g_str_equal, NULL))
        g_ptr_array_add (self->needed, g_strdup (task->cli));
    }
}

static void
previewed_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  ForeRunPreviewPane *self = owner;
  const ForeRunPreview *preview = result;
  PreviewQuery *query = data;

  g_free (self->untrusted);
  self->untrusted = g_steal_pointer (&query->untrusted);
  if (error != NULL)
    {
      show_failure (self, error);
      return;
    }
  self->needs_agent = FALSE;
  show_graph (self, preview);
  show_notes (self, preview);
  collect_needed (self, preview);
  take_refusal (self, dup_missing (self));
  g_signal_emit (self, signals[PREVIEWED], 0, preview->run->base_branch);
}

static void
fore_run_preview_pane_dispose (GObject *object)
{
  ForeRunPreviewPane *self = FORE_RUN_PREVIEW_PANE (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->nodes);
  g_clear_pointer (&self->node_items, g_hash_table_unref);
  g_clear_pointer (&self->clis, g_ptr_array_unref);
  g_clear_pointer (&self->needed, g_ptr_array_unref);
  g_clear_pointer (&self->refusal, g_free);
  g_clear_pointer (&self->untrusted, g_free);

  G_OBJECT_CLASS (fore_run_preview_pane_parent_class)->dispose (object);
}

static void
fore_run_preview_pane_class_init (ForeRunPreviewPaneClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fore_run_preview_pane_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  signals[PREVIEWED] = g_signal_new ("previewed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                     NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[JUDGED] = g_signal_new ("judged", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 0);
}

static void
fore_run_preview_pane_init (ForeRunPreviewPane *self)
{
  GtkWidget *note = gtk_label_new (NULL);

  self->node_items = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  self->nodes = g_list_store_new (FORE_TYPE_GRAPH_NODE);
  self->needed = g_ptr_array_new_with_free_func (g_free);
  self->empty = FORE_EMPTY (fore_empty_new ());
  self->graph = FORE_GRAPH_VIEW (fore_graph_view_new ());
  fore_graph_view_set_compact (self->graph, TRUE);
  fore_graph_view_set_show_minimap (self->graph, FALSE);
  fore_graph_view_set_model (self->graph, G_LIST_MODEL (self->nodes));
  gtk_widget_set_vexpand (GTK_WIDGET (self->graph), TRUE);
  self->note = GTK_LABEL (note);
  gtk_label_set_xalign (self->note, 0);
  gtk_label_set_wrap (self->note, TRUE);
  gtk_label_set_wrap_mode (self->note, PANGO_WRAP_WORD_CHAR);
  gtk_widget_add_css_class (note, "preview-note");

  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->empty));
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->graph));
  gtk_box_append (GTK_BOX (self->box), note);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  fore_run_preview_pane_clear (self,
                               _ ("Choose a project to see the graph that this run would have."));
}

/**
 * fore_run_preview_pane_show:
 * @self: a preview
 * @spec: (transfer full): what would be started
 *
 * Finds out off the main thread what @spec would start, and shows it. An earlier question that has
 * no answer yet is given up.
 */
void
fore_run_preview_pane_show (ForeRunPreviewPane *self, ForeRunSpec *spec)
{
  PreviewQuery *query;

  g_return_if_fail (FORE_IS_RUN_PREVIEW_PANE (self));

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  query = g_new0 (PreviewQuery, 1);
  query->store = g_object_ref (fore_application_get_store ());
  query->spec = spec;
  fore_job_run (self, "preview", self->cancellable, preview_thread, query, preview_query_free,
                (GDestroyNotify) fore_run_preview_free, previewed_cb);
}

/**
 * fore_run_preview_pane_set_clis:
 * @self: a preview
 * @clis: (element-type utf8): names of the agent CLIs that can be used on this machine
 */
void
fore_run_preview_pane_set_clis (ForeRunPreviewPane *self, GPtrArray *clis)
{
  g_return_if_fail (FORE_IS_RUN_PREVIEW_PANE (self));
  g_return_if_fail (clis != NULL);

  g_clear_pointer (&self->clis, g_ptr_array_unref);
  self->clis = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < clis->len; i++)
    g_ptr_array_add (self->clis, g_strdup (clis->pdata[i]));

  if (self->needs_agent && !has_agent (self))
    take_refusal (self, g_strdup (_ (NO_AGENT)));
  else if (self->needed->len > 0)
    take_refusal (self, dup_missing (self));
}

/**
 * fore_run_preview_pane_get_refusal:
 * @self: a preview
 *
 * Returns: (transfer none) (nullable): why what was shown last cannot start
 */
const char *
fore_run_preview_pane_get_refusal (ForeRunPreviewPane *self)
{
  g_return_val_if_fail (FORE_IS_RUN_PREVIEW_PANE (self), NULL);

  return self->refusal;
}

/**
 * fore_run_preview_pane_get_untrusted:
 * @self: a preview
 *
 * Returns: (transfer none) (nullable): the project that would have to be trusted so that nothing is
 *   left out of what was shown last
 */
const char *
fore_run_preview_pane_get_untrusted (ForeRunPreviewPane *self)
{
  g_return_val_if_fail (FORE_IS_RUN_PREVIEW_PANE (self), NULL);

  return self->untrusted;
}

/**
 * fore_run_preview_pane_clear:
 * @self: a preview
 * @sentence: what to do to see one
 *
 * Says that there is nothing to start yet.
 */
void
fore_run_preview_pane_clear (ForeRunPreviewPane *self, const char *sentence)
{
  g_return_if_fail (FORE_IS_RUN_PREVIEW_PANE (self));

  g_clear_pointer (&self->refusal, g_free);
  g_clear_pointer (&self->untrusted, g_free);
  g_ptr_array_set_size (self->needed, 0);
  g_cancellable_cancel (self->cancellable);
  fore_empty_set (self->empty, "fore-graph-symbolic", _ ("Preview"), sentence);
  show_known (self, FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self->note), FALSE);
}
