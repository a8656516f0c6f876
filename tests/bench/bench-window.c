/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "bench-window.h"

#include <gio/gio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The window as a whole, on the display that it is given: how long it takes to start with 500 runs
 * in the store, held against an empty window of libadwaita that starts in turns with it; what it
 * holds and does while it idles beside 20 runs at work; what 200 runs leave behind that were looked
 * at one after the other; and what it does, frame by frame, for an agent that says 2,000 lines a
 * second. (How many frames that costs depends on what else the machine does; the bar is held
 * against the share of a processor.) One JSON object a line; exits with 1 when a figure is beyond
 * its bar.
 */

#define N_STORED 500
#define N_STARTS 7
#define START_BAR 3.0
#define N_ACTIVE 20
#define RSS_BAR 80.0
#define IDLE_BAR 1.0
#define N_SOAK 200
#define N_WARM 40
#define SOAK_BAR 5.0
#define LINES_A_SECOND 2000
#define CHATTY_SECONDS 8
#define CHATTY_BAR 60.0

static const char *program;

/* Runs a child and gives what it reports. */
static char *
run_child (const char *role, const char *prefix, guint n, guint more)
{
  g_autofree char *start = g_strdup_printf ("%" G_GINT64_FORMAT, g_get_monotonic_time ());
  g_autofree char *number = g_strdup_printf ("%u", n);
  g_autofree char *last = g_strdup_printf ("%u", more);
  const char *argv[] = { program, role, start, prefix, number, last, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = g_subprocess_newv (argv, G_SUBPROCESS_FLAGS_STDOUT_PIPE,
                                                       &error);
  char *text = NULL;

  if (process == NULL || !g_subprocess_communicate_utf8 (process, NULL, NULL, &text, NULL, &error))
    g_error ("bench: %s", error->message);
  if (text == NULL || strstr (text, "RESULT ") == NULL)
    g_error ("bench: the window reported nothing as “%s”", role);
  memmove (text, strstr (text, "RESULT ") + 7, strlen (strstr (text, "RESULT ") + 7) + 1);

  return text;
}

static void
take_start (const char *role, double *wall, double *cpu)
{
  g_autofree char *text = run_child (role, "none", 0, 0);
  double one_wall = 0;
  double one_cpu = 0;

  if (sscanf (text, "%lf %lf", &one_wall, &one_cpu) != 2)
    g_error ("bench: %s", text);
  *wall = MIN (*wall, one_wall);
  *cpu = MIN (*cpu, one_cpu);
}

/* The least of several is what the program takes; the rest is what else the machine did. */
static gboolean
bench_start (void)
{
  double empty_wall = 1e9, empty_cpu = 1e9, wall = 1e9, cpu = 1e9;

  for (guint i = 0; i < N_STARTS; i++)
    {
      take_start ("empty", &empty_wall, &empty_cpu);
      take_start ("start", &wall, &cpu);
    }
  g_print ("{\"bench\":\"window-start\",\"runs\":%d,\"empty_ms\":%.1f,\"start_ms\":%.1f,"
           "\"ratio\":%.2f,\"bar\":%.1f,\"empty_cpu_ms\":%.1f,\"start_cpu_ms\":%.1f}\n",
           N_STORED, empty_wall, wall, wall / empty_wall, START_BAR, empty_cpu, cpu);

  return wall <= START_BAR * empty_wall;
}

static gboolean
bench_idle (void)
{
  g_autofree char *text = run_child ("idle", "none", 0, 0);
  double rss = 0;
  double cpu = 0;

  if (sscanf (text, "%lf %lf", &rss, &cpu) != 2)
    g_error ("bench: %s", text);
  g_print ("{\"bench\":\"window-idle\",\"active_runs\":%d,\"rss_anon_mb\":%.1f,\"bar_mb\":%.0f,"
           "\"cpu_percent\":%.2f,\"bar_percent\":%.1f}\n",
           N_ACTIVE, rss, RSS_BAR, cpu, IDLE_BAR);

  return rss <= RSS_BAR && cpu <= IDLE_BAR;
}

static gboolean
bench_soak (void)
{
  g_autofree char *text = run_child ("soak", "past", N_SOAK, N_WARM);
  double before = 0, after = 0;
  guint fds = 0, fds_after = 0, threads = 0, threads_after = 0;

  if (sscanf (text, "%lf %lf %u %u %u %u", &before, &after, &fds, &fds_after, &threads,
              &threads_after)
      != 6)
    g_error ("bench: %s", text);
  g_print ("{\"bench\":\"window-soak\",\"runs\":%d,\"warm_mb\":%.1f,\"after_mb\":%.1f,"
           "\"bar_mb\":%.0f,\"fds\":%u,\"fds_after\":%u,\"threads\":%u,\"threads_after\":%u}\n",
           N_SOAK, before, after, SOAK_BAR, fds, fds_after, threads, threads_after);

  return after - before <= SOAK_BAR && fds_after <= fds && threads_after <= threads;
}

static gboolean
bench_chatty (ForeStore *store)
{
  BenchAgent *agent = bench_agent_start (store, "workaaaa", LINES_A_SECOND);
  g_autofree char *text = run_child ("chatty", "work", 1, CHATTY_SECONDS);
  guint n_lines = bench_agent_stop (agent);
  guint frames = 0, dropped = 0, slow = 0;
  double own = 0, paint = 0, cpu = 0;

  if (sscanf (text, "%u %u %lf %u %lf %lf", &frames, &dropped, &own, &slow, &paint, &cpu) != 6)
    g_error ("bench: %s", text);
  g_print ("{\"bench\":\"window-chatty\",\"lines_a_second\":%d,\"lines\":%u,\"frames\":%u,"
           "\"dropped_by_own_work\":%u,\"own_work_max_ms\":%.2f,\"slow_paints\":%u,"
           "\"paint_max_ms\":%.2f,\"cpu_percent\":%.1f,\"bar_percent\":%.0f}\n",
           LINES_A_SECOND, n_lines, frames, dropped, own, slow, paint, cpu, CHATTY_BAR);

  return frames > 0 && cpu <= CHATTY_BAR;
}

int
main (int argc, char **argv)
{
  g_autoptr (GPtrArray) owners = NULL;
  g_autoptr (ForeStore) store = NULL;
  g_autofree char *home = NULL;
  const char *only = argc == 2 ? argv[1] : NULL;
  gboolean good = TRUE;

  if (argc > 2)
    return bench_window_main (argc, argv);

  program = argv[0];
  /* The watchdog that tests run with looks forty times a second, also while nothing is to do. */
  g_unsetenv ("FORE_STALL_MS");
  owners = g_ptr_array_new_with_free_func (g_object_unref);
  store = bench_home_new (&home);
  bench_home_add_runs (store, "work", N_ACTIVE, FORE_RUN_RUNNING, owners);
  if (only == NULL || g_str_equal (only, "idle"))
    good = bench_idle () && good;
  if (only == NULL || g_str_equal (only, "chatty"))
    good = bench_chatty (store) && good;
  bench_home_add_runs (store, "past",
                       only != NULL && g_str_equal (only, "soak") ? N_SOAK : N_STORED - N_ACTIVE,
                       FORE_RUN_COMPLETED, NULL);
  if (only == NULL || g_str_equal (only, "soak"))
    good = bench_soak () && good;
  if (only == NULL || g_str_equal (only, "start"))
    good = bench_start () && good;
  g_ptr_array_set_size (owners, 0);
  bench_home_remove (home);

  return good ? 0 : 1;
}
