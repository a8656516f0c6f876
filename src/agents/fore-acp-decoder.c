/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-acp-decoder.h"

#include "agents/fore-acp-private.h"
#include "agents/fore-error-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_OPTIONS 100

enum
{
  LINE_ID,
  LINE_METHOD,
  LINE_PARAMS,
  LINE_RESULT,
  LINE_ERROR,
  N_LINE
};

static const char *const line_names[N_LINE] = { "id", "method", "params", "result", "error" };

static void
send_reply (AcpDecoder *self, const char *request, const char *member, const char *value)
{
  g_autofree char *line = g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"id\":%s,\"%s\":%s}", request,
                                           member, value);

  fore_decoder_send (&self->parent, line);
}

static void
count_usage (AcpDecoder *self, const ForeJsonSlice *usage, const char *turn)
{
  static const char *const names[] = { "inputTokens", "outputTokens", "cachedReadTokens",
                                       "cachedWriteTokens" };
  ForeJsonSlice values[G_N_ELEMENTS (names)];
  ForeUsage counted = FORE_USAGE_INIT;

  fore_json_slice_get_members (usage, names, G_N_ELEMENTS (names), values);
  counted.input = fore_json_slice_get_int (&values[0], FORE_USAGE_UNKNOWN);
  counted.output = fore_json_slice_get_int (&values[1], FORE_USAGE_UNKNOWN);
  counted.cache_read = fore_json_slice_get_int (&values[2], FORE_USAGE_UNKNOWN);
  counted.cache_write = fore_json_slice_get_int (&values[3], FORE_USAGE_UNKNOWN);
  fore_decoder_set_message_usage (&self->parent, turn, &counted);
  fore_decoder_emit_usage (&self->parent);
}

static void
take_stop_reason (AcpDecoder *self, const ForeJsonSlice *reason)
{
  if (fore_json_slice_equals (reason, "cancelled"))
    fore_decoder_fail (&self->parent, FORE_CAUSE_INTERRUPTED, _ ("The agent was interrupted."));
  else if (fore_json_slice_equals (reason, "refusal"))
    fore_decoder_fail (&self->parent, FORE_CAUSE_REFUSED, _ ("The agent refused."));
  else if (fore_json_slice_equals (reason, "max_tokens"))
    fore_decoder_fail (&self->parent, FORE_CAUSE_OUTPUT_LIMIT,
                       _ ("The answer was cut at the model's output limit."));
  else if (fore_json_slice_equals (reason, "max_turn_requests"))
    fore_decoder_fail (&self->parent, FORE_CAUSE_TURN_LIMIT,
                       _ ("The agent reached its limit of requests in one turn."));
  else
    fore_decoder_complete (&self->parent);
}

static void
on_turn_over (AcpDecoder *self, const ForeJsonSlice *result, const ForeJsonSlice *reason)
{
  ForeJsonSlice usage;
  g_autofree char *turn = g_strdup_printf ("turn-%u", ++self->parent.summary.turns);

  fore_json_slice_get_member (result, "usage", &usage);
  if (fore_json_slice_exists (&usage))
    count_usage (self, &usage, turn);

  fore_acp_end_block (self);
  self->stage = ACP_READY;
  if (fore_acp_send_next_prompt (self))
    return;

  take_stop_reason (self, reason);
  fore_decoder_emit_result (&self->parent);
}

static void
on_result (AcpDecoder *self, const ForeJsonSlice *result)
{
  static const char *const names[] = { "protocolVersion", "sessionId", "stopReason" };
  ForeJsonSlice values[G_N_ELEMENTS (names)];

  fore_json_slice_get_members (result, names, G_N_ELEMENTS (names), values);
  if (values[2].kind == FORE_JSON_STRING)
    on_turn_over (self, result, &values[2]);
  else if (values[1].kind == FORE_JSON_STRING)
    fore_acp_on_opened (self, result, fore_json_slice_dup_string (&values[1]));
  else if (fore_json_slice_exists (&values[0]))
    fore_acp_on_initialized (self, result);
  else if (self->stage == ACP_OPENING && self->wanted != NULL)
    fore_acp_on_opened (self, result, g_strdup (self->wanted));
}

