/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-adapter-private.h"
#include "agents/fore-decoder-private.h"

/* The tools of fore-mcp.c, by the names that this CLI gives them. */
#define MCP_TOOLS "mcp__foredeck__ask,mcp__foredeck__submit_result,mcp__foredeck__delegate"

/* Not CLAUDECODE and CLAUDE_CODE_ENTRYPOINT: they say that the program runs inside of another. */
static const char *const claude_env_names[] = { "ANTHROPIC_*",
                                                "CLAUDE_CONFIG_DIR",
                                                "CLAUDE_CODE_OAUTH_TOKEN",
                                                "CLAUDE_CODE_API_KEY_HELPER_TTL_MS",
                                                "CLAUDE_CODE_DISABLE_*",
                                                "CLAUDE_CODE_MAX_*",
                                                "CLAUDE_CODE_USE_*",
                                                "CLAUDE_CODE_SKIP_*",
                                                "DISABLE_*",
                                                "AWS_*",
                                                "GOOGLE_APPLICATION_CREDENTIALS",
                                                "CLOUD_ML_REGION",
                                                "IS_SANDBOX",
                                                NULL };

/* Its own files, less those that would make it do something outside a sandbox later. */
static const char *const claude_home[] = { ".claude/",
                                           ".claude.json",
                                           "$CLAUDE_CONFIG_DIR",
                                           "!.claude/settings.json",
                                           "!.claude/CLAUDE.md",
                                           "!.claude/hooks",
                                           "!.claude/commands",
                                           "!.claude/agents",
                                           "!.claude/skills",
                                           "!.claude/plugins",
                                           "!$CLAUDE_CONFIG_DIR/settings.json",
                                           NULL };

static ForeAgentFound *
claude_find (const char *program, GCancellable *cancellable)
{
  static const char *const variables[] = { "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN",
                                           "CLAUDE_CODE_OAUTH_TOKEN", NULL };
  const char *folder = g_getenv ("CLAUDE_CONFIG_DIR");
  g_autofree char *home = g_build_filename (g_get_home_dir (), ".claude", NULL);
  g_autofree char *file = g_build_filename (folder != NULL ? folder : home, ".credentials.json",
                                            NULL);
  const char *files[] = { file, NULL };
  ForeAgentFound *found = fore_agent_found_new (program, cancellable);

  fore_agent_found_set_login (found, files, variables);

  return found;
}

/* As it names them: projects/FOLDER/ID.jsonl. */
static gboolean
claude_has_session (const char *session)
{
  const char *folder = g_getenv ("CLAUDE_CONFIG_DIR");
  g_autofree char *home = g_build_filename (g_get_home_dir (), ".claude", NULL);
  g_autofree char *projects = g_build_filename (folder != NULL ? folder : home, "projects", NULL);
  g_autofree char *name = g_strconcat (session, ".jsonl", NULL);

  return fore_adapter_find_session_file (projects, name);
}

/* The library's names of tools in the words of this CLI. */
static const char *
translate_tool (const char *tool)
{
  static const char *const words[][2] = {
    { "read", "Read" }, { "edit", "Edit" }, { "write", "Write" }, { "bash", "Bash" },
    { "grep", "Grep" }, { "find", "Glob" }, { "ls", "LS" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      if (g_ascii_strcasecmp (tool, words[i][0]) == 0)
        return words[i][1];
    }

  return tool;
}

static char *
join_tools (const char *const *tools)
{
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint i = 0; tools[i] != NULL; i++)
    g_string_append_printf (list, "%s%s", i > 0 ? "," : "", translate_tool (tools[i]));

  return g_strdup (list->str);
}

/* Nobody can answer a one-shot agent, so whatever would ask is denied: what a role may do is said
 * beforehand. A live one asks before it does more than read.
 */
