/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-acp-decoder.h"

#include "agents/fore-acp-private.h"
#include "agents/fore-error-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

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
permission_free (gpointer data)
{
  AcpPermission *permission = data;

  g_free (permission->request);
  fore_entry_free (permission->entry);
  g_strfreev (permission->option_ids);
  g_free (permission);
}

static void
ensure (AcpDecoder *self)
{
  if (self->permissions != NULL)
    return;

  self->permissions = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, permission_free);
  self->waiting = g_ptr_array_new_with_free_func (g_free);
  self->block_text = g_string_new (NULL);
}

static void
send_request (AcpDecoder *self, const char *method, char *params)
{
  g_autofree char *owned = params;
  g_autofree char *line = g_strdup_printf (
      "{\"jsonrpc\":\"2.0\",\"id\":%u,\"method\":\"%s\",\"params\":%s}", ++self->last_id, method,
      params);

  fore_decoder_send (&self->parent, line);
}

static void
send_reply (AcpDecoder *self, const char *request, const char *member, const char *value)
{
  g_autofree char *line = g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"id\":%s,\"%s\":%s}", request,
                                           member, value);

  fore_decoder_send (&self->parent, line);
}

static void
send_prompt (AcpDecoder *self, const char *text)
{
  g_autofree char *session = fore_decoder_quote (self->parent.summary.session);
  g_autofree char *quoted = fore_decoder_quote (text);

  self->stage = ACP_PROMPTING;
  self->cancelled = FALSE;
  fore_decoder_reopen (&self->parent);
  send_request (self, "session/prompt",
                g_strdup_printf ("{\"sessionId\":%s,\"prompt\":[{\"type\":\"text\",\"text\":%s}]}",
                                 session, quoted));
}

/* Sends the oldest of what waits for the agent's turn to end. */
static gboolean
send_next_prompt (AcpDecoder *self)
{
  g_autofree char *text = NULL;

  if (self->waiting->len == 0 || self->stage != ACP_READY)
    return FALSE;

  text = g_ptr_array_steal_index (self->waiting, 0);
  send_prompt (self, text);

  return TRUE;
}

static void
send_initialize (AcpDecoder *self)
{
  self->stage = ACP_INITIALIZING;
  send_request (self, "initialize",
                g_strdup ("{\"protocolVersion\":1,\"clientCapabilities\":{\"fs\":{\"readTextFile\":"
                          "false,\"writeTextFile\":false},\"terminal\":false},\"clientInfo\":{"
                          "\"name\":\"foredeck\",\"version\":\"" FORE_VERSION "\"}}"));
}

static void
send_open (AcpDecoder *self, gboolean can_load)
{
  g_autofree char *cwd = fore_decoder_quote (self->cwd);
  g_autofree char *session = NULL;

  self->stage = ACP_OPENING;
  if (self->wanted == NULL || !can_load)
    {
      send_request (self, "session/new", g_strdup_printf ("{\"cwd\":%s,\"mcpServers\":[]}", cwd));
      return;
    }

  session = fore_decoder_quote (self->wanted);
  send_request (self, "session/load",
                g_strdup_printf ("{\"sessionId\":%s,\"cwd\":%s,\"mcpServers\":[]}", session, cwd));
}

static void
acp_begin (ForeDecoder *decoder, const char *prompt, const char *cwd, const char *session)
{
  AcpDecoder *self = (AcpDecoder *) decoder;

  ensure (self);
  if (self->speaking)
    return;

  self->speaking = TRUE;
  self->cwd = g_strdup (cwd);
  self->wanted = g_strdup (session);
  g_ptr_array_add (self->waiting, g_strdup (prompt));
  send_initialize (self);
}

