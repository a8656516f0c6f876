/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-codex-private.h"
#include "agents/fore-error-text.h"
#include "text/fore-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

typedef enum
{
  ITEM_MESSAGE,
  ITEM_REASONING,
  ITEM_COMMAND,
  ITEM_CHANGE,
  ITEM_CALL,
  ITEM_COLLAB,
  ITEM_SEARCH,
  ITEM_TODO,
  ITEM_ERROR,
  ITEM_USER,
  ITEM_SILENT,
} ItemKind;

typedef struct
{
  const char *type;
  ItemKind kind;
  const char *tool;
} ItemType;

static const ItemType types[] = {
  { "agent_message", ITEM_MESSAGE },
  { "agentMessage", ITEM_MESSAGE },
  { "reasoning", ITEM_REASONING },
  { "command_execution", ITEM_COMMAND, "shell" },
  { "commandExecution", ITEM_COMMAND, "shell" },
  { "file_change", ITEM_CHANGE, "edit" },
  { "fileChange", ITEM_CHANGE, "edit" },
  { "mcp_tool_call", ITEM_CALL },
  { "mcpToolCall", ITEM_CALL },
  { "dynamicToolCall", ITEM_CALL },
  { "collab_tool_call", ITEM_COLLAB },
  { "collabAgentToolCall", ITEM_COLLAB },
  { "web_search", ITEM_SEARCH, "web search" },
  { "webSearch", ITEM_SEARCH, "web search" },
  { "todo_list", ITEM_TODO },
  { "error", ITEM_ERROR },
  { "userMessage", ITEM_USER },
  { "contextCompaction", ITEM_SILENT },
};

enum
{
  ITEM_TYPE,
  ITEM_ID,
  ITEM_TEXT,
  ITEM_STATUS,
  ITEM_COMMAND_LINE,
  ITEM_OUTPUT,
  ITEM_OUTPUT_CAMEL,
  ITEM_EXIT,
  ITEM_EXIT_CAMEL,
  ITEM_DURATION,
  ITEM_CHANGES,
  ITEM_SERVER,
  ITEM_TOOL,
  ITEM_ARGUMENTS,
  ITEM_RESULT,
  ITEM_ERROR_VALUE,
  ITEM_PROMPT,
  ITEM_QUERY,
  ITEM_ITEMS,
  ITEM_MESSAGE_TEXT,
  ITEM_SUMMARY,
  ITEM_CONTENT,
  N_ITEM
};

static const char *const item_names[N_ITEM] = {
  [ITEM_TYPE] = "type",
  [ITEM_ID] = "id",
  [ITEM_TEXT] = "text",
  [ITEM_STATUS] = "status",
  [ITEM_COMMAND_LINE] = "command",
  [ITEM_OUTPUT] = "aggregated_output",
  [ITEM_OUTPUT_CAMEL] = "aggregatedOutput",
  [ITEM_EXIT] = "exit_code",
  [ITEM_EXIT_CAMEL] = "exitCode",
  [ITEM_DURATION] = "durationMs",
  [ITEM_CHANGES] = "changes",
  [ITEM_SERVER] = "server",
  [ITEM_TOOL] = "tool",
  [ITEM_ARGUMENTS] = "arguments",
  [ITEM_RESULT] = "result",
  [ITEM_ERROR_VALUE] = "error",
  [ITEM_PROMPT] = "prompt",
  [ITEM_QUERY] = "query",
  [ITEM_ITEMS] = "items",
  [ITEM_MESSAGE_TEXT] = "message",
  [ITEM_SUMMARY] = "summary",
  [ITEM_CONTENT] = "content",
};

static const ItemType *
find_type (const ForeJsonSlice *type)
{
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      if (fore_json_slice_equals (type, types[i].type))
        return &types[i];
    }

  return NULL;
}

