/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-acp-decoder.h"
#include "agents/fore-adapter-private.h"
#include "agents/fore-decoder-private.h"
#include "agents/fore-error-text.h"

#include <glib/gi18n-lib.h>

/* gemini -o stream-json: pieces of the answer without an id, calls and their results by tool_id,
 * and a result with the totals of the process. It may leave before its last lines are out of the
 * pipe, and for some errors it leaves without any event: the exit code says which then.
 */
typedef struct
{
  ForeDecoder parent;
  guint block;
  gboolean block_open;
  GString *text;
} GeminiDecoder;

enum
{
  LINE_TYPE,
  LINE_SESSION,
  LINE_MODEL,
  LINE_ROLE,
  LINE_CONTENT,
  LINE_DELTA,
  LINE_TOOL,
  LINE_TOOL_ID,
  LINE_PARAMETERS,
  LINE_STATUS,
  LINE_OUTPUT,
  LINE_ERROR,
  LINE_SEVERITY,
  LINE_MESSAGE,
  LINE_STATS,
  N_LINE
};

static const char *const line_names[N_LINE] = {
  [LINE_TYPE] = "type",         [LINE_SESSION] = "session_id", [LINE_MODEL] = "model",
  [LINE_ROLE] = "role",         [LINE_CONTENT] = "content",    [LINE_DELTA] = "delta",
  [LINE_TOOL] = "tool_name",    [LINE_TOOL_ID] = "tool_id",    [LINE_PARAMETERS] = "parameters",
  [LINE_STATUS] = "status",     [LINE_OUTPUT] = "output",      [LINE_ERROR] = "error",
  [LINE_SEVERITY] = "severity", [LINE_MESSAGE] = "message",    [LINE_STATS] = "stats",
};

static const char *
block_id (GeminiDecoder *self, char *buffer, gsize size)
{
  g_snprintf (buffer, size, "m%u", self->block);

  return buffer;
}

static void
end_block (GeminiDecoder *self)
{
  char id[24];

  if (!self->block_open)
    return;

  self->block_open = FALSE;
  fore_decoder_end_text (&self->parent, FORE_ENTRY_TEXT, block_id (self, id, sizeof id));
  fore_decoder_take_final_text (&self->parent, g_strdup (self->text->str));
}

static void
begin_block (GeminiDecoder *self)
{
  if (self->block_open)
    return;

  self->block_open = TRUE;
  self->block++;
  self->parent.summary.turns++;
  g_string_truncate (self->text, 0);
}

static void
on_init (GeminiDecoder *self, const ForeJsonSlice *line)
{
  ForeEntry entry = FORE_ENTRY_INIT (FORE_ENTRY_SESSION);

  fore_decoder_take_session (&self->parent, fore_json_slice_dup_string (&line[LINE_SESSION]));
  fore_decoder_take_model (&self->parent, fore_json_slice_dup_string (&line[LINE_MODEL]));
  fore_decoder_reopen (&self->parent);
  entry.id = (char *) "session";
  entry.name = (char *) "gemini";
  entry.title = self->parent.summary.session;
  fore_decoder_emit (&self->parent, &entry);
}

/* A message that is no piece is whole. */
static void
on_message (GeminiDecoder *self, const ForeJsonSlice *line)
{
  gboolean piece = fore_json_slice_get_bool (&line[LINE_DELTA], FALSE);
  g_autofree char *text = fore_json_slice_dup_string (&line[LINE_CONTENT]);
  char id[24];

  if (text == NULL)
    return;

  if (!fore_json_slice_equals (&line[LINE_ROLE], "assistant"))
    {
      g_autofree char *prompt = g_strdup_printf ("prompt-%" G_GINT64_FORMAT, self->parent.offset);

      end_block (self);
      fore_decoder_emit_text (&self->parent, FORE_ENTRY_PROMPT, prompt, NULL, text, FALSE);
      return;
    }

  if (!piece)
    end_block (self);
  begin_block (self);
  if (self->text->len < FORE_LINE_FOLD)
    g_string_append (self->text, text);
  fore_decoder_emit_text (&self->parent, FORE_ENTRY_TEXT, block_id (self, id, sizeof id), NULL,
                          text, TRUE);
  if (!piece)
    end_block (self);
}

