/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-acp-private.h"

#include "agents/fore-adapter-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* How a session is opened, set and spoken to. The protocol is the version 1 of
 * https://agentclientprotocol.com (initialization, session-setup, session-modes and
 * session-config-options).
 */
#define VERSION 1
#define MAX_CHOICES 500

void
fore_acp_ensure (AcpDecoder *self)
{
  if (self->waiting != NULL)
    return;

  self->waiting = g_ptr_array_new_with_free_func (g_free);
  self->block_text = g_string_new (NULL);
}

void
fore_acp_send_request (AcpDecoder *self, const char *method, char *params)
{
  g_autofree char *owned = params;
  g_autofree char *line = g_strdup_printf (
      "{\"jsonrpc\":\"2.0\",\"id\":%u,\"method\":\"%s\",\"params\":%s}", ++self->last_id, method,
      params);

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
  fore_acp_send_request (
      self, "session/prompt",
      g_strdup_printf ("{\"sessionId\":%s,\"prompt\":[{\"type\":\"text\",\"text\":%s}]}", session,
                       quoted));
}

/* Sends the oldest of what waits for the agent's turn to end. */
gboolean
fore_acp_send_next_prompt (AcpDecoder *self)
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
  fore_acp_send_request (
      self, "initialize",
      g_strdup ("{\"protocolVersion\":1,\"clientCapabilities\":{\"fs\":{\"readTextFile\":"
                "false,\"writeTextFile\":false},\"terminal\":false},\"clientInfo\":{"
                "\"name\":\"foredeck\",\"version\":\"" FORE_VERSION "\"}}"));
}

/* https://agentclientprotocol.com/protocol/session-setup#mcp-servers */
static char *
dup_servers (const char *const *mcp)
{
  g_autofree char *command = NULL;
  g_autofree char *words = NULL;

  if (mcp == NULL)
    return g_strdup ("[]");

  command = fore_decoder_quote (mcp[0]);
  words = fore_argv_dup_json (mcp + 1);
  return g_strdup_printf ("[{\"name\":\"foredeck\",\"command\":%s,\"args\":%s,\"env\":[]}]",
                          command, words);
}

static void
send_open (AcpDecoder *self)
{
  g_autofree char *cwd = fore_decoder_quote (self->cwd);
  g_autofree char *session = NULL;

  self->stage = ACP_OPENING;
  if (self->wanted == NULL)
    {
      fore_acp_send_request (
          self, "session/new",
          g_strdup_printf ("{\"cwd\":%s,\"mcpServers\":%s}", cwd, self->servers));
      return;
    }

  session = fore_decoder_quote (self->wanted);
  fore_acp_send_request (self, self->can_resume ? "session/resume" : "session/load",
                         g_strdup_printf ("{\"sessionId\":%s,\"cwd\":%s,\"mcpServers\":%s}",
                                          session, cwd, self->servers));
}

/* Another session than the one that was to be taken up. */
void
fore_acp_begin_anew (AcpDecoder *self, const char *reason)
{
  g_clear_pointer (&self->wanted, g_free);
  fore_decoder_note_begun_anew (&self->parent, reason);
  send_open (self);
}

void
fore_acp_begin (ForeDecoder *decoder, const ForeSessionStart *start)
{
  AcpDecoder *self = (AcpDecoder *) decoder;

  fore_acp_ensure (self);
  self->cwd = g_strdup (start->cwd);
  self->servers = dup_servers (start->mcp);
  self->wanted = g_strdup (start->session);
  self->again = g_strdup (start->again);
  self->model = g_strdup (start->model);
  g_ptr_array_add (self->waiting, g_strdup (start->prompt));
  send_initialize (self);
}

static void
refuse_version (AcpDecoder *self, gint64 version)
{
  g_autofree char *message = g_strdup_printf (
      _ ("The agent speaks version %d of the Agent Client Protocol and Foredeck version %d; use "
         "another release of it."),
      (int) CLAMP (version, 0, G_MAXINT), VERSION);

  fore_decoder_emit_error (&self->parent, FORE_CAUSE_ERROR, message);
  fore_decoder_fail (&self->parent, FORE_CAUSE_ERROR, NULL);
  fore_decoder_emit_result (&self->parent);
}

