/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-acp-decoder.h"
#include "agents/fore-adapter-private.h"
#include "agents/fore-decoder-private.h"
#include "agents/fore-error-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* opencode run --format json: whole parts of messages, a call only when it is over, and for each
 * step what it used. No event ends the stream: the last step is one that does not end for its
 * calls. The answer is the text of the last step.
 */
typedef struct
{
  ForeDecoder parent;
  GString *text;
  char *text_message;
  char *rejected;
} OpencodeDecoder;

enum
{
  LINE_TYPE,
  LINE_SESSION,
  LINE_PART,
  LINE_ERROR,
  N_LINE
};

static const char *const line_names[N_LINE] = {
  [LINE_TYPE] = "type",
  [LINE_SESSION] = "sessionID",
  [LINE_PART] = "part",
  [LINE_ERROR] = "error",
};

enum
{
  PART_ID,
  PART_MESSAGE,
  PART_TEXT,
  PART_SYNTHETIC,
  PART_CALL,
  PART_TOOL,
  PART_STATE,
  PART_REASON,
  PART_TOKENS,
  PART_COST,
  N_PART
};

static const char *const part_names[N_PART] = {
  [PART_ID] = "id",         [PART_MESSAGE] = "messageID",
  [PART_TEXT] = "text",     [PART_SYNTHETIC] = "synthetic",
  [PART_CALL] = "callID",   [PART_TOOL] = "tool",
  [PART_STATE] = "state",   [PART_REASON] = "reason",
  [PART_TOKENS] = "tokens", [PART_COST] = "cost",
};

static void
take_session (OpencodeDecoder *self, const ForeJsonSlice *line)
{
  ForeEntry entry = FORE_ENTRY_INIT (FORE_ENTRY_SESSION);

  if (self->parent.summary.session != NULL || line[LINE_SESSION].kind != FORE_JSON_STRING)
    return;

  fore_decoder_take_session (&self->parent, fore_json_slice_dup_string (&line[LINE_SESSION]));
  entry.id = (char *) "session";
  entry.name = (char *) "opencode";
  entry.title = self->parent.summary.session;
  fore_decoder_emit (&self->parent, &entry);
}

static void
keep_text (OpencodeDecoder *self, const ForeJsonSlice *part, const char *text)
{
  g_autofree char *message = fore_json_slice_dup_string (&part[PART_MESSAGE]);

  if (g_strcmp0 (self->text_message, message) != 0)
    {
      g_free (self->text_message);
      self->text_message = g_steal_pointer (&message);
      g_string_truncate (self->text, 0);
    }

  if (self->text->len < FORE_LINE_FOLD)
    g_string_append_printf (self->text, "%s%s", self->text->len > 0 ? "\n\n" : "", text);
  fore_decoder_take_final_text (&self->parent, g_strdup (self->text->str));
}

/* What opencode says to the model in the person's place is no answer. */
static void
on_text (OpencodeDecoder *self, const ForeJsonSlice *part, ForeEntryKind kind)
{
  g_autofree char *id = fore_json_slice_dup_string (&part[PART_ID]);
  g_autofree char *text = fore_json_slice_dup_string (&part[PART_TEXT]);

  if (id == NULL || text == NULL || text[0] == '\0')
    return;

  if (fore_json_slice_get_bool (&part[PART_SYNTHETIC], FALSE))
    {
      fore_decoder_emit_notice (&self->parent, id, "user", NULL, text);
      return;
    }

  fore_decoder_emit_text (&self->parent, kind, id, NULL, text, FALSE);
  if (kind == FORE_ENTRY_TEXT)
    keep_text (self, part, text);
}

static gint64
span (const ForeJsonSlice *time)
{
  static const char *const names[] = { "start", "end" };
  ForeJsonSlice values[G_N_ELEMENTS (names)];
  gint64 start, end;

  fore_json_slice_get_members (time, names, G_N_ELEMENTS (names), values);
  start = fore_json_slice_get_int (&values[0], -1);
  end = fore_json_slice_get_int (&values[1], -1);

  return start >= 0 && end >= start ? end - start : -1;
}

/* In “run” nobody can be asked, so what would ask is refused, and the run stops there. */
static void
note_rejection (OpencodeDecoder *self, const char *error)
{
  if (error == NULL || strstr (error, "rejected permission") == NULL)
    return;

  g_free (self->rejected);
  self->rejected = g_strdup (error);
}

