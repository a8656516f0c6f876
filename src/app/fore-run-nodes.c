/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-run-nodes.h"

#include "app/fore-list-sync.h"
#include "app/fore-run-item.h"
#include "engine/fore-foresight.h"

#include <glib/gi18n-lib.h>

struct _ForeRunNodes
{
  GListStore *store;
  GHashTable *items;
  GPtrArray *foreseen; /* of ForeForeseen */
  gboolean active;
};

/**
 * fore_run_nodes_new:
 *
 * Returns: (transfer full): no nodes yet
 */
ForeRunNodes *
fore_run_nodes_new (void)
{
  ForeRunNodes *self = g_new0 (ForeRunNodes, 1);

  self->store = g_list_store_new (FORE_TYPE_GRAPH_NODE);
  self->items = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);

  self->foreseen = fore_foresight_new ();

  return self;
}

/**
 * fore_run_nodes_free:
 * @self: the nodes
 */
void
fore_run_nodes_free (ForeRunNodes *self)
{
  g_object_unref (self->store);
  g_hash_table_unref (self->items);
  g_ptr_array_unref (self->foreseen);
  g_free (self);
}

/**
 * fore_run_nodes_get_model:
 * @self: the nodes
 *
 * Returns: (transfer none): list of #ForeGraphNode
 */
GListModel *
fore_run_nodes_get_model (ForeRunNodes *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return G_LIST_MODEL (self->store);
}

/* What happened weighs more than what may. */
static void
update_badge (ForeRunNodes *self, ForeGraphNode *node, const char *key, ForeVerified verified)
{
  const ForeForeseen *foreseen = fore_foresight_find (self->foreseen, key);
  g_autofree char *text = foreseen != NULL ? fore_foreseen_dup_text (foreseen) : NULL;

  fore_graph_node_set_badge (node, verified == FORE_VERIFIED_FAILED ? _ ("checks failed")
                                   : foreseen != NULL               ? _ ("conflict ahead")
                                                                    : NULL);
  if (text != NULL)
    fore_graph_node_set_tooltip (node, text);
}

static void
update_key (ForeRunNodes *self, const char *key)
{
  ForeGraphNode *node = g_hash_table_lookup (self->items, key);

  if (node == NULL)
    return;

  fore_graph_node_set_tooltip (node, NULL);
  update_badge (self, node, key, FORE_VERIFIED_NONE);
}

/**
 * fore_run_nodes_add_event:
 * @self: the nodes
 * @event: an event of the run
 *
 * Marks tasks at work whose changes will not fit together, or takes the marks away.
 */
void
fore_run_nodes_add_event (ForeRunNodes *self, const ForeEvent *event)
{
  g_autofree char *other = NULL;
  const ForeForeseen *before;

  g_return_if_fail (self != NULL && event != NULL);

  if (event->type != FORE_EVENT_TASK_CONFLICT || event->task == NULL || !self->active)
    return;

  before = fore_foresight_find (self->foreseen, event->task);
  other = before != NULL
              ? g_strdup (g_str_equal (before->one, event->task) ? before->two : before->one)
              : NULL;
  if (!fore_foresight_add (self->foreseen, event))
    return;

  before = fore_foresight_find (self->foreseen, event->task);
  update_key (self, event->task);
  if (before != NULL)
    update_key (self, g_str_equal (before->one, event->task) ? before->two : before->one);
  if (other != NULL)
    update_key (self, other);
}

/**
 * fore_run_nodes_update_task:
 * @self: the nodes
 * @item: a task that may have changed
 */
void
fore_run_nodes_update_task (ForeRunNodes *self, ForeTaskItem *item)
{
  const ForeTask *task = fore_task_item_get_task (item);
  ForeGraphNode *node = g_hash_table_lookup (self->items, task->key);
  g_autofree char *line = fore_task_item_dup_line (item);
  g_autofree char *detail = fore_task_item_dup_detail (item);

  if (node == NULL)
    return;

  fore_graph_node_set_title (node, task->title != NULL ? task->title : task->key);
  fore_graph_node_set_subtitle (node, line);
  fore_graph_node_set_tooltip (node, detail);
  fore_graph_node_set_status (node, fore_task_item_get_status (item));
  update_badge (self, node, task->key, task->verified);
}

static ForeGraphNode *
dup_node (ForeRunNodes *self, const char *id, const char *title)
{
  ForeGraphNode *node = g_hash_table_lookup (self->items, id);

  if (node == NULL)
    {
      node = fore_graph_node_new (id, title);
      g_hash_table_insert (self->items, g_strdup (id), g_object_ref (node));
      return node;
    }
  fore_graph_node_set_title (node, title);

  return g_object_ref (node);
}

