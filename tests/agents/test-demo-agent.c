/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-adapter.h"
#include "platform/fore-process.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

/* The scripted agent as a process, with scripts of a step or two. */
typedef struct
{
  char *dir;
  ForeDecoder *decoder;
  ForeCause cause;
  char *message;
  guint permissions;
  gint64 printed;
} Play;

static void
on_entry (const ForeEntry *entry, gpointer user_data)
{
  Play *play = user_data;

  if (entry->kind == FORE_ENTRY_PERMISSION && entry->state == FORE_ENTRY_RUNNING)
    play->permissions++;
}

static Play *
play_new (const char *steps)
{
  Play *play = g_new0 (Play, 1);
  g_autofree char *scenario = NULL;
  g_autofree char *text = g_strdup_printf (
      "{\"tasks\":{\"t\":[{\"when\":{\"attempt\":2},\"steps\":[{\"say\":\"second\"}"
      "]},{\"when\":{\"prompt\":\"# Feedback\"},\"steps\":[{\"say\":\"changed\"}]},"
      "{\"steps\":[%s]}]},\"default\":[{\"steps\":[{\"say\":\"default\"}]}]}",
      steps);

  play->dir = g_dir_make_tmp ("foredeck-demo-XXXXXX", NULL);
  scenario = g_build_filename (play->dir, "scenario.json", NULL);
  g_assert_true (g_file_set_contents (scenario, text, -1, NULL));

  return play;
}

static void
play_free (Play *play)
{
  g_autoptr (GSubprocess) process = g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, NULL, "rm", "-rf",
                                                      play->dir, NULL);

  g_subprocess_wait (process, NULL, NULL);
  g_clear_pointer (&play->decoder, fore_decoder_free);
  g_free (play->message);
  g_free (play->dir);
  g_free (play);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Play, play_free)

static GSubprocess *
spawn (Play *play, const char *task, guint attempt, const char *prompt, gboolean live)
{
  const ForeAdapter *adapter = fore_adapter_lookup ("demo");
  g_autoptr (GError) error = NULL;
  g_autofree char *program = fore_adapter_find_program (adapter, &error);
  g_autofree char *scenario = g_build_filename (play->dir, "scenario.json", NULL);
  g_autofree char *in = g_build_filename (play->dir, "prompt.in", NULL);
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (
      G_SUBPROCESS_FLAGS_STDOUT_PIPE | (live ? G_SUBPROCESS_FLAGS_STDIN_PIPE : 0));
  ForeLaunchRequest request = { 0 };
  g_autoptr (ForeLaunch) launch = NULL;
  g_auto (GStrv) env = NULL;
  GSubprocess *process;

  g_assert_no_error (error);
  request.program = program;
  request.prompt = prompt;
  request.cwd = play->dir;
  request.scenario = scenario;
  request.live = live;
  launch = fore_adapter_launch (adapter, &request, &error);
  g_assert_no_error (error);
  env = fore_adapter_build_environ (adapter, launch, "run", task, attempt, NULL);
  g_subprocess_launcher_set_environ (launcher, env);
  g_subprocess_launcher_set_cwd (launcher, play->dir);
  if (!live)
    {
      g_assert_true (g_file_set_contents (in, prompt, -1, NULL));
      g_subprocess_launcher_set_stdin_file_path (launcher, in);
    }
  process = g_subprocess_launcher_spawnv (launcher, (const char *const *) launch->argv, &error);
  g_assert_no_error (error);

  return process;
}

static void
write_outbox (Play *play, GSubprocess *process)
{
  g_autoptr (GBytes) bytes = fore_decoder_take_outbox (play->decoder);

  if (bytes != NULL)
    g_output_stream_write_all (g_subprocess_get_stdin_pipe (process),
                               g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), NULL, NULL,
                               NULL);
}

static void
judge (Play *play, GSubprocess *process)
{
  gboolean signalled;

  fore_decoder_finish (play->decoder, on_entry, play);
  g_subprocess_wait (process, NULL, NULL);
  signalled = g_subprocess_get_if_signaled (process);
  play->cause = fore_decoder_judge (
      play->decoder, signalled ? -1 : g_subprocess_get_exit_status (process),
      signalled ? g_subprocess_get_term_sig (process) : 0, TRUE, &play->message);
}

