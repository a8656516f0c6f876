/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/demo/fore-demo-player.h"

#include "text/fore-json.h"

#include <string.h>

#define CHUNK_CHARS 18
#define CHUNK_MS 45

static void play_steps (DemoPlayer *player, JsonArray *steps);

void
demo_player_wait (DemoPlayer *player, gint64 ms)
{
  if (player->speed > 0)
    player->output->wait (player->output, MIN (ms / player->speed, G_MAXINT));
  else
    player->output->wait (player->output, 0);
}

/* Length of the next piece of the text: whole words, as models stream them. */
static gsize
chunk_length (const char *text)
{
  gsize length = strlen (text);
  gsize end = MIN (length, CHUNK_CHARS);

  while (end < length && text[end] != ' ' && text[end] != '\n')
    end++;

  return end;
}

static void
stream_text (DemoPlayer *player, const char *text, gboolean thinking)
{
  g_autofree char *id = g_strdup_printf ("%s-%u", thinking ? "thought" : "text", ++player->next_id);

  while (*text != '\0' && !player->output->cancelled)
    {
      gsize length = player->speed > 0 ? chunk_length (text) : strlen (text);
      g_autofree char *chunk = g_strndup (text, length);

      if (thinking)
        player->output->thinking (player->output, id, chunk);
      else
        player->output->text (player->output, id, chunk);
      text += length;
      demo_player_wait (player, CHUNK_MS);
    }
}

/* A plan ends the answer as a block of JSON, as the crew's planner is told to write it. */
static void
say_plan (DemoPlayer *player, JsonObject *arguments)
{
  g_autoptr (JsonObject) wrapped = json_object_new ();
  g_autoptr (JsonNode) node = NULL;
  g_autofree char *json = NULL;
  g_autofree char *text = NULL;

  json_object_set_object_member (wrapped, "plan", json_object_ref (arguments));
  node = json_node_init_object (json_node_alloc (), wrapped);
  json = fore_json_to_string (node, TRUE);
  text = g_strdup_printf ("%s\n\n```json\n%s\n```\n",
                          fore_json_get_string (arguments, "summary", ""), json);
  stream_text (player, text, FALSE);
}

static void
ask (DemoPlayer *player, JsonObject *arguments)
{
  g_autofree char *answer = NULL;
  JsonArray *steps;

  if (fore_json_get_array (arguments, "options") == NULL)
    return;

  answer = player->output->ask (player->output, arguments);
  if (answer == NULL)
    return;

  steps = fore_json_get_array (fore_json_get_object (arguments, "then"), answer);
  if (steps != NULL)
    play_steps (player, steps);
}

static void
stall (DemoPlayer *player)
{
  while (!player->output->cancelled)
    player->output->wait (player->output, 60 * 1000);
}

static void
play_object (DemoPlayer *player, const char *name, JsonObject *arguments)
{
  if (strcmp (name, "grep") == 0)
    demo_tool_grep (player, arguments);
  else if (strcmp (name, "write") == 0)
    demo_tool_write (player, arguments);
  else if (strcmp (name, "edit") == 0)
    demo_tool_edit (player, arguments);
  else if (strcmp (name, "plan") == 0)
    say_plan (player, arguments);
  else if (strcmp (name, "ask") == 0)
    ask (player, arguments);
  else if (strcmp (name, "spend") == 0)
    player->output->usage (player->output, arguments);
  else if (strcmp (name, "fail") == 0)
    demo_fail (player, arguments);
}

static void
play_string (DemoPlayer *player, const char *name, const char *value)
{
  if (strcmp (name, "say") == 0)
    stream_text (player, value, FALSE);
  else if (strcmp (name, "think") == 0)
    stream_text (player, value, TRUE);
  else if (strcmp (name, "read") == 0)
    demo_tool_read (player, value);
  else if (strcmp (name, "list") == 0)
    demo_tool_list (player, value);
}

static void
play_number (DemoPlayer *player, const char *name, gint64 value)
{
  if (strcmp (name, "sleep") == 0)
    demo_player_wait (player, value);
  else if (strcmp (name, "long-line") == 0)
    demo_write_long_line (value);
  else if (strcmp (name, "brackets") == 0)
    demo_write_brackets (value);
}

static void
play_flag (DemoPlayer *player, const char *name)
{
  if (strcmp (name, "stall") == 0)
    stall (player);
  else if (strcmp (name, "endless") == 0)
    demo_write_endless ();
  else if (strcmp (name, "stubborn") == 0)
    demo_be_stubborn ();
}

static void
play_step (DemoPlayer *player, const char *name, JsonNode *value)
{
  if (JSON_NODE_HOLDS_OBJECT (value))
    play_object (player, name, json_node_get_object (value));
  else if (JSON_NODE_HOLDS_ARRAY (value) && strcmp (name, "run") == 0)
    demo_tool_run (player, json_node_get_array (value));
  else if (JSON_NODE_HOLDS_NULL (value) || JSON_NODE_HOLDS_ARRAY (value))
    return;
  else if (json_node_get_value_type (value) == G_TYPE_STRING)
    play_string (player, name, json_node_get_string (value));
  else if (json_node_get_value_type (value) == G_TYPE_INT64)
    play_number (player, name, json_node_get_int (value));
  else if (json_node_get_value_type (value) == G_TYPE_BOOLEAN && json_node_get_boolean (value))
    play_flag (player, name);
}

static void
play_steps (DemoPlayer *player, JsonArray *steps)
{
  for (guint i = 0; i < json_array_get_length (steps); i++)
    {
      JsonNode *step = json_array_get_element (steps, i);
      JsonObjectIter iter;
      const char *name;
      JsonNode *value;

      if (player->output->cancelled || player->output->failed)
        return;
      if (!JSON_NODE_HOLDS_OBJECT (step))
        continue;

      json_object_iter_init_ordered (&iter, json_node_get_object (step));
      if (json_object_iter_next_ordered (&iter, &name, &value))
        play_step (player, name, value);
    }
}

/* Plays a script to its end, or until it fails or is cancelled. */
void
demo_player_play (DemoPlayer *player, JsonArray *steps)
{
  g_return_if_fail (player != NULL && player->output != NULL);

  if (steps != NULL)
    play_steps (player, steps);
}