static void
on_tool_use (GeminiDecoder *self, const ForeJsonSlice *line)
{
  ForeEntry entry = FORE_ENTRY_INIT (FORE_ENTRY_TOOL);
  g_autofree char *id = fore_json_slice_dup_string (&line[LINE_TOOL_ID]);
  g_autofree char *name = fore_json_slice_dup_string (&line[LINE_TOOL]);
  g_autofree char *input = fore_json_slice_dup_json (&line[LINE_PARAMETERS]);
  g_autofree char *title = fore_decoder_describe_input (&line[LINE_PARAMETERS]);

  if (id == NULL)
    return;

  entry.id = id;
  entry.name = name;
  entry.input = input;
  entry.title = title;
  entry.state = FORE_ENTRY_RUNNING;
  fore_decoder_emit_tool (&self->parent, &entry);
}

/* There is no output where a tool only shows what it did, and none of a failed one but its error.
 */
static void
on_tool_result (GeminiDecoder *self, const ForeJsonSlice *line)
{
  ForeEntry entry = FORE_ENTRY_INIT (FORE_ENTRY_TOOL);
  ForeJsonSlice message;
  g_autofree char *id = fore_json_slice_dup_string (&line[LINE_TOOL_ID]);
  g_autofree char *text = fore_json_slice_dup_string (&line[LINE_OUTPUT]);

  if (id == NULL)
    return;

  if (text == NULL)
    {
      fore_json_slice_get_member (&line[LINE_ERROR], "message", &message);
      text = fore_json_slice_dup_string (&message);
    }
  entry.id = id;
  entry.text = text;
  entry.state = fore_json_slice_equals (&line[LINE_STATUS], "error") ? FORE_ENTRY_FAILED
                                                                     : FORE_ENTRY_DONE;
  fore_decoder_emit_tool (&self->parent, &entry);
}

static void
on_error (GeminiDecoder *self, const ForeJsonSlice *line)
{
  g_autofree char *message = fore_json_slice_dup_string (&line[LINE_MESSAGE]);

  if (fore_json_slice_equals (&line[LINE_SEVERITY], "warning"))
    fore_decoder_emit_notice (&self->parent, NULL, "warning", _ ("Warning"), message);
  else
    fore_decoder_emit_error (&self->parent, fore_error_text_classify (message, 0), message);
}

/* Totals of the process; the cached tokens are among input_tokens and not in input, and what was
 * thought is only in total_tokens. A request that failed is reported with zeros: nothing is known
 * of what it used.
 */
static void
count_usage (GeminiDecoder *self, const ForeJsonSlice *stats)
{
  static const char *const names[] = { "input_tokens", "output_tokens", "cached", "input",
                                       "total_tokens" };
  ForeJsonSlice values[G_N_ELEMENTS (names)];
  ForeUsage counted = FORE_USAGE_INIT;
  gint64 all;

  fore_json_slice_get_members (stats, names, G_N_ELEMENTS (names), values);
  all = fore_json_slice_get_int (&values[0], FORE_USAGE_UNKNOWN);
  counted.cache_read = fore_json_slice_get_int (&values[2], FORE_USAGE_UNKNOWN);
  counted.output = fore_json_slice_get_int (&values[1], FORE_USAGE_UNKNOWN);
  counted.input = fore_json_slice_get_int (&values[3], FORE_USAGE_UNKNOWN);
  if (counted.input < 0 && all >= 0)
    counted.input = MAX (all - MAX (counted.cache_read, 0), 0);
  if (counted.output >= 0 && all >= 0)
    counted.output = MAX (counted.output, fore_json_slice_get_int (&values[4], all) - all);
  if (fore_usage_get_tokens (&counted) <= 0)
    return;

  fore_decoder_set_message_usage (&self->parent, "process", &counted);
  fore_decoder_emit_usage (&self->parent);
}

static ForeCause
result_cause (const ForeJsonSlice *type, const char *message)
{
  if (fore_json_slice_equals (type, "FatalTurnLimitedError"))
    return FORE_CAUSE_TURN_LIMIT;
  if (fore_json_slice_equals (type, "FatalAuthenticationError"))
    return FORE_CAUSE_AUTH;
  if (fore_json_slice_equals (type, "FatalCancellationError"))
    return FORE_CAUSE_INTERRUPTED;

  return fore_error_text_classify (message, 0);
}

