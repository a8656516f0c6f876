/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "live-session.h"
#include "real-agents.h"

#include <glib/gstdio.h>
#include <string.h>

/* Live sessions with the newest release of one agent CLI, named on the command line: said to and
 * heard as by the runner, against the scripted model server.
 */
static const char *agent;

/* Codex behind the protocol stays when its standard input ends; what is taken up again later must
 * have been written by then.
 */
#define STAYS_MS 200
#define REMEMBERS_MS 5000

/* A program that speaks the Agent Client Protocol by itself is a step's command. */
static gboolean
is_plain_acp (void)
{
  return g_str_has_suffix (agent, "-acp");
}

static gboolean
asks_permission (void)
{
  return !g_str_equal (agent, "pi");
}

static ForeLaunch *
make_launch (const ForeAdapter *adapter, const char *cwd, const char *session)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *program = NULL;
  const char *command[] = { agent, NULL };
  ForeLaunchRequest request = { 0 };
  ForeLaunch *launch;

  if (!is_plain_acp ())
    program = fore_adapter_find_program (adapter, &error);
  g_assert_no_error (error);
  request.program = program;
  request.command = command;
  request.prompt = "";
  request.cwd = cwd;
  request.session = session;
  request.live = TRUE;
  launch = fore_adapter_launch (adapter, &request, &error);
  g_assert_no_error (error);
  g_assert_cmpint (launch->stdin_mode, ==, FORE_STDIN_LIVE);

  return launch;
}

static LiveSession *
begin (const char *work, const char *prompt, const char *session)
{
  const ForeAdapter *adapter = fore_adapter_lookup (is_plain_acp () ? "acp" : agent);
  g_autoptr (ForeLaunch) launch = make_launch (adapter, work, session);
  g_auto (GStrv) env = fore_adapter_build_environ (adapter, launch, "run", "task", 1,
                                                   real_agents.tmp);
  ForeSessionStart start = { 0 };
  LiveSession *begun;

  start.prompt = prompt;
  start.cwd = work;
  start.session = session;
  begun = live_session_start (adapter, (const char *const *) launch->argv,
                              (const char *const *) env, &start);
  if (g_str_equal (agent, "codex-acp"))
    begun->end_ms = STAYS_MS;

  return begun;
}

static char *
make_work (void)
{
  char *work = g_build_filename (real_agents.dir, "work-XXXXXX", NULL);

  g_assert_nonnull (g_mkdtemp (work));

  return work;
}

