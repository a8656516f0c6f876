/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-run-model.h"

#include "app/fore-conversation.h"
#include "app/fore-run-graph.h"
#include "store/fore-follower.h"

struct _ForeRunModel
{
  GObject parent_instance;

  ForeStore *store;
  char *id;
  ForeFollower *follower;
  ForeRun *run;
  GListStore *tasks;
  ForeRunNodes *nodes;
  GListStore *events;
  ForeLeaderNews *leader_news;
  GHashTable *task_items;
  GHashTable *attempts;
  GPtrArray *plans;
  GPtrArray *requests;
  ForeRunGraph *graph;
  ForeConversation *conversation;
};

G_DEFINE_FINAL_TYPE (ForeRunModel, fore_run_model, G_TYPE_OBJECT)

enum
{
  CHANGED,
  EDGES_CHANGED,
  TASK_CHANGED,
  FAILED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static void
update_graph (ForeRunModel *self)
{
  g_autoptr (GPtrArray) tasks = g_ptr_array_new ();
  ForeRunGraph *old = self->graph;
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->tasks));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (ForeTaskItem) item = g_list_model_get_item (G_LIST_MODEL (self->tasks), i);

      g_ptr_array_add (tasks, (gpointer) fore_task_item_get_task (item));
    }
  self->graph = fore_run_graph_new (self->run, tasks, fore_run_graph_has_gate (self->requests));
  fore_run_nodes_sync (self->nodes, self->run, G_LIST_MODEL (self->tasks), self->graph);
  if (old == NULL || !fore_graph_edges_equal (old->edges, self->graph->edges))
    g_signal_emit (self, signals[EDGES_CHANGED], 0);
  g_clear_pointer (&old, fore_run_graph_free);
}

static void
apply_task (ForeRunModel *self, const ForeTask *task)
{
  ForeTaskItem *item = g_hash_table_lookup (self->task_items, task->key);

  if (item != NULL)
    {
      fore_task_item_update (item, task);
      return;
    }

  item = fore_task_item_new (task);
  fore_task_item_set_attempts (item, g_hash_table_lookup (self->attempts, task->key));
  g_list_store_append (self->tasks, item);
  g_hash_table_insert (self->task_items, g_strdup (task->key), item);
}

static void
keep_attempt (ForeRunModel *self, const ForeAttempt *attempt)
{
  GPtrArray *list = g_hash_table_lookup (self->attempts, attempt->task);

  if (list == NULL)
    {
      list = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_attempt_free);
      g_hash_table_insert (self->attempts, g_strdup (attempt->task), list);
    }
  for (guint i = 0; i < list->len; i++)
    {
      const ForeAttempt *known = g_ptr_array_index (list, i);

      if (known->n == attempt->n)
        {
          g_ptr_array_remove_index (list, i);
          g_ptr_array_insert (list, (int) i, fore_attempt_copy (attempt));
          return;
        }
    }
  g_ptr_array_add (list, fore_attempt_copy (attempt));
}

static void
apply_attempt (ForeRunModel *self, const ForeAttempt *attempt)
{
  ForeTaskItem *item = g_hash_table_lookup (self->task_items, attempt->task);

  keep_attempt (self, attempt);
  if (item != NULL)
    fore_task_item_set_attempts (item, g_hash_table_lookup (self->attempts, attempt->task));
}

static void
apply_plan (ForeRunModel *self, const ForePlan *plan)
{
  for (guint i = 0; i < self->plans->len; i++)
    {
      const ForePlan *known = g_ptr_array_index (self->plans, i);

      if (known->version == plan->version)
        {
          g_ptr_array_remove_index (self->plans, i);
          break;
        }
    }
  g_ptr_array_add (self->plans, fore_plan_copy (plan));
}

static void
apply_request (ForeRunModel *self, const ForeRequest *request)
{
  const ForeRequest *known = fore_run_model_find_request (self, request->id);

  if (known != NULL)
    g_ptr_array_remove (self->requests, (gpointer) known);
  g_ptr_array_add (self->requests, fore_request_copy (request));
}

