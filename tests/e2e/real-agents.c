/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "real-agents.h"

#include <glib/gstdio.h>
#include <string.h>

#define ASK_SECONDS 120
#define ASK_AGAIN_US 20000

RealAgents real_agents;
static char *skip_reason;

char *
real_agents_source (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, name, NULL);
}

char *
real_agents_run (const char *const *argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = g_subprocess_newv (argv, G_SUBPROCESS_FLAGS_STDOUT_PIPE,
                                                       &error);
  g_autofree char *output = NULL;

  if (process == NULL || !g_subprocess_communicate_utf8 (process, NULL, NULL, &output, NULL, &error)
      || !g_subprocess_get_successful (process))
    return NULL;

  return g_strdup (g_strstrip (output));
}

static gboolean
install_agent (const char *agent)
{
  g_autofree char *script = real_agents_source ("e2e/install-agents.sh");
  const char *argv[] = { "sh", script, agent, NULL };

  real_agents.bin = real_agents_run (argv);
  if (real_agents.bin == NULL)
    skip_reason = g_strdup ("npm cannot install the agent CLIs here");

  return real_agents.bin != NULL;
}

/* The server says where it listens on its first line. */
static void
start_server (void)
{
  g_autofree char *node = g_build_filename (real_agents.bin, "node", NULL);
  g_autofree char *script = real_agents_source ("model-server/server.mjs");
  g_autoptr (GDataInputStream) lines = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *line = NULL;
  const char *start, *end;

  /* It leaves when its standard input ends, also where this program is the one that fails. */
  real_agents.server = g_subprocess_new (
      G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, node, script,
      "--quiet", "--until-stdin-ends", NULL);
  g_assert_no_error (error);
  lines = g_data_input_stream_new (g_subprocess_get_stdout_pipe (real_agents.server));
  line = g_data_input_stream_read_line (lines, NULL, NULL, &error);
  g_assert_no_error (error);
  start = strstr (line, "http://");
  g_assert_nonnull (start);
  end = strchr (start, '"');
  real_agents.url = g_strndup (start, end - start);
}

/* Whether the model server is at an answer. */
static gboolean
is_asked (void)
{
  static const char request[] = "GET /__mock/health HTTP/1.0\r\n\r\n";
  g_autoptr (GError) error = NULL;
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  g_autoptr (GSocketConnection) connection = NULL;
  GIOStream *stream;
  char answer[1024];
  gsize n;

  g_socket_client_set_enable_proxy (client, FALSE);
  connection = g_socket_client_connect_to_uri (client, real_agents.url, 80, NULL, &error);
  g_assert_no_error (error);
  stream = G_IO_STREAM (connection);
  g_output_stream_write_all (g_io_stream_get_output_stream (stream), request, strlen (request),
                             NULL, NULL, &error);
  g_assert_no_error (error);
  g_input_stream_read_all (g_io_stream_get_input_stream (stream), answer, sizeof answer - 1, &n,
                           NULL, &error);
  g_assert_no_error (error);
  answer[n] = '\0';
  g_assert_nonnull (strstr (answer, "\"inflight\":"));

  return strstr (answer, "\"inflight\":0") == NULL;
}

void
real_agents_wait_asked (void)
{
  gint64 deadline = g_get_monotonic_time () + ASK_SECONDS * G_USEC_PER_SEC;

  while (!is_asked ())
    {
      g_assert_cmpint (g_get_monotonic_time (), <, deadline);
      g_usleep (ASK_AGAIN_US);
    }
}

