/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-run-graph.h"

#include "app/fore-run-nodes.h"
#include "engine/fore-helper.h"
#include "model/fore-request.h"

#include <glib/gi18n-lib.h>

/* Conflicts are looked for among this many tasks at work at most. */
#define MAX_RIVALS 24
/* Graphs with more edges are drawn with all of them: looking for implied ones is quadratic. */
#define MAX_REDUCED 600

static void
add_edge (ForeRunGraph *self, const char *from, const char *to, gboolean dashed)
{
  ForeGraphEdge *edge = fore_graph_edge_new (from, to, FORE_GRAPH_EDGE_DEPENDENCY, NULL);

  edge->dashed = dashed;
  g_ptr_array_add (self->edges, edge);
}

static const ForeTask *
find_task (GPtrArray *tasks, const char *key)
{
  for (guint i = 0; i < tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (tasks, i);

      if (g_strcmp0 (task->key, key) == 0)
        return task;
    }

  return NULL;
}

static const ForeTask *
find_planner (GPtrArray *tasks)
{
  for (guint i = 0; i < tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (tasks, i);

      if (task->adaptive)
        return task;
    }

  return NULL;
}

static gboolean
needs_permission (GHashTable *by_key, const ForeTask *task)
{
  if (!task->writes || task->plan_version > 0)
    return FALSE;

  for (guint i = 0; task->depends_on != NULL && task->depends_on[i] != NULL; i++)
    {
      const ForeTask *before = g_hash_table_lookup (by_key, task->depends_on[i]);

      if (before != NULL && (before->writes || before->plan_version > 0))
        return FALSE;
    }

  return TRUE;
}

static void
add_dependencies (ForeRunGraph *self, GHashTable *by_key, const ForeTask *task, GHashTable *gated)
{
  gboolean permission = self->write_gate && needs_permission (by_key, task);
  gboolean any = FALSE;

  for (guint i = 0; task->depends_on != NULL && task->depends_on[i] != NULL; i++)
    {
      const char *before = task->depends_on[i];

      if (!g_hash_table_contains (by_key, before))
        continue;
      any = TRUE;
      if (self->plan_gate && g_strcmp0 (before, self->planner) == 0)
        add_edge (self, FORE_NODE_PLAN, task->key, FALSE);
      else if (permission && g_hash_table_add (gated, (gpointer) before))
        add_edge (self, before, FORE_NODE_WRITE, FALSE);
      else if (!permission)
        add_edge (self, before, task->key, FALSE);
    }
  if (permission)
    add_edge (self, FORE_NODE_WRITE, task->key, FALSE);
  else if (!any && self->plan_gate && task->plan_version > 0)
    add_edge (self, FORE_NODE_PLAN, task->key, FALSE);
}

static gboolean
share_path (const ForeTask *a, const ForeTask *b)
{
  for (guint i = 0; a->files != NULL && i < a->files->len; i++)
    {
      const ForeChange *left = g_ptr_array_index (a->files, i);

      for (guint j = 0; b->files != NULL && j < b->files->len; j++)
        {
          const ForeChange *right = g_ptr_array_index (b->files, j);

          if (g_strcmp0 (left->path, right->path) == 0)
            return TRUE;
        }
    }
  for (guint i = 0; a->paths != NULL && a->paths[i] != NULL; i++)
    {
      if (b->paths != NULL && g_strv_contains ((const char *const *) b->paths, a->paths[i]))
        return TRUE;
    }

  return FALSE;
}

static void
add_conflicts (ForeRunGraph *self, GPtrArray *tasks)
{
  g_autoptr (GPtrArray) rivals = g_ptr_array_new ();

  for (guint i = 0; i < tasks->len && rivals->len < MAX_RIVALS; i++)
    {
      const ForeTask *task = g_ptr_array_index (tasks, i);

      if (task->status == FORE_TASK_RUNNING && task->writes)
        g_ptr_array_add (rivals, (gpointer) task);
    }
  for (guint i = 0; i < rivals->len; i++)
    {
      for (guint j = i + 1; j < rivals->len; j++)
        {
          const ForeTask *a = g_ptr_array_index (rivals, i);
          const ForeTask *b = g_ptr_array_index (rivals, j);

          if (share_path (a, b))
            g_ptr_array_add (
                self->edges,
                fore_graph_edge_new (a->key, b->key, FORE_GRAPH_EDGE_CONFLICT, _ ("conflict")));
        }
    }
}

