/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "guard-fixture.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/fore-dirs.h"
#include "platform/fore-random-id.h"
#include "unit-tools.h"

#define DEADLINE_US (30 * G_USEC_PER_SEC)

static const char *program;

/* Before anything else: sockets shall lie in a folder of the test's own. */
void
guard_fixture_init (const char *path)
{
  g_autofree char *dir = unit_make_dir ();

  program = path;
  g_setenv ("XDG_RUNTIME_DIR", dir, TRUE);
}

void
guard_fixture_finish (void)
{
  unit_remove_dir (g_getenv ("XDG_RUNTIME_DIR"));
}

static gboolean
wake (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

void
guard_fixture_wait (GuardFixture *f, gboolean (*is_done) (gpointer), gpointer data)
{
  gint64 until = g_get_monotonic_time () + DEADLINE_US;
  guint ticker = g_timeout_add (5, wake, NULL);

  while (!is_done (data))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, until);
      g_main_context_iteration (NULL, TRUE);
    }

  g_source_remove (ticker);
}

static gboolean
is_set (gpointer data)
{
  return *(gpointer *) data != NULL;
}

void
guard_fixture_wait_pointer (GuardFixture *f, gpointer *pointer)
{
  guard_fixture_wait (f, is_set, pointer);
}

static gboolean
has_started (gpointer data)
{
  return fore_guard_get_start_record (data) != NULL;
}

void
guard_fixture_wait_started (GuardFixture *f, ForeGuard *guard)
{
  guard_fixture_wait (f, has_started, guard);
}

static gboolean
has_exited (gpointer data)
{
  return fore_guard_get_exit_record (data) != NULL;
}

/* The record is valid until the next call. */
const ForeGuardRecord *
guard_fixture_wait_exit (GuardFixture *f, ForeGuard *guard)
{
  static ForeGuardRecord record;

  guard_fixture_wait (f, has_exited, guard);
  record = *fore_guard_get_exit_record (guard);
  return &record;
}

static gboolean
is_past (gpointer data)
{
  return g_get_monotonic_time () > *(gint64 *) data;
}

/* For showing that something does not happen; what does happen is waited for. */
void
guard_fixture_let_pass (GuardFixture *f, gint64 us)
{
  gint64 until = g_get_monotonic_time () + us;

  guard_fixture_wait (f, is_past, &until);
}

typedef struct
{
  char *path;
  gsize length;
} WantedCapture;

static gboolean
is_long_enough (gpointer data)
{
  WantedCapture *wanted = data;
  GStatBuf info;

  return g_stat (wanted->path, &info) == 0 && (gsize) info.st_size >= wanted->length;
}

void
guard_fixture_wait_capture (GuardFixture *f, const char *suffix, gsize length)
{
  WantedCapture wanted = { guard_fixture_dup_path (f, suffix), length };

  guard_fixture_wait (f, is_long_enough, &wanted);
  g_free (wanted.path);
}

void
guard_fixture_new_hub (GuardFixture *f)
{
  g_autoptr (GError) error = NULL;

  if (f->hub != NULL)
    fore_guard_hub_close (f->hub);
  g_clear_object (&f->hub);
  f->hub = fore_guard_hub_new (f->run_dir, &error);
  g_assert_no_error (error);
}

static void
fill_launch (GuardFixture *f)
{
  f->launch = (ForeGuardLaunch) FORE_GUARD_LAUNCH_INIT;
  f->launch.run = f->run;
  f->launch.task = "task";
  f->launch.n = 1;
  f->launch.run_dir = f->run_dir;
  f->launch.env = (const char *const *) f->env;
  f->launch.cwd = "/";
  /* What a test that failed leaves behind ends by itself. */
  f->launch.orphan_grace_ms = 20000;
  f->script_argv[0] = "/bin/sh";
  f->script_argv[1] = "-c";
}

static void
fill_env (GuardFixture *f)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autofree char *mark = g_strdup_printf ("FOREDECK_RUN=%s", f->run);

  g_strv_builder_add_many (builder, "PATH=/usr/bin:/bin", mark, "FOREDECK_TASK=task",
                           "FOREDECK_ATTEMPT=1", NULL);
  f->env = g_strv_builder_end (builder);
}

static void
prepare (GuardFixture *f, const char *home, const char *run)
{
  g_autoptr (GError) error = NULL;

  f->home = g_strdup (home);
  f->run = g_strdup (run);
  fill_env (f);
  f->run_dir = fore_dirs_dup_run_dir (f->home, f->run);
  fore_dirs_ensure_home (f->home, &error);
  g_assert_no_error (error);
  fore_dirs_ensure_run (f->home, f->run, &error);
  g_assert_no_error (error);
  fill_launch (f);
}

void
guard_fixture_set_up (GuardFixture *f, gconstpointer data)
{
  g_autofree char *home = unit_make_dir ();
  g_autofree char *run = fore_platform_random_run_id ();

  prepare (f, home, run);
  guard_fixture_new_hub (f);
}

static gboolean
is_gone (gpointer data)
{
  return *(gpointer *) data == NULL;
}

