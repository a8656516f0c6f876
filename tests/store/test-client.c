/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store-fixture.h"

#include "model/fore-error.h"

#include <string.h>

#define RUN "abcdefgh"
#define TEST(name, func)                                                                           \
  g_test_add ("/store/client/" name, StoreFixture, NULL, store_fixture_set_up, func,               \
              store_fixture_tear_down)

static void
put_request (ForeRunWriter *writer, const ForeRequest *request)
{
  g_autoptr (GError) error = NULL;

  fore_run_writer_put_request (writer, request);
  fore_run_writer_barrier (writer, &error);
  g_assert_no_error (error);
}

static ForeAnswer *
good_answer (const char *request)
{
  ForeAnswer *answer = fore_answer_new (request, "0", "foredeckctl");

  answer->text = g_strdup ("looks “good”");
  answer->plan_json = g_strdup ("{\"items\":[]}");
  answer->plan_version = 2;
  answer->plan_hash = g_strdup ("hash-of-2");

  return answer;
}

static void
assert_refused (StoreFixture *fixture, const ForeAnswer *answer, int code, const char *word)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (fore_run_client_answer (fixture->store, answer, &error));
  g_assert_error (error, FORE_ERROR, code);
  if (strstr (error->message, word) == NULL)
    g_error ("“%s” does not say “%s”", error->message, word);
}

static void
assert_taken (StoreFixture *fixture, const ForeAnswer *answer)
{
  g_autoptr (GError) error = NULL;

  fore_run_client_answer (fixture->store, answer, &error);
  g_assert_no_error (error);
}

static void
test_answer_rules (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeRunWriter) writer = open_sample_run (fixture, RUN, 1);
  g_autoptr (ForeRequest) request = sample_request (RUN, 1);
  g_autoptr (ForeAnswer) answer = good_answer (RUN "-1");
  g_autoptr (ForeAnswer) none = good_answer (RUN "-9");
  g_autoptr (ForeAnswer) nonsense = good_answer ("nonsense");

  put_request (writer, request);
  assert_refused (fixture, none, FORE_ERROR_NOT_FOUND, RUN "-9");
  assert_refused (fixture, nonsense, FORE_ERROR_NOT_FOUND, "nonsense");

  answer->plan_version = 1;
  assert_refused (fixture, answer, FORE_ERROR_STALE, "version 1");
  answer->plan_version = 2;

  g_free (g_steal_pointer (&answer->plan_hash));
  assert_refused (fixture, answer, FORE_ERROR_STALE, "read it again");
  answer->plan_hash = g_strdup ("another");
  assert_refused (fixture, answer, FORE_ERROR_STALE, "read it again");
  g_free (answer->plan_hash);
  answer->plan_hash = g_strdup ("hash-of-2");

  g_free (answer->option);
  answer->option = g_strdup ("maybe");
  assert_refused (fixture, answer, FORE_ERROR_USAGE, "0, no");
  g_free (answer->option);
  answer->option = g_strdup ("no");

  assert_taken (fixture, answer);
  assert_refused (fixture, answer, FORE_ERROR_STALE, "already answered by foredeckctl");
}

static void
test_answer_to_ended (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeRunWriter) writer = open_sample_run (fixture, RUN, 1);
  g_autoptr (ForeRequest) request = sample_request (RUN, 1);
  g_autoptr (ForeAnswer) answer = good_answer (RUN "-1");

  request->state = FORE_REQUEST_WITHDRAWN;
  put_request (writer, request);
  assert_refused (fixture, answer, FORE_ERROR_STALE, "withdrawn");

  request->state = FORE_REQUEST_ANSWERED;
  request->answered_by = g_strdup ("timeout");
  put_request (writer, request);
  assert_refused (fixture, answer, FORE_ERROR_STALE, "already answered by timeout");

  request->state = FORE_REQUEST_OPEN;
  request->expires = 1;
  put_request (writer, request);
  assert_refused (fixture, answer, FORE_ERROR_STALE, "expired");
}

