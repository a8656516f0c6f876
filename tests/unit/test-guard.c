/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "guard-fixture.h"
#include "model/fore-error.h"
#include "platform/fore-process.h"
#include "platform/fore-slots.h"

static void
test_exit_code (GuardFixture *f, gconstpointer data)
{
  const ForeGuardRecord *record = guard_fixture_run_script (f, "echo out; echo err >&2; exit 3");

  g_assert_cmpint (record->reason, ==, FORE_GUARD_REASON_EXITED);
  g_assert_cmpint (record->exit_code, ==, 3);
  g_assert_cmpint (record->term_signal, ==, 0);
  g_assert_cmpint (record->out_bytes, ==, 4);
  g_assert_cmpint (record->err_bytes, ==, 4);
  g_assert_cmpint (record->survivors, ==, 0);
  g_assert_cmpint (record->start_boot_us, <=, record->end_boot_us);
  g_assert_cmpint (record->max_rss_kb, >, 0);
  guard_fixture_assert_capture (f, "out", "out\n", 4);
  guard_fixture_assert_capture (f, "err", "err\n", 4);
}

static void
test_start_before_exec (GuardFixture *f, gconstpointer data)
{
  g_autoptr (ForeGuard) guard = guard_fixture_spawn_script (f, "echo $$");
  const ForeGuardRecord *record = guard_fixture_wait_exit (f, guard);
  const ForeGuardRecord *start = fore_guard_get_start_record (guard);
  g_autofree char *pid = NULL;
  ForeProcessId id;

  g_assert_nonnull (start);
  g_assert_cmpint (start->kind, ==, FORE_GUARD_START);
  g_assert_cmpint (start->agent_pid, ==, record->agent_pid);
  g_assert_cmpuint (start->agent_start, >, 0);
  pid = g_strdup_printf ("%d\n", start->agent_pid);
  guard_fixture_assert_capture (f, "out", pid, (gssize) strlen (pid));
  g_assert_true (fore_guard_get_agent_id (guard, &id));
  g_assert_cmpstr (id.boot, ==, fore_process_get_boot_id ());
  g_assert_cmpint (f->n_started, ==, 1);
}

static void
test_signal (GuardFixture *f, gconstpointer data)
{
  const ForeGuardRecord *record = guard_fixture_run_script (f, "kill -SEGV $$");

  g_assert_cmpint (record->reason, ==, FORE_GUARD_REASON_SIGNALLED);
  g_assert_cmpint (record->term_signal, ==, SIGSEGV);
  g_assert_cmpint (record->exit_code, ==, -1);
}

static void
test_exec_failed (GuardFixture *f, gconstpointer data)
{
  static const char *const argv[] = { "/nowhere/agent", NULL };
  g_autoptr (ForeGuard) guard = NULL;
  const ForeGuardRecord *record;

  f->launch.argv = argv;
  guard = guard_fixture_spawn (f);
  record = guard_fixture_wait_exit (f, guard);
  g_assert_cmpint (record->reason, ==, FORE_GUARD_REASON_EXEC_FAILED);
  g_assert_cmpint (record->error, ==, ENOENT);
  g_assert_cmpint (record->exit_code, ==, -1);
}

static void
test_no_folder (GuardFixture *f, gconstpointer data)
{
  const ForeGuardRecord *record;

  f->launch.cwd = "/nowhere";
  record = guard_fixture_run_script (f, "exit 0");
  g_assert_cmpint (record->reason, ==, FORE_GUARD_REASON_EXEC_FAILED);
  g_assert_cmpint (record->error, ==, ENOENT);
}

static void
test_no_input_file (GuardFixture *f, gconstpointer data)
{
  const ForeGuardRecord *record;

  f->launch.stdin_mode = FORE_GUARD_STDIN_FILE;
  record = guard_fixture_run_script (f, "exit 0");
  g_assert_cmpint (record->reason, ==, FORE_GUARD_REASON_EXEC_FAILED);
  g_assert_cmpint (record->error, ==, ENOENT);
}

/* The data is the capture mode. */
static void
test_bytes (GuardFixture *f, gconstpointer data)
{
  g_autofree char *bytes = g_malloc (3000000);
  g_autofree char *input = guard_fixture_dup_path (f, "in");
  const ForeGuardRecord *record;

  for (guint i = 0; i < 3000000; i++)
    bytes[i] = (char) (i * 2654435761u >> 13);
  g_assert_true (g_file_set_contents (input, bytes, 3000000, NULL));

  f->launch.stdin_mode = FORE_GUARD_STDIN_FILE;
  f->launch.capture_mode = GPOINTER_TO_INT (data);
  record = guard_fixture_run_script (f, "cat");
  g_assert_cmpint (record->exit_code, ==, 0);
  g_assert_cmpint (record->out_bytes, ==, 3000000);
  guard_fixture_assert_capture (f, "out", bytes, 3000000);
}