static void
run (Play *play, const char *task, guint attempt, const char *prompt)
{
  g_autoptr (GSubprocess) process = spawn (play, task, attempt, prompt, FALSE);
  g_autofree char *buffer = g_malloc (65536);
  gssize n;

  play->decoder = fore_adapter_new_decoder (fore_adapter_lookup ("demo"), FALSE);
  while (
      (n = g_input_stream_read (g_subprocess_get_stdout_pipe (process), buffer, 65536, NULL, NULL))
      > 0)
    {
      play->printed += n;
      fore_decoder_feed (play->decoder, buffer, n, on_entry, play);
      if (play->printed > 32 * 1024 * 1024)
        g_subprocess_force_exit (process);
    }
  judge (play, process);
}

/* A session that is ended once the agent has settled, or interrupted when it asks. */
static void
run_live (Play *play, const char *answer)
{
  g_autoptr (GSubprocess) process = spawn (play, "t", 1, "go", TRUE);
  char buffer[4096];
  gssize n;

  play->decoder = fore_adapter_new_decoder (fore_adapter_lookup ("demo"), TRUE);
  fore_decoder_begin (play->decoder, &(ForeSessionStart){ .prompt = "go", .cwd = play->dir });
  write_outbox (play, process);
  while ((n = g_input_stream_read (g_subprocess_get_stdout_pipe (process), buffer, sizeof buffer,
                                   NULL, NULL))
         > 0)
    {
      fore_decoder_feed (play->decoder, buffer, n, on_entry, play);
      if (play->permissions > 0 && answer != NULL)
        g_assert_true (fore_decoder_say (play->decoder, "answer", "permission-0", answer));
      else if (play->permissions > 0)
        g_assert_true (fore_decoder_say (play->decoder, "interrupt", NULL, NULL));
      play->permissions = 0;
      write_outbox (play, process);
      if (fore_decoder_get_summary (play->decoder)->settled)
        g_output_stream_close (g_subprocess_get_stdin_pipe (process), NULL, NULL);
    }
  judge (play, process);
}

static const char *
final_text (Play *play)
{
  return fore_decoder_get_summary (play->decoder)->final_text;
}

static void
test_chooses_script (void)
{
  g_autoptr (Play) first = play_new ("{\"say\":\"first\"}");
  g_autoptr (Play) second = play_new ("{\"say\":\"first\"}");
  g_autoptr (Play) feedback = play_new ("{\"say\":\"first\"}");
  g_autoptr (Play) other = play_new ("{\"say\":\"first\"}");

  run (first, "t", 1, "go");
  run (second, "t", 2, "go");
  run (feedback, "t", 1, "x\n# Feedback\ny");
  run (other, "u", 1, "go");
  g_assert_cmpstr (final_text (first), ==, "first");
  g_assert_cmpstr (final_text (second), ==, "second");
  g_assert_cmpstr (final_text (feedback), ==, "changed");
  g_assert_cmpstr (final_text (other), ==, "default");
}

static void
test_works_on_files (void)
{
  g_autoptr (Play) play = play_new (
      "{\"write\":{\"path\":\"d/a.txt\",\"text\":\"one "
      "two\"}},{\"edit\":{\"path\":\"d/a.txt\",\"old\":"
      "\"two\",\"new\":\"three\"}},{\"run\":[\"sh\",\"-c\",\"cat d/a.txt > b.txt\"]},{\"edit\":{"
      "\"path\":\"../"
      "x\",\"old\":\"\",\"new\":\"\"}},{\"spend\":{\"input\":5,\"output\":2,\"cost\":0.01}},"
      "{\"say\":\"done\"}");
  g_autofree char *path = g_build_filename (play->dir, "b.txt", NULL);
  g_autofree char *text = NULL;

  run (play, "t", 1, "go");
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "one three");
  g_assert_cmpint (play->cause, ==, FORE_CAUSE_NONE);
  g_assert_cmpint (fore_decoder_get_summary (play->decoder)->usage.cost, ==, 10000);
}

