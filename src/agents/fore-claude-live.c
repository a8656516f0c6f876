/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-claude-private.h"
#include "text/fore-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_SUGGESTIONS 20

/* Claude Code with --input-format stream-json: messages and control requests go in, a request
 * can_use_tool comes out for what nobody has allowed yet, and is taken back when a turn is
 * interrupted. A message that it hears it says again (--replay-user-messages); one that comes too
 * late for a turn gets a turn of its own.
 */
static void
send_control (ClaudeDecoder *self, const char *request)
{
  g_autofree char *line = g_strdup_printf (
      "{\"type\":\"control_request\",\"request_id\":\"fore-%u\",\"request\":%s}", ++self->last_id,
      request);

  fore_decoder_send (&self->parent, line);
}

/* The program hears a message once for each id, also over several processes of a session. */
static void
send_message (ClaudeDecoder *self, const char *text)
{
  g_autofree char *quoted = fore_decoder_quote (text);
  g_autofree char *uuid = g_uuid_string_random ();
  g_autofree char *line = g_strdup_printf (
      "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":%"
      "s}]"
      "},\"parent_tool_use_id\":null,\"session_id\":\"\",\"uuid\":\"%s\"}",
      quoted, uuid);

  self->said++;
  fore_decoder_reopen (&self->parent);
  fore_decoder_send (&self->parent, line);
}

void
fore_claude_begin (ForeDecoder *decoder, const ForeSessionStart *start)
{
  ClaudeDecoder *self = (ClaudeDecoder *) decoder;

  send_control (self, "{\"subtype\":\"initialize\",\"hooks\":null}");
  if (start->session != NULL)
    fore_decoder_note_taken_up (decoder);
  send_message (self, fore_decoder_choose_prompt (start));
}

/* A rule as a person would write it: “Bash(git status)”. */
static void
add_rules (GString *text, const ForeJsonSlice *rules)
{
  static const char *const names[] = { "toolName", "ruleContent" };
  ForeJsonSlice rule, values[G_N_ELEMENTS (names)];
  ForeJsonSliceIter iter;
  const char *separator = "";

  fore_json_slice_iter_init (&iter, rules);
  while (fore_json_slice_iter_next (&iter, NULL, &rule))
    {
      g_autofree char *tool = NULL;
      g_autofree char *content = NULL;

      fore_json_slice_get_members (&rule, names, G_N_ELEMENTS (names), values);
      tool = fore_json_slice_dup_string (&values[0]);
      content = fore_json_slice_dup_string (&values[1]);
      g_string_append_printf (text, "%s%s", separator, tool != NULL ? tool : "?");
      if (content != NULL)
        g_string_append_printf (text, "(%s)", content);
      separator = ", ";
    }
}

/* Where a rule is kept, as far as that is not only this session. */
static const char *
describe_destination (const ForeJsonSlice *destination)
{
  if (fore_json_slice_equals (destination, "session"))
    return _ ("in this session");
  if (fore_json_slice_equals (destination, "localSettings"))
    return _ ("in the local settings of this project");
  if (fore_json_slice_equals (destination, "projectSettings"))
    return _ ("in the settings of this project, for everybody");
  if (fore_json_slice_equals (destination, "userSettings"))
    return _ ("in all projects");

  return _ ("from now on");
}

/* What a suggestion changes, all of it: “always” has to say what. */
static char *
describe_suggestion (const ForeJsonSlice *suggestion)
{
  static const char *const names[] = { "type", "rules", "mode", "directories", "destination" };
  ForeJsonSlice values[G_N_ELEMENTS (names)];
  g_autoptr (GString) text = g_string_new (NULL);
  const char *where;

  fore_json_slice_get_members (suggestion, names, G_N_ELEMENTS (names), values);
  where = describe_destination (&values[4]);
  if (fore_json_slice_equals (&values[0], "addRules"))
    {
      add_rules (text, &values[1]);
      return g_strdup_printf (_ ("Always allow %s %s"), text->str, where);
    }
  if (fore_json_slice_equals (&values[0], "setMode"))
    {
      g_autofree char *mode = fore_json_slice_dup_string (&values[2]);

      return g_strdup_printf (_ ("Allow and change to the mode “%s” %s"), mode, where);
    }
  if (fore_json_slice_equals (&values[0], "addDirectories"))
    {
      g_autofree char *folders = fore_json_slice_dup_json (&values[3]);

      return g_strdup_printf (_ ("Always allow the folders %s %s"), folders, where);
    }

  return fore_json_slice_dup_json (suggestion);
}