static void
test_no_input (GuardFixture *f, gconstpointer data)
{
  const ForeGuardRecord *record = guard_fixture_run_script (f, "cat; readlink /proc/self/fd/0");

  g_assert_cmpint (record->exit_code, ==, 0);
  guard_fixture_assert_capture (f, "out", "/dev/null\n", -1);
}

static void
test_environment (GuardFixture *f, gconstpointer data)
{
  static const char *const argv[] = { "/usr/bin/env", NULL };
  g_autoptr (ForeGuard) guard = NULL;
  g_autofree char *lines = NULL;
  g_autofree char *expected = NULL;

  f->launch.argv = argv;
  guard = guard_fixture_spawn (f);
  guard_fixture_wait_exit (f, guard);
  lines = g_strjoinv ("\n", (GStrv) f->launch.env);
  expected = g_strconcat (lines, "\n", NULL);
  guard_fixture_assert_capture (f, "out", expected, -1);
}

static void
test_descriptors (GuardFixture *f, gconstpointer data)
{
  g_autoptr (ForeSlot) slot = fore_slot_try (f->home, FORE_POOL_AGENTS, 1, NULL);
  int leaked = open ("/dev/null", O_RDONLY);

  f->launch.slot_fds[0] = fore_slot_get_fd (slot);
  f->launch.n_slot_fds = 1;
  guard_fixture_run_script (f, "for fd in 0 1 2 3 4 5 6 7 8 9 10 20 30; do\n"
                               "  [ -e /proc/$$/fd/$fd ] && echo $fd\n"
                               "done");
  guard_fixture_assert_capture (f, "out", "0\n1\n2\n", -1);
  close (leaked);
}

static void
test_own_session (GuardFixture *f, gconstpointer data)
{
  guard_fixture_run_script (
      f, "set -- $(cat /proc/$$/stat); [ $5 = $$ ] && [ $6 = $$ ] && echo leader");
  guard_fixture_assert_capture (f, "out", "leader\n", -1);
}

static void
test_stubborn_tree (GuardFixture *f, gconstpointer data)
{
  g_autoptr (ForeGuard) guard = NULL;
  const ForeGuardRecord *record;

  f->launch.grace_ms = 100;
  guard = guard_fixture_spawn_script (
      f, "trap '' TERM INT HUP\n"
         "setsid sh -c 'trap \"\" TERM INT HUP; echo away; while :; do sleep 1; done' &\n"
         "echo here; while :; do sleep 1; done");
  guard_fixture_wait_capture (f, "out", 10);
  fore_guard_end (guard);
  record = guard_fixture_wait_exit (f, guard);
  g_assert_cmpint (record->reason, ==, FORE_GUARD_REASON_TOLD_END);
  g_assert_true (record->flags & FORE_GUARD_FLAG_TERM);
  g_assert_true (record->flags & FORE_GUARD_FLAG_KILL);
  g_assert_false (record->flags & FORE_GUARD_FLAG_SURVIVORS);
  guard_fixture_assert_nothing_left (f);
}

static void
test_left_behind (GuardFixture *f, gconstpointer data)
{
  const ForeGuardRecord *record = guard_fixture_run_script (
      f, "setsid sleep 600 & sleep 600 & exit 0");

  g_assert_cmpint (record->reason, ==, FORE_GUARD_REASON_EXITED);
  g_assert_cmpint (record->exit_code, ==, 0);
  g_assert_cmpint (record->survivors, ==, 2);
  guard_fixture_assert_nothing_left (f);
}

static void
test_rest_of_pipeline (GuardFixture *f, gconstpointer data)
{
  const ForeGuardRecord *record = guard_fixture_run_script (f, "(sleep 0.05; echo late) & exit 0");

  g_assert_cmpint (record->survivors, ==, 0);
  guard_fixture_assert_capture (f, "out", "late\n", -1);
}

