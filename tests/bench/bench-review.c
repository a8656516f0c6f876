/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-diff-view.h"
#include "app/fore-file-list.h"
#include "app/fore-widgets.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* What a review of 300 files takes of the main loop, on the display that it is given: every file is
 * opened one after the other, and each is scrolled through, with one step a frame. Time is the CPU
 * time of the main thread: of what a step does and of updating and laying out what is seen
 * (own_ms), and apart from it of painting (paint_ms), which a display without a graphics card does
 * with the same processor. One JSON object a line; exits with 1 when a frame's own time is beyond
 * the bar, and with 77 without a display.
 */

#define N_FILES 300
#define N_HUNKS 12
#define N_CONTEXT 6
#define N_CHANGED 8
#define N_SCROLLS 4
#define BAR_MS 16.7
#define MAX_FRAMES (N_FILES * (N_SCROLLS + 1))

typedef struct
{
  ForeFileList *files;
  ForeDiffView *diff;
  GtkWidget *window;
  double begin;
  double own_ms[MAX_FRAMES];
  double paint_ms[MAX_FRAMES];
  guint n_frames;
} Bench;

static double
get_cpu_ms (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static void
add_lines (ForeDiffDoc *doc, ForeDiffLineKind kind, guint n, guint seed)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = g_strdup_printf (
          "  if (fore_table_count (self->rows, %u) > limit) /* line %u of the report */", seed, i);

      fore_diff_doc_add_line (doc, kind, text, -1);
    }
}

static ForeDiffDoc *
make_doc (void)
{
  ForeDiffDoc *doc = fore_diff_doc_new ();

  for (guint i = 0; i < N_FILES; i++)
    {
      g_autofree char *path = g_strdup_printf ("src/part-%02u/file-%03u.c", i / 12, i);

      fore_diff_doc_add_file (doc, path, NULL, FORE_DIFF_FILE_MODIFIED, FALSE);
      for (guint j = 0; j < N_HUNKS; j++)
        {
          fore_diff_doc_add_hunk (doc, 1 + j * 100, 1 + j * 100, "report_window_class_init");
          add_lines (doc, FORE_DIFF_LINE_CONTEXT, N_CONTEXT, j);
          add_lines (doc, FORE_DIFF_LINE_REMOVED, N_CHANGED, j);
          add_lines (doc, FORE_DIFF_LINE_ADDED, N_CHANGED, j + 1);
          add_lines (doc, FORE_DIFF_LINE_CONTEXT, N_CONTEXT, j);
        }
    }

  return doc;
}

/* The next file, or further down in the one that is shown. */
static void
step (Bench *self)
{
  if (self->n_frames % (N_SCROLLS + 1) == 0)
    {
      fore_file_list_step (self->files, 1);
      return;
    }
  for (guint i = 0; i < 2; i++)
    fore_diff_view_step (self->diff, 1);
}

static void
file_selected_cb (ForeFileList *files, const char *path, Bench *self)
{
  fore_diff_view_set_path (self->diff, path);
}

static void
before_paint_cb (GdkFrameClock *clock, Bench *self)
{
  self->begin = get_cpu_ms ();
  step (self);
  gdk_frame_clock_request_phase (clock, GDK_FRAME_CLOCK_PHASE_LAYOUT);
}

/* After the handler of GTK itself. */
static void
layout_cb (GdkFrameClock *clock, Bench *self)
{
  self->own_ms[self->n_frames] = get_cpu_ms () - self->begin;
  self->begin = get_cpu_ms ();
}

static void
after_paint_cb (GdkFrameClock *clock, Bench *self)
{
  self->paint_ms[self->n_frames] = get_cpu_ms () - self->begin;
  if (++self->n_frames < MAX_FRAMES)
    gtk_widget_queue_draw (self->window);
}

static void
make_window (Bench *self)
{
  GtkWidget *paned = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);
  g_autoptr (ForeDiffDoc) doc = make_doc ();

  self->window = gtk_window_new ();
  self->files = FORE_FILE_LIST (fore_file_list_new ());
  self->diff = FORE_DIFF_VIEW (fore_diff_view_new ());
  gtk_window_set_default_size (GTK_WINDOW (self->window), 1440, 900);
  gtk_paned_set_start_child (GTK_PANED (paned), GTK_WIDGET (self->files));
  gtk_paned_set_end_child (GTK_PANED (paned), GTK_WIDGET (self->diff));
  gtk_paned_set_position (GTK_PANED (paned), 280);
  gtk_window_set_child (GTK_WINDOW (self->window), paned);
  g_signal_connect (self->files, "file-selected", G_CALLBACK (file_selected_cb), self);
  fore_file_list_set_doc (self->files, doc);
  fore_diff_view_set_doc (self->diff, doc);
  fore_diff_view_set_path (self->diff, fore_diff_doc_get_file (doc, 0)->path);
  gtk_window_present (GTK_WINDOW (self->window));
}

static gboolean
settled_cb (gpointer data)
{
  *(gboolean *) data = TRUE;

  return G_SOURCE_REMOVE;
}

/* The first frames of a window load fonts and styles. */
static void
wait_until_settled (void)
{
  gboolean settled = FALSE;

  g_timeout_add (1000, settled_cb, &settled);
  while (!settled)
    g_main_context_iteration (NULL, TRUE);
}

static int
compare (gconstpointer a, gconstpointer b)
{
  double left = *(const double *) a;
  double right = *(const double *) b;

  return left < right ? -1 : left > right;
}

int
main (int argc, char **argv)
{
  Bench self = { 0 };
  GdkFrameClock *clock;

  if (!gtk_init_check ())
    return 77;

  fore_widgets_init ();
  make_window (&self);
  wait_until_settled ();
  clock = gtk_widget_get_frame_clock (self.window);
  g_signal_connect (clock, "before-paint", G_CALLBACK (before_paint_cb), &self);
  g_signal_connect_after (clock, "layout", G_CALLBACK (layout_cb), &self);
  g_signal_connect_after (clock, "after-paint", G_CALLBACK (after_paint_cb), &self);
  gtk_widget_queue_draw (self.window);
  while (self.n_frames < MAX_FRAMES)
    g_main_context_iteration (NULL, TRUE);
  g_signal_handlers_disconnect_by_data (clock, &self);
  gtk_window_destroy (GTK_WINDOW (self.window));

  qsort (self.own_ms, MAX_FRAMES, sizeof (double), compare);
  qsort (self.paint_ms, MAX_FRAMES, sizeof (double), compare);
  printf ("{\"bench\":\"review\",\"files\":%d,\"frames\":%d,\"own_ms\":%.2f,\"own_p95_ms\":%.2f,"
          "\"own_max_ms\":%.2f,\"bar_ms\":%.1f,\"paint_ms\":%.2f,\"paint_p95_ms\":%.2f}\n",
          N_FILES, MAX_FRAMES, self.own_ms[MAX_FRAMES / 2], self.own_ms[MAX_FRAMES * 95 / 100],
          self.own_ms[MAX_FRAMES - 1], BAR_MS, self.paint_ms[MAX_FRAMES / 2],
          self.paint_ms[MAX_FRAMES * 95 / 100]);

  return self.own_ms[MAX_FRAMES - 1] <= BAR_MS ? 0 : 1;
}