static gboolean
reaches (GHashTable *successors, const char *from, const char *to, GHashTable *seen)
{
  GPtrArray *next = g_hash_table_lookup (successors, from);

  for (guint i = 0; next != NULL && i < next->len; i++)
    {
      const char *id = g_ptr_array_index (next, i);

      if (g_strcmp0 (id, to) == 0)
        return TRUE;
      if (g_hash_table_add (seen, (gpointer) id) && reaches (successors, id, to, seen))
        return TRUE;
    }

  return FALSE;
}

static GHashTable *
index_successors (GPtrArray *edges)
{
  GHashTable *successors = g_hash_table_new_full (g_str_hash, g_str_equal, NULL,
                                                  (GDestroyNotify) g_ptr_array_unref);

  for (guint i = 0; i < edges->len; i++)
    {
      const ForeGraphEdge *edge = g_ptr_array_index (edges, i);
      GPtrArray *next = g_hash_table_lookup (successors, edge->from);

      if (next == NULL)
        {
          next = g_ptr_array_new ();
          g_hash_table_insert (successors, edge->from, next);
        }
      g_ptr_array_add (next, edge->to);
    }

  return successors;
}

static gboolean
is_implied (GHashTable *successors, const ForeGraphEdge *edge)
{
  GPtrArray *next = g_hash_table_lookup (successors, edge->from);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; next != NULL && i < next->len; i++)
    {
      const char *id = g_ptr_array_index (next, i);

      if (g_strcmp0 (id, edge->to) != 0 && g_hash_table_add (seen, (gpointer) id)
          && reaches (successors, id, edge->to, seen))
        return TRUE;
    }

  return FALSE;
}

/* An edge that a longer way says as well only makes the picture harder to read. */
static void
drop_implied (GPtrArray *edges)
{
  g_autoptr (GHashTable) successors = NULL;

  if (edges->len > MAX_REDUCED)
    return;

  successors = index_successors (edges);
  for (guint i = edges->len; i > 0; i--)
    {
      if (is_implied (successors, g_ptr_array_index (edges, i - 1)))
        {
          g_ptr_array_remove_index (edges, i - 1);
          g_hash_table_unref (g_steal_pointer (&successors));
          successors = index_successors (edges);
        }
    }
}

/* What a script called for and builds on nothing else comes from the script itself. */
static void
add_script (ForeRunGraph *self, GHashTable *by_key, const ForeTask *task)
{
  g_autofree char *key = fore_helper_dup_asker (task);
  const ForeTask *script = key != NULL ? g_hash_table_lookup (by_key, key) : NULL;

  if (script != NULL && fore_task_is_script (script)
      && (task->depends_on == NULL || task->depends_on[0] == NULL))
    add_edge (self, script->key, task->key, FALSE);
}

static void
add_result (ForeRunGraph *self, GPtrArray *tasks)
{
  g_autoptr (GHashTable) inner = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < self->edges->len; i++)
    {
      const ForeGraphEdge *edge = g_ptr_array_index (self->edges, i);

      g_hash_table_add (inner, edge->from);
    }
  for (guint i = 0; i < tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (tasks, i);
      const char *leaf = task->key;

      if (g_hash_table_contains (inner, leaf))
        continue;
      add_edge (self, leaf, FORE_NODE_RESULT, FALSE);
    }
  if (self->plan_gate && !g_hash_table_contains (inner, FORE_NODE_PLAN))
    add_edge (self, FORE_NODE_PLAN, FORE_NODE_RESULT, FALSE);
}

static gboolean
any_writes (GPtrArray *tasks)
{
  for (guint i = 0; i < tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (tasks, i);

      if (task->writes || task->adaptive)
        return TRUE;
    }

  return FALSE;
}

/**
 * fore_run_graph_new:
 * @run: a run
 * @tasks: (element-type ForeTask): its tasks
 * @write_gate: whether its person was asked before the first writing task
 *
 * Returns: (transfer full): its graph
 */
ForeRunGraph *
fore_run_graph_new (const ForeRun *run, GPtrArray *tasks, gboolean write_gate)
{
  ForeRunGraph *self;
  const ForeTask *planner;
  g_autoptr (GHashTable) by_key = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) gated = g_hash_table_new (g_str_hash, g_str_equal);

  g_return_val_if_fail (run != NULL && tasks != NULL, NULL);

  self = g_new0 (ForeRunGraph, 1);
  self->edges = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_graph_edge_free);
  planner = find_planner (tasks);
  self->planner = planner != NULL ? g_strdup (planner->key) : NULL;
  self->plan_gate = planner != NULL && run->plan_version > 0;
  self->write_gate = write_gate && !self->plan_gate;
  self->result = run->options.isolation == FORE_ISOLATION_WORKTREES && any_writes (tasks);

  for (guint i = 0; i < tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (tasks, i);

      g_hash_table_insert (by_key, task->key, (gpointer) task);
    }
  if (self->plan_gate)
    add_edge (self, self->planner, FORE_NODE_PLAN, FALSE);
  for (guint i = 0; i < tasks->len; i++)
    {
      add_dependencies (self, by_key, g_ptr_array_index (tasks, i), gated);
      add_script (self, by_key, g_ptr_array_index (tasks, i));
    }
  if (self->result)
    add_result (self, tasks);
  drop_implied (self->edges);
  add_conflicts (self, tasks);

  return self;
}

