/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Logs, crashes and stalls: each takes over something of the whole process, so that each case is a
 * process of its own: this program with the name of a part.
 */

#include "config.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "platform/fore-clock.h"
#include "platform/fore-crash.h"
#include "platform/fore-dirs.h"
#include "platform/fore-log.h"
#include "platform/fore-stall.h"
#include "unit-tools.h"

static const char *program;

/* Parts: args[0] is a home. */
static int
part_log (char **args)
{
  fore_log_install (args[0], "test-program");
  fore_log_set_context ("abcd2345");
  fore_log (FORE_LOG_INFO, NULL, "plan", 2, "line with \"quotes\", \\ and\nnew line \x01 %d", 42);
  fore_log (FORE_LOG_DEBUG, NULL, NULL, 0, "not kept");
  fore_log (FORE_LOG_WARNING, "wxyz6789", NULL, 0, "bytes \xff\xfe of no text");
  g_log ("unit", G_LOG_LEVEL_MESSAGE, "from g_log: %s", "ü");
  fore_log_set_level (FORE_LOG_DEBUG);
  fore_log (FORE_LOG_DEBUG, NULL, NULL, 0, "kept now");
  return 0;
}

G_GNUC_NO_INLINE static int
fall_over (volatile int *place)
{
  *place = 1;
  return *place;
}

/* No null pointer: UBSan would end that one before the kernel does. */
static volatile gsize nowhere = 16;

static int
part_crash (char **args)
{
  fore_log_install (args[0], "test-program");
  fore_crash_install (args[0], "test-program");
  fore_log (FORE_LOG_INFO, "abcd2345", NULL, 0, "the last thing it did");
  return fall_over (GSIZE_TO_POINTER (nowhere));
}

static int
part_abort (char **args)
{
  fore_crash_install (args[0], "test-program");
  abort ();
}

static gboolean
quit (gpointer data)
{
  g_main_loop_quit (data);
  return G_SOURCE_REMOVE;
}

/* What ends the loop comes one turn later, when this dispatch has been measured. */
static gboolean
be_slow (gpointer data)
{
  gint64 until = fore_clock_thread_cpu_us () + 120000;
  volatile guint n = 0;

  while (fore_clock_thread_cpu_us () < until)
    n++;

  g_idle_add (quit, data);
  return G_SOURCE_REMOVE;
}

static int
part_stall (char **args)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  ForeStallFigures figures;
  guint id;

  fore_stall_install (NULL);
  id = g_timeout_add (1, be_slow, loop);
  g_source_set_name_by_id (id, "the slow one");
  g_main_loop_run (loop);
  fore_stall_get_figures (&figures);
  if (figures.n_stalls != 1 || g_strcmp0 (figures.worst_source, "the slow one") != 0)
    return 9;

  /* The two clocks are not one: what keeps the time of day right may slow one of them down. */
  return figures.worst_cpu_us >= 120000
                 && figures.worst_wall_us >= figures.worst_cpu_us - figures.worst_cpu_us / 100
                 && figures.p999_wall_us == figures.worst_wall_us && figures.n_dispatches < 10
             ? 0
             : 10;
}

static int
part_no_stall (char **args)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  ForeStallFigures figures;

  fore_stall_install (NULL);
  g_timeout_add (150, quit, loop);
  g_main_loop_run (loop);
  fore_stall_leave ();
  fore_stall_blocks ("what comes after the loop");
  fore_stall_get_figures (&figures);
  return (int) figures.n_stalls;
}

static gboolean
wait_for_disk (gpointer data)
{
  fore_stall_blocks ("a disk");
  return quit (data);
}

static int
part_blocks (char **args)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);

  fore_stall_install (NULL);
  g_idle_add (wait_for_disk, loop);
  g_main_loop_run (loop);
  return 0;
}

/* A thousand short dispatches and one of 30 ms: it is the worst, and no thousandth. */
typedef struct
{
  GMainLoop *loop;
  guint left;
} Many;

static gboolean
be_one_of_many (gpointer data)
{
  Many *many = data;
  gint64 until = fore_clock_thread_cpu_us () + 30000;

  if (many->left == 1500)
    {
      while (fore_clock_thread_cpu_us () < until)
        continue;
    }
  if (--many->left > 0)
    return G_SOURCE_CONTINUE;

  return quit (many->loop);
}

static int
part_many (char **args)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  Many many = { loop, 3000 };
  ForeStallFigures figures;

  fore_stall_install (NULL);
  g_idle_add (be_one_of_many, &many);
  g_main_loop_run (loop);
  fore_stall_get_figures (&figures);
  if (figures.n_stalls > 0 || figures.n_dispatches < 2900)
    return 8;

  return figures.worst_cpu_us >= 30000 && figures.p999_wall_us < 30000 ? 0 : 9;
}