static void
on_initialized (AcpDecoder *self, const ForeJsonSlice *result)
{
  ForeJsonSlice capabilities, load;

  if (self->stage != ACP_INITIALIZING)
    return;

  fore_json_slice_get_member (result, "agentCapabilities", &capabilities);
  fore_json_slice_get_member (&capabilities, "loadSession", &load);
  send_open (self, fore_json_slice_get_bool (&load, FALSE));
}

static void
emit_session (AcpDecoder *self)
{
  ForeEntry entry = FORE_ENTRY_INIT (FORE_ENTRY_SESSION);

  entry.id = (char *) "session";
  entry.title = self->parent.summary.session;
  entry.text = self->cwd;
  fore_decoder_emit (&self->parent, &entry);
}

static void
on_opened (AcpDecoder *self, char *session)
{
  fore_decoder_take_session (&self->parent, session);
  emit_session (self);
  if (self->stage == ACP_OPENING)
    self->stage = ACP_READY;
  send_next_prompt (self);
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
  if (send_next_prompt (self))
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
    on_opened (self, fore_json_slice_dup_string (&values[1]));
  else if (fore_json_slice_exists (&values[0]))
    on_initialized (self, result);
  else if (self->stage == ACP_OPENING && self->wanted != NULL)
    on_opened (self, g_strdup (self->wanted));
}

/* An error answer to any of our requests ends the session's work. */
static void
on_error (AcpDecoder *self, const ForeJsonSlice *error)
{
  static const char *const names[] = { "code", "message", "data" };
  ForeJsonSlice values[G_N_ELEMENTS (names)];
  g_autofree char *message = NULL;
  g_autofree char *data = NULL;
  g_autofree char *whole = NULL;
  gint64 code;
  ForeCause cause;

  fore_json_slice_get_members (error, names, G_N_ELEMENTS (names), values);
  message = fore_json_slice_dup_string (&values[1]);
  data = fore_json_slice_dup_json (&values[2]);
  code = fore_json_slice_get_int (&values[0], 0);
  whole = g_strconcat (message != NULL ? message : "", " ", data, NULL);
  cause = code == -32000 ? FORE_CAUSE_AUTH : fore_error_text_classify (whole, CLAMP (code, 0, 999));

  fore_decoder_emit_error (&self->parent, cause, message);
  fore_acp_end_block (self);
  self->stage = ACP_READY;
  fore_decoder_fail (&self->parent, cause, NULL);
  fore_decoder_emit_result (&self->parent);
}

static char *
take_option_id (const ForeJsonSlice *id)
{
  return id->kind == FORE_JSON_STRING ? fore_json_slice_dup_string (id)
                                      : fore_json_slice_dup_json (id);
}

/* The options as sent, and beside them their ids as they have to be echoed. */
static GPtrArray *
read_options (const ForeJsonSlice *options, GStrv *raw_ids)
{
  static const char *const names[] = { "optionId", "name", "kind" };
  GPtrArray *result = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_request_option_free);
  g_autoptr (GStrvBuilder) raw = g_strv_builder_new ();
  ForeJsonSlice option, values[G_N_ELEMENTS (names)];
  ForeJsonSliceIter iter;

  fore_json_slice_iter_init (&iter, options);
  while (fore_json_slice_iter_next (&iter, NULL, &option) && result->len < 100)
    {
      g_autofree char *id = NULL;
      g_autofree char *json = NULL;
      g_autofree char *name = NULL;
      g_autofree char *kind = NULL;

      fore_json_slice_get_members (&option, names, G_N_ELEMENTS (names), values);
      if (values[0].kind == FORE_JSON_END)
        continue;
      id = take_option_id (&values[0]);
      json = fore_json_slice_dup_json (&values[0]);
      name = fore_json_slice_dup_string (&values[1]);
      kind = fore_json_slice_dup_string (&values[2]);
      g_strv_builder_add (raw, json);
      g_ptr_array_add (result, fore_request_option_new (id, name != NULL ? name : id, kind));
    }

  *raw_ids = g_strv_builder_end (raw);

  return result;
}