/* What prints nothing makes no file. */
static void
test_silent_pipe (GuardFixture *f, gconstpointer data)
{
  g_autofree char *out = guard_fixture_dup_path (f, "out");
  g_autofree char *err = guard_fixture_dup_path (f, "err");
  const ForeGuardRecord *record;

  f->launch.capture_mode = FORE_GUARD_CAPTURE_PIPE;
  record = guard_fixture_run_script (f, "echo word >&2");
  g_assert_cmpint (record->out_bytes, ==, 0);
  g_assert_cmpint (record->err_bytes, ==, 5);
  g_assert_false (g_file_test (out, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (err, G_FILE_TEST_EXISTS));
}

static void
test_output_limit_file (GuardFixture *f, gconstpointer data)
{
  const ForeGuardRecord *record;

  f->launch.capture_limit = 65536;
  record = guard_fixture_run_script (f, "trap '' TERM INT; while :; do echo more and more; done");
  g_assert_cmpint (record->reason, ==, FORE_GUARD_REASON_OUTPUT_LIMIT);
  g_assert_cmpint (record->out_bytes, >, 65536);
}

static void
test_output_limit_pipe (GuardFixture *f, gconstpointer data)
{
  const ForeGuardRecord *record;

  f->launch.capture_limit = 65537;
  f->launch.capture_mode = FORE_GUARD_CAPTURE_PIPE;
  record = guard_fixture_run_script (f, "yes");
  g_assert_cmpint (record->reason, ==, FORE_GUARD_REASON_OUTPUT_LIMIT);
  g_assert_cmpint (record->out_bytes, ==, 65537);
}

static void
test_output_limit_quick (GuardFixture *f, gconstpointer data)
{
  const ForeGuardRecord *record;

  f->launch.capture_limit = 3;
  f->launch.capture_mode = FORE_GUARD_CAPTURE_PIPE;
  record = guard_fixture_run_script (f, "echo four");
  g_assert_cmpint (record->reason, ==, FORE_GUARD_REASON_OUTPUT_LIMIT);
  guard_fixture_assert_capture (f, "out", "fou", -1);
}

static void
test_limits_changed (GuardFixture *f, gconstpointer data)
{
  g_autoptr (ForeGuard) guard = NULL;
  const ForeGuardRecord *record;

  guard = guard_fixture_spawn_script (f, "echo up; exec sleep 600");
  guard_fixture_wait_capture (f, "out", 3);
  fore_guard_set_limits (guard, 0, 1);
  record = guard_fixture_wait_exit (f, guard);
  g_assert_cmpint (record->reason, ==, FORE_GUARD_REASON_WALL_LIMIT);
}

static void
test_truncated_capture (GuardFixture *f, gconstpointer data)
{
  g_autoptr (ForeGuard) guard = NULL;
  g_autofree char *path = guard_fixture_dup_path (f, "out");
  const ForeGuardRecord *record;

  guard = guard_fixture_spawn_script (
      f, "echo hello; while [ -s /proc/$$/fd/1 ]; do sleep 0.02; done");
  guard_fixture_wait_capture (f, "out", 6);
  /* Once the guard has seen its size, which it looks at every 50 ms. */
  guard_fixture_let_pass (f, 200000);
  g_assert_cmpint (truncate (path, 0), ==, 0);
  record = guard_fixture_wait_exit (f, guard);
  g_assert_true (record->flags & FORE_GUARD_FLAG_SHRUNK);
}

static void
test_wall_limit (GuardFixture *f, gconstpointer data)
{
  const ForeGuardRecord *record;

  f->launch.wall_ms = 100;
  record = guard_fixture_run_script (f, "exec sleep 600");
  g_assert_cmpint (record->reason, ==, FORE_GUARD_REASON_WALL_LIMIT);
  g_assert_cmpint (record->end_boot_us - record->start_boot_us, >=, 100000);
  g_assert_cmpint (record->term_signal, ==, SIGINT);
}

static void
test_interrupt (GuardFixture *f, gconstpointer data)
{
  g_autoptr (ForeGuard) guard = NULL;
  const ForeGuardRecord *record;

  guard = guard_fixture_spawn_script (f,
                                      "trap 'exit 7' INT; echo up; while :; do sleep 0.02; done");
  guard_fixture_wait_capture (f, "out", 3);
  fore_guard_interrupt (guard);
  record = guard_fixture_wait_exit (f, guard);
  g_assert_cmpint (record->reason, ==, FORE_GUARD_REASON_EXITED);
  g_assert_cmpint (record->exit_code, ==, 7);
}

static void
test_kill (GuardFixture *f, gconstpointer data)
{
  g_autoptr (ForeGuard) guard = NULL;
  const ForeGuardRecord *record;

  guard = guard_fixture_spawn_script (f, "trap '' TERM INT; echo up; while :; do sleep 1; done");
  guard_fixture_wait_capture (f, "out", 3);
  fore_guard_kill (guard);
  record = guard_fixture_wait_exit (f, guard);
  g_assert_cmpint (record->reason, ==, FORE_GUARD_REASON_TOLD_KILL);
  g_assert_cmpint (record->term_signal, ==, SIGKILL);
}

/* What is told before the guard listens must not get lost. */
static void
test_end_at_once (GuardFixture *f, gconstpointer data)
{
  g_autoptr (ForeGuard) guard = guard_fixture_spawn_script (f, "exec sleep 600");
  const ForeGuardRecord *record;

  fore_guard_end (guard);
  record = guard_fixture_wait_exit (f, guard);
  g_assert_cmpint (record->reason, ==, FORE_GUARD_REASON_TOLD_END);
}

/* The data is which. */
static void
test_no_socket (GuardFixture *f, gconstpointer data)
{
  g_autofree char *socket = fore_guard_dup_socket_path (f->run_dir, "task", 1, NULL);
  gboolean kill_it = GPOINTER_TO_INT (data);
  g_autoptr (ForeGuard) guard = guard_fixture_spawn_script (f, "exec sleep 600");
  const ForeGuardRecord *record;

  guard_fixture_wait_started (f, guard);
  g_assert_cmpint (g_unlink (socket), ==, 0);
  if (kill_it)
    fore_guard_kill (guard);
  else
    fore_guard_end (guard);
  record = guard_fixture_wait_exit (f, guard);
  g_assert_cmpint (record->reason, ==,
                   kill_it ? FORE_GUARD_REASON_LOST : FORE_GUARD_REASON_TOLD_END);
}

static void
test_terminated_guard (GuardFixture *f, gconstpointer data)
{
  g_autoptr (ForeGuard) guard = NULL;
  const ForeGuardRecord *record;
  ForeProcessId id;

  guard = guard_fixture_spawn_script (f, "echo up; exec sleep 600");
  guard_fixture_wait_capture (f, "out", 3);
  guard_fixture_wait_started (f, guard);
  g_assert_true (fore_guard_get_guard_id (guard, &id));
  g_assert_true (fore_process_signal (&id, SIGTERM, NULL));
  record = guard_fixture_wait_exit (f, guard);
  g_assert_cmpint (record->reason, ==, FORE_GUARD_REASON_TOLD_END);
}

static void
test_killed_guard (GuardFixture *f, gconstpointer data)
{
  ForeSlot *slot = fore_slot_try (f->home, FORE_POOL_AGENTS, 1, NULL);
  g_autoptr (ForeGuard) guard = NULL;
  const ForeGuardRecord *record;
  ForeProcessId id;

  f->launch.slot_fds[0] = fore_slot_get_fd (slot);
  f->launch.n_slot_fds = 1;
  guard = guard_fixture_spawn_script (f, "setsid sh -c 'echo up; exec sleep 600' & sleep 600");
  fore_slot_free (slot);
  guard_fixture_wait_capture (f, "out", 3);
  guard_fixture_wait_started (f, guard);
  g_assert_null (fore_slot_try (f->home, FORE_POOL_AGENTS, 1, NULL));
  g_assert_cmpuint (fore_slots_count_used (f->home, FORE_POOL_AGENTS, 1), ==, 1);

  g_assert_true (fore_guard_get_guard_id (guard, &id));
  g_assert_true (fore_process_signal (&id, SIGKILL, NULL));
  record = guard_fixture_wait_exit (f, guard);
  g_assert_cmpint (record->reason, ==, FORE_GUARD_REASON_LOST);
  guard_fixture_assert_nothing_left (f);

  slot = fore_slot_try (f->home, FORE_POOL_AGENTS, 1, NULL);
  g_assert_nonnull (slot);
  fore_slot_free (slot);
}

static void
on_exited_take_slot (ForeGuard *guard, const ForeGuardRecord *record, GuardFixture *f)
{
  g_autoptr (ForeSlot) slot = fore_slot_try (f->home, FORE_POOL_AGENTS, 1, NULL);

  f->slot_was_free = slot != NULL;
}

static void
count_call (const char *path, ForeWatchEvents events, gpointer user_data)
{
  (*(guint *) user_data)++;
}

static gboolean
is_above_zero (gpointer data)
{
  return *(guint *) data > 0;
}

static void
test_slot_free_at_exit (GuardFixture *f, gconstpointer data)
{
  ForeSlot *slot = fore_slot_try (f->home, FORE_POOL_AGENTS, 1, NULL);
  g_autoptr (ForeWatch) watch = NULL;
  g_autoptr (ForeGuard) guard = NULL;
  guint calls = 0;

  watch = fore_slots_watch (f->home, FORE_POOL_AGENTS, count_call, &calls, NULL, NULL);
  f->launch.slot_fds[0] = fore_slot_get_fd (slot);
  f->launch.n_slot_fds = 1;
  guard = guard_fixture_spawn_script (f, "exit 0");
  fore_slot_free (slot);
  g_signal_connect (guard, "exited", G_CALLBACK (on_exited_take_slot), f);
  guard_fixture_wait_exit (f, guard);
  g_assert_true (f->slot_was_free);
  guard_fixture_wait (f, is_above_zero, &calls);
}

static void
test_many (GuardFixture *f, gconstpointer data)
{
  ForeGuard *guards[50];

  for (guint i = 0; i < G_N_ELEMENTS (guards); i++)
    {
      f->launch.n = i + 1;
      guards[i] = guard_fixture_spawn_script (f, "exit 0");
    }

  for (guint i = 0; i < G_N_ELEMENTS (guards); i++)
    {
      g_assert_cmpint (guard_fixture_wait_exit (f, guards[i])->reason, ==,
                       FORE_GUARD_REASON_EXITED);
      g_object_unref (guards[i]);
    }
  g_assert_cmpint (f->n_started, ==, G_N_ELEMENTS (guards));
}

/* The next runner may have looked for it before it could be seen. */
static void
test_runner_gone_before_it_began (GuardFixture *f, gconstpointer data)
{
  g_autofree char *ran = g_build_filename (f->run_dir, "ran", NULL);
  g_autofree char *exits = g_build_filename (f->run_dir, "exits", NULL);
  g_autofree char *socket = g_build_filename (f->run_dir, "socket", NULL);
  g_autofree char *program = fore_platform_find_program ("foredeck-guard");
  g_auto (GStrv) command = NULL;
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GSubprocess) shell = NULL;
  g_autoptr (GError) error = NULL;

  f->launch.argv = (const char *const[]){ "/usr/bin/touch", ran, NULL };
  command = fore_guard_launch_dup_argv (&f->launch, program, socket);
  g_ptr_array_add (argv, (gpointer) "sh");
  g_ptr_array_add (argv, (gpointer) "-c");
  g_ptr_array_add (argv, (gpointer) "\"$0\" \"$@\"; exit $?");
  for (guint i = 0; command[i] != NULL; i++)
    g_ptr_array_add (argv, command[i]);
  g_ptr_array_add (argv, NULL);

  shell = g_subprocess_newv ((const char *const *) argv->pdata, G_SUBPROCESS_FLAGS_NONE, &error);
  g_assert_no_error (error);
  g_subprocess_wait (shell, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_subprocess_get_exit_status (shell), ==, FORE_GUARD_EXIT_ORPHAN);
  g_assert_false (g_file_test (ran, G_FILE_TEST_EXISTS));
  g_assert_false (g_file_test (exits, G_FILE_TEST_EXISTS));
}

