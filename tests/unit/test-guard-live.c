/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sessions that are talked to, and guards that outlive their runner. */

#include "config.h"

#include <gio/gunixsocketaddress.h>
#include <string.h>
#include <unistd.h>

#include "guard-fixture.h"
#include "model/fore-error.h"
#include "platform/fore-slots.h"

static void
test_live_session (GuardFixture *f, gconstpointer data)
{
  g_autoptr (ForeGuard) guard = NULL;
  const ForeGuardRecord *record;
  guint64 last = 0;

  f->launch.stdin_mode = FORE_GUARD_STDIN_LIVE;
  f->launch.capture_mode = FORE_GUARD_CAPTURE_PIPE;
  guard = guard_fixture_spawn_script (f, "exec cat");
  guard_fixture_say (f, guard, "one\n", 5);
  guard_fixture_say (f, guard, "one again\n", 5);
  guard_fixture_say (f, guard, "two\n", 6);
  guard_fixture_say (f, guard, "three\n", 0);
  last = guard_fixture_hello (f, guard);
  g_assert_cmpuint (last, ==, 6);
  fore_guard_close_stdin (guard);
  record = guard_fixture_wait_exit (f, guard);
  g_assert_cmpint (record->reason, ==, FORE_GUARD_REASON_EXITED);
  guard_fixture_assert_capture (f, "out", "one\ntwo\nthree\n", -1);
  guard_fixture_assert_capture (f, "in", "one\ntwo\nthree\n", -1);
}

static void
test_live_polite_end (GuardFixture *f, gconstpointer data)
{
  g_autoptr (ForeGuard) guard = NULL;
  const ForeGuardRecord *record;

  f->launch.stdin_mode = FORE_GUARD_STDIN_LIVE;
  guard = guard_fixture_spawn_script (f, "trap '' INT; cat; echo bye; exit 4");
  guard_fixture_say (f, guard, "hello\n", 1);
  fore_guard_end (guard);
  record = guard_fixture_wait_exit (f, guard);
  g_assert_cmpint (record->reason, ==, FORE_GUARD_REASON_TOLD_END);
  g_assert_cmpint (record->exit_code, ==, 4);
  g_assert_false (record->flags & FORE_GUARD_FLAG_TERM);
  guard_fixture_assert_capture (f, "out", "hello\nbye\n", -1);
}

static void
wait_for_slot (GuardFixture *f, gboolean taken)
{
  gint64 deadline = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;

  while ((fore_slots_count_used (f->home, FORE_POOL_AGENTS, 2) > 0) != taken)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, deadline);
      g_main_context_iteration (NULL, FALSE);
    }
}

/* The place is given back, and another one taken, which stays when we have gone. */
static void
test_slot_back_and_again (GuardFixture *f, gconstpointer data)
{
  ForeSlot *slot = fore_slot_try (f->home, FORE_POOL_AGENTS, 2, NULL);
  g_autoptr (ForeGuard) guard = NULL;

  f->launch.stdin_mode = FORE_GUARD_STDIN_LIVE;
  f->launch.slot_fds[0] = fore_slot_get_fd (slot);
  f->launch.n_slot_fds = 1;
  guard = guard_fixture_spawn_script (f, "exec cat");
  guard_fixture_say (f, guard, "one\n", 1);
  fore_slot_free (slot);
  wait_for_slot (f, TRUE);
  fore_guard_free_slots (guard);
  wait_for_slot (f, FALSE);

  slot = fore_slot_try (f->home, FORE_POOL_AGENTS, 2, NULL);
  fore_guard_give_slot (guard, fore_slot_get_fd (slot));
  guard_fixture_hello (f, guard);
  fore_slot_free (slot);
  g_assert_cmpuint (fore_slots_count_used (f->home, FORE_POOL_AGENTS, 2), ==, 1);

  fore_guard_close_stdin (guard);
  guard_fixture_wait_exit (f, guard);
  g_assert_cmpuint (fore_slots_count_used (f->home, FORE_POOL_AGENTS, 2), ==, 0);
}

static void
on_said_error (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_assert_false (fore_guard_say_finish (FORE_GUARD (source), result, user_data));
}

/* An agent that does not read must not keep us from ending it. */
static void
test_live_deaf (GuardFixture *f, gconstpointer data)
{
  g_autofree char *text = g_strnfill (8 * 1024 * 1024, 'x');
  g_autoptr (GBytes) bytes = g_bytes_new (text, 8 * 1024 * 1024);
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeGuard) guard = NULL;
  const ForeGuardRecord *record;

  f->launch.stdin_mode = FORE_GUARD_STDIN_LIVE;
  guard = guard_fixture_spawn_script (f, "echo up; exec sleep 600");
  fore_guard_say_async (guard, bytes, 1, NULL, on_said_error, &error);
  guard_fixture_wait_capture (f, "out", 3);
  fore_guard_kill (guard);
  record = guard_fixture_wait_exit (f, guard);
  g_assert_cmpint (record->reason, ==, FORE_GUARD_REASON_TOLD_KILL);
  guard_fixture_wait_pointer (f, (gpointer *) &error);
  g_assert_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND);
}

