/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-adapter-private.h"
#include "agents/fore-claude-private.h"
#include "agents/fore-error-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static const char *const line_names[N_LINE] = {
  [LINE_TYPE] = "type",
  [LINE_SUBTYPE] = "subtype",
  [LINE_MESSAGE] = "message",
  [LINE_EVENT] = "event",
  [LINE_PARENT] = "parent_tool_use_id",
  [LINE_SESSION] = "session_id",
  [LINE_MODEL] = "model",
  [LINE_CWD] = "cwd",
  [LINE_TOOL_RESULT] = "tool_use_result",
  [LINE_IS_ERROR] = "is_error",
  [LINE_RESULT] = "result",
  [LINE_ERRORS] = "errors",
  [LINE_TERMINAL] = "terminal_reason",
  [LINE_STOP] = "stop_reason",
  [LINE_STATUS] = "api_error_status",
  [LINE_ERROR_TYPE] = "api_error_type",
  [LINE_COST] = "total_cost_usd",
  [LINE_USAGE] = "usage",
  [LINE_MODEL_USAGE] = "modelUsage",
  [LINE_TURNS] = "num_turns",
  [LINE_ATTEMPT] = "attempt",
  [LINE_MAX_RETRIES] = "max_retries",
  [LINE_ERROR] = "error",
  [LINE_ERROR_STATUS] = "error_status",
  [LINE_TOOL_NAME] = "tool_name",
  [LINE_SUMMARY] = "summary",
  [LINE_DESCRIPTION] = "description",
  [LINE_TASK_ID] = "task_id",
  [LINE_API_MESSAGE] = "api_message_id",
  [LINE_REQUEST] = "request",
  [LINE_REQUEST_ID] = "request_id",
  [LINE_RESPONSE] = "response",
  [LINE_REPLAY] = "isReplay",
  [LINE_STATE] = "state",
  [LINE_MODE] = "permissionMode",
  [LINE_LIMIT] = "rate_limit_info",
  [LINE_DENIALS] = "permission_denials",
  [LINE_PATCH] = "patch",
  [LINE_STATUS_WORD] = "status",
};

static void
on_init (ClaudeDecoder *self, const ForeJsonSlice *line)
{
  g_autofree char *cwd = fore_json_slice_dup_string (&line[LINE_CWD]);
  ForeEntry entry = FORE_ENTRY_INIT (FORE_ENTRY_SESSION);

  fore_decoder_take_session (&self->parent, fore_json_slice_dup_string (&line[LINE_SESSION]));
  fore_decoder_take_model (&self->parent, fore_json_slice_dup_string (&line[LINE_MODEL]));
  fore_decoder_take_mode (&self->parent, fore_json_slice_dup_string (&line[LINE_MODE]));
  if (self->parent.live)
    fore_decoder_reopen (&self->parent);
  entry.id = (char *) "session";
  entry.name = (char *) "claude";
  entry.title = self->parent.summary.session;
  entry.text = cwd;
  fore_decoder_emit (&self->parent, &entry);
}

static void
on_retry (ClaudeDecoder *self, const ForeJsonSlice *line)
{
  g_autofree char *error = fore_json_slice_dup_string (&line[LINE_ERROR]);
  gint64 attempt = fore_json_slice_get_int (&line[LINE_ATTEMPT], 0);
  gint64 max = fore_json_slice_get_int (&line[LINE_MAX_RETRIES], 0);
  int status = CLAMP (fore_json_slice_get_int (&line[LINE_ERROR_STATUS], 0), 0, 999);
  g_autofree char *title = g_strdup_printf (
      _ ("Tries again (%d of %d)"), (int) CLAMP (attempt, 0, 1000), (int) CLAMP (max, 0, 1000));
  g_autofree char *text = status != 0 ? g_strdup_printf ("%d: %s", status, error)
                                      : g_strdup (error);

  fore_decoder_emit_notice (&self->parent, NULL, "retry", title, text);
}

static gboolean
is_silent_system (const ForeJsonSlice *subtype)
{
  static const char *const subtypes[] = { "thinking_tokens", "task_progress", "task_updated",
                                          "background_tasks_changed", "hook_started" };

  for (guint i = 0; i < G_N_ELEMENTS (subtypes); i++)
    {
      if (fore_json_slice_equals (subtype, subtypes[i]))
        return TRUE;
    }

  return FALSE;
}