static GSubprocess *
start_part (const char *part, const char *home, const char *stall_ms, const char *fatal)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (
      G_SUBPROCESS_FLAGS_STDERR_PIPE | G_SUBPROCESS_FLAGS_STDOUT_SILENCE);
  g_autoptr (GError) error = NULL;
  GSubprocess *process;

  /* the tests themselves are watched */
  g_subprocess_launcher_unsetenv (launcher, "FORE_STALL_MS");
  g_subprocess_launcher_unsetenv (launcher, "FORE_STALL_FATAL");
  if (stall_ms != NULL)
    g_subprocess_launcher_setenv (launcher, "FORE_STALL_MS", stall_ms, TRUE);
  if (fatal != NULL)
    g_subprocess_launcher_setenv (launcher, "FORE_STALL_FATAL", fatal, TRUE);
  process = g_subprocess_launcher_spawn (launcher, &error, program, part, home, NULL);
  g_assert_no_error (error);
  return process;
}

/* Returns what it wrote to stderr. */
static char *
finish_part (GSubprocess *process)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;

  g_subprocess_communicate (process, NULL, NULL, NULL, &bytes, &error);
  g_assert_no_error (error);
  return g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

static void
assert_matches (const char *line, const char *pattern)
{
  if (!g_regex_match_simple (pattern, line, 0, 0))
    g_error ("“%s” does not match %s", line, pattern);
}

static void
test_log (void)
{
  g_autofree char *home = unit_make_dir ();
  g_autoptr (GSubprocess) process = start_part ("--log", home, NULL, NULL);
  g_autofree char *noise = finish_part (process);
  g_auto (GStrv) all = NULL, some = NULL, last = NULL;

  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 0);
  all = fore_log_read_tail (home, NULL, 100, NULL);
  g_assert_cmpuint (g_strv_length (all), ==, 4);
  assert_matches (all[0], "^\\{\"time\":\"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z\","
                          "\"level\":\"info\",\"program\":\"test-program\",\"pid\":\\d+,"
                          "\"run\":\"abcd2345\",\"task\":\"plan\",\"attempt\":2,"
                          "\"text\":\"line with \\\\\"quotes\\\\\", \\\\\\\\ and\\\\nnew line "
                          "\\\\u0001 42\"\\}$");
  assert_matches (all[1],
                  "\"run\":\"wxyz6789\",\"text\":\"bytes \xef\xbf\xbd\xef\xbf\xbd of no text\"");
  assert_matches (all[2], "\"level\":\"info\".*\"source\":\"unit\",\"text\":\"from g_log: ü\"");
  assert_matches (all[3], "\"level\":\"debug\".*kept now");
  for (guint i = 0; all[i] != NULL; i++)
    g_assert_true (g_utf8_validate (all[i], -1, NULL));

  some = fore_log_read_tail (home, "wxyz6789", 100, NULL);
  g_assert_cmpuint (g_strv_length (some), ==, 1);
  last = fore_log_read_tail (home, NULL, 1, NULL);
  g_assert_cmpuint (g_strv_length (last), ==, 1);
  g_assert_cmpstr (last[0], ==, all[3]);
  unit_remove_dir (home);
}

static void
test_log_private (void)
{
  g_autofree char *home = unit_make_dir ();
  g_autoptr (GSubprocess) process = start_part ("--log", home, NULL, NULL);
  g_autofree char *noise = finish_part (process);
  g_autofree char *path = fore_dirs_dup_log_dir (home);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  g_autofree char *file = g_build_filename (path, g_dir_read_name (dir), NULL);
  GStatBuf info;

  g_assert_cmpint (g_stat (file, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0600);
  unit_remove_dir (home);
}

static void
test_log_prune (void)
{
  static const char *const names[] = { "foredeck-2001-02-03.log", "foredeck-runner-2999-01-01.log",
                                       "notes.txt", "x.log" };
  g_autofree char *home = unit_make_dir ();
  g_autofree char *dir = fore_dirs_dup_log_dir (home);

  g_mkdir (dir, 0700);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (dir, names[i], NULL);

      g_assert_true (g_file_set_contents (path, "", 0, NULL));
    }

  g_assert_cmpuint (fore_log_prune (home, 14), ==, 1);
  g_assert_cmpuint (fore_log_prune (home, 14), ==, 0);
  unit_remove_dir (home);
}

