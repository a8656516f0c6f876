/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-agent-reader.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "platform/fore-compat-glib.h"

#define N_LINES 2000

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
#define COUNTS_ALLOCATIONS 1

static __thread guint64 n_allocations; /* of each thread its own */

extern void *__libc_malloc (size_t size);
extern void *__libc_calloc (size_t n, size_t size);
extern void *__libc_realloc (void *memory, size_t size);
extern void *malloc (size_t size);
extern void *calloc (size_t n, size_t size);
extern void *realloc (void *memory, size_t size);

void *
malloc (size_t size)
{
  n_allocations++;
  return __libc_malloc (size);
}

void *
calloc (size_t n, size_t size)
{
  n_allocations++;
  return __libc_calloc (n, size);
}

void *
realloc (void *memory, size_t size)
{
  n_allocations++;
  return __libc_realloc (memory, size);
}
#else
#define COUNTS_ALLOCATIONS 0

static guint64 n_allocations;
#endif

typedef struct
{
  char *folder;
  char *path;
  int fd;
  guint n_progress;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("fore-reader-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->folder, "t.1.out", NULL);
  fixture->fd = g_open (fixture->path, O_WRONLY | O_CREAT | O_APPEND, 0600);
  g_assert_cmpint (fixture->fd, >=, 0);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  close (fixture->fd);
  g_remove (fixture->path);
  g_rmdir (fixture->folder);
  g_free (fixture->path);
  g_free (fixture->folder);
}

static void
print (Fixture *fixture, const char *line)
{
  g_assert_cmpint (write (fixture->fd, line, strlen (line)), ==, strlen (line));
}

static void
on_progress (ForeAgentReader *reader, gpointer user_data)
{
  ((Fixture *) user_data)->n_progress++;
}

static void
wait_for_progress (Fixture *fixture, guint n)
{
  gint64 deadline = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;

  while (fixture->n_progress < n)
    {
      g_main_context_iteration (NULL, FALSE);
      g_assert_cmpint (g_get_monotonic_time (), <, deadline);
      g_thread_yield ();
    }
}

static void
on_finished (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
}

/* An agent that talks and says nothing new: the main loop is not woken and allocates nothing, and
 * still all of it is read.
 */
static void
test_talk (Fixture *fixture, gconstpointer data)
{
  g_autoptr (ForeAgentReader) reader = fore_agent_reader_new (fore_adapter_lookup ("demo"), FALSE,
                                                              fixture->path);
  gint64 active;
  guint64 before;
  gboolean finished = FALSE;

  g_signal_connect (reader, "progress", G_CALLBACK (on_progress), fixture);
  fore_agent_reader_watch (reader);
  print (fixture, "{\"type\":\"session\",\"id\":\"d-1\",\"model\":\"demo-1\"}\n");
  wait_for_progress (fixture, 1);
  active = fore_agent_reader_get_last_activity (reader);

  before = n_allocations;
  for (guint i = 0; i < N_LINES; i++)
    {
      print (fixture, "{\"type\":\"text\",\"id\":\"t\",\"delta\":\"word \"}\n");
      g_main_context_iteration (NULL, FALSE);
    }
  while (fore_agent_reader_get_last_activity (reader) == active)
    g_main_context_iteration (NULL, FALSE);
  g_assert_cmpuint (fixture->n_progress, ==, 1);
  if (COUNTS_ALLOCATIONS)
    g_assert_cmpuint (n_allocations - before, ==, 0);

  print (fixture, "{\"type\":\"usage\",\"id\":\"c\",\"usage\":{\"input\":10,\"output\":5}}\n");
  wait_for_progress (fixture, 2);
  g_assert_cmpint (fore_agent_reader_get_usage (reader)->input, ==, 10);

  print (fixture, "{\"type\":\"result\",\"state\":\"completed\"}\n");
  fore_agent_reader_finish_async (reader, 1, on_finished, &finished);
  while (!finished)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (
      strlen (fore_decoder_get_summary (fore_agent_reader_get_decoder (reader))->final_text), ==,
      N_LINES * strlen ("word "));
}

/* A reader that is dropped while its agent talks is not heard of again. */
static void
test_dropped (Fixture *fixture, gconstpointer data)
{
  ForeAgentReader *reader = fore_agent_reader_new (fore_adapter_lookup ("demo"), FALSE,
                                                   fixture->path);
  g_autoptr (ForeAgentReader) other = NULL;
  Fixture heard = { 0 };

  g_signal_connect (reader, "progress", G_CALLBACK (on_progress), fixture);
  fore_agent_reader_watch (reader);
  for (guint i = 0; i < 200; i++)
    {
      g_autofree char *line = g_strdup_printf (
          "{\"type\":\"usage\",\"id\":\"%u\",\"usage\":{\"input\":1}}\n", i);

      print (fixture, line);
    }
  wait_for_progress (fixture, 1);
  g_object_unref (reader);

  fixture->n_progress = 0;
  other = fore_agent_reader_new (fore_adapter_lookup ("demo"), FALSE, fixture->path);
  g_signal_connect (other, "progress", G_CALLBACK (on_progress), &heard);
  fore_agent_reader_watch (other);
  print (fixture, "{\"type\":\"usage\",\"id\":\"x\",\"usage\":{\"input\":1}}\n");
  wait_for_progress (&heard, 1);
  g_assert_cmpuint (fixture->n_progress, ==, 0);
}

/* However much a command prints, its answer is the last part of it, though that was not held while
 * it was printed.
 */
static void
test_long_answer (Fixture *fixture, gconstpointer data)
{
  g_autoptr (ForeAgentReader) reader = fore_agent_reader_new (fore_adapter_lookup ("command"),
                                                              FALSE, fixture->path);
  g_autoptr (GString) printed = g_string_new (NULL);
  const char *answer;
  gboolean finished = FALSE;

  fore_agent_reader_watch (reader);
  for (guint i = 0; i < 20 * N_LINES; i++)
    g_string_append_printf (printed, "line %u\n", i);
  print (fixture, printed->str);
  fore_agent_reader_finish_async (reader, printed->len, on_finished, &finished);
  while (!finished)
    g_main_context_iteration (NULL, TRUE);

  answer = fore_decoder_get_summary (fore_agent_reader_get_decoder (reader))->final_text;
  g_string_truncate (printed, printed->len - 1);
  g_assert_cmpuint (strlen (answer), ==, 128 * 1024 - 1);
  g_assert_true (g_str_has_suffix (printed->str, answer));
}

static void
on_request (ForeAgentReader *reader, ForeEntry *entry, gpointer user_data)
{
  g_assert_cmpstr (entry->title, ==, "May I?");
  fore_set_str (user_data, entry->id);
}

static void
on_caught_up (ForeAgentReader *reader, gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
}

/* Whoever takes a session up may be slow in finding out what it was told: until it knows, nothing
 * is decoded, as the answers would be taken for those to questions that nobody asked.
 */
static void
test_taken_up_late (Fixture *fixture, gconstpointer data)
{
  g_autoptr (ForeAgentReader) reader = fore_agent_reader_new (fore_adapter_lookup ("demo"), TRUE,
                                                              fixture->path);
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_said_free);
  g_autoptr (ForeSaid) answer = NULL;
  ForeSessionStart start = { .cwd = "/" };
  ForeSaid *begin = g_new0 (ForeSaid, 1);
  gint64 late = g_get_monotonic_time () + G_USEC_PER_SEC / 5;
  gboolean caught_up = FALSE;
  g_autofree char *id = NULL;

  print (fixture,
         "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":1}}\n"
         "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"sessionId\":\"s\"}}\n"
         "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"session/request_permission\","
         "\"params\":{\"sessionId\":\"s\",\"toolCall\":{\"toolCallId\":\"ask-0\",\"title\":"
         "\"May I?\"},\"options\":[{\"optionId\":\"yes\",\"name\":\"Allow\","
         "\"kind\":\"allow_once\"}]}}\n");
  while (g_get_monotonic_time () < late)
    {
      g_main_context_iteration (NULL, FALSE);
      g_thread_yield ();
    }
  begin->kind = g_strdup ("begin");
  begin->text = g_strdup ("work");
  g_ptr_array_add (list, begin);
  g_signal_connect (reader, "permission", G_CALLBACK (on_request), &id);
  g_signal_connect (reader, "caught-up", G_CALLBACK (on_caught_up), &caught_up);
  fore_agent_reader_replay (reader, list, &start);

  fore_agent_reader_watch (reader);
  fore_agent_reader_poll (reader);
  while (!caught_up)
    g_main_context_iteration (NULL, TRUE);
  g_assert_nonnull (id);
  answer = fore_agent_reader_say (reader, "answer", id, "yes");
  g_assert_nonnull (answer);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/engine/agent-reader/talk", Fixture, NULL, set_up, test_talk, tear_down);
  g_test_add ("/engine/agent-reader/taken-up-late", Fixture, NULL, set_up, test_taken_up_late,
              tear_down);
  g_test_add ("/engine/agent-reader/long-answer", Fixture, NULL, set_up, test_long_answer,
              tear_down);
  g_test_add ("/engine/agent-reader/dropped", Fixture, NULL, set_up, test_dropped, tear_down);

  return g_test_run ();
}