static ForeEntryState
task_state (const ForeJsonSlice *status)
{
  static const char *const failed[] = { "failed", "killed", "stopped" };

  for (guint i = 0; i < G_N_ELEMENTS (failed); i++)
    {
      if (fore_json_slice_equals (status, failed[i]))
        return FORE_ENTRY_FAILED;
    }

  return fore_json_slice_equals (status, "completed") ? FORE_ENTRY_DONE : FORE_ENTRY_RUNNING;
}

/* Work in the background: one entry, from its start to its end. */
static void
on_task (ClaudeDecoder *self, const ForeJsonSlice *line, const char *what)
{
  ForeEntry entry = FORE_ENTRY_INIT (FORE_ENTRY_NOTICE);
  ForeJsonSlice status = line[LINE_STATUS_WORD];
  g_autofree char *task = fore_json_slice_dup_string (&line[LINE_TASK_ID]);
  g_autofree char *id = g_strdup_printf ("task-%s", task);
  g_autofree char *title = fore_json_slice_dup_string (&line[LINE_DESCRIPTION]);
  g_autofree char *summary = fore_json_slice_dup_string (&line[LINE_SUMMARY]);

  if (line[LINE_PATCH].kind == FORE_JSON_OBJECT_START)
    fore_json_slice_get_member (&line[LINE_PATCH], "status", &status);
  if (task == NULL || (strcmp (what, "task_updated") == 0 && status.kind != FORE_JSON_STRING))
    return;

  self->parent.summary.background = TRUE;
  entry.id = id;
  entry.name = (char *) what;
  entry.title = title != NULL ? title : summary;
  entry.text = summary;
  entry.state = task_state (&status);
  fore_decoder_emit (&self->parent, &entry);
}

static void
on_system (ClaudeDecoder *self, const ForeJsonSlice *line, const char *text, gsize length)
{
  const ForeJsonSlice *subtype = &line[LINE_SUBTYPE];
  g_autofree char *name = fore_json_slice_dup_string (subtype);

  if (fore_json_slice_equals (subtype, "init"))
    {
      on_init (self, line);
    }
  else if (fore_json_slice_equals (subtype, "status"))
    {
      fore_decoder_take_mode (&self->parent, fore_json_slice_dup_string (&line[LINE_MODE]));
    }
  else if (fore_json_slice_equals (subtype, "api_retry"))
    {
      on_retry (self, line);
    }
  else if (fore_json_slice_equals (subtype, "permission_denied"))
    {
      g_autofree char *tool = fore_json_slice_dup_string (&line[LINE_TOOL_NAME]);
      g_autofree char *message = fore_json_slice_dup_string (&line[LINE_MESSAGE]);
      g_autofree char *title = g_strdup_printf (_ ("Not allowed: %s"), tool);

      fore_decoder_emit_notice (&self->parent, NULL, name, title, message);
    }
  else if (fore_json_slice_equals (subtype, "task_started")
           || fore_json_slice_equals (subtype, "task_updated")
           || fore_json_slice_equals (subtype, "task_notification"))
    {
      on_task (self, line, name);
    }
  else if (!is_silent_system (subtype))
    {
      fore_decoder_emit_raw (&self->parent, name, text, length, FALSE);
    }
}

static char *
block_id (const char *message, gint64 block)
{
  return g_strdup_printf ("%s.%d", message, (int) CLAMP (block, 0, 1000000));
}

/* Which block of its message the next one is. */
static guint
next_block (ClaudeDecoder *self, const char *message)
{
  if (g_strcmp0 (self->message, message) != 0)
    {
      g_free (self->message);
      self->message = g_strdup (message);
      self->block = 0;
    }

  return self->block++;
}

static void
emit_tool_use (ClaudeDecoder *self, const ForeJsonSlice *block, const char *parent)
{
  static const char *const names[] = { "id", "name", "input" };
  ForeJsonSlice values[G_N_ELEMENTS (names)];
  ForeEntry entry = FORE_ENTRY_INIT (FORE_ENTRY_TOOL);
  g_autofree char *id = NULL;
  g_autofree char *name = NULL;
  g_autofree char *input = NULL;
  g_autofree char *title = NULL;

  fore_json_slice_get_members (block, names, G_N_ELEMENTS (names), values);
  id = fore_json_slice_dup_string (&values[0]);
  if (id == NULL)
    return;

  name = fore_json_slice_dup_string (&values[1]);
  input = fore_json_slice_dup_json (&values[2]);
  title = fore_decoder_describe_input (&values[2]);
  entry.id = id;
  entry.name = name;
  entry.input = input;
  entry.title = title;
  entry.parent = (char *) parent;
  entry.state = FORE_ENTRY_RUNNING;
  fore_decoder_emit_tool (&self->parent, &entry);
}