void
fore_acp_on_initialized (AcpDecoder *self, const ForeJsonSlice *result)
{
  static const char *const names[] = { "protocolVersion", "agentCapabilities" };
  ForeJsonSlice values[G_N_ELEMENTS (names)], load, sessions, resume;
  gint64 version;

  fore_json_slice_get_members (result, names, G_N_ELEMENTS (names), values);
  version = fore_json_slice_get_int (&values[0], VERSION);
  if (version != VERSION)
    {
      refuse_version (self, version);
      return;
    }

  fore_json_slice_get_member (&values[1], "loadSession", &load);
  fore_json_slice_get_member (&values[1], "sessionCapabilities", &sessions);
  fore_json_slice_get_member (&sessions, "resume", &resume);
  self->can_load = fore_json_slice_get_bool (&load, FALSE);
  self->can_resume = resume.kind == FORE_JSON_OBJECT_START;
  if (!self->parent.speaking || self->stage != ACP_INITIALIZING)
    self->stage = ACP_OPENING;
  else if (self->wanted != NULL && !self->can_load && !self->can_resume)
    fore_acp_begin_anew (self, _ ("The agent cannot load sessions."));
  else
    send_open (self);
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

/* The elements of an array that can be chosen, by the names of their id and name. */
static void
read_choices (GPtrArray *choices, const ForeJsonSlice *array, const char *id_name)
{
  const char *const names[] = { id_name, "name" };
  ForeJsonSlice choice, values[G_N_ELEMENTS (names)];
  ForeJsonSliceIter iter;

  g_ptr_array_set_size (choices, 0);
  fore_json_slice_iter_init (&iter, array);
  while (fore_json_slice_iter_next (&iter, NULL, &choice) && choices->len < MAX_CHOICES)
    {
      g_autofree char *id = NULL;
      g_autofree char *name = NULL;

      fore_json_slice_get_members (&choice, names, G_N_ELEMENTS (names), values);
      id = fore_json_slice_dup_string (&values[0]);
      name = fore_json_slice_dup_string (&values[1]);
      if (id != NULL)
        g_ptr_array_add (choices, fore_request_option_new (id, name != NULL ? name : id, NULL));
    }
}

static void
take_string (char **field, const ForeJsonSlice *value)
{
  if (value->kind != FORE_JSON_STRING)
    return;

  g_free (*field);
  *field = fore_json_slice_dup_string (value);
}

/* Options of a session replace the older lists of modes and models where an agent has both. */
void
fore_acp_take_options (AcpDecoder *self, const ForeJsonSlice *options)
{
  static const char *const names[] = { "id", "category", "currentValue", "options" };
  ForeJsonSlice option, values[G_N_ELEMENTS (names)];
  ForeJsonSliceIter iter;
  ForeSummary *summary = &self->parent.summary;

  fore_json_slice_iter_init (&iter, options);
  while (fore_json_slice_iter_next (&iter, NULL, &option))
    {
      fore_json_slice_get_members (&option, names, G_N_ELEMENTS (names), values);
      if (fore_json_slice_equals (&values[1], "mode"))
        {
          take_string (&self->mode_option, &values[0]);
          take_string (&summary->mode, &values[2]);
          read_choices (summary->modes, &values[3], "value");
        }
      else if (fore_json_slice_equals (&values[1], "model"))
        {
          take_string (&self->model_option, &values[0]);
          fore_decoder_take_model (&self->parent, fore_json_slice_dup_string (&values[2]));
          read_choices (summary->models, &values[3], "value");
        }
    }
}

static void
take_offers (AcpDecoder *self, const ForeJsonSlice *result)
{
  static const char *const names[] = { "modes", "models", "configOptions" };
  static const char *const mode_names[] = { "currentModeId", "availableModes" };
  static const char *const model_names[] = { "currentModelId", "availableModels" };
  ForeJsonSlice values[G_N_ELEMENTS (names)], modes[2], models[2];
  ForeSummary *summary = &self->parent.summary;

  fore_json_slice_get_members (result, names, G_N_ELEMENTS (names), values);
  fore_json_slice_get_members (&values[0], mode_names, 2, modes);
  fore_json_slice_get_members (&values[1], model_names, 2, models);
  if (fore_json_slice_exists (&modes[1]))
    read_choices (summary->modes, &modes[1], "id");
  if (fore_json_slice_exists (&models[1]))
    read_choices (summary->models, &models[1], "modelId");
  take_string (&summary->mode, &modes[0]);
  fore_decoder_take_model (&self->parent, fore_json_slice_dup_string (&models[0]));
  fore_acp_take_options (self, &values[2]);
}

static gboolean
is_offered (GPtrArray *choices, const char *id)
{
  for (guint i = 0; i < choices->len; i++)
    {
      const ForeRequestOption *choice = g_ptr_array_index (choices, i);

      if (strcmp (choice->id, id) == 0)
        return TRUE;
    }

  return FALSE;
}

/* Changes the mode or the model, if the agent offers that one. */
gboolean
fore_acp_set (AcpDecoder *self, const char *what, const char *value)
{
  gboolean mode = strcmp (what, "mode") == 0;
  const char *option = mode ? self->mode_option : self->model_option;
  ForeSummary *summary = &self->parent.summary;
  g_autofree char *session = NULL;
  g_autofree char *quoted = NULL;
  g_autofree char *config = NULL;
  g_autofree char *line = NULL;

  if (summary->session == NULL || !is_offered (mode ? summary->modes : summary->models, value))
    return FALSE;

  session = fore_decoder_quote (summary->session);
  quoted = fore_decoder_quote (value);
  config = option != NULL ? fore_decoder_quote (option) : NULL;
  if (config != NULL)
    line = g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"id\":\"" ACP_SETTING
                            "%u\",\"method\":\"session/set_config_option\",\"params\":{"
                            "\"sessionId\":%s,\"configId\":%s,\"value\":%s}}",
                            ++self->last_id, session, config, quoted);
  else
    line = g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"id\":\"" ACP_SETTING
                            "%u\",\"method\":\"session/set_%s\",\"params\":{\"sessionId\":%s,"
                            "\"%sId\":%s}}",
                            ++self->last_id, what, session, what, quoted);
  fore_decoder_send (&self->parent, line);

  return TRUE;
}

