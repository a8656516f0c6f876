/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-entry-list.h"
#include "engine/fore-transcript.h"
#include "model/fore-error.h"
#include "platform/fore-dirs.h"
#include "store/fore-run-writer.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#define RUN "abcdefgh"
#define TASK "work"
#define DEADLINE_S 20

typedef struct
{
  char *home;
  ForeStore *store;
  ForeRunWriter *writer;
  ForeTask *task;
  ForeAttempt *attempt;
} Fixture;

static void
remove_folder (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      if (g_file_test (child, G_FILE_TEST_IS_DIR))
        remove_folder (child);
      else
        g_remove (child);
    }
  g_rmdir (path);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeRun) run = fore_run_new (RUN);
  g_autoptr (GPtrArray) tasks = g_ptr_array_new ();
  g_autoptr (GPtrArray) events = g_ptr_array_new ();
  g_autofree char *parent = g_dir_make_tmp ("fore-transcript-XXXXXX", &error);

  g_assert_no_error (error);
  fixture->home = g_steal_pointer (&parent);
  fixture->store = fore_store_open (fixture->home, &error);
  g_assert_no_error (error);

  g_free (run->project);
  run->project = g_strdup (fixture->home);
  fore_run_set_goal (run, "A goal");
  fixture->task = fore_task_new (TASK);
  fixture->task->title = g_strdup ("Work");
  fixture->task->text = g_strdup ("Do the work.");
  g_ptr_array_add (tasks, fixture->task);
  g_assert_true (fore_run_writer_create (fixture->store, run, tasks, events, &error));
  g_assert_no_error (error);

  fixture->writer = fore_run_writer_open (fixture->store, RUN, &error);
  g_assert_no_error (error);
  fixture->attempt = fore_attempt_new (TASK, 1);
  g_free (fixture->attempt->cli);
  fixture->attempt->cli = g_strdup ("claude");
  fixture->attempt->started = g_get_real_time ();
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fore_run_writer_close (fixture->writer, &error);
  g_assert_no_error (error);
  g_object_unref (fixture->writer);
  g_object_unref (fixture->store);
  fore_task_free (fixture->task);
  fore_attempt_free (fixture->attempt);
  remove_folder (fixture->home);
  g_free (fixture->home);
}

static void
put_attempt (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;

  fore_run_writer_put_attempt (fixture->writer, fixture->attempt);
  g_assert_true (fore_run_writer_barrier (fixture->writer, &error));
  g_assert_no_error (error);
}

static void
finish_attempt (Fixture *fixture)
{
  fixture->attempt->finished = g_get_real_time ();
  fixture->attempt->exit_code = 0;
  put_attempt (fixture);
}

static void
append (Fixture *fixture, const char *suffix, const char *text)
{
  g_autofree char *path = fore_dirs_dup_attempt_path (fixture->home, RUN, TASK, 1, suffix);
  FILE *file = fopen (path, "a");

  g_assert_nonnull (file);
  g_assert_cmpuint (fwrite (text, 1, strlen (text), file), ==, strlen (text));
  fclose (file);
}

static void
append_text (Fixture *fixture, const char *id, const char *text)
{
  g_autofree char *line = g_strdup_printf (
      "{\"type\":\"assistant\",\"message\":{\"id\":\"%s\",\"role\":\"assistant\","
      "\"content\":[{\"type\":\"text\",\"text\":\"%s\"}]}}\n",
      id, text);

  append (fixture, "out", line);
}

/* All text of the entries, in order, parted by a bar. */
static char *
join (GPtrArray *entries)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < entries->len; i++)
    {
      const ForeEntry *entry = entries->pdata[i];

      if (entry->kind == FORE_ENTRY_TEXT)
        g_string_append_printf (text, "%s|", entry->text);
    }

  return g_string_free (text, FALSE);
}

static void
test_read (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) entries = NULL;
  g_autofree char *text = NULL;

  g_assert_null (fore_transcript_read (fixture->store, RUN, TASK, 0, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND);
  g_clear_error (&error);

  put_attempt (fixture);
  append_text (fixture, "m1", "Hello");
  append_text (fixture, "m2", "World");
  finish_attempt (fixture);
  entries = fore_transcript_read (fixture->store, RUN, TASK, 0, &error);
  g_assert_no_error (error);
  text = join (entries);
  g_assert_cmpstr (text, ==, "Hello|World|");

  g_assert_null (fore_transcript_read (fixture->store, RUN, TASK, 2, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND);
}

/* Text of what was written to standard error, parted by a bar. */
static char *
join_errors (GPtrArray *entries)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < entries->len; i++)
    {
      const ForeEntry *entry = entries->pdata[i];

      if (entry->kind == FORE_ENTRY_RAW && g_strcmp0 (entry->name, "stderr") == 0)
        g_string_append_printf (text, "%s|", entry->text);
    }

  return g_string_free (text, FALSE);
}

