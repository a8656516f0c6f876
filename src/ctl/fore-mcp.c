/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ctl/fore-mcp.h"

#include "text/fore-json.h"

#include <string.h>

#define MAX_DEPTH 32
#define MAX_LINE (1024 * 1024)

/* JSON-RPC 2.0, section 5.1. */
#define PARSE_ERROR (-32700)
#define INVALID_REQUEST (-32600)
#define METHOD_NOT_FOUND (-32601)
#define INVALID_PARAMS (-32602)

/* The newest first; a client that wants another is offered it. */
static const char *const versions[] = { "2025-06-18", "2025-03-26", "2024-11-05" };

#define READ_ONLY "\"annotations\":{\"readOnlyHint\":true,\"openWorldHint\":false}"

static const char tools[]
    = "{\"tools\":[{\"name\":\"ask\",\"description\":\"Ask the person who directs this run, and "
      "wait "
      "for the answer. Only what you cannot find out or decide yourself.\"," READ_ONLY
      ",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"question\":{\"type\":\"string\"},"
      "\"options\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"description\":\"Answers "
      "to "
      "choose from\"}},\"required\":[\"question\"]}},{\"name\":\"submit_result\",\"description\":"
      "\"Hand in the result of your task. Those who build on it read this text.\"," READ_ONLY
      ",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"result\":{\"type\":\"string\"}},"
      "\"required\":[\"result\"]}},{\"name\":\"delegate\",\"description\":\"Give a part of your "
      "task to a helper: another agent, who starts from the same files as you did. Waits for its "
      "result. The same task again waits for the same helper.\"," READ_ONLY
      ",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"task\":{\"type\":\"string\","
      "\"description\":\"All that the helper has to know\"},\"role\":{\"type\":\"string\","
      "\"description\":\"A role of the team; yours if left out\"},\"detach\":{\"type\":\"boolean\","
      "\"description\":\"Get its name at once, and wait for it later with "
      "join_helpers\"}},\"required\":[\"task\"]}},"
      "{\"name\":\"submit_plan\",\"description\":\"Hand in the plan that you were asked for; what "
      "is "
      "wrong with it is said at once.\"," READ_ONLY
      ",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"plan\":{\"type\":\"object\","
      "\"description\":\"title, summary and items, as your instructions describe it\"}},"
      "\"required\":[\"plan\"]}},"
      "{\"name\":\"send_mail\",\"description\":\"Write to another task of the run, to all of them "
      "or "
      "to the person, without waiting. What they may need to know before you are done.\"," READ_ONLY
      ",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"to\":{\"type\":\"string\","
      "\"description\":\"Name of a task, all, or person\"},\"text\":{\"type\":\"string\"}},"
      "\"required\":[\"to\",\"text\"]}},{\"name\":\"read_mail\",\"description\":\"Read what others "
      "wrote to you since you last looked.\"," READ_ONLY
      ",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"wait\":{\"type\":\"boolean\","
      "\"description\":\"Wait until there is some\"}}}},{\"name\":\"join_helpers\",\"description\":"
      "\"Wait for helpers that you asked for with detach.\"," READ_ONLY
      ",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"helpers\":{\"type\":\"array\","
      "\"items\":{\"type\":\"string\"}},\"any\":{\"type\":\"boolean\",\"description\":\"Wait for "
      "the first of them only\"}},\"required\":[\"helpers\"]}}]}";

static const struct
{
  const char *name;
  const char *argument;
} tool_table[] = { { "ask", "question" },     { "submit_result", "result" }, { "delegate", "task" },
                   { "submit_plan", "plan" }, { "send_mail", "text" },       { "read_mail", NULL },
                   { "join_helpers", NULL } };

struct _ForeMcp
{
  ForeMcpCallFunc call;
  ForeMcpCancelFunc cancel;
  ForeMcpSendFunc send;
  gpointer user_data;
};

struct _ForeMcpReply
{
  char *id;
};

/**
 * fore_mcp_new:
 * @call: carries tools out
 * @cancel: leaves off
 * @send: sends lines
 * @user_data: data for all
 *
 * Returns: (transfer full): a server that has heard nothing
 */
ForeMcp *
fore_mcp_new (ForeMcpCallFunc call,
              ForeMcpCancelFunc cancel,
              ForeMcpSendFunc send,
              gpointer user_data)
{
  ForeMcp *self;

  g_return_val_if_fail (call != NULL && cancel != NULL && send != NULL, NULL);

  self = g_new0 (ForeMcp, 1);
  self->call = call;
  self->cancel = cancel;
  self->send = send;
  self->user_data = user_data;

  return self;
}