static void
add_tools (GPtrArray *argv, const ForeLaunchRequest *request)
{
  static const char *const writing[] = { "bash",     "edit",      "write", "read",
                                         "grep",     "find",      "ls",    "NotebookEdit",
                                         "WebFetch", "WebSearch", NULL };
  static const char *const reading[] = { "read", "grep", "find", "ls", NULL };
  gboolean asks = request->live;
  g_autofree char *list = NULL;
  g_autofree char *allowed = NULL;
  g_autofree char *offered = NULL;

  if (request->tools != NULL)
    list = join_tools (request->tools);
  allowed = request->tools != NULL && !asks
                ? g_strdup (list)
                : join_tools (asks || request->read_only ? reading : writing);

  fore_argv_add_option (argv, "--permission-mode",
                        asks || request->read_only ? "default" : "acceptEdits");
  fore_argv_add_option (argv, "--tools", list);
  if (request->mcp != NULL)
    offered = g_strconcat (allowed, allowed[0] != '\0' ? "," : "", MCP_TOOLS, NULL);
  else
    offered = g_strdup (allowed);
  if (offered[0] != '\0')
    fore_argv_add_option (argv, "--allowedTools", offered);
  if (request->read_only)
    fore_argv_add_option (argv, "--disallowedTools", "Edit,Write,NotebookEdit");
}

static void
add_mcp (GPtrArray *argv, const ForeLaunchRequest *request)
{
  g_autofree char *command = NULL;
  g_autofree char *words = NULL;
  g_autofree char *config = NULL;

  if (request->mcp == NULL)
    return;

  command = fore_decoder_quote (request->mcp[0]);
  words = fore_argv_dup_json (request->mcp + 1);
  config = g_strdup_printf (
      "{\"mcpServers\":{\"foredeck\":{\"type\":\"stdio\",\"command\":%s,\"args\":%s}}}", command,
      words);
  fore_argv_add_option (argv, "--mcp-config", config);
}

static ForeLaunch *
claude_launch (const ForeLaunchRequest *request, GError **error)
{
  static const char *const efforts[] = { "low", "medium", "high", "xhigh", "max", NULL };
  ForeLaunch *launch = g_new0 (ForeLaunch, 1);
  GPtrArray *argv = g_ptr_array_new ();
  g_autofree char *turns = NULL;

  fore_argv_add (argv, request->program);
  fore_argv_add (argv, "-p");
  fore_argv_add_option (argv, "--output-format", "stream-json");
  fore_argv_add (argv, "--verbose");
  fore_argv_add (argv, "--include-partial-messages");
  if (request->live)
    {
      fore_argv_add_option (argv, "--input-format", "stream-json");
      fore_argv_add_option (argv, "--permission-prompt-tool", "stdio");
      fore_argv_add (argv, "--replay-user-messages");
    }
  fore_argv_add_option (argv, "--model", request->model);
  if (request->thinking != NULL && g_strv_contains (efforts, request->thinking))
    fore_argv_add_option (argv, "--effort", request->thinking);
  fore_argv_add_option (argv, "--append-system-prompt", request->system_prompt);
  fore_argv_add_option (argv, "--resume", request->session);
  if (request->max_turns > 0)
    {
      turns = g_strdup_printf ("%u", request->max_turns);
      fore_argv_add_option (argv, "--max-turns", turns);
    }
  add_tools (argv, request);
  add_mcp (argv, request);

  launch->argv = fore_argv_finish (argv);
  launch->stdin_mode = request->live ? FORE_STDIN_LIVE : FORE_STDIN_FILE;

  return launch;
}

const ForeAdapter fore_adapter_claude = {
  .name = "claude",
  .title = "Claude Code",
  .program = "claude",
  .install = "npm install -g @anthropic-ai/claude-code",
  .env_names = claude_env_names,
  .home = claude_home,
  .one_shot = TRUE,
  .live = TRUE,
  .stream_required = TRUE,
  .decoder_class = &fore_claude_decoder_class,
  .live_decoder_class = &fore_claude_decoder_class,
  .find = claude_find,
  .launch = claude_launch,
  .has_session = claude_has_session,
};