/* The agent knows its prompt already, and was told in that session what else it needs. */
static void
note_taken_up (AcpDecoder *self)
{
  fore_decoder_note_taken_up (&self->parent);
  if (self->again == NULL || self->waiting->len == 0)
    return;

  g_free (g_ptr_array_steal_index (self->waiting, 0));
  g_ptr_array_insert (self->waiting, 0, g_steal_pointer (&self->again));
}

/* A model that was asked for and is not there is no reason to work with another. */
static gboolean
set_wanted_model (AcpDecoder *self)
{
  g_autofree char *message = NULL;

  if (self->model == NULL || g_strcmp0 (self->model, self->parent.summary.model) == 0
      || fore_acp_set (self, "model", self->model))
    return TRUE;

  message = g_strdup_printf (_ ("The agent does not offer the model “%s”; choose another."),
                             self->model);
  fore_decoder_emit_error (&self->parent, FORE_CAUSE_BAD_MODEL, message);
  fore_decoder_fail (&self->parent, FORE_CAUSE_BAD_MODEL, NULL);
  fore_decoder_emit_result (&self->parent);

  return FALSE;
}

void
fore_acp_on_opened (AcpDecoder *self, const ForeJsonSlice *result, char *session)
{
  fore_decoder_take_session (&self->parent, session);
  take_offers (self, result);
  emit_session (self);
  if (!self->parent.speaking)
    {
      self->stage = ACP_PROMPTING;
      return;
    }
  if (self->stage != ACP_OPENING)
    return;

  self->stage = ACP_READY;
  if (self->wanted != NULL)
    note_taken_up (self);
  if (set_wanted_model (self))
    fore_acp_send_next_prompt (self);
}
