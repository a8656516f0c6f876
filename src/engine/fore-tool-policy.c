/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-tool-policy.h"

#include "platform/fore-files.h"
#include "text/fore-json.h"

#include <string.h>

/* Names that agents have for tools, in small letters; ACP names kinds instead. Claude Code, Codex,
 * Gemini CLI, OpenCode, pi, Agent Client Protocol v1.
 */
static const char *const reads[] = { "read",
                                     "grep",
                                     "glob",
                                     "ls",
                                     "list",
                                     "search",
                                     "find",
                                     "view",
                                     "notebookread",
                                     "read_file",
                                     "read_many_files",
                                     "list_directory",
                                     "search_file_content",
                                     NULL };
static const char *const edits[] = { "edit",   "write",       "multiedit", "notebookedit", "create",
                                     "patch",  "apply_patch", "replace",   "write_file",   "move",
                                     "delete", "filechange",  NULL };

/* What stands in a file, and says nothing about where it lies; in small letters. */
static const char *const contents[] = { "content",    "contents",   "text",    "description",
                                        "old_string", "new_string", "old_str", "new_str",
                                        "oldtext",    "newtext",    "diff",    "patch",
                                        NULL };

typedef struct
{
  const char *tree; /* its real path */
  guint n_paths;
  gboolean all_inside;
} Places;

/* A file that is not there yet is where its folder is. */
static char *
dup_real (const char *path)
{
  g_autofree char *real = fore_path_dup_real (path);
  g_autofree char *folder = NULL;
  g_autofree char *name = NULL;

  if (real != NULL)
    return g_steal_pointer (&real);
  if (g_file_test (path, G_FILE_TEST_IS_SYMLINK))
    return NULL;

  folder = g_path_get_dirname (path);
  name = g_path_get_basename (path);
  real = fore_path_dup_real (folder);

  return real != NULL ? g_build_filename (real, name, NULL) : NULL;
}

static gboolean
has_name (const char *path, const char *name)
{
  g_auto (GStrv) names = g_strsplit (path, G_DIR_SEPARATOR_S, -1);

  for (guint i = 0; names[i] != NULL; i++)
    {
      if (g_ascii_strcasecmp (names[i], name) == 0)
        return TRUE;
    }

  return FALSE;
}

static gboolean
is_allowed_place (const Places *places, const char *real)
{
  return strcmp (real, places->tree) == 0
         || (fore_path_is_inside (real, places->tree)
             && !has_name (real + strlen (places->tree), ".git"));
}

/* Programs take `..` away from a path before they look, or leave it to the system, which goes up
 * from where a link leads: neither may lead out. @known: whether @text is a path for sure.
 */
static gboolean
stays_inside (const Places *places, const char *text, gboolean known)
{
  g_autofree char *plain = g_path_is_absolute (text) ? g_strdup (text)
                                                     : g_build_filename (places->tree, text, NULL);
  g_autofree char *whole = g_canonicalize_filename (plain, NULL);
  g_autofree char *real = dup_real (whole);
  g_autofree char *real_plain = dup_real (plain);

  if (text[0] == '~' || strstr (text, "://") != NULL)
    return FALSE;
  if (real == NULL && (known || g_path_is_absolute (text) || has_name (text, "..")))
    return FALSE;

  return (real == NULL || is_allowed_place (places, real))
         && (real_plain == NULL || is_allowed_place (places, real_plain));
}

static gboolean
names_place (const char *small)
{
  return g_str_has_suffix (small, "path") || g_str_has_suffix (small, "file")
         || g_str_has_suffix (small, "directory") || strcmp (small, "dir") == 0
         || strcmp (small, "cwd") == 0;
}

/* Whatever a text is called, but for what is written into a file, it may say where. */
static void
note_text (Places *places, const char *text, const char *key)
{
  g_autofree char *small = g_ascii_strdown (key, -1);
  gboolean known = names_place (small);

  if (known)
    places->n_paths++;
  if (!g_strv_contains (contents, small) && !stays_inside (places, text, known))
    places->all_inside = FALSE;
}

static void look_for_places (Places *places, JsonNode *node, const char *key);

static void
look_in_object (JsonObject *object, const char *name, JsonNode *value, gpointer user_data)
{
  look_for_places (user_data, value, name);
}

