/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store-fixture.h"

#include "engine/fore-run-state.h"
#include "platform/fore-dirs.h"
#include "platform/fore-process.h"
#include "store/fore-capture-beat.h"
#include "store/fore-sql.h"

#define RUN "abcdefgh"
#define TEST(name, func)                                                                           \
  g_test_add ("/engine/run-state/" name, StoreFixture, NULL, store_fixture_set_up, func,           \
              store_fixture_tear_down)

static ForeRunState *
open_state (StoreFixture *fixture, guint n_tasks)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeRunWriter) writer = open_sample_run (fixture, RUN, n_tasks);
  ForeRunState *state;

  fore_run_writer_close (writer, &error);
  g_assert_no_error (error);
  state = fore_run_state_open (fixture->store, RUN, &error);
  g_assert_no_error (error);

  return state;
}

static void
on_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  fore_run_state_settle_finish (FORE_RUN_STATE (source), result, &error);
  g_assert_no_error (error);
  *(gboolean *) user_data = TRUE;
}

static void
settle (ForeRunState *state)
{
  gboolean done = FALSE;

  fore_run_state_settle_async (state, on_done, &done);
  run_until (&done);
}

static void
on_closed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  fore_run_state_close_finish (FORE_RUN_STATE (source), result, &error);
  g_assert_no_error (error);
  *(gboolean *) user_data = TRUE;
}

static void
close_state (ForeRunState *state)
{
  gboolean done = FALSE;

  fore_run_state_close_async (state, on_closed, &done);
  run_until (&done);
}

static GPtrArray *
read_events (StoreFixture *fixture, ForeEventType type)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *events = fore_run_read_events_of (fixture->store, RUN, type, &error);

  g_assert_no_error (error);
  return events;
}

/* Whether a mark is there already is known without asking the file, which may be far behind. */
static void
test_same_mark_a_thousand_times (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeRunState) state = open_state (fixture, 1);
  ForeTask *task = g_ptr_array_index (fore_run_state_get_tasks (state), 0);
  g_autoptr (GPtrArray) events = NULL;

  fore_run_state_set_mark (state, task, NULL);
  for (guint i = 0; i < 1000; i++)
    fore_run_state_set_mark (state, task, "silent");
  settle (state);

  events = read_events (fixture, FORE_EVENT_TASK_MARK);
  g_assert_cmpuint (events->len, ==, 1);
  close_state (state);
}

/* A callback on the thread of the captures brings news; what it leads to is there at once. */
typedef struct
{
  ForeRunState *state;
  ForeTask *task;
  gboolean done;
} Echo;

static gboolean
append_and_look (gpointer user_data)
{
  Echo *echo = user_data;

  fore_run_state_set_mark (echo->state, echo->task, "said so");
  g_assert_cmpstr (fore_run_state_find_task (echo->state, echo->task->key)->mark, ==, "said so");
  echo->done = TRUE;

  return G_SOURCE_REMOVE;
}

static gsize
hear (gpointer user_data)
{
  g_main_context_invoke (NULL, append_and_look, user_data);
  return 0;
}

static void
test_there_right_after (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeRunState) state = open_state (fixture, 1);
  g_autofree char *path = g_build_filename (fixture->home, "capture", NULL);
  Echo echo = { .state = state, .task = g_ptr_array_index (fore_run_state_get_tasks (state), 0) };
  ForeCaptureBeat *beat;

  fore_run_state_set_mark (state, echo.task, NULL);
  beat = fore_capture_beat_new (path, 0, hear, &echo);
  run_until (&echo.done);
  fore_capture_beat_free (beat);
  close_state (state);
}

/* Notices and changes of state keep the one order in which they happened, whatever is waited for in
 * between.
 */
static void
test_one_order (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeRunState) state = open_state (fixture, 1);
  g_autoptr (ForeRunDelta) delta = NULL;
  gint64 expected = 0, seen = 0;
  gboolean done = FALSE;

  for (guint i = 0; i < 3000; i++)
    {
      g_autofree char *text = g_strdup_printf ("{\"n\":%u}", i);

      fore_run_state_emit (state, i % 3 == 0 ? FORE_EVENT_TASK_ACCEPTED : FORE_EVENT_NOTICE, NULL,
                           0, g_steal_pointer (&text));
      if (i % 100 == 99)
        fore_run_state_settle_async (state, on_done, &done);
      if (i % 7 == 0)
        g_main_context_iteration (NULL, FALSE);
    }
  settle (state);

  delta = fore_run_read (fixture->store, RUN, 0, 0, G_MAXUINT, NULL);
  for (guint i = 0; i < delta->events->len; i++)
    {
      const ForeEvent *event = g_ptr_array_index (delta->events, i);
      g_autofree char *wanted = g_strdup_printf ("{\"n\":%" G_GINT64_FORMAT "}", expected);

      g_assert_cmpint (event->seq, >, seen);
      seen = event->seq;
      if (g_strcmp0 (event->data, wanted) == 0)
        expected++;
    }
  g_assert_cmpint (expected, ==, 3000);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
  close_state (state);
}

