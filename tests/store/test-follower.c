/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store-fixture.h"

#include "model/fore-error.h"
#include "store/fore-follower.h"

#include <glib/gstdio.h>
#include <stdlib.h>

#define RUN "abcdefgh"
#define TEST(name, func)                                                                           \
  g_test_add ("/store/follower/" name, StoreFixture, NULL, store_fixture_set_up, func,             \
              store_fixture_tear_down)

typedef struct
{
  guint n_deltas;
  guint n_tasks;
  guint n_events;
  gint64 seq;
  guint64 rev;
  guint n_pages;
  guint n_runs;
  guint n_requests;
  guint n_failed;
  int code;
  GThread *thread;
  gint64 last_time;
  gint64 latency;
} Seen;

static void
on_run_changed (ForeFollower *follower, ForeRunDelta *delta, gpointer user_data)
{
  Seen *seen = user_data;

  g_assert_true (g_thread_self () == seen->thread);
  g_assert_false (fore_run_delta_is_empty (delta));
  g_assert_cmpuint (delta->rev, >=, seen->rev);
  seen->n_deltas++;
  seen->n_tasks += delta->tasks->len;
  seen->n_events += delta->events->len;
  seen->rev = delta->rev;
  seen->seq = delta->seq;
  if (delta->events->len > 0)
    {
      const ForeEvent *last = g_ptr_array_index (delta->events, delta->events->len - 1);

      seen->last_time = last->time;
      seen->latency = g_get_monotonic_time () - last->time;
    }
}

static void
on_index_changed (ForeFollower *follower, GPtrArray *runs, GPtrArray *requests, gpointer user_data)
{
  Seen *seen = user_data;

  seen->n_pages++;
  seen->n_runs = runs->len;
  seen->n_requests = requests->len;
}

static void
on_failed (ForeFollower *follower, GError *error, gpointer user_data)
{
  Seen *seen = user_data;

  seen->n_failed++;
  seen->code = error->code;
}

static ForeFollower *
follow (ForeFollower *follower, Seen *seen)
{
  seen->thread = g_thread_self ();
  g_signal_connect (follower, "run-changed", G_CALLBACK (on_run_changed), seen);
  g_signal_connect (follower, "index-changed", G_CALLBACK (on_index_changed), seen);
  g_signal_connect (follower, "failed", G_CALLBACK (on_failed), seen);
  fore_follower_start (follower);

  return follower;
}

static gboolean
has_delta (gpointer user_data)
{
  return ((Seen *) user_data)->n_deltas > 0;
}

static gboolean
has_page (gpointer user_data)
{
  return ((Seen *) user_data)->n_pages > 0;
}

static gboolean
has_failed (gpointer user_data)
{
  return ((Seen *) user_data)->n_failed > 0;
}

static void
put_event (ForeRunWriter *writer, gint64 time)
{
  g_autoptr (ForeEvent) event = fore_event_new (FORE_EVENT_NOTICE, NULL, 0, NULL);

  event->time = time;
  fore_run_writer_put_event (writer, event);
}

typedef struct
{
  Seen *seen;
  guint n;
} Wanted;

static gboolean
has_events (gpointer user_data)
{
  Wanted *wanted = user_data;

  return wanted->seen->n_events >= wanted->n;
}

static gboolean
has_requests (gpointer user_data)
{
  Wanted *wanted = user_data;

  return wanted->seen->n_requests == wanted->n && wanted->seen->n_pages > 0;
}

static gboolean
has_runs (gpointer user_data)
{
  Wanted *wanted = user_data;

  return wanted->seen->n_runs == wanted->n;
}

static void
test_first_all_then_changes (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeRunWriter) writer = open_sample_run (fixture, RUN, 5);
  Seen seen = { 0 };
  g_autoptr (ForeFollower) follower = follow (fore_follower_new_for_run (fixture->store, RUN, TRUE),
                                              &seen);
  Wanted wanted = { &seen, 1 };
  g_autoptr (ForeTask) task = sample_task ("t-2", 2);

  run_until_func (has_delta, &seen);
  g_assert_cmpuint (seen.n_tasks, ==, 5);
  fore_run_writer_put_task (writer, task);
  put_event (writer, 1);
  run_until_func (has_events, &wanted);
  g_assert_cmpuint (seen.n_tasks, ==, 6);
  g_assert_cmpuint (seen.n_deltas, ==, 2);
}