/**
 * fore_mcp_free:
 * @self: (nullable): a server
 */
void
fore_mcp_free (ForeMcp *self)
{
  g_free (self);
}

static char *
quote (const char *text)
{
  g_autoptr (JsonNode) node = json_node_init_string (json_node_alloc (), text);

  return fore_json_to_string (node, FALSE);
}

static char *
build_error (const char *id, int code, const char *message)
{
  g_autofree char *quoted = quote (message);

  return g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":%d,\"message\":%s}}",
                          id, code, quoted);
}

static void
send_error (ForeMcp *self, const char *id, int code, const char *message)
{
  g_autofree char *line = build_error (id, code, message);

  self->send (line, self->user_data);
}

static void
send_result (ForeMcp *self, const char *id, const char *result)
{
  g_autofree char *line = g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}", id,
                                           result);

  self->send (line, self->user_data);
}

/**
 * fore_mcp_reply_get_id:
 * @reply: a call that is not answered yet
 *
 * Returns: (transfer none): its id as JSON
 */
const char *
fore_mcp_reply_get_id (ForeMcpReply *reply)
{
  g_return_val_if_fail (reply != NULL, NULL);

  return reply->id;
}

/**
 * fore_mcp_reply_free:
 * @reply: (nullable): a call that nobody waits for
 */
void
fore_mcp_reply_free (ForeMcpReply *reply)
{
  if (reply == NULL)
    return;

  g_free (reply->id);
  g_free (reply);
}

/**
 * fore_mcp_reply:
 * @reply: (transfer full): the call that is answered
 * @text: what came of it
 * @failed: whether it failed
 *
 * Returns: (transfer full): the line to send; any thread
 */
char *
fore_mcp_reply (ForeMcpReply *reply, const char *text, gboolean failed)
{
  g_autofree char *quoted = NULL;
  char *line;

  g_return_val_if_fail (reply != NULL && text != NULL, NULL);

  quoted = quote (text);
  line = g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[{\"type\":"
                          "\"text\",\"text\":%s}],\"isError\":%s}}",
                          reply->id, quoted, failed ? "true" : "false");
  fore_mcp_reply_free (reply);

  return line;
}

static void
initialize (ForeMcp *self, const char *id, JsonObject *params)
{
  const char *wanted = params != NULL ? fore_json_get_string (params, "protocolVersion", NULL)
                                      : NULL;
  const char *version = versions[0];
  g_autofree char *result = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (versions); i++)
    {
      if (g_strcmp0 (versions[i], wanted) == 0)
        version = versions[i];
    }

  result = g_strdup_printf ("{\"protocolVersion\":\"%s\",\"capabilities\":{\"tools\":{}},"
                            "\"serverInfo\":{\"name\":\"foredeck\",\"version\":\"" FORE_VERSION
                            "\"}}",
                            version);
  send_result (self, id, result);
}

static GStrv
dup_options (const char *name, JsonObject *arguments)
{
  const char *role = arguments != NULL ? fore_json_get_string (arguments, "role", "") : "";
  const char *to = arguments != NULL ? fore_json_get_string (arguments, "to", "") : "";
  gboolean detach = arguments != NULL && fore_json_get_bool (arguments, "detach", FALSE);
  const char *const helper[] = { role, detach ? "detach" : NULL, NULL };
  const char *const mail[] = { to, NULL };

  if (arguments == NULL)
    return NULL;
  if (strcmp (name, "delegate") == 0)
    return g_strdupv ((char **) helper);
  if (strcmp (name, "send_mail") == 0)
    return g_strdupv ((char **) mail);

  return fore_json_dup_strv (arguments, strcmp (name, "ask") == 0 ? "options" : "helpers");
}

/* A plan is an object, which stands in a file as it stands among the arguments; what has no text of
 * its own says how it is meant.
 */
static char *
dup_text (const char *name, const char *argument, JsonObject *arguments)
{
  g_autoptr (JsonNode) node = NULL;

  if (strcmp (name, "read_mail") == 0)
    return g_strdup (arguments != NULL && fore_json_get_bool (arguments, "wait", FALSE) ? "wait"
                                                                                        : "now");
  if (arguments == NULL)
    return NULL;
  if (argument == NULL)
    return g_strdup (fore_json_get_bool (arguments, "any", FALSE) ? "any" : "all");
  if (strcmp (argument, "plan") != 0 || fore_json_get_object (arguments, argument) == NULL)
    return g_strdup (fore_json_get_string (arguments, argument, NULL));

  node = json_node_init_object (json_node_alloc (), arguments);
  return fore_json_to_string (node, FALSE);
}

