/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/demo/fore-demo-player.h"

#include "text/fore-json.h"
#include "text/fore-text.h"

#include <gio/gio.h>
#include <string.h>

#define SHOWN_BYTES 8000
#define TOOL_MS 350

static void
begin_tool (DemoPlayer *player, DemoTool *tool, const char *name, const char *title)
{
  tool->id = g_strdup_printf ("call-%u", ++player->next_id);
  tool->name = name;
  tool->title = title;
  tool->exit_code = -1;
  tool->state = DEMO_TOOL_RUNNING;
  tool->ms = g_get_monotonic_time ();
  player->output->tool (player->output, tool);
  demo_player_wait (player, TOOL_MS);
}

static void
end_tool (DemoPlayer *player, DemoTool *tool, gboolean success, const char *result)
{
  tool->state = success ? DEMO_TOOL_DONE : DEMO_TOOL_FAILED;
  tool->output = result;
  tool->ms = (g_get_monotonic_time () - tool->ms) / 1000;
  player->output->tool (player->output, tool);
  g_clear_pointer (&tool->input, json_object_unref);
  g_free (tool->id);
}

static JsonObject *
new_input (const char *member, const char *value)
{
  JsonObject *input = json_object_new ();

  json_object_set_string_member (input, member, value);

  return input;
}

/* Only inside of the folder that it works in, as a careful agent would. */
static gboolean
is_inside (const char *path)
{
  g_autofree char *whole = g_canonicalize_filename (path, "/tree");

  return g_str_has_prefix (whole, "/tree/") || strcmp (whole, "/tree") == 0;
}

static char *
load_text (const char *path, GError **error)
{
  g_autofree char *data = NULL;
  gsize length;

  if (!is_inside (path))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED, "%s is outside of the tree",
                   path);
      return NULL;
    }

  if (!g_file_get_contents (path, &data, &length, error))
    return NULL;

  return fore_text_make_valid (data, length);
}

void
demo_tool_read (DemoPlayer *player, const char *path)
{
  DemoTool tool = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  tool.input = new_input ("path", path);
  begin_tool (player, &tool, "read", path);
  text = load_text (path, &error);
  end_tool (player, &tool, text != NULL, text != NULL ? text : error->message);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static char *
list_folder (const char *path, GError **error)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, error);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  GString *text;
  const char *name;

  if (dir == NULL)
    return NULL;

  while ((name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);

  text = g_string_new (NULL);
  for (guint i = 0; i < names->len; i++)
    g_string_append_printf (text, "%s\n", (char *) g_ptr_array_index (names, i));

  return g_string_free (text, FALSE);
}

void
demo_tool_list (DemoPlayer *player, const char *path)
{
  DemoTool tool = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  tool.input = new_input ("path", path);
  begin_tool (player, &tool, "ls", path);
  text = list_folder (path, &error);
  end_tool (player, &tool, text != NULL, text != NULL ? text : error->message);
}

void
demo_tool_grep (DemoPlayer *player, JsonObject *arguments)
{
  const char *pattern = fore_json_get_string (arguments, "pattern", "");
  const char *path = fore_json_get_string (arguments, "path", "");
  DemoTool tool = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GString) found = g_string_new (NULL);

  tool.input = json_object_ref (arguments);
  begin_tool (player, &tool, "grep", pattern);
  text = load_text (path, &error);
  lines = g_strsplit (text != NULL ? text : "", "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      if (strstr (lines[i], pattern) != NULL)
        g_string_append_printf (found, "%s:%u:%s\n", path, i + 1, lines[i]);
    }
  end_tool (player, &tool, text != NULL, text != NULL ? found->str : error->message);
}

static gboolean
store_text (const char *path, const char *text, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);

  if (!is_inside (path))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED, "%s is outside of the tree",
                   path);
      return FALSE;
    }

  g_mkdir_with_parents (folder, 0777);

  /* The plain way to write leaves the rest of a longer file (GLib 2.74). */
  return g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0666, error);
}

void
demo_tool_write (DemoPlayer *player, JsonObject *arguments)
{
  const char *path = fore_json_get_string (arguments, "path", "");
  const char *text = fore_json_get_string (arguments, "text", "");
  DemoTool tool = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *result = NULL;
  gboolean success;

  tool.input = json_object_ref (arguments);
  begin_tool (player, &tool, "write", path);
  success = store_text (path, text, &error);
  result = success ? g_strdup_printf ("%" G_GSIZE_FORMAT " bytes written", strlen (text))
                   : g_strdup (error->message);
  end_tool (player, &tool, success, result);
}

static gboolean
replace_once (const char *path, const char *old, const char *new, GError **error)
{
  g_autofree char *text = load_text (path, error);
  g_autofree char *changed = NULL;
  const char *place;

  if (text == NULL)
    return FALSE;

  place = strstr (text, old);
  if (place == NULL)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "the text to replace is not in %s",
                   path);
      return FALSE;
    }

  changed = g_strdup_printf ("%.*s%s%s", (int) (place - text), text, new, place + strlen (old));

  return store_text (path, changed, error);
}

void
demo_tool_edit (DemoPlayer *player, JsonObject *arguments)
{
  const char *path = fore_json_get_string (arguments, "path", "");
  DemoTool tool = { 0 };
  g_autoptr (GError) error = NULL;
  gboolean success;

  tool.input = json_object_ref (arguments);
  begin_tool (player, &tool, "edit", path);
  success = replace_once (path, fore_json_get_string (arguments, "old", ""),
                          fore_json_get_string (arguments, "new", ""), &error);
  end_tool (player, &tool, success, success ? "1 place changed" : error->message);
}

static GStrv
dup_words (JsonArray *words)
{
  GStrvBuilder *builder = g_strv_builder_new ();
  GStrv argv;

  for (guint i = 0; i < json_array_get_length (words); i++)
    {
      JsonNode *word = json_array_get_element (words, i);

      if (JSON_NODE_HOLDS_VALUE (word) && json_node_get_value_type (word) == G_TYPE_STRING)
        g_strv_builder_add (builder, json_node_get_string (word));
    }

  argv = g_strv_builder_end (builder);
  g_strv_builder_unref (builder);

  return argv;
}

static char *
run_command (GStrv argv, int *exit_code)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = g_subprocess_newv (
      (const char *const *) argv, G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_MERGE,
      &error);
  g_autoptr (GBytes) output = NULL;
  g_autofree char *text = NULL;

  *exit_code = -1;
  if (process == NULL || !g_subprocess_communicate (process, NULL, NULL, &output, NULL, &error))
    return g_strdup (error->message);

  if (g_subprocess_get_if_exited (process))
    *exit_code = g_subprocess_get_exit_status (process);
  text = fore_text_make_valid (g_bytes_get_data (output, NULL), g_bytes_get_size (output));

  return fore_text_shorten (text, SHOWN_BYTES);
}

void
demo_tool_run (DemoPlayer *player, JsonArray *words)
{
  g_auto (GStrv) argv = dup_words (words);
  g_autofree char *title = NULL;
  g_autofree char *text = NULL;
  DemoTool tool = { 0 };
  int exit_code;

  if (argv[0] == NULL)
    return;

  title = g_strjoinv (" ", argv);
  tool.input = new_input ("command", title);
  begin_tool (player, &tool, "bash", title);
  text = run_command (argv, &exit_code);
  tool.exit_code = exit_code;
  end_tool (player, &tool, exit_code == 0, text);
}
