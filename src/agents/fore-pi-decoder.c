/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-adapter-private.h"
#include "agents/fore-error-text.h"
#include "agents/fore-pi-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static const char *const line_names[N_LINE] = {
  [LINE_TYPE] = "type",
  [LINE_EVENT] = "assistantMessageEvent",
  [LINE_MESSAGE] = "message",
  [LINE_ID] = "id",
  [LINE_CALL_ID] = "toolCallId",
  [LINE_TOOL] = "toolName",
  [LINE_ARGS] = "args",
  [LINE_PARTIAL] = "partialResult",
  [LINE_RESULT] = "result",
  [LINE_IS_ERROR] = "isError",
  [LINE_DURATION] = "durationMs",
  [LINE_ABORTED] = "aborted",
  [LINE_WILL_RETRY] = "willRetry",
  [LINE_ATTEMPT] = "attempt",
  [LINE_MAX_ATTEMPTS] = "maxAttempts",
  [LINE_ERROR] = "errorMessage",
  [LINE_FINAL_ERROR] = "finalError",
  [LINE_CWD] = "cwd",
  [LINE_COMMAND] = "command",
  [LINE_SUCCESS] = "success",
  [LINE_DATA] = "data",
  [LINE_FAILURE] = "error",
  [LINE_METHOD] = "method",
  [LINE_TITLE] = "title",
  [LINE_OPTIONS] = "options",
};

static const char *
part_id (PiDecoder *self, gint64 part)
{
  g_snprintf (self->id_buffer, sizeof self->id_buffer, "m%u.%d", self->message,
              (int) CLAMP (part, -1, 1000000));

  return self->id_buffer;
}

static void
open_message (PiDecoder *self)
{
  if (self->message_open)
    return;

  self->message++;
  self->message_open = TRUE;
  g_string_truncate (self->streamed, 0);
}

static void
on_session (PiDecoder *self, const ForeJsonSlice *line)
{
  g_autofree char *cwd = fore_json_slice_dup_string (&line[LINE_CWD]);
  ForeEntry entry = FORE_ENTRY_INIT (FORE_ENTRY_SESSION);

  fore_decoder_take_session (&self->parent, fore_json_slice_dup_string (&line[LINE_ID]));
  entry.id = (char *) "session";
  entry.name = (char *) "pi";
  entry.title = self->parent.summary.session;
  entry.text = cwd;
  fore_decoder_emit (&self->parent, &entry);
}

static void
append_streamed (PiDecoder *self, const char *text)
{
  gsize room = FORE_LINE_FOLD - MIN (self->streamed->len, FORE_LINE_FOLD);

  g_string_append_len (self->streamed, text, MIN (strlen (text), room));
}

static void
on_message_update (PiDecoder *self, const ForeJsonSlice *line)
{
  static const char *const names[] = { "type", "contentIndex", "delta" };
  ForeJsonSlice event[G_N_ELEMENTS (names)];
  g_autofree char *delta = NULL;
  gboolean thinking;

  fore_json_slice_get_members (&line[LINE_EVENT], names, G_N_ELEMENTS (names), event);
  thinking = fore_json_slice_equals (&event[0], "thinking_delta");
  if (!thinking && !fore_json_slice_equals (&event[0], "text_delta"))
    return;

  delta = fore_json_slice_dup_string (&event[2]);
  if (delta == NULL)
    return;

  open_message (self);
  if (!thinking)
    append_streamed (self, delta);
  fore_decoder_emit_text (&self->parent, thinking ? FORE_ENTRY_THINKING : FORE_ENTRY_TEXT,
                          part_id (self, fore_json_slice_get_int (&event[1], 0)), NULL, delta,
                          TRUE);
}

/* The text parts of a content array; a content that is a string is its own text. */
static char *
join_content (const ForeJsonSlice *content)
{
  static const char *const names[] = { "type", "text" };
  ForeJsonSlice part, values[G_N_ELEMENTS (names)];
  ForeJsonSliceIter iter;
  GString *text;

  if (content->kind == FORE_JSON_STRING)
    return fore_json_slice_dup_string (content);

  text = g_string_new (NULL);
  fore_json_slice_iter_init (&iter, content);
  while (fore_json_slice_iter_next (&iter, NULL, &part))
    {
      g_autofree char *piece = NULL;

      fore_json_slice_get_members (&part, names, G_N_ELEMENTS (names), values);
      if (!fore_json_slice_equals (&values[0], "text"))
        continue;
      piece = fore_json_slice_dup_string (&values[1]);
      if (piece != NULL)
        g_string_append (text, piece);
    }

  return g_string_free (text, FALSE);
}