static void
emit_block (ClaudeDecoder *self,
            const ForeJsonSlice *block,
            const char *message,
            const char *parent,
            GString *final_text)
{
  static const char *const names[] = { "type", "text", "thinking" };
  ForeJsonSlice values[G_N_ELEMENTS (names)];
  g_autofree char *id = block_id (message, next_block (self, message));
  g_autofree char *text = NULL;

  fore_json_slice_get_members (block, names, G_N_ELEMENTS (names), values);
  if (fore_json_slice_equals (&values[0], "text"))
    {
      text = fore_json_slice_dup_string (&values[1]);
      if (text != NULL)
        g_string_append (final_text, text);
      fore_decoder_emit_text (&self->parent, FORE_ENTRY_TEXT, id, parent, text, FALSE);
    }
  else if (fore_json_slice_equals (&values[0], "thinking"))
    {
      text = fore_json_slice_dup_string (&values[2]);
      fore_decoder_emit_text (&self->parent, FORE_ENTRY_THINKING, id, parent, text, FALSE);
    }
  else if (fore_json_slice_equals (&values[0], "tool_use"))
    {
      emit_tool_use (self, block, parent);
    }
}

/* An API error comes as a message of a model that does not exist. */
static void
emit_synthetic (ClaudeDecoder *self, const ForeJsonSlice *line, const ForeJsonSlice *content)
{
  ForeJsonSliceIter iter;
  ForeJsonSlice block, text_value;
  g_autofree char *text = NULL;
  int status = CLAMP (fore_json_slice_get_int (&line[LINE_STATUS], 0), 0, 999);

  fore_json_slice_iter_init (&iter, content);
  if (fore_json_slice_iter_next (&iter, NULL, &block))
    {
      fore_json_slice_get_member (&block, "text", &text_value);
      text = fore_json_slice_dup_string (&text_value);
    }

  fore_decoder_emit_error (&self->parent, fore_error_text_classify (text, status), text);
}

/* The lines of one message all say what its request used, and of the answer only how it began. */
static void
count_request (ClaudeDecoder *self, const char *message, const ForeJsonSlice *usage)
{
  ForeUsage counted = fore_claude_read_usage (usage);

  if (fore_usage_get_tokens (&counted) <= 0)
    return;

  fore_decoder_set_message_usage (&self->parent, message, &counted);
  fore_decoder_emit_usage (&self->parent);
}

static void
on_assistant (ClaudeDecoder *self, const ForeJsonSlice *line)
{
  static const char *const names[] = { "id", "model", "content", "usage" };
  ForeJsonSlice values[G_N_ELEMENTS (names)], block;
  ForeJsonSliceIter iter;
  g_autofree char *id = NULL;
  g_autofree char *parent = fore_json_slice_dup_string (&line[LINE_PARENT]);
  g_autoptr (GString) text = g_string_new (NULL);

  fore_json_slice_get_members (&line[LINE_MESSAGE], names, G_N_ELEMENTS (names), values);
  if (fore_json_slice_equals (&values[1], "<synthetic>"))
    {
      emit_synthetic (self, line, &values[2]);
      return;
    }

  id = fore_json_slice_dup_string (&values[0]);
  if (id == NULL)
    id = g_strdup ("message");
  if (parent == NULL && g_strcmp0 (self->message, id) != 0)
    self->parent.summary.turns++;
  count_request (self, id, &values[3]);

  fore_json_slice_iter_init (&iter, &values[2]);
  while (fore_json_slice_iter_next (&iter, NULL, &block))
    emit_block (self, &block, id, parent, text);

  if (parent == NULL && text->len > 0)
    fore_decoder_take_final_text (&self->parent, g_strdup (text->str));
}

/* The text of a tool's result: a string or an array of parts. */
static char *
join_result (const ForeJsonSlice *content)
{
  ForeJsonSlice part, value;
  ForeJsonSliceIter iter;
  GString *text;

  if (content->kind == FORE_JSON_STRING)
    return fore_json_slice_dup_string (content);

  text = g_string_new (NULL);
  fore_json_slice_iter_init (&iter, content);
  while (fore_json_slice_iter_next (&iter, NULL, &part))
    {
      g_autofree char *piece = NULL;

      fore_json_slice_get_member (&part, "text", &value);
      piece = fore_json_slice_dup_string (&value);
      if (piece != NULL)
        g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", piece);
    }

  return g_string_free (text, FALSE);
}

