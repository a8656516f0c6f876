/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-plan-graph.h"

#include "app/fore-list-sync.h"
#include "app/fore-plan-edit.h"
#include "app/fore-run-graph.h"

#include <glib/gi18n-lib.h>

struct _ForePlanGraph
{
  ForeGraphView *view;
  GListStore *nodes;
  GHashTable *node_items;
};

static ForeGraphNode *
dup_node (ForePlanGraph *self, const ForePlanItem *item)
{
  ForeGraphNode *node = g_hash_table_lookup (self->node_items, item->id);

  if (node == NULL)
    {
      node = fore_graph_node_new (item->id, item->title);
      g_hash_table_insert (self->node_items, g_strdup (item->id), node);
    }
  fore_graph_node_set_title (node, item->title);
  fore_graph_node_set_subtitle (node, item->role);
  fore_graph_node_set_status (node, FORE_VIEW_PENDING);

  return g_object_ref (node);
}

/**
 * fore_plan_graph_new:
 * @view: the view to fill, which has to stay as long as this
 *
 * Returns: (transfer full): a graph without tasks
 */
ForePlanGraph *
fore_plan_graph_new (ForeGraphView *view)
{
  ForePlanGraph *self;

  g_return_val_if_fail (FORE_IS_GRAPH_VIEW (view), NULL);

  self = g_new0 (ForePlanGraph, 1);
  self->view = view;
  self->nodes = g_list_store_new (FORE_TYPE_GRAPH_NODE);
  self->node_items = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  fore_graph_view_set_model (view, G_LIST_MODEL (self->nodes));

  return self;
}

/**
 * fore_plan_graph_free:
 * @self: a graph
 */
void
fore_plan_graph_free (ForePlanGraph *self)
{
  g_object_unref (self->nodes);
  g_hash_table_unref (self->node_items);
  g_free (self);
}

/* What is still to come is said only while the plan can be approved. */
static char *
describe (guint n, guint depth, gboolean waits)
{
  if (waits)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                         "%u task to come after approval · longest path %u",
                                         "%u tasks to come after approval · longest path %u", n),
                            n, depth);

  return g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "%u task · longest path %u", "%u tasks · longest path %u", n),
      n, depth);
}

/**
 * fore_plan_graph_show:
 * @self: a graph
 * @effective: a plan without what the person left out
 * @waits: whether the plan waits for an answer
 *
 * Returns: (transfer full): how much that is, in words
 */
char *
fore_plan_graph_show (ForePlanGraph *self, const ForePlan *effective, gboolean waits)
{
  g_autoptr (GPtrArray) nodes = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) edges = NULL;
  guint n;

  g_return_val_if_fail (self != NULL && effective != NULL, NULL);

  edges = fore_plan_build_edges (effective);
  n = effective->items->len;
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (nodes, dup_node (self, g_ptr_array_index (effective->items, i)));
  fore_list_sync (self->nodes, nodes);
  fore_graph_view_set_edges (self->view, edges);

  return describe (n, fore_plan_get_depth (effective), waits);
}

/**
 * fore_plan_graph_clear:
 * @self: a graph
 *
 * Forgets the plan, so that the next one is laid out for itself.
 */
void
fore_plan_graph_clear (ForePlanGraph *self)
{
  g_return_if_fail (self != NULL);

  g_list_store_remove_all (self->nodes);
  g_hash_table_remove_all (self->node_items);
  fore_graph_view_forget_places (self->view);
}
