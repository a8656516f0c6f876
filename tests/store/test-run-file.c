/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store-fixture.h"

#include "model/fore-error.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define RUN "abcdefgh"
#define TEST(name, func)                                                                           \
  g_test_add ("/store/run-file/" name, StoreFixture, NULL, store_fixture_set_up, func,             \
              store_fixture_tear_down)

static ForeRunDelta *
read_all (StoreFixture *fixture)
{
  g_autoptr (GError) error = NULL;
  ForeRunDelta *delta = fore_run_read (fixture->store, RUN, 0, 0, G_MAXUINT, &error);

  g_assert_no_error (error);
  g_assert_nonnull (delta);

  return delta;
}

static void
flush (ForeRunWriter *writer)
{
  g_autoptr (GError) error = NULL;

  fore_run_writer_barrier (writer, &error);
  g_assert_no_error (error);
}

static void
close_writer (ForeRunWriter *writer)
{
  g_autoptr (GError) error = NULL;

  fore_run_writer_close (writer, &error);
  g_assert_no_error (error);
}

static void
put_everything (ForeRunWriter *writer, ForeAttempt *attempt, ForePlan *plan, ForeRequest *request)
{
  g_autoptr (ForeMessage) message = fore_message_new ("t-0", "person", "mail", "hello “you”");
  g_autoptr (ForeEvent) first = fore_event_new (FORE_EVENT_TASK_STATUS, "t-0", 3, "{\"a\":1}");
  g_autoptr (ForeEvent) second = fore_event_new (FORE_EVENT_NOTICE, NULL, 0, NULL);

  message->state = FORE_MESSAGE_SEEN;
  fore_run_writer_put_attempt (writer, attempt);
  fore_run_writer_put_plan (writer, plan);
  fore_run_writer_put_request (writer, request);
  fore_run_writer_put_message (writer, message);
  g_assert_cmpint (fore_run_writer_put_event (writer, first), ==, 1);
  g_assert_cmpint (fore_run_writer_put_event (writer, second), ==, 2);
}

static void
assert_message (const ForeMessage *message)
{
  g_assert_cmpint (message->id, ==, 2);
  g_assert_cmpstr (message->from, ==, "t-0");
  g_assert_cmpstr (message->to, ==, "person");
  g_assert_cmpstr (message->kind, ==, "mail");
  g_assert_cmpstr (message->text, ==, "hello “you”");
  g_assert_cmpint (message->state, ==, FORE_MESSAGE_SEEN);
  g_assert_cmpint (message->time, >, 0);
}

static void
assert_events (GPtrArray *events)
{
  const ForeEvent *event;

  g_assert_cmpuint (events->len, ==, 2);
  event = g_ptr_array_index (events, 0);
  g_assert_cmpint (event->seq, ==, 1);
  g_assert_cmpint (event->type, ==, FORE_EVENT_TASK_STATUS);
  g_assert_cmpstr (event->task, ==, "t-0");
  g_assert_cmpuint (event->attempt, ==, 3);
  g_assert_cmpstr (event->data, ==, "{\"a\":1}");
  g_assert_cmpint (event->time, >, 0);
  event = g_ptr_array_index (events, 1);
  g_assert_cmpint (event->seq, ==, 2);
  g_assert_null (event->task);
  g_assert_null (event->data);
}