/* A failed command begins its text with "Exit code N". */
static int
find_exit_code (const char *name, const char *text, gboolean failed)
{
  if (g_strcmp0 (name, "Bash") != 0)
    return -1;
  if (text != NULL && g_str_has_prefix (text, "Exit code "))
    return (int) CLAMP (g_ascii_strtoll (text + strlen ("Exit code "), NULL, 10), 0, 255);

  return failed ? -1 : 0;
}

static void
emit_tool_result (ClaudeDecoder *self, const ForeJsonSlice *block)
{
  static const char *const names[] = { "tool_use_id", "content", "is_error" };
  ForeJsonSlice values[G_N_ELEMENTS (names)];
  ForeEntry entry = FORE_ENTRY_INIT (FORE_ENTRY_TOOL);
  const ForeEntry *call;
  g_autofree char *id = NULL;
  g_autofree char *text = NULL;
  gboolean failed;

  fore_json_slice_get_members (block, names, G_N_ELEMENTS (names), values);
  id = fore_json_slice_dup_string (&values[0]);
  if (id == NULL)
    return;

  call = fore_decoder_find_tool (&self->parent, id);
  text = join_result (&values[1]);
  failed = fore_json_slice_get_bool (&values[2], FALSE);
  entry.id = id;
  entry.text = text;
  entry.state = failed ? FORE_ENTRY_FAILED : FORE_ENTRY_DONE;
  entry.exit_code = find_exit_code (call != NULL ? call->name : NULL, text, failed);
  fore_decoder_emit_tool (&self->parent, &entry);
}

/* What was said to a live session comes back as a replay when it is heard; the rest is what the
 * program says in the person's place.
 */
static void
emit_user (ClaudeDecoder *self, const ForeJsonSlice *line, const char *text)
{
  g_autofree char *id = g_strdup_printf ("prompt-%" G_GINT64_FORMAT, self->parent.offset);

  if (fore_json_slice_get_bool (&line[LINE_REPLAY], FALSE))
    fore_decoder_emit_text (&self->parent, FORE_ENTRY_PROMPT, id, NULL, text, FALSE);
  else
    fore_decoder_emit_notice (&self->parent, NULL, "user", NULL, text);
}

static void
on_user (ClaudeDecoder *self, const ForeJsonSlice *line)
{
  ForeJsonSlice content, block, type, value;
  ForeJsonSliceIter iter;

  fore_json_slice_get_member (&line[LINE_MESSAGE], "content", &content);
  if (content.kind == FORE_JSON_STRING)
    {
      g_autofree char *text = fore_json_slice_dup_string (&content);

      emit_user (self, line, text);
      return;
    }

  fore_json_slice_iter_init (&iter, &content);
  while (fore_json_slice_iter_next (&iter, NULL, &block))
    {
      fore_json_slice_get_member (&block, "type", &type);
      if (fore_json_slice_equals (&type, "tool_result"))
        {
          emit_tool_result (self, &block);
        }
      else if (fore_json_slice_equals (&type, "text"))
        {
          g_autofree char *text = NULL;

          fore_json_slice_get_member (&block, "text", &value);
          text = fore_json_slice_dup_string (&value);
          emit_user (self, line, text);
        }
    }
}

/* Which message a stream event belongs to; sub-agents stream at the same time. */
static char *
stream_message (ClaudeDecoder *self, const ForeJsonSlice *line)
{
  char *id = fore_json_slice_dup_string (&line[LINE_API_MESSAGE]);

  return id != NULL ? id : g_strdup (self->stream_message);
}

static void
count_usage (ClaudeDecoder *self, const ForeJsonSlice *line, const ForeJsonSlice *usage)
{
  ForeUsage counted = fore_claude_read_usage (usage);
  g_autofree char *message = stream_message (self, line);

  if (message == NULL)
    return;

  fore_decoder_set_message_usage (&self->parent, message, &counted);
  fore_decoder_emit_usage (&self->parent);
}

