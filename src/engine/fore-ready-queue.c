/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-ready-queue.h"

typedef struct
{
  ForeSlotPool pool;
  char *role;
  char *cli;
  gboolean writes;
  gboolean waited; /* sessions, which may go on where others may not begin */
  GSequence *entries;
  GPtrArray *untold; /* tasks that came since the last round */
  gboolean held_up;
  char *reason;
} Lane;

typedef struct
{
  ForeTask *task;
  Lane *lane;
  gint64 chain;
} Entry;

struct _ForeReadyQueue
{
  ForeReadyMeasure measure;
  gpointer user_data;
  GPtrArray *lanes;
  GHashTable *places; /* task -> iter of its entry */
};

static void
lane_free (Lane *lane)
{
  g_free (lane->role);
  g_free (lane->cli);
  g_free (lane->reason);
  g_sequence_free (lane->entries);
  g_ptr_array_unref (lane->untold);
  g_free (lane);
}

static gboolean
lane_fits (const Lane *lane, const ForeTask *task)
{
  return lane->pool == fore_slot_pool_for_task (task) && lane->writes == task->writes
         && lane->waited == (task->status == FORE_TASK_WAITING)
         && g_strcmp0 (lane->role, task->role) == 0 && g_strcmp0 (lane->cli, task->cli) == 0;
}

static Lane *
find_lane (ForeReadyQueue *queue, const ForeTask *task)
{
  for (guint i = 0; i < queue->lanes->len; i++)
    {
      Lane *lane = g_ptr_array_index (queue->lanes, i);

      if (lane_fits (lane, task))
        return lane;
    }

  return NULL;
}

static Lane *
add_lane (ForeReadyQueue *queue, const ForeTask *task)
{
  Lane *lane = g_new0 (Lane, 1);

  lane->pool = fore_slot_pool_for_task (task);
  lane->role = g_strdup (task->role);
  lane->cli = g_strdup (task->cli);
  lane->writes = task->writes;
  lane->waited = task->status == FORE_TASK_WAITING;
  lane->entries = g_sequence_new (g_free);
  lane->untold = g_ptr_array_new ();
  g_ptr_array_add (queue->lanes, lane);

  return lane;
}

static int
compare_entries (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Entry *first = a;
  const Entry *second = b;

  if (first->chain != second->chain)
    return first->chain > second->chain ? -1 : 1;

  return (first->task->position > second->task->position)
         - (first->task->position < second->task->position);
}

static Entry *
get_first (const Lane *lane)
{
  if (g_sequence_is_empty (lane->entries))
    return NULL;

  return g_sequence_get (g_sequence_get_begin_iter (lane->entries));
}

/**
 * fore_ready_queue_new:
 * @measure: says how long the chain is that begins with a task
 * @user_data: data for @measure
 *
 * Returns: (transfer full): an empty queue
 */
ForeReadyQueue *
fore_ready_queue_new (ForeReadyMeasure measure, gpointer user_data)
{
  ForeReadyQueue *queue;

  g_return_val_if_fail (measure != NULL, NULL);

  queue = g_new0 (ForeReadyQueue, 1);
  queue->measure = measure;
  queue->user_data = user_data;
  queue->lanes = g_ptr_array_new_with_free_func ((GDestroyNotify) lane_free);
  queue->places = g_hash_table_new (NULL, NULL);

  return queue;
}

/**
 * fore_ready_queue_free:
 * @queue: (nullable): a queue
 */
void
fore_ready_queue_free (ForeReadyQueue *queue)
{
  if (queue == NULL)
    return;

  g_hash_table_unref (queue->places);
  g_ptr_array_unref (queue->lanes);
  g_free (queue);
}

/**
 * fore_ready_queue_add:
 * @queue: a queue
 * @task: a task that is ready; outlives its stay
 *
 * Adds @task, if it is not there already.
 */
void
fore_ready_queue_add (ForeReadyQueue *queue, ForeTask *task)
{
  Entry *entry;
  Lane *lane;

  g_return_if_fail (queue != NULL && task != NULL);

  if (g_hash_table_contains (queue->places, task))
    return;

  lane = find_lane (queue, task);
  if (lane == NULL)
    lane = add_lane (queue, task);

  entry = g_new (Entry, 1);
  *entry = (Entry){ task, lane, queue->measure (task, queue->user_data) };
  g_hash_table_insert (queue->places, task,
                       g_sequence_insert_sorted (lane->entries, entry, compare_entries, NULL));
  g_ptr_array_add (lane->untold, task);
}

/**
 * fore_ready_queue_remove:
 * @queue: a queue
 * @task: a task, that need not be in it
 */