static void
test_round_trip (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeRunWriter) writer = open_sample_run (fixture, RUN, 2);
  g_autoptr (ForeRun) run = sample_run (RUN, 5);
  g_autoptr (ForeTask) task = sample_task ("t-1", 3);
  g_autoptr (ForeAttempt) attempt = sample_attempt ("t-0", 1);
  g_autoptr (ForePlan) plan = sample_plan (2);
  g_autoptr (ForeRequest) request = sample_request (RUN, 1);
  g_autoptr (ForeRunDelta) delta = NULL;

  request->state = FORE_REQUEST_ANSWERED;
  request->answer = g_strdup ("0");
  request->answer_text = g_strdup ("go");
  request->answered_by = g_strdup ("window");
  request->answered = 77;
  fore_run_writer_put_run (writer, run);
  fore_run_writer_put_task (writer, task);
  put_everything (writer, attempt, plan, request);
  flush (writer);

  delta = read_all (fixture);
  assert_run_equal (delta->run, run);
  g_assert_cmpuint (delta->tasks->len, ==, 2);
  assert_task_equal (g_ptr_array_index (delta->tasks, 1), task);
  g_assert_cmpuint (delta->attempts->len, ==, 1);
  assert_attempt_equal (g_ptr_array_index (delta->attempts, 0), attempt);
  g_assert_cmpuint (delta->plans->len, ==, 1);
  assert_plan_equal (g_ptr_array_index (delta->plans, 0), plan);
  g_assert_cmpuint (delta->requests->len, ==, 1);
  assert_request_equal (g_ptr_array_index (delta->requests, 0), request);
  g_assert_cmpuint (delta->messages->len, ==, 1);
  assert_message (g_ptr_array_index (delta->messages, 0));
  assert_events (delta->events);
  g_assert_cmpint (delta->seq, ==, 2);
}

static void
test_empty_fields (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeRunWriter) writer = open_sample_run (fixture, RUN, 0);
  g_autoptr (ForeRun) run = fore_run_new (RUN);
  g_autoptr (ForeTask) task = fore_task_new ("bare");
  g_autoptr (ForeAttempt) attempt = fore_attempt_new ("bare", 1);
  g_autoptr (ForeRunDelta) delta = NULL;

  fore_run_writer_put_run (writer, run);
  fore_run_writer_put_task (writer, task);
  fore_run_writer_put_attempt (writer, attempt);
  flush (writer);

  delta = read_all (fixture);
  assert_run_equal (delta->run, run);
  assert_task_equal (g_ptr_array_index (delta->tasks, 0), task);
  assert_attempt_equal (g_ptr_array_index (delta->attempts, 0), attempt);
}

static void
test_broken_utf8 (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeRunWriter) writer = open_sample_run (fixture, RUN, 1);
  g_autoptr (ForeTask) task = sample_task ("t-0", 0);
  g_autoptr (ForeRunDelta) delta = NULL;
  const ForeTask *read;

  g_ptr_array_add (task->files, fore_change_new ("caf\xe9", 'A', 1, 0));
  fore_run_writer_put_task (writer, task);
  flush (writer);

  delta = read_all (fixture);
  read = g_ptr_array_index (delta->tasks, 0);
  g_assert_cmpuint (read->files->len, ==, 3);
  g_assert_true (
      g_utf8_validate (((ForeChange *) g_ptr_array_index (read->files, 2))->path, -1, NULL));
}

static void
test_delta (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeRunWriter) writer = open_sample_run (fixture, RUN, 5);
  g_autoptr (ForeRunDelta) all = read_all (fixture);
  g_autoptr (ForeRunDelta) nothing = NULL;
  g_autoptr (ForeRunDelta) delta = NULL;
  g_autoptr (ForeTask) task = sample_task ("t-3", 3);
  g_autoptr (ForeEvent) event = fore_event_new (FORE_EVENT_TASK_STATUS, "t-3", 0, NULL);
  g_autoptr (GError) error = NULL;

  nothing = fore_run_read (fixture->store, RUN, all->rev, all->seq, G_MAXUINT, &error);
  g_assert_no_error (error);
  g_assert_true (fore_run_delta_is_empty (nothing));
  g_assert_false (fore_run_delta_is_empty (all));

  fore_run_writer_put_task (writer, task);
  fore_run_writer_put_event (writer, event);
  flush (writer);
  delta = fore_run_read (fixture->store, RUN, all->rev, all->seq, G_MAXUINT, &error);
  g_assert_no_error (error);
  g_assert_null (delta->run);
  g_assert_cmpuint (delta->tasks->len, ==, 1);
  g_assert_cmpuint (delta->events->len, ==, 1);
  g_assert_cmpuint (delta->rev, >, all->rev);
  g_assert_cmpuint (((ForeTask *) g_ptr_array_index (delta->tasks, 0))->rev, ==, delta->rev);
}