static void
test_free_text (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeRunWriter) writer = open_sample_run (fixture, RUN, 1);
  g_autoptr (ForeRequest) question = fore_request_new (RUN, 1, FORE_REQUEST_QUESTION);
  g_autoptr (ForeRequest) permission = fore_request_new (RUN, 2, FORE_REQUEST_PERMISSION);
  g_autoptr (ForeAnswer) text = fore_answer_new (RUN "-1", NULL, "window");
  g_autoptr (ForeAnswer) bare = fore_answer_new (RUN "-2", NULL, "window");

  fore_request_add_option (question, "a", "A", "choice");
  fore_request_add_option (permission, "yes", "Yes", "allow_once");
  put_request (writer, question);
  put_request (writer, permission);

  assert_refused (fixture, text, FORE_ERROR_USAGE, "a");
  text->text = g_strdup ("neither");
  assert_taken (fixture, text);
  bare->text = g_strdup ("please");
  assert_refused (fixture, bare, FORE_ERROR_USAGE, "yes");
}

typedef struct
{
  StoreFixture *fixture;
  int taken;
} Race;

static gpointer
answer_once (gpointer user_data)
{
  Race *race = user_data;
  g_autoptr (ForeAnswer) answer = good_answer (RUN "-1");
  g_autoptr (GError) error = NULL;

  if (fore_run_client_answer (race->fixture->store, answer, &error))
    g_atomic_int_inc (&race->taken);
  else
    g_assert_error (error, FORE_ERROR, FORE_ERROR_STALE);

  return NULL;
}

static void
test_one_answer_ever (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeRunWriter) writer = open_sample_run (fixture, RUN, 1);
  g_autoptr (ForeRequest) request = sample_request (RUN, 1);
  Race race = { fixture, 0 };
  GThread *threads[8];

  put_request (writer, request);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("answer", answer_once, &race);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);

  g_assert_cmpint (race.taken, ==, 1);
}

static void
set_flag (ForeRunWriter *writer, gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
}

static void
assert_answer (GPtrArray *answers)
{
  const ForeAnswer *answer;

  g_assert_cmpuint (answers->len, ==, 1);
  answer = g_ptr_array_index (answers, 0);
  g_assert_cmpstr (answer->request, ==, RUN "-1");
  g_assert_cmpstr (answer->option, ==, "0");
  g_assert_cmpstr (answer->text, ==, "looks “good”");
  g_assert_cmpstr (answer->plan_json, ==, "{\"items\":[]}");
  g_assert_cmpuint (answer->plan_version, ==, 2);
  g_assert_cmpstr (answer->plan_hash, ==, "hash-of-2");
  g_assert_cmpstr (answer->by, ==, "foredeckctl");
  g_assert_cmpint (answer->time, >, 0);
}

static void
test_owner_gets_answer (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeRunWriter) writer = open_sample_run (fixture, RUN, 1);
  g_autoptr (ForeRequest) request = sample_request (RUN, 1);
  g_autoptr (ForeAnswer) answer = good_answer (RUN "-1");
  g_autoptr (GPtrArray) answers = NULL;
  g_autoptr (GPtrArray) again = NULL;
  gboolean input = FALSE;

  put_request (writer, request);
  g_signal_connect (writer, "input", G_CALLBACK (set_flag), &input);
  assert_taken (fixture, answer);
  run_until (&input);

  answers = fore_run_writer_take_answers (writer, NULL);
  assert_answer (answers);
  again = fore_run_writer_take_answers (writer, NULL);
  g_assert_cmpuint (again->len, ==, 0);
}

/* The runner is dead: the answer waits, others see it, and the next owner gets it until it settles
 * the request. */
