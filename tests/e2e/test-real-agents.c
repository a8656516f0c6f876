/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "real-agents.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

/* The newest release of one agent CLI from npm, named on the command line, started the way an
 * attempt is, against the scripted model server on the loopback. Without npm or the registry
 * everything here is skipped.
 */
typedef struct
{
  ForeDecoder *decoder;
  ForeCause cause;
  char *message;
  char *work;
  gboolean begun;
  guint texts;
} Attempt;

static void
on_entry (const ForeEntry *entry, gpointer user_data)
{
  Attempt *attempt = user_data;

  attempt->begun |= entry->kind == FORE_ENTRY_SESSION;
  if (entry->kind == FORE_ENTRY_TEXT)
    attempt->texts++;
}

static GSubprocess *
spawn (const ForeAdapter *adapter, Attempt *attempt, const char *prompt, gboolean read_only)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *program = fore_adapter_find_program (adapter, &error);
  g_autofree char *prompt_path = g_build_filename (real_agents.dir, "prompt.in", NULL);
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (
      G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  ForeLaunchRequest request = { 0 };
  g_autoptr (ForeLaunch) launch = NULL;
  g_auto (GStrv) env = NULL;
  GSubprocess *process;

  g_assert_no_error (error);
  g_file_set_contents (prompt_path, prompt, -1, &error);
  g_assert_no_error (error);
  request.program = program;
  request.prompt = prompt;
  request.prompt_path = prompt_path;
  request.cwd = attempt->work;
  request.read_only = read_only;
  launch = fore_adapter_launch (adapter, &request, &error);
  g_assert_no_error (error);
  g_assert_cmpint (launch->stdin_mode, ==, FORE_STDIN_FILE);

  env = fore_adapter_build_environ (adapter, launch, "run", "task", 1, real_agents.tmp);
  g_subprocess_launcher_set_environ (launcher, env);
  g_subprocess_launcher_set_cwd (launcher, attempt->work);
  g_subprocess_launcher_set_stdin_file_path (launcher, prompt_path);
  process = g_subprocess_launcher_spawnv (launcher, (const char *const *) launch->argv, &error);
  g_assert_no_error (error);

  return process;
}

/* Codex and OpenCode tell a text only when it is whole, which would be after the answer. */
static gboolean
is_in_its_answer (const char *name, Attempt *attempt)
{
  if (!g_str_equal (name, "codex") && !g_str_equal (name, "opencode"))
    return attempt->texts > 0;
  if (attempt->begun)
    real_agents_wait_asked ();

  return attempt->begun;
}

/* Runs an attempt to its end; a signal other than 0 is sent in the middle of its answer. */
static Attempt *
run_attempt (const char *name, const char *prompt, int send_signal, gboolean read_only)
{
  const ForeAdapter *adapter = fore_adapter_lookup (name);
  Attempt *attempt = g_new0 (Attempt, 1);
  g_autoptr (GSubprocess) process = NULL;
  GInputStream *stream;
  char buffer[8192];
  gssize n;
  int term_signal = 0;

  attempt->work = g_build_filename (real_agents.dir, "work-XXXXXX", NULL);
  g_assert_nonnull (g_mkdtemp (attempt->work));
  attempt->decoder = fore_adapter_new_decoder (adapter, FALSE);
  process = spawn (adapter, attempt, prompt, read_only);
  stream = g_subprocess_get_stdout_pipe (process);

  while ((n = g_input_stream_read (stream, buffer, sizeof buffer, NULL, NULL)) > 0)
    {
      fore_decoder_feed (attempt->decoder, buffer, n, on_entry, attempt);
      if (send_signal != 0 && is_in_its_answer (name, attempt))
        {
          g_subprocess_send_signal (process, send_signal);
          send_signal = 0;
        }
    }

  fore_decoder_finish (attempt->decoder, on_entry, attempt);
  g_subprocess_wait (process, NULL, NULL);
  if (g_subprocess_get_if_signaled (process))
    term_signal = g_subprocess_get_term_sig (process);
  attempt->cause = fore_decoder_judge (
      attempt->decoder, term_signal == 0 ? g_subprocess_get_exit_status (process) : -1, term_signal,
      adapter->stream_required, &attempt->message);

  return attempt;
}

static void
attempt_free (Attempt *attempt)
{
  fore_decoder_free (attempt->decoder);
  g_free (attempt->message);
  g_free (attempt->work);
  g_free (attempt);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Attempt, attempt_free)