void
guard_fixture_tear_down (GuardFixture *f, gconstpointer data)
{
  guard_fixture_assert_nothing_left (f);
  fore_guard_hub_close (f->hub);
  g_object_add_weak_pointer (G_OBJECT (f->hub), (gpointer *) &f->hub);
  g_object_unref (f->hub);
  guard_fixture_wait (f, is_gone, &f->hub);
  unit_remove_dir (f->home);
  g_free (f->home);
  g_free (f->run);
  g_free (f->run_dir);
  g_strfreev (f->env);
}

static void
count_started (ForeGuard *guard, const ForeGuardRecord *record, GuardFixture *f)
{
  g_assert_null (fore_guard_get_exit_record (guard));
  f->n_started++;
}

ForeGuard *
guard_fixture_spawn (GuardFixture *f)
{
  g_autoptr (GError) error = NULL;
  ForeGuard *guard = fore_guard_spawn (f->hub, &f->launch, &error);

  g_assert_no_error (error);
  g_signal_connect (guard, "started", G_CALLBACK (count_started), f);
  return guard;
}

ForeGuard *
guard_fixture_spawn_script (GuardFixture *f, const char *script)
{
  f->script_argv[2] = script;
  f->launch.argv = f->script_argv;
  return guard_fixture_spawn (f);
}

const ForeGuardRecord *
guard_fixture_run_script (GuardFixture *f, const char *script)
{
  g_autoptr (ForeGuard) guard = guard_fixture_spawn_script (f, script);

  return guard_fixture_wait_exit (f, guard);
}

static void
on_said (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  fore_guard_say_finish (FORE_GUARD (source), result, &error);
  g_assert_no_error (error);
  *(gpointer *) user_data = source;
}

void
guard_fixture_say (GuardFixture *f, ForeGuard *guard, const char *text, guint64 id)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  gpointer done = NULL;

  fore_guard_say_async (guard, bytes, id, NULL, on_said, &done);
  guard_fixture_wait_pointer (f, &done);
}

typedef struct
{
  gpointer done;
  guint64 last;
} Hello;

static void
on_hello (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  Hello *hello = user_data;

  fore_guard_hello_finish (FORE_GUARD (source), result, &hello->last, &error);
  g_assert_no_error (error);
  hello->done = source;
}

guint64
guard_fixture_hello (GuardFixture *f, ForeGuard *guard)
{
  Hello hello = { NULL, 0 };

  fore_guard_hello_async (guard, NULL, on_hello, &hello);
  guard_fixture_wait_pointer (f, &hello.done);
  return hello.last;
}

/* In a process of its own: args are the home, the run and the orphan grace. */
int
guard_fixture_be_runner (char **args)
{
  g_autofree char *lock_path = NULL;
  g_autoptr (ForeLock) lock = NULL;
  g_autoptr (ForeGuard) guard = NULL;
  GuardFixture f = { 0 };

  prepare (&f, args[0], args[1]);
  lock_path = fore_dirs_dup_owner_lock_path (f.home, f.run);
  lock = fore_lock_try (lock_path, TRUE, "the runner", NULL);
  g_assert_nonnull (lock);
  guard_fixture_new_hub (&f);
  f.launch.stdin_mode = FORE_GUARD_STDIN_LIVE;
  f.launch.capture_mode = FORE_GUARD_CAPTURE_PIPE;
  f.launch.orphan_grace_ms = g_ascii_strtoull (args[2], NULL, 10);
  guard = guard_fixture_spawn_script (&f, "exec cat");
  guard_fixture_say (&f, guard, "first\n", 1);
  g_print ("ready\n");
  pause ();
  return 0;
}

void
guard_fixture_run_runner (GuardFixture *f, const char *orphan_ms)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) runner = NULL;
  g_autoptr (GDataInputStream) output = NULL;
  g_autofree char *line = NULL;

  runner = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, program, "--runner", f->home,
                             f->run, orphan_ms, NULL);
  g_assert_no_error (error);
  output = g_data_input_stream_new (g_subprocess_get_stdout_pipe (runner));
  line = g_data_input_stream_read_line (output, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (line, ==, "ready");
  g_subprocess_force_exit (runner);
  g_subprocess_wait (runner, NULL, &error);
  g_assert_no_error (error);
}

char *
guard_fixture_dup_path (GuardFixture *f, const char *suffix)
{
  return fore_dirs_dup_attempt_path (f->home, f->run, f->launch.task, f->launch.n, suffix);
}

void
guard_fixture_assert_capture (GuardFixture *f, const char *suffix, const char *bytes, gssize length)
{
  g_autofree char *path = guard_fixture_dup_path (f, suffix);
  g_autofree char *content = NULL;
  gsize content_length;

  g_assert_true (g_file_get_contents (path, &content, &content_length, NULL));
  if (length < 0)
    length = (gssize) strlen (bytes);
  g_assert_cmpmem (content, content_length, bytes, (gsize) length);
}

static gboolean
nothing_is_left (gpointer data)
{
  GuardFixture *f = data;
  g_autoptr (GArray) left = fore_process_find_marked (f->run, NULL, 0);

  return left->len == 0;
}

/* The guard itself may still be about to return from main(). */
void
guard_fixture_assert_nothing_left (GuardFixture *f)
{
  guard_fixture_wait (f, nothing_is_left, f);
}
