/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/demo/fore-demo-output.h"

#include "text/fore-json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct
{
  DemoOutput parent;
  const char *model;
  gboolean begun;
  guint usages;
} DemoLines;

/* Without a reader there is nothing left to do. */
void
demo_write (const char *data, gsize length)
{
  while (length > 0)
    {
      gssize n = write (STDOUT_FILENO, data, length);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        _exit (1);
      data += n;
      length -= n;
    }
}

void
demo_write_json (JsonObject *object)
{
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), object);
  g_autofree char *text = fore_json_to_string (node, FALSE);
  g_autofree char *line = g_strconcat (text, "\n", NULL);

  demo_write (line, strlen (line));
  json_object_unref (object);
}

/* The session is told before anything else, but not by an agent that says nothing at all. */
static JsonObject *
new_event (DemoLines *self, const char *type)
{
  JsonObject *event = json_object_new ();

  if (!self->begun)
    {
      JsonObject *session = json_object_new ();
      g_autofree char *id = g_strdup_printf ("demo-%d", (int) getpid ());

      self->begun = TRUE;
      json_object_set_string_member (session, "type", "session");
      json_object_set_string_member (session, "id", id);
      json_object_set_string_member (session, "model", self->model);
      demo_write_json (session);
    }

  json_object_set_string_member (event, "type", type);

  return event;
}

static void
write_delta (DemoLines *self, const char *type, const char *id, const char *delta)
{
  JsonObject *event = new_event (self, type);

  json_object_set_string_member (event, "id", id);
  json_object_set_string_member (event, "delta", delta);
  demo_write_json (event);
}

static void
lines_text (DemoOutput *output, const char *id, const char *delta)
{
  write_delta ((DemoLines *) output, "text", id, delta);
}

static void
lines_thinking (DemoOutput *output, const char *id, const char *delta)
{
  write_delta ((DemoLines *) output, "thinking", id, delta);
}

static void
lines_tool (DemoOutput *output, const DemoTool *tool)
{
  static const char *const states[] = { "running", "done", "failed" };
  JsonObject *event = new_event ((DemoLines *) output, "tool");

  json_object_set_string_member (event, "id", tool->id);
  json_object_set_string_member (event, "name", tool->name);
  json_object_set_string_member (event, "title", tool->title);
  json_object_set_string_member (event, "state", states[tool->state]);
  if (tool->input != NULL)
    json_object_set_object_member (event, "input", json_object_ref (tool->input));
  if (tool->output != NULL)
    json_object_set_string_member (event, "output", tool->output);
  if (tool->exit_code >= 0)
    json_object_set_int_member (event, "exit", tool->exit_code);
  if (tool->state != DEMO_TOOL_RUNNING)
    json_object_set_int_member (event, "ms", tool->ms);
  demo_write_json (event);
}

static void
lines_usage (DemoOutput *output, JsonObject *usage)
{
  DemoLines *self = (DemoLines *) output;
  JsonObject *event = new_event (self, "usage");
  g_autofree char *id = g_strdup_printf ("call-%u", ++self->usages);

  json_object_set_string_member (event, "id", id);
  json_object_set_object_member (event, "usage", json_object_ref (usage));
  demo_write_json (event);
}

static void
lines_error (DemoOutput *output, int status, const char *message)
{
  JsonObject *event = new_event ((DemoLines *) output, "error");

  output->failed = TRUE;
  if (status != 0)
    json_object_set_int_member (event, "status", status);
  json_object_set_string_member (event, "message", message);
  demo_write_json (event);
}

static void
lines_limit (DemoOutput *output, gint64 reset_seconds)
{
  JsonObject *event = new_event ((DemoLines *) output, "limit");

  json_object_set_int_member (event, "reset", reset_seconds);
  demo_write_json (event);
}

static void
lines_finish (DemoOutput *output)
{
  JsonObject *event = new_event ((DemoLines *) output, "result");

  json_object_set_string_member (event, "state", output->failed ? "failed" : "completed");
  demo_write_json (event);
}

/* Nobody can answer a one-shot agent: the first option counts. */
static char *
lines_ask (DemoOutput *output, JsonObject *question)
{
  JsonArray *options = fore_json_get_array (question, "options");
  JsonObject *first = json_array_get_length (options) > 0
                          ? json_array_get_object_element (options, 0)
                          : NULL;

  return g_strdup (fore_json_get_string (first, "id", NULL));
}

static void
lines_wait (DemoOutput *output, gint64 ms)
{
  g_usleep (ms * 1000);
}

static void
lines_free (DemoOutput *output)
{
  g_free (output);
}

DemoOutput *
demo_lines_new (const char *model)
{
  DemoLines *self = g_new0 (DemoLines, 1);

  self->model = model;
  self->parent.text = lines_text;
  self->parent.thinking = lines_thinking;
  self->parent.tool = lines_tool;
  self->parent.usage = lines_usage;
  self->parent.error = lines_error;
  self->parent.limit = lines_limit;
  self->parent.finish = lines_finish;
  self->parent.ask = lines_ask;
  self->parent.wait = lines_wait;
  self->parent.free = lines_free;

  return &self->parent;
}