static void
on_delta (ClaudeDecoder *self,
          const ForeJsonSlice *line,
          const ForeJsonSlice *delta,
          const ForeJsonSlice *index)
{
  static const char *const names[] = { "type", "text", "thinking" };
  ForeJsonSlice values[G_N_ELEMENTS (names)];
  g_autofree char *message = NULL;
  g_autofree char *parent = NULL;
  g_autofree char *text = NULL;
  g_autofree char *id = NULL;
  gboolean thinking;

  fore_json_slice_get_members (delta, names, G_N_ELEMENTS (names), values);
  thinking = fore_json_slice_equals (&values[0], "thinking_delta");
  text = fore_json_slice_dup_string (&values[thinking ? 2 : 1]);
  message = stream_message (self, line);
  if (text == NULL || message == NULL)
    return;

  parent = fore_json_slice_dup_string (&line[LINE_PARENT]);
  id = block_id (message, fore_json_slice_get_int (index, 0));
  fore_decoder_emit_text (&self->parent, thinking ? FORE_ENTRY_THINKING : FORE_ENTRY_TEXT, id,
                          parent, text, TRUE);
}

static void
on_stream_event (ClaudeDecoder *self, const ForeJsonSlice *line)
{
  static const char *const names[] = { "type", "message", "delta", "usage", "index" };
  ForeJsonSlice event[G_N_ELEMENTS (names)], id;

  fore_json_slice_get_members (&line[LINE_EVENT], names, G_N_ELEMENTS (names), event);
  if (fore_json_slice_equals (&event[0], "content_block_delta"))
    {
      on_delta (self, line, &event[2], &event[4]);
    }
  else if (fore_json_slice_equals (&event[0], "message_start"))
    {
      fore_json_slice_get_member (&event[1], "id", &id);
      g_free (self->stream_message);
      self->stream_message = fore_json_slice_dup_string (&id);
    }
  else if (fore_json_slice_equals (&event[0], "message_delta"))
    {
      count_usage (self, line, &event[3]);
    }
}

/* Told whenever what is left changes; a window that is used up is rejected. */
static void
on_rate_limit (ClaudeDecoder *self, const ForeJsonSlice *line)
{
  static const char *const names[] = { "status", "resetsAt" };
  ForeJsonSlice values[G_N_ELEMENTS (names)];

  fore_json_slice_get_members (&line[LINE_LIMIT], names, G_N_ELEMENTS (names), values);
  fore_decoder_take_limit (&self->parent, fore_json_slice_equals (&values[0], "rejected"),
                           fore_json_slice_get_int (&values[1], 0));
}

static void
on_event (ClaudeDecoder *self, const ForeJsonSlice *line, const char *text, gsize length)
{
  const ForeJsonSlice *type = &line[LINE_TYPE];
  g_autofree char *name = NULL;

  if (fore_json_slice_equals (type, "stream_event"))
    on_stream_event (self, line);
  else if (fore_json_slice_equals (type, "assistant"))
    on_assistant (self, line);
  else if (fore_json_slice_equals (type, "user"))
    on_user (self, line);
  else if (fore_json_slice_equals (type, "system"))
    on_system (self, line, text, length);
  else if (fore_json_slice_equals (type, "result"))
    fore_claude_on_result (self, line);
  else if (fore_json_slice_equals (type, "conversation_reset"))
    fore_claude_on_reset (self, line);
  else if (fore_json_slice_equals (type, "rate_limit_event"))
    on_rate_limit (self, line);
  else if (!fore_claude_on_control (self, line))
    fore_decoder_emit_raw (&self->parent, name = fore_json_slice_dup_string (type), text, length,
                           FALSE);
}

static void
claude_line (ForeDecoder *decoder, const char *line, gsize length, gboolean truncated)
{
  ClaudeDecoder *self = (ClaudeDecoder *) decoder;
  ForeJsonSlice values[N_LINE];

  if (!self->ready)
    self->base = self->turns = FORE_USAGE_INIT;
  self->ready = TRUE;

  if (!truncated && fore_decoder_read_line (decoder, line, length, line_names, N_LINE, values))
    on_event (self, values, line, length);
  else
    fore_decoder_emit_raw (decoder, NULL, line, length, truncated);
}

static void
claude_clear (ForeDecoder *decoder)
{
  ClaudeDecoder *self = (ClaudeDecoder *) decoder;

  g_free (self->message);
  g_free (self->stream_message);
}

const ForeDecoderClass fore_claude_decoder_class = {
  .instance_size = sizeof (ClaudeDecoder),
  .line = claude_line,
  .clear = claude_clear,
  .begin = fore_claude_begin,
  .say = fore_claude_say,
};