/* The strings of an array, or the texts of its objects, a paragraph each. */
static void
add_parts (GString *text, const ForeJsonSlice *array)
{
  ForeJsonSlice part, value;
  ForeJsonSliceIter iter;

  fore_json_slice_iter_init (&iter, array);
  while (fore_json_slice_iter_next (&iter, NULL, &part))
    {
      g_autofree char *piece = NULL;

      fore_json_slice_get_member (&part, "text", &value);
      piece = fore_json_slice_dup_string (part.kind == FORE_JSON_STRING ? &part : &value);
      if (piece != NULL && piece[0] != '\0')
        g_string_append_printf (text, "%s%s", text->len > 0 ? "\n\n" : "", piece);
    }
}

/* What a helper says is not the answer. */
static void
on_message (ForeDecoder *decoder, const ForeJsonSlice *item, const char *id, const char *parent)
{
  g_autofree char *text = fore_json_slice_dup_string (&item[ITEM_TEXT]);

  if (text == NULL || text[0] == '\0')
    return;

  fore_decoder_emit_text (decoder, FORE_ENTRY_TEXT, id, parent, text, FALSE);
  if (parent != NULL)
    return;

  fore_decoder_take_final_text (decoder, g_steal_pointer (&text));
  decoder->summary.turns++;
}

/* Reasoning without a word of it shows nothing. */
static void
on_reasoning (ForeDecoder *decoder,
              const ForeJsonSlice *item,
              const char *id,
              const char *parent,
              gboolean completed)
{
  g_autofree char *whole = fore_json_slice_dup_string (&item[ITEM_TEXT]);
  g_autoptr (GString) text = g_string_new (whole);

  add_parts (text, &item[ITEM_SUMMARY]);
  if (text->len == 0)
    add_parts (text, &item[ITEM_CONTENT]);
  if (completed && text->len > 0)
    fore_decoder_emit_text (decoder, FORE_ENTRY_THINKING, id, parent, text->str, FALSE);
}

static void
on_user (ForeDecoder *decoder, const ForeJsonSlice *item, const char *id, gboolean completed)
{
  g_autoptr (GString) text = g_string_new (NULL);

  add_parts (text, &item[ITEM_CONTENT]);
  if (completed && text->len > 0)
    fore_decoder_emit_text (decoder, FORE_ENTRY_PROMPT, id, NULL, text->str, FALSE);
}

static void
on_todo (ForeDecoder *decoder, const ForeJsonSlice *item)
{
  static const char *const names[] = { "text", "completed" };
  ForeJsonSlice step, values[G_N_ELEMENTS (names)];
  ForeJsonSliceIter iter;
  ForeEntry entry = FORE_ENTRY_INIT (FORE_ENTRY_PLAN);
  g_autoptr (GString) text = g_string_new (NULL);

  fore_json_slice_iter_init (&iter, &item[ITEM_ITEMS]);
  while (fore_json_slice_iter_next (&iter, NULL, &step))
    {
      g_autofree char *what = NULL;

      fore_json_slice_get_members (&step, names, G_N_ELEMENTS (names), values);
      what = fore_json_slice_dup_string (&values[0]);
      g_string_append_printf (text, "%s%s %s", text->len > 0 ? "\n" : "",
                              fore_json_slice_get_bool (&values[1], FALSE) ? "☑" : "☐",
                              what != NULL ? what : "");
    }

  entry.id = (char *) "plan";
  entry.text = text->str;
  fore_decoder_emit (decoder, &entry);
}

/* An item of the kind error is a warning: the turn goes on. */
static void
on_warning (ForeDecoder *decoder, const ForeJsonSlice *item, const char *id)
{
  g_autofree char *message = fore_json_slice_dup_string (&item[ITEM_MESSAGE_TEXT]);

  fore_decoder_emit_notice (decoder, id, "warning", _ ("Warning"), message);
}

