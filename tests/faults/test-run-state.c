/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Random operations on the state of a run, in processes that are killed at random: whatever was
 * done, the next one finds a legal state, which its events explain, and in it all that was said to
 * be durable. FORE_FAULT_SEED repeats one sequence, FORE_FAULT_SEQUENCES says how many there are.
 */

#include "config.h"

#include "store-fixture.h"

#include "engine/fore-event-data.h"
#include "engine/fore-run-state.h"
#include "text/fore-json.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define RUN "abcdefgh"
#define N_SEQUENCES 20
#define N_LIVES 4
#define MAX_OPERATIONS 120

static GRand *rng;

/* Operations */

static ForeTask *
pick_task (ForeRunState *state)
{
  GPtrArray *tasks = fore_run_state_get_tasks (state);

  return tasks->len > 0 ? g_ptr_array_index (tasks, g_rand_int_range (rng, 0, tasks->len)) : NULL;
}

static void
add_task (ForeRunState *state)
{
  g_autofree char *key = g_strdup_printf ("t-%u", fore_run_state_get_tasks (state)->len);
  ForeTask *task = fore_task_new (key);

  task->title = g_strdup (key);
  task->role = g_strdup ("executor");
  fore_run_state_add_task (state, task);
}

/* As the engine does it: asks the table first. What the table refuses changes nothing. */
static void
move_task (ForeRunState *state, ForeTask *task, ForeTaskStatus to)
{
  ForeTaskStatus from = task->status;
  gboolean legal = fore_task_status_can_move (from, to);

  if (!legal)
    g_test_expect_message ("fore-engine", G_LOG_LEVEL_WARNING, "*cannot go from*");
  g_assert_cmpint (fore_run_state_move_task (state, task, to, FORE_CAUSE_NONE, NULL), ==, legal);
  g_test_assert_expected_messages ();
  g_assert_cmpint (task->status, ==, legal ? to : from);
}

static void
start_attempt (ForeRunState *state, ForeTask *task)
{
  ForeAttempt *attempt;

  if (task->status != FORE_TASK_RUNNING)
    return;

  attempt = fore_run_state_add_attempt (state, task);
  fore_run_state_touch_attempt (state, attempt);
  fore_run_state_touch_task (state, task);
  fore_run_state_emit (state, FORE_EVENT_ATTEMPT_STARTED, task->key, attempt->n, NULL);
}

static void
ask (ForeRunState *state, ForeTask *task)
{
  ForeRequest *request = fore_run_state_new_request (state, FORE_REQUEST_FAILURE, task->key, "T",
                                                     NULL);

  fore_request_add_option (request, "retry", "Try Again", "retry");
  fore_run_state_open_request (state, request);
}

static void
answer (ForeRunState *state)
{
  ForeRequest *request = fore_run_state_find_open_request (state, FORE_REQUEST_FAILURE, NULL);
  g_autoptr (ForeAnswer) given = NULL;

  if (request == NULL)
    return;

  given = fore_answer_new (request->id, "retry", "somebody");
  fore_run_state_answer_request (state, request, given);
}

static void
operate (ForeRunState *state)
{
  ForeTask *task = pick_task (state);
  guint what = (guint) g_rand_int_range (rng, 0, 100);

  if (task == NULL || what < 8)
    add_task (state);
  else if (what < 60)
    move_task (state, task, g_rand_int_range (rng, 0, FORE_N_TASK_STATUSES));
  else if (what < 72)
    start_attempt (state, task);
  else if (what < 80)
    ask (state, task);
  else if (what < 88)
    answer (state);
  else if (what < 94)
    fore_run_state_withdraw_requests_of (state, task->key, "No more.");
  else if (what < 97)
    fore_run_state_set_mark (state, task, what % 2 == 0 ? "silence" : NULL);
  else if (fore_run_status_can_move (fore_run_state_get_run (state)->status, FORE_RUN_PAUSED))
    fore_run_state_move_run (state, FORE_RUN_PAUSED, NULL);
  else if (fore_run_status_can_move (fore_run_state_get_run (state)->status, FORE_RUN_RUNNING))
    fore_run_state_move_run (state, FORE_RUN_RUNNING, NULL);
  else if (fore_run_is_active (fore_run_state_get_run (state)) && g_rand_int_range (rng, 0, 8) == 0)
    fore_run_state_cancel (state, "Cancelled.");
}

/* One process: it never closes anything, and dies at some point. It numbers what it does and
 * reports the number up to which everything is durable.
 */
