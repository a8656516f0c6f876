/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-stall.h"

#include <stdlib.h>
#include <string.h>

#include "platform/fore-clock.h"
#include "platform/fore-log.h"
#include "platform/fore-stall-private.h"

/* Times are counted in classes: each power of two of microseconds in eight parts. */
#define PARTS 8
#define N_CLASSES (PARTS * 40)

static struct
{
  gint64 limit_us; /* 0: nothing is too long */
  gboolean fatal;
  GThread *thread;
  GPollFunc poll;
  gint64 since; /* read by the watching thread */
  gint64 cpu_since;
  gint64 waits_since;
  gint64 worst_stall_us;
  ForeStallFigures figures;
  guint32 classes[N_CLASSES];
} state;

static guint
get_class (gint64 us)
{
  guint shift;

  if (us < PARTS)
    return (guint) MAX (us, 0);

  shift = g_bit_storage ((gulong) us) - 4;
  return MIN (PARTS * (shift + 1) + (guint) (us >> shift) - PARTS, N_CLASSES - 1);
}

static gint64
get_class_end (guint number)
{
  guint shift;

  if (number < PARTS)
    return number + 1;

  shift = number / PARTS - 1;
  return (gint64) (number % PARTS + PARTS + 1) << shift;
}

static void
note_stall (gint64 wall_us, gint64 cpu_us, gint64 waits)
{
  char name[FORE_STALL_NAME_SIZE];

  state.figures.n_stalls++;
  fore_stall_system_take_name (name);
  fore_log (FORE_LOG_WARNING, NULL, NULL, 0,
            "The main loop stood still for %" G_GINT64_FORMAT " µs (%" G_GINT64_FORMAT
            " µs of CPU, waited %" G_GINT64_FORMAT " times) in “%s”",
            wall_us, cpu_us, waits, name[0] == '\0' ? "unknown" : name);
  g_printerr ("stall: %" G_GINT64_FORMAT " µs wall, %" G_GINT64_FORMAT " µs CPU in “%s”\n", wall_us,
              cpu_us, name[0] == '\0' ? "unknown" : name);

  if (wall_us > state.worst_stall_us)
    {
      state.worst_stall_us = wall_us;
      memcpy (state.figures.worst_source, name, sizeof name);
    }

  /* On a busy machine wall time passes without any fault of ours. */
  if (state.fatal && (cpu_us > state.limit_us || (waits > 0 && wall_us > 4 * state.limit_us)))
    abort ();
}

static void
end_dispatch (void)
{
  ForeStallFigures *figures = &state.figures;
  gint64 since = state.since;
  gint64 wall_us, cpu_us;

  if (since == 0)
    return;

  cpu_us = fore_clock_thread_cpu_us () - state.cpu_since;
  wall_us = fore_clock_boot_us () - since;
  __atomic_store_n (&state.since, 0, __ATOMIC_RELEASE);
  figures->n_dispatches++;
  figures->cpu_us += cpu_us;
  figures->worst_wall_us = MAX (figures->worst_wall_us, wall_us);
  figures->worst_cpu_us = MAX (figures->worst_cpu_us, cpu_us);
  state.classes[get_class (wall_us)]++;
  if (state.limit_us > 0 && wall_us > state.limit_us)
    note_stall (wall_us, cpu_us, fore_stall_system_count_waits () - state.waits_since);
}

static void
begin_dispatch (void)
{
  if (state.limit_us > 0)
    state.waits_since = fore_stall_system_count_waits ();
  __atomic_store_n (&state.since, fore_clock_boot_us (), __ATOMIC_RELEASE);
  state.cpu_since = fore_clock_thread_cpu_us ();
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
 * Measures how long dispatches take. What takes longer than FORE_STALL_MS, if that is a number
 * above 0, is reported. Once a process, in the thread that runs @context.
 */
void
fore_stall_install (GMainContext *context)
{
  const char *text = g_getenv ("FORE_STALL_MS");
  guint64 limit_ms;

  g_return_if_fail (state.poll == NULL);

  if (context == NULL)
    context = g_main_context_default ();
  state.thread = g_thread_self ();
  state.fatal = g_strcmp0 (g_getenv ("FORE_STALL_FATAL"), "1") == 0;
  state.poll = g_main_context_get_poll_func (context);
  g_main_context_set_poll_func (context, poll_and_measure);
  if (text == NULL || !g_ascii_string_to_unsigned (text, 10, 1, G_MAXINT, &limit_ms, NULL))
    return;

  state.limit_us = (gint64) limit_ms * 1000;
  fore_stall_system_start (state.limit_us, &state.since);
}

/**
 * fore_stall_leave:
 *
 * Ends the dispatch that is being measured: to be called where a loop was left, so that what the
 * program does outside of it does not count.
 */
void
fore_stall_leave (void)
{
  if (g_thread_self () == state.thread)
    end_dispatch ();
}

/**
 * fore_stall_blocks:
 * @what: what is about to be done that may wait for a disk or for another thread
 *
 * Complains if this is a dispatch of the measured loop and FORE_STALL_MS is set. Any thread.
 */
void
fore_stall_blocks (const char *what)
{
  if (state.limit_us == 0 || g_thread_self () != state.thread || state.since == 0)
    return;

  fore_log (FORE_LOG_WARNING, NULL, NULL, 0, "%s in the main loop", what);
  g_printerr ("stall: %s in the main loop\n", what);
  if (state.fatal)
    abort ();
}

static gint64
find_p999 (void)
{
  guint64 above = state.figures.n_dispatches / 1000;
  guint number = N_CLASSES - 1;

  while (number > 0 && state.classes[number] <= above)
    above -= state.classes[number--];

  return MIN (get_class_end (number), state.figures.worst_wall_us);
}

/**
 * fore_stall_get_figures:
 * @figures: (out): what the loop did so far
 *
 * In the thread of the loop.
 */
void
fore_stall_get_figures (ForeStallFigures *figures)
{
  g_return_if_fail (figures != NULL);

  *figures = state.figures;
  figures->p999_wall_us = find_p999 ();
}