static void
emit_parts (PiDecoder *self, const ForeJsonSlice *content)
{
  static const char *const names[] = { "type", "text", "thinking" };
  ForeJsonSlice part, values[G_N_ELEMENTS (names)];
  ForeJsonSliceIter iter;
  guint n = 0;

  fore_json_slice_iter_init (&iter, content);
  while (fore_json_slice_iter_next (&iter, NULL, &part))
    {
      gboolean thinking;
      g_autofree char *text = NULL;

      fore_json_slice_get_members (&part, names, G_N_ELEMENTS (names), values);
      thinking = fore_json_slice_equals (&values[0], "thinking");
      text = fore_json_slice_dup_string (&values[thinking ? 2 : 1]);
      if (text != NULL && text[0] != '\0')
        fore_decoder_emit_text (&self->parent, thinking ? FORE_ENTRY_THINKING : FORE_ENTRY_TEXT,
                                part_id (self, n), NULL, text, FALSE);
      n++;
    }
}

static void
count_usage (PiDecoder *self, const ForeJsonSlice *usage, const char *key)
{
  static const char *const names[] = { "input", "output", "cacheRead", "cacheWrite", "cost" };
  ForeJsonSlice values[G_N_ELEMENTS (names)], total;
  ForeUsage counted = FORE_USAGE_INIT;

  fore_json_slice_get_members (usage, names, G_N_ELEMENTS (names), values);
  counted.input = fore_json_slice_get_int (&values[0], FORE_USAGE_UNKNOWN);
  counted.output = fore_json_slice_get_int (&values[1], FORE_USAGE_UNKNOWN);
  counted.cache_read = fore_json_slice_get_int (&values[2], FORE_USAGE_UNKNOWN);
  counted.cache_write = fore_json_slice_get_int (&values[3], FORE_USAGE_UNKNOWN);
  fore_json_slice_get_member (&values[4], "total", &total);
  counted.cost = fore_decoder_cost_from_dollars (fore_json_slice_get_double (&total, -1));

  /* A request that failed is reported with zeros: nothing is known of what it used. */
  if (fore_usage_get_tokens (&counted) <= 0 && counted.cost <= 0)
    return;

  fore_decoder_set_message_usage (&self->parent, key, &counted);
  fore_decoder_emit_usage (&self->parent);
}

static void
set_stop (PiDecoder *self, ForeCause cause, char *message)
{
  self->stop_cause = cause;
  g_free (self->stop_message);
  self->stop_message = message;
}

static void
take_stop_reason (PiDecoder *self, const ForeJsonSlice *reason, const ForeJsonSlice *error)
{
  g_autofree char *message = fore_json_slice_dup_string (error);
  ForeCause cause;

  if (fore_json_slice_equals (reason, "error"))
    {
      cause = fore_error_text_classify (message, 0);
      fore_decoder_emit_error (&self->parent, cause, message);
      set_stop (self, cause, g_steal_pointer (&message));
    }
  else if (fore_json_slice_equals (reason, "aborted"))
    {
      set_stop (self, FORE_CAUSE_INTERRUPTED, g_strdup (_ ("The agent was interrupted.")));
    }
  else if (fore_json_slice_equals (reason, "length"))
    {
      set_stop (self, FORE_CAUSE_OUTPUT_LIMIT,
                g_strdup (_ ("The answer was cut at the model's output limit.")));
    }
  else
    {
      self->parent.summary.cause = FORE_CAUSE_NONE;
      set_stop (self, FORE_CAUSE_NONE, NULL);
    }
}

static void
on_assistant_end (PiDecoder *self, const ForeJsonSlice *message)
{
  static const char *const names[] = { "content", "usage",      "stopReason", "errorMessage",
                                       "model",   "responseId", "timestamp" };
  ForeJsonSlice values[G_N_ELEMENTS (names)];
  g_autofree char *key = NULL;

  fore_json_slice_get_members (message, names, G_N_ELEMENTS (names), values);
  open_message (self);
  emit_parts (self, &values[0]);
  fore_decoder_take_final_text (&self->parent, join_content (&values[0]));
  fore_decoder_take_model (&self->parent, fore_json_slice_dup_string (&values[4]));

  key = fore_json_slice_dup_json (&values[fore_json_slice_exists (&values[5]) ? 5 : 6]);
  count_usage (self, &values[1], key != NULL ? key : part_id (self, -1));
  take_stop_reason (self, &values[2], &values[3]);
  self->parent.summary.turns++;
  self->message_open = FALSE;
}

