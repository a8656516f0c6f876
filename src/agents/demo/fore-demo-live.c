/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/demo/fore-demo-live.h"
#include "platform/fore-files.h"

#include "text/fore-json.h"
#include "text/fore-line-reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SESSION "demo-session"

/* The agent's side of the Agent Client Protocol. Prompts wait in a queue; what is heard while one
 * is worked on is acted on at the next wait.
 */
struct _DemoLive
{
  DemoOutput parent;
  ForeLineReader *reader;
  GPtrArray *prompts;
  JsonNode *prompt_id;
  gboolean ended;
  gint64 asked;
  gint64 next_request;
  char *answer;
  gboolean answered;
};

typedef struct
{
  JsonNode *id;
  char *text;
} Prompt;

static void
prompt_free (gpointer data)
{
  Prompt *prompt = data;

  g_clear_pointer (&prompt->id, json_node_unref);
  g_free (prompt->text);
  g_free (prompt);
}

static JsonObject *
new_message (void)
{
  JsonObject *message = json_object_new ();

  json_object_set_string_member (message, "jsonrpc", "2.0");

  return message;
}

static void
reply (JsonNode *id, JsonObject *result)
{
  JsonObject *message = new_message ();

  json_object_set_member (message, "id", json_node_copy (id));
  json_object_set_object_member (message, "result", result);
  demo_write_json (message);
}

static void
reply_error (JsonNode *id, int code, const char *text)
{
  JsonObject *message = new_message ();
  JsonObject *error = json_object_new ();

  json_object_set_int_member (error, "code", code);
  json_object_set_string_member (error, "message", text);
  json_object_set_member (message, "id", json_node_copy (id));
  json_object_set_object_member (message, "error", error);
  demo_write_json (message);
}

static void
send_update (JsonObject *update)
{
  JsonObject *message = new_message ();
  JsonObject *params = json_object_new ();

  json_object_set_string_member (params, "sessionId", SESSION);
  json_object_set_object_member (params, "update", update);
  json_object_set_string_member (message, "method", "session/update");
  json_object_set_object_member (message, "params", params);
  demo_write_json (message);
}

static JsonObject *
new_update (const char *kind)
{
  JsonObject *update = json_object_new ();

  json_object_set_string_member (update, "sessionUpdate", kind);

  return update;
}

static JsonObject *
new_text (const char *text)
{
  JsonObject *content = json_object_new ();

  json_object_set_string_member (content, "type", "text");
  json_object_set_string_member (content, "text", text);

  return content;
}

static void
send_chunk (const char *kind, const char *id, const char *delta)
{
  JsonObject *update = new_update (kind);

  json_object_set_object_member (update, "content", new_text (delta));
  json_object_set_string_member (update, "messageId", id);
  send_update (update);
}

static void
live_text (DemoOutput *output, const char *id, const char *delta)
{
  send_chunk ("agent_message_chunk", id, delta);
}

static void
live_thinking (DemoOutput *output, const char *id, const char *delta)
{
  send_chunk ("agent_thought_chunk", id, delta);
}

static void
live_tool (DemoOutput *output, const DemoTool *tool)
{
  static const char *const statuses[] = { "in_progress", "completed", "failed" };
  gboolean first = tool->state == DEMO_TOOL_RUNNING;
  JsonObject *update = new_update (first ? "tool_call" : "tool_call_update");

  json_object_set_string_member (update, "toolCallId", tool->id);
  json_object_set_string_member (update, "status", statuses[tool->state]);
  if (first)
    {
      json_object_set_string_member (update, "title", tool->title);
      json_object_set_string_member (update, "name", tool->name);
      json_object_set_string_member (update, "kind", "other");
    }
  if (first && tool->input != NULL)
    json_object_set_object_member (update, "rawInput", json_object_ref (tool->input));
  if (tool->output != NULL)
    {
      JsonArray *contents = json_array_new ();
      JsonObject *content = json_object_new ();

      json_object_set_string_member (content, "type", "content");
      json_object_set_object_member (content, "content", new_text (tool->output));
      json_array_add_object_element (contents, content);
      json_object_set_array_member (update, "content", contents);
    }
  send_update (update);
}

/* The cost of the session so far; tokens are told with the end of the turn. */
typedef struct
{
  double cost;
  gint64 input;
  gint64 output;
} Spent;

static Spent spent;

