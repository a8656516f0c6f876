/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "bench-window.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/fore-application.h"
#include "app/fore-job.h"
#include "app/fore-window.h"

#define POLL_MS 10
#define SETTLED_POLLS 3
#define SETTLE_SECONDS 5
#define IDLE_SECONDS 10
#define FRAME_MS 16.7

typedef struct
{
  const char *role;
  gint64 start;
  guint seconds;
  const char *prefix;
  guint n_runs;

  GtkWindow *window;
  guint n_settled;
  guint run;
  guint n_warm;
  double warm_mb;
  guint warm_fds;
  guint warm_threads;
  gint64 begin;
  double begin_cpu;

  double iteration;
  double paint_begin;
  double paint;
  double worst_own;
  double worst_paint;
  guint n_frames;
  guint n_dropped;
  guint n_slow_paints;
} Child;

static Child child;

static double
get_cpu_ms (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static double
read_status (const char *key)
{
  g_autofree char *text = NULL;
  const char *line;

  g_file_get_contents ("/proc/self/status", &text, NULL, NULL);
  line = text != NULL ? strstr (text, key) : NULL;
  return line != NULL ? g_ascii_strtod (line + strlen (key) + 1, NULL) : -1;
}

static guint
count_fds (void)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/fd", 0, NULL);
  guint n = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;

  return n;
}

static void
quit (void)
{
  fflush (stdout);
  g_application_quit (g_application_get_default ());
}

/* The first frame that holds the runs of the store, or for the empty window the first at all. */
static void
first_paint_cb (GdkFrameClock *clock, gpointer data)
{
  gboolean empty = g_str_equal (child.role, "empty");
  ForeIndex *index = empty ? NULL : fore_application_get_index ();

  if (!empty && (index == NULL || !fore_index_is_loaded (index)))
    return;

  g_print ("RESULT %.2f %.2f\n", (g_get_monotonic_time () - child.start) / 1e3,
           get_cpu_ms (CLOCK_PROCESS_CPUTIME_ID));
  quit ();
}

static gboolean
is_settled (void)
{
  ForeIndex *index = fore_application_get_index ();
  gboolean settled = index != NULL && fore_index_is_loaded (index) && fore_job_get_n_running () == 0
                     && fore_window_is_settled (FORE_WINDOW (child.window));

  child.n_settled = settled ? child.n_settled + 1 : 0;
  return child.n_settled >= SETTLED_POLLS;
}

static void
show_next (void)
{
  static const char *const views[] = { "graph", "tasks", "log", "changes" };
  guint i = child.run % child.n_runs;
  g_autofree char *id = g_strdup_printf ("%s%c%c%c%c", child.prefix, 'a' + i / 676 % 26,
                                         'a' + i / 26 % 26, 'a' + i % 26, 'a');

  child.n_settled = 0;
  fore_window_show_run (FORE_WINDOW (child.window), id, views[child.run % G_N_ELEMENTS (views)]);
  child.run++;
}

static gboolean
soak_cb (gpointer data)
{
  if (!is_settled ())
    return G_SOURCE_CONTINUE;

  if (child.run == child.n_warm)
    {
      child.warm_mb = read_status ("RssAnon:") / 1024;
      child.warm_fds = count_fds ();
      child.warm_threads = (guint) read_status ("Threads:");
    }
  if (child.run < child.n_warm + child.n_runs)
    {
      show_next ();
      return G_SOURCE_CONTINUE;
    }

  g_print ("RESULT %.2f %.2f %u %u %u %u\n", child.warm_mb, read_status ("RssAnon:") / 1024,
           child.warm_fds, count_fds (), child.warm_threads, (guint) read_status ("Threads:"));
  quit ();
  return G_SOURCE_REMOVE;
}

static gboolean
idle_cb (gpointer data)
{
  gint64 now = g_get_monotonic_time ();

  if (!is_settled ())
    child.start = now;
  if (child.begin == 0 && now - child.start > SETTLE_SECONDS * G_USEC_PER_SEC)
    {
      child.begin = now;
      child.begin_cpu = get_cpu_ms (CLOCK_PROCESS_CPUTIME_ID);
      g_timeout_add_seconds (IDLE_SECONDS, idle_cb, NULL);
      return G_SOURCE_REMOVE;
    }
  if (child.begin == 0 || now - child.begin < IDLE_SECONDS * G_USEC_PER_SEC * 9 / 10)
    return G_SOURCE_CONTINUE;

  g_print ("RESULT %.2f %.3f\n", read_status ("RssAnon:") / 1024,
           (get_cpu_ms (CLOCK_PROCESS_CPUTIME_ID) - child.begin_cpu) / ((now - child.begin) / 1e3)
               * 100);
  quit ();
  return G_SOURCE_REMOVE;
}

/* Between two polls of the main loop lies one iteration of it: what it takes beyond painting is our
 * own work, and what is longer than a frame costs one.
 */