static void
test_faults (void)
{
  static const struct
  {
    const char *steps;
    ForeCause cause;
  } rows[] = {
    { "{\"say\":\"a\"},{\"fail\":{\"kind\":\"rate-limit\"}}", FORE_CAUSE_RATE_LIMIT },
    { "{\"say\":\"a\"},{\"fail\":{\"kind\":\"auth\"}}", FORE_CAUSE_AUTH },
    { "{\"say\":\"a\"},{\"fail\":{\"kind\":\"overloaded\"}}", FORE_CAUSE_OVERLOADED },
    { "{\"say\":\"a\"},{\"fail\":{\"kind\":\"crash\"}}", FORE_CAUSE_CRASH },
    { "{\"say\":\"a\"},{\"fail\":{\"kind\":\"exit\",\"code\":4}}", FORE_CAUSE_CRASH },
    { "{\"fail\":{\"kind\":\"no-output\"}}", FORE_CAUSE_NO_OUTPUT },
    { "{\"fail\":{\"kind\":\"garbage\"}}", FORE_CAUSE_BROKEN_STREAM },
    { "{\"brackets\":100000},{\"say\":\"ok\"}", FORE_CAUSE_NONE },
    { "{\"long-line\":9000000},{\"say\":\"ok\"}", FORE_CAUSE_NONE },
    { "{\"endless\":true}", FORE_CAUSE_CRASH },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (Play) play = play_new (rows[i].steps);

      run (play, "t", 1, "go");
      g_test_message ("%s: %s", rows[i].steps, play->message);
      g_assert_cmpint (play->cause, ==, rows[i].cause);
    }
}

static void
test_live (void)
{
  g_autoptr (Play) play = play_new (
      "{\"think\":\"hm\"},{\"write\":{\"path\":\"a\",\"text\":\"x\"}},"
      "{\"spend\":{\"input\":7,\"output\":2,\"cost\":0.5}},{\"say\":"
      "\"live!\"}");

  run_live (play, NULL);
  g_assert_cmpint (play->cause, ==, FORE_CAUSE_NONE);
  g_assert_cmpstr (final_text (play), ==, "live!");
  g_assert_cmpint (fore_decoder_get_summary (play->decoder)->usage.input, ==, 7);
  g_assert_cmpint (fore_decoder_get_summary (play->decoder)->usage.cost, ==, 500000);
}

#define ASKING                                                                                     \
  "{\"ask\":{\"title\":\"May I?\",\"options\":[{\"id\":\"y\",\"name\":\"Yes\",\"kind\":"           \
  "\"allow_once\"},{\"id\":\"n\",\"name\":\"No\",\"kind\":\"reject_once\"}],\"then\":{\"y\":[{"    \
  "\"say\":\"thanks\"}],\"n\":[{\"say\":\"pity\"}]}}}"

static void
test_live_asks (void)
{
  g_autoptr (Play) yes = play_new (ASKING);
  g_autoptr (Play) no = play_new (ASKING);
  g_autoptr (Play) interrupted = play_new (ASKING ",{\"say\":\"never\"}");

  run_live (yes, "y");
  run_live (no, "n");
  run_live (interrupted, NULL);
  g_assert_cmpstr (final_text (yes), ==, "thanks");
  g_assert_cmpstr (final_text (no), ==, "pity");
  g_assert_cmpint (interrupted->cause, ==, FORE_CAUSE_INTERRUPTED);
}

static void
test_live_error (void)
{
  g_autoptr (Play) play = play_new ("{\"say\":\"a\"},{\"fail\":{\"kind\":\"rate-limit\"}}");

  run_live (play, NULL);
  g_assert_cmpint (play->cause, ==, FORE_CAUSE_RATE_LIMIT);
}

static void
kill_marked (const char *task)
{
  g_autoptr (GArray) found = fore_process_find_marked ("run", task, 0);

  for (guint i = 0; i < found->len; i++)
    fore_process_signal (&g_array_index (found, ForeProcessId, i), SIGKILL, NULL);
}

