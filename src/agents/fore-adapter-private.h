/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agents/fore-adapter.h"

G_BEGIN_DECLS

extern const ForeAdapter fore_adapter_pi;
extern const ForeAdapter fore_adapter_claude;
extern const ForeAdapter fore_adapter_codex;
extern const ForeAdapter fore_adapter_gemini;
extern const ForeAdapter fore_adapter_opencode;
extern const ForeAdapter fore_adapter_acp;
extern const ForeAdapter fore_adapter_command;
extern const ForeAdapter fore_adapter_demo;
extern const ForeAdapter fore_adapter_script;

extern const ForeDecoderClass fore_claude_decoder_class;
extern const ForeDecoderClass fore_codex_decoder_class;
extern const ForeDecoderClass fore_codex_live_class;
extern const ForeDecoderClass fore_pi_decoder_class;

/* The words of a step as they are, for adapters that have no program of their own. */
ForeLaunch *fore_command_launch (const ForeLaunchRequest *request, GError **error);

/* Building an argv. */
void fore_argv_add (GPtrArray *argv, const char *argument);
void fore_argv_add_option (GPtrArray *argv, const char *option, const char *value);
GStrv fore_argv_finish (GPtrArray *argv);

char *fore_argv_dup_json (const char *const *words);

/* Finding an agent, and what it left. */
gboolean fore_adapter_find_session_file (const char *folder, const char *suffix);
char *fore_adapter_run_version (const char *program, GCancellable *cancellable);
ForeAgentFound *fore_agent_found_new (const char *program, GCancellable *cancellable);
void fore_agent_found_set_login (ForeAgentFound *found,
                                 const char *const *files,
                                 const char *const *variables);

G_END_DECLS