static void
live (const char *home, guint number, int report)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeStore) store = fore_store_open (home, &error);
  g_autoptr (ForeRunState) state = NULL;
  gint n = g_rand_int_range (rng, 1, MAX_OPERATIONS);

  g_assert_no_error (error);
  state = fore_run_state_open (store, RUN, &error);
  g_assert_no_error (error);
  if (fore_run_state_get_run (state)->status == FORE_RUN_QUEUED)
    fore_run_state_move_run (state, FORE_RUN_RUNNING, NULL);

  for (gint i = 0; i < n; i++)
    {
      operate (state);
      while (g_main_context_iteration (NULL, FALSE))
        ;
      fore_run_state_emit (state, FORE_EVENT_NOTICE, NULL, ++number, NULL);
      if (g_rand_int_range (rng, 0, 10) == 0
          && fore_run_writer_barrier (fore_run_state_get_writer (state), NULL)
          && write (report, &number, sizeof number) != (gssize) sizeof number)
        abort ();
    }

  kill (getpid (), SIGKILL);
}

/* What must hold */

typedef struct
{
  GHashTable *tasks; /* key -> status */
  GHashTable *requests;
  GHashTable *attempts;
  ForeRunStatus run;
  gint64 seq;
  guint number;
} Fold;

static void
fold_task (Fold *fold, const ForeEvent *event, JsonObject *data)
{
  ForeTaskStatus from, to;
  gpointer now;

  g_assert_true (g_hash_table_lookup_extended (fold->tasks, event->task, NULL, &now));
  g_assert_true (fore_task_status_from_string (fore_json_get_string (data, "from", NULL), &from));
  g_assert_true (fore_task_status_from_string (fore_json_get_string (data, "to", NULL), &to));
  g_assert_cmpint (GPOINTER_TO_INT (now), ==, from);
  g_assert_true (fore_task_status_can_move (from, to));
  /* what has ended well, or was given up, stays so */
  g_assert_true (from != FORE_TASK_COMPLETED);
  g_hash_table_replace (fold->tasks, g_strdup (event->task), GINT_TO_POINTER (to));
}

static void
fold_run (Fold *fold, JsonObject *data)
{
  ForeRunStatus from, to;

  g_assert_true (fore_run_status_from_string (fore_json_get_string (data, "from", NULL), &from));
  g_assert_true (fore_run_status_from_string (fore_json_get_string (data, "to", NULL), &to));
  g_assert_cmpint (fold->run, ==, from);
  g_assert_true (fore_run_status_can_move (from, to));
  fold->run = to;
}

static void
fold_request (Fold *fold, JsonObject *data, ForeRequestState state)
{
  const char *id = fore_json_get_string (data, "id", NULL);
  gpointer now = g_hash_table_lookup (fold->requests, id);

  if (state == FORE_REQUEST_OPEN)
    g_assert_null (now);
  else
    g_assert_cmpint (GPOINTER_TO_INT (now) - 1, ==, FORE_REQUEST_OPEN);
  g_hash_table_replace (fold->requests, g_strdup (id), GINT_TO_POINTER (state + 1));
}

static void
fold_event (Fold *fold, const ForeEvent *event)
{
  g_autoptr (JsonNode) node = event->data != NULL ? fore_json_parse (event->data, -1, NULL, NULL)
                                                  : NULL;
  JsonObject *data = node != NULL ? json_node_get_object (node) : NULL;

  g_assert_cmpint (event->seq, ==, fold->seq + 1);
  fold->seq = event->seq;
  if (event->type == FORE_EVENT_TASK_ADDED)
    g_assert_true (g_hash_table_insert (fold->tasks, g_strdup (event->task),
                                        GINT_TO_POINTER (FORE_TASK_QUEUED)));
  else if (event->type == FORE_EVENT_TASK_STATUS)
    fold_task (fold, event, data);
  else if (event->type == FORE_EVENT_RUN_STATUS)
    fold_run (fold, data);
  else if (event->type == FORE_EVENT_REQUEST_OPENED)
    fold_request (fold, data, FORE_REQUEST_OPEN);
  else if (event->type == FORE_EVENT_REQUEST_ANSWERED)
    fold_request (fold, data, FORE_REQUEST_ANSWERED);
  else if (event->type == FORE_EVENT_REQUEST_WITHDRAWN)
    fold_request (fold, data, FORE_REQUEST_WITHDRAWN);
  else if (event->type == FORE_EVENT_NOTICE)
    fold->number = event->attempt;
  else if (event->type == FORE_EVENT_ATTEMPT_STARTED)
    g_assert_true (
        g_hash_table_add (fold->attempts, g_strdup_printf ("%s.%u", event->task, event->attempt)));
}