static void
test_without_events (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeRunWriter) writer = open_sample_run (fixture, RUN, 1);
  Seen seen = { 0 };
  g_autoptr (ForeFollower) follower = NULL;

  put_event (writer, 1);
  fore_run_writer_barrier (writer, NULL);
  follower = follow (fore_follower_new_for_run (fixture->store, RUN, FALSE), &seen);
  run_until_func (has_delta, &seen);
  g_assert_cmpuint (seen.n_events, ==, 0);
}

static void
test_many_events_in_order (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeRunWriter) writer = open_sample_run (fixture, RUN, 1);
  Seen seen = { 0 };
  g_autoptr (ForeFollower) follower = follow (fore_follower_new_for_run (fixture->store, RUN, TRUE),
                                              &seen);
  Wanted wanted = { &seen, 30000 };

  for (guint i = 0; i < wanted.n; i++)
    put_event (writer, i);
  run_until_func (has_events, &wanted);
  g_assert_cmpuint (seen.n_events, ==, 30000);
  g_assert_cmpint (seen.seq, ==, 30000);
}

static int
compare_ints (gconstpointer a, gconstpointer b)
{
  gint64 first = *(const gint64 *) a;
  gint64 second = *(const gint64 *) b;

  return first < second ? -1 : first > second;
}

/* From the put in the owner's main loop to the signal in the follower's. */
static void
test_latency (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeRunWriter) writer = open_sample_run (fixture, RUN, 20);
  Seen seen = { 0 };
  g_autoptr (ForeFollower) follower = follow (fore_follower_new_for_run (fixture->store, RUN, TRUE),
                                              &seen);
  gint64 latencies[100];

  run_until_func (has_delta, &seen);
  for (guint i = 0; i < G_N_ELEMENTS (latencies); i++)
    {
      Wanted wanted = { &seen, i + 1 };
      guint deadline = g_timeout_add_seconds (10, (GSourceFunc) abort, NULL);

      put_event (writer, g_get_monotonic_time ());
      while (!has_events (&wanted))
        g_main_context_iteration (NULL, TRUE);
      g_source_remove (deadline);
      latencies[i] = seen.latency;
    }

  qsort (latencies, G_N_ELEMENTS (latencies), sizeof latencies[0], compare_ints);
  g_test_minimized_result ((double) latencies[95] / 1000, "follow latency p50 %.1f p95 %.1f ms",
                           (double) latencies[50] / 1000, (double) latencies[95] / 1000);
  g_assert_cmpint (latencies[95], <, 200 * 1000);
}

static void
test_index (StoreFixture *fixture, gconstpointer data)
{
  Seen seen = { 0 };
  g_autoptr (ForeFollower) follower = follow (fore_follower_new_for_index (fixture->store, 2),
                                              &seen);
  g_autoptr (ForeRunWriter) first = NULL;
  g_autoptr (ForeRunWriter) second = NULL;
  g_autoptr (ForeRunWriter) third = NULL;
  g_autoptr (ForeRequest) request = sample_request (RUN, 1);
  Wanted one_request = { &seen, 1 };
  Wanted one_run = { &seen, 1 };
  Wanted two_runs = { &seen, 2 };

  run_until_func (has_page, &seen);
  g_assert_cmpuint (seen.n_runs, ==, 0);
  first = open_sample_run (fixture, RUN, 1);
  run_until_func (has_runs, &one_run);
  fore_run_writer_put_request (first, request);
  run_until_func (has_requests, &one_request);
  second = open_sample_run (fixture, "bbbbbbbb", 1);
  third = open_sample_run (fixture, "cccccccc", 1);
  run_until_func (has_runs, &two_runs);
}

static gboolean
set_flag (gpointer user_data)
{
  *(gboolean *) user_data = TRUE;

  return G_SOURCE_REMOVE;
}