static void
test_order_and_limit (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeRunWriter) writer = open_sample_run (fixture, RUN, 12);
  g_autoptr (ForeRunDelta) delta = NULL;
  g_autoptr (ForeRunDelta) none = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 10; i++)
    {
      g_autoptr (ForeEvent) event = fore_event_new (FORE_EVENT_NOTICE, NULL, i, NULL);

      fore_run_writer_put_event (writer, event);
    }
  flush (writer);

  delta = fore_run_read (fixture->store, RUN, 0, 3, 4, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 12; i++)
    g_assert_cmpuint (((ForeTask *) g_ptr_array_index (delta->tasks, i))->position, ==, i);
  g_assert_cmpuint (delta->events->len, ==, 4);
  g_assert_cmpint (delta->seq, ==, 7);

  none = fore_run_read (fixture->store, RUN, 0, 3, 0, &error);
  g_assert_cmpuint (none->events->len, ==, 0);
  g_assert_cmpint (none->seq, ==, 3);
}

typedef struct
{
  StoreFixture *fixture;
  int stop;
  int reads;
} Readers;

/* Both tasks and the event that explains them carry the same number. */
static void
check_pair (const ForeRunDelta *delta, gint64 *numbers)
{
  const ForeEvent *last = NULL;

  for (guint i = 0; i < delta->tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (delta->tasks, i);

      numbers[task->position] = task->started;
    }

  if (delta->events->len > 0)
    last = g_ptr_array_index (delta->events, delta->events->len - 1);

  g_assert_cmpint (numbers[0], ==, numbers[1]);
  if (last != NULL)
    g_assert_cmpint (last->time, ==, numbers[0]);
}

static gpointer
read_pairs (gpointer user_data)
{
  Readers *readers = user_data;
  gint64 numbers[2] = { 17, 17 };
  guint64 rev = 0;
  gint64 seq = 0;

  while (!g_atomic_int_get (&readers->stop))
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (ForeRunDelta) delta = fore_run_read (readers->fixture->store, RUN, rev, seq,
                                                      G_MAXUINT, &error);

      g_assert_no_error (error);
      check_pair (delta, numbers);
      rev = delta->rev;
      seq = delta->seq;
      g_atomic_int_inc (&readers->reads);
    }

  return NULL;
}

typedef struct
{
  ForeRunWriter *writer;
  Readers *readers;
  gint64 n;
  gboolean done;
} Pairs;

static gboolean
put_pair (gpointer user_data)
{
  Pairs *pairs = user_data;
  g_autoptr (ForeTask) first = sample_task ("t-0", 0);
  g_autoptr (ForeTask) second = sample_task ("t-1", 1);
  g_autoptr (ForeEvent) event = fore_event_new (FORE_EVENT_TASK_STATUS, "t-0", 0, NULL);

  first->started = second->started = event->time = ++pairs->n;
  fore_run_writer_put_task (pairs->writer, first);
  if (pairs->n % 7 == 0)
    g_usleep (300);
  fore_run_writer_put_task (pairs->writer, second);
  fore_run_writer_put_event (pairs->writer, event);

  pairs->done = pairs->n >= 1500 && g_atomic_int_get (&pairs->readers->reads) > 200;
  return pairs->done ? G_SOURCE_REMOVE : G_SOURCE_CONTINUE;
}

static void
test_never_half_a_change (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeRunWriter) writer = open_sample_run (fixture, RUN, 2);
  Readers readers = { fixture, FALSE, 0 };
  Pairs pairs = { writer, &readers, 0, FALSE };
  GThread *threads[8];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("reader", read_pairs, &readers);
  g_idle_add (put_pair, &pairs);
  run_until (&pairs.done);

  flush (writer);
  g_atomic_int_set (&readers.stop, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
}

