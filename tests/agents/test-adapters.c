/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-adapter.h"
#include "agents/fore-error-text.h"
#include "model/fore-error.h"

#include <glib/gstdio.h>
#include <string.h>

static ForeLaunch *
launch (const char *agent, const ForeLaunchRequest *wanted, GError **error)
{
  ForeLaunchRequest request = *wanted;

  request.program = "/opt/bin/agent";
  if (request.prompt == NULL)
    request.prompt = "Do it.";
  request.prompt_path = "/run/t.1.in";
  request.goal = "the goal";
  if (request.cwd == NULL)
    request.cwd = "/tree";

  return fore_adapter_launch (fore_adapter_lookup (agent), &request, error);
}

static void
assert_argv (const char *agent, const ForeLaunchRequest *wanted, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeLaunch) result = launch (agent, wanted, &error);
  g_autofree char *argv = NULL;

  g_assert_no_error (error);
  argv = g_strjoinv (" ", result->argv);
  g_assert_cmpstr (argv, ==, expected);
}

static void
test_registry (void)
{
  static const char *const names[] = { "claude",   "pi",  "codex",   "gemini",
                                       "opencode", "acp", "command", "demo" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_cmpstr (fore_adapter_lookup (names[i])->name, ==, names[i]);

  g_assert_null (fore_adapter_lookup ("nothing"));
  g_assert_null (fore_adapter_lookup (NULL));
}

static void
test_pi_argv (void)
{
  static const char *const tools[] = { "read", "bash", NULL };
  static const char *const none[] = { NULL };

  assert_argv ("pi", &(ForeLaunchRequest){ 0 }, "/opt/bin/agent --mode json -p");
  assert_argv (
      "pi",
      &(ForeLaunchRequest){ .model = "a/b", .thinking = "high", .tools = tools, .session = "s" },
      "/opt/bin/agent --mode json --session s --model a/b --thinking high --tools read,bash "
      "-p");
  assert_argv ("pi", &(ForeLaunchRequest){ .tools = none },
               "/opt/bin/agent --mode json --no-tools -p");
  assert_argv ("pi", &(ForeLaunchRequest){ .read_only = TRUE },
               "/opt/bin/agent --mode json --tools read,grep,find,ls -p");
}

/* What may be written has to be said to both “exec” and “exec resume”. */
static void
test_codex_argv (void)
{
  assert_argv ("codex", &(ForeLaunchRequest){ .read_only = TRUE },
               "/opt/bin/agent exec --json --skip-git-repo-check -c sandbox_mode=\"read-only\" -");
  assert_argv (
      "codex",
      &(ForeLaunchRequest){
          .session = "th-1", .model = "m", .thinking = "high", .system_prompt = "say \"hi\"" },
      "/opt/bin/agent exec resume th-1 --json --skip-git-repo-check --model m -c "
      "sandbox_mode=\"workspace-write\" -c model_reasoning_effort=\"high\" -c "
      "developer_instructions=\"say \\\"hi\\\"\" -");
}

static void
test_gemini_argv (void)
{
  assert_argv ("gemini", &(ForeLaunchRequest){ .read_only = TRUE },
               "/opt/bin/agent --output-format stream-json --approval-mode default");
  assert_argv ("gemini", &(ForeLaunchRequest){ .session = "g-1", .model = "m" },
               "/opt/bin/agent --output-format stream-json --approval-mode yolo --model m --resume "
               "g-1");
}

/* What is the person's or the machine's own is left to them. */
static void
test_gemini_mcp (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("fore-gemini-XXXXXX", &error);
  const char *const mcp[] = { "/opt/foredeckctl", "mcp", "--calls", folder, NULL };
  g_autofree char *path = g_build_filename (folder, "gemini-settings", NULL);
  g_autoptr (ForeLaunch) given = NULL;
  g_autoptr (ForeLaunch) left = NULL;
  g_autofree char *text = NULL;
  const char *variable = "GEMINI_CLI_SYSTEM_DEFAULTS_PATH";

  g_assert_no_error (error);
  g_setenv (variable, "/somewhere/else.json", TRUE);
  left = launch ("gemini", &(ForeLaunchRequest){ .mcp = mcp }, &error);
  g_unsetenv (variable);
  g_assert_null (g_environ_getenv (left->env, variable));
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));

  if (g_file_test ("/etc/gemini-cli/system-defaults.json", G_FILE_TEST_EXISTS))
    {
      g_test_skip ("this machine has defaults of its own for Gemini CLI");
    }
  else
    {
      given = launch ("gemini", &(ForeLaunchRequest){ .mcp = mcp }, &error);
      g_assert_cmpstr (g_environ_getenv (given->env, variable), ==, path);
      g_file_get_contents (path, &text, NULL, &error);
      g_assert_no_error (error);
      g_assert_nonnull (strstr (text, "\"command\":\"/opt/foredeckctl\""));
    }
  g_unlink (path);
  g_rmdir (folder);
}