/* What a patch does, a line for each file; codex app-server also says the lines. */
static char *
describe_changes (const ForeJsonSlice *changes, char **title)
{
  static const char *const names[] = { "path", "kind", "diff" };
  ForeJsonSlice change, type, values[G_N_ELEMENTS (names)];
  ForeJsonSliceIter iter;
  g_autoptr (GString) text = g_string_new (NULL);
  guint n = 0;

  fore_json_slice_iter_init (&iter, changes);
  while (fore_json_slice_iter_next (&iter, NULL, &change))
    {
      g_autofree char *path = NULL;
      g_autofree char *kind = NULL;
      g_autofree char *diff = NULL;

      fore_json_slice_get_members (&change, names, G_N_ELEMENTS (names), values);
      fore_json_slice_get_member (&values[1], "type", &type);
      path = fore_json_slice_dup_string (&values[0]);
      kind = fore_json_slice_dup_string (values[1].kind == FORE_JSON_STRING ? &values[1] : &type);
      diff = fore_json_slice_dup_string (&values[2]);
      if (path == NULL)
        continue;
      if (n++ == 0)
        *title = fore_text_first_line (path, 160);
      g_string_append_printf (text, "%s%s %s", text->len > 0 ? "\n" : "",
                              kind != NULL ? kind : "change", path);
      if (diff != NULL && diff[0] != '\0')
        g_string_append_printf (text, "\n%s", diff);
    }

  return text->len > 0 ? g_strdup (text->str) : NULL;
}

static char *
describe_result (const ForeJsonSlice *item)
{
  ForeJsonSlice content, message;
  g_autoptr (GString) text = g_string_new (NULL);

  fore_json_slice_get_member (&item[ITEM_ERROR_VALUE], "message", &message);
  if (message.kind == FORE_JSON_STRING)
    return fore_json_slice_dup_string (&message);

  fore_json_slice_get_member (&item[ITEM_RESULT], "content", &content);
  add_parts (text, &content);

  return text->len > 0 ? g_strdup (text->str) : NULL;
}

static char *
name_tool (const ItemType *type, const ForeJsonSlice *item)
{
  g_autofree char *server = NULL;
  g_autofree char *tool = NULL;

  if (type->tool != NULL)
    return g_strdup (type->tool);

  tool = fore_json_slice_dup_string (&item[ITEM_TOOL]);
  server = fore_json_slice_dup_string (&item[ITEM_SERVER]);

  return server != NULL && tool != NULL ? g_strconcat (server, ".", tool, NULL)
                                        : g_steal_pointer (&tool);
}

static char *
describe_title (const ForeJsonSlice *item)
{
  static const guint members[] = { ITEM_COMMAND_LINE, ITEM_QUERY, ITEM_PROMPT };

  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    {
      g_autofree char *text = fore_json_slice_dup_string (&item[members[i]]);

      if (text != NULL && text[0] != '\0')
        return fore_text_first_line (text, 160);
    }

  return fore_decoder_describe_input (&item[ITEM_ARGUMENTS]);
}

