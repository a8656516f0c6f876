/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-error-text.h"
#include "agents/fore-pi-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_OPTIONS 100

static void
send_command (PiDecoder *self, const char *type, const char *members)
{
  g_autofree char *line = g_strdup_printf ("{\"id\":\"fore-%u\",\"type\":\"%s\"%s}",
                                           ++self->last_id, type, members);

  fore_decoder_send (&self->parent, line);
}

/* A prompt to a session at work is refused unless it says how it is to be taken; to one that is
 * not, it is a prompt like any other.
 */
static void
send_prompt (PiDecoder *self, const char *text, const char *behaviour)
{
  g_autofree char *quoted = fore_decoder_quote (text);
  g_autofree char *members = g_strdup_printf (",\"message\":%s,\"streamingBehavior\":\"%s\"",
                                              quoted, behaviour);

  fore_decoder_reopen (&self->parent);
  send_command (self, "prompt", members);
}

/* The session is not told here by itself, so it is asked for. */
void
fore_pi_begin (ForeDecoder *decoder, const ForeSessionStart *start)
{
  PiDecoder *self = (PiDecoder *) decoder;

  send_command (self, "get_state", "");
  if (start->session != NULL)
    fore_decoder_note_taken_up (decoder);
  send_prompt (self, fore_decoder_choose_prompt (start), "followUp");
}

static void
on_state (PiDecoder *self, const ForeJsonSlice *data)
{
  static const char *const names[] = { "sessionId", "model" };
  ForeJsonSlice values[G_N_ELEMENTS (names)], id;
  ForeEntry entry = FORE_ENTRY_INIT (FORE_ENTRY_SESSION);

  fore_json_slice_get_members (data, names, G_N_ELEMENTS (names), values);
  if (values[0].kind != FORE_JSON_STRING)
    return;

  fore_json_slice_get_member (&values[1], "id", &id);
  fore_decoder_take_session (&self->parent, fore_json_slice_dup_string (&values[0]));
  fore_decoder_take_model (&self->parent, fore_json_slice_dup_string (&id));
  entry.id = (char *) "session";
  entry.name = (char *) "pi";
  entry.title = self->parent.summary.session;
  fore_decoder_emit (&self->parent, &entry);
}

static void
on_response (PiDecoder *self, const ForeJsonSlice *line)
{
  g_autofree char *message = NULL;

  if (fore_json_slice_get_bool (&line[LINE_SUCCESS], FALSE))
    {
      if (fore_json_slice_equals (&line[LINE_COMMAND], "get_state"))
        on_state (self, &line[LINE_DATA]);
      return;
    }

  message = fore_json_slice_dup_string (&line[LINE_FAILURE]);
  if (!fore_json_slice_equals (&line[LINE_COMMAND], "prompt") || self->parent.summary.turns > 0)
    {
      fore_decoder_emit_notice (&self->parent, NULL, "refused", _ ("Was not done"), message);
      return;
    }

  fore_decoder_emit_error (&self->parent, fore_error_text_classify (message, 0), message);
  fore_decoder_fail (&self->parent, self->parent.summary.cause, NULL);
  fore_decoder_emit_result (&self->parent);
}

static char *
make_reply (const char *request, const char *member, const char *value)
{
  return g_strdup_printf ("{\"type\":\"extension_ui_response\",\"id\":%s,\"%s\":%s}", request,
                          member, value);
}

static void
add_option (ForeEntry *entry,
            GStrvBuilder *replies,
            const char *id,
            const char *name,
            const char *kind,
            char *reply)
{
  g_autofree char *owned = reply;

  g_ptr_array_add (entry->options, fore_request_option_new (id, name, kind));
  g_strv_builder_add (replies, reply);
}

static void
add_choices (ForeEntry *entry,
             GStrvBuilder *replies,
             const char *request,
             const ForeJsonSlice *options)
{
  ForeJsonSlice option;
  ForeJsonSliceIter iter;

  fore_json_slice_iter_init (&iter, options);
  while (fore_json_slice_iter_next (&iter, NULL, &option) && entry->options->len < MAX_OPTIONS)
    {
      g_autofree char *name = fore_json_slice_dup_string (&option);
      g_autofree char *json = fore_json_slice_dup_json (&option);
      g_autofree char *id = g_strdup_printf ("choice-%u", entry->options->len + 1);

      if (name != NULL)
        add_option (entry, replies, id, name, "allow_once", make_reply (request, "value", json));
    }
}