static void
test_adopt_never_started (GuardFixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (fore_guard_adopt (f->hub, "nobody", 1, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND);
}

static void
test_adopt_ended (GuardFixture *f, gconstpointer data)
{
  g_autoptr (ForeGuard) guard = NULL;

  guard_fixture_run_script (f, "exit 9");
  guard_fixture_new_hub (f);
  guard = fore_guard_adopt (f->hub, f->launch.task, f->launch.n, NULL);
  g_assert_null (fore_guard_get_exit_record (guard));
  g_assert_cmpint (guard_fixture_wait_exit (f, guard)->exit_code, ==, 9);
}

static void
test_adopt_lost (GuardFixture *f, gconstpointer data)
{
  ForeGuardRecord record = { .kind = FORE_GUARD_START, .task = "ghost", .attempt = 1 };
  g_autofree char *exits = g_build_filename (f->run_dir, "exits", NULL);
  g_autoptr (ForeGuard) guard = NULL;

  record.guard_pid = getpid ();
  record.guard_start = 1;
  fore_guard_record_seal (&record);
  g_assert_true (g_file_set_contents (exits, (const char *) &record, sizeof record, NULL));
  guard_fixture_new_hub (f);
  guard = fore_guard_adopt (f->hub, "ghost", 1, NULL);
  g_assert_cmpint (guard_fixture_wait_exit (f, guard)->reason, ==, FORE_GUARD_REASON_LOST);
}

/* A runner of its own starts a live session and is killed; the next one goes on. */
static void
test_adopt_after_kill (GuardFixture *f, gconstpointer data)
{
  g_autoptr (ForeGuard) guard = NULL;
  const ForeGuardRecord *record;

  guard_fixture_run_runner (f, "600000");
  guard = fore_guard_adopt (f->hub, f->launch.task, f->launch.n, NULL);
  g_assert_nonnull (guard);
  g_assert_cmpuint (guard_fixture_hello (f, guard), ==, 1);
  guard_fixture_say (f, guard, "first\n", 1);
  guard_fixture_say (f, guard, "second\n", 2);
  fore_guard_close_stdin (guard);
  record = guard_fixture_wait_exit (f, guard);
  g_assert_cmpint (record->reason, ==, FORE_GUARD_REASON_EXITED);
  guard_fixture_assert_capture (f, "out", "first\nsecond\n", -1);
}

static void
test_orphan (GuardFixture *f, gconstpointer data)
{
  g_autoptr (ForeGuard) guard = NULL;
  const ForeGuardRecord *record;

  guard_fixture_run_runner (f, "200");
  guard = fore_guard_adopt (f->hub, f->launch.task, f->launch.n, NULL);
  record = guard_fixture_wait_exit (f, guard);
  g_assert_cmpint (record->reason, ==, FORE_GUARD_REASON_ORPHANED);
  guard_fixture_assert_nothing_left (f);
}

/* Whoever cancelled the run has died, and nobody takes it up. */
static void
test_cancelled_without_owner (GuardFixture *f, gconstpointer data)
{
  g_autoptr (ForeGuard) guard = NULL;

  guard_fixture_run_runner (f, "600000");
  fore_guard_mark_cancelled (f->run_dir, TRUE);
  guard = fore_guard_adopt (f->hub, f->launch.task, f->launch.n, NULL);
  g_assert_cmpint (guard_fixture_wait_exit (f, guard)->reason, ==, FORE_GUARD_REASON_CANCELLED);
  guard_fixture_assert_nothing_left (f);
}

/* A guard that looks at the lock must not keep a new owner from taking it, nor end what has one. */
static void
test_new_owner (GuardFixture *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (f->run_dir, "owner.lock", NULL);
  g_autoptr (ForeLock) lock = NULL;
  g_autoptr (ForeGuard) guard = NULL;

  guard_fixture_run_runner (f, "300");
  lock = fore_lock_try (path, TRUE, "the next", NULL);
  g_assert_nonnull (lock);
  guard = fore_guard_adopt (f->hub, f->launch.task, f->launch.n, NULL);
  /* More than twice the grace: what would end it had time to. */
  guard_fixture_let_pass (f, 700000);
  g_assert_cmpuint (guard_fixture_hello (f, guard), ==, 1);

  g_clear_pointer (&lock, fore_lock_free);
  g_assert_cmpint (guard_fixture_wait_exit (f, guard)->reason, ==, FORE_GUARD_REASON_ORPHANED);
}

/* The guard of an attempt whose runner died before its first record was written. */
static void
test_adopt_unrecorded (GuardFixture *f, gconstpointer data)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (0);
  g_autofree char *exits = g_build_filename (f->run_dir, "exits", NULL);
  g_autoptr (GSubprocess) stand_in = NULL;
  g_autoptr (ForeGuard) guard = NULL;
  ForeGuardRecord record = { .kind = FORE_GUARD_START, .task = "task", .attempt = 1 };

  g_subprocess_launcher_set_environ (launcher, f->env);
  stand_in = g_subprocess_launcher_spawn (launcher, NULL, "/bin/sleep", "600", NULL);
  guard = fore_guard_adopt (f->hub, "task", 1, NULL);
  g_assert_nonnull (guard);
  g_assert_null (fore_guard_get_start_record (guard));
  fore_guard_record_seal (&record);
  g_assert_true (g_file_set_contents (exits, (const char *) &record, sizeof record, NULL));
  guard_fixture_wait_started (f, guard);
  g_subprocess_force_exit (stand_in);
  g_assert_cmpint (guard_fixture_wait_exit (f, guard)->reason, ==, FORE_GUARD_REASON_LOST);
}