/* A mode or model that was not changed: the work goes on as it was. */
static gboolean
is_of_setting (const ForeJsonSlice *id)
{
  return id->kind == FORE_JSON_STRING && id->length > strlen (ACP_SETTING)
         && strncmp (id->text, ACP_SETTING, strlen (ACP_SETTING)) == 0;
}

/* Many say only “Internal error”, and in the data what it was. */
static char *
describe_error (const ForeJsonSlice *message, const ForeJsonSlice *data)
{
  static const char *const names[] = { "message", "details" };
  ForeJsonSlice values[G_N_ELEMENTS (names)];
  g_autofree char *text = fore_json_slice_dup_string (message);
  g_autofree char *detail = NULL;

  fore_json_slice_get_members (data, names, G_N_ELEMENTS (names), values);
  detail = fore_json_slice_dup_string (values[0].kind == FORE_JSON_STRING ? &values[0]
                                                                          : &values[1]);
  if (detail == NULL)
    detail = fore_json_slice_dup_string (data);

  if (text != NULL && detail != NULL)
    return g_strdup_printf ("%s: %s", text, detail);

  return text != NULL ? g_steal_pointer (&text) : g_steal_pointer (&detail);
}

/* An error answer to any other of our requests ends the session's work. */
static void
on_error (AcpDecoder *self, const ForeJsonSlice *id, const ForeJsonSlice *error)
{
  static const char *const names[] = { "code", "message", "data" };
  ForeJsonSlice values[G_N_ELEMENTS (names)];
  g_autofree char *message = NULL;
  g_autofree char *data = NULL;
  g_autofree char *whole = NULL;
  gint64 code;
  ForeCause cause;

  fore_json_slice_get_members (error, names, G_N_ELEMENTS (names), values);
  message = describe_error (&values[1], &values[2]);
  data = fore_json_slice_dup_json (&values[2]);
  code = fore_json_slice_get_int (&values[0], 0);
  whole = g_strconcat (message != NULL ? message : "", " ", data, NULL);
  if (is_of_setting (id))
    {
      fore_decoder_emit_notice (&self->parent, NULL, "setting", _ ("Was not changed"), message);
      return;
    }

  if (self->stage == ACP_OPENING && self->wanted != NULL)
    {
      fore_acp_begin_anew (self, message);
      return;
    }

  cause = code == -32000 ? FORE_CAUSE_AUTH : fore_error_text_classify (whole, CLAMP (code, 0, 999));

  fore_decoder_emit_error (&self->parent, cause, message);
  fore_acp_end_block (self);
  self->stage = ACP_READY;
  fore_decoder_fail (&self->parent, cause, NULL);
  fore_decoder_emit_result (&self->parent);
}

/* The options as sent, and beside them the reply for each, with its id as it came. */
static GPtrArray *
read_options (const ForeJsonSlice *options, const char *request, GStrv *replies)
{
  static const char *const names[] = { "optionId", "name", "kind" };
  GPtrArray *result = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_request_option_free);
  g_autoptr (GStrvBuilder) lines = g_strv_builder_new ();
  ForeJsonSlice option, values[G_N_ELEMENTS (names)];
  ForeJsonSliceIter iter;

  fore_json_slice_iter_init (&iter, options);
  while (fore_json_slice_iter_next (&iter, NULL, &option) && result->len < MAX_OPTIONS)
    {
      g_autofree char *id = NULL;
      g_autofree char *json = NULL;
      g_autofree char *name = NULL;
      g_autofree char *kind = NULL;
      g_autofree char *line = NULL;

      fore_json_slice_get_members (&option, names, G_N_ELEMENTS (names), values);
      if (values[0].kind == FORE_JSON_END)
        continue;
      json = fore_json_slice_dup_json (&values[0]);
      id = values[0].kind == FORE_JSON_STRING ? fore_json_slice_dup_string (&values[0])
                                              : g_strdup (json);
      name = fore_json_slice_dup_string (&values[1]);
      kind = fore_json_slice_dup_string (&values[2]);
      line = g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"outcome\":{"
                              "\"outcome\":\"selected\",\"optionId\":%s}}}",
                              request, json);
      g_strv_builder_add (lines, line);
      g_ptr_array_add (result, fore_request_option_new (id, name != NULL ? name : id, kind));
    }

  *replies = g_strv_builder_end (lines);

  return result;
}