static void
on_tool (OpencodeDecoder *self, const ForeJsonSlice *part)
{
  static const char *const names[] = { "status", "input",    "output", "error",
                                       "title",  "metadata", "time" };
  ForeJsonSlice state[G_N_ELEMENTS (names)], code;
  ForeEntry entry = FORE_ENTRY_INIT (FORE_ENTRY_TOOL);
  gboolean failed;
  g_autofree char *id = fore_json_slice_dup_string (&part[PART_CALL]);
  g_autofree char *name = fore_json_slice_dup_string (&part[PART_TOOL]);
  g_autofree char *input = NULL;
  g_autofree char *title = NULL;
  g_autofree char *text = NULL;

  if (id == NULL)
    return;

  fore_json_slice_get_members (&part[PART_STATE], names, G_N_ELEMENTS (names), state);
  failed = fore_json_slice_equals (&state[0], "error");
  input = fore_json_slice_dup_json (&state[1]);
  text = fore_json_slice_dup_string (&state[failed ? 3 : 2]);
  title = fore_decoder_describe_input (&state[1]);
  if (title == NULL)
    title = fore_json_slice_dup_string (&state[4]);
  fore_json_slice_get_member (&state[5], "exit", &code);
  if (failed)
    note_rejection (self, text);

  entry.id = id;
  entry.name = name;
  entry.input = input;
  entry.title = title;
  entry.text = text;
  entry.exit_code = CLAMP (fore_json_slice_get_int (&code, -1), -1, 255);
  entry.ms = span (&state[6]);
  entry.state = failed ? FORE_ENTRY_FAILED : FORE_ENTRY_DONE;
  if (!failed && !fore_json_slice_equals (&state[0], "completed"))
    entry.state = FORE_ENTRY_RUNNING;
  fore_decoder_emit_tool (&self->parent, &entry);
}

/* A step says what it used by itself; what was thought is not in its output. */
static void
count_usage (OpencodeDecoder *self, const ForeJsonSlice *part)
{
  static const char *const names[] = { "input", "output", "reasoning", "cache" };
  static const char *const cache_names[] = { "read", "write" };
  ForeJsonSlice values[G_N_ELEMENTS (names)], cache[G_N_ELEMENTS (cache_names)];
  ForeUsage counted = FORE_USAGE_INIT;
  g_autofree char *id = fore_json_slice_dup_string (&part[PART_ID]);
  gint64 thought;

  fore_json_slice_get_members (&part[PART_TOKENS], names, G_N_ELEMENTS (names), values);
  fore_json_slice_get_members (&values[3], cache_names, G_N_ELEMENTS (cache_names), cache);
  thought = fore_json_slice_get_int (&values[2], 0);
  counted.input = fore_json_slice_get_int (&values[0], FORE_USAGE_UNKNOWN);
  counted.output = fore_json_slice_get_int (&values[1], FORE_USAGE_UNKNOWN);
  counted.cache_read = fore_json_slice_get_int (&cache[0], FORE_USAGE_UNKNOWN);
  counted.cache_write = fore_json_slice_get_int (&cache[1], FORE_USAGE_UNKNOWN);
  counted.cost = fore_decoder_cost_from_dollars (fore_json_slice_get_double (&part[PART_COST], -1));
  if (counted.output >= 0 && thought > 0)
    counted.output = counted.output > G_MAXINT64 - thought ? G_MAXINT64 : counted.output + thought;
  if (id == NULL || (fore_usage_get_tokens (&counted) <= 0 && counted.cost <= 0))
    return;

  fore_decoder_set_message_usage (&self->parent, id, &counted);
  fore_decoder_emit_usage (&self->parent);
}

static void
on_step_finish (OpencodeDecoder *self, const ForeJsonSlice *part)
{
  const ForeJsonSlice *reason = &part[PART_REASON];

  count_usage (self, part);
  self->parent.summary.turns++;
  if (fore_json_slice_equals (reason, "tool-calls"))
    return;

  if (fore_json_slice_equals (reason, "stop"))
    fore_decoder_complete (&self->parent);
  else if (fore_json_slice_equals (reason, "length"))
    fore_decoder_fail (&self->parent, FORE_CAUSE_OUTPUT_LIMIT,
                       _ ("The answer was cut at the model's output limit."));
  else if (fore_json_slice_equals (reason, "content-filter"))
    fore_decoder_fail (&self->parent, FORE_CAUSE_REFUSED, _ ("The model refused."));
  else
    fore_decoder_fail (&self->parent, FORE_CAUSE_BROKEN_STREAM,
                       _ ("The model's answer broke off."));
  fore_decoder_emit_result (&self->parent);
}