static void
test_found (gconstpointer data)
{
  g_autoptr (ForeAgentFound) found = NULL;

  if (real_agents_skipped ())
    return;

  found = fore_adapter_find (fore_adapter_lookup (data), NULL);
  g_assert_null (found->problem);
  g_assert_true (found->usable);
  g_assert_nonnull (found->version);
  g_assert_true (g_path_is_absolute (found->path));
}

static gboolean
says_cost (const char *agent)
{
  return !g_str_equal (agent, "codex") && !g_str_equal (agent, "gemini");
}

static void
test_writes_file (gconstpointer data)
{
  g_autoptr (Attempt) attempt = NULL;
  g_autofree char *path = NULL;
  g_autofree char *text = NULL;
  const ForeSummary *summary;

  if (real_agents_skipped_without_sandbox (data))
    return;

  attempt = run_attempt (data, "Write. [[mock:write]]", 0, FALSE);
  summary = fore_decoder_get_summary (attempt->decoder);
  path = g_build_filename (attempt->work, "hello.txt", NULL);
  g_assert_cmpstr (attempt->message, ==, NULL);
  g_assert_cmpint (attempt->cause, ==, FORE_CAUSE_NONE);
  g_assert_cmpstr (summary->final_text, ==, "Wrote hello.txt.");
  g_assert_cmpint (summary->usage.input, ==, 2500);
  g_assert_cmpint (summary->usage.output, ==, 18);
  g_assert_true ((summary->usage.cost > 0) == says_cost (data));
  g_assert_nonnull (summary->session);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
}

static void
test_read_only_cannot_write (gconstpointer data)
{
  g_autoptr (Attempt) attempt = NULL;
  g_autofree char *path = NULL;

  if (real_agents_skipped ())
    return;

  attempt = run_attempt (data, "Write. [[mock:write]]", 0, TRUE);
  path = g_build_filename (attempt->work, "hello.txt", NULL);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

static void
test_runs_command (gconstpointer data)
{
  g_autoptr (Attempt) attempt = NULL;

  if (real_agents_skipped_without_sandbox (data))
    return;

  attempt = run_attempt (data, "Run. [[mock:shell]]", 0, FALSE);
  g_assert_cmpint (attempt->cause, ==, FORE_CAUSE_NONE);
  g_assert_cmpstr (fore_decoder_get_summary (attempt->decoder)->final_text, ==, "The command ran.");
}

static void
test_wrong_key (gconstpointer data)
{
  g_autoptr (Attempt) attempt = NULL;

  if (real_agents_skipped ())
    return;

  attempt = run_attempt (data, "Fail. [[mock:fatal-401]]", 0, FALSE);
  g_assert_cmpint (attempt->cause, ==, FORE_CAUSE_AUTH);
  g_assert_nonnull (attempt->message);
}

static void
test_rate_limit_is_survived (gconstpointer data)
{
  g_autofree char *prompt = g_strdup_printf ("Retry. [[mock:retry-429 {\"key\":\"%s\"}]]",
                                             (const char *) data);
  g_autoptr (Attempt) attempt = NULL;

  if (real_agents_skipped ())
    return;

  attempt = run_attempt (data, prompt, 0, FALSE);
  g_assert_cmpint (attempt->cause, ==, FORE_CAUSE_NONE);
  g_assert_cmpstr (fore_decoder_get_summary (attempt->decoder)->final_text, ==,
                   "Recovered after 429.");
}

/* pi leaves with exit code 0 after a stream that was cut again and again. */
static void
test_cut_stream (void)
{
  g_autoptr (Attempt) attempt = NULL;

  if (real_agents_skipped ())
    return;

  attempt = run_attempt ("pi", "Cut. [[mock:always-cut]]", 0, FALSE);
  g_assert_cmpint (attempt->cause, ==, FORE_CAUSE_BROKEN_STREAM);
}

/* Gemini leaves with 0 and without a result then. */
static void
test_ended_by_signal (gconstpointer data)
{
  g_autoptr (Attempt) attempt = NULL;

  if (real_agents_skipped ())
    return;

  attempt = run_attempt (data, "Slow. [[mock:slow]]", SIGTERM, FALSE);
  g_assert_cmpint (attempt->cause, ==,
                   g_str_equal (data, "gemini") ? FORE_CAUSE_BROKEN_STREAM
                                                : FORE_CAUSE_INTERRUPTED);
}

static void
test_killed (gconstpointer data)
{
  g_autoptr (Attempt) attempt = NULL;

  if (real_agents_skipped ())
    return;

  attempt = run_attempt (data, "Slow. [[mock:slow]]", SIGKILL, FALSE);
  g_assert_cmpint (attempt->cause, ==, FORE_CAUSE_CRASH);
}

/* The same through the built programs: a run in a worktree, its merge and what it cost. */
static char *
make_project (gboolean live)
{
  static const char script[] = "cd \"$0\" && git init -q -b main . && git config user.name Tester "
                               "&& git config user.email "
                               "tester@localhost && echo one >one.txt && git add . && git commit "
                               "-q -m start && cat >one.md";
  g_autofree char *workflow = g_strdup_printf (
      "---\nname: one\ndescription: one step\nteam: default\n---\n# One\n\n## work\nrole: "
      "executor\ntitle: Work\n%s\nDo what the goal says.\n",
      live ? "live: true\n" : "");
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = NULL;
  char *dir = g_build_filename (real_agents.dir, "project-XXXXXX", NULL);

  g_assert_nonnull (g_mkdtemp (dir));
  process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE, &error, "sh", "-c", script, dir, NULL);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_communicate_utf8 (process, workflow, NULL, NULL, NULL, NULL));
  g_assert_true (g_subprocess_get_successful (process));

  return dir;
}