static void
test_opencode_argv (void)
{
  assert_argv ("opencode", &(ForeLaunchRequest){ .read_only = TRUE },
               "/opt/bin/agent run --format json --thinking");
  assert_argv ("opencode",
               &(ForeLaunchRequest){ .session = "ses_1", .model = "p/m", .thinking = "high" },
               "/opt/bin/agent run --format json --thinking --model p/m --session ses_1 --variant "
               "high");
}

static void
test_claude_argv (void)
{
  static const char *const tools[] = { "read", "bash", NULL };

  assert_argv ("claude", &(ForeLaunchRequest){ .tools = tools, .max_turns = 7, .thinking = "off" },
               "/opt/bin/agent -p --output-format stream-json --verbose --include-partial-messages "
               "--max-turns 7 --permission-mode acceptEdits --tools Read,Bash --allowedTools "
               "Read,Bash");
  assert_argv ("claude",
               &(ForeLaunchRequest){ .tools = tools, .read_only = TRUE, .thinking = "low" },
               "/opt/bin/agent -p --output-format stream-json --verbose --include-partial-messages "
               "--effort low --permission-mode default --tools Read,Bash --allowedTools Read,Bash "
               "--disallowedTools Edit,Write,NotebookEdit");
}

static void
test_command_templates (void)
{
  static const char *const plain[] = { "sh", "-c", "cat", NULL };
  static const char *const filled[] = { "sh",      "x={prompt}", "{prompt-file}",
                                        "{goal}!", "{other}",    NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeLaunch) by_stdin = launch ("command", &(ForeLaunchRequest){ .command = plain },
                                            &error);
  g_autoptr (ForeLaunch) by_argv = launch (
      "command", &(ForeLaunchRequest){ .command = filled, .prompt = "a {goal} b; rm" }, &error);

  g_assert_no_error (error);
  g_assert_true (g_path_is_absolute (by_stdin->argv[0]));
  g_assert_cmpint (by_stdin->stdin_mode, ==, FORE_STDIN_FILE);
  g_assert_true (by_stdin->pipe_output);
  g_assert_cmpint (by_argv->stdin_mode, ==, FORE_STDIN_NULL);
  g_assert_cmpstr (by_argv->argv[1], ==, "x=a {goal} b; rm");
  g_assert_cmpstr (by_argv->argv[2], ==, "/run/t.1.in");
  g_assert_cmpstr (by_argv->argv[3], ==, "the goal!");
  g_assert_cmpstr (by_argv->argv[4], ==, "{other}");
}

static void
assert_command_refused (const ForeLaunchRequest *request, int code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (launch ("command", request, &error));
  g_assert_error (error, FORE_ERROR, code);
}

static void
test_command_refused (void)
{
  static const char *const missing[] = { "no-such-program-anywhere", NULL };
  static const char *const missing_path[] = { "./no-such-program", NULL };
  static const char *const prompt[] = { "sh", "{prompt}", NULL };
  g_autofree char *text = g_strnfill (100 * 1000 + 1, 'x');

  assert_command_refused (&(ForeLaunchRequest){ 0 }, FORE_ERROR_USAGE);
  assert_command_refused (&(ForeLaunchRequest){ .command = missing }, FORE_ERROR_NOT_FOUND);
  assert_command_refused (&(ForeLaunchRequest){ .command = missing_path }, FORE_ERROR_NOT_FOUND);
  assert_command_refused (&(ForeLaunchRequest){ .command = prompt, .prompt = text },
                          FORE_ERROR_LIMIT);
}