static void
test_answer_waits_for_owner (StoreFixture *fixture, gconstpointer data)
{
  ForeRunWriter *writer = open_sample_run (fixture, RUN, 1);
  g_autoptr (ForeRequest) request = sample_request (RUN, 1);
  g_autoptr (ForeAnswer) answer = good_answer (RUN "-1");

  put_request (writer, request);
  g_object_unref (writer);
  assert_taken (fixture, answer);

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GPtrArray) answers = NULL;
      g_autoptr (ForeRunDelta) delta = NULL;
      gboolean input = FALSE;

      writer = fore_run_writer_open (fixture->store, RUN, NULL);
      g_signal_connect (writer, "input", G_CALLBACK (set_flag), &input);
      run_until (&input);
      answers = fore_run_writer_take_answers (writer, NULL);
      assert_answer (answers);

      delta = fore_run_writer_load (writer, 0, NULL);
      request = (fore_request_free (request), fore_request_copy (delta->requests->pdata[0]));
      g_assert_cmpint (request->state, ==, FORE_REQUEST_OPEN);
      if (i == 1)
        {
          request->state = FORE_REQUEST_ANSWERED;
          put_request (writer, request);
        }
      g_object_unref (writer);
    }

  writer = fore_run_writer_open (fixture->store, RUN, NULL);
  fore_run_writer_barrier (writer, NULL);
  fore_run_writer_close (writer, NULL);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_object_unref (writer);
}

static void
test_others_see_answer (StoreFixture *fixture, gconstpointer data)
{
  ForeRunWriter *writer = open_sample_run (fixture, RUN, 1);
  g_autoptr (ForeRequest) request = sample_request (RUN, 1);
  g_autoptr (ForeRequest) read = NULL;
  g_autoptr (ForeAnswer) answer = good_answer (RUN "-1");
  g_autoptr (ForeRunDelta) before = NULL;
  g_autoptr (ForeRunDelta) delta = NULL;
  g_autoptr (GPtrArray) open = NULL;
  g_autoptr (GPtrArray) all = NULL;

  put_request (writer, request);
  g_object_unref (writer);
  before = fore_run_read (fixture->store, RUN, 0, 0, 0, NULL);
  assert_taken (fixture, answer);

  delta = fore_run_read (fixture->store, RUN, before->rev, 0, 0, NULL);
  g_assert_cmpuint (delta->requests->len, ==, 1);
  read = fore_run_read_request (fixture->store, RUN "-1", NULL);
  for (guint i = 0; i < 2; i++)
    {
      const ForeRequest *seen = i == 0 ? read : g_ptr_array_index (delta->requests, 0);

      g_assert_cmpint (seen->state, ==, FORE_REQUEST_ANSWERED);
      g_assert_cmpstr (seen->answer, ==, "0");
      g_assert_cmpstr (seen->answer_text, ==, "looks “good”");
      g_assert_cmpstr (seen->answered_by, ==, "foredeckctl");
      g_assert_cmpint (seen->answered, ==, answer->time);
    }

  open = fore_store_list_requests (fixture->store, TRUE, NULL);
  g_assert_cmpuint (open->len, ==, 0);
  all = fore_store_list_requests (fixture->store, FALSE, NULL);
  g_assert_cmpuint (all->len, ==, 1);
}

static ForeCommand *
send_command (StoreFixture *fixture, ForeCommandKind kind, const char *arg)
{
  const char *args[] = { arg, "second \"word\"", NULL };
  ForeCommand *command = fore_command_new (kind, args, "window");
  g_autoptr (GError) error = NULL;

  fore_run_client_command (fixture->store, RUN, command, &error);
  g_assert_no_error (error);

  return command;
}

