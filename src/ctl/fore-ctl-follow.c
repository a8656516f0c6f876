/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ctl/fore-ctl-follow.h"

#include "ctl/fore-ctl-events.h"
#include "ctl/fore-ctl-json.h"
#include "ctl/fore-ctl-output.h"
#include "platform/fore-clock.h"
#include "platform/fore-signals.h"
#include "store/fore-follower.h"
#include "store/fore-owner-wait.h"
#include "text/fore-text.h"

#include <glib/gi18n.h>
#include <signal.h>
#include <stdio.h>

/* A run may be without a runner for a moment: one was only just started, or takes over. */
#define OWNER_GRACE_MS 6000
#define OWNER_CHECK_MS 1000
/* Between a request and the start of the next task there may be a moment without either. */
#define SETTLE_MS 1000
/* Agents that ignore a polite end are killed well before. */
#define CANCEL_MS 60000
#define RELEASE_MS 2000

typedef struct
{
  ForeCtl *ctl;
  const char *run_id;
  ForeCtlFollowFlags flags;
  gint64 seq; /* last event seen */
  GMainLoop *loop;
  ForeRun *run;
  GHashTable *open_requests; /* id → key of the task that asks, or "" */
  GHashTable *running;       /* keys of the tasks at work */
  guint settle_source;
  gint64 unowned_since;
  gboolean interrupted;
  GError *error;
  gboolean timed_out;
  gboolean ended;
} Follow;

static void
follow_clear (Follow *follow)
{
  g_main_loop_unref (follow->loop);
  g_clear_pointer (&follow->run, fore_run_free);
  g_hash_table_unref (follow->open_requests);
  g_hash_table_unref (follow->running);
  g_clear_handle_id (&follow->settle_source, g_source_remove);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Follow, follow_clear)

/**
 * fore_ctl_watch_interrupt:
 * @func: what to call
 * @user_data: what to give it
 * @sources: (out) (array fixed-size=2): for fore_ctl_unwatch_interrupt()
 *
 * From now on Ctrl+C and a polite kill call @func instead of ending the program.
 */
void
fore_ctl_watch_interrupt (GSourceFunc func, gpointer user_data, guint sources[2])
{
  sources[0] = fore_signal_add (FORE_SIGNAL_INTERRUPT, func, user_data);
  sources[1] = fore_signal_add (FORE_SIGNAL_TERMINATE, func, user_data);
}

/**
 * fore_ctl_unwatch_interrupt:
 * @sources: (array fixed-size=2): what fore_ctl_watch_interrupt() gave
 */
void
fore_ctl_unwatch_interrupt (guint sources[2])
{
  g_source_remove (sources[0]);
  if (sources[1] != 0)
    g_source_remove (sources[1]);
}

static gboolean
on_interrupt (gpointer user_data)
{
  Follow *follow = user_data;

  follow->interrupted = TRUE;
  g_main_loop_quit (follow->loop);

  return G_SOURCE_CONTINUE;
}

static gboolean
on_timeout (gpointer user_data)
{
  Follow *follow = user_data;

  follow->timed_out = TRUE;
  g_main_loop_quit (follow->loop);

  return G_SOURCE_CONTINUE;
}

static void
note_request (Follow *follow, const ForeRequest *request)
{
  if (request->state == FORE_REQUEST_OPEN)
    g_hash_table_replace (follow->open_requests, g_strdup (request->id),
                          g_strdup (request->task != NULL ? request->task : ""));
  else
    g_hash_table_remove (follow->open_requests, request->id);
}

static void
note_task (Follow *follow, const ForeTask *task)
{
  if (task->status == FORE_TASK_RUNNING)
    g_hash_table_add (follow->running, g_strdup (task->key));
  else
    g_hash_table_remove (follow->running, task->key);
}

static void
print_events (Follow *follow, GPtrArray *events)
{
  gboolean all = (follow->flags & FORE_CTL_FOLLOW_EVENTS) != 0;

  if ((follow->flags & (FORE_CTL_FOLLOW_EVENTS | FORE_CTL_FOLLOW_PROGRESS)) == 0)
    return;

  for (guint i = 0; i < events->len; i++)
    {
      const ForeEvent *event = events->pdata[i];

      if (event->seq > follow->seq && (all || fore_ctl_event_is_progress (event)))
        fore_ctl_event_print (follow->ctl, follow->run_id, event);
      follow->seq = MAX (follow->seq, event->seq);
    }

  fore_ctl_flush ();
}