/* A path in a step's command starts from the folder that the command works in. */
static void
test_command_relative (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *dir = g_dir_make_tmp ("foredeck-XXXXXX", &error);
  g_autofree char *program = g_build_filename (dir, "tool", NULL);
  static const char *const words[] = { "./tool", NULL };
  g_autoptr (ForeLaunch) result = NULL;

  g_assert_no_error (error);
  g_file_set_contents_full (program, "#!/bin/sh\n", -1, G_FILE_SET_CONTENTS_NONE, 0755, &error);
  g_assert_no_error (error);
  result = launch ("command", &(ForeLaunchRequest){ .command = words, .cwd = dir }, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (result->argv[0], ==, program);
  g_remove (program);
  g_rmdir (dir);
}

static void
test_live_only_where_possible (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (launch ("command", &(ForeLaunchRequest){ .live = TRUE }, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_USAGE);
}

static void
test_environment (void)
{
  const ForeAdapter *adapter = fore_adapter_lookup ("claude");
  g_auto (GStrv) env = NULL;

  g_setenv ("ANTHROPIC_API_KEY", "key", TRUE);
  g_setenv ("OPENAI_API_KEY", "other key", TRUE);
  g_setenv ("CLAUDECODE", "1", TRUE);
  g_setenv ("CLAUDE_CODE_ENTRYPOINT", "cli", TRUE);
  g_setenv ("GIT_DIR", "/x", TRUE);
  g_setenv ("GIT_INDEX_FILE", "/x", TRUE);
  g_setenv ("SECRET_OF_SOMEBODY", "x", TRUE);
  g_setenv ("LC_MESSAGES", "C", TRUE);
  g_setenv ("FOREDECK_DEPTH", "2", TRUE);
  env = fore_adapter_build_environ (adapter, NULL, "abcdefgh", "fix", 3, "/tmp/t");

  g_assert_cmpstr (g_environ_getenv (env, "ANTHROPIC_API_KEY"), ==, "key");
  g_assert_cmpstr (g_environ_getenv (env, "LC_MESSAGES"), ==, "C");
  g_assert_cmpstr (g_environ_getenv (env, "PATH"), ==, g_getenv ("PATH"));
  g_assert_cmpstr (g_environ_getenv (env, "TMPDIR"), ==, "/tmp/t");
  g_assert_cmpstr (g_environ_getenv (env, "FOREDECK_RUN"), ==, "abcdefgh");
  g_assert_cmpstr (g_environ_getenv (env, "FOREDECK_TASK"), ==, "fix");
  g_assert_cmpstr (g_environ_getenv (env, "FOREDECK_ATTEMPT"), ==, "3");
  g_assert_cmpstr (g_environ_getenv (env, "FOREDECK_DEPTH"), ==, "3");
  g_assert_null (g_environ_getenv (env, "OPENAI_API_KEY"));
  g_assert_null (g_environ_getenv (env, "CLAUDECODE"));
  g_assert_null (g_environ_getenv (env, "CLAUDE_CODE_ENTRYPOINT"));
  g_assert_null (g_environ_getenv (env, "GIT_DIR"));
  g_assert_null (g_environ_getenv (env, "GIT_INDEX_FILE"));
  g_assert_null (g_environ_getenv (env, "SECRET_OF_SOMEBODY"));
}

static void
test_missing_program (void)
{
  g_autofree char *path = g_strdup (g_getenv ("PATH"));
  g_autoptr (ForeAgentFound) found = NULL;

  g_setenv ("PATH", "/nowhere", TRUE);
  found = fore_adapter_find (fore_adapter_lookup ("pi"), NULL);
  g_setenv ("PATH", path, TRUE);

  if (found->path != NULL)
    {
      g_test_skip ("pi is installed in the home");
      return;
    }

  g_assert_false (found->usable);
  g_assert_nonnull (found->problem);
}

static void
test_broken_program (void)
{
  g_autofree char *path = g_strdup (g_getenv ("PATH"));
  g_autofree char *dir = g_dir_make_tmp ("foredeck-XXXXXX", NULL);
  g_autofree char *program = g_build_filename (dir, "pi", NULL);
  g_autoptr (ForeAgentFound) found = NULL;

  g_file_set_contents_full (program, "#!/bin/sh\nexit 3\n", -1, G_FILE_SET_CONTENTS_NONE, 0755,
                            NULL);
  g_setenv ("PATH", dir, TRUE);
  found = fore_adapter_find (fore_adapter_lookup ("pi"), NULL);
  g_setenv ("PATH", path, TRUE);

  g_assert_cmpstr (found->path, ==, program);
  g_assert_false (found->usable);
  g_assert_nonnull (found->problem);
  g_remove (program);
  g_rmdir (dir);
}

static void
test_demo_found (void)
{
  g_autoptr (ForeAgentFound) found = fore_adapter_find (fore_adapter_lookup ("demo"), NULL);

  g_assert_true (found->usable);
  g_assert_nonnull (strstr (found->version, "foredeck-demo-agent"));
}

static void
test_error_texts (void)
{
  static const struct
  {
    const char *text;
    int status;
    ForeCause cause;
  } rows[] = {
    { "429: {\"message\":\"Rate limit reached for requests\"}", 0, FORE_CAUSE_RATE_LIMIT },
    { "429: {\"type\":\"insufficient_quota\"}", 0, FORE_CAUSE_BILLING },
    { "401: {}", 0, FORE_CAUSE_AUTH },
    { "Invalid API key · Fix external API key", 0, FORE_CAUSE_AUTH },
    { "404: {\"code\":\"model_not_found\"}", 0, FORE_CAUSE_BAD_MODEL },
    { "Error: Model \"nope/nothing\" not found. Use --list-models", 0, FORE_CAUSE_BAD_MODEL },
    { "The model works.\nFile not found", 0, FORE_CAUSE_ERROR },
    { "400: This model's maximum context length is 128000 tokens", 0, FORE_CAUSE_CONTEXT },
    { "Prompt is too long · the request", 400, FORE_CAUSE_CONTEXT },
    { "API Error: 500 Oops", 0, FORE_CAUSE_OVERLOADED },
    { "529: {\"message\":\"busy\"}", 0, FORE_CAUSE_OVERLOADED },
    { "502: <html>", 0, FORE_CAUSE_OVERLOADED },
    { "terminated: other side closed (UND_ERR_SOCKET)", 0, FORE_CAUSE_BROKEN_STREAM },
    { "terminated", 0, FORE_CAUSE_BROKEN_STREAM },
    { "connect ECONNREFUSED 127.0.0.1:1", 0, FORE_CAUSE_NETWORK },
    { "nothing known", 429, FORE_CAUSE_RATE_LIMIT },
    { "nothing known", 0, FORE_CAUSE_ERROR },
    { "4290 apples", 0, FORE_CAUSE_ERROR },
    { NULL, 503, FORE_CAUSE_OVERLOADED },
    { NULL, 0, FORE_CAUSE_ERROR },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    g_assert_cmpint (fore_error_text_classify (rows[i].text, rows[i].status), ==, rows[i].cause);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/adapters/registry", test_registry);
  g_test_add_func ("/adapters/pi-argv", test_pi_argv);
  g_test_add_func ("/adapters/claude-argv", test_claude_argv);
  g_test_add_func ("/adapters/codex-argv", test_codex_argv);
  g_test_add_func ("/adapters/gemini-argv", test_gemini_argv);
  g_test_add_func ("/adapters/gemini-mcp", test_gemini_mcp);
  g_test_add_func ("/adapters/opencode-argv", test_opencode_argv);
  g_test_add_func ("/adapters/command-templates", test_command_templates);
  g_test_add_func ("/adapters/command-refused", test_command_refused);
  g_test_add_func ("/adapters/command-relative", test_command_relative);
  g_test_add_func ("/adapters/live-only-where-possible", test_live_only_where_possible);
  g_test_add_func ("/adapters/environment", test_environment);
  g_test_add_func ("/adapters/missing-program", test_missing_program);
  g_test_add_func ("/adapters/broken-program", test_broken_program);
  g_test_add_func ("/adapters/demo-found", test_demo_found);
  g_test_add_func ("/adapters/error-texts", test_error_texts);

  return g_test_run ();
}
