/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-dispatch-trace.h"

#include "platform/fore-clock.h"

#include <glib/gstdio.h>
#include <stdio.h>

struct _ForeDispatchTrace
{
  gint64 cpu_since;
  gint64 wall_since;
  ForeDispatchWait wait;
  gint64 own_us;
  gint64 waits_us[FORE_N_DISPATCH_WAITS];
};

static FILE *
get_file (void)
{
  static gsize opened;
  static FILE *file;

  if (g_once_init_enter (&opened))
    {
      const char *path = g_getenv ("FORE_DISPATCH_TRACE");

      if (path != NULL)
        file = g_fopen (path, "ae");
      g_once_init_leave (&opened, 1);
    }

  return file;
}

/**
 * fore_dispatch_trace_new:
 *
 * Begins with work of the calling thread.
 *
 * Returns: (transfer full) (nullable): a trace; %NULL if nobody wants one
 */
ForeDispatchTrace *
fore_dispatch_trace_new (void)
{
  ForeDispatchTrace *trace;

  if (get_file () == NULL)
    return NULL;

  trace = g_new0 (ForeDispatchTrace, 1);
  trace->cpu_since = fore_clock_thread_cpu_us ();

  return trace;
}

/**
 * fore_dispatch_trace_free:
 * @trace: (nullable): a trace
 */
void
fore_dispatch_trace_free (ForeDispatchTrace *trace)
{
  g_free (trace);
}

/**
 * fore_dispatch_trace_wait:
 * @trace: (nullable): a trace
 * @wait: for what
 *
 * The calling thread has done its part.
 */
void
fore_dispatch_trace_wait (ForeDispatchTrace *trace, ForeDispatchWait wait)
{
  g_return_if_fail (wait < FORE_N_DISPATCH_WAITS);

  if (trace == NULL)
    return;

  trace->own_us += fore_clock_thread_cpu_us () - trace->cpu_since;
  trace->wall_since = g_get_monotonic_time ();
  trace->wait = wait;
}

/**
 * fore_dispatch_trace_go_on:
 * @trace: (nullable): a trace
 *
 * The calling thread, any, takes it up.
 */
void
fore_dispatch_trace_go_on (ForeDispatchTrace *trace)
{
  if (trace == NULL)
    return;

  trace->waits_us[trace->wait] += g_get_monotonic_time () - trace->wall_since;
  trace->cpu_since = fore_clock_thread_cpu_us ();
}

/**
 * fore_dispatch_trace_write:
 * @trace: (nullable): a trace whose task was started
 * @task: its key
 * @spawn_cpu_us: how long the calling thread just worked to start a process, which is not our own
 *   work but the system's
 * @spawn_us: how long that took
 */
void
fore_dispatch_trace_write (ForeDispatchTrace *trace,
                           const char *task,
                           gint64 spawn_cpu_us,
                           gint64 spawn_us)
{
  g_return_if_fail (task != NULL);

  if (trace == NULL)
    return;

  trace->own_us += fore_clock_thread_cpu_us () - trace->cpu_since - spawn_cpu_us;
  fprintf (get_file (),
           "{\"task\": \"%s\", \"own_us\": %" G_GINT64_FORMAT ", \"queue_us\": %" G_GINT64_FORMAT
           ", \"tree_us\": %" G_GINT64_FORMAT ", \"barrier_us\": %" G_GINT64_FORMAT
           ", \"spawn_us\": %" G_GINT64_FORMAT "}\n",
           task, trace->own_us, trace->waits_us[FORE_DISPATCH_QUEUE],
           trace->waits_us[FORE_DISPATCH_TREE], trace->waits_us[FORE_DISPATCH_BARRIER], spawn_us);
}