static void
on_permission (AcpDecoder *self, char *request, const ForeJsonSlice *params)
{
  static const char *const names[] = { "toolCall", "options" };
  static const char *const call_names[] = { "toolCallId", "title", "kind", "rawInput", "name" };
  ForeJsonSlice values[G_N_ELEMENTS (names)], call[G_N_ELEMENTS (call_names)];
  AcpPermission *permission = g_new0 (AcpPermission, 1);
  ForeEntry *entry;

  fore_json_slice_get_members (params, names, G_N_ELEMENTS (names), values);
  fore_json_slice_get_members (&values[0], call_names, G_N_ELEMENTS (call_names), call);

  entry = fore_entry_new (FORE_ENTRY_PERMISSION, NULL);
  entry->id = g_strdup_printf ("permission-%s", request);
  entry->state = FORE_ENTRY_RUNNING;
  entry->parent = fore_json_slice_dup_string (&call[0]);
  entry->title = fore_json_slice_dup_string (&call[1]);
  entry->name = fore_json_slice_dup_string (&call[fore_json_slice_exists (&call[4]) ? 4 : 2]);
  entry->input = fore_json_slice_dup_json (&call[3]);
  entry->text = fore_acp_dup_content (&values[0]);
  entry->options = read_options (&values[1], &permission->option_ids);

  permission->request = request;
  permission->entry = entry;
  g_hash_table_replace (self->permissions, entry->id, permission);
  fore_acp_end_block (self);
  fore_decoder_emit (&self->parent, entry);
}

/* Takes a permission off the list of those that wait, and shows how it ended. */
static void
close_permission (AcpDecoder *self, AcpPermission *permission, const char *answer)
{
  permission->entry->state = answer != NULL ? FORE_ENTRY_DONE : FORE_ENTRY_FAILED;
  g_free (permission->entry->text);
  permission->entry->text = g_strdup (answer != NULL ? answer : _ ("withdrawn"));
  fore_decoder_queue (&self->parent, permission->entry);
  g_hash_table_remove (self->permissions, permission->entry->id);
}

static gboolean
answer_permission (AcpDecoder *self, const char *id, const char *option)
{
  AcpPermission *permission = id != NULL ? g_hash_table_lookup (self->permissions, id) : NULL;

  if (permission == NULL)
    return FALSE;

  for (guint i = 0; option != NULL && i < permission->entry->options->len; i++)
    {
      const ForeRequestOption *known = g_ptr_array_index (permission->entry->options, i);

      if (strcmp (known->id, option) == 0)
        {
          g_autofree char *result = g_strdup_printf (
              "{\"outcome\":{\"outcome\":\"selected\",\"optionId\":%s}}",
              permission->option_ids[i]);

          send_reply (self, permission->request, "result", result);
          close_permission (self, permission, known->name);
          return TRUE;
        }
    }

  return FALSE;
}

static void
cancel_permissions (AcpDecoder *self)
{
  g_autoptr (GList) permissions = g_hash_table_get_values (self->permissions);

  for (GList *l = permissions; l != NULL; l = l->next)
    {
      AcpPermission *permission = l->data;

      send_reply (self, permission->request, "result", "{\"outcome\":{\"outcome\":\"cancelled\"}}");
      close_permission (self, permission, NULL);
    }
}

/* The agent takes back a request of its own: it is not answered any more. */
static void
on_cancel_request (AcpDecoder *self, const ForeJsonSlice *params)
{
  ForeJsonSlice request;
  g_autofree char *json = NULL;
  g_autofree char *id = NULL;
  AcpPermission *permission;

  fore_json_slice_get_member (params, "requestId", &request);
  json = fore_json_slice_dup_json (&request);
  if (json == NULL)
    return;

  id = g_strdup_printf ("permission-%s", json);
  permission = g_hash_table_lookup (self->permissions, id);
  if (permission == NULL)
    return;

  permission->entry->state = FORE_ENTRY_FAILED;
  g_free (permission->entry->text);
  permission->entry->text = g_strdup (_ ("withdrawn"));
  fore_decoder_emit (&self->parent, permission->entry);
  g_hash_table_remove (self->permissions, id);
}