static void
test_commands_once (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeRunWriter) writer = open_sample_run (fixture, RUN, 1);
  g_autoptr (ForeCommand) first = send_command (fixture, FORE_COMMAND_RETRY, "one");
  g_autoptr (ForeCommand) second = send_command (fixture, FORE_COMMAND_PAUSE, "two");
  g_autoptr (GPtrArray) taken = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_command_free);
  g_autoptr (GPtrArray) rest = NULL;
  const ForeCommand *command;
  gboolean input = FALSE;

  g_assert_cmpint (first->id, ==, 1);
  g_assert_cmpint (second->id, ==, 2);
  g_signal_connect (writer, "input", G_CALLBACK (set_flag), &input);
  while (taken->len < 2)
    {
      g_autoptr (GPtrArray) some = NULL;

      run_until (&input);
      input = FALSE;
      some = fore_run_writer_take_commands (writer, NULL);
      g_ptr_array_extend_and_steal (taken, g_steal_pointer (&some));
    }

  command = g_ptr_array_index (taken, 0);
  g_assert_cmpint (command->id, ==, 1);
  g_assert_cmpint (command->kind, ==, FORE_COMMAND_RETRY);
  g_assert_cmpstr (command->args[0], ==, "one");
  g_assert_cmpstr (command->args[1], ==, "second \"word\"");
  g_assert_cmpstr (command->by, ==, "window");
  g_assert_cmpint (command->time, ==, first->time);
  rest = fore_run_writer_take_commands (writer, NULL);
  g_assert_cmpuint (rest->len, ==, 0);
}

/* What an owner took and did not settle before it died comes again; what it settled does not. */
static void
test_commands_of_dead_owner (StoreFixture *fixture, gconstpointer data)
{
  ForeRunWriter *writer = open_sample_run (fixture, RUN, 1);
  g_autoptr (ForeCommand) first = send_command (fixture, FORE_COMMAND_PAUSE, "one");
  g_autoptr (ForeCommand) second = send_command (fixture, FORE_COMMAND_CANCEL, "two");
  g_autoptr (GPtrArray) taken = NULL;
  g_autoptr (ForeRunDelta) delta = NULL;
  gboolean input = FALSE;

  first->state = FORE_COMMAND_REFUSED;
  first->code = FORE_ERROR_REFUSED;
  first->message = g_strdup ("not now");
  fore_run_writer_put_command (writer, first);
  g_object_unref (writer);

  writer = fore_run_writer_open (fixture->store, RUN, NULL);
  g_signal_connect (writer, "input", G_CALLBACK (set_flag), &input);
  run_until (&input);
  taken = fore_run_writer_take_commands (writer, NULL);
  g_assert_cmpuint (taken->len, ==, 1);
  g_assert_cmpint (((ForeCommand *) g_ptr_array_index (taken, 0))->id, ==, second->id);
  g_object_unref (writer);

  delta = fore_run_read (fixture->store, RUN, 0, 0, 0, NULL);
  g_assert_cmpuint (delta->commands->len, ==, 2);
  g_assert_cmpint (((ForeCommand *) g_ptr_array_index (delta->commands, 0))->state, ==,
                   FORE_COMMAND_REFUSED);
  g_assert_cmpint (((ForeCommand *) g_ptr_array_index (delta->commands, 0))->code, ==,
                   FORE_ERROR_REFUSED);
  g_assert_cmpstr (((ForeCommand *) g_ptr_array_index (delta->commands, 0))->message, ==,
                   "not now");
}

static void
test_command_is_in_delta (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeRunWriter) writer = open_sample_run (fixture, RUN, 1);
  g_autoptr (ForeRunDelta) before = fore_run_read (fixture->store, RUN, 0, 0, 0, NULL);
  g_autoptr (ForeCommand) command = send_command (fixture, FORE_COMMAND_PAUSE, "x");
  g_autoptr (ForeRunDelta) delta = NULL;
  g_autoptr (ForeRunDelta) later = NULL;

  delta = fore_run_read (fixture->store, RUN, before->rev, 0, 0, NULL);
  g_assert_cmpuint (delta->commands->len, ==, 1);
  command->state = FORE_COMMAND_DONE;
  fore_run_writer_put_command (writer, command);
  fore_run_writer_barrier (writer, NULL);
  later = fore_run_read (fixture->store, RUN, delta->rev, 0, 0, NULL);
  g_assert_cmpuint (later->commands->len, ==, 1);
}