/* It outlives a polite signal, and so does the child that it leaves in a session of its own. */
static void
test_stubborn (void)
{
  g_autoptr (Play) play = play_new ("{\"stubborn\":true},{\"run\":[\"sh\",\"-c\",\"kill -TERM "
                                    "$PPID\"]},{\"say\":\"still here\"}");
  g_autoptr (GArray) left = NULL;

  run (play, "t", 1, "go");
  left = fore_process_find_marked ("run", "t", 0);
  kill_marked ("t");
  g_assert_cmpstr (final_text (play), ==, "still here");
  g_assert_cmpuint (left->len, ==, 1);
}

/* The scenario that ships really repairs the sample: its tests fail before and pass after. */
static void
run_sample_task (const char *tree, const char *task, guint attempt, const char *prompt)
{
  g_autofree char *program = fore_adapter_find_program (fore_adapter_lookup ("demo"), NULL);
  g_autofree char *scenario = g_build_filename (g_getenv ("FOREDECK_DATA"), "demo", "scenario.json",
                                                NULL);
  g_autofree char *number = g_strdup_printf ("%u", attempt);
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (
      G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_SILENCE);
  g_autoptr (GSubprocess) process = NULL;

  g_subprocess_launcher_set_cwd (launcher, tree);
  g_subprocess_launcher_setenv (launcher, "FOREDECK_TASK", task, TRUE);
  g_subprocess_launcher_setenv (launcher, "FOREDECK_ATTEMPT", number, TRUE);
  process = g_subprocess_launcher_spawn (launcher, NULL, program, "--scenario", scenario, NULL);
  g_assert_true (g_subprocess_communicate_utf8 (process, prompt, NULL, NULL, NULL, NULL));
}

static gboolean
sample_passes (const char *tree)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (
      G_SUBPROCESS_FLAGS_STDOUT_SILENCE);
  g_autoptr (GSubprocess) process = NULL;

  g_subprocess_launcher_set_cwd (launcher, tree);
  process = g_subprocess_launcher_spawn (launcher, NULL, "sh", "tests/run.sh", NULL);

  return g_subprocess_wait_check (process, NULL, NULL);
}

static void
test_sample (gconstpointer data)
{
  static const char *const tasks[] = { "explore", "plan",    "words", "longest", "report",
                                       "options", "unknown", "cases", "readme",  "verify" };
  gboolean second_plan = GPOINTER_TO_INT (data);
  g_autoptr (Play) play = play_new ("");
  g_autofree char *sample = g_build_filename (g_getenv ("FOREDECK_DATA"), "demo", "sample", NULL);
  g_autofree char *tree = g_build_filename (play->dir, "tree", NULL);
  g_autoptr (GSubprocess) copy = g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, NULL, "cp", "-r",
                                                   sample, tree, NULL);

  g_assert_true (g_subprocess_wait_check (copy, NULL, NULL));
  g_assert_false (sample_passes (tree));
  for (guint i = 0; i < G_N_ELEMENTS (tasks); i++)
    {
      if (strcmp (tasks[i], "unknown") == 0 && !second_plan)
        continue;
      run_sample_task (tree, tasks[i], 2, second_plan ? "\n# Feedback\nunknown option" : "go");
    }
  g_assert_true (sample_passes (tree));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_setenv ("FOREDECK_DEMO_SPEED", "0", TRUE);
  g_test_add_func ("/demo-agent/chooses-script", test_chooses_script);
  g_test_add_func ("/demo-agent/works-on-files", test_works_on_files);
  g_test_add_func ("/demo-agent/faults", test_faults);
  g_test_add_func ("/demo-agent/stubborn", test_stubborn);
  g_test_add_func ("/demo-agent/live", test_live);
  g_test_add_func ("/demo-agent/live-asks", test_live_asks);
  g_test_add_func ("/demo-agent/live-error", test_live_error);
  g_test_add_data_func ("/demo-agent/sample", GINT_TO_POINTER (FALSE), test_sample);
  g_test_add_data_func ("/demo-agent/sample-second-plan", GINT_TO_POINTER (TRUE), test_sample);

  return g_test_run ();
}
