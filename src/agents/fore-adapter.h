/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agents/fore-decoder.h"
#include "platform/fore-sandbox.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* What carries scripts out, in place of an agent. */
#define FORE_ADAPTER_SCRIPT "script"

/**
 * ForeAgentFound:
 * @path: absolute path of the program
 * @version: (nullable): what it says of itself
 * @login: (nullable): what is known of its login state, one phrase
 * @no_login: whether nothing was found that it could log in with
 * @usable: whether an attempt can be started with it
 * @problem: (nullable): one sentence: why not
 */
typedef struct
{
  char *path;
  char *version;
  char *login;
  gboolean no_login;
  gboolean usable;
  char *problem;
} ForeAgentFound;

typedef enum
{
  FORE_STDIN_FILE,
  FORE_STDIN_NULL,
  FORE_STDIN_LIVE,
} ForeStdin;

/**
 * ForeLaunchRequest:
 * @program: absolute path, resolved once
 * @prompt: whole prompt
 * @prompt_path: path of the file that holds @prompt (`<attempt>.in`)
 * @goal: goal of the run
 * @system_prompt: (nullable): system prompt of the agent definition, when passed apart
 * @model: (nullable): model wanted
 * @thinking: (nullable): reasoning level wanted
 * @tools: (nullable): allowed tools; empty for none; %NULL for the CLI's own default
 * @command: (nullable): words of a `cli: command` step, with templates
 * @session: (nullable): session to take up again
 * @cwd: folder it works in
 * @scenario: (nullable): file for the demo agent
 * @script: (nullable): file of the script that is carried out
 * @script_name: (nullable): what that is called in messages
 * @script_memory: (nullable): file of what it was answered before
 * @mcp: (nullable): command line of a server of MCP that offers the verbs of agents
 * @read_only: whether it must not write
 * @live: whether it is a live session
 * @max_turns: limit, or 0
 */
typedef struct
{
  const char *program;
  const char *prompt;
  const char *prompt_path;
  const char *goal;
  const char *system_prompt;
  const char *model;
  const char *thinking;
  const char *const *tools;
  const char *const *command;
  const char *session;
  const char *cwd;
  const char *scenario;
  const char *script;
  const char *script_name;
  const char *script_memory;
  const char *const *mcp;
  gboolean read_only;
  gboolean live;
  guint max_turns;
} ForeLaunchRequest;

/**
 * ForeLaunch:
 * @argv: what to execute; argv[0] is absolute
 * @env: (element-type utf8): NAME=VALUE that this CLI needs beside the common ones
 * @stdin_mode: where its stdin comes from
 * @pipe_output: whether the guard copies pipes into the captures instead of giving it the files
 */
typedef struct
{
  GStrv argv;
  GStrv env;
  ForeStdin stdin_mode;
  gboolean pipe_output;
} ForeLaunch;

/**
 * ForeAdapter:
 *
 * Everything that is special about one agent CLI: a new CLI is one file with one of these.
 * @install: (nullable): the command line that installs @program.
 * @find runs `program --version` and looks for a login; blocking. @env_names: variables of the
 * person's environment that this CLI needs (keys, its own folders), NULL-terminated; names may end
 * in `*`. @home: (nullable): what of the home it needs in a sandbox, as fore_adapter_open_home()
 * reads it. @bare: whether it does not work inside a sandbox of ours. @stream_required: an attempt
 * that printed nothing failed whatever its exit code. @has_session: (nullable): whether the CLI,
 * which is told of a session by its command line and fails without, still has it; blocking.
 */
typedef struct
{
  const char *name;
  const char *title;
  const char *program;
  const char *install;
  const char *const *env_names;
  const char *const *home;
  gboolean one_shot;
  gboolean live;
  gboolean stream_required;
  gboolean bare;
  const ForeDecoderClass *decoder_class;
  const ForeDecoderClass *live_decoder_class;
  ForeAgentFound *(*find) (const char *program, GCancellable *cancellable);
  ForeLaunch *(*launch) (const ForeLaunchRequest *request, GError **error);
  gboolean (*has_session) (const char *session);
} ForeAdapter;

const ForeAdapter *fore_adapter_lookup (const char *name);
const ForeAdapter *const *fore_adapter_list (void);
char *fore_adapter_find_program (const ForeAdapter *adapter, GError **error);
ForeAgentFound *fore_adapter_find (const ForeAdapter *adapter, GCancellable *cancellable);
ForeLaunch *
fore_adapter_launch (const ForeAdapter *adapter, const ForeLaunchRequest *request, GError **error);
ForeDecoder *fore_adapter_new_decoder (const ForeAdapter *adapter, gboolean live);
gboolean fore_adapter_may_take_up (const ForeAdapter *adapter, const char *session);

/* The allow-listed environment of an attempt: PATH, HOME, locale, proxy variables, what the adapter
 * needs, markers FOREDECK_RUN, FOREDECK_TASK, FOREDECK_ATTEMPT, FOREDECK_DEPTH; never GIT_* or
 * CLAUDECODE and their like. */
GStrv fore_adapter_build_environ (const ForeAdapter *adapter,
                                  const ForeLaunch *launch,
                                  const char *run,
                                  const char *task,
                                  guint attempt,
                                  const char *tmp_dir);
GHashTable *fore_adapter_make_environs (void);
GStrv fore_adapter_complete_environ (GStrv env,
                                     const ForeLaunch *launch,
                                     const char *run,
                                     const char *task,
                                     guint attempt,
                                     const char *tmp_dir);

void fore_adapter_open_home (const ForeAdapter *adapter, ForeSandbox *sandbox);

void fore_agent_found_free (ForeAgentFound *found);
void fore_launch_free (ForeLaunch *launch);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeAgentFound, fore_agent_found_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeLaunch, fore_launch_free)

G_END_DECLS