typedef struct
{
  GPtrArray *options;
  GStrvBuilder *replies;
  const char *request;
} Offer;

static void
add_option (Offer *offer, const char *id, const char *name, const char *kind, const char *response)
{
  g_autofree char *line = g_strdup_printf (
      "{\"type\":\"control_response\",\"response\":{\"subtype\":\"success\",\"request_id\":%s,"
      "\"response\":%s}}",
      offer->request, response);

  g_ptr_array_add (offer->options, fore_request_option_new (id, name, kind));
  g_strv_builder_add (offer->replies, line);
}

static void
add_suggestions (Offer *offer, const ForeJsonSlice *suggestions, const char *input)
{
  ForeJsonSlice suggestion;
  ForeJsonSliceIter iter;
  guint n = 0;

  fore_json_slice_iter_init (&iter, suggestions);
  while (suggestions->kind == FORE_JSON_ARRAY_START && n < MAX_SUGGESTIONS
         && fore_json_slice_iter_next (&iter, NULL, &suggestion))
    {
      g_autofree char *id = g_strdup_printf ("allow-%u", ++n);
      g_autofree char *json = fore_json_slice_dup_json (&suggestion);
      g_autofree char *name = describe_suggestion (&suggestion);
      g_autofree char *response = g_strdup_printf (
          "{\"behavior\":\"allow\",\"updatedInput\":%s,\"updatedPermissions\":[%s]}", input, json);

      add_option (offer, id, name, "allow_always", response);
    }
}

/* One question with its answers. */
static gboolean
add_answers (Offer *offer, const ForeJsonSlice *input, const char *json, char **title)
{
  static const char *const names[] = { "question", "options" };
  ForeJsonSlice questions, question, values[G_N_ELEMENTS (names)], option, label;
  ForeJsonSliceIter iter;
  g_autofree char *text = NULL;

  fore_json_slice_get_member (input, "questions", &questions);
  fore_json_slice_iter_init (&iter, &questions);
  if (questions.kind != FORE_JSON_ARRAY_START
      || !fore_json_slice_iter_next (&iter, NULL, &question))
    return FALSE;

  fore_json_slice_get_members (&question, names, G_N_ELEMENTS (names), values);
  if (fore_json_slice_iter_next (&iter, NULL, &option))
    return FALSE;

  text = fore_json_slice_dup_json (&values[0]);
  *title = fore_json_slice_dup_string (&values[0]);
  fore_json_slice_iter_init (&iter, &values[1]);
  while (text != NULL && offer->options->len < MAX_SUGGESTIONS
         && fore_json_slice_iter_next (&iter, NULL, &option))
    {
      g_autofree char *answer = NULL;
      g_autofree char *name = NULL;
      g_autofree char *id = g_strdup_printf ("answer-%u", offer->options->len + 1);
      g_autofree char *response = NULL;

      fore_json_slice_get_member (&option, "label", &label);
      name = fore_json_slice_dup_string (&label);
      answer = fore_json_slice_dup_json (&label);
      if (name == NULL)
        continue;
      response = g_strdup_printf ("{\"behavior\":\"allow\",\"updatedInput\":{\"questions\":%.*s,"
                                  "\"answers\":{%s:%s}}}",
                                  (int) questions.length, questions.text, text, answer);
      add_option (offer, id, name, "allow_once", response);
    }

  return offer->options->len > 0;
}

/* In plan mode the program still asks before it writes, and expects to be refused. */
static gboolean
refuse_in_plan_mode (ClaudeDecoder *self, const ForeJsonSlice *tool, const char *request)
{
  static const char *const tools[] = { "Write", "Edit", "MultiEdit", "NotebookEdit" };

  if (!self->parent.speaking || g_strcmp0 (self->parent.summary.mode, "plan") != 0)
    return FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (tools); i++)
    {
      g_autofree char *line = NULL;

      if (!fore_json_slice_equals (tool, tools[i]))
        continue;
      line = g_strdup_printf (
          "{\"type\":\"control_response\",\"response\":{\"subtype\":\"success\",\"request_id\":%s,"
          "\"response\":{\"behavior\":\"deny\",\"message\":\"Plan mode: nothing is written.\"}}}",
          request);
      fore_decoder_send (&self->parent, line);
      return TRUE;
    }

  return FALSE;
}

