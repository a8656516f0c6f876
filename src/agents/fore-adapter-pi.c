/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-adapter-private.h"

static const char *const pi_env_names[] = { "PI_*",
                                            "ANTHROPIC_*",
                                            "OPENAI_*",
                                            "GEMINI_*",
                                            "GOOGLE_*",
                                            "GROQ_API_KEY",
                                            "MISTRAL_API_KEY",
                                            "XAI_API_KEY",
                                            "CEREBRAS_API_KEY",
                                            "OPENROUTER_API_KEY",
                                            "DEEPSEEK_API_KEY",
                                            "ZAI_API_KEY",
                                            "AZURE_OPENAI_*",
                                            "AWS_*",
                                            "NODE_EXTRA_CA_CERTS",
                                            NULL };

/* Its own files, less those that would make it do something outside a sandbox later. */
static const char *const pi_home[] = { ".pi/",
                                       "$PI_CODING_AGENT_DIR",
                                       "!.pi/agent/settings.json",
                                       "!.pi/agent/AGENTS.md",
                                       "!.pi/agent/extensions",
                                       "!.pi/agent/skills",
                                       "!.pi/agent/prompts",
                                       "!$PI_CODING_AGENT_DIR/settings.json",
                                       "!$PI_CODING_AGENT_DIR/extensions",
                                       NULL };

static ForeAgentFound *
pi_find (const char *program, GCancellable *cancellable)
{
  static const char *const variables[] = { "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY",
                                           "OPENROUTER_API_KEY", NULL };
  const char *folder = g_getenv ("PI_CODING_AGENT_DIR");
  g_autofree char *home = g_build_filename (g_get_home_dir (), ".pi", "agent", NULL);
  g_autofree char *auth = g_build_filename (folder != NULL ? folder : home, "auth.json", NULL);
  g_autofree char *models = g_build_filename (folder != NULL ? folder : home, "models.json", NULL);
  const char *files[] = { auth, models, NULL };
  ForeAgentFound *found = fore_agent_found_new (program, cancellable);

  fore_agent_found_set_login (found, files, variables);

  return found;
}

/* As it names them: sessions/--FOLDER--/TIME_ID.jsonl. */
static gboolean
pi_has_session (const char *session)
{
  const char *folder = g_getenv ("PI_CODING_AGENT_DIR");
  g_autofree char *home = g_build_filename (g_get_home_dir (), ".pi", "agent", NULL);
  g_autofree char *sessions = g_build_filename (folder != NULL ? folder : home, "sessions", NULL);
  g_autofree char *suffix = g_strconcat ("_", session, ".jsonl", NULL);

  return fore_adapter_find_session_file (sessions, suffix);
}

/* Tools as the library names them are pi's own; read-only roles get those that cannot write. */
static void
add_tools (GPtrArray *argv, const ForeLaunchRequest *request)
{
  g_autofree char *list = NULL;

  if (request->tools != NULL && request->tools[0] == NULL)
    {
      fore_argv_add (argv, "--no-tools");
      return;
    }

  if (request->tools != NULL)
    list = g_strjoinv (",", (char **) request->tools);
  else if (request->read_only)
    list = g_strdup ("read,grep,find,ls");

  fore_argv_add_option (argv, "--tools", list);
}

static ForeLaunch *
pi_launch (const ForeLaunchRequest *request, GError **error)
{
  ForeLaunch *launch = g_new0 (ForeLaunch, 1);
  GPtrArray *argv = g_ptr_array_new ();

  fore_argv_add (argv, request->program);
  fore_argv_add_option (argv, "--mode", request->live ? "rpc" : "json");
  fore_argv_add_option (argv, "--session", request->session);
  fore_argv_add_option (argv, "--model", request->model);
  fore_argv_add_option (argv, "--thinking", request->thinking);
  fore_argv_add_option (argv, "--append-system-prompt", request->system_prompt);
  add_tools (argv, request);
  if (!request->live)
    fore_argv_add (argv, "-p");

  launch->argv = fore_argv_finish (argv);
  launch->stdin_mode = request->live ? FORE_STDIN_LIVE : FORE_STDIN_FILE;

  return launch;
}

const ForeAdapter fore_adapter_pi = {
  .name = "pi",
  .title = "pi",
  .program = "pi",
  .install = "npm install -g @earendil-works/pi-coding-agent",
  .env_names = pi_env_names,
  .home = pi_home,
  .one_shot = TRUE,
  .live = TRUE,
  .stream_required = TRUE,
  .decoder_class = &fore_pi_decoder_class,
  .live_decoder_class = &fore_pi_decoder_class,
  .find = pi_find,
  .launch = pi_launch,
  .has_session = pi_has_session,
};