static void
check_read (Fixture *fixture, const char *output, const char *errors)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) entries = fore_transcript_read (fixture->store, RUN, TASK, 0, &error);
  g_autofree char *text = NULL;
  g_autofree char *said = NULL;

  g_assert_no_error (error);
  text = join (entries);
  said = join_errors (entries);
  g_assert_cmpstr (text, ==, output);
  g_assert_cmpstr (said, ==, errors);
}

/* A command that failed said why on its standard error. */
static void
test_command_errors (Fixture *fixture, gconstpointer data)
{
  g_free (fixture->attempt->cli);
  fixture->attempt->cli = g_strdup ("command");
  put_attempt (fixture);
  append (fixture, "err", "no such flavour\n");
  check_read (fixture, "", "no such flavour\n|");
  append (fixture, "out", "printed\n");
  append (fixture, "err", "second \xff without an end");
  finish_attempt (fixture);
  check_read (fixture, "printed\n|", "no such flavour\nsecond \357\277\275 without an end\n|");
}

/* What an agent logs is of interest only where it said nothing else. */
static void
test_agent_errors (Fixture *fixture, gconstpointer data)
{
  put_attempt (fixture);
  append (fixture, "err", "cannot find node\n");
  check_read (fixture, "", "");
  finish_attempt (fixture);
  check_read (fixture, "", "cannot find node\n|");
  append_text (fixture, "m1", "Hello");
  check_read (fixture, "Hello|", "");
}

