/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/script/fore-script-output.h"

#include "text/fore-json.h"
#include "text/fore-plain-line.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define TITLE_CHARS 100

/* Without a reader there is nothing left to do. */
static void
write_line (JsonObject *object)
{
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), object);
  g_autofree char *text = fore_json_to_string (node, FALSE);
  g_autofree char *line = g_strconcat (text, "\n", NULL);
  gsize length = strlen (line);

  json_object_unref (object);
  for (const char *at = line; length > 0;)
    {
      gssize n = write (STDOUT_FILENO, at, length);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        _exit (1);
      at += n;
      length -= (gsize) n;
    }
}

static JsonObject *
new_line (const char *type)
{
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "type", type);

  return object;
}

/**
 * fore_script_output_text:
 * @text: what the script says to whoever reads along
 */
void
fore_script_output_text (const char *text)
{
  JsonObject *object = new_line ("text");

  fore_json_set_text (object, "text", text);
  write_line (object);
}

/* What a call is about, in a line. */
static char *
dup_title (JsonObject *call)
{
  static const char *const members[] = { "title", "name", "text", "pattern" };

  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    {
      const char *text = fore_json_get_string (call, members[i], NULL);

      if (text != NULL && *text != '\0')
        return fore_plain_line_dup (text, TITLE_CHARS);
    }

  return NULL;
}

static JsonObject *
new_call (const char *path, JsonNode *call, const char *state)
{
  JsonObject *object = new_line ("tool");
  JsonObject *said = json_node_get_object (call);
  g_autofree char *title = dup_title (said);

  json_object_set_string_member (object, "id", path);
  json_object_set_string_member (object, "name", fore_json_get_string (said, "do", "call"));
  if (title != NULL)
    json_object_set_string_member (object, "title", title);
  json_object_set_string_member (object, "state", state);

  return object;
}

/**
 * fore_script_output_call:
 * @path: which call
 * @call: what it says, JSON
 */
void
fore_script_output_call (const char *path, const char *call)
{
  g_autoptr (JsonNode) node = fore_json_parse (call, -1, NULL, NULL);
  JsonObject *object = new_call (path, node, "running");

  json_object_set_member (object, "input", json_node_copy (node));
  write_line (object);
}

/* What a task said is read there; here it is enough to know that it did. */
static char *
dup_outcome (const char *reply)
{
  g_autoptr (JsonNode) node = fore_json_parse (reply, -1, NULL, NULL);
  JsonObject *object = node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node)
                                                                     : NULL;
  const char *text = object != NULL ? fore_json_get_string (object, "text", NULL) : NULL;

  return g_strdup (text != NULL ? text : reply);
}

/**
 * fore_script_output_answer:
 * @path: which call
 * @call: what it says, JSON
 * @refused: whether it was refused
 * @reply: the answer
 * @is_new: whether nobody was answered so before
 */
void
fore_script_output_answer (
    const char *path, const char *call, gboolean refused, const char *reply, gboolean is_new)
{
  g_autoptr (JsonNode) node = fore_json_parse (call, -1, NULL, NULL);
  JsonObject *object = new_call (path, node, refused ? "failed" : "done");
  g_autofree char *outcome = is_new ? dup_outcome (reply) : g_strdup ("(known from before)");

  fore_json_set_text (object, "output", outcome);
  write_line (object);
}

/**
 * fore_script_output_result:
 * @text: the script's result
 */
void
fore_script_output_result (const char *text)
{
  JsonObject *object = new_line ("result");

  fore_json_set_text (object, "text", text);
  write_line (object);
}

/**
 * fore_script_output_error:
 * @message: why the script failed, with its line
 */
void
fore_script_output_error (const char *message)
{
  JsonObject *object = new_line ("error");

  fore_json_set_text (object, "message", message);
  write_line (object);
}