static void
on_result (GeminiDecoder *self, const ForeJsonSlice *line)
{
  static const char *const names[] = { "type", "message" };
  ForeJsonSlice error[G_N_ELEMENTS (names)];
  g_autofree char *message = NULL;

  count_usage (self, &line[LINE_STATS]);
  fore_decoder_fail_open_tools (&self->parent);
  if (fore_json_slice_equals (&line[LINE_STATUS], "success"))
    {
      fore_decoder_complete (&self->parent);
    }
  else
    {
      fore_json_slice_get_members (&line[LINE_ERROR], names, G_N_ELEMENTS (names), error);
      message = fore_json_slice_dup_string (&error[1]);
      fore_decoder_fail (&self->parent, result_cause (&error[0], message), message);
    }
  fore_decoder_emit_result (&self->parent);
}

static void
on_other_event (GeminiDecoder *self, const ForeJsonSlice *line, const char *text, gsize length)
{
  const ForeJsonSlice *type = &line[LINE_TYPE];
  g_autofree char *name = NULL;

  end_block (self);
  if (fore_json_slice_equals (type, "tool_use"))
    on_tool_use (self, line);
  else if (fore_json_slice_equals (type, "tool_result"))
    on_tool_result (self, line);
  else if (fore_json_slice_equals (type, "result"))
    on_result (self, line);
  else if (fore_json_slice_equals (type, "error"))
    on_error (self, line);
  else if (fore_json_slice_equals (type, "init"))
    on_init (self, line);
  else
    fore_decoder_emit_raw (&self->parent, name = fore_json_slice_dup_string (type), text, length,
                           FALSE);
}

static void
gemini_line (ForeDecoder *decoder, const char *line, gsize length, gboolean truncated)
{
  GeminiDecoder *self = (GeminiDecoder *) decoder;
  ForeJsonSlice values[N_LINE];

  if (self->text == NULL)
    self->text = g_string_new (NULL);

  if (truncated || !fore_decoder_read_line (decoder, line, length, line_names, N_LINE, values))
    fore_decoder_emit_raw (decoder, NULL, line, length, truncated);
  else if (fore_json_slice_equals (&values[LINE_TYPE], "message"))
    on_message (self, values);
  else
    on_other_event (self, values, line, length);
}

static void
gemini_finish (ForeDecoder *decoder)
{
  end_block ((GeminiDecoder *) decoder);
}

static void
gemini_clear (ForeDecoder *decoder)
{
  GeminiDecoder *self = (GeminiDecoder *) decoder;

  if (self->text != NULL)
    g_string_free (self->text, TRUE);
}

/* The exit codes of packages/cli/src/utils/errors.ts; an API error gives the low byte of its
 * status. */
static ForeCause
gemini_exit_cause (int exit_code)
{
  static const struct
  {
    int code;
    ForeCause cause;
  } codes[] = {
    { 41, FORE_CAUSE_AUTH },
    { 42, FORE_CAUSE_ERROR },
    { 44, FORE_CAUSE_ERROR },
    { 52, FORE_CAUSE_ERROR },
    { 53, FORE_CAUSE_TURN_LIMIT },
    { 55, FORE_CAUSE_ERROR },
    { 130, FORE_CAUSE_INTERRUPTED },
    { 401 & 255, FORE_CAUSE_AUTH },
    { 403 & 255, FORE_CAUSE_AUTH },
    { 429 & 255, FORE_CAUSE_RATE_LIMIT },
    { 500 & 255, FORE_CAUSE_OVERLOADED },
    { 503 & 255, FORE_CAUSE_OVERLOADED },
  };

  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    {
      if (codes[i].code == exit_code)
        return codes[i].cause;
    }

  return FORE_CAUSE_NONE;
}

static const ForeDecoderClass gemini_decoder_class = {
  .instance_size = sizeof (GeminiDecoder),
  .line = gemini_line,
  .finish = gemini_finish,
  .clear = gemini_clear,
  .exit_cause = gemini_exit_cause,
};

#define DEFAULTS_VARIABLE "GEMINI_CLI_SYSTEM_DEFAULTS_PATH"
#define DEFAULTS_FILE "/etc/gemini-cli/system-defaults.json"

static const char *const gemini_env_names[] = { "GEMINI_*", "GOOGLE_*", "CLOUD_ML_REGION",
                                                "NODE_EXTRA_CA_CERTS", NULL };

