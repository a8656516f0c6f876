/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-acp-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

enum
{
  UPDATE_KIND,
  UPDATE_CONTENT,
  UPDATE_MESSAGE,
  UPDATE_CALL,
  UPDATE_TITLE,
  UPDATE_TOOL_KIND,
  UPDATE_NAME,
  UPDATE_STATUS,
  UPDATE_INPUT,
  UPDATE_ENTRIES,
  UPDATE_COST,
  N_UPDATE
};

static const char *const update_names[N_UPDATE] = {
  [UPDATE_KIND] = "sessionUpdate", [UPDATE_CONTENT] = "content", [UPDATE_MESSAGE] = "messageId",
  [UPDATE_CALL] = "toolCallId",    [UPDATE_TITLE] = "title",     [UPDATE_TOOL_KIND] = "kind",
  [UPDATE_NAME] = "name",          [UPDATE_STATUS] = "status",   [UPDATE_INPUT] = "rawInput",
  [UPDATE_ENTRIES] = "entries",    [UPDATE_COST] = "cost",
};

static void
add_content (GString *text, const ForeJsonSlice *item)
{
  static const char *const names[] = { "type", "content", "path" };
  ForeJsonSlice values[G_N_ELEMENTS (names)], part;
  g_autofree char *piece = NULL;

  fore_json_slice_get_members (item, names, G_N_ELEMENTS (names), values);
  if (fore_json_slice_equals (&values[0], "diff"))
    {
      g_autofree char *path = fore_json_slice_dup_string (&values[2]);

      piece = g_strdup_printf (_ ("changes %s"), path != NULL ? path : "");
    }
  else
    {
      fore_json_slice_get_member (&values[1], "text", &part);
      piece = fore_json_slice_dup_string (&part);
    }

  if (piece != NULL)
    g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", piece);
}

/* The text of a tool call's content, NULL without one. */
char *
fore_acp_dup_content (const ForeJsonSlice *call)
{
  ForeJsonSlice content, item;
  ForeJsonSliceIter iter;
  GString *text;

  fore_json_slice_get_member (call, "content", &content);
  if (content.kind != FORE_JSON_ARRAY_START)
    return NULL;

  text = g_string_new (NULL);
  fore_json_slice_iter_init (&iter, &content);
  while (fore_json_slice_iter_next (&iter, NULL, &item))
    add_content (text, &item);

  if (text->len == 0)
    {
      g_string_free (text, TRUE);
      return NULL;
    }

  return g_string_free (text, FALSE);
}

void
fore_acp_end_block (AcpDecoder *self)
{
  if (self->block_open)
    fore_decoder_end_text (&self->parent, self->block_kind, self->block_id);
  if (self->block_open && self->block_kind == FORE_ENTRY_TEXT && self->block_text->len > 0)
    fore_decoder_take_final_text (&self->parent, g_strdup (self->block_text->str));

  self->block_open = FALSE;
  g_string_truncate (self->block_text, 0);
  g_clear_pointer (&self->block_message, g_free);
}

static void
begin_block (AcpDecoder *self, ForeEntryKind kind, const ForeJsonSlice *message)
{
  fore_acp_end_block (self);
  self->block_open = TRUE;
  self->block_kind = kind;
  self->block_message = fore_json_slice_dup_string (message);
  g_snprintf (self->block_id, sizeof self->block_id, "block-%u", ++self->block);
}

static gboolean
is_same_message (AcpDecoder *self, const ForeJsonSlice *message)
{
  return self->block_message != NULL ? fore_json_slice_equals (message, self->block_message)
                                     : message->kind != FORE_JSON_STRING;
}

static void
on_chunk (AcpDecoder *self, const ForeJsonSlice *update, ForeEntryKind kind)
{
  const ForeJsonSlice *message = &update[UPDATE_MESSAGE];
  ForeJsonSlice value;
  g_autofree char *text = NULL;

  fore_json_slice_get_member (&update[UPDATE_CONTENT], "text", &value);
  text = fore_json_slice_dup_string (&value);
  if (text == NULL)
    return;

  if (!self->block_open || self->block_kind != kind || !is_same_message (self, message))
    begin_block (self, kind, message);

  if (kind == FORE_ENTRY_TEXT && self->block_text->len < FORE_LINE_FOLD)
    g_string_append (self->block_text, text);
  fore_decoder_emit_text (&self->parent, kind, self->block_id, NULL, text, TRUE);
}

static ForeEntryState
tool_state (const ForeJsonSlice *status)
{
  if (fore_json_slice_equals (status, "completed"))
    return FORE_ENTRY_DONE;
  if (fore_json_slice_equals (status, "failed"))
    return FORE_ENTRY_FAILED;

  return FORE_ENTRY_RUNNING;
}