static gboolean
was_written (const char *work, const char *name)
{
  g_autofree char *path = g_build_filename (work, name, NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static void
assert_completed (const ForeSummary *summary, const char *text)
{
  const char *error = summary->errors->len > 0 ? g_ptr_array_index (summary->errors, 0) : NULL;

  if (summary->outcome != FORE_OUTCOME_COMPLETED)
    g_test_message ("error: %s", error);
  g_assert_cmpint (summary->outcome, ==, FORE_OUTCOME_COMPLETED);
  g_assert_cmpstr (summary->final_text, ==, text);
}

static void
test_answers (void)
{
  g_autofree char *work = NULL;
  g_autoptr (LiveSession) session = NULL;

  if (real_agents_skipped ())
    return;

  work = make_work ();
  session = begin (work, "Say hello. [[mock:simple]]", NULL);
  g_assert_true (live_session_wait (session, live_session_is_settled, NULL));
  assert_completed (live_session_finish (session), "Hello from the mock model.");
  g_assert_nonnull (fore_decoder_get_summary (session->decoder)->session);
}

static void
run_write (const char *answer, gboolean written)
{
  g_autofree char *work = NULL;
  g_autoptr (LiveSession) session = NULL;

  if (real_agents_skipped ())
    return;

  work = make_work ();
  session = begin (work, "Write. [[mock:write]]", NULL);
  session->answer = answer;
  g_assert_true (live_session_wait (session, live_session_is_settled, NULL));
  live_session_finish (session);
  g_assert_cmpuint (session->asked, >, 0);
  g_assert_cmpint (was_written (work, "hello.txt"), ==, written);
  g_assert_cmpuint (fore_decoder_get_summary (session->decoder)->tools_running, ==, 0);
}

static void
test_permission_allowed (void)
{
  run_write ("allow_once", TRUE);
}

static void
test_permission_denied (void)
{
  run_write ("reject_once", FALSE);
}

/* Interrupted while it asks: the question goes away, and nothing is written. */
static void
test_permission_cancelled (void)
{
  g_autofree char *work = NULL;
  g_autoptr (LiveSession) session = NULL;

  if (real_agents_skipped ())
    return;

  work = make_work ();
  session = begin (work, "Write. [[mock:write]]", NULL);
  session->answer = "none";
  g_assert_true (live_session_wait (session, live_session_has_asked, NULL));
  g_assert_true (live_session_say (session, "interrupt", NULL));
  g_assert_true (live_session_wait (session, live_session_is_settled, NULL));
  live_session_finish (session);
  g_assert_false (was_written (work, "hello.txt"));
}

/* Codex's own server asks, and then does what it was allowed to without a sandbox. */
static gboolean
skipped_without_sandbox (void)
{
  return g_str_equal (agent, "codex") ? real_agents_skipped ()
                                      : real_agents_skipped_without_sandbox (agent);
}

static void
test_runs_command (void)
{
  g_autofree char *work = NULL;
  g_autoptr (LiveSession) session = NULL;

  if (skipped_without_sandbox ())
    return;

  work = make_work ();
  session = begin (work, "Run. [[mock:shell]]", NULL);
  g_assert_true (live_session_wait (session, live_session_is_settled, NULL));
  assert_completed (live_session_finish (session), "The command ran.");
}

static void
test_parallel_tools (void)
{
  g_autofree char *work = NULL;
  g_autoptr (LiveSession) session = NULL;

  if (skipped_without_sandbox ())
    return;

  work = make_work ();
  session = begin (work, "Three. [[mock:parallel]]", NULL);
  g_assert_true (live_session_wait (session, live_session_is_settled, NULL));
  assert_completed (live_session_finish (session), "All three finished.");
  g_assert_true (was_written (work, "three.txt"));
}

static void
test_long_line (void)
{
  g_autofree char *work = NULL;
  g_autoptr (LiveSession) session = NULL;

  if (real_agents_skipped ())
    return;

  work = make_work ();
  session = begin (work, "Long. [[mock:long-line]]", NULL);
  g_assert_true (live_session_wait (session, live_session_is_settled, NULL));
  live_session_finish (session);
  g_assert_cmpuint (session->heard, >, 1000000);
  g_assert_cmpint (fore_decoder_get_summary (session->decoder)->outcome, ==,
                   FORE_OUTCOME_COMPLETED);
}

/* Codex behind the protocol does not try again. */
static void
test_rate_limit_is_survived (void)
{
  g_autofree char *work = NULL;
  g_autofree char *prompt = NULL;
  g_autoptr (LiveSession) session = NULL;

  if (real_agents_skipped ())
    return;

  work = make_work ();
  prompt = g_strdup_printf ("Retry. [[mock:retry-429 {\"key\":\"live-%s\"}]]", agent);
  session = begin (work, prompt, NULL);
  g_assert_true (live_session_wait (session, live_session_is_settled, NULL));
  assert_completed (live_session_finish (session), "Recovered after 429.");
}

static gboolean
goes_on_after_error (const char *work)
{
  g_autoptr (LiveSession) session = begin (work, "Fail. [[mock:fatal-400]]", NULL);

  g_assert_true (live_session_wait (session, live_session_is_settled, NULL));
  g_assert_cmpint (fore_decoder_get_summary (session->decoder)->outcome, ==, FORE_OUTCOME_FAILED);
  g_assert_true (live_session_say (session, "follow-up", "Once more. [[mock:simple]]"));
  if (!live_session_wait (session, live_session_is_settled, NULL))
    return FALSE;

  assert_completed (live_session_finish (session), "Hello from the mock model.");
  return TRUE;
}

/* An error ends a turn and not the session. Codex' ACP program loses what it is told in the moment
 * in which it ends the turn, about once in twenty times; nobody types that fast.
 */
static void
test_error_then_next (void)
{
  g_autofree char *work = NULL;

  if (real_agents_skipped ())
    return;

  work = make_work ();
  g_assert_true (goes_on_after_error (work)
                 || (strcmp (agent, "codex-acp") == 0 && goes_on_after_error (work)));
}

/* Interrupted while it writes; the session can be used after that. */
static void
test_interrupt_then_next (void)
{
  g_autofree char *work = NULL;
  g_autoptr (LiveSession) session = NULL;

  if (real_agents_skipped ())
    return;

  work = make_work ();
  session = begin (work, "Slow. [[mock:slow]]", NULL);
  g_assert_true (live_session_wait (session, live_session_has_text, NULL));
  g_assert_true (live_session_say (session, "interrupt", NULL));
  g_assert_true (live_session_wait (session, live_session_is_settled, NULL));
  g_assert_cmpint (fore_decoder_get_summary (session->decoder)->cause, ==, FORE_CAUSE_INTERRUPTED);
  g_assert_true (live_session_say (session, "follow-up", "Still there? [[mock:simple]]"));
  g_assert_true (live_session_wait (session, live_session_is_settled, NULL));
  assert_completed (live_session_finish (session), "Hello from the mock model.");
}

/* Some say nothing of a call between asking for it and its end. */
static gboolean
is_at_work (LiveSession *session, gpointer data)
{
  return live_session_has_tool (session, data) || live_session_has_asked (session, data);
}

/* What is said while it works is heard, in the same turn or in the next. */
static void
test_steer (void)
{
  g_autofree char *work = NULL;
  g_autoptr (LiveSession) session = NULL;

  if (skipped_without_sandbox ())
    return;

  work = make_work ();
  session = begin (work, "Ticks. [[mock:ticking {\"n\":4,\"s\":0.5}]]", NULL);
  g_assert_true (live_session_wait (session, is_at_work, NULL));
  g_assert_true (
      live_session_say (session, "steer", "Instead. [[mock:simple {\"text\":\"Steered.\"}]]"));
  g_assert_true (live_session_wait (session, live_session_is_settled, NULL));
  assert_completed (live_session_finish (session), "Steered.");
}

static void
test_resumes (void)
{
  g_autofree char *work = NULL;
  g_autofree char *id = NULL;
  g_autoptr (LiveSession) session = NULL;
  g_autoptr (LiveSession) later = NULL;

  if (real_agents_skipped ())
    return;

  work = make_work ();
  session = begin (work, "Remember 7. [[mock:simple {\"text\":\"Noted 7.\"}]]", NULL);
  session->end_ms = REMEMBERS_MS;
  g_assert_true (live_session_wait (session, live_session_is_settled, NULL));
  id = g_strdup (live_session_finish (session)->session);
  later = begin (work, "Which number? [[mock:simple {\"text\":\"Seven.\"}]]", id);
  g_assert_true (live_session_wait (later, live_session_is_settled, NULL));
  assert_completed (live_session_finish (later), "Seven.");
  g_assert_cmpstr (fore_decoder_get_summary (later->decoder)->session, ==, id);
}

static void
add (const char *name, void (*func) (void))
{
  g_autofree char *path = g_strdup_printf ("/real-live/%s/%s", agent, name);

  g_test_add_func (path, func);
}

int
main (int argc, char **argv)
{
  int result;

  g_test_init (&argc, &argv, NULL);
  agent = argc > 1 ? argv[1] : "pi";
  add ("answers", test_answers);
  add ("runs-command", test_runs_command);
  add ("parallel-tools", test_parallel_tools);
  add ("long-line", test_long_line);
  if (!g_str_equal (agent, "codex-acp"))
    add ("rate-limit", test_rate_limit_is_survived);
  add ("error-then-next", test_error_then_next);
  add ("interrupt-then-next", test_interrupt_then_next);
  add ("steer", test_steer);
  if (!g_str_equal (agent, "gemini"))
    add ("resumes", test_resumes);
  if (asks_permission ())
    {
      add ("permission-allowed", test_permission_allowed);
      add ("permission-denied", test_permission_denied);
      add ("permission-cancelled", test_permission_cancelled);
    }

  real_agents_set_up (agent);
  result = g_test_run ();
  real_agents_tear_down ();

  return result;
}