static void
look_for_places (Places *places, JsonNode *node, const char *key)
{
  if (JSON_NODE_HOLDS_OBJECT (node))
    json_object_foreach_member (json_node_get_object (node), look_in_object, places);
  else if (JSON_NODE_HOLDS_ARRAY (node))
    {
      JsonArray *array = json_node_get_array (node);

      for (guint i = 0; i < json_array_get_length (array); i++)
        look_for_places (places, json_array_get_element (array, i), key);
    }
  else if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING)
    note_text (places, json_node_get_string (node), key);
}

/* Whether the tool says where it works, and all that it says is inside of the task's tree. */
static gboolean
stays_in_tree (ForeRunContext *context, const ForeTask *task, const ForeEntry *entry)
{
  g_autofree char *tree = fore_path_dup_real (task->worktree != NULL ? task->worktree
                                                                     : context->project);
  g_autoptr (JsonNode) node = entry->input != NULL ? fore_json_parse (entry->input, -1, NULL, NULL)
                                                   : NULL;
  Places places = { tree, 0, TRUE };

  if (tree == NULL || node == NULL)
    return FALSE;

  look_for_places (&places, node, "");

  return places.n_paths > 0 && places.all_inside;
}

/* Returns: (nullable): the command line, or the path; what the agent itself calls it tells less */
static char *
dup_what (const ForeEntry *entry)
{
  static const char *const members[] = { "command", "cmd", "file_path", "path", "abs_path", "url" };
  g_autoptr (JsonNode) node = entry->input != NULL ? fore_json_parse (entry->input, -1, NULL, NULL)
                                                   : NULL;
  JsonObject *object = node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node)
                                                                     : NULL;

  for (guint i = 0; object != NULL && i < G_N_ELEMENTS (members); i++)
    {
      g_auto (GStrv) words = fore_json_dup_strv (object, members[i]);
      const char *text = fore_json_get_string (object, members[i], NULL);

      if (text != NULL)
        return g_strdup (text);
      if (words != NULL && words[0] != NULL)
        return g_strjoinv (" ", words);
    }

  return g_strdup (entry->title);
}

static gboolean
is_one_of (const char *const *names, const ForeEntry *entry)
{
  g_autofree char *small = g_ascii_strdown (entry->name != NULL ? entry->name : "", -1);

  return g_strv_contains (names, small);
}

static const char *
judge (ForeRunContext *context, const ForeTask *task, const ForeEntry *entry)
{
  const char *general = fore_settings_get_string (context->settings, "approval.tools");
  gboolean in_tree = g_strcmp0 (general, "allow-in-tree") == 0;

  if (g_strcmp0 (general, FORE_TOOLS_DENY) == 0)
    return FORE_TOOLS_DENY;
  if (!in_tree && g_strcmp0 (general, "allow-reads") != 0)
    return FORE_TOOLS_ASK;
  if (!is_one_of (reads, entry) && (!in_tree || !task->writes || !is_one_of (edits, entry)))
    return FORE_TOOLS_ASK;

  return stays_in_tree (context, task, entry) ? FORE_TOOLS_ALLOW : FORE_TOOLS_ASK;
}

/**
 * fore_tool_policy_find_answer:
 * @context: what the run is carried out with
 * @task: the task whose agent asks
 * @entry: what it asks leave for
 * @by: (out): which setting says so
 *
 * Asks the settings: the first rule of approval.tool_rules that matches, else approval.tools.
 * Blocks on the disk for as long as it takes to find out where a path leads.
 *
 * Returns: (transfer none): `allow`, `ask` or `deny`
 */
const char *
fore_tool_policy_find_answer (ForeRunContext *context,
                              const ForeTask *task,
                              const ForeEntry *entry,
                              const char **by)
{
  g_autofree char *what = NULL;
  GPtrArray *rules;

  g_return_val_if_fail (context != NULL && task != NULL, FORE_TOOLS_ASK);
  g_return_val_if_fail (entry != NULL && by != NULL, FORE_TOOLS_ASK);

  *by = "approval.tool_rules";
  what = dup_what (entry);
  rules = fore_settings_get_tool_rules (context->settings);
  for (guint i = 0; rules != NULL && i < rules->len; i++)
    {
      const ForeToolRule *rule = g_ptr_array_index (rules, i);

      if (fore_tool_rule_matches (rule, task->role, entry->name, what))
        return rule->answer;
    }

  *by = "approval.tools";
  return judge (context, task, entry);
}