static void
check_rows (const Fold *fold, const ForeRunDelta *delta)
{
  guint counts[FORE_N_TASK_STATUSES] = { 0 };

  g_assert_cmpint (delta->run->status, ==, fold->run);
  g_assert_cmpuint (g_hash_table_size (fold->tasks), ==, delta->tasks->len);
  for (guint i = 0; i < delta->tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (delta->tasks, i);

      g_assert_cmpint (task->status, ==,
                       GPOINTER_TO_INT (g_hash_table_lookup (fold->tasks, task->key)));
      counts[task->status]++;
    }

  g_assert_cmpuint (delta->run->n_tasks, ==, delta->tasks->len);
  for (guint i = 0; i < FORE_N_TASK_STATUSES; i++)
    g_assert_cmpuint (delta->run->counts[i], ==, counts[i]);

  g_assert_cmpuint (g_hash_table_size (fold->requests), ==, delta->requests->len);
  for (guint i = 0; i < delta->requests->len; i++)
    {
      const ForeRequest *request = g_ptr_array_index (delta->requests, i);

      g_assert_cmpint (request->state + 1, ==,
                       GPOINTER_TO_INT (g_hash_table_lookup (fold->requests, request->id)));
    }

  g_assert_cmpuint (g_hash_table_size (fold->attempts), ==, delta->attempts->len);
}

/* Returns the number of the last operation. */
static guint
check (const char *home)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeStore) store = fore_store_open (home, &error);
  g_autoptr (ForeRunDelta) delta = fore_run_read (store, RUN, 0, 0, G_MAXUINT, &error);
  g_autoptr (GHashTable) tasks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) requests = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) attempts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Fold fold = { tasks, requests, attempts, FORE_RUN_QUEUED, 0, 0 };

  g_assert_no_error (error);
  for (guint i = 0; i < delta->events->len; i++)
    fold_event (&fold, g_ptr_array_index (delta->events, i));
  check_rows (&fold, delta);

  return fold.number;
}

/* Returns the number of the last operation that was said to be durable. */
static guint
run_life (const char *home, guint number, guint32 seed)
{
  guint said = number;
  int fds[2];
  int status;
  pid_t pid;

  g_assert_cmpint (pipe (fds), ==, 0);
  pid = fork ();
  if (pid == 0)
    {
      g_rand_set_seed (rng, seed);
      live (home, number, fds[1]);
    }

  close (fds[1]);
  while (read (fds[0], &said, sizeof said) == (gssize) sizeof said)
    g_assert_cmpuint (said, >, number);
  close (fds[0]);
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_true (WIFSIGNALED (status) && WTERMSIG (status) == SIGKILL);

  return said;
}

static void
run_sequence (guint32 seed)
{
  g_autofree char *home = g_dir_make_tmp ("foredeck-state-XXXXXX", NULL);
  g_autoptr (ForeRun) run = fore_run_new (RUN);
  guint number = 0;

  g_test_message ("FORE_FAULT_SEED=%u", seed);
  run->project = g_strdup ("/nowhere");
  run->goal = g_strdup ("A goal");
  {
    g_autoptr (ForeStore) store = fore_store_open (home, NULL);

    g_assert_true (fore_run_writer_create (store, run, NULL, NULL, NULL));
  }

  for (guint i = 0; i < N_LIVES; i++)
    {
      guint durable = run_life (home, number, seed + i * 7919);

      number = check (home);
      g_assert_cmpuint (number, >=, durable);
    }

  store_fixture_remove (home);
}

static void
test_any_order_and_any_death (void)
{
  const char *given = g_getenv ("FORE_FAULT_SEED");
  const char *wanted = g_getenv ("FORE_FAULT_SEQUENCES");
  guint n = wanted != NULL ? (guint) g_ascii_strtoull (wanted, NULL, 10) : N_SEQUENCES;
  guint32 seed = given != NULL ? (guint32) g_ascii_strtoull (given, NULL, 10) : g_random_int ();

  rng = g_rand_new ();
  for (guint i = 0; i < (given != NULL && wanted == NULL ? 1 : n); i++)
    run_sequence (seed + i);
  g_rand_free (rng);
}

/* The tables themselves. */
static void
test_what_has_ended_stays_so (void)
{
  static const ForeTaskStatus final[] = { FORE_TASK_COMPLETED, FORE_TASK_CANCELLED };

  for (guint i = 0; i < G_N_ELEMENTS (final); i++)
    {
      for (guint to = 0; to < FORE_N_TASK_STATUSES; to++)
        g_assert_false (fore_task_status_can_move (final[i], to));
    }

  for (guint to = 0; to < FORE_N_RUN_STATUSES; to++)
    g_assert_false (fore_run_status_can_move (FORE_RUN_CANCELLED, to));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/faults/run-state/any-order-and-any-death", test_any_order_and_any_death);
  g_test_add_func ("/faults/run-state/what-has-ended-stays-so", test_what_has_ended_stays_so);

  return g_test_run ();
}