static void
apply_events (ForeRunModel *self, GPtrArray *events)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; events != NULL && i < events->len; i++)
    {
      fore_leader_news_add (self->leader_news, g_ptr_array_index (events, i));
      fore_run_nodes_add_event (self->nodes, g_ptr_array_index (events, i));
      g_ptr_array_add (items, fore_event_item_new (g_ptr_array_index (events, i)));
    }
  if (items->len > 0)
    g_list_store_splice (self->events, g_list_model_get_n_items (G_LIST_MODEL (self->events)), 0,
                         items->pdata, items->len);
}

static void
announce_tasks (ForeRunModel *self, ForeRunDelta *delta)
{
  g_autoptr (GHashTable) keys = g_hash_table_new (g_str_hash, g_str_equal);
  GHashTableIter iter;
  gpointer key;

  for (guint i = 0; i < delta->tasks->len; i++)
    g_hash_table_add (keys, ((ForeTask *) g_ptr_array_index (delta->tasks, i))->key);
  for (guint i = 0; i < delta->attempts->len; i++)
    g_hash_table_add (keys, ((ForeAttempt *) g_ptr_array_index (delta->attempts, i))->task);

  g_hash_table_iter_init (&iter, keys);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_signal_emit (self, signals[TASK_CHANGED], 0, key);
}

static void
run_changed_cb (ForeFollower *follower, ForeRunDelta *delta, ForeRunModel *self)
{
  g_assert (FORE_IS_RUN_MODEL (self));

  if (delta->run != NULL)
    {
      g_clear_pointer (&self->run, fore_run_free);
      self->run = fore_run_copy (delta->run);
    }
  for (guint i = 0; i < delta->requests->len; i++)
    apply_request (self, g_ptr_array_index (delta->requests, i));
  for (guint i = 0; i < delta->plans->len; i++)
    apply_plan (self, g_ptr_array_index (delta->plans, i));
  for (guint i = 0; i < delta->attempts->len; i++)
    apply_attempt (self, g_ptr_array_index (delta->attempts, i));
  for (guint i = 0; i < delta->tasks->len; i++)
    apply_task (self, g_ptr_array_index (delta->tasks, i));
  if (self->run != NULL
      && (delta->run != NULL || delta->tasks->len > 0 || delta->requests->len > 0))
    update_graph (self);
  apply_events (self, delta->events);
  fore_conversation_take (self->conversation, delta->messages, delta->requests);
  announce_tasks (self, delta);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
follower_failed_cb (ForeFollower *follower, GError *error, ForeRunModel *self)
{
  g_signal_emit (self, signals[FAILED], 0, error);
}

static void
fore_run_model_dispose (GObject *object)
{
  ForeRunModel *self = FORE_RUN_MODEL (object);

  fore_run_model_stop (self);
  g_clear_object (&self->store);
  g_clear_object (&self->tasks);
  g_clear_object (&self->events);

  G_OBJECT_CLASS (fore_run_model_parent_class)->dispose (object);
}

static void
fore_run_model_finalize (GObject *object)
{
  ForeRunModel *self = FORE_RUN_MODEL (object);

  g_free (self->id);
  g_clear_pointer (&self->run, fore_run_free);
  fore_leader_news_free (self->leader_news);
  fore_conversation_free (self->conversation);
  g_hash_table_unref (self->task_items);
  fore_run_nodes_free (self->nodes);
  g_hash_table_unref (self->attempts);
  g_ptr_array_unref (self->plans);
  g_ptr_array_unref (self->requests);
  g_clear_pointer (&self->graph, fore_run_graph_free);

  G_OBJECT_CLASS (fore_run_model_parent_class)->finalize (object);
}

static void
fore_run_model_class_init (ForeRunModelClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  object_class->dispose = fore_run_model_dispose;
  object_class->finalize = fore_run_model_finalize;

  signals[CHANGED] = g_signal_new ("changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
  signals[EDGES_CHANGED] = g_signal_new ("edges-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                         NULL, G_TYPE_NONE, 0);
  signals[TASK_CHANGED] = g_signal_new ("task-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                        NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[FAILED] = g_signal_new ("failed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_ERROR);
}

static void
fore_run_model_init (ForeRunModel *self)
{
  self->tasks = g_list_store_new (FORE_TYPE_TASK_ITEM);
  self->nodes = fore_run_nodes_new ();
  self->events = g_list_store_new (FORE_TYPE_EVENT_ITEM);
  self->leader_news = fore_leader_news_new ();
  self->conversation = fore_conversation_new ();
  self->task_items = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  self->attempts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                          (GDestroyNotify) g_ptr_array_unref);
  self->plans = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_plan_free);
  self->requests = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_request_free);
}