static void
ask_raw (const char *socket, const char *text, gsize length, const char *expected)
{
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  g_autoptr (GSocketAddress) address = g_unix_socket_address_new (socket);
  g_autoptr (GSocketConnection) connection = NULL;
  g_autoptr (GDataInputStream) input = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *answer = NULL;

  connection = g_socket_client_connect (client, G_SOCKET_CONNECTABLE (address), NULL, &error);
  g_assert_no_error (error);
  g_output_stream_write_all (g_io_stream_get_output_stream (G_IO_STREAM (connection)), text, length,
                             NULL, NULL, &error);
  g_assert_no_error (error);
  if (expected == NULL)
    return;

  input = g_data_input_stream_new (g_io_stream_get_input_stream (G_IO_STREAM (connection)));
  answer = g_data_input_stream_read_line (input, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (answer, ==, expected);
}

/* A client that talks nonsense, or goes in the middle of a message, harms nobody. */
static void
test_bad_clients (GuardFixture *f, gconstpointer data)
{
  g_autofree char *socket = fore_guard_dup_socket_path (f->run_dir, "task", 1, NULL);
  g_autofree char *noise = g_strnfill (5000, 'z');
  g_autoptr (ForeGuard) guard = NULL;

  f->launch.stdin_mode = FORE_GUARD_STDIN_LIVE;
  guard = guard_fixture_spawn_script (f, "exec cat");
  guard_fixture_wait_started (f, guard);
  ask_raw (socket, "please\n", 7, "error unknown");
  ask_raw (socket, "in ten 1\n", 9, "error usage");
  ask_raw (socket, "in 99999999999 1\n", 17, "error too-long");
  ask_raw (socket, "limits -1 x\n", 12, "error usage");
  ask_raw (socket, noise, 5000, "error usage");
  ask_raw (socket, "in 100 7\nhalf of it", 19, NULL);
  ask_raw (socket, "", 0, NULL);
  for (guint i = 0; i < 40; i++)
    ask_raw (socket, "hello", 5, NULL);
  ask_raw (socket, "in 6 8\nwhole\nin 5 9\nmore\n", 26, "ok 8");
  guard_fixture_wait_capture (f, "out", 11);
  g_assert_cmpuint (guard_fixture_hello (f, guard), ==, 9);
  fore_guard_close_stdin (guard);
  guard_fixture_wait_exit (f, guard);
  guard_fixture_assert_capture (f, "out", "whole\nmore\n", -1);
}

static void
add (const char *name, void (*test) (GuardFixture *, gconstpointer))
{
  g_autofree char *path = g_strconcat ("/guard-live/", name, NULL);

  g_test_add (path, GuardFixture, NULL, guard_fixture_set_up, test, guard_fixture_tear_down);
}

int
main (int argc, char **argv)
{
  int result;

  if (argc > 2 && strcmp (argv[1], "--runner") == 0)
    return guard_fixture_be_runner (argv + 2);

  guard_fixture_init (argv[0]);
  g_test_init (&argc, &argv, NULL);
  add ("live-session", test_live_session);
  add ("live-polite-end", test_live_polite_end);
  add ("live-deaf", test_live_deaf);
  add ("slot-back-and-again", test_slot_back_and_again);
  add ("adopt-never-started", test_adopt_never_started);
  add ("adopt-ended", test_adopt_ended);
  add ("adopt-lost", test_adopt_lost);
  add ("adopt-after-kill", test_adopt_after_kill);
  add ("orphan", test_orphan);
  add ("cancelled-without-owner", test_cancelled_without_owner);
  add ("new-owner", test_new_owner);
  add ("adopt-unrecorded", test_adopt_unrecorded);
  add ("bad-clients", test_bad_clients);
  result = g_test_run ();
  guard_fixture_finish ();
  return result;
}