static void
on_permission (AcpDecoder *self, const ForeJsonSlice *request_id, const ForeJsonSlice *params)
{
  static const char *const names[] = { "toolCall", "options" };
  static const char *const call_names[] = { "toolCallId", "title", "kind", "rawInput", "name" };
  ForeJsonSlice values[G_N_ELEMENTS (names)], call[G_N_ELEMENTS (call_names)];
  g_autofree char *request = fore_json_slice_dup_json (request_id);
  char *refusal;
  GStrv replies = NULL;
  ForeEntry *entry;

  fore_json_slice_get_members (params, names, G_N_ELEMENTS (names), values);
  fore_json_slice_get_members (&values[0], call_names, G_N_ELEMENTS (call_names), call);

  entry = fore_entry_new (FORE_ENTRY_PERMISSION, NULL);
  entry->id = g_strdup_printf ("permission-%s", request);
  entry->parent = fore_json_slice_dup_string (&call[0]);
  entry->title = fore_json_slice_dup_string (&call[1]);
  entry->name = fore_json_slice_dup_string (&call[fore_json_slice_exists (&call[4]) ? 4 : 2]);
  entry->input = fore_json_slice_dup_json (&call[3]);
  entry->text = fore_acp_dup_content (&values[0]);
  entry->options = read_options (&values[1], request, &replies);
  refusal = g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"outcome\":{"
                             "\"outcome\":\"cancelled\"}}}",
                             request);

  fore_acp_end_block (self);
  fore_decoder_ask (&self->parent, entry, replies, refusal);
}

/* The agent takes back a request of its own: it is not answered any more. */
static void
on_cancel_request (AcpDecoder *self, const ForeJsonSlice *params)
{
  ForeJsonSlice request;
  g_autofree char *json = NULL;
  g_autofree char *id = NULL;

  fore_json_slice_get_member (params, "requestId", &request);
  json = fore_json_slice_dup_json (&request);
  id = g_strdup_printf ("permission-%s", json);
  fore_decoder_withdraw (&self->parent, id, TRUE);
}

/* Neither files nor terminals were offered, but some agents ask for them all the same and wait. */
static void
refuse_request (AcpDecoder *self, const ForeJsonSlice *line, const char *text, gsize length)
{
  g_autofree char *request = fore_json_slice_dup_json (&line[LINE_ID]);
  g_autofree char *method = fore_json_slice_dup_string (&line[LINE_METHOD]);

  if (self->parent.speaking)
    send_reply (self, request, "error", "{\"code\":-32601,\"message\":\"Method not found\"}");
  fore_decoder_emit_raw (&self->parent, method, text, length, FALSE);
}