static void
live_usage (DemoOutput *output, JsonObject *usage)
{
  JsonObject *update = new_update ("usage_update");
  JsonObject *cost = json_object_new ();

  spent.input += fore_json_get_int (usage, "input", 0);
  spent.output += fore_json_get_int (usage, "output", 0);
  spent.cost += fore_json_get_double (usage, "cost", 0);
  json_object_set_double_member (cost, "amount", spent.cost);
  json_object_set_string_member (cost, "currency", "USD");
  json_object_set_int_member (update, "used", spent.input + spent.output);
  json_object_set_int_member (update, "size", 200000);
  json_object_set_object_member (update, "cost", cost);
  send_update (update);
}

static void
live_error (DemoOutput *output, int status, const char *message)
{
  DemoLive *self = (DemoLive *) output;

  output->failed = TRUE;
  if (self->prompt_id != NULL)
    reply_error (self->prompt_id, status != 0 ? status : -32603, message);
  g_clear_pointer (&self->prompt_id, json_node_unref);
}

static void
live_finish (DemoOutput *output)
{
  DemoLive *self = (DemoLive *) output;
  JsonObject *result, *usage;

  if (self->prompt_id == NULL)
    return;

  result = json_object_new ();
  usage = json_object_new ();
  json_object_set_int_member (usage, "inputTokens", spent.input);
  json_object_set_int_member (usage, "outputTokens", spent.output);
  spent.input = spent.output = 0;
  json_object_set_string_member (result, "stopReason",
                                 output->cancelled ? "cancelled" : "end_turn");
  json_object_set_object_member (result, "usage", usage);
  reply (self->prompt_id, result);
  g_clear_pointer (&self->prompt_id, json_node_unref);
}

static void
on_initialize (JsonNode *id)
{
  JsonObject *result = json_object_new ();
  JsonObject *capabilities = json_object_new ();

  json_object_set_boolean_member (capabilities, "loadSession", FALSE);
  json_object_set_int_member (result, "protocolVersion", 1);
  json_object_set_object_member (result, "agentCapabilities", capabilities);
  reply (id, result);
}

static void
on_new_session (JsonNode *id)
{
  JsonObject *result = json_object_new ();

  json_object_set_string_member (result, "sessionId", SESSION);
  reply (id, result);
}

static void
on_prompt (DemoLive *self, JsonNode *id, JsonObject *params)
{
  JsonArray *parts = fore_json_get_array (params, "prompt");
  g_autoptr (GString) text = g_string_new (NULL);
  Prompt *prompt = g_new0 (Prompt, 1);

  for (guint i = 0; parts != NULL && i < json_array_get_length (parts); i++)
    {
      JsonNode *part = json_array_get_element (parts, i);

      if (JSON_NODE_HOLDS_OBJECT (part))
        g_string_append (text, fore_json_get_string (json_node_get_object (part), "text", ""));
    }

  prompt->id = json_node_copy (id);
  prompt->text = g_strdup (text->str);
  g_ptr_array_add (self->prompts, prompt);
}

static void
on_response (DemoLive *self, JsonObject *message)
{
  JsonObject *outcome = fore_json_get_object (fore_json_get_object (message, "result"), "outcome");

  if (fore_json_get_int (message, "id", -1) != self->asked)
    return;

  self->answered = TRUE;
  self->answer = g_strdup (fore_json_get_string (outcome, "optionId", NULL));
}

static void
on_request (DemoLive *self, const char *method, JsonNode *id, JsonObject *params)
{
  if (strcmp (method, "initialize") == 0)
    on_initialize (id);
  else if (strcmp (method, "session/new") == 0)
    on_new_session (id);
  else if (strcmp (method, "session/prompt") == 0)
    on_prompt (self, id, params);
  else
    reply_error (id, -32601, "Method not found");
}

static void
on_line (const char *line, gsize length, gint64 offset, gboolean truncated, gpointer user_data)
{
  DemoLive *self = user_data;
  g_autoptr (JsonNode) node = truncated ? NULL : fore_json_parse (line, length, NULL, NULL);
  JsonObject *message;
  const char *method;

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return;

  message = json_node_get_object (node);
  method = fore_json_get_string (message, "method", NULL);
  if (method == NULL)
    on_response (self, message);
  else if (json_object_has_member (message, "id"))
    on_request (self, method, json_object_get_member (message, "id"),
                fore_json_get_object (message, "params"));
  else if (strcmp (method, "session/cancel") == 0)
    self->parent.cancelled = TRUE;
}

/* Waits for something to be said, at most ms (-1 for ever), and hears it. */
static void
listen_for (DemoLive *self, gint64 ms)
{
  char buffer[65536];
  gssize n;

  if (self->ended)
    {
      g_usleep (MAX (ms, 0) * 1000);
      return;
    }

  if (!fore_file_wait (STDIN_FILENO, (int) MIN (ms, G_MAXINT)))
    return;

  n = read (STDIN_FILENO, buffer, sizeof buffer);
  if (n > 0)
    fore_line_reader_feed (self->reader, buffer, n, on_line, self);
  else if (n == 0 || errno != EINTR)
    self->ended = TRUE;
}