static gboolean
is_written (gpointer user_data)
{
  g_autoptr (ForeRunDelta) delta = read_all (user_data);

  return delta->events->len == 1;
}

static void
test_group_without_barrier (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeRunWriter) writer = open_sample_run (fixture, RUN, 1);
  g_autoptr (ForeEvent) event = fore_event_new (FORE_EVENT_NOTICE, NULL, 0, NULL);

  fore_run_writer_put_event (writer, event);
  run_until_func (is_written, fixture);
}

static void
on_barrier (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  guint *n = user_data;

  g_assert_true (fore_run_writer_barrier_finish (FORE_RUN_WRITER (source), result, &error));
  g_assert_no_error (error);
  ++*n;
}

static gboolean
are_fifty (gpointer user_data)
{
  return *(guint *) user_data == 50;
}

static void
test_barriers (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeRunWriter) writer = open_sample_run (fixture, RUN, 1);
  g_autoptr (ForeRunDelta) delta = NULL;
  guint n = 0;

  for (guint i = 0; i < 50; i++)
    {
      g_autoptr (ForeEvent) event = fore_event_new (FORE_EVENT_NOTICE, NULL, i, NULL);

      fore_run_writer_put_event (writer, event);
      fore_run_writer_barrier_async (writer, NULL, on_barrier, &n);
    }

  g_assert_cmpuint (n, ==, 0);
  run_until_func (are_fifty, &n);
  delta = read_all (fixture);
  g_assert_cmpuint (delta->events->len, ==, 50);
}

static void
on_last_barrier (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
}

/* The reference that a barrier holds may be the last one. */
static void
test_dropped_with_barrier (StoreFixture *fixture, gconstpointer data)
{
  ForeRunWriter *writer = open_sample_run (fixture, RUN, 1);
  g_autoptr (ForeEvent) event = fore_event_new (FORE_EVENT_NOTICE, NULL, 0, NULL);
  gboolean done = FALSE;

  g_object_add_weak_pointer (G_OBJECT (writer), (gpointer *) &writer);
  fore_run_writer_put_event (writer, event);
  fore_run_writer_barrier_async (writer, NULL, on_last_barrier, &done);
  g_object_unref (writer);
  run_until (&done);
  while (writer != NULL)
    g_main_context_iteration (NULL, TRUE);

  g_assert_true (is_written (fixture));
  g_assert_false (fore_store_is_owned (fixture->store, RUN));
}

static void
test_many (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeRunWriter) writer = open_sample_run (fixture, RUN, 1);
  g_autoptr (ForeRunDelta) delta = NULL;

  for (guint i = 0; i < 60000; i++)
    {
      g_autoptr (ForeEvent) event = fore_event_new (FORE_EVENT_NOTICE, NULL, i, NULL);

      fore_run_writer_put_event (writer, event);
    }
  flush (writer);

  delta = read_all (fixture);
  g_assert_cmpuint (delta->events->len, ==, 60000);
  for (guint i = 0; i < 60000; i++)
    g_assert_cmpuint (((ForeEvent *) g_ptr_array_index (delta->events, i))->attempt, ==, i);
}

static void
test_one_owner (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeRunWriter) writer = open_sample_run (fixture, RUN, 1);
  g_autoptr (ForeRunWriter) second = NULL;
  g_autofree char *pid = g_strdup_printf ("%d", getpid ());
  g_autoptr (GError) error = NULL;

  g_assert_true (fore_store_is_owned (fixture->store, RUN));
  second = fore_run_writer_open (fixture->store, RUN, &error);
  g_assert_null (second);
  g_assert_error (error, FORE_ERROR, FORE_ERROR_BUSY);
  g_assert_nonnull (strstr (error->message, pid));
  g_clear_error (&error);

  close_writer (writer);
  g_assert_false (fore_store_is_owned (fixture->store, RUN));
  second = fore_run_writer_open (fixture->store, RUN, &error);
  g_assert_no_error (error);
  g_assert_nonnull (second);
}