/* pi asks for no permissions, but its extensions may ask anything. */
static void
on_question (PiDecoder *self, const ForeJsonSlice *line)
{
  const ForeJsonSlice *method = &line[LINE_METHOD];
  g_autofree char *request = fore_json_slice_dup_json (&line[LINE_ID]);
  g_autoptr (GStrvBuilder) replies = g_strv_builder_new ();
  ForeEntry *entry = fore_entry_new (FORE_ENTRY_PERMISSION, NULL);
  char *refusal = make_reply (request, "cancelled", "true");

  entry->id = g_strdup_printf ("permission-%s", request);
  entry->name = fore_json_slice_dup_string (method);
  entry->title = fore_json_slice_dup_string (&line[LINE_TITLE]);
  entry->text = fore_json_slice_dup_string (&line[LINE_MESSAGE]);
  entry->options = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_request_option_free);
  if (fore_json_slice_equals (method, "select"))
    {
      add_choices (entry, replies, request, &line[LINE_OPTIONS]);
    }
  else if (fore_json_slice_equals (method, "confirm"))
    {
      add_option (entry, replies, "yes", _ ("Yes"), "allow_once",
                  make_reply (request, "confirmed", "true"));
      add_option (entry, replies, "no", _ ("No"), "reject_once",
                  make_reply (request, "confirmed", "false"));
    }
  else
    {
      fore_decoder_ask_words (
          &self->parent, entry,
          g_strdup_printf ("{\"type\":\"extension_ui_response\",\"id\":%s,\"value\":", request),
          g_strdup ("}"), refusal);
      return;
    }

  fore_decoder_ask (&self->parent, entry, g_strv_builder_end (replies), refusal);
}

static gboolean
wants_answer (const ForeJsonSlice *method)
{
  return fore_json_slice_equals (method, "select") || fore_json_slice_equals (method, "confirm")
         || fore_json_slice_equals (method, "input") || fore_json_slice_equals (method, "editor");
}

/* What an extension only shows: a notice, a title, a state. */
static void
on_shown (PiDecoder *self, const ForeJsonSlice *line)
{
  g_autofree char *method = fore_json_slice_dup_string (&line[LINE_METHOD]);
  g_autofree char *text = fore_json_slice_dup_string (&line[LINE_MESSAGE]);

  if (text != NULL)
    fore_decoder_emit_notice (&self->parent, NULL, method, NULL, text);
}

/* Returns whether it was something that only comes in rpc mode. */
gboolean
fore_pi_on_answer (PiDecoder *self, const ForeJsonSlice *line)
{
  if (fore_json_slice_equals (&line[LINE_TYPE], "response"))
    on_response (self, line);
  else if (!fore_json_slice_equals (&line[LINE_TYPE], "extension_ui_request"))
    return FALSE;
  else if (wants_answer (&line[LINE_METHOD]) && line[LINE_ID].kind != FORE_JSON_END)
    on_question (self, line);
  else
    on_shown (self, line);

  return TRUE;
}

/* Its models are changed at the start only: a command for it would write the person's settings. */
gboolean
fore_pi_say (ForeDecoder *decoder, const char *kind, const char *id, const char *text)
{
  PiDecoder *self = (PiDecoder *) decoder;

  if (strcmp (kind, "answer") == 0)
    return fore_decoder_answer (decoder, id, text);

  if (strcmp (kind, "interrupt") == 0 || strcmp (kind, "end") == 0)
    {
      fore_decoder_refuse_all (decoder);
      if (decoder->summary.settled)
        return FALSE;
      send_command (self, "abort", "");
      return TRUE;
    }

  if (text == NULL || strcmp (kind, "mode") == 0 || strcmp (kind, "model") == 0)
    return FALSE;

  send_prompt (self, text, strcmp (kind, "steer") == 0 ? "steer" : "followUp");

  return TRUE;
}