/**
 * fore_run_model_new:
 * @store: the store
 * @run_id: id of a run
 *
 * Returns: (transfer full): a model of the run, empty until it is started
 */
ForeRunModel *
fore_run_model_new (ForeStore *store, const char *run_id)
{
  ForeRunModel *self;

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);
  g_return_val_if_fail (run_id != NULL, NULL);

  self = g_object_new (FORE_TYPE_RUN_MODEL, NULL);
  self->store = g_object_ref (store);
  self->id = g_strdup (run_id);

  return self;
}

/**
 * fore_run_model_start:
 * @self: a run model
 *
 * Begins to follow the run's file.
 */
void
fore_run_model_start (ForeRunModel *self)
{
  g_return_if_fail (FORE_IS_RUN_MODEL (self));
  g_return_if_fail (self->follower == NULL);

  self->follower = fore_follower_new_for_run (self->store, self->id, TRUE);
  g_signal_connect_object (self->follower, "run-changed", G_CALLBACK (run_changed_cb), self, 0);
  g_signal_connect_object (self->follower, "failed", G_CALLBACK (follower_failed_cb), self, 0);
  fore_follower_start (self->follower);
}

/**
 * fore_run_model_stop:
 * @self: a run model
 *
 * Ends following.
 */
void
fore_run_model_stop (ForeRunModel *self)
{
  g_return_if_fail (FORE_IS_RUN_MODEL (self));

  if (self->follower == NULL)
    return;

  g_signal_handlers_disconnect_by_data (self->follower, self);
  fore_follower_stop (self->follower);
  g_clear_object (&self->follower);
}

/**
 * fore_run_model_get_id:
 * @self: a run model
 *
 * Returns: (transfer none): id of the run
 */
const char *
fore_run_model_get_id (ForeRunModel *self)
{
  g_return_val_if_fail (FORE_IS_RUN_MODEL (self), NULL);

  return self->id;
}

/**
 * fore_run_model_get_run:
 * @self: a run model
 *
 * Returns: (transfer none) (nullable): the run, %NULL before the first look
 */
const ForeRun *
fore_run_model_get_run (ForeRunModel *self)
{
  g_return_val_if_fail (FORE_IS_RUN_MODEL (self), NULL);

  return self->run;
}

/**
 * fore_run_model_get_tasks:
 * @self: a run model
 *
 * Returns: (transfer none): list of #ForeTaskItem in the order in which they joined
 */
GListModel *
fore_run_model_get_tasks (ForeRunModel *self)
{
  g_return_val_if_fail (FORE_IS_RUN_MODEL (self), NULL);

  return G_LIST_MODEL (self->tasks);
}

/**
 * fore_run_model_get_nodes:
 * @self: a run model
 *
 * Returns: (transfer none): list of #ForeGraphNode: tasks and decisions
 */
GListModel *
fore_run_model_get_nodes (ForeRunModel *self)
{
  g_return_val_if_fail (FORE_IS_RUN_MODEL (self), NULL);

  return fore_run_nodes_get_model (self->nodes);
}

/**
 * fore_run_model_get_conversation:
 * @self: a run model
 *
 * Returns: (transfer none): list of #ForeTalkItem
 */
GListModel *
fore_run_model_get_conversation (ForeRunModel *self)
{
  g_return_val_if_fail (FORE_IS_RUN_MODEL (self), NULL);

  return fore_conversation_get_items (self->conversation);
}

/**
 * fore_run_model_get_events:
 * @self: a run model
 *
 * Returns: (transfer none): list of #ForeEventItem, the oldest first
 */
GListModel *
fore_run_model_get_events (ForeRunModel *self)
{
  g_return_val_if_fail (FORE_IS_RUN_MODEL (self), NULL);

  return G_LIST_MODEL (self->events);
}

/**
 * fore_run_model_get_leader_news:
 * @self: a run model
 *
 * Returns: (transfer none): what changed in the person's own checkout while tasks ran
 */
const ForeLeaderNews *
fore_run_model_get_leader_news (ForeRunModel *self)
{
  g_return_val_if_fail (FORE_IS_RUN_MODEL (self), NULL);

  return self->leader_news;
}

