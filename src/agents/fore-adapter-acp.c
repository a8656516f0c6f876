/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-acp-decoder.h"
#include "agents/fore-adapter-private.h"

static const char *const acp_env_names[]
    = { "ANTHROPIC_*", "CLAUDE_CONFIG_DIR",   "OPENAI_*", "CODEX_*", "GEMINI_*", "GOOGLE_*", "PI_*",
        "OPENCODE_*",  "NODE_EXTRA_CA_CERTS", NULL };

/* Whichever of them it is. */
static const char *const acp_home[] = { ".claude",
                                        ".claude.json",
                                        "$CLAUDE_CONFIG_DIR",
                                        ".codex",
                                        "$CODEX_HOME",
                                        ".gemini",
                                        ".local/share/opencode",
                                        ".local/state/opencode",
                                        ".cache/opencode",
                                        "!.config/opencode",
                                        ".pi",
                                        "$PI_CODING_AGENT_DIR",
                                        "!.claude/settings.json",
                                        "!.codex/config.toml",
                                        "!.gemini/settings.json",
                                        "!.pi/agent/settings.json",
                                        NULL };

static ForeAgentFound *
acp_find (const char *program, GCancellable *cancellable)
{
  ForeAgentFound *found = g_new0 (ForeAgentFound, 1);

  found->path = g_strdup (program);
  found->usable = TRUE;

  return found;
}

/* Any program that speaks the protocol: the step says which, as it does for “command”. */
static ForeLaunch *
acp_launch (const ForeLaunchRequest *request, GError **error)
{
  ForeLaunch *launch = fore_command_launch (request, error);

  if (launch != NULL)
    launch->stdin_mode = FORE_STDIN_LIVE;

  return launch;
}

const ForeAdapter fore_adapter_acp = {
  .name = "acp",
  .title = "Agent Client Protocol",
  .env_names = acp_env_names,
  .home = acp_home,
  .live = TRUE,
  .stream_required = TRUE,
  .decoder_class = &fore_acp_decoder_class,
  .live_decoder_class = &fore_acp_decoder_class,
  .find = acp_find,
  .launch = acp_launch,
};