static ForeGraphNode *
dup_plan_node (ForeRunNodes *self, const ForeRun *run)
{
  guint version = run->plan_version;
  gboolean approved = run->approved_version > 0;
  g_autofree char *title = NULL;
  ForeGraphNode *node;

  if (approved)
    title = g_strdup_printf (_ ("Plan v%u approved"), run->approved_version);
  else if (run->status == FORE_RUN_CANCELLED)
    title = g_strdup_printf (_ ("Plan v%u not approved"), version);
  else
    title = g_strdup_printf (_ ("Plan v%u waits for you"), version);

  node = dup_node (self, FORE_NODE_PLAN, title);
  fore_graph_node_set_status (node, approved                   ? FORE_VIEW_GATE
                                    : fore_run_is_active (run) ? FORE_VIEW_ATTENTION
                                                               : FORE_VIEW_CANCELLED);
  fore_graph_node_set_subtitle (node, approved ? _ ("your decision") : _ ("open the plan"));

  return node;
}

static ForeGraphNode *
dup_write_node (ForeRunNodes *self, const ForeRun *run)
{
  gboolean approved = run->approved;
  ForeGraphNode *node = dup_node (self, FORE_NODE_WRITE,
                                  approved ? _ ("Writing approved") : _ ("May it write?"));

  fore_graph_node_set_status (node, approved                   ? FORE_VIEW_GATE
                                    : fore_run_is_active (run) ? FORE_VIEW_ATTENTION
                                                               : FORE_VIEW_CANCELLED);
  fore_graph_node_set_subtitle (node, approved ? _ ("your decision") : _ ("open the request"));

  return node;
}

static ForeGraphNode *
dup_result_node (ForeRunNodes *self, const ForeRun *run)
{
  gboolean merged = run->merged_commit != NULL;
  g_autofree char *title = NULL;
  ForeGraphNode *node;

  if (merged)
    title = g_strdup_printf (_ ("Merged into %s"), run->merged_into);
  else if (fore_run_is_discarded (run))
    title = g_strdup (_ ("Discarded"));
  else
    title = g_strdup (run->status == FORE_RUN_COMPLETED && run->files == 0 ? _ ("Changed nothing")
                                                                           : _ ("Ready to merge"));

  node = dup_node (self, FORE_NODE_RESULT, title);
  if (run->result_commit != NULL && run->files > 0)
    {
      g_autofree char *counts = g_strdup_printf (
          g_dngettext (GETTEXT_PACKAGE, "%d file · +%d −%d", "%d files · +%d −%d", run->files),
          run->files, run->insertions, run->deletions);

      fore_graph_node_set_subtitle (node, counts);
    }
  else
    fore_graph_node_set_subtitle (node, _ ("your review"));
  fore_graph_node_set_status (node, merged                         ? FORE_VIEW_DONE
                                    : fore_run_awaits_review (run) ? FORE_VIEW_GATE
                                                                   : FORE_VIEW_PENDING);

  return node;
}

/**
 * fore_run_nodes_sync:
 * @self: the nodes
 * @run: the run
 * @tasks: list of #ForeTaskItem
 * @graph: which decisions have nodes of their own
 *
 * Makes the list hold a node for each task and decision; those that were there stay.
 */
void
fore_run_nodes_sync (ForeRunNodes *self,
                     const ForeRun *run,
                     GListModel *tasks,
                     const ForeRunGraph *graph)
{
  g_autoptr (GPtrArray) nodes = g_ptr_array_new_with_free_func (g_object_unref);
  guint n = g_list_model_get_n_items (tasks);

  /* At the end it is known for certain. */
  self->active = fore_run_is_active (run);
  if (!self->active)
    g_ptr_array_set_size (self->foreseen, 0);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (ForeTaskItem) item = g_list_model_get_item (tasks, i);
      const ForeTask *task = fore_task_item_get_task (item);

      g_ptr_array_add (nodes, dup_node (self, task->key, task->title));
      fore_run_nodes_update_task (self, item);
      if (graph->plan_gate && g_strcmp0 (task->key, graph->planner) == 0)
        g_ptr_array_add (nodes, dup_plan_node (self, run));
    }
  if (graph->write_gate)
    g_ptr_array_add (nodes, dup_write_node (self, run));
  if (graph->result)
    g_ptr_array_add (nodes, dup_result_node (self, run));
  fore_list_sync (self->store, nodes);
}