/* A home of its own: nothing of the person who runs the tests is read or written. */
static void
set_environment (void)
{
  g_autofree char *path = g_strdup_printf ("%s:%s", real_agents.bin, g_getenv ("PATH"));
  g_autofree char *pi_dir = g_build_filename (real_agents.dir, "pi", NULL);
  g_autofree char *claude_dir = g_build_filename (real_agents.dir, "claude", NULL);
  g_autofree char *home = g_build_filename (real_agents.dir, "foredeck", NULL);
  g_autofree char *codex_dir = g_build_filename (real_agents.dir, "codex", NULL);
  g_autofree char *script = real_agents_source ("model-server/write-configs.mjs");
  g_autofree char *written = NULL;
  const char *argv[] = { "node", script, real_agents.dir, real_agents.url, NULL };
  static const char *const unset[] = { "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME",
                                       "XDG_STATE_HOME" };

  g_setenv ("PATH", path, TRUE);
  g_setenv ("HOME", real_agents.dir, TRUE);
  g_setenv ("FOREDECK_HOME", home, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (unset); i++)
    g_unsetenv (unset[i]);
  g_setenv ("CODEX_HOME", codex_dir, TRUE);
  g_setenv ("OPENAI_API_KEY", "mock-key", TRUE);
  g_setenv ("GEMINI_API_KEY", "mock-key", TRUE);
  g_setenv ("GOOGLE_GEMINI_BASE_URL", real_agents.url, TRUE);
  g_setenv ("OPENCODE_DISABLE_AUTOUPDATE", "1", TRUE);
  g_setenv ("OPENCODE_DISABLE_MODELS_FETCH", "1", TRUE);
  g_setenv ("PI_CODING_AGENT_DIR", pi_dir, TRUE);
  g_setenv ("PI_OFFLINE", "1", TRUE);
  g_setenv ("PI_TELEMETRY", "0", TRUE);
  g_setenv ("CLAUDE_CONFIG_DIR", claude_dir, TRUE);
  g_setenv ("ANTHROPIC_BASE_URL", real_agents.url, TRUE);
  g_setenv ("ANTHROPIC_API_KEY", "sk-ant-mock-000", TRUE);
  g_setenv ("ANTHROPIC_MODEL", "claude-sonnet-4-5", TRUE);
  g_setenv ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1", TRUE);
  g_setenv ("CLAUDE_CODE_MAX_RETRIES", "2", TRUE);
  g_setenv ("DISABLE_AUTOUPDATER", "1", TRUE);
  g_setenv ("no_proxy", "127.0.0.1", TRUE);
  g_setenv ("NO_PROXY", "127.0.0.1", TRUE);
  written = real_agents_run (argv);
  g_assert_nonnull (written);
}

gboolean
real_agents_skipped (void)
{
  if (skip_reason != NULL)
    g_test_skip (skip_reason);

  return skip_reason != NULL;
}

/* Codex lets nothing be done without the sandbox that it makes of a user namespace, which a process
 * in a chroot, for one, is not given.
 */
gboolean
real_agents_skipped_without_sandbox (const char *agent)
{
  const char *argv[] = { "unshare", "--user", "true", NULL };
  g_autofree char *output = NULL;

  if (real_agents_skipped ())
    return TRUE;
  if (!g_str_equal (agent, "codex") && !g_str_equal (agent, "codex-acp"))
    return FALSE;

  output = real_agents_run (argv);
  if (output == NULL)
    g_test_skip ("this process may make no user namespace, of which Codex makes its sandbox");

  return output == NULL;
}

/* Beside the programs and not in /tmp: what lies there cannot be written in the sandbox that Codex
 * makes.
 */
static void
make_home (void)
{
  g_autofree char *root = g_path_get_dirname (real_agents.bin);

  if (g_str_has_prefix (root, "/tmp/"))
    {
      g_free (root);
      root = g_strdup ("/var/tmp");
    }
  real_agents.dir = g_build_filename (root, "test-XXXXXX", NULL);
  g_assert_nonnull (g_mkdtemp (real_agents.dir));
  real_agents.tmp = g_build_filename (real_agents.dir, "tmp", NULL);
  g_assert_cmpint (g_mkdir (real_agents.tmp, 0700), ==, 0);
}

void
real_agents_set_up (const char *agent)
{
  if (!install_agent (agent))
    return;

  make_home ();
  start_server ();
  set_environment ();
}

void
real_agents_tear_down (void)
{
  const char *argv[] = { "rm", "-rf", real_agents.dir, NULL };

  if (real_agents.server != NULL)
    {
      g_subprocess_force_exit (real_agents.server);
      g_subprocess_wait (real_agents.server, NULL, NULL);
      g_clear_object (&real_agents.server);
    }
  if (real_agents.dir != NULL)
    g_free (real_agents_run (argv));

  g_free (real_agents.bin);
  g_free (real_agents.dir);
  g_free (real_agents.tmp);
  g_free (real_agents.url);
  g_free (skip_reason);
}
