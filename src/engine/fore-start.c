/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-start.h"

#include "engine/fore-pool.h"

typedef struct
{
  ForeGuardLaunch launch;
  ForeDispatchTrace *trace; /* the caller's, who waits */
} Start;

static void
start_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Start *start = data;
  ForeGuard *guard = source;
  GError *error = NULL;
  gint64 cpu_us, wall_us;

  fore_dispatch_trace_go_on (start->trace);
  if (!fore_guard_start (guard, &start->launch, &error))
    {
      g_task_return_error (task, error);
      return;
    }

  fore_guard_get_spawn_cost (guard, &cpu_us, &wall_us);
  fore_dispatch_trace_write (start->trace, start->launch.task, cpu_us, wall_us);
  g_task_return_boolean (task, TRUE);
}

/**
 * fore_start_async:
 * @hub: the run's guards
 * @launch: what to start; what it points to stays until @callback
 * @trace: (nullable): where the time goes until it starts; stays until @callback
 * @callback: called in this thread when it runs or could not be started
 * @user_data: data for @callback
 *
 * Starts a guard in a thread; in the order of the calls, as far as a few threads keep it. Whatever
 * the guard writes meanwhile is told after @callback.
 */
void
fore_start_async (ForeGuardHub *hub,
                  const ForeGuardLaunch *launch,
                  ForeDispatchTrace *trace,
                  GAsyncReadyCallback callback,
                  gpointer user_data)
{
  g_autoptr (ForeGuard) guard = NULL;
  g_autoptr (GTask) task = NULL;
  GError *error = NULL;
  Start *start;

  g_return_if_fail (FORE_IS_GUARD_HUB (hub));
  g_return_if_fail (launch != NULL);

  guard = fore_guard_prepare (hub, launch, &error);
  task = g_task_new (guard, NULL, callback, user_data);
  g_task_set_name (task, "start a guard");
  g_task_set_source_tag (task, fore_start_async);
  if (guard == NULL)
    {
      g_task_return_error (task, error);
      return;
    }

  start = g_new0 (Start, 1);
  start->launch = *launch;
  start->trace = trace;
  g_task_set_task_data (task, start, g_free);
  fore_dispatch_trace_wait (trace, FORE_DISPATCH_QUEUE);
  fore_pool_run (FORE_POOL_START, task, start_in_thread);
}

/**
 * fore_start_finish:
 * @result: the result
 * @error: return location for an error
 *
 * To be called from the callback, where the signals of the guard are connected to.
 *
 * Returns: (transfer full): the guard; %NULL if it could not be started, with
 *   %FORE_ERROR_CANCELLED if the run was given up meanwhile
 */
ForeGuard *
fore_start_finish (GAsyncResult *result, GError **error)
{
  ForeGuard *guard;
  gboolean started;

  g_return_val_if_fail (G_IS_TASK (result), NULL);

  guard = g_task_get_source_object (G_TASK (result));
  started = g_task_propagate_boolean (G_TASK (result), error);
  if (guard != NULL)
    fore_guard_follow (guard, started);

  return started ? g_object_ref (guard) : NULL;
}