static ForeCause
error_cause (const ForeJsonSlice *name, const char *message, int status)
{
  if (fore_json_slice_equals (name, "ContextOverflowError"))
    return FORE_CAUSE_CONTEXT;
  if (fore_json_slice_equals (name, "ProviderAuthError"))
    return FORE_CAUSE_AUTH;
  if (fore_json_slice_equals (name, "MessageOutputLengthError"))
    return FORE_CAUSE_OUTPUT_LIMIT;
  if (fore_json_slice_equals (name, "MessageAbortedError"))
    return FORE_CAUSE_INTERRUPTED;

  return fore_error_text_classify (message, status);
}

static void
on_error (OpencodeDecoder *self, const ForeJsonSlice *line)
{
  static const char *const names[] = { "name", "data" };
  static const char *const data_names[] = { "message", "statusCode" };
  ForeJsonSlice error[G_N_ELEMENTS (names)], data[G_N_ELEMENTS (data_names)];
  g_autofree char *message = NULL;
  ForeCause cause;

  fore_json_slice_get_members (&line[LINE_ERROR], names, G_N_ELEMENTS (names), error);
  fore_json_slice_get_members (&error[1], data_names, G_N_ELEMENTS (data_names), data);
  message = fore_json_slice_dup_string (&data[0]);
  if (message == NULL)
    message = fore_json_slice_dup_string (&error[0]);
  cause = error_cause (&error[0], message, CLAMP (fore_json_slice_get_int (&data[1], 0), 0, 999));

  fore_decoder_emit_error (&self->parent, cause, message);
  fore_decoder_fail (&self->parent, cause, NULL);
  fore_decoder_emit_result (&self->parent);
}

static void
on_event (OpencodeDecoder *self, const ForeJsonSlice *line, const char *text, gsize length)
{
  const ForeJsonSlice *type = &line[LINE_TYPE];
  ForeJsonSlice part[N_PART];
  g_autofree char *name = NULL;

  take_session (self, line);
  fore_json_slice_get_members (&line[LINE_PART], part_names, N_PART, part);
  if (fore_json_slice_equals (type, "text"))
    on_text (self, part, FORE_ENTRY_TEXT);
  else if (fore_json_slice_equals (type, "reasoning"))
    on_text (self, part, FORE_ENTRY_THINKING);
  else if (fore_json_slice_equals (type, "tool_use"))
    on_tool (self, part);
  else if (fore_json_slice_equals (type, "step_start"))
    fore_decoder_reopen (&self->parent);
  else if (fore_json_slice_equals (type, "step_finish"))
    on_step_finish (self, part);
  else if (fore_json_slice_equals (type, "error"))
    on_error (self, line);
  else if (!fore_json_slice_equals (type, "done"))
    fore_decoder_emit_raw (&self->parent, name = fore_json_slice_dup_string (type), text, length,
                           FALSE);
}

static void
opencode_line (ForeDecoder *decoder, const char *line, gsize length, gboolean truncated)
{
  OpencodeDecoder *self = (OpencodeDecoder *) decoder;
  ForeJsonSlice values[N_LINE];

  if (self->text == NULL)
    self->text = g_string_new (NULL);

  if (!truncated && fore_decoder_read_line (decoder, line, length, line_names, N_LINE, values))
    on_event (self, values, line, length);
  else
    fore_decoder_emit_raw (decoder, NULL, line, length, truncated);
}

/* A run that stopped for a permission has no last step. */
static void
opencode_finish (ForeDecoder *decoder)
{
  OpencodeDecoder *self = (OpencodeDecoder *) decoder;

  if (self->rejected == NULL || decoder->summary.outcome != FORE_OUTCOME_UNFINISHED)
    return;

  fore_decoder_fail (decoder, FORE_CAUSE_REFUSED, self->rejected);
  fore_decoder_emit_result (decoder);
}

static void
opencode_clear (ForeDecoder *decoder)
{
  OpencodeDecoder *self = (OpencodeDecoder *) decoder;

  if (self->text != NULL)
    g_string_free (self->text, TRUE);
  g_free (self->text_message);
  g_free (self->rejected);
}

static const ForeDecoderClass opencode_decoder_class = {
  .instance_size = sizeof (OpencodeDecoder),
  .line = opencode_line,
  .finish = opencode_finish,
  .clear = opencode_clear,
};