typedef struct
{
  ForeGuard *guard;
  const ForeGuardLaunch *launch;
} Start;

static gpointer
start_in_thread (gpointer data)
{
  Start *start = data;

  return GINT_TO_POINTER (fore_guard_start (start->guard, start->launch, NULL));
}

static gboolean
has_ended (gpointer data)
{
  GuardFixture *f = data;
  g_autofree char *exits = g_build_filename (f->run_dir, "exits", NULL);
  ForeGuardRecord record;

  return fore_exits_find (exits, f->launch.task, f->launch.n, FORE_GUARD_EXIT, &record);
}

static void
count_exited (ForeGuard *guard, const ForeGuardRecord *record, guint *n)
{
  ++*n;
}

/* It may be over before whoever started it in a thread hears of the start. */
static void
test_start_in_thread (GuardFixture *f, gconstpointer data)
{
  static const char *const argv[] = { "/bin/sh", "-c", "exit 7", NULL };
  g_autoptr (ForeGuard) guard = NULL;
  g_autoptr (GError) error = NULL;
  guint n_started = 0, n_exited = 0;
  Start start;

  f->launch.argv = argv;
  guard = fore_guard_prepare (f->hub, &f->launch, &error);
  g_assert_no_error (error);
  start = (Start){ guard, &f->launch };
  g_assert_true (GPOINTER_TO_INT (g_thread_join (g_thread_new (NULL, start_in_thread, &start))));
  guard_fixture_wait (f, has_ended, f);
  fore_guard_hub_poll (f->hub);
  g_assert_null (fore_guard_get_start_record (guard));
  g_assert_null (fore_guard_get_exit_record (guard));

  fore_guard_follow (guard, TRUE);
  g_signal_connect (guard, "started", G_CALLBACK (count_exited), &n_started);
  g_signal_connect (guard, "exited", G_CALLBACK (count_exited), &n_exited);
  g_assert_cmpint (guard_fixture_wait_exit (f, guard)->exit_code, ==, 7);
  g_assert_cmpuint (n_started, ==, 1);
  g_assert_cmpuint (n_exited, ==, 1);
}