static char *
dup_ctl (void)
{
  return g_build_filename (g_getenv ("FOREDECK_LIBEXEC"), "foredeckctl", NULL);
}

static char *
run_ctl (const char *verb, const char *id, int *exit_code)
{
  g_autofree char *ctl = dup_ctl ();
  const char *argv[] = { ctl, verb, id, NULL };
  g_autoptr (GSubprocess) process = g_subprocess_newv (argv, G_SUBPROCESS_FLAGS_STDOUT_PIPE, NULL);
  char *output = NULL;

  g_subprocess_communicate_utf8 (process, NULL, NULL, &output, NULL, NULL);
  *exit_code = g_subprocess_get_exit_status (process);

  return output;
}

static char *
run_goal (const char *dir, const char *agent, const char *goal, int *exit_code)
{
  g_autofree char *ctl = dup_ctl ();
  g_autofree char *workflow = g_build_filename (dir, "one.md", NULL);
  g_autofree char *trusted = run_ctl ("trust", dir, exit_code);
  g_autofree char *output = NULL;
  const char *argv[] = { ctl,   "run",       "--project", dir,      "--workflow", workflow, "--cli",
                         agent, "--approve", "auto",      "--json", goal,         NULL };
  g_autoptr (GSubprocess) process = g_subprocess_newv (argv, G_SUBPROCESS_FLAGS_STDOUT_PIPE, NULL);
  const char *id;

  g_subprocess_communicate_utf8 (process, NULL, NULL, &output, NULL, NULL);
  *exit_code = g_subprocess_get_exit_status (process);
  id = output != NULL ? strstr (output, "\"id\":\"") : NULL;
  g_assert_nonnull (id);
  id += strlen ("\"id\":\"");

  return g_strndup (id, strcspn (id, "\""));
}

static gboolean
skipped_without_git (const char *agent)
{
  g_autofree char *git = g_find_program_in_path ("git");

  if (real_agents_skipped_without_sandbox (agent))
    return TRUE;
  if (git == NULL)
    g_test_skip ("git, which makes the project of this test, is not installed");

  return git == NULL;
}

static void
merge (const char *dir, const char *id)
{
  g_autofree char *written = g_build_filename (dir, "hello.txt", NULL);
  g_autofree char *output = NULL;
  int exit_code;

  g_assert_false (g_file_test (written, G_FILE_TEST_EXISTS));
  output = run_ctl ("merge", id, &exit_code);
  g_assert_cmpint (exit_code, ==, 0);
  g_assert_true (g_file_test (written, G_FILE_TEST_EXISTS));
}

static void
test_run_by_foredeckctl (gconstpointer data)
{
  g_autofree char *dir = NULL;
  g_autofree char *id = NULL;
  int exit_code;

  if (skipped_without_git (data))
    return;

  dir = make_project (FALSE);
  id = run_goal (dir, data, "Write. [[mock:write]]", &exit_code);
  g_assert_cmpint (exit_code, ==, 0);
  merge (dir, id);
}