static const char *const opencode_env_names[] = {
  "OPENCODE_*",
  "ANTHROPIC_*",
  "OPENAI_*",
  "GEMINI_*",
  "GOOGLE_*",
  "GROQ_API_KEY",
  "MISTRAL_API_KEY",
  "XAI_API_KEY",
  "OPENROUTER_API_KEY",
  "DEEPSEEK_API_KEY",
  "ZHIPU_API_KEY",
  "MOONSHOT_API_KEY",
  "AZURE_*",
  "AWS_*",
  "GITHUB_TOKEN",
  "NODE_EXTRA_CA_CERTS",
  NULL,
};

/* Its own files, less those that would make it do something outside a sandbox later. */
static const char *const opencode_home[] = { ".local/share/opencode/", ".local/state/opencode/",
                                             ".cache/opencode/", "%.config/opencode", NULL };

static ForeAgentFound *
opencode_find (const char *program, GCancellable *cancellable)
{
  static const char *const variables[] = { "OPENCODE_API_KEY", "ANTHROPIC_API_KEY",
                                           "OPENAI_API_KEY", "GEMINI_API_KEY", NULL };
  g_autofree char *auth = g_build_filename (g_get_user_data_dir (), "opencode", "auth.json", NULL);
  g_autofree char *config = g_build_filename (g_get_user_config_dir (), "opencode", "opencode.json",
                                              NULL);
  const char *files[] = { auth, config, NULL };
  ForeAgentFound *found = fore_agent_found_new (program, cancellable);

  fore_agent_found_set_login (found, files, variables);

  return found;
}

/* What a role may do is said beforehand: a one-shot agent can ask nobody, a live one asks. */
static char *
permission_variable (const ForeLaunchRequest *request)
{
  const char *edits = request->read_only ? "deny" : request->live ? "ask" : "allow";

  return g_strdup_printf ("OPENCODE_PERMISSION={\"edit\":\"%s\",\"bash\":\"%s\","
                          "\"external_directory\":\"%s\"}",
                          edits, edits, request->live && !request->read_only ? "ask" : "deny");
}

/* What the person says in that variable goes first. */
static void
add_mcp (GPtrArray *env, const ForeLaunchRequest *request)
{
  g_autofree char *words = NULL;

  if (request->mcp == NULL || g_getenv ("OPENCODE_CONFIG_CONTENT") != NULL)
    return;

  words = fore_argv_dup_json (request->mcp);
  g_ptr_array_add (env, g_strdup_printf ("OPENCODE_CONFIG_CONTENT={\"mcp\":{\"foredeck\":{"
                                         "\"type\":\"local\",\"command\":%s,\"enabled\":true}}}",
                                         words));
}

static void
add_one_shot (GPtrArray *argv, const ForeLaunchRequest *request)
{
  fore_argv_add (argv, "run");
  fore_argv_add_option (argv, "--format", "json");
  fore_argv_add (argv, "--thinking");
  fore_argv_add_option (argv, "--model", request->model);
  fore_argv_add_option (argv, "--session", request->session);
  fore_argv_add_option (argv, "--variant", request->thinking);
}

/* The prompt goes to its standard input: of a prompt among its arguments it would quote the quotes.
 */
static ForeLaunch *
opencode_launch (const ForeLaunchRequest *request, GError **error)
{
  ForeLaunch *launch = g_new0 (ForeLaunch, 1);
  GPtrArray *argv = g_ptr_array_new ();
  GPtrArray *env = g_ptr_array_new ();

  fore_argv_add (argv, request->program);
  if (request->live)
    fore_argv_add (argv, "acp");
  else
    add_one_shot (argv, request);

  fore_argv_add (env, "OPENCODE_DISABLE_AUTOUPDATE=1");
  g_ptr_array_add (env, permission_variable (request));
  add_mcp (env, request);
  launch->argv = fore_argv_finish (argv);
  launch->env = fore_argv_finish (env);
  launch->stdin_mode = request->live ? FORE_STDIN_LIVE : FORE_STDIN_FILE;

  return launch;
}

const ForeAdapter fore_adapter_opencode = {
  .name = "opencode",
  .title = "OpenCode",
  .program = "opencode",
  .install = "npm install -g opencode-ai",
  .env_names = opencode_env_names,
  .home = opencode_home,
  .one_shot = TRUE,
  .live = TRUE,
  .stream_required = TRUE,
  .decoder_class = &opencode_decoder_class,
  .live_decoder_class = &fore_acp_decoder_class,
  .find = opencode_find,
  .launch = opencode_launch,
};