static void
test_messages (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeRunWriter) writer = open_sample_run (fixture, RUN, 1);
  g_autoptr (ForeMessage) own = fore_message_new ("t-0", "person", "mail", "from the owner");
  g_autoptr (ForeMessage) steer = fore_message_new ("person", "t-0", "steer", "left");
  g_autoptr (GPtrArray) taken = NULL;
  g_autoptr (ForeRunDelta) delta = NULL;
  g_autoptr (GError) error = NULL;
  gboolean input = FALSE;

  own->id = fore_run_writer_next_message_id (writer);
  fore_run_writer_put_message (writer, own);
  fore_run_writer_barrier (writer, NULL);
  g_signal_connect (writer, "input", G_CALLBACK (set_flag), &input);
  fore_run_client_message (fixture->store, RUN, steer, &error);
  g_assert_no_error (error);
  g_assert_cmpint (steer->id, !=, own->id);
  run_until (&input);
  taken = fore_run_writer_take_messages (writer, NULL);
  g_assert_cmpuint (taken->len, ==, 1);
  g_assert_cmpstr (((ForeMessage *) g_ptr_array_index (taken, 0))->text, ==, "left");

  steer->state = FORE_MESSAGE_DELIVERED;
  fore_run_writer_put_message (writer, steer);
  fore_run_writer_barrier (writer, NULL);
  delta = fore_run_read (fixture->store, RUN, 0, 0, 0, NULL);
  g_assert_cmpuint (delta->messages->len, ==, 2);
}

typedef struct
{
  ForeRunWriter *writer;
  gboolean input;
  guint in_flight;
  guint n;
} Stream;

static void
go_on (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Stream *stream = user_data;
  g_autoptr (ForeEvent) event = fore_event_new (FORE_EVENT_NOTICE, NULL, 0, NULL);

  if (source != NULL)
    {
      g_assert_true (fore_run_writer_barrier_finish (stream->writer, result, NULL));
      stream->in_flight--;
      stream->n++;
    }

  if (stream->input)
    return;

  fore_run_writer_put_event (stream->writer, event);
  fore_run_writer_barrier_async (stream->writer, NULL, go_on, stream);
  stream->in_flight++;
}

static void
note_input (ForeRunWriter *writer, gpointer user_data)
{
  ((Stream *) user_data)->input = TRUE;
}

/* A busy owner must still hear of a cancel. */
static void
test_command_in_stream_of_barriers (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeRunWriter) writer = open_sample_run (fixture, RUN, 1);
  g_autoptr (ForeCommand) command = NULL;
  Stream stream = { writer, FALSE, 0, 0 };

  g_signal_connect (writer, "input", G_CALLBACK (note_input), &stream);
  for (guint i = 0; i < 50; i++)
    go_on (NULL, NULL, &stream);
  while (stream.n < 200)
    g_main_context_iteration (NULL, TRUE);

  command = send_command (fixture, FORE_COMMAND_CANCEL, "now");
  run_until (&stream.input);
  while (stream.in_flight > 0)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_no_such_run (StoreFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeCommand) command = fore_command_new (FORE_COMMAND_PAUSE, NULL, "window");
  g_autoptr (GError) error = NULL;

  g_assert_false (fore_run_client_command (fixture->store, "zzzzzzzz", command, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  TEST ("answer-rules", test_answer_rules);
  TEST ("answer-to-ended", test_answer_to_ended);
  TEST ("free-text", test_free_text);
  TEST ("one-answer-ever", test_one_answer_ever);
  TEST ("owner-gets-answer", test_owner_gets_answer);
  TEST ("answer-waits-for-owner", test_answer_waits_for_owner);
  TEST ("others-see-answer", test_others_see_answer);
  TEST ("commands-once", test_commands_once);
  TEST ("commands-of-dead-owner", test_commands_of_dead_owner);
  TEST ("command-is-in-delta", test_command_is_in_delta);
  TEST ("messages", test_messages);
  TEST ("command-in-stream-of-barriers", test_command_in_stream_of_barriers);
  TEST ("no-such-run", test_no_such_run);

  return g_test_run ();
}