static void
live_wait (DemoOutput *output, gint64 ms)
{
  DemoLive *self = (DemoLive *) output;
  gint64 end = g_get_monotonic_time () + ms * 1000;
  gint64 left;

  do
    {
      left = MAX (end - g_get_monotonic_time (), 0);
      listen_for (self, (left + 999) / 1000);
    }
  while (left > 0 && !output->cancelled);

  /* Nobody listens any more: an agent at work leaves then. */
  if (self->ended)
    _exit (0);
}

static JsonArray *
protocol_options (JsonArray *options)
{
  JsonArray *result = json_array_new ();

  for (guint i = 0; i < json_array_get_length (options); i++)
    {
      JsonObject *option = json_array_get_object_element (options, i);
      JsonObject *copy = json_object_new ();

      json_object_set_string_member (copy, "optionId", fore_json_get_string (option, "id", ""));
      json_object_set_string_member (copy, "name", fore_json_get_string (option, "name", ""));
      json_object_set_string_member (copy, "kind",
                                     fore_json_get_string (option, "kind", "allow_once"));
      json_array_add_object_element (result, copy);
    }

  return result;
}

static JsonObject *
describe_call (JsonObject *question, const char *id)
{
  const char *tool = fore_json_get_string (question, "tool", NULL);
  JsonObject *input = fore_json_get_object (question, "input");
  JsonObject *call = json_object_new ();

  json_object_set_string_member (call, "toolCallId", id);
  json_object_set_string_member (call, "title", fore_json_get_string (question, "title", ""));
  if (tool != NULL)
    json_object_set_string_member (call, "kind", tool);
  if (input != NULL)
    json_object_set_object_member (call, "rawInput", json_object_ref (input));

  return call;
}

static char *
live_ask (DemoOutput *output, JsonObject *question)
{
  DemoLive *self = (DemoLive *) output;
  JsonObject *message = new_message ();
  JsonObject *params = json_object_new ();
  JsonArray *options = fore_json_get_array (question, "options");
  g_autofree char *call_id = g_strdup_printf ("ask-%" G_GINT64_FORMAT, self->next_request);

  self->asked = self->next_request++;
  self->answered = FALSE;
  g_clear_pointer (&self->answer, g_free);

  json_object_set_string_member (params, "sessionId", SESSION);
  json_object_set_object_member (params, "toolCall", describe_call (question, call_id));
  json_object_set_array_member (params, "options", protocol_options (options));
  json_object_set_int_member (message, "id", self->asked);
  json_object_set_string_member (message, "method", "session/request_permission");
  json_object_set_object_member (message, "params", params);
  demo_write_json (message);

  while (!self->answered && !output->cancelled && !self->ended)
    listen_for (self, -1);

  return g_steal_pointer (&self->answer);
}

/* The next thing to work on; NULL when nobody will say anything more. */
char *
demo_live_next_prompt (DemoLive *self)
{
  g_autofree Prompt *prompt = NULL;

  while (self->prompts->len == 0 && !self->ended)
    listen_for (self, -1);
  if (self->prompts->len == 0)
    return NULL;

  prompt = g_ptr_array_steal_index (self->prompts, 0);
  g_clear_pointer (&self->prompt_id, json_node_unref);
  self->prompt_id = prompt->id;
  self->parent.cancelled = FALSE;
  self->parent.failed = FALSE;

  return prompt->text;
}

static void
live_free (DemoOutput *output)
{
  DemoLive *self = (DemoLive *) output;

  fore_line_reader_free (self->reader);
  g_ptr_array_unref (self->prompts);
  g_clear_pointer (&self->prompt_id, json_node_unref);
  g_free (self->answer);
  g_free (self);
}

DemoLive *
demo_live_new (void)
{
  DemoLive *self = g_new0 (DemoLive, 1);

  self->reader = fore_line_reader_new (FORE_LINE_FOLD);
  self->prompts = g_ptr_array_new_with_free_func (prompt_free);
  self->asked = -1;
  self->parent.text = live_text;
  self->parent.thinking = live_thinking;
  self->parent.tool = live_tool;
  self->parent.usage = live_usage;
  self->parent.error = live_error;
  self->parent.finish = live_finish;
  self->parent.ask = live_ask;
  self->parent.wait = live_wait;
  self->parent.free = live_free;

  return self;
}
