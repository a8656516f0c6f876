/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-adapter-private.h"
#include "agents/fore-decoder-private.h"

static const char *const codex_env_names[] = { "CODEX_HOME", "CODEX_API_KEY", "OPENAI_*",
                                               "AZURE_*",    "OPENROUTER_*",  "MISTRAL_API_KEY",
                                               "RUST_LOG",   "SSL_CERT_*",    "CODEX_CA_*",
                                               NULL };

/* Its own files, less those that would make it do something outside a sandbox later. */
static const char *const codex_home[] = { ".codex/",
                                          "$CODEX_HOME",
                                          "!.codex/config.toml",
                                          "!.codex/AGENTS.md",
                                          "!.codex/prompts",
                                          "!.codex/skills",
                                          "!.codex/rules",
                                          "!$CODEX_HOME/config.toml",
                                          NULL };

static ForeAgentFound *
codex_find (const char *program, GCancellable *cancellable)
{
  static const char *const variables[] = { "CODEX_API_KEY", "OPENAI_API_KEY", NULL };
  const char *folder = g_getenv ("CODEX_HOME");
  g_autofree char *home = g_build_filename (g_get_home_dir (), ".codex", NULL);
  g_autofree char *auth = g_build_filename (folder != NULL ? folder : home, "auth.json", NULL);
  const char *files[] = { auth, NULL };
  ForeAgentFound *found = fore_agent_found_new (program, cancellable);

  fore_agent_found_set_login (found, files, variables);

  return found;
}

/* A setting on the command line is TOML, whose basic strings are written as JSON writes them. */
static void
add_setting (GPtrArray *argv, const char *name, const char *value)
{
  g_autofree char *quoted = NULL;

  if (value == NULL)
    return;

  quoted = fore_decoder_quote (value);
  fore_argv_add (argv, "-c");
  g_ptr_array_add (argv, g_strdup_printf ("%s=%s", name, quoted));
}

/* A person may take long to answer. */
static void
add_mcp (GPtrArray *argv, const ForeLaunchRequest *request)
{
  g_autofree char *words = NULL;

  if (request->mcp == NULL)
    return;

  words = fore_argv_dup_json (request->mcp + 1);
  add_setting (argv, "mcp_servers.foredeck.command", request->mcp[0]);
  fore_argv_add (argv, "-c");
  g_ptr_array_add (argv, g_strdup_printf ("mcp_servers.foredeck.args=%s", words));
  fore_argv_add (argv, "-c");
  fore_argv_add (argv, "mcp_servers.foredeck.tool_timeout_sec=86400");
}

/* “exec resume” knows no --sandbox, so what may be written is a setting for both. */
static ForeLaunch *
codex_launch (const ForeLaunchRequest *request, GError **error)
{
  static const char *const efforts[] = { "minimal", "low", "medium", "high", "xhigh", NULL };
  ForeLaunch *launch = g_new0 (ForeLaunch, 1);
  GPtrArray *argv = g_ptr_array_new ();

  fore_argv_add (argv, request->program);
  if (request->live)
    {
      add_setting (argv, "developer_instructions", request->system_prompt);
      add_mcp (argv, request);
      fore_argv_add (argv, "app-server");
      launch->argv = fore_argv_finish (argv);
      launch->stdin_mode = FORE_STDIN_LIVE;
      return launch;
    }

  fore_argv_add (argv, "exec");
  if (request->session != NULL)
    fore_argv_add_option (argv, "resume", request->session);
  fore_argv_add (argv, "--json");
  fore_argv_add (argv, "--skip-git-repo-check");
  fore_argv_add_option (argv, "--model", request->model);
  add_setting (argv, "sandbox_mode", request->read_only ? "read-only" : "workspace-write");
  if (request->thinking != NULL && g_strv_contains (efforts, request->thinking))
    add_setting (argv, "model_reasoning_effort", request->thinking);
  add_setting (argv, "developer_instructions", request->system_prompt);
  add_mcp (argv, request);
  fore_argv_add (argv, "-");

  launch->argv = fore_argv_finish (argv);
  launch->stdin_mode = FORE_STDIN_FILE;

  return launch;
}

const ForeAdapter fore_adapter_codex = {
  .name = "codex",
  .title = "Codex",
  .program = "codex",
  .install = "npm install -g @openai/codex",
  .env_names = codex_env_names,
  .home = codex_home,
  .one_shot = TRUE,
  .live = TRUE,
  .stream_required = TRUE,
  .bare = TRUE,
  .decoder_class = &fore_codex_decoder_class,
  .live_decoder_class = &fore_codex_live_class,
  .find = codex_find,
  .launch = codex_launch,
};