static void
test_create_twice (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeRunWriter) writer = open_sample_run (fixture, RUN, 1);
  g_autoptr (ForeRun) run = sample_run (RUN, 1);
  g_autoptr (GError) error = NULL;

  g_assert_false (fore_run_writer_create (fixture->store, run, NULL, NULL, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_BUSY);
}

static void
test_missing_run (StoreFixture *fixture, gconstpointer data)
{
  static const char *const ids[] = { "zzzzzzzz", "../../etc", "", "ABC", "abcdefgh/.." };

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (fore_run_read (fixture->store, ids[i], 0, 0, 0, &error));
      g_assert_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND);
    }
}

/* Pairs of tasks with the same number and an event with it, for ever. */
static void
write_until_killed (const char *home, int ready)
{
  g_autoptr (ForeStore) store = fore_store_open (home, NULL);
  g_autoptr (ForeRunWriter) writer = fore_run_writer_open (store, RUN, NULL);
  g_autoptr (GMainContext) context = g_main_context_ref_thread_default ();

  for (gint64 n = 1; writer != NULL; n++)
    {
      g_autoptr (ForeTask) first = sample_task ("t-0", 0);
      g_autoptr (ForeTask) second = sample_task ("t-1", 1);
      g_autoptr (ForeEvent) event = fore_event_new (FORE_EVENT_TASK_STATUS, "t-0", 0, NULL);

      first->started = second->started = event->time = n;
      fore_run_writer_put_task (writer, first);
      fore_run_writer_put_task (writer, second);
      fore_run_writer_put_event (writer, event);
      g_main_context_iteration (context, FALSE);
      if (n % 50 == 0 && (!fore_run_writer_barrier (writer, NULL) || write (ready, "x", 1) != 1))
        break;
    }

  _exit (1);
}

static pid_t
start_writer (const char *self, const char *home, int *ready)
{
  int ends[2];
  pid_t pid;

  g_assert_cmpint (pipe (ends), ==, 0);
  pid = fork ();
  g_assert_cmpint (pid, >=, 0);
  if (pid == 0)
    {
      g_autofree char *fd = g_strdup_printf ("%d", ends[1]);

      close (ends[0]);
      execl (self, self, "--write-until-killed", home, fd, NULL);
      _exit (127);
    }

  close (ends[1]);
  *ready = ends[0];
  return pid;
}

static const char *program;

static void
kill_a_writer (StoreFixture *fixture, guint n_barriers, gint64 *written)
{
  g_autoptr (ForeRunDelta) delta = NULL;
  gint64 numbers[2] = { 17, 17 };
  int ready;
  pid_t pid = start_writer (program, fixture->home, &ready);
  int status;
  char byte;

  for (guint i = 0; i < n_barriers; i++)
    g_assert_cmpint (read (ready, &byte, 1), ==, 1);

  g_usleep ((gulong) g_random_int_range (0, 3000));
  kill (pid, SIGKILL);
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_true (WIFSIGNALED (status));
  close (ready);

  g_assert_false (fore_store_is_owned (fixture->store, RUN));
  delta = read_all (fixture);
  check_pair (delta, numbers);
  g_assert_cmpint (delta->seq, >=, *written + 50 * n_barriers);
  g_assert_cmpuint (delta->events->len, ==, delta->seq);
  *written = delta->seq;
}