/* A live session in a run asks before it writes, and goes on with the answer; pi asks nobody. */
static void
test_live_run_by_foredeckctl (gconstpointer data)
{
  g_autofree char *dir = NULL;
  g_autofree char *id = NULL;
  int exit_code;

  if (skipped_without_git (data))
    return;

  dir = make_project (TRUE);
  id = run_goal (dir, data, "Write. [[mock:write]]", &exit_code);
  if (!g_str_equal (data, "pi"))
    {
      g_autofree char *request = g_strconcat (id, "-1", NULL);
      g_autofree char *approved = NULL;
      g_autofree char *waited = NULL;

      g_assert_cmpint (exit_code, ==, 3);
      approved = run_ctl ("approve", request, &exit_code);
      g_assert_cmpint (exit_code, ==, 0);
      waited = run_ctl ("wait", id, &exit_code);
    }
  g_assert_cmpint (exit_code, ==, 0);
  merge (dir, id);
}

/* The names that the CLIs give to a tool of an MCP server. */
static const char *
find_ask_tool (const char *agent)
{
  if (g_str_equal (agent, "gemini"))
    return "mcp_foredeck_ask";

  return g_str_equal (agent, "opencode") ? "foredeck_ask" : "mcp__foredeck__ask";
}

/* Its model calls the tool; the question waits for the person, whose answer the model is told. */
static void
test_asks_by_a_tool (gconstpointer data)
{
  g_autofree char *goal = g_strdup_printf (
      "Ask. [[mock:call {\"name\":\"%s\",\"args\":{\"question\":\"Which colour?\"}}]]",
      find_ask_tool (data));
  g_autofree char *dir = NULL;
  g_autofree char *id = NULL;
  g_autofree char *request = NULL;
  g_autofree char *answered = NULL;
  g_autofree char *waited = NULL;
  g_autofree char *shown = NULL;
  g_autofree char *ctl = dup_ctl ();
  int exit_code;

  if (skipped_without_git (data))
    return;

  dir = make_project (FALSE);
  id = run_goal (dir, data, goal, &exit_code);
  g_assert_cmpint (exit_code, ==, 3);
  request = g_strconcat (id, "-1", NULL);
  answered = real_agents_run ((const char *const[]){ ctl, "answer", request, "a dark teal", NULL });
  g_assert_nonnull (answered);
  waited = run_ctl ("wait", id, &exit_code);
  g_assert_cmpint (exit_code, ==, 0);
  shown = real_agents_run ((const char *const[]){ ctl, "transcript", id, "work", NULL });
  g_assert_nonnull (strstr (shown, "a dark teal"));
  g_assert_nonnull (strstr (shown, "Call finished."));
}

static void
add (const char *name, const char *agent, GTestDataFunc func)
{
  g_autofree char *path = g_strdup_printf ("/real-agents/%s/%s", agent, name);

  g_test_add_data_func (path, agent, func);
}

int
main (int argc, char **argv)
{
  static const char *const agents[] = { "pi", "claude", "codex", "gemini", "opencode", NULL };
  const char *agent;
  int result;

  g_test_init (&argc, &argv, NULL);
  agent = argc > 1 ? argv[1] : agents[0];
  g_assert_true (g_strv_contains (agents, agent));
  add ("found", agent, test_found);
  add ("writes-file", agent, test_writes_file);
  add ("read-only-cannot-write", agent, test_read_only_cannot_write);
  add ("runs-command", agent, test_runs_command);
  add ("wrong-key", agent, test_wrong_key);
  add ("rate-limit", agent, test_rate_limit_is_survived);
  add ("ended-by-signal", agent, test_ended_by_signal);
  add ("killed", agent, test_killed);
  add ("run-by-foredeckctl", agent, test_run_by_foredeckctl);
  add ("live-run-by-foredeckctl", agent, test_live_run_by_foredeckctl);
  /* pi knows no MCP; Codex calls tools in a namespace, of which the model server knows nothing */
  if (!g_str_equal (agent, "pi") && !g_str_equal (agent, "codex"))
    add ("asks-by-a-tool", agent, test_asks_by_a_tool);
  if (g_str_equal (agent, "pi"))
    g_test_add_func ("/real-agents/pi/cut-stream", test_cut_stream);

  real_agents_set_up (agent);
  result = g_test_run ();
  real_agents_tear_down ();

  return result;
}
