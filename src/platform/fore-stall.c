/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-stall.h"

#include <stdlib.h>

#include "platform/fore-clock.h"
#include "platform/fore-log.h"
#include "platform/fore-stall-private.h"

static struct
{
  gint64 limit_us;
  gboolean fatal;
  GPollFunc poll;
  gint64 since; /* read by the watching thread */
  gint64 cpu_since;
  gint64 waits_since;
  guint count;
  gint64 worst_wall_us;
  gint64 worst_cpu_us;
} state;

static void
note_stall (gint64 wall_us, gint64 cpu_us, gint64 waits)
{
  char name[FORE_STALL_NAME_SIZE];

  state.count++;
  fore_stall_system_take_name (name);
  fore_log (FORE_LOG_WARNING, NULL, NULL, 0,
            "The main loop stood still for %" G_GINT64_FORMAT " µs (%" G_GINT64_FORMAT
            " µs of CPU, waited %" G_GINT64_FORMAT " times) in “%s”",
            wall_us, cpu_us, waits, name[0] == '\0' ? "unknown" : name);
  g_printerr ("stall: %" G_GINT64_FORMAT " µs wall, %" G_GINT64_FORMAT " µs CPU in “%s”\n", wall_us,
              cpu_us, name[0] == '\0' ? "unknown" : name);

  /* On a busy machine wall time passes without any fault of ours. */
  if (state.fatal && (cpu_us > state.limit_us || waits > 0))
    abort ();
}

static void
end_dispatch (void)
{
  gint64 since = state.since;
  gint64 wall_us, cpu_us;

  if (since == 0)
    return;

  wall_us = fore_clock_boot_us () - since;
  cpu_us = fore_clock_thread_cpu_us () - state.cpu_since;
  __atomic_store_n (&state.since, 0, __ATOMIC_RELEASE);
  state.worst_wall_us = MAX (state.worst_wall_us, wall_us);
  state.worst_cpu_us = MAX (state.worst_cpu_us, cpu_us);
  if (wall_us > state.limit_us)
    note_stall (wall_us, cpu_us, fore_stall_system_count_waits () - state.waits_since);
}

static void
begin_dispatch (void)
{
  state.cpu_since = fore_clock_thread_cpu_us ();
  state.waits_since = fore_stall_system_count_waits ();
  __atomic_store_n (&state.since, fore_clock_boot_us (), __ATOMIC_RELEASE);
}

/* All that is dispatched happens between two polls. */
static int
poll_and_measure (GPollFD *fds, guint n_fds, int timeout)
{
  int result;

  end_dispatch ();
  result = state.poll (fds, n_fds, timeout);
  begin_dispatch ();
  return result;
}

/**
 * fore_stall_install:
 * @context: (nullable): the context to watch, %NULL for the default one
 *
 * Does nothing unless FORE_STALL_MS is a number above 0. Once a process, in the thread that runs
 * @context.
 */
void
fore_stall_install (GMainContext *context)
{
  const char *text = g_getenv ("FORE_STALL_MS");
  guint64 limit_ms;

  if (text == NULL || !g_ascii_string_to_unsigned (text, 10, 1, G_MAXINT, &limit_ms, NULL))
    return;

  g_return_if_fail (state.poll == NULL);

  if (context == NULL)
    context = g_main_context_default ();
  state.limit_us = (gint64) limit_ms * 1000;
  state.fatal = g_strcmp0 (g_getenv ("FORE_STALL_FATAL"), "1") == 0;
  state.poll = g_main_context_get_poll_func (context);
  g_main_context_set_poll_func (context, poll_and_measure);
  fore_stall_system_start (state.limit_us, &state.since);
}

/**
 * fore_stall_get_count:
 * @worst_wall_us: (out) (optional): the longest dispatch, in µs
 * @worst_cpu_us: (out) (optional): the most CPU time of one, in µs
 *
 * Returns: how many dispatches took longer than allowed
 */
guint
fore_stall_get_count (gint64 *worst_wall_us, gint64 *worst_cpu_us)
{
  if (worst_wall_us != NULL)
    *worst_wall_us = state.worst_wall_us;
  if (worst_cpu_us != NULL)
    *worst_cpu_us = state.worst_cpu_us;

  return state.count;
}
