/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-schedule-timer.h"

#include "app/fore-job.h"
#include "engine/fore-schedules.h"

/* The clock is looked at this often: it may be put, and the machine may have slept. */
#define SECONDS 20

static gpointer
tick_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  return fore_schedules_tick (data, g_get_real_time (), error);
}

/* Runs that were started are seen in the list; what went wrong is said by `schedule list`. */
static void
ticked_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  if (error != NULL)
    g_message ("What is due could not be started: %s", error->message);
}

static gboolean
tick_cb (gpointer data)
{
  fore_job_run (data, "schedules", NULL, tick_thread, g_object_ref (data), g_object_unref,
                (GDestroyNotify) fore_schedules_tick_free, ticked_cb);

  return G_SOURCE_CONTINUE;
}

/**
 * fore_schedule_timer_start:
 * @store: a store, which stays open until the timer is removed
 *
 * Returns: the source, for g_source_remove()
 */
guint
fore_schedule_timer_start (ForeStore *store)
{
  g_return_val_if_fail (FORE_IS_STORE (store), 0);

  tick_cb (store);

  return g_timeout_add_seconds (SECONDS, tick_cb, store);
}
