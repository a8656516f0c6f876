/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-adapter-private.h"
#include "agents/fore-codex-live-private.h"

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
ensure (CodexLive *self)
{
  if (self->waiting != NULL)
    return;

  self->waiting = g_ptr_array_new_with_free_func (g_free);
  self->early = g_ptr_array_new_with_free_func (g_free);
  self->texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->helpers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

static void
send_request (CodexLive *self, const char *method, char *params)
{
  g_autofree char *owned = params;
  g_autofree char *line = g_strdup_printf ("{\"id\":%u,\"method\":\"%s\",\"params\":%s}",
                                           ++self->last_id, method, params);

  fore_decoder_send (&self->parent, line);
}

/* A string as a member with a comma before it, or nothing. */
static char *
optional_member (const char *name, const char *value)
{
  g_autofree char *quoted = NULL;

  if (value == NULL)
    return g_strdup ("");

  quoted = fore_decoder_quote (value);

  return g_strdup_printf (",\"%s\":%s", name, quoted);
}

static void
send_turn (CodexLive *self, const char *text)
{
  g_autofree char *thread = fore_decoder_quote (self->parent.summary.session);
  g_autofree char *quoted = fore_decoder_quote (text);
  g_autofree char *model = optional_member ("model", self->model);
  g_autofree char *effort = optional_member ("effort", self->effort);

  self->stage = CODEX_TURN;
  self->interrupt_wanted = FALSE;
  g_clear_pointer (&self->turn, g_free);
  fore_decoder_reopen (&self->parent);
  send_request (self, "turn/start",
                g_strdup_printf ("{\"threadId\":%s,\"input\":[{\"type\":\"text\",\"text\":%s,"
                                 "\"text_elements\":[]}]%s%s}",
                                 thread, quoted, model, effort));
}

gboolean
fore_codex_live_send_next (CodexLive *self)
{
  g_autofree char *text = NULL;

  /* The turn that it was for is over. */
  while (self->stage == CODEX_READY && self->early->len > 0)
    g_ptr_array_add (self->waiting, g_ptr_array_steal_index (self->early, 0));
  if (!self->parent.speaking || self->waiting->len == 0 || self->stage != CODEX_READY)
    return FALSE;

  text = g_ptr_array_steal_index (self->waiting, 0);
  send_turn (self, text);

  return TRUE;
}

static void
send_open (CodexLive *self)
{
  g_autofree char *cwd = fore_decoder_quote (self->cwd);
  g_autofree char *model = optional_member ("model", self->model);
  g_autofree char *thread = optional_member ("threadId", self->wanted);

  self->stage = CODEX_OPENING;
  send_request (self, self->wanted != NULL ? "thread/resume" : "thread/start",
                g_strdup_printf ("{\"cwd\":%s,\"approvalPolicy\":\"%s\",\"sandbox\":\"%s\"%s%s}",
                                 cwd, self->read_only ? "never" : "untrusted",
                                 self->read_only ? "read-only" : "workspace-write", model, thread));
}

static void
codex_begin (ForeDecoder *decoder, const ForeSessionStart *start)
{
  CodexLive *self = (CodexLive *) decoder;

  ensure (self);
  self->cwd = g_strdup (start->cwd);
  self->wanted = g_strdup (start->session);
  self->again = g_strdup (start->again);
  self->model = g_strdup (start->model);
  self->effort = g_strdup (start->thinking);
  self->read_only = start->read_only;
  g_ptr_array_add (self->waiting, g_strdup (start->prompt));
  self->stage = CODEX_INITIALIZING;
  send_request (self, "initialize",
                g_strdup ("{\"clientInfo\":{\"name\":\"foredeck\",\"title\":\"Foredeck\","
                          "\"version\":\"" FORE_VERSION "\"}}"));
}

static void
on_thread (CodexLive *self, const ForeJsonSlice *thread)
{
  static const char *const names[] = { "id", "cwd" };
  ForeJsonSlice values[G_N_ELEMENTS (names)];
  ForeEntry entry = FORE_ENTRY_INIT (FORE_ENTRY_SESSION);
  g_autofree char *cwd = NULL;

  fore_json_slice_get_members (thread, names, G_N_ELEMENTS (names), values);
  if (values[0].kind != FORE_JSON_STRING)
    return;

  fore_decoder_take_session (&self->parent, fore_json_slice_dup_string (&values[0]));
  cwd = fore_json_slice_dup_string (&values[1]);
  entry.id = (char *) "session";
  entry.name = (char *) "codex";
  entry.title = self->parent.summary.session;
  entry.text = cwd;
  fore_decoder_emit (&self->parent, &entry);
}

/* Into the running turn; it is heard after the command that runs. */
static void
steer (CodexLive *self, const char *text)
{
  g_autofree char *thread = fore_decoder_quote (self->parent.summary.session);
  g_autofree char *turn = fore_decoder_quote (self->turn);
  g_autofree char *quoted = fore_decoder_quote (text);

  send_request (self, "turn/steer",
                g_strdup_printf ("{\"threadId\":%s,\"expectedTurnId\":%s,\"input\":[{\"type\":"
                                 "\"text\",\"text\":%s,\"text_elements\":[]}]}",
                                 thread, turn, quoted));
}

void
fore_codex_live_note_turn (CodexLive *self, const ForeJsonSlice *turn)
{
  ForeJsonSlice id;

  fore_json_slice_get_member (turn, "id", &id);
  if (id.kind != FORE_JSON_STRING)
    return;

  self->stage = CODEX_TURN;
  g_free (self->turn);
  self->turn = fore_json_slice_dup_string (&id);
  for (guint i = 0; i < self->early->len; i++)
    steer (self, g_ptr_array_index (self->early, i));
  g_ptr_array_set_size (self->early, 0);
}

static void
send_interrupt (CodexLive *self)
{
  g_autofree char *thread = fore_decoder_quote (self->parent.summary.session);
  g_autofree char *turn = fore_decoder_quote (self->turn);

  self->interrupt_wanted = FALSE;
  send_request (self, "turn/interrupt",
                g_strdup_printf ("{\"threadId\":%s,\"turnId\":%s}", thread, turn));
}

/* The agent knows its prompt already, and was told in that thread what else it needs. */
static void
note_taken_up (CodexLive *self)
{
  fore_decoder_note_taken_up (&self->parent);
  g_clear_pointer (&self->wanted, g_free);
  if (self->again == NULL || self->waiting->len == 0)
    return;

  g_free (g_ptr_array_steal_index (self->waiting, 0));
  g_ptr_array_insert (self->waiting, 0, g_steal_pointer (&self->again));
}

static void
on_result (CodexLive *self, const ForeJsonSlice *result)
{
  static const char *const names[] = { "thread", "turn", "userAgent", "model" };
  ForeJsonSlice values[G_N_ELEMENTS (names)];

  fore_json_slice_get_members (result, names, G_N_ELEMENTS (names), values);
  if (fore_json_slice_exists (&values[0]))
    {
      on_thread (self, &values[0]);
      fore_decoder_take_model (&self->parent, fore_json_slice_dup_string (&values[3]));
      if (self->stage == CODEX_OPENING && self->wanted != NULL)
        note_taken_up (self);
      if (self->stage == CODEX_OPENING || self->stage == CODEX_INITIALIZING)
        self->stage = CODEX_READY;
      fore_codex_live_send_next (self);
    }
  else if (fore_json_slice_exists (&values[1]))
    {
      fore_codex_live_note_turn (self, &values[1]);
      if (self->interrupt_wanted && self->parent.speaking && self->turn != NULL)
        send_interrupt (self);
    }
  else if (fore_json_slice_exists (&values[2]) && self->stage == CODEX_INITIALIZING
           && self->parent.speaking)
    {
      fore_decoder_send (&self->parent, "{\"method\":\"initialized\"}");
      send_open (self);
    }
}

/* What else it asks for was not offered; it does not wait for an answer then. */
static void
refuse_request (CodexLive *self, const ForeJsonSlice *line, const char *text, gsize length)
{
  g_autofree char *id = fore_json_slice_dup_json (&line[LINE_ID]);
  g_autofree char *method = fore_json_slice_dup_string (&line[LINE_METHOD]);
  g_autofree char *reply = g_strdup_printf (
      "{\"id\":%s,\"error\":{\"code\":-32601,\"message\":\"Method not found\"}}", id);

  if (self->parent.speaking)
    fore_decoder_send (&self->parent, reply);
  fore_decoder_emit_raw (&self->parent, method, text, length, FALSE);
}

/* An answer that is an error ends the work, unless it is to something said along the way. */
static void
on_error (CodexLive *self, const ForeJsonSlice *error)
{
  static const char *const names[] = { "code", "message" };
  ForeJsonSlice values[G_N_ELEMENTS (names)];
  g_autofree char *message = NULL;
  ForeCause cause;

  fore_json_slice_get_members (error, names, G_N_ELEMENTS (names), values);
  message = fore_json_slice_dup_string (&values[1]);
  cause = fore_codex_classify (message);
  if (self->stage == CODEX_OPENING && self->wanted != NULL)
    {
      g_clear_pointer (&self->wanted, g_free);
      fore_decoder_note_begun_anew (&self->parent, message);
      send_open (self);
      return;
    }
  if (self->parent.summary.settled || (self->stage == CODEX_TURN && self->turn != NULL))
    {
      fore_decoder_emit_notice (&self->parent, NULL, "refused", _ ("Was not done"), message);
      return;
    }

  fore_decoder_emit_error (&self->parent, cause, message);
  self->stage = CODEX_READY;
  fore_decoder_fail (&self->parent, cause, NULL);
  fore_decoder_emit_result (&self->parent);
}

static void
on_message (CodexLive *self, const ForeJsonSlice *line, const char *text, gsize length)
{
  const ForeJsonSlice *method = &line[LINE_METHOD];
  gboolean has_id = line[LINE_ID].kind != FORE_JSON_END;

  if (fore_json_slice_equals (method, "item/commandExecution/requestApproval")
      || fore_json_slice_equals (method, "item/fileChange/requestApproval"))
    fore_codex_on_approval (&self->parent, &line[LINE_ID], &line[LINE_PARAMS]);
  else if (method->kind == FORE_JSON_STRING && has_id)
    refuse_request (self, line, text, length);
  else if (method->kind == FORE_JSON_STRING)
    fore_codex_live_on_notification (self, method, &line[LINE_PARAMS], text, length);
  else if (fore_json_slice_exists (&line[LINE_ERROR]))
    on_error (self, &line[LINE_ERROR]);
  else if (line[LINE_RESULT].kind != FORE_JSON_END)
    on_result (self, &line[LINE_RESULT]);
  else
    fore_decoder_emit_raw (&self->parent, NULL, text, length, FALSE);
}

static void
codex_live_line (ForeDecoder *decoder, const char *line, gsize length, gboolean truncated)
{
  ForeJsonSlice values[N_LINE];

  ensure ((CodexLive *) decoder);
  if (!truncated && fore_decoder_read_line (decoder, line, length, line_names, N_LINE, values))
    on_message ((CodexLive *) decoder, values, line, length);
  else
    fore_decoder_emit_raw (decoder, NULL, line, length, truncated);
}

static gboolean
interrupt (CodexLive *self)
{
  g_ptr_array_set_size (self->waiting, 0);
  g_ptr_array_set_size (self->early, 0);
  fore_decoder_refuse_all (&self->parent);
  if (self->stage != CODEX_TURN)
    return FALSE;

  if (self->turn != NULL)
    send_interrupt (self);
  else
    self->interrupt_wanted = TRUE;

  return TRUE;
}

static gboolean
codex_say (ForeDecoder *decoder, const char *kind, const char *id, const char *text)
{
  CodexLive *self = (CodexLive *) decoder;

  if (strcmp (kind, "answer") == 0)
    return fore_decoder_answer (decoder, id, text);

  if (strcmp (kind, "interrupt") == 0 || strcmp (kind, "end") == 0)
    return interrupt (self);

  if (text == NULL || strcmp (kind, "mode") == 0)
    return FALSE;

  if (strcmp (kind, "model") == 0)
    {
      g_free (self->model);
      self->model = g_strdup (text);
    }
  else if (strcmp (kind, "steer") == 0 && self->stage == CODEX_TURN && self->turn != NULL)
    {
      steer (self, text);
    }
  else if (strcmp (kind, "steer") == 0 && self->stage == CODEX_TURN)
    {
      g_ptr_array_add (self->early, g_strdup (text));
    }
  else
    {
      g_ptr_array_add (self->waiting, g_strdup (text));
      fore_codex_live_send_next (self);
    }

  return TRUE;
}

static void
codex_live_finish (ForeDecoder *decoder)
{
  ensure ((CodexLive *) decoder);
  fore_codex_live_finish_turn ((CodexLive *) decoder);
}

static void
codex_live_clear (ForeDecoder *decoder)
{
  CodexLive *self = (CodexLive *) decoder;

  g_free (self->cwd);
  g_free (self->wanted);
  g_free (self->again);
  g_free (self->model);
  g_free (self->effort);
  g_free (self->turn);
  g_clear_pointer (&self->waiting, g_ptr_array_unref);
  g_clear_pointer (&self->early, g_ptr_array_unref);
  g_clear_pointer (&self->texts, g_hash_table_unref);
  g_clear_pointer (&self->helpers, g_hash_table_unref);
}

const ForeDecoderClass fore_codex_live_class = {
  .instance_size = sizeof (CodexLive),
  .line = codex_live_line,
  .finish = codex_live_finish,
  .clear = codex_live_clear,
  .begin = codex_begin,
  .say = codex_say,
};