/* The next owner of the run may have looked for what is left of it by then. */
static void
test_no_start_once_closed (GuardFixture *f, gconstpointer data)
{
  static const char *const argv[] = { "/bin/true", NULL };
  g_autofree char *exits = g_build_filename (f->run_dir, "exits", NULL);
  g_autoptr (ForeGuard) guard = NULL;
  g_autoptr (GError) error = NULL;

  f->launch.argv = argv;
  guard = fore_guard_prepare (f->hub, &f->launch, &error);
  g_assert_no_error (error);
  fore_guard_hub_close (f->hub);
  g_assert_false (fore_guard_start (guard, &f->launch, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_CANCELLED);
  fore_guard_follow (guard, FALSE);
  g_assert_false (g_file_test (exits, G_FILE_TEST_EXISTS));
}

static void
test_bad_launch (GuardFixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  f->launch.task = "../escape";
  f->launch.argv = (const char *const[]){ "/bin/true", NULL };
  g_assert_null (fore_guard_spawn (f->hub, &f->launch, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_INVALID);
}

static void
add (const char *name, void (*test) (GuardFixture *, gconstpointer), int data)
{
  g_autofree char *path = g_strconcat ("/guard/", name, NULL);

  g_test_add (path, GuardFixture, GINT_TO_POINTER (data), guard_fixture_set_up, test,
              guard_fixture_tear_down);
}

int
main (int argc, char **argv)
{
  int result;

  guard_fixture_init (argv[0]);
  g_test_init (&argc, &argv, NULL);
  add ("exit-code", test_exit_code, 0);
  add ("start-before-exec", test_start_before_exec, 0);
  add ("signal", test_signal, 0);
  add ("exec-failed", test_exec_failed, 0);
  add ("no-folder", test_no_folder, 0);
  add ("no-input-file", test_no_input_file, 0);
  add ("bytes-to-file", test_bytes, FORE_GUARD_CAPTURE_FILE);
  add ("bytes-through-pipe", test_bytes, FORE_GUARD_CAPTURE_PIPE);
  add ("silent-pipe", test_silent_pipe, 0);
  add ("no-input", test_no_input, 0);
  add ("environment", test_environment, 0);
  add ("descriptors", test_descriptors, 0);
  add ("own-session", test_own_session, 0);
  add ("stubborn-tree", test_stubborn_tree, 0);
  add ("left-behind", test_left_behind, 0);
  add ("rest-of-pipeline", test_rest_of_pipeline, 0);
  add ("output-limit-file", test_output_limit_file, 0);
  add ("output-limit-pipe", test_output_limit_pipe, 0);
  add ("output-limit-quick", test_output_limit_quick, 0);
  add ("limits-changed", test_limits_changed, 0);
  add ("truncated-capture", test_truncated_capture, 0);
  add ("wall-limit", test_wall_limit, 0);
  add ("interrupt", test_interrupt, 0);
  add ("kill", test_kill, 0);
  add ("end-at-once", test_end_at_once, 0);
  add ("end-without-socket", test_no_socket, FALSE);
  add ("kill-without-socket", test_no_socket, TRUE);
  add ("terminated-guard", test_terminated_guard, 0);
  add ("killed-guard", test_killed_guard, 0);
  add ("slot-free-at-exit", test_slot_free_at_exit, 0);
  add ("many", test_many, 0);
  add ("runner-gone-before-it-began", test_runner_gone_before_it_began, 0);
  add ("bad-launch", test_bad_launch, 0);
  add ("start-in-thread", test_start_in_thread, 0);
  add ("no-start-once-closed", test_no_start_once_closed, 0);
  result = g_test_run ();
  guard_fixture_finish ();
  return result;
}
