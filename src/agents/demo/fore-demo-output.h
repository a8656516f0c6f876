/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

typedef enum
{
  DEMO_TOOL_RUNNING,
  DEMO_TOOL_DONE,
  DEMO_TOOL_FAILED,
} DemoToolState;

/**
 * DemoTool:
 * @id: id of the call
 * @name: read, grep, edit, write, bash, …
 * @title: one line
 * @input: (nullable): what it is called with
 * @output: (nullable): what it gave
 * @exit_code: exit code of a command, or -1
 * @ms: how long it took
 */
typedef struct
{
  char *id;
  const char *name;
  const char *title;
  JsonObject *input;
  const char *output;
  DemoToolState state;
  int exit_code;
  gint64 ms;
} DemoTool;

/**
 * DemoOutput:
 *
 * How the scripted agent speaks: as lines of JSON or as an agent of the Agent Client Protocol.
 * @ask: shows a choice and waits; returns the id of the option, %NULL if it was cancelled.
 * @limit: (nullable): says that a rate limit is reached and when it ends, in seconds since 1970.
 * @wait: lets time go by, hearing what is said meanwhile.
 */
typedef struct _DemoOutput DemoOutput;
struct _DemoOutput
{
  void (*text) (DemoOutput *output, const char *id, const char *delta);
  void (*thinking) (DemoOutput *output, const char *id, const char *delta);
  void (*tool) (DemoOutput *output, const DemoTool *tool);
  void (*usage) (DemoOutput *output, JsonObject *usage);
  void (*error) (DemoOutput *output, int status, const char *message);
  void (*limit) (DemoOutput *output, gint64 reset_seconds);
  void (*finish) (DemoOutput *output);
  /* @question: title, options, and the tool that it is about: tool, input */
  char *(*ask) (DemoOutput *output, JsonObject *question);
  void (*wait) (DemoOutput *output, gint64 ms);
  void (*free) (DemoOutput *output);
  gboolean cancelled;
  gboolean failed;
};

void demo_write (const char *data, gsize length);
void demo_write_json (JsonObject *object);

DemoOutput *demo_lines_new (const char *model);

G_END_DECLS