/* Its own files, less those that would make it do something outside a sandbox later. */
static const char *const gemini_home[] = { ".gemini/",           "!.gemini/settings.json",
                                           "!.gemini/GEMINI.md", "!.gemini/extensions",
                                           "!.gemini/commands",  NULL };

static ForeAgentFound *
gemini_find (const char *program, GCancellable *cancellable)
{
  static const char *const variables[] = { "GEMINI_API_KEY", "GOOGLE_API_KEY",
                                           "GOOGLE_GENAI_USE_VERTEXAI", NULL };
  g_autofree char *oauth = g_build_filename (g_get_home_dir (), ".gemini", "oauth_creds.json",
                                             NULL);
  const char *files[] = { oauth, NULL };
  ForeAgentFound *found = fore_agent_found_new (program, cancellable);

  fore_agent_found_set_login (found, files, variables);

  return found;
}

/* Servers of MCP are named in settings only. Those of the lowest of its levels are added to
 * whatever the person has; where the machine or the person uses that level, it stays theirs
 * (packages/cli/src/config/settings.ts). A call may wait for a person for long.
 */
static void
add_mcp (ForeLaunch *launch, const ForeLaunchRequest *request)
{
  guint n = request->mcp != NULL ? g_strv_length ((char **) request->mcp) : 0;
  g_autofree char *path = NULL;
  g_autofree char *command = NULL;
  g_autofree char *words = NULL;
  g_autofree char *settings = NULL;

  if (n == 0 || g_getenv (DEFAULTS_VARIABLE) != NULL
      || g_file_test (DEFAULTS_FILE, G_FILE_TEST_EXISTS))
    return;

  /* The last word is the folder through which the agent calls its run. */
  path = g_build_filename (request->mcp[n - 1], "gemini-settings", NULL);
  command = fore_decoder_quote (request->mcp[0]);
  words = fore_argv_dup_json (request->mcp + 1);
  settings = g_strdup_printf ("{\"mcpServers\":{\"foredeck\":{\"command\":%s,\"args\":%s,"
                              "\"trust\":true,\"timeout\":86400000}}}\n",
                              command, words);
  if (!g_file_set_contents (path, settings, -1, NULL))
    return;

  launch->env = g_environ_setenv (launch->env, DEFAULTS_VARIABLE, path, TRUE);
}

/* Nobody can answer a one-shot agent: in its default mode the tools that would ask are not there,
 * which leaves a reader; its plan mode is no protection, as it approves its own plan. It relaunches
 * itself as a child that would outlive signals to it, which a variable stops.
 */
static ForeLaunch *
gemini_launch (const ForeLaunchRequest *request, GError **error)
{
  static const char *const env[] = { "GEMINI_CLI_NO_RELAUNCH=true",
                                     "GEMINI_CLI_TRUST_WORKSPACE=true", NULL };
  ForeLaunch *launch = g_new0 (ForeLaunch, 1);
  GPtrArray *argv = g_ptr_array_new ();

  fore_argv_add (argv, request->program);
  launch->env = g_strdupv ((char **) env);
  if (request->live)
    {
      fore_argv_add (argv, "--acp");
      fore_argv_add_option (argv, "--model", request->model);
      launch->argv = fore_argv_finish (argv);
      launch->stdin_mode = FORE_STDIN_LIVE;
      return launch;
    }

  fore_argv_add_option (argv, "--output-format", "stream-json");
  fore_argv_add_option (argv, "--approval-mode", request->read_only ? "default" : "yolo");
  fore_argv_add_option (argv, "--model", request->model);
  fore_argv_add_option (argv, "--resume", request->session);
  add_mcp (launch, request);

  launch->argv = fore_argv_finish (argv);
  launch->stdin_mode = FORE_STDIN_FILE;

  return launch;
}

const ForeAdapter fore_adapter_gemini = {
  .name = "gemini",
  .title = "Gemini CLI",
  .program = "gemini",
  .install = "npm install -g @google/gemini-cli",
  .env_names = gemini_env_names,
  .home = gemini_home,
  .one_shot = TRUE,
  .live = TRUE,
  .stream_required = TRUE,
  .decoder_class = &gemini_decoder_class,
  .live_decoder_class = &fore_acp_decoder_class,
  .find = gemini_find,
  .launch = gemini_launch,
};