static void
test_crash (void)
{
  g_autofree char *home = unit_make_dir ();
  g_autoptr (GSubprocess) process = start_part ("--crash", home, NULL, NULL);
  g_autofree char *noise = finish_part (process);
  g_autoptr (GError) error = NULL;
  g_autofree char *content = NULL;
  g_auto (GStrv) reports = NULL, unseen = NULL;

  g_assert_true (g_subprocess_get_if_signaled (process));
  g_assert_cmpint (g_subprocess_get_term_sig (process), ==, SIGSEGV);
  reports = fore_crash_list_unseen (home);
  g_assert_cmpuint (g_strv_length (reports), ==, 1);
  g_assert_true (g_file_get_contents (reports[0], &content, NULL, NULL));
  g_assert_nonnull (strstr (content, "test-program " FORE_VERSION));
  g_assert_nonnull (strstr (content, "SIGSEGV"));
  g_assert_nonnull (strstr (content, "backtrace:\n"));
  g_assert_nonnull (strstr (content, "test-platform-trouble"));
  g_assert_nonnull (strstr (content, "the last thing it did"));

  fore_crash_mark_seen (reports[0], &error);
  g_assert_no_error (error);
  unseen = fore_crash_list_unseen (home);
  g_assert_cmpuint (g_strv_length (unseen), ==, 0);
  unit_remove_dir (home);
}

static void
test_abort (void)
{
  g_autofree char *home = unit_make_dir ();
  g_autoptr (GSubprocess) process = start_part ("--abort", home, NULL, NULL);
  g_autofree char *noise = finish_part (process);
  g_auto (GStrv) reports = fore_crash_list_unseen (home);

  g_assert_cmpint (g_subprocess_get_term_sig (process), ==, SIGABRT);
  g_assert_cmpuint (g_strv_length (reports), ==, 1);
  unit_remove_dir (home);
}

static void
test_stall (void)
{
  g_autoptr (GSubprocess) process = start_part ("--stall", "/", "50", NULL);
  g_autofree char *noise = finish_part (process);

  g_assert_true (g_subprocess_get_if_exited (process));
  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 0);
  g_assert_nonnull (strstr (noise, "the slow one"));
}

static void
test_stall_fatal (void)
{
  g_autoptr (GSubprocess) process = start_part ("--stall", "/", "50", "1");
  g_autofree char *noise = finish_part (process);

  g_assert_true (g_subprocess_get_if_signaled (process));
  g_assert_cmpint (g_subprocess_get_term_sig (process), ==, SIGABRT);
}

/* Waiting for something to do is no stall. */
static void
test_no_stall (void)
{
  g_autoptr (GSubprocess) process = start_part ("--no-stall", "/", "50", "1");
  g_autofree char *noise = finish_part (process);

  g_assert_true (g_subprocess_get_if_exited (process));
  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 0);
}

/* Waiting for a disk is a fault however short it was; on another day it is long. */
static void
test_stall_blocks (void)
{
  g_autoptr (GSubprocess) process = start_part ("--blocks", "/", "10000", "1");
  g_autofree char *noise = finish_part (process);

  g_assert_true (g_subprocess_get_if_signaled (process));
  g_assert_cmpint (g_subprocess_get_term_sig (process), ==, SIGABRT);
  g_assert_nonnull (strstr (noise, "a disk in the main loop"));
}

static void
test_stall_many (void)
{
  g_autoptr (GSubprocess) process = start_part ("--many", "/", NULL, NULL);
  g_autofree char *noise = finish_part (process);

  g_assert_true (g_subprocess_get_if_exited (process));
  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 0);
}

static const struct
{
  const char *name;
  int (*run) (char **args);
} parts[] = {
  { "--log", part_log },     { "--crash", part_crash },       { "--abort", part_abort },
  { "--stall", part_stall }, { "--no-stall", part_no_stall }, { "--blocks", part_blocks },
  { "--many", part_many },
};

int
main (int argc, char **argv)
{
  for (guint i = 0; argc > 2 && i < G_N_ELEMENTS (parts); i++)
    {
      if (strcmp (parts[i].name, argv[1]) == 0)
        return parts[i].run (argv + 2);
    }

  program = argv[0];
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/log/lines", test_log);
  g_test_add_func ("/log/private", test_log_private);
  g_test_add_func ("/log/prune", test_log_prune);
  g_test_add_func ("/crash/segv", test_crash);
  g_test_add_func ("/crash/abort", test_abort);
  g_test_add_func ("/stall/named", test_stall);
  g_test_add_func ("/stall/fatal", test_stall_fatal);
  g_test_add_func ("/stall/none", test_no_stall);
  g_test_add_func ("/stall/blocks", test_stall_blocks);
  g_test_add_func ("/stall/many", test_stall_many);
  return g_test_run ();
}