static char *
dup_input (const ForeJsonSlice *item)
{
  static const struct
  {
    guint member;
    const char *name;
  } members[] = {
    { ITEM_COMMAND_LINE, "command" },
    { ITEM_CHANGES, "changes" },
    { ITEM_QUERY, "query" },
    { ITEM_PROMPT, "prompt" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    {
      g_autofree char *json = NULL;

      if (!fore_json_slice_exists (&item[members[i].member]))
        continue;
      json = fore_json_slice_dup_json (&item[members[i].member]);
      return g_strdup_printf ("{\"%s\":%s}", members[i].name, json);
    }

  return fore_json_slice_dup_json (&item[ITEM_ARGUMENTS]);
}

static ForeEntryState
tool_state (const ForeJsonSlice *status, gboolean completed)
{
  if (fore_json_slice_equals (status, "failed") || fore_json_slice_equals (status, "declined"))
    return FORE_ENTRY_FAILED;

  return completed ? FORE_ENTRY_DONE : FORE_ENTRY_RUNNING;
}

static int
exit_code (const ForeJsonSlice *item)
{
  gint64 code = fore_json_slice_get_int (&item[ITEM_EXIT], -1);

  return (int) CLAMP (code >= 0 ? code : fore_json_slice_get_int (&item[ITEM_EXIT_CAMEL], -1), -1,
                      255);
}

static void
on_tool (ForeDecoder *decoder,
         const ItemType *type,
         const ForeJsonSlice *item,
         const char *id,
         const char *parent,
         gboolean completed)
{
  ForeEntry entry = FORE_ENTRY_INIT (FORE_ENTRY_TOOL);
  const ForeJsonSlice *output
      = &item[fore_json_slice_exists (&item[ITEM_OUTPUT]) ? ITEM_OUTPUT : ITEM_OUTPUT_CAMEL];
  g_autofree char *name = name_tool (type, item);
  g_autofree char *input = dup_input (item);
  g_autofree char *title = NULL;
  g_autofree char *text = NULL;

  if (type->kind == ITEM_CHANGE)
    text = describe_changes (&item[ITEM_CHANGES], &title);
  else if (type->kind == ITEM_COMMAND)
    text = fore_json_slice_dup_string (output);
  else
    text = describe_result (item);
  if (title == NULL)
    title = describe_title (item);
  if (text != NULL && text[0] == '\0')
    g_clear_pointer (&text, g_free);

  entry.id = (char *) id;
  entry.parent = (char *) parent;
  entry.name = name;
  entry.title = title;
  entry.input = input;
  entry.text = text;
  entry.exit_code = exit_code (item);
  entry.ms = fore_json_slice_get_int (&item[ITEM_DURATION], -1);
  entry.state = tool_state (&item[ITEM_STATUS], completed);
  fore_decoder_emit_tool (decoder, &entry);
}

void
fore_codex_on_item (ForeDecoder *decoder,
                    const ForeJsonSlice *item,
                    gboolean completed,
                    const char *parent,
                    const char *line,
                    gsize length)
{
  ForeJsonSlice values[N_ITEM];
  const ItemType *type;
  g_autofree char *id = NULL;
  g_autofree char *name = NULL;

  fore_json_slice_get_members (item, item_names, N_ITEM, values);
  id = fore_json_slice_dup_string (&values[ITEM_ID]);
  type = find_type (&values[ITEM_TYPE]);
  if (id == NULL || type == NULL)
    {
      name = fore_json_slice_dup_string (&values[ITEM_TYPE]);
      fore_decoder_emit_raw (decoder, name, line, length, FALSE);
      return;
    }

  if (type->kind == ITEM_MESSAGE)
    {
      if (completed)
        on_message (decoder, values, id, parent);
    }
  else if (type->kind == ITEM_REASONING)
    on_reasoning (decoder, values, id, parent, completed);
  else if (type->kind == ITEM_USER)
    on_user (decoder, values, id, completed);
  else if (type->kind == ITEM_TODO)
    on_todo (decoder, values);
  else if (type->kind == ITEM_ERROR)
    on_warning (decoder, values, id);
  else if (type->kind != ITEM_SILENT)
    on_tool (decoder, type, values, id, parent, completed);
}

/* The cached tokens and those written to the cache are among the input ones (OpenAI's Responses
 * API, usage.input_tokens_details).
 */
void
fore_codex_count_usage (ForeDecoder *decoder, const char *thread, const ForeJsonSlice values[4])
{
  ForeUsage counted = FORE_USAGE_INIT;

  counted.input = fore_json_slice_get_int (&values[0], FORE_USAGE_UNKNOWN);
  counted.output = fore_json_slice_get_int (&values[1], FORE_USAGE_UNKNOWN);
  counted.cache_read = fore_json_slice_get_int (&values[2], FORE_USAGE_UNKNOWN);
  counted.cache_write = fore_json_slice_get_int (&values[3], FORE_USAGE_UNKNOWN);
  if (counted.input >= 0 && counted.cache_read > 0)
    counted.input = MAX (counted.input - counted.cache_read, 0);
  if (counted.input >= 0 && counted.cache_write > 0)
    counted.input = MAX (counted.input - counted.cache_write, 0);
  if (fore_usage_get_tokens (&counted) <= 0)
    return;

  fore_decoder_set_message_usage (decoder, thread != NULL ? thread : FORE_DECODER_SESSION,
                                  &counted);
  fore_decoder_emit_usage (decoder);
}

ForeCause
fore_codex_classify (const char *message)
{
  if (message != NULL && strstr (message, "max_output_tokens") != NULL)
    return FORE_CAUSE_OUTPUT_LIMIT;

  return fore_error_text_classify (message, 0);
}

static int
find_status (const ForeJsonSlice *info)
{
  ForeJsonSlice inner, status;
  ForeJsonSliceIter iter;

  fore_json_slice_iter_init (&iter, info);
  if (info->kind != FORE_JSON_OBJECT_START || !fore_json_slice_iter_next (&iter, NULL, &inner))
    return 0;

  fore_json_slice_get_member (&inner, "httpStatusCode", &status);

  return CLAMP (fore_json_slice_get_int (&status, 0), 0, 999);
}

ForeCause
fore_codex_error_cause (const ForeJsonSlice *error, char **message)
{
  static const char *const names[] = { "message", "codexErrorInfo", "additionalDetails" };
  ForeJsonSlice values[G_N_ELEMENTS (names)];
  ForeCause cause;

  fore_json_slice_get_members (error, names, G_N_ELEMENTS (names), values);
  *message = fore_json_slice_dup_string (&values[0]);
  if (fore_json_slice_equals (&values[1], "contextWindowExceeded"))
    return FORE_CAUSE_CONTEXT;
  if (fore_json_slice_equals (&values[1], "usageLimitExceeded"))
    return FORE_CAUSE_RATE_LIMIT;
  if (fore_json_slice_equals (&values[1], "unauthorized"))
    return FORE_CAUSE_AUTH;

  cause = fore_codex_classify (*message);

  return cause == FORE_CAUSE_ERROR ? fore_error_text_classify (NULL, find_status (&values[1]))
                                   : cause;
}

void
fore_codex_on_usage (ForeDecoder *decoder, const char *thread, const ForeJsonSlice *params)
{
  static const char *const names[] = { "inputTokens", "outputTokens", "cachedInputTokens",
                                       "cacheWriteInputTokens" };
  ForeJsonSlice usage, total, values[G_N_ELEMENTS (names)];

  fore_json_slice_get_member (params, "tokenUsage", &usage);
  fore_json_slice_get_member (&usage, "total", &total);
  fore_json_slice_get_members (&total, names, G_N_ELEMENTS (names), values);
  fore_codex_count_usage (decoder, thread, values);
}

/* The window that is nearest to its end, or the one that is used up. */
void
fore_codex_on_rate_limits (ForeDecoder *decoder, const ForeJsonSlice *params)
{
  static const char *const names[] = { "primary", "secondary" };
  static const char *const window_names[] = { "usedPercent", "resetsAt" };
  ForeJsonSlice limits, windows[G_N_ELEMENTS (names)];
  double most = 0;
  gint64 reset = 0;

  fore_json_slice_get_member (params, "rateLimits", &limits);
  fore_json_slice_get_members (&limits, names, G_N_ELEMENTS (names), windows);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      ForeJsonSlice values[G_N_ELEMENTS (window_names)];
      double used;

      fore_json_slice_get_members (&windows[i], window_names, G_N_ELEMENTS (window_names), values);
      used = fore_json_slice_get_double (&values[0], 0);
      if (used > most)
        {
          most = used;
          reset = fore_json_slice_get_int (&values[1], 0);
        }
    }

  fore_decoder_take_limit (decoder, most >= 100, reset);
}