static void
on_system_message (PiDecoder *self, const ForeJsonSlice *message)
{
  ForeJsonSlice sections, name, value;
  ForeJsonSliceIter iter;
  g_autoptr (GString) text = g_string_new (NULL);

  fore_json_slice_get_member (message, "sections", &sections);
  fore_json_slice_iter_init (&iter, &sections);
  while (fore_json_slice_iter_next (&iter, &name, &value))
    {
      g_autofree char *section = fore_json_slice_dup_string (&value);

      if (section != NULL)
        g_string_append_printf (text, "%s%s", text->len > 0 ? "\n\n" : "", section);
    }

  fore_decoder_emit_notice (&self->parent, "system", "system-prompt", _ ("System prompt"),
                            text->str);
}

static void
on_message_end (PiDecoder *self, const ForeJsonSlice *line)
{
  static const char *const names[] = { "role", "content" };
  ForeJsonSlice values[G_N_ELEMENTS (names)];

  fore_json_slice_get_members (&line[LINE_MESSAGE], names, G_N_ELEMENTS (names), values);
  if (fore_json_slice_equals (&values[0], "assistant"))
    {
      on_assistant_end (self, &line[LINE_MESSAGE]);
    }
  else if (fore_json_slice_equals (&values[0], "user"))
    {
      g_autofree char *text = join_content (&values[1]);
      g_autofree char *id = g_strdup_printf ("prompt-%" G_GINT64_FORMAT, self->parent.offset);

      fore_decoder_emit_text (&self->parent, FORE_ENTRY_PROMPT, id, NULL, text, FALSE);
    }
  else if (fore_json_slice_equals (&values[0], "system"))
    {
      on_system_message (self, &line[LINE_MESSAGE]);
    }
}

static void
on_message_start (PiDecoder *self, const ForeJsonSlice *line)
{
  ForeJsonSlice role;

  fore_json_slice_get_member (&line[LINE_MESSAGE], "role", &role);
  if (!fore_json_slice_equals (&role, "assistant"))
    return;

  self->message_open = FALSE;
  open_message (self);
}

/* Older versions say the exit code only in the text. */
static int
find_exit_code (const ForeJsonSlice *result, const char *text)
{
  ForeJsonSlice structured, code;
  const char *phrase;

  fore_json_slice_get_member (result, "structuredContent", &structured);
  fore_json_slice_get_member (&structured, "exit_code", &code);
  if (code.kind == FORE_JSON_NUMBER)
    return CLAMP (fore_json_slice_get_int (&code, -1), -1, 255);

  phrase = text != NULL ? strstr (text, "Command exited with code ") : NULL;

  return phrase != NULL
             ? (int) g_ascii_strtoull (phrase + strlen ("Command exited with code "), NULL, 10)
             : -1;
}

static void
on_tool (PiDecoder *self, const ForeJsonSlice *line, const ForeJsonSlice *result, gboolean ended)
{
  ForeEntry entry = FORE_ENTRY_INIT (FORE_ENTRY_TOOL);
  g_autofree char *id = fore_json_slice_dup_string (&line[LINE_CALL_ID]);
  g_autofree char *name = fore_json_slice_dup_string (&line[LINE_TOOL]);
  g_autofree char *input = fore_json_slice_dup_json (&line[LINE_ARGS]);
  g_autofree char *title = fore_decoder_describe_input (&line[LINE_ARGS]);
  g_autofree char *text = NULL;
  ForeJsonSlice content;

  if (id == NULL)
    return;

  fore_json_slice_get_member (result, "content", &content);
  if (fore_json_slice_exists (&content))
    text = join_content (&content);

  entry.id = id;
  entry.name = name;
  entry.input = input;
  entry.title = title;
  entry.text = text;
  entry.state = FORE_ENTRY_RUNNING;
  if (ended)
    {
      entry.state = fore_json_slice_get_bool (&line[LINE_IS_ERROR], FALSE) ? FORE_ENTRY_FAILED
                                                                           : FORE_ENTRY_DONE;
      entry.exit_code = find_exit_code (result, text);
      entry.ms = fore_json_slice_get_int (&line[LINE_DURATION], -1);
    }
  fore_decoder_emit_tool (&self->parent, &entry);
}

static void
settle (PiDecoder *self, gboolean aborted)
{
  if (aborted && self->stop_cause == FORE_CAUSE_NONE)
    set_stop (self, FORE_CAUSE_INTERRUPTED, g_strdup (_ ("The agent was interrupted.")));

  if (self->stop_cause == FORE_CAUSE_NONE)
    fore_decoder_complete (&self->parent);
  else
    fore_decoder_fail (&self->parent, self->stop_cause, self->stop_message);

  fore_decoder_emit_result (&self->parent);
}