static void
call_tool (ForeMcp *self, const char *id, JsonObject *params)
{
  const char *name = params != NULL ? fore_json_get_string (params, "name", NULL) : NULL;
  JsonObject *arguments = params != NULL ? fore_json_get_object (params, "arguments") : NULL;
  g_auto (GStrv) options = NULL;
  g_autofree char *text = NULL;
  ForeMcpReply *reply;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (tool_table) && g_strcmp0 (tool_table[i].name, name) != 0; i++)
    continue;
  if (i == G_N_ELEMENTS (tool_table))
    {
      send_error (self, id, INVALID_PARAMS, "There is no such tool");
      return;
    }

  text = dup_text (name, tool_table[i].argument, arguments);
  if (text == NULL || text[0] == '\0')
    {
      send_error (self, id, INVALID_PARAMS, "The tool needs its text");
      return;
    }

  options = dup_options (name, arguments);
  reply = g_new0 (ForeMcpReply, 1);
  reply->id = g_strdup (id);
  self->call (name, text, (const char *const *) options, reply, self->user_data);
}

static void
take_request (ForeMcp *self, const char *method, const char *id, JsonObject *params)
{
  if (strcmp (method, "initialize") == 0)
    initialize (self, id, params);
  else if (strcmp (method, "ping") == 0)
    send_result (self, id, "{}");
  else if (strcmp (method, "tools/list") == 0)
    send_result (self, id, tools);
  else if (strcmp (method, "tools/call") == 0)
    call_tool (self, id, params);
  else
    send_error (self, id, METHOD_NOT_FOUND, "There is no such method");
}

/* A number or a string, to be sent back as it is. */
static char *
dup_id (JsonObject *object, const char *member)
{
  JsonNode *node = json_object_get_member (object, member);

  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node)
      || json_node_get_value_type (node) == G_TYPE_BOOLEAN)
    return NULL;

  return fore_json_to_string (node, FALSE);
}

/* https://modelcontextprotocol.io/specification/2025-06-18/basic/utilities/cancellation; one that
 * does not wait for ever gives “Request timed out” as its reason, as the SDK of the protocol does.
 */
static void
take_notification (ForeMcp *self, const char *method, JsonObject *params)
{
  g_autofree char *id = NULL;
  g_autofree char *reason = NULL;

  if (strcmp (method, "notifications/cancelled") != 0 || params == NULL)
    return;

  id = dup_id (params, "requestId");
  reason = g_utf8_strdown (fore_json_get_string (params, "reason", ""), -1);
  if (id != NULL)
    self->cancel (id, strstr (reason, "timed out") != NULL, self->user_data);
}

/**
 * fore_mcp_take:
 * @self: a server
 * @line: what the client said
 * @length: bytes of @line
 * @truncated: whether @line is only the beginning
 *
 * Answers a request; of notifications only a cancellation is heard, and answers are passed over.
 */
void
fore_mcp_take (ForeMcp *self, const char *line, gsize length, gboolean truncated)
{
  const ForeJsonLimits limits = { MAX_DEPTH, MAX_LINE };
  g_autoptr (JsonNode) node = NULL;
  g_autofree char *id = NULL;
  JsonObject *object;
  const char *method;

  g_return_if_fail (self != NULL && line != NULL);

  if (!truncated && length == 0)
    return;
  if (!truncated)
    node = fore_json_parse (line, (gssize) length, &limits, NULL);
  if (node == NULL)
    {
      send_error (self, "null", PARSE_ERROR, "This is no JSON, or too much of it");
      return;
    }
  if (!JSON_NODE_HOLDS_OBJECT (node))
    {
      send_error (self, "null", INVALID_REQUEST, "One request a line, please");
      return;
    }

  object = json_node_get_object (node);
  method = fore_json_get_string (object, "method", NULL);
  id = dup_id (object, "id");
  if (method != NULL && id != NULL)
    take_request (self, method, id, fore_json_get_object (object, "params"));
  else if (method != NULL && !json_object_has_member (object, "id"))
    take_notification (self, method, fore_json_get_object (object, "params"));
  else if (method == NULL && !json_object_has_member (object, "result")
           && !json_object_has_member (object, "error"))
    send_error (self, id != NULL ? id : "null", INVALID_REQUEST, "A request needs a method");
}