/**
 * fore_run_model_dup_edges:
 * @self: a run model
 *
 * Returns: (transfer full) (element-type ForeGraphEdge): edges between the nodes
 */
GPtrArray *
fore_run_model_dup_edges (ForeRunModel *self)
{
  g_return_val_if_fail (FORE_IS_RUN_MODEL (self), NULL);

  if (self->graph == NULL)
    return g_ptr_array_new ();

  return g_ptr_array_ref (self->graph->edges);
}

/**
 * fore_run_model_find_task:
 * @self: a run model
 * @key: (nullable): a task's key
 *
 * Returns: (transfer none) (nullable): the task
 */
ForeTaskItem *
fore_run_model_find_task (ForeRunModel *self, const char *key)
{
  g_return_val_if_fail (FORE_IS_RUN_MODEL (self), NULL);

  return key != NULL ? g_hash_table_lookup (self->task_items, key) : NULL;
}

/**
 * fore_run_model_get_attempts:
 * @self: a run model
 * @task: (nullable): a task's key
 *
 * Returns: (transfer none) (nullable) (element-type ForeAttempt): its attempts, the first first
 */
GPtrArray *
fore_run_model_get_attempts (ForeRunModel *self, const char *task)
{
  g_return_val_if_fail (FORE_IS_RUN_MODEL (self), NULL);

  return task != NULL ? g_hash_table_lookup (self->attempts, task) : NULL;
}

/**
 * fore_run_model_get_plan:
 * @self: a run model
 * @version: a version, or 0 for the newest
 *
 * Returns: (transfer none) (nullable): that version of the plan
 */
const ForePlan *
fore_run_model_get_plan (ForeRunModel *self, guint version)
{
  const ForePlan *best = NULL;

  g_return_val_if_fail (FORE_IS_RUN_MODEL (self), NULL);

  for (guint i = 0; i < self->plans->len; i++)
    {
      const ForePlan *plan = g_ptr_array_index (self->plans, i);

      if (version > 0 && plan->version == version)
        return plan;
      if (version == 0 && (best == NULL || plan->version > best->version))
        best = plan;
    }

  return best;
}

/**
 * fore_run_model_get_requests:
 * @self: a run model
 *
 * Returns: (transfer none) (element-type ForeRequest): all its requests
 */
GPtrArray *
fore_run_model_get_requests (ForeRunModel *self)
{
  g_return_val_if_fail (FORE_IS_RUN_MODEL (self), NULL);

  return self->requests;
}

/**
 * fore_run_model_get_open_request:
 * @self: a run model
 *
 * Returns: (transfer none) (nullable): the newest request that waits for an answer
 */
const ForeRequest *
fore_run_model_get_open_request (ForeRunModel *self)
{
  const ForeRequest *best = NULL;

  g_return_val_if_fail (FORE_IS_RUN_MODEL (self), NULL);

  for (guint i = 0; i < self->requests->len; i++)
    {
      const ForeRequest *request = g_ptr_array_index (self->requests, i);

      if (request->state == FORE_REQUEST_OPEN
          && (best == NULL || request->created >= best->created))
        best = request;
    }

  return best;
}

/**
 * fore_run_model_find_request:
 * @self: a run model
 * @id: id of a request
 *
 * Returns: (transfer none) (nullable): the request
 */
const ForeRequest *
fore_run_model_find_request (ForeRunModel *self, const char *id)
{
  g_return_val_if_fail (FORE_IS_RUN_MODEL (self), NULL);

  for (guint i = 0; i < self->requests->len; i++)
    {
      const ForeRequest *request = g_ptr_array_index (self->requests, i);

      if (g_strcmp0 (request->id, id) == 0)
        return request;
    }

  return NULL;
}

/**
 * fore_run_model_tick:
 * @self: a run model
 *
 * Says that time went on: lines that show it are made anew.
 */
void
fore_run_model_tick (ForeRunModel *self)
{
  guint n;

  g_return_if_fail (FORE_IS_RUN_MODEL (self));

  n = g_list_model_get_n_items (G_LIST_MODEL (self->tasks));
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (ForeTaskItem) item = g_list_model_get_item (G_LIST_MODEL (self->tasks), i);

      fore_task_item_tick (item);
      if (fore_task_item_get_task (item)->finished == 0)
        fore_run_nodes_update_task (self->nodes, item);
    }
}