static void
test_prompt (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *after = NULL;

  g_assert_null (fore_transcript_read_prompt (fixture->store, RUN, TASK, 1, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND);
  g_clear_error (&error);

  put_attempt (fixture);
  append (fixture, "in", "The exact prompt");
  after = fore_transcript_read_prompt (fixture->store, RUN, TASK, 1, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (after, ==, "The exact prompt");
}

typedef struct
{
  GPtrArray *entries;
  guint n_emissions;
  gboolean ended;
} Heard;

static void
on_entries (ForeTranscript *transcript, GPtrArray *entries, gpointer user_data)
{
  Heard *heard = user_data;

  heard->n_emissions++;
  for (guint i = 0; i < entries->len; i++)
    g_ptr_array_add (heard->entries, fore_entry_copy (entries->pdata[i]));
}

static void
on_ended (ForeTranscript *transcript, gpointer user_data)
{
  Heard *heard = user_data;

  g_assert_false (heard->ended);
  heard->ended = TRUE;
}

static gboolean
on_deadline (gpointer user_data)
{
  g_error ("the transcript did not go on in time");
  return G_SOURCE_REMOVE;
}

static void
wait_for_texts (Heard *heard, const char *expected)
{
  guint deadline = g_timeout_add_seconds (DEADLINE_S, on_deadline, NULL);

  for (;;)
    {
      g_autofree char *text = join (heard->entries);

      if (strcmp (text, expected) == 0)
        break;
      g_main_context_iteration (NULL, TRUE);
    }
  g_source_remove (deadline);
}

static ForeTranscript *
start_listening (Fixture *fixture, Heard *heard)
{
  ForeTranscript *transcript = fore_transcript_new (fixture->store, RUN, TASK, 0);

  heard->entries = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_entry_free);
  g_signal_connect (transcript, "entries", G_CALLBACK (on_entries), heard);
  g_signal_connect (transcript, "ended", G_CALLBACK (on_ended), heard);
  fore_transcript_start (transcript);

  return transcript;
}

/* From before the attempt has begun to its end. */
static void
test_follow (Fixture *fixture, gconstpointer data)
{
  Heard heard = { 0 };
  g_autoptr (ForeTranscript) transcript = start_listening (fixture, &heard);
  guint deadline;

  put_attempt (fixture);
  append_text (fixture, "m1", "One");
  wait_for_texts (&heard, "One|");
  append_text (fixture, "m2", "Two");
  wait_for_texts (&heard, "One|Two|");
  g_assert_false (heard.ended);

  append_text (fixture, "m3", "Three");
  finish_attempt (fixture);
  deadline = g_timeout_add_seconds (DEADLINE_S, on_deadline, NULL);
  while (!heard.ended)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (deadline);
  wait_for_texts (&heard, "One|Two|Three|");

  g_ptr_array_unref (heard.entries);
}

static void
test_follow_errors (Fixture *fixture, gconstpointer data)
{
  Heard heard = { 0 };
  g_autoptr (ForeTranscript) transcript = NULL;
  g_autofree char *said = NULL;
  guint deadline;

  g_free (fixture->attempt->cli);
  fixture->attempt->cli = g_strdup ("command");
  transcript = start_listening (fixture, &heard);
  put_attempt (fixture);
  deadline = g_timeout_add_seconds (DEADLINE_S, on_deadline, NULL);
  append (fixture, "err", "first\n");
  while (heard.entries->len == 0)
    g_main_context_iteration (NULL, TRUE);
  said = join_errors (heard.entries);
  g_assert_cmpstr (said, ==, "first\n|");
  finish_attempt (fixture);
  while (!heard.ended)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (deadline);

  g_ptr_array_unref (heard.entries);
}

static void
test_stop (Fixture *fixture, gconstpointer data)
{
  Heard heard = { 0 };
  ForeTranscript *transcript = start_listening (fixture, &heard);

  put_attempt (fixture);
  append_text (fixture, "m1", "One");
  wait_for_texts (&heard, "One|");
  g_object_unref (transcript);
  append_text (fixture, "m2", "Two");
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_cmpuint (heard.entries->len, >, 0);
  g_assert_false (heard.ended);

  g_ptr_array_unref (heard.entries);
}

/* Someone who asks for a task that was skipped is not left waiting. */
static void
test_never_begins (Fixture *fixture, gconstpointer data)
{
  Heard heard = { 0 };
  g_autoptr (ForeTranscript) transcript = start_listening (fixture, &heard);
  g_autoptr (GError) error = NULL;
  guint deadline = g_timeout_add_seconds (DEADLINE_S, on_deadline, NULL);

  fixture->task->status = FORE_TASK_SKIPPED;
  fore_run_writer_put_task (fixture->writer, fixture->task);
  fore_run_writer_barrier (fixture->writer, &error);
  g_assert_no_error (error);
  while (!heard.ended)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (deadline);
  g_assert_cmpuint (heard.entries->len, ==, 0);

  g_ptr_array_unref (heard.entries);
}

static void
add_piece (ForeEntryList *list, const char *id, const char *text, gboolean append)
{
  g_autoptr (ForeEntry) entry = fore_entry_new (FORE_ENTRY_TEXT, id);

  g_free (entry->text);
  entry->text = g_strdup (text);
  entry->append = append;
  fore_entry_list_add (list, entry);
}

static void
test_list_merges (void)
{
  g_autoptr (ForeEntryList) list = fore_entry_list_new ();
  g_autoptr (GPtrArray) entries = NULL;
  g_autofree char *text = NULL;

  add_piece (list, "a", "One", FALSE);
  add_piece (list, "b", "x", FALSE);
  add_piece (list, "a", " and", TRUE);
  add_piece (list, "a", " more", TRUE);
  add_piece (list, "b", "replaced", FALSE);
  add_piece (list, "c", "begins with a piece", TRUE);
  add_piece (list, NULL, "no id", FALSE);
  add_piece (list, NULL, "no id", FALSE);
  entries = fore_entry_list_steal (list);
  text = join (entries);
  g_assert_cmpstr (text, ==, "One and more|replaced|begins with a piece|no id|no id|");
}

/* A million pieces of one text: linear, or this test does not end. */
static void
test_list_pieces (void)
{
  g_autoptr (ForeEntryList) list = fore_entry_list_new ();
  g_autoptr (GPtrArray) entries = NULL;

  for (guint i = 0; i < 1000000; i++)
    add_piece (list, "a", "0123456789", TRUE);
  entries = fore_entry_list_steal (list);
  g_assert_cmpuint (entries->len, ==, 1);
  g_assert_cmpuint (strlen (((ForeEntry *) entries->pdata[0])->text), ==, 10000000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add ("/transcript/read", Fixture, NULL, set_up, test_read, tear_down);
  g_test_add ("/transcript/command-errors", Fixture, NULL, set_up, test_command_errors, tear_down);
  g_test_add ("/transcript/agent-errors", Fixture, NULL, set_up, test_agent_errors, tear_down);
  g_test_add ("/transcript/follow-errors", Fixture, NULL, set_up, test_follow_errors, tear_down);
  g_test_add ("/transcript/prompt", Fixture, NULL, set_up, test_prompt, tear_down);
  g_test_add ("/transcript/follow", Fixture, NULL, set_up, test_follow, tear_down);
  g_test_add ("/transcript/stop", Fixture, NULL, set_up, test_stop, tear_down);
  g_test_add ("/transcript/never-begins", Fixture, NULL, set_up, test_never_begins, tear_down);
  g_test_add_func ("/entry-list/merges", test_list_merges);
  g_test_add_func ("/entry-list/pieces", test_list_pieces);

  return g_test_run ();
}
