/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-pool.h"

typedef struct
{
  GTask *task;
  GTaskThreadFunc func;
} Work;

static const struct
{
  const char *name;
  int threads;
} pools[FORE_N_POOLS] = {
  [FORE_POOL_GIT] = { "git", 3 },     [FORE_POOL_DECODE] = { "decode", 2 },
  [FORE_POOL_FILE] = { "file", 2 },   [FORE_POOL_HOOK] = { "hook", 4 },
  [FORE_POOL_START] = { "start", 2 },
};

static gboolean
dropped (gpointer user_data)
{
  return G_SOURCE_REMOVE;
}

/* The last reference to a task is often the last to its source object too, and what that is made of
 * (watches, timers, guards) belongs to the thread that waits for the task.
 */
static void
drop_in_context (GTask *task)
{
  GSource *source = g_idle_source_new ();

  g_source_set_name (source, "drop a task");
  g_source_set_priority (source, g_task_get_priority (task));
  g_source_set_callback (source, dropped, task, g_object_unref);
  g_source_attach (source, g_task_get_context (task));
  g_source_unref (source);
}

static void
run_work (gpointer data, gpointer user_data)
{
  Work *work = data;

  work->func (work->task, g_task_get_source_object (work->task), g_task_get_task_data (work->task),
              g_task_get_cancellable (work->task));

  drop_in_context (work->task);
  g_free (work);
}

static GThreadPool *
get_pool (ForePoolKind kind)
{
  static GThreadPool *made[FORE_N_POOLS];
  static GMutex mutex;
  GThreadPool *pool;

  g_mutex_lock (&mutex);
  if (made[kind] == NULL)
    made[kind] = g_thread_pool_new (run_work, NULL, pools[kind].threads, FALSE, NULL);
  pool = made[kind];
  g_mutex_unlock (&mutex);

  return pool;
}

/**
 * fore_pool_run:
 * @kind: which pool
 * @task: a task with its data
 * @func: blocking function that returns from @task exactly once
 *
 * Runs @func in a thread of the pool; at most a few of a kind run at once, the others wait in the
 * order of their calls.
 */
void
fore_pool_run (ForePoolKind kind, GTask *task, GTaskThreadFunc func)
{
  Work *work;

  g_return_if_fail (kind < FORE_N_POOLS);
  g_return_if_fail (G_IS_TASK (task));
  g_return_if_fail (func != NULL);

  work = g_new0 (Work, 1);
  work->task = g_object_ref (task);
  work->func = func;

  g_thread_pool_push (get_pool (kind), work, NULL);
}
