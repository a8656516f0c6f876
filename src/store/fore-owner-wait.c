/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store/fore-owner-wait.h"

#include "platform/fore-clock.h"
#include "platform/fore-dirs.h"
#include "platform/fore-timer.h"
#include "platform/fore-watch.h"

/* The kernel lets go of a lock a moment after the file was closed, and tells nobody. */
#define LET_GO_US 2000
/* For an owner that was killed. */
#define NET_US (100 * 1000)

typedef struct
{
  GMainContext *context;
  GSource *timer;
} Wait;

static void
on_change (const char *path, ForeWatchEvents events, gpointer user_data)
{
  Wait *wait = user_data;

  g_source_set_ready_time (wait->timer, g_get_monotonic_time () + LET_GO_US);
}

static gboolean
on_timer (gpointer user_data)
{
  Wait *wait = user_data;

  g_source_set_ready_time (wait->timer, g_get_monotonic_time () + NET_US);
  return G_SOURCE_CONTINUE;
}

static gboolean
on_end (gpointer user_data)
{
  return G_SOURCE_REMOVE;
}

static GSource *
watch_process (Wait *wait, const ForeProcessId *process)
{
  GSource *source = process != NULL ? fore_process_watch_source_new (process) : NULL;

  if (source != NULL)
    {
      g_source_set_callback (source, on_end, NULL, NULL);
      g_source_attach (source, wait->context);
    }

  return source;
}

static void
drop_source (GSource *source)
{
  if (source == NULL)
    return;

  g_source_destroy (source);
  g_source_unref (source);
}

/**
 * fore_owner_wait:
 * @store: the store
 * @run_id: a run
 * @owned: what to wait for: that somebody owns it, or that nobody does
 * @process: (nullable): a process after whose end there is nothing to wait for
 * @deadline: when to give up, on the boot clock in µs
 *
 * Waits for the lock's file to change; a look every tenth of a second is the net below. Blocks.
 *
 * Returns: %FALSE if the time was over
 */
gboolean
fore_owner_wait (ForeStore *store,
                 const char *run_id,
                 gboolean owned,
                 const ForeProcessId *process,
                 gint64 deadline)
{
  g_autofree char *path = NULL;
  Wait wait = { 0 };
  ForeWatch *watch;
  GSource *end;
  gboolean done;

  g_return_val_if_fail (FORE_IS_STORE (store), FALSE);
  g_return_val_if_fail (run_id != NULL, FALSE);

  path = fore_dirs_dup_owner_lock_path (fore_store_get_home (store), run_id);
  wait.context = g_main_context_new ();
  wait.timer = fore_timer_source_new ("wait for an owner");
  g_source_set_callback (wait.timer, on_timer, &wait, NULL);
  g_source_set_ready_time (wait.timer, g_get_monotonic_time () + NET_US);
  g_source_attach (wait.timer, wait.context);
  end = watch_process (&wait, process);
  watch = fore_watch_new (path, on_change, &wait, wait.context, NULL);

  while (!(done = fore_store_is_owned (store, run_id) == owned
                  || (process != NULL && !fore_process_is_alive (process)))
         && fore_clock_boot_us () < deadline)
    g_main_context_iteration (wait.context, TRUE);

  g_clear_pointer (&watch, fore_watch_free);
  drop_source (end);
  drop_source (wait.timer);
  g_main_context_unref (wait.context);

  return done;
}