static void
preview_plan (ForeRunGraph *self, GPtrArray *tasks)
{
  add_edge (self, self->planner, FORE_NODE_PLAN, FALSE);
  add_edge (self, FORE_NODE_PLAN, "plan:tasks", TRUE);
  for (guint i = 0; i < tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (tasks, i);

      for (guint j = 0; task->depends_on != NULL && task->depends_on[j] != NULL; j++)
        {
          const char *before = task->depends_on[j];

          if (g_strcmp0 (before, self->planner) == 0)
            add_edge (self, "plan:tasks", task->key, TRUE);
          else if (find_task (tasks, before) != NULL)
            add_edge (self, before, task->key, FALSE);
        }
    }
}

static ForeRunGraph *
preview_script (GPtrArray *tasks)
{
  ForeRunGraph *self = g_new0 (ForeRunGraph, 1);
  const ForeTask *script = g_ptr_array_index (tasks, 0);

  self->edges = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_graph_edge_free);
  add_edge (self, script->key, "plan:tasks", TRUE);

  return self;
}

/**
 * fore_run_graph_new_preview:
 * @run: a run that was not started
 * @tasks: (element-type ForeTask): its tasks
 * @adaptive: whether a plan or a script will add tasks, drawn as one node to come with the id
 *   "plan:tasks"
 * @gated: whether it will stop for approval
 *
 * Returns: (transfer full): the graph that it would have
 */
ForeRunGraph *
fore_run_graph_new_preview (const ForeRun *run, GPtrArray *tasks, gboolean adaptive, gboolean gated)
{
  ForeRunGraph *self;
  const ForeTask *planner;

  g_return_val_if_fail (run != NULL && tasks != NULL, NULL);

  planner = find_planner (tasks);
  if (adaptive && planner == NULL && tasks->len > 0)
    return preview_script (tasks);
  if (!adaptive || planner == NULL)
    return fore_run_graph_new (run, tasks, gated);

  self = g_new0 (ForeRunGraph, 1);
  self->edges = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_graph_edge_free);
  self->planner = g_strdup (planner->key);
  self->plan_gate = TRUE;
  preview_plan (self, tasks);
  drop_implied (self->edges);

  return self;
}

/**
 * fore_run_graph_free:
 * @self: a graph
 */
void
fore_run_graph_free (ForeRunGraph *self)
{
  g_free (self->planner);
  g_ptr_array_unref (self->edges);
  g_free (self);
}

/**
 * fore_plan_build_edges:
 * @plan: a plan
 *
 * Returns: (transfer full) (element-type ForeGraphEdge): the edges between its items that are not
 *   dropped
 */
GPtrArray *
fore_plan_build_edges (const ForePlan *plan)
{
  GPtrArray *edges = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_graph_edge_free);

  g_return_val_if_fail (plan != NULL, edges);

  for (guint i = 0; i < plan->items->len; i++)
    {
      const ForePlanItem *item = g_ptr_array_index (plan->items, i);

      for (guint j = 0; !item->dropped && item->depends_on != NULL && item->depends_on[j] != NULL;
           j++)
        {
          const ForePlanItem *before = fore_plan_find_item (plan, item->depends_on[j]);

          if (before != NULL && !before->dropped)
            g_ptr_array_add (edges, fore_graph_edge_new (before->id, item->id,
                                                         FORE_GRAPH_EDGE_DEPENDENCY, NULL));
        }
    }
  drop_implied (edges);

  return edges;
}

/**
 * fore_run_graph_has_gate:
 * @requests: (element-type ForeRequest): requests of a run
 *
 * Returns: whether the run as a whole waits, or waited, for leave to write
 */
gboolean
fore_run_graph_has_gate (GPtrArray *requests)
{
  g_return_val_if_fail (requests != NULL, FALSE);

  for (guint i = 0; i < requests->len; i++)
    {
      const ForeRequest *request = g_ptr_array_index (requests, i);

      if (request->kind == FORE_REQUEST_GATE && request->task == NULL)
        return TRUE;
    }

  return FALSE;
}