/* The bell rings for every run; only what is on the page makes a signal. */
static void
test_index_only_when_changed (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeRunWriter) writer = open_sample_run (fixture, RUN, 1);
  Seen seen = { 0 };
  g_autoptr (ForeFollower) follower = NULL;
  gboolean waited = FALSE;
  guint before;

  fore_run_writer_close (writer, NULL);
  follower = follow (fore_follower_new_for_index (fixture->store, 10), &seen);
  run_until_func (has_page, &seen);
  before = seen.n_pages;
  for (guint i = 0; i < 10; i++)
    {
      fore_store_ring (fixture->store);
      g_assert_true (fore_store_add_project (fixture->store, "/p", NULL));
    }
  g_timeout_add (150, set_flag, &waited);
  run_until (&waited);
  g_assert_cmpuint (seen.n_pages, ==, before);
}

static void
test_missing_and_back (StoreFixture *fixture, gconstpointer data)
{
  Seen seen = { 0 };
  g_autoptr (ForeFollower) follower = follow (fore_follower_new_for_run (fixture->store, RUN, TRUE),
                                              &seen);
  g_autoptr (ForeRunWriter) writer = NULL;

  run_until_func (has_failed, &seen);
  g_assert_cmpint (seen.code, ==, FORE_ERROR_NOT_FOUND);
  writer = open_sample_run (fixture, RUN, 1);
  run_until_func (has_delta, &seen);
  g_assert_cmpuint (seen.n_failed, ==, 1);
}

static void
test_removed (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeRunWriter) writer = open_sample_run (fixture, RUN, 1);
  g_autofree char *folder = g_build_filename (fixture->home, "runs", RUN, NULL);
  Seen seen = { 0 };
  g_autoptr (ForeFollower) follower = follow (fore_follower_new_for_run (fixture->store, RUN, TRUE),
                                              &seen);

  run_until_func (has_delta, &seen);
  fore_run_writer_close (writer, NULL);
  store_fixture_remove (folder);
  fore_store_ring (fixture->store);
  run_until_func (has_failed, &seen);
  g_assert_cmpint (seen.code, ==, FORE_ERROR_NOT_FOUND);
}

static void
test_stop_at_any_time (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeRunWriter) writer = open_sample_run (fixture, RUN, 50);
  Seen seen = { 0 };
  guint deltas;

  for (guint i = 0; i < 60; i++)
    {
      ForeFollower *follower = follow (i % 2 == 0
                                           ? fore_follower_new_for_run (fixture->store, RUN, TRUE)
                                           : fore_follower_new_for_index (fixture->store, 5),
                                       &seen);

      put_event (writer, i);
      seen.rev = 0;
      for (guint j = 0; j < i % 5; j++)
        g_main_context_iteration (NULL, FALSE);
      if (i % 3 == 0)
        fore_follower_stop (follower);
      g_object_unref (follower);
    }

  deltas = seen.n_deltas;
  fore_run_writer_barrier (writer, NULL);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_cmpuint (seen.n_deltas, ==, deltas);
}

static void
unref_in_signal (ForeFollower *follower, ForeRunDelta *delta, gpointer user_data)
{
  gboolean *done = user_data;

  g_object_unref (follower);
  *done = TRUE;
}

static void
test_unref_in_signal (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeRunWriter) writer = open_sample_run (fixture, RUN, 1);
  ForeFollower *follower = fore_follower_new_for_run (fixture->store, RUN, TRUE);
  gboolean done = FALSE;

  g_signal_connect (follower, "run-changed", G_CALLBACK (unref_in_signal), &done);
  fore_follower_start (follower);
  run_until (&done);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  TEST ("first-all-then-changes", test_first_all_then_changes);
  TEST ("without-events", test_without_events);
  TEST ("many-events-in-order", test_many_events_in_order);
  TEST ("latency", test_latency);
  TEST ("index", test_index);
  TEST ("index-only-when-changed", test_index_only_when_changed);
  TEST ("missing-and-back", test_missing_and_back);
  TEST ("removed", test_removed);
  TEST ("stop-at-any-time", test_stop_at_any_time);
  TEST ("unref-in-signal", test_unref_in_signal);

  return g_test_run ();
}