void
fore_ready_queue_remove (ForeReadyQueue *queue, ForeTask *task)
{
  GSequenceIter *place;
  Lane *lane;

  g_return_if_fail (queue != NULL && task != NULL);

  place = g_hash_table_lookup (queue->places, task);
  if (place == NULL)
    return;

  lane = ((const Entry *) g_sequence_get (place))->lane;
  g_ptr_array_remove_fast (lane->untold, task);
  g_hash_table_remove (queue->places, task);
  g_sequence_remove (place);
}

/**
 * fore_ready_queue_clear:
 * @queue: a queue
 */
void
fore_ready_queue_clear (ForeReadyQueue *queue)
{
  g_return_if_fail (queue != NULL);

  g_hash_table_remove_all (queue->places);
  g_ptr_array_set_size (queue->lanes, 0);
}

/**
 * fore_ready_queue_is_empty:
 * @queue: a queue
 *
 * Returns: whether no task is in it
 */
gboolean
fore_ready_queue_is_empty (const ForeReadyQueue *queue)
{
  g_return_val_if_fail (queue != NULL, TRUE);

  return g_hash_table_size (queue->places) == 0;
}

static void
measure_entry (gpointer data, gpointer user_data)
{
  ForeReadyQueue *queue = user_data;
  Entry *entry = data;

  entry->chain = queue->measure (entry->task, queue->user_data);
}

/**
 * fore_ready_queue_measure_again:
 * @queue: a queue
 *
 * Brings the tasks into order again after chains have changed.
 */
void
fore_ready_queue_measure_again (ForeReadyQueue *queue)
{
  g_return_if_fail (queue != NULL);

  for (guint i = 0; i < queue->lanes->len; i++)
    {
      Lane *lane = g_ptr_array_index (queue->lanes, i);

      g_sequence_foreach (lane->entries, measure_entry, queue);
      g_sequence_sort (lane->entries, compare_entries, NULL);
    }
}

/**
 * fore_ready_queue_begin_round:
 * @queue: a queue
 * @pool: a pool
 *
 * Begins to ask who can start in @pool.
 */
void
fore_ready_queue_begin_round (ForeReadyQueue *queue, ForeSlotPool pool)
{
  g_return_if_fail (queue != NULL);

  for (guint i = 0; i < queue->lanes->len; i++)
    {
      Lane *lane = g_ptr_array_index (queue->lanes, i);

      if (lane->pool == pool)
        lane->held_up = FALSE;
    }
}

/**
 * fore_ready_queue_peek:
 * @queue: a queue
 * @pool: a pool
 *
 * Returns: (transfer none) (nullable): who is next in @pool of those who were not held up in this
 *   round
 */
ForeTask *
fore_ready_queue_peek (ForeReadyQueue *queue, ForeSlotPool pool)
{
  const Entry *best = NULL;

  g_return_val_if_fail (queue != NULL, NULL);

  for (guint i = 0; i < queue->lanes->len; i++)
    {
      const Lane *lane = g_ptr_array_index (queue->lanes, i);
      const Entry *first = lane->pool == pool && !lane->held_up ? get_first (lane) : NULL;

      if (first != NULL && (best == NULL || compare_entries (first, best, NULL) < 0))
        best = first;
    }

  return best != NULL ? best->task : NULL;
}

/**
 * fore_ready_queue_hold_up:
 * @queue: a queue
 * @task: what fore_ready_queue_peek() gave
 * @reason: one phrase: what it waits for
 *
 * Leaves out @task and all that need the same for the rest of the round.
 */
void
fore_ready_queue_hold_up (ForeReadyQueue *queue, ForeTask *task, const char *reason)
{
  GSequenceIter *place;
  Lane *lane;

  g_return_if_fail (queue != NULL && task != NULL);

  place = g_hash_table_lookup (queue->places, task);
  g_return_if_fail (place != NULL);

  lane = ((const Entry *) g_sequence_get (place))->lane;
  lane->held_up = TRUE;
  g_free (lane->reason);
  lane->reason = g_strdup (reason);
}

/**
 * fore_ready_queue_end_round:
 * @queue: a queue
 * @pool: the pool
 * @reason: (nullable): one phrase: what those wait for who were not asked
 * @tell: (scope call): called for each task that stays and was not told yet why
 * @user_data: data for @tell
 */
void
fore_ready_queue_end_round (ForeReadyQueue *queue,
                            ForeSlotPool pool,
                            const char *reason,
                            ForeReadyTell tell,
                            gpointer user_data)
{
  g_return_if_fail (queue != NULL);
  g_return_if_fail (tell != NULL);

  for (guint i = 0; i < queue->lanes->len; i++)
    {
      Lane *lane = g_ptr_array_index (queue->lanes, i);

      if (lane->pool != pool)
        continue;

      for (guint j = 0; j < lane->untold->len; j++)
        tell (g_ptr_array_index (lane->untold, j), lane->held_up ? lane->reason : reason,
              user_data);
      g_ptr_array_set_size (lane->untold, 0);
    }
}