static gboolean
is_asking (Follow *follow, const char *task)
{
  GHashTableIter iter;
  gpointer asker;

  g_hash_table_iter_init (&iter, follow->open_requests);
  while (g_hash_table_iter_next (&iter, NULL, &asker))
    {
      if (g_strcmp0 (asker, task) == 0)
        return TRUE;
    }

  return FALSE;
}

/* Whether every agent at work does nothing but wait for an answer. */
static gboolean
only_asks (Follow *follow)
{
  GHashTableIter iter;
  gpointer task;

  if (g_hash_table_size (follow->running) == 0)
    return FALSE;

  g_hash_table_iter_init (&iter, follow->running);
  while (g_hash_table_iter_next (&iter, &task, NULL))
    {
      if (!is_asking (follow, task))
        return FALSE;
    }

  return TRUE;
}

static void
end (Follow *follow)
{
  follow->ended = TRUE;
  g_main_loop_quit (follow->loop);
}

static gboolean
on_settled (gpointer user_data)
{
  Follow *follow = user_data;

  follow->settle_source = 0;
  end (follow);

  return G_SOURCE_REMOVE;
}

/* Nothing is active and a request is open: at once where the run says so itself, and after a moment
 * where its agents are still there and wait. */
static void
check_waiting (Follow *follow)
{
  gboolean asks = (follow->flags & FORE_CTL_FOLLOW_KEEP_WAITING) == 0
                  && g_hash_table_size (follow->open_requests) > 0;

  if (asks && follow->run->status == FORE_RUN_BLOCKED)
    end (follow);
  else if (!asks || !only_asks (follow))
    g_clear_handle_id (&follow->settle_source, g_source_remove);
  else if (follow->settle_source == 0)
    follow->settle_source = g_timeout_add (SETTLE_MS, on_settled, follow);
}

static void
on_run_changed (ForeFollower *follower, ForeRunDelta *delta, gpointer user_data)
{
  Follow *follow = user_data;

  g_assert (delta != NULL);

  if (delta->run != NULL)
    {
      g_clear_pointer (&follow->run, fore_run_free);
      follow->run = fore_run_copy (delta->run);
    }
  for (guint i = 0; i < delta->requests->len; i++)
    note_request (follow, delta->requests->pdata[i]);
  for (guint i = 0; i < delta->tasks->len; i++)
    note_task (follow, delta->tasks->pdata[i]);
  print_events (follow, delta->events);

  if (follow->run == NULL)
    return;
  if (fore_run_status_get_class (follow->run->status) == FORE_CLASS_FINISHED)
    end (follow);
  else
    check_waiting (follow);
}

static void
on_failed (ForeFollower *follower, GError *error, gpointer user_data)
{
  Follow *follow = user_data;

  g_assert (error != NULL);

  g_clear_error (&follow->error);
  follow->error = g_error_copy (error);
  g_main_loop_quit (follow->loop);
}

/* Nobody would ever end a wait for a run whose runner died. */
static gboolean
on_owner_check (gpointer user_data)
{
  Follow *follow = user_data;
  ForeStatusClass status_class;
  gint64 now = g_get_monotonic_time ();

  if (follow->run == NULL)
    return G_SOURCE_CONTINUE;

  status_class = fore_run_status_get_class (follow->run->status);
  if ((status_class != FORE_CLASS_ACTIVE && status_class != FORE_CLASS_PENDING)
      || fore_store_is_owned (follow->ctl->store, follow->run_id))
    follow->unowned_since = 0;
  else if (follow->unowned_since == 0)
    follow->unowned_since = now;
  else if (now - follow->unowned_since > OWNER_GRACE_MS * 1000)
    {
      fore_ctl_set_hint (follow->ctl, _ ("“foredeckctl resume %s” continues it."), follow->run_id);
      g_set_error (&follow->error, FORE_ERROR, FORE_ERROR_FAILED,
                   _ ("Run %s is interrupted: its runner is gone. Finished work is safe."),
                   follow->run_id);
      g_main_loop_quit (follow->loop);
      return G_SOURCE_CONTINUE;
    }

  return G_SOURCE_CONTINUE;
}