static gboolean
has_caught_up (gpointer user_data)
{
  return !fore_run_writer_is_behind (user_data);
}

/* While the file cannot be written the writer says that it is behind, before its queue is full, and
 * that it has caught up when it has; nothing is lost.
 */
static void
test_behind (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeRunState) state = open_state (fixture, 1);
  ForeRunWriter *writer = fore_run_state_get_writer (state);
  g_autofree char *path = fore_dirs_dup_run_db_path (fixture->home, RUN);
  g_autoptr (ForeSql) other = fore_sql_open (path, FORE_SQL_WRITE, NULL);
  g_autoptr (GPtrArray) events = NULL;
  ForeWriterFigures figures;
  guint n = 0;

  settle (state);
  g_assert_true (fore_sql_begin (other, NULL));
  while (!fore_run_writer_is_behind (writer))
    {
      fore_run_state_emit (state, FORE_EVENT_NOTICE, NULL, 0, NULL);
      n++;
      g_main_context_iteration (NULL, FALSE);
    }
  fore_run_writer_get_figures (writer, &figures);
  g_assert_cmpuint (figures.most_queued, <, n + 10);

  fore_sql_rollback (other);
  run_until_func (has_caught_up, writer);
  settle (state);
  events = read_events (fixture, FORE_EVENT_NOTICE);
  g_assert_cmpuint (events->len, >=, n);
  close_state (state);
}

static void
start_attempt (ForeAttempt *attempt)
{
  static char *words[] = { "make", "all", NULL };

  attempt->cli = g_strdup ("command");
  attempt->cwd = g_strdup ("/tree");
  attempt->base = g_strdup ("abc");
  attempt->argv = g_strdupv (words);
  attempt->env_names = g_strdupv (words);
  attempt->boot_id = g_strdup (fore_process_get_boot_id ());
}

/* A run of ten thousand attempts does not hold their command lines and results, and its file does
 * not lose them when it is written without.
 */
static void
test_record_is_kept_and_not_held (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeRunState) state = open_state (fixture, 1);
  ForeTask *task = g_ptr_array_index (fore_run_state_get_tasks (state), 0);
  ForeAttempt *attempt = fore_run_state_add_attempt (state, task);
  g_autoptr (ForeRunDelta) delta = NULL;
  const ForeAttempt *read;

  start_attempt (attempt);
  fore_run_state_touch_attempt (state, attempt);
  g_assert_null (attempt->argv);
  g_assert_null (attempt->env_names);
  g_assert_cmpstr (attempt->cwd, ==, "/tree");

  attempt->finished = 5;
  attempt->result = g_strdup ("well");
  fore_run_state_touch_attempt (state, attempt);
  g_assert_null (attempt->result);
  attempt->exit_code = 3;
  fore_run_state_touch_attempt (state, attempt);
  settle (state);

  delta = fore_run_read (fixture->store, RUN, 0, 0, 0, NULL);
  g_assert_cmpuint (delta->attempts->len, ==, 1);
  read = g_ptr_array_index (delta->attempts, 0);
  g_assert_cmpint (read->exit_code, ==, 3);
  g_assert_cmpstr (read->argv[1], ==, "all");
  g_assert_cmpstr (read->env_names[0], ==, "make");
  g_assert_cmpstr (read->cwd, ==, "/tree");
  g_assert_cmpstr (read->base, ==, "abc");
  g_assert_cmpstr (read->result, ==, "well");
  g_assert_cmpstr (read->boot_id, ==, fore_process_get_boot_id ());
  close_state (state);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  TEST ("same-mark-a-thousand-times", test_same_mark_a_thousand_times);
  TEST ("there-right-after", test_there_right_after);
  TEST ("one-order", test_one_order);
  TEST ("behind", test_behind);
  TEST ("record-is-kept-and-not-held", test_record_is_kept_and_not_held);

  return g_test_run ();
}