/* Neither files nor terminals were offered, but some agents ask for them all the same and wait. */
static void
refuse_request (AcpDecoder *self, const ForeJsonSlice *line, const char *text, gsize length)
{
  g_autofree char *request = fore_json_slice_dup_json (&line[LINE_ID]);
  g_autofree char *method = fore_json_slice_dup_string (&line[LINE_METHOD]);

  if (self->speaking)
    send_reply (self, request, "error", "{\"code\":-32601,\"message\":\"Method not found\"}");
  fore_decoder_emit_raw (&self->parent, method, text, length, FALSE);
}

static void
on_message (AcpDecoder *self, const ForeJsonSlice *line, const char *text, gsize length)
{
  const ForeJsonSlice *method = &line[LINE_METHOD];
  gboolean has_id = line[LINE_ID].kind != FORE_JSON_END;
  g_autofree char *name = NULL;

  if (fore_json_slice_equals (method, "session/update"))
    fore_acp_on_update (self, &line[LINE_PARAMS], text, length);
  else if (fore_json_slice_equals (method, "session/request_permission") && has_id)
    on_permission (self, fore_json_slice_dup_json (&line[LINE_ID]), &line[LINE_PARAMS]);
  else if (fore_json_slice_equals (method, "$/cancel_request"))
    on_cancel_request (self, &line[LINE_PARAMS]);
  else if (method->kind == FORE_JSON_STRING && has_id)
    refuse_request (self, line, text, length);
  else if (method->kind == FORE_JSON_STRING)
    fore_decoder_emit_raw (&self->parent, name = fore_json_slice_dup_string (method), text, length,
                           FALSE);
  else if (fore_json_slice_exists (&line[LINE_ERROR]))
    on_error (self, &line[LINE_ERROR]);
  else if (line[LINE_RESULT].kind != FORE_JSON_END)
    on_result (self, &line[LINE_RESULT]);
  else
    fore_decoder_emit_raw (&self->parent, NULL, text, length, FALSE);
}

static void
acp_line (ForeDecoder *decoder, const char *line, gsize length, gboolean truncated)
{
  ForeJsonSlice values[N_LINE];

  ensure ((AcpDecoder *) decoder);
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
  cancel_permissions (self);
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

  ensure (self);
  if (!self->speaking)
    return FALSE;

  if (strcmp (kind, "answer") == 0)
    return answer_permission (self, id, text);

  if (strcmp (kind, "interrupt") == 0 || strcmp (kind, "end") == 0)
    return interrupt (self);

  if (text == NULL)
    return FALSE;

  /* The protocol has no way into a running turn: what is said waits for its end. */
  g_ptr_array_add (self->waiting, g_strdup (text));
  send_next_prompt (self);

  return TRUE;
}

static void
acp_finish (ForeDecoder *decoder)
{
  AcpDecoder *self = (AcpDecoder *) decoder;

  ensure (self);
  fore_acp_end_block (self);
}

static void
acp_clear (ForeDecoder *decoder)
{
  AcpDecoder *self = (AcpDecoder *) decoder;

  g_free (self->cwd);
  g_free (self->wanted);
  g_free (self->block_message);
  g_clear_pointer (&self->permissions, g_hash_table_unref);
  g_clear_pointer (&self->waiting, g_ptr_array_unref);
  if (self->block_text != NULL)
    g_string_free (self->block_text, TRUE);
}

const ForeDecoderClass fore_acp_decoder_class = {
  .instance_size = sizeof (AcpDecoder),
  .line = acp_line,
  .finish = acp_finish,
  .clear = acp_clear,
  .begin = acp_begin,
  .say = acp_say,
};
