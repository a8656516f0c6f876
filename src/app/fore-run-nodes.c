/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-run-nodes.h"

#include "app/fore-list-sync.h"
#include "app/fore-run-item.h"
#include "app/fore-task-text.h"
#include "engine/fore-foresight.h"

#include <glib/gi18n-lib.h>

struct _ForeRunNodes
{
  GListStore *store;
  GHashTable *items;
  GPtrArray *foreseen; /* of ForeForeseen */
  GPtrArray *followed; /* of ForeTaskItem */
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
  self->followed = g_ptr_array_new_with_free_func (g_object_unref);

  return self;
}

/**
 * fore_run_nodes_free:
 * @self: the nodes
 */
void
fore_run_nodes_free (ForeRunNodes *self)
{
  for (guint i = 0; i < self->followed->len; i++)
    g_signal_handlers_disconnect_by_data (g_ptr_array_index (self->followed, i), self);
  g_ptr_array_unref (self->followed);
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

static void
update_badge (ForeRunNodes *self, ForeGraphNode *node, const char *key)
{
  const ForeForeseen *foreseen = fore_foresight_find (self->foreseen, key);
  g_autofree char *text = foreseen != NULL ? fore_foreseen_dup_text (foreseen) : NULL;

  fore_graph_node_set_badge (node, foreseen != NULL ? _ ("conflict") : NULL);
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
  update_badge (self, node, key);
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
  g_autofree char *title = fore_task_dup_title (task);
  g_autofree char *line = fore_task_item_dup_line (item);
  g_autofree char *detail = fore_task_item_dup_detail (item);

  if (node == NULL)
    return;

  fore_graph_node_set_title (node, title);
  fore_graph_node_set_subtitle (node, line);
  fore_graph_node_set_tooltip (node, detail);
  fore_graph_node_set_status (node, fore_task_item_get_status (item));
  update_badge (self, node, task->key);
}

static void
item_changed_cb (ForeTaskItem *item, ForeRunNodes *self)
{
  fore_run_nodes_update_task (self, item);
}

static void
follow (ForeRunNodes *self, ForeTaskItem *item)
{
  if (g_hash_table_contains (self->items, fore_task_item_get_key (item)))
    return;

  g_ptr_array_add (self->followed, g_object_ref (item));
  g_signal_connect (item, "changed", G_CALLBACK (item_changed_cb), self);
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
dup_rewritten_node (ForeRunNodes *self, const ForeRun *run)
{
  g_autofree char *title = g_strdup_printf (_ ("Plan v%u is being written"), run->plan_version + 1);
  g_autofree char *line = g_strdup_printf (_ ("v%u was sent back"), run->plan_version);
  ForeGraphNode *node = dup_node (self, FORE_NODE_PLAN, title);

  fore_graph_node_set_status (node, FORE_VIEW_PENDING);
  fore_graph_node_set_subtitle (node, line);

  return node;
}

static gboolean
is_rewritten (const ForeRun *run, const ForeTask *planner)
{
  return run->approved_version == 0 && fore_run_is_active (run)
         && (planner->status == FORE_TASK_QUEUED || planner->status == FORE_TASK_RUNNING);
}

static ForeGraphNode *
dup_plan_node (ForeRunNodes *self, const ForeRun *run, const ForeTask *planner)
{
  guint version = run->plan_version;
  gboolean approved = run->approved_version > 0;
  g_autofree char *title = NULL;
  ForeGraphNode *node;

  if (is_rewritten (run, planner))
    return dup_rewritten_node (self, run);
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

static char *
dup_result_title (const ForeRun *run)
{
  if (run->merged_commit != NULL)
    return g_strdup_printf (_ ("Merged into %s"), run->merged_into);
  if (fore_run_is_discarded (run))
    return g_strdup (_ ("Discarded"));
  if (run->status == FORE_RUN_COMPLETED && run->files <= 0)
    return g_strdup (_ ("Changed nothing"));
  if (run->status == FORE_RUN_FAILED || run->status == FORE_RUN_CANCELLED)
    return g_strdup (run->files > 0 ? _ ("Not merged") : _ ("Nothing to merge"));

  return g_strdup (_ ("Ready to merge"));
}

static char *
dup_result_line (const ForeRun *run)
{
  if (run->result_commit != NULL && run->files > 0)
    return g_strdup_printf (
        g_dngettext (GETTEXT_PACKAGE, "%d file · +%d −%d", "%d files · +%d −%d", run->files),
        run->files, run->insertions, run->deletions);
  if (run->status == FORE_RUN_FAILED)
    return g_strdup (_ ("the run failed"));
  if (run->status == FORE_RUN_CANCELLED)
    return g_strdup (_ ("the run was cancelled"));

  return g_strdup (run->status == FORE_RUN_COMPLETED ? _ ("no file differs") : _ ("your review"));
}

static ForeViewStatus
get_result_status (const ForeRun *run)
{
  if (run->merged_commit != NULL)
    return FORE_VIEW_DONE;
  if (fore_run_awaits_review (run))
    return FORE_VIEW_GATE;

  return run->status == FORE_RUN_FAILED || run->status == FORE_RUN_CANCELLED
                 || fore_run_is_discarded (run)
             ? FORE_VIEW_CANCELLED
             : FORE_VIEW_PENDING;
}

static ForeGraphNode *
dup_result_node (ForeRunNodes *self, const ForeRun *run)
{
  g_autofree char *title = dup_result_title (run);
  g_autofree char *line = dup_result_line (run);
  ForeGraphNode *node = dup_node (self, FORE_NODE_RESULT, title);

  fore_graph_node_set_subtitle (node, line);
  fore_graph_node_set_status (node, get_result_status (run));

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
      g_autofree char *title = fore_task_dup_title (task);

      follow (self, item);
      g_ptr_array_add (nodes, dup_node (self, task->key, title));
      fore_run_nodes_update_task (self, item);
      if (graph->plan_gate && g_strcmp0 (task->key, graph->planner) == 0)
        g_ptr_array_add (nodes, dup_plan_node (self, run, task));
    }
  if (graph->write_gate)
    g_ptr_array_add (nodes, dup_write_node (self, run));
  if (graph->result)
    g_ptr_array_add (nodes, dup_result_node (self, run));
  fore_list_sync (self->store, nodes);
}