static void
add_usual_options (Offer *offer, const ForeJsonSlice *suggestions, const char *input)
{
  g_autofree char *allow = g_strdup_printf ("{\"behavior\":\"allow\",\"updatedInput\":%s}", input);

  add_option (offer, "allow", _ ("Allow"), "allow_once", allow);
  add_suggestions (offer, suggestions, input);
}

static ForeEntry *
make_entry (const ForeJsonSlice *values, const char *request_id)
{
  ForeEntry *entry = fore_entry_new (FORE_ENTRY_PERMISSION, NULL);
  ForeJsonSlice plan;

  entry->id = g_strdup_printf ("permission-%s", request_id);
  entry->name = fore_json_slice_dup_string (&values[0]);
  entry->input = fore_json_slice_dup_json (&values[1]);
  entry->title = fore_decoder_describe_input (&values[1]);
  entry->text = fore_json_slice_dup_string (&values[2]);
  entry->parent = fore_json_slice_dup_string (&values[4]);
  fore_json_slice_get_member (&values[1], "plan", &plan);
  if (plan.kind == FORE_JSON_STRING)
    {
      g_free (entry->text);
      entry->text = fore_json_slice_dup_string (&plan);
    }

  return entry;
}

static void
on_can_use_tool (ClaudeDecoder *self, const ForeJsonSlice *line)
{
  static const char *const names[] = { "tool_name", "input", "description",
                                       "permission_suggestions", "tool_use_id" };
  static const char deny[]
      = "{\"behavior\":\"deny\",\"message\":\"The person who runs this does not allow it.\"}";
  static const char stop[]
      = "{\"behavior\":\"deny\",\"message\":\"The person who runs this does not "
        "allow it.\",\"interrupt\":true}";
  ForeJsonSlice values[G_N_ELEMENTS (names)];
  g_autofree char *request = fore_json_slice_dup_json (&line[LINE_REQUEST_ID]);
  g_autofree char *request_id = fore_json_slice_dup_string (&line[LINE_REQUEST_ID]);
  g_autoptr (GStrvBuilder) replies = g_strv_builder_new ();
  Offer offer = { NULL, replies, request };
  ForeEntry *entry;

  fore_json_slice_get_members (&line[LINE_REQUEST], names, G_N_ELEMENTS (names), values);
  if (request_id == NULL || refuse_in_plan_mode (self, &values[0], request))
    return;

  entry = make_entry (values, request_id);
  entry->options = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_request_option_free);
  offer.options = entry->options;
  if (!fore_json_slice_equals (&values[0], "AskUserQuestion")
      || !add_answers (&offer, &values[1], entry->input, &entry->title))
    add_usual_options (&offer, &values[3], entry->input != NULL ? entry->input : "{}");
  add_option (&offer, "deny", _ ("Deny"), "reject_once", deny);
  add_option (&offer, "stop", _ ("Deny and stop"), "reject_once", stop);

  fore_decoder_ask (&self->parent, entry, g_strv_builder_end (replies), NULL);
}

/* Whatever else it wants to know gets an error, so that it does not wait. */
static void
refuse_request (ClaudeDecoder *self, const ForeJsonSlice *line)
{
  g_autofree char *request = fore_json_slice_dup_json (&line[LINE_REQUEST_ID]);
  g_autofree char *reply = g_strdup_printf (
      "{\"type\":\"control_response\",\"response\":{\"subtype\":\"error\",\"request_id\":%s,"
      "\"error\":\"not supported\"}}",
      request != NULL ? request : "null");

  if (self->parent.speaking)
    fore_decoder_send (&self->parent, reply);
}