static void
on_tool (AcpDecoder *self, const ForeJsonSlice *update, const ForeJsonSlice *whole)
{
  ForeEntry entry = FORE_ENTRY_INIT (FORE_ENTRY_TOOL);
  const ForeJsonSlice *name_value
      = &update[fore_json_slice_exists (&update[UPDATE_NAME]) ? UPDATE_NAME : UPDATE_TOOL_KIND];
  g_autofree char *id = fore_json_slice_dup_string (&update[UPDATE_CALL]);
  g_autofree char *name = fore_json_slice_dup_string (name_value);
  g_autofree char *title = fore_json_slice_dup_string (&update[UPDATE_TITLE]);
  g_autofree char *input = fore_json_slice_dup_json (&update[UPDATE_INPUT]);
  g_autofree char *text = fore_acp_dup_content (whole);

  if (id == NULL)
    return;

  fore_acp_end_block (self);
  /* A late word about a call that is over says nothing about its state. */
  if (!fore_json_slice_exists (&update[UPDATE_STATUS])
      && fore_json_slice_equals (&update[UPDATE_KIND], "tool_call_update")
      && fore_decoder_find_tool (&self->parent, id) == NULL)
    return;

  entry.id = id;
  entry.name = name;
  entry.title = title;
  entry.input = input;
  entry.text = text;
  entry.state = tool_state (&update[UPDATE_STATUS]);
  fore_decoder_emit_tool (&self->parent, &entry);
}

static void
on_plan (AcpDecoder *self, const ForeJsonSlice *update)
{
  static const char *const names[] = { "content", "status" };
  ForeJsonSlice item, values[G_N_ELEMENTS (names)];
  ForeJsonSliceIter iter;
  ForeEntry entry = FORE_ENTRY_INIT (FORE_ENTRY_PLAN);
  g_autoptr (GString) text = g_string_new (NULL);

  fore_json_slice_iter_init (&iter, &update[UPDATE_ENTRIES]);
  while (fore_json_slice_iter_next (&iter, NULL, &item))
    {
      g_autofree char *content = NULL;
      const char *mark = "☐";

      fore_json_slice_get_members (&item, names, G_N_ELEMENTS (names), values);
      content = fore_json_slice_dup_string (&values[0]);
      if (fore_json_slice_equals (&values[1], "completed"))
        mark = "☑";
      else if (fore_json_slice_equals (&values[1], "in_progress"))
        mark = "▶";
      g_string_append_printf (text, "%s%s %s", text->len > 0 ? "\n" : "", mark,
                              content != NULL ? content : "");
    }

  entry.id = (char *) "plan";
  entry.text = text->str;
  fore_decoder_emit (&self->parent, &entry);
}

/* The amount is that of the whole session. */
static void
on_usage (AcpDecoder *self, const ForeJsonSlice *update)
{
  static const char *const names[] = { "amount", "currency" };
  ForeJsonSlice values[G_N_ELEMENTS (names)];
  ForeUsage usage = FORE_USAGE_INIT;

  fore_json_slice_get_members (&update[UPDATE_COST], names, G_N_ELEMENTS (names), values);
  if (!fore_json_slice_equals (&values[1], "USD"))
    return;

  usage.cost = fore_decoder_cost_from_dollars (fore_json_slice_get_double (&values[0], -1));
  fore_decoder_set_message_usage (&self->parent, FORE_DECODER_SESSION, &usage);
  fore_decoder_emit_usage (&self->parent);
}

static void
on_mode (AcpDecoder *self, const ForeJsonSlice *update)
{
  ForeJsonSlice mode;
  char *id;

  fore_json_slice_get_member (update, "currentModeId", &mode);
  id = fore_json_slice_dup_string (&mode);
  if (id == NULL)
    return;

  g_free (self->parent.summary.mode);
  self->parent.summary.mode = id;
  fore_decoder_emit_notice (&self->parent, NULL, "mode", _ ("Mode"), id);
}

static void
on_options (AcpDecoder *self, const ForeJsonSlice *update)
{
  ForeJsonSlice options;

  fore_json_slice_get_member (update, "configOptions", &options);
  fore_acp_take_options (self, &options);
}

static gboolean
is_silent (const ForeJsonSlice *kind)
{
  return fore_json_slice_equals (kind, "available_commands_update")
         || fore_json_slice_equals (kind, "session_info_update");
}

void
fore_acp_on_update (AcpDecoder *self, const ForeJsonSlice *params, const char *line, gsize length)
{
  ForeJsonSlice whole, update[N_UPDATE];
  const ForeJsonSlice *kind = &update[UPDATE_KIND];
  g_autofree char *name = NULL;

  fore_json_slice_get_member (params, "update", &whole);
  fore_json_slice_get_members (&whole, update_names, N_UPDATE, update);

  if (fore_json_slice_equals (kind, "agent_message_chunk"))
    on_chunk (self, update, FORE_ENTRY_TEXT);
  else if (fore_json_slice_equals (kind, "agent_thought_chunk"))
    on_chunk (self, update, FORE_ENTRY_THINKING);
  else if (fore_json_slice_equals (kind, "user_message_chunk"))
    on_chunk (self, update, FORE_ENTRY_PROMPT);
  else if (fore_json_slice_equals (kind, "tool_call")
           || fore_json_slice_equals (kind, "tool_call_update"))
    on_tool (self, update, &whole);
  else if (fore_json_slice_equals (kind, "plan"))
    on_plan (self, update);
  else if (fore_json_slice_equals (kind, "usage_update"))
    on_usage (self, update);
  else if (fore_json_slice_equals (kind, "current_mode_update"))
    on_mode (self, &whole);
  else if (fore_json_slice_equals (kind, "config_option_update"))
    on_options (self, &whole);
  else if (!is_silent (kind))
    fore_decoder_emit_raw (&self->parent, name = fore_json_slice_dup_string (kind), line, length,
                           FALSE);
}
