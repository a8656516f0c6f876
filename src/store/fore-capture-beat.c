/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store/fore-capture-beat.h"

#include "platform/fore-timer.h"
#include "platform/fore-watch.h"

#define INTERVAL_US (15 * 1000)
#define SLOW_INTERVAL_US (500 * 1000)

struct _ForeCaptureBeat
{
  gatomicrefcount ref_count;
  char *path;
  gpointer user_data;

  GMutex mutex;
  ForeCaptureBeatFunc func; /* by mutex, held while it runs; NULL once freed */

  /* of the thread */
  ForeWatch *watch;
  GSource *timer;
};

static int slow; /* atomic */

static ForeCaptureBeat *
ref_beat (ForeCaptureBeat *beat)
{
  g_atomic_ref_count_inc (&beat->ref_count);
  return beat;
}

static void
unref_beat (gpointer data)
{
  ForeCaptureBeat *beat = data;

  if (!g_atomic_ref_count_dec (&beat->ref_count))
    return;

  g_mutex_clear (&beat->mutex);
  g_free (beat->path);
  g_free (beat);
}

static gpointer
run_thread (gpointer data)
{
  GMainContext *context = data;

  g_main_context_push_thread_default (context);
  while (TRUE)
    g_main_context_iteration (context, TRUE);

  return NULL;
}

static GMainContext *
get_context (void)
{
  static GMainContext *context;

  if (g_once_init_enter (&context))
    {
      GMainContext *made = g_main_context_new ();

      g_thread_unref (g_thread_new ("captures", run_thread, made));
      g_once_init_leave (&context, made);
    }

  return context;
}

static void
on_change (const char *path, ForeWatchEvents events, gpointer user_data)
{
  ForeCaptureBeat *beat = user_data;

  /* one is enough: while it grows it is looked at anyway, and others may watch in peace */
  g_clear_pointer (&beat->watch, fore_watch_free);
  g_source_set_ready_time (beat->timer, 0);
}

/* Whether the beat goes on at all. */
static gboolean
call (ForeCaptureBeat *beat, gsize *n_bytes)
{
  gboolean alive;

  g_mutex_lock (&beat->mutex);
  alive = beat->func != NULL;
  *n_bytes = alive ? beat->func (beat->user_data) : 0;
  g_mutex_unlock (&beat->mutex);

  return alive;
}

static gboolean
on_timer (gpointer user_data)
{
  ForeCaptureBeat *beat = user_data;
  gint64 interval = g_atomic_int_get (&slow) ? SLOW_INTERVAL_US : INTERVAL_US;
  gsize n_bytes;

  if (!call (beat, &n_bytes))
    {
      g_clear_pointer (&beat->watch, fore_watch_free);
      g_source_destroy (beat->timer);
      return G_SOURCE_REMOVE;
    }

  if (n_bytes == 0 && beat->watch == NULL)
    {
      /* what came before the watch was there is found by looking once more */
      beat->watch = fore_watch_new (beat->path, on_change, beat, get_context (), NULL);
      interval = beat->watch != NULL ? 0 : SLOW_INTERVAL_US;
    }
  else if (n_bytes == 0)
    return G_SOURCE_CONTINUE;

  g_source_set_ready_time (beat->timer, g_get_monotonic_time () + interval);
  return G_SOURCE_CONTINUE;
}

/**
 * fore_capture_beat_new:
 * @path: a file, which may not be there yet; its folder must be
 * @delay_ms: how long until the file is looked at for the first time
 * @func: (scope notified): called on the thread of the beats
 * @user_data: data for @func
 *
 * Returns: (transfer full): a beat
 */
ForeCaptureBeat *
fore_capture_beat_new (const char *path,
                       guint delay_ms,
                       ForeCaptureBeatFunc func,
                       gpointer user_data)
{
  ForeCaptureBeat *beat;

  g_return_val_if_fail (path != NULL && func != NULL, NULL);

  beat = g_new0 (ForeCaptureBeat, 1);
  g_atomic_ref_count_init (&beat->ref_count);
  g_mutex_init (&beat->mutex);
  beat->path = g_strdup (path);
  beat->func = func;
  beat->user_data = user_data;
  beat->timer = fore_timer_source_new ("capture");
  g_source_set_callback (beat->timer, on_timer, ref_beat (beat), unref_beat);
  g_source_set_ready_time (beat->timer, g_get_monotonic_time () + delay_ms * 1000);
  g_source_attach (beat->timer, get_context ());

  return beat;
}

/**
 * fore_capture_beat_free:
 * @beat: (transfer full): a beat
 *
 * The function is not called any more; waits for a call that runs. Any thread but that of the
 * beats.
 */
void
fore_capture_beat_free (ForeCaptureBeat *beat)
{
  g_autoptr (GSource) timer = NULL;

  g_return_if_fail (beat != NULL);

  timer = beat->timer;
  g_mutex_lock (&beat->mutex);
  beat->func = NULL;
  g_mutex_unlock (&beat->mutex);

  g_source_set_ready_time (timer, 0);
  unref_beat (beat);
}

/**
 * fore_capture_beat_slow_down:
 * @is_slow: whether files are to be looked at seldom
 *
 * For all beats of the process: what is read makes work for others, who cannot keep up.
 */
void
fore_capture_beat_slow_down (gboolean is_slow)
{
  g_atomic_int_set (&slow, is_slow);
}