static void
run_loop (Follow *follow, gint64 timeout_ms)
{
  g_autoptr (ForeFollower) follower = NULL;
  guint check = g_timeout_add (OWNER_CHECK_MS, on_owner_check, follow);
  guint timeout = timeout_ms >= 0 ? g_timeout_add (MIN (timeout_ms, G_MAXINT), on_timeout, follow)
                                  : 0;
  gboolean with_events = (follow->flags & (FORE_CTL_FOLLOW_EVENTS | FORE_CTL_FOLLOW_PROGRESS)) != 0;
  guint interrupts[2];

  fore_ctl_watch_interrupt (on_interrupt, follow, interrupts);
  follower = fore_follower_new_for_run (follow->ctl->store, follow->run_id, with_events);
  g_signal_connect (follower, "run-changed", G_CALLBACK (on_run_changed), follow);
  g_signal_connect (follower, "failed", G_CALLBACK (on_failed), follow);
  fore_follower_start (follower);
  g_main_loop_run (follow->loop);
  fore_follower_stop (follower);
  g_signal_handlers_disconnect_by_data (follower, follow);

  fore_ctl_unwatch_interrupt (interrupts);
  g_source_remove (check);
  if (timeout != 0)
    g_source_remove (timeout);
}

/* A run that has ended says so before its runner let it go; one that was cancelled even before its
 * agents are dead, and for those it is worth to wait long.
 */
static gboolean
wait_for_release (Follow *follow, gint64 start, gint64 timeout_ms)
{
  gboolean cancelled = follow->run->status == FORE_RUN_CANCELLED;
  gint64 now = g_get_monotonic_time ();
  gint64 wait_us = (cancelled ? CANCEL_MS : RELEASE_MS) * 1000;
  gboolean timed = cancelled && timeout_ms >= 0;

  if (fore_run_status_get_class (follow->run->status) != FORE_CLASS_FINISHED)
    return TRUE;

  if (timed)
    wait_us = start + timeout_ms * 1000 - now;

  return fore_owner_wait (follow->ctl->store, follow->run_id, FALSE, NULL,
                          fore_clock_boot_us () + wait_us)
         || !timed;
}

static ForeCtlRunEnd
get_end (Follow *follow)
{
  switch (follow->run->status)
    {
    case FORE_RUN_COMPLETED:
      return FORE_CTL_RUN_COMPLETED;
    case FORE_RUN_CANCELLED:
      return FORE_CTL_RUN_CANCELLED;
    case FORE_RUN_FAILED:
      return FORE_CTL_RUN_FAILED;
    default:
      return FORE_CTL_RUN_WAITS;
    }
}

static gboolean
fail_early (Follow *follow, gint64 timeout_ms, GError **error)
{
  if (follow->interrupted)
    {
      fore_ctl_set_hint (follow->ctl, _ ("“foredeckctl wait %s” follows it again."),
                         follow->run_id);
      g_set_error (error, FORE_ERROR, FORE_ERROR_CANCELLED,
                   _ ("Stopped following; run %s goes on."), follow->run_id);
    }
  else
    {
      g_autofree char *duration = fore_text_format_duration (timeout_ms);

      g_set_error (error, FORE_ERROR, FORE_ERROR_FAILED, _ ("Run %s has not ended after %s."),
                   follow->run_id, duration);
    }

  return FALSE;
}

/**
 * fore_ctl_follow_run:
 * @ctl: a call with an open store
 * @run_id: whole id of a run
 * @flags: what to print and when to stop
 * @seq: (inout) (optional): last event that is not to be printed; afterwards the last one that was
 * @timeout_ms: how long to follow at most, or -1
 * @end: (out): how the run stands, when it has ended or waits for a person
 * @error: where to put an error
 *
 * Follows a run until it has ended. The run does not notice.
 *
 * Returns: %FALSE when it was not followed to an end: interrupted, out of time, no runner left
 */
gboolean
fore_ctl_follow_run (ForeCtl *ctl,
                     const char *run_id,
                     ForeCtlFollowFlags flags,
                     gint64 *seq,
                     gint64 timeout_ms,
                     ForeCtlRunEnd *end,
                     GError **error)
{
  g_auto (Follow) follow = { .ctl = ctl, .run_id = run_id, .flags = flags };
  gint64 start;

  g_return_val_if_fail (ctl->store != NULL, FALSE);

  follow.loop = g_main_loop_new (NULL, FALSE);
  follow.open_requests = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  follow.running = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  follow.seq = seq != NULL ? *seq : 0;

  start = g_get_monotonic_time ();
  run_loop (&follow, timeout_ms);
  if (seq != NULL)
    *seq = follow.seq;
  if (follow.error != NULL)
    {
      g_propagate_error (error, follow.error);
      return FALSE;
    }
  if (!follow.ended || !wait_for_release (&follow, start, timeout_ms))
    return fail_early (&follow, timeout_ms, error);

  *end = get_end (&follow);
  return TRUE;
}