static int
poll_cb (GPollFD *fds, guint n_fds, int timeout)
{
  double own = get_cpu_ms (CLOCK_THREAD_CPUTIME_ID) - child.iteration - child.paint;
  int result;

  if (child.begin > 0)
    {
      child.worst_own = MAX (child.worst_own, own);
      child.n_dropped += own > FRAME_MS;
    }
  result = g_poll (fds, n_fds, timeout);
  child.paint = 0;
  child.iteration = get_cpu_ms (CLOCK_THREAD_CPUTIME_ID);

  return result;
}

static void
layout_cb (GdkFrameClock *clock, gpointer data)
{
  child.paint_begin = get_cpu_ms (CLOCK_THREAD_CPUTIME_ID);
}

static void
paint_cb (GdkFrameClock *clock, gpointer data)
{
  double paint = get_cpu_ms (CLOCK_THREAD_CPUTIME_ID) - child.paint_begin;

  child.paint += paint;
  if (child.begin == 0)
    return;

  child.worst_paint = MAX (child.worst_paint, paint);
  child.n_slow_paints += paint > FRAME_MS;
  child.n_frames++;
}

static gboolean
chatty_cb (gpointer data)
{
  gint64 now = g_get_monotonic_time ();

  if (child.run == 0 && is_settled ())
    {
      child.start = 0;
      show_next ();
      return G_SOURCE_CONTINUE;
    }
  if (child.run > 0 && child.start == 0 && is_settled ())
    child.start = now;
  if (child.begin == 0 && child.start > 0 && now - child.start > 2 * G_USEC_PER_SEC)
    {
      child.begin = now;
      child.begin_cpu = get_cpu_ms (CLOCK_PROCESS_CPUTIME_ID);
      return G_SOURCE_CONTINUE;
    }
  if (child.begin == 0 || now - child.begin < child.seconds * G_USEC_PER_SEC)
    return G_SOURCE_CONTINUE;

  g_print ("RESULT %u %u %.2f %u %.2f %.1f\n", child.n_frames, child.n_dropped, child.worst_own,
           child.n_slow_paints, child.worst_paint,
           (get_cpu_ms (CLOCK_PROCESS_CPUTIME_ID) - child.begin_cpu) / ((now - child.begin) / 1e3)
               * 100);
  quit ();
  return G_SOURCE_REMOVE;
}

static void
map_cb (GtkWidget *window, gpointer data)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (window);

  if (g_str_equal (child.role, "empty") || g_str_equal (child.role, "start"))
    g_signal_connect_after (clock, "after-paint", G_CALLBACK (first_paint_cb), NULL);
  else if (g_str_equal (child.role, "idle"))
    g_timeout_add (100, idle_cb, NULL);
  else if (g_str_equal (child.role, "soak"))
    g_timeout_add (POLL_MS, soak_cb, NULL);
  else
    {
      g_signal_connect (clock, "paint", G_CALLBACK (layout_cb), NULL);
      g_signal_connect_after (clock, "after-paint", G_CALLBACK (paint_cb), NULL);
      g_main_context_set_poll_func (NULL, poll_cb);
      g_timeout_add (POLL_MS, chatty_cb, NULL);
    }
}

static void
window_added_cb (GtkApplication *application, GtkWindow *window, gpointer data)
{
  if (child.window != NULL)
    return;

  child.window = window;
  g_signal_connect (window, "map", G_CALLBACK (map_cb), NULL);
}

static void
activate_empty_cb (GApplication *application, gpointer data)
{
  GtkWidget *window = adw_application_window_new (GTK_APPLICATION (application));

  gtk_window_present (GTK_WINDOW (window));
}

/**
 * bench_window_main:
 * @argc: length of @argv
 * @argv: program, role and what the role needs
 *
 * Returns: exit status
 */
int
bench_window_main (int argc, char **argv)
{
  g_autoptr (GApplication) application = NULL;
  char *name[] = { argv[0], NULL };

  child.role = argv[1];
  child.start = argc > 2 ? g_ascii_strtoll (argv[2], NULL, 10) : 0;
  child.prefix = argc > 3 ? argv[3] : NULL;
  child.n_runs = argc > 4 ? (guint) atoi (argv[4]) : 1;
  child.n_warm = child.seconds = argc > 5 ? (guint) atoi (argv[5]) : 0;

  if (g_str_equal (child.role, "empty"))
    {
      application = G_APPLICATION (
          adw_application_new ("app.foredeck.Bench", G_APPLICATION_NON_UNIQUE));
      g_signal_connect (application, "activate", G_CALLBACK (activate_empty_cb), NULL);
    }
  else
    {
      application = G_APPLICATION (fore_application_new ());
      g_application_set_flags (application,
                               g_application_get_flags (application) | G_APPLICATION_NON_UNIQUE);
    }
  g_signal_connect (application, "window-added", G_CALLBACK (window_added_cb), NULL);

  return g_application_run (application, 1, name);
}
