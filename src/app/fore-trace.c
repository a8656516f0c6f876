/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-trace.h"

#include "platform/fore-log.h"

#define SHOWN_KEY "fore-trace-shown"

typedef struct
{
  char *run;
  char *what;
} Frame;

static gboolean
is_on (void)
{
  static gsize once;

  if (g_once_init_enter (&once))
    g_once_init_leave (&once, g_getenv ("FORE_TRACE") != NULL ? 2 : 1);

  return once == 2;
}

static void
frame_free (gpointer data, GClosure *closure)
{
  Frame *frame = data;

  g_free (frame->run);
  g_free (frame->what);
  g_free (frame);
}

static void
drawn_cb (GdkFrameClock *clock, Frame *frame)
{
  fore_log (FORE_LOG_INFO, frame->run, NULL, 0, "shown %s %" G_GINT64_FORMAT, frame->what,
            g_get_monotonic_time ());
  g_signal_handlers_disconnect_by_data (clock, frame);
}

/**
 * fore_trace_shown:
 * @widget: a widget that is mapped, and whose content was just changed
 * @run: id of a run
 * @what: what it shows of @run now
 *
 * Where FORE_TRACE is set in the environment: logs the monotonic time in microseconds at which the
 * frame that shows @what had been drawn, once for each change of @what.
 */
void
fore_trace_shown (GtkWidget *widget, const char *run, const char *what)
{
  GdkFrameClock *clock;
  g_autofree char *shown = NULL;
  Frame *frame;

  g_return_if_fail (GTK_IS_WIDGET (widget));

  if (!is_on ())
    return;

  clock = gtk_widget_get_frame_clock (widget);
  shown = g_strdup_printf ("%s %s", run, what);
  if (clock == NULL || g_strcmp0 (g_object_get_data (G_OBJECT (widget), SHOWN_KEY), shown) == 0)
    return;

  g_object_set_data_full (G_OBJECT (widget), SHOWN_KEY, g_steal_pointer (&shown), g_free);
  frame = g_new0 (Frame, 1);
  frame->run = g_strdup (run);
  frame->what = g_strdup (what);
  g_signal_connect_data (clock, "after-paint", G_CALLBACK (drawn_cb), frame, frame_free, 0);
  gtk_widget_queue_draw (widget);
}

/**
 * fore_trace_asked:
 * @run: id of a run
 * @what: what the person asked for
 *
 * Where FORE_TRACE is set in the environment: logs the monotonic time in microseconds.
 */
void
fore_trace_asked (const char *run, const char *what)
{
  if (is_on ())
    fore_log (FORE_LOG_INFO, run, NULL, 0, "asked %s %" G_GINT64_FORMAT, what,
              g_get_monotonic_time ());
}