static void
on_agent_end (PiDecoder *self, const ForeJsonSlice *line)
{
  if (fore_json_slice_exists (&line[LINE_WILL_RETRY]))
    return;

  settle (self, FALSE);
}

static void
on_retry_start (PiDecoder *self, const ForeJsonSlice *line)
{
  g_autofree char *error = fore_json_slice_dup_string (&line[LINE_ERROR]);
  g_autofree char *title = g_strdup_printf (
      _ ("Tries again (%d of %d)"),
      (int) CLAMP (fore_json_slice_get_int (&line[LINE_ATTEMPT], 0), 0, 1000),
      (int) CLAMP (fore_json_slice_get_int (&line[LINE_MAX_ATTEMPTS], 0), 0, 1000));

  fore_decoder_reopen (&self->parent);
  fore_decoder_emit_notice (&self->parent, NULL, "retry", title, error);
}

/* Events that say nothing which another does not say better. */
static gboolean
is_silent (const ForeJsonSlice *type)
{
  static const char *const types[] = { "turn_start",
                                       "bash_execution_update",
                                       "turn_end",
                                       "entry_appended",
                                       "auto_retry_end",
                                       "queue_update",
                                       "thinking_level_changed",
                                       "session_info_changed" };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      if (fore_json_slice_equals (type, types[i]))
        return TRUE;
    }

  return FALSE;
}

static void
on_event (PiDecoder *self, const ForeJsonSlice *line, const char *text, gsize length)
{
  const ForeJsonSlice *type = &line[LINE_TYPE];
  g_autofree char *name = NULL;

  if (fore_json_slice_equals (type, "message_update"))
    on_message_update (self, line);
  else if (fore_json_slice_equals (type, "message_start"))
    on_message_start (self, line);
  else if (fore_json_slice_equals (type, "message_end"))
    on_message_end (self, line);
  else if (fore_json_slice_equals (type, "tool_execution_start"))
    on_tool (self, line, &line[LINE_PARTIAL], FALSE);
  else if (fore_json_slice_equals (type, "tool_execution_update"))
    on_tool (self, line, &line[LINE_PARTIAL], FALSE);
  else if (fore_json_slice_equals (type, "tool_execution_end"))
    on_tool (self, line, &line[LINE_RESULT], TRUE);
  else if (fore_json_slice_equals (type, "session"))
    on_session (self, line);
  else if (fore_json_slice_equals (type, "agent_start"))
    fore_decoder_reopen (&self->parent);
  else if (fore_json_slice_equals (type, "agent_end"))
    on_agent_end (self, line);
  else if (fore_json_slice_equals (type, "agent_settled"))
    settle (self, fore_json_slice_get_bool (&line[LINE_ABORTED], FALSE));
  else if (fore_json_slice_equals (type, "auto_retry_start"))
    on_retry_start (self, line);
  else if (!fore_pi_on_answer (self, line) && !is_silent (type))
    fore_decoder_emit_raw (&self->parent, name = fore_json_slice_dup_string (type), text, length,
                           FALSE);
}

/* Of a message_end that was too long to keep, the text is known from its deltas. */
static void
on_folded (PiDecoder *self, const char *line, gsize length)
{
  static const char start[] = "{\"type\":\"message_end\",\"message\":{\"role\":\"assistant\"";

  if (length > strlen (start) && memcmp (line, start, strlen (start)) == 0)
    {
      fore_decoder_take_final_text (&self->parent, g_strdup (self->streamed->str));
      set_stop (self, FORE_CAUSE_NONE, NULL);
      self->message_open = FALSE;
      self->parent.summary.turns++;
    }

  fore_decoder_emit_raw (&self->parent, NULL, line, length, TRUE);
}

static void
pi_line (ForeDecoder *decoder, const char *line, gsize length, gboolean truncated)
{
  PiDecoder *self = (PiDecoder *) decoder;
  ForeJsonSlice values[N_LINE];

  if (self->streamed == NULL)
    self->streamed = g_string_new (NULL);

  if (truncated)
    on_folded (self, line, length);
  else if (fore_decoder_read_line (decoder, line, length, line_names, N_LINE, values))
    on_event (self, values, line, length);
  else
    fore_decoder_emit_raw (decoder, NULL, line, length, FALSE);
}

static void
pi_clear (ForeDecoder *decoder)
{
  PiDecoder *self = (PiDecoder *) decoder;

  g_free (self->stop_message);
  if (self->streamed != NULL)
    g_string_free (self->streamed, TRUE);
}

const ForeDecoderClass fore_pi_decoder_class = {
  .instance_size = sizeof (PiDecoder),
  .line = pi_line,
  .clear = pi_clear,
  .begin = fore_pi_begin,
  .say = fore_pi_say,
};