static void
test_killed_owner (StoreFixture *fixture, gconstpointer data)
{
  ForeRunWriter *writer = open_sample_run (fixture, RUN, 2);
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  gint64 written = 0;

  close_writer (writer);
  g_object_unref (writer);
  for (guint i = 0; i < 6; i++)
    kill_a_writer (fixture, i, &written);

  writer = fore_run_writer_open (fixture->store, RUN, &error);
  g_assert_no_error (error);
  close_writer (writer);
  g_object_unref (writer);
  fore_store_check (fixture->store, problems, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (problems->len, ==, 0);
}

static void
assert_mode (const char *folder, const char *name, guint mode)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  GStatBuf info;

  g_assert_cmpint (g_stat (path, &info), ==, 0);
  g_assert_cmphex (info.st_mode & 0777, ==, mode);
}

static void
test_modes (StoreFixture *fixture, gconstpointer data)
{
  mode_t before = umask (0);
  g_autoptr (ForeRunWriter) writer = open_sample_run (fixture, RUN, 1);

  flush (writer);
  assert_mode (fixture->home, "", 0700);
  assert_mode (fixture->home, "foredeck.db", 0600);
  assert_mode (fixture->home, "foredeck.lock", 0600);
  assert_mode (fixture->home, "bell", 0600);
  assert_mode (fixture->home, "runs/" RUN, 0700);
  assert_mode (fixture->home, "runs/" RUN "/run.db", 0600);
  assert_mode (fixture->home, "runs/" RUN "/run.db-wal", 0600);
  assert_mode (fixture->home, "runs/" RUN "/run.db-shm", 0600);
  assert_mode (fixture->home, "runs/" RUN "/owner.lock", 0600);
  umask (before);
}

static void
test_close_leaves_one_file (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeRunWriter) writer = open_sample_run (fixture, RUN, 1);
  g_autoptr (ForeEvent) event = fore_event_new (FORE_EVENT_NOTICE, NULL, 0, NULL);
  g_autofree char *wal = g_build_filename (fixture->home, "runs", RUN, "run.db-wal", NULL);
  GStatBuf info;

  fore_run_writer_put_event (writer, event);
  close_writer (writer);
  close_writer (writer);
  g_assert_true (is_written (fixture));
  g_assert_true (g_stat (wal, &info) != 0 || info.st_size == 0);
}

static void
test_plan_versions (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeRunWriter) writer = open_sample_run (fixture, RUN, 1);
  g_autoptr (ForePlan) newest = NULL;
  g_autoptr (ForePlan) first = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 1; i <= 3; i++)
    {
      g_autoptr (ForePlan) plan = sample_plan (i);

      fore_run_writer_put_plan (writer, plan);
    }
  flush (writer);

  newest = fore_run_read_plan (fixture->store, RUN, 0, &error);
  g_assert_cmpuint (newest->version, ==, 3);
  first = fore_run_read_plan (fixture->store, RUN, 1, &error);
  g_assert_cmpuint (first->version, ==, 1);
  g_assert_null (fore_run_read_plan (fixture->store, RUN, 4, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND);
}

int
main (int argc, char **argv)
{
  if (argc == 4 && g_str_equal (argv[1], "--write-until-killed"))
    write_until_killed (argv[2], atoi (argv[3]));

  program = argv[0];
  g_test_init (&argc, &argv, NULL);
  TEST ("round-trip", test_round_trip);
  TEST ("empty-fields", test_empty_fields);
  TEST ("broken-utf8", test_broken_utf8);
  TEST ("delta", test_delta);
  TEST ("order-and-limit", test_order_and_limit);
  TEST ("never-half-a-change", test_never_half_a_change);
  TEST ("group-without-barrier", test_group_without_barrier);
  TEST ("barriers", test_barriers);
  TEST ("dropped-with-barrier", test_dropped_with_barrier);
  TEST ("many", test_many);
  TEST ("one-owner", test_one_owner);
  TEST ("create-twice", test_create_twice);
  TEST ("missing-run", test_missing_run);
  TEST ("killed-owner", test_killed_owner);
  TEST ("modes", test_modes);
  TEST ("close-leaves-one-file", test_close_leaves_one_file);
  TEST ("plan-versions", test_plan_versions);

  return g_test_run ();
}