static void
on_message (AcpDecoder *self, const ForeJsonSlice *line, const char *text, gsize length)
{
  const ForeJsonSlice *method = &line[LINE_METHOD];
  gboolean has_id = line[LINE_ID].kind != FORE_JSON_END;
  g_autofree char *name = NULL;

  if (fore_json_slice_equals (method, "session/update") && self->stage != ACP_OPENING)
    fore_acp_on_update (self, &line[LINE_PARAMS], text, length);
  else if (fore_json_slice_equals (method, "session/request_permission") && has_id)
    on_permission (self, &line[LINE_ID], &line[LINE_PARAMS]);
  else if (fore_json_slice_equals (method, "$/cancel_request"))
    on_cancel_request (self, &line[LINE_PARAMS]);
  else if (method->kind == FORE_JSON_STRING && has_id)
    refuse_request (self, line, text, length);
  else if (method->kind == FORE_JSON_STRING)
    fore_decoder_emit_raw (&self->parent, name = fore_json_slice_dup_string (method), text, length,
                           FALSE);
  else if (fore_json_slice_exists (&line[LINE_ERROR]))
    on_error (self, &line[LINE_ID], &line[LINE_ERROR]);
  else if (line[LINE_RESULT].kind != FORE_JSON_END)
    on_result (self, &line[LINE_RESULT]);
  else
    fore_decoder_emit_raw (&self->parent, NULL, text, length, FALSE);
}

static void
acp_line (ForeDecoder *decoder, const char *line, gsize length, gboolean truncated)
{
  ForeJsonSlice values[N_LINE];

  fore_acp_ensure ((AcpDecoder *) decoder);
  if (!truncated && fore_decoder_read_line (decoder, line, length, line_names, N_LINE, values))
    on_message ((AcpDecoder *) decoder, values, line, length);
  else
    fore_decoder_emit_raw (decoder, NULL, line, length, truncated);
}

static gboolean
interrupt (AcpDecoder *self)
{
  g_autofree char *session = NULL;
  g_autofree char *line = NULL;

  g_ptr_array_set_size (self->waiting, 0);
  fore_decoder_refuse_all (&self->parent);
  if (self->stage != ACP_PROMPTING || self->cancelled)
    return self->stage == ACP_PROMPTING;

  self->cancelled = TRUE;
  session = fore_decoder_quote (self->parent.summary.session);
  line = g_strdup_printf (
      "{\"jsonrpc\":\"2.0\",\"method\":\"session/cancel\",\"params\":{\"sessionId\":%s}}", session);
  fore_decoder_send (&self->parent, line);

  return TRUE;
}

static gboolean
acp_say (ForeDecoder *decoder, const char *kind, const char *id, const char *text)
{
  AcpDecoder *self = (AcpDecoder *) decoder;

  fore_acp_ensure (self);
  if (strcmp (kind, "answer") == 0)
    return fore_decoder_answer (decoder, id, text);

  if (strcmp (kind, "interrupt") == 0 || strcmp (kind, "end") == 0)
    return interrupt (self);

  if (text == NULL)
    return FALSE;

  if (strcmp (kind, "mode") == 0 || strcmp (kind, "model") == 0)
    return fore_acp_set (self, kind, text);

  /* The protocol has no way into a running turn: what is said waits for its end. */
  g_ptr_array_add (self->waiting, g_strdup (text));
  fore_acp_send_next_prompt (self);

  return TRUE;
}

static void
acp_finish (ForeDecoder *decoder)
{
  AcpDecoder *self = (AcpDecoder *) decoder;

  fore_acp_ensure (self);
  fore_acp_end_block (self);
}

static void
acp_clear (ForeDecoder *decoder)
{
  AcpDecoder *self = (AcpDecoder *) decoder;

  g_free (self->cwd);
  g_free (self->servers);
  g_free (self->wanted);
  g_free (self->again);
  g_free (self->model);
  g_free (self->model_option);
  g_free (self->mode_option);
  g_free (self->block_message);
  g_clear_pointer (&self->waiting, g_ptr_array_unref);
  if (self->block_text != NULL)
    g_string_free (self->block_text, TRUE);
}

const ForeDecoderClass fore_acp_decoder_class = {
  .instance_size = sizeof (AcpDecoder),
  .line = acp_line,
  .finish = acp_finish,
  .clear = acp_clear,
  .begin = fore_acp_begin,
  .say = acp_say,
};