static void
take_models (ClaudeDecoder *self, const ForeJsonSlice *models)
{
  static const char *const names[] = { "value", "displayName" };
  static const char *const modes[] = { "default", "acceptEdits", "plan" };
  ForeSummary *summary = &self->parent.summary;
  ForeJsonSlice model, values[G_N_ELEMENTS (names)];
  ForeJsonSliceIter iter;

  g_ptr_array_set_size (summary->models, 0);
  fore_json_slice_iter_init (&iter, models);
  while (fore_json_slice_iter_next (&iter, NULL, &model) && summary->models->len < 100)
    {
      g_autofree char *id = NULL;
      g_autofree char *name = NULL;

      fore_json_slice_get_members (&model, names, G_N_ELEMENTS (names), values);
      id = fore_json_slice_dup_string (&values[0]);
      name = fore_json_slice_dup_string (&values[1]);
      if (id != NULL)
        g_ptr_array_add (summary->models,
                         fore_request_option_new (id, name != NULL ? name : id, NULL));
    }

  g_ptr_array_set_size (summary->modes, 0);
  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    g_ptr_array_add (summary->modes, fore_request_option_new (modes[i], modes[i], NULL));
}

/* The answer to a request of ours. */
static void
on_response (ClaudeDecoder *self, const ForeJsonSlice *response)
{
  static const char *const names[] = { "subtype", "response", "error" };
  ForeJsonSlice values[G_N_ELEMENTS (names)], models;
  g_autofree char *error = NULL;

  fore_json_slice_get_members (response, names, G_N_ELEMENTS (names), values);
  if (fore_json_slice_equals (&values[0], "error"))
    {
      error = fore_json_slice_dup_string (&values[2]);
      fore_decoder_emit_notice (&self->parent, NULL, "refused", _ ("Was not done"), error);
      return;
    }

  fore_json_slice_get_member (&values[1], "models", &models);
  if (models.kind == FORE_JSON_ARRAY_START)
    take_models (self, &models);
}

/* Returns whether it was something of the control protocol. */
gboolean
fore_claude_on_control (ClaudeDecoder *self, const ForeJsonSlice *line)
{
  const ForeJsonSlice *type = &line[LINE_TYPE];
  ForeJsonSlice subtype;

  if (fore_json_slice_equals (type, "control_request"))
    {
      fore_json_slice_get_member (&line[LINE_REQUEST], "subtype", &subtype);
      if (fore_json_slice_equals (&subtype, "can_use_tool"))
        on_can_use_tool (self, line);
      else
        refuse_request (self, line);
    }
  else if (fore_json_slice_equals (type, "control_cancel_request"))
    {
      g_autofree char *request = fore_json_slice_dup_string (&line[LINE_REQUEST_ID]);
      g_autofree char *id = g_strdup_printf ("permission-%s", request);

      fore_decoder_withdraw (&self->parent, id, TRUE);
    }
  else if (fore_json_slice_equals (type, "control_response"))
    {
      on_response (self, &line[LINE_RESPONSE]);
    }
  else if (fore_json_slice_equals (type, "command_lifecycle"))
    {
      if (fore_json_slice_equals (&line[LINE_STATE], "started"))
        self->heard++;
    }
  else
    {
      return FALSE;
    }

  return TRUE;
}

static void
set (ClaudeDecoder *self, const char *what, const char *value)
{
  g_autofree char *quoted = fore_decoder_quote (value);
  g_autofree char *request = NULL;

  if (strcmp (what, "mode") == 0)
    request = g_strdup_printf ("{\"subtype\":\"set_permission_mode\",\"mode\":%s}", quoted);
  else
    request = g_strdup_printf ("{\"subtype\":\"set_model\",\"model\":%s}", quoted);

  send_control (self, request);
}

gboolean
fore_claude_say (ForeDecoder *decoder, const char *kind, const char *id, const char *text)
{
  ClaudeDecoder *self = (ClaudeDecoder *) decoder;

  if (strcmp (kind, "answer") == 0)
    return fore_decoder_answer (decoder, id, text);

  if (strcmp (kind, "interrupt") == 0 || strcmp (kind, "end") == 0)
    {
      fore_decoder_refuse_all (decoder);
      if (decoder->summary.settled)
        return FALSE;
      send_control (self, "{\"subtype\":\"interrupt\"}");
      return TRUE;
    }

  if (text == NULL)
    return FALSE;

  if (strcmp (kind, "mode") == 0 || strcmp (kind, "model") == 0)
    set (self, kind, text);
  else
    send_message (self, text);

  return TRUE;
}
