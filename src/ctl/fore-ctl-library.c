/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ctl/fore-ctl-json.h"
#include "ctl/fore-ctl-library.h"
#include "ctl/fore-ctl-output.h"
#include "ctl/fore-ctl-page.h"
#include "ctl/fore-ctl-verbs.h"
#include "library/fore-library.h"
#include "model/fore-id.h"
#include "text/fore-text.h"

#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>

typedef enum
{
  KIND_AGENT,
  KIND_TEAM,
  KIND_WORKFLOW,
  KIND_SKILL,
  N_KINDS,
} Kind;

/* One object of the library, whatever its kind; borrowed from it. */
typedef struct
{
  Kind kind;
  const char *name;
  const char *description;
  const ForeSource *source;
} Item;

static const char *const kind_words[] = { "agent", "team", "workflow", "skill", NULL };

static gboolean
print_keys (ForeCtl *ctl, GError **error)
{
  const char *word = fore_ctl_get_word (ctl, 1);
  const char *const *keys = word != NULL ? fore_library_get_keys (word) : NULL;
  JsonArray *array;
  JsonObject *object;

  if (keys == NULL)
    {
      g_set_error_literal (error, FORE_ERROR, FORE_ERROR_USAGE,
                           _ ("Say which keys: agent, team, role, workflow, step or skill."));
      return FALSE;
    }

  if (!ctl->json)
    {
      for (guint i = 0; keys[i] != NULL; i++)
        fore_ctl_print (ctl, "%s\n", keys[i]);
      return TRUE;
    }

  array = json_array_new ();
  object = json_object_new ();
  for (guint i = 0; keys[i] != NULL; i++)
    json_array_add_string_element (array, keys[i]);
  json_object_set_array_member (object, "keys", array);
  fore_ctl_print_object (ctl, object);
  return TRUE;
}

static ForeLibrary *
load_library (ForeCtl *ctl, GError **error)
{
  g_autofree char *user_dir = fore_library_dup_user_dir ();
  g_autofree char *project = fore_ctl_dup_project (ctl, ".");
  gboolean trusted;

  if (fore_ctl_get_store (ctl, error) == NULL)
    return NULL;

  trusted = fore_store_is_trusted (ctl->store, project);
  return fore_library_load (user_dir, project, trusted, error);
}

static gboolean
parse_kind (const char *word, Kind *kind, GError **error)
{
  g_autofree char *singular = NULL;
  const char *nearest;

  singular = g_str_has_suffix (word, "s") ? g_strndup (word, strlen (word) - 1) : g_strdup (word);
  for (guint i = 0; i < N_KINDS; i++)
    {
      if (strcmp (kind_words[i], singular) == 0)
        {
          *kind = i;
          return TRUE;
        }
    }

  nearest = fore_id_find_nearest (singular, kind_words, 3);
  if (nearest != NULL)
    g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                 _ ("The library has no kind “%s”; did you mean “%s”?"), word, nearest);
  else
    g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                 _ ("The library has no kind “%s”; say agent, team, workflow or skill."), word);

  return FALSE;
}

static void
add_item (
    GArray *items, Kind kind, const char *name, const char *description, const ForeSource *source)
{
  Item item = { kind, name, description, source };

  g_array_append_val (items, item);
}

static void
add_kind (GArray *items, ForeLibrary *library, Kind kind)
{
  GPtrArray *list;

  list = kind == KIND_AGENT      ? fore_library_list_agents (library)
         : kind == KIND_TEAM     ? fore_library_list_teams (library)
         : kind == KIND_WORKFLOW ? fore_library_list_workflows (library)
                                 : fore_library_list_skills (library);
  for (guint i = 0; i < list->len; i++)
    {
      const ForeAgentDef *agent = list->pdata[i];
      const ForeTeam *team = list->pdata[i];
      const ForeWorkflow *workflow = list->pdata[i];
      const ForeSkill *skill = list->pdata[i];

      if (kind == KIND_AGENT)
        add_item (items, kind, agent->name, agent->description, &agent->source);
      else if (kind == KIND_TEAM)
        add_item (items, kind, team->name, team->description, &team->source);
      else if (kind == KIND_WORKFLOW)
        add_item (items, kind, workflow->name, workflow->description, &workflow->source);
      else
        add_item (items, kind, skill->name, skill->description, &skill->source);
    }
}

static JsonObject *
item_to_json (const Item *item)
{
  JsonObject *object = json_object_new ();

  fore_ctl_json_set_text (object, "kind", kind_words[item->kind]);
  fore_ctl_json_set_text (object, "name", item->name);
  fore_ctl_json_set_text (object, "description", item->description);
  fore_ctl_json_set_text (object, "layer", fore_library_layer_to_string (item->source->layer));
  fore_ctl_json_set_text (object, "path", item->source->path);
  fore_ctl_json_set_text (object, "replaces", item->source->replaced);
  json_object_set_boolean_member (object, "usable", item->source->n_errors == 0);

  return object;
}

static void
print_items (ForeCtl *ctl, GArray *items)
{
  const char *headings[] = { N_ ("KIND"), N_ ("NAME"), N_ ("LAYER"), N_ ("DESCRIPTION"), NULL };
  g_autoptr (ForeCtlTable) table = NULL;
  JsonArray *array;
  JsonObject *object;

  if (ctl->json)
    {
      array = json_array_new ();
      object = json_object_new ();
      for (guint i = 0; i < items->len; i++)
        json_array_add_object_element (array, item_to_json (&g_array_index (items, Item, i)));
      json_object_set_array_member (object, "items", array);
      fore_ctl_print_object (ctl, object);
      return;
    }

  table = fore_ctl_table_new (headings);
  for (guint i = 0; i < items->len; i++)
    {
      const Item *item = &g_array_index (items, Item, i);
      gboolean usable = item->source->n_errors == 0;

      fore_ctl_table_add_row (table);
      fore_ctl_table_add (table, FORE_CTL_DIM, kind_words[item->kind]);
      fore_ctl_table_add (table, usable ? FORE_CTL_BOLD : FORE_CTL_BAD, item->name);
      fore_ctl_table_add (table, FORE_CTL_DIM, fore_library_layer_to_string (item->source->layer));
      fore_ctl_table_add (table, FORE_CTL_PLAIN, item->description);
    }
  fore_ctl_table_print (ctl, table);
}

static void
print_untrusted (ForeCtl *ctl, ForeLibrary *library)
{
  g_autofree char *project = NULL;
  g_autofree char *quoted = NULL;

  if (!fore_library_leaves_project_out (library))
    return;

  project = fore_ctl_dup_project (ctl, ".");
  quoted = fore_text_quote_word (project);
  fprintf (stderr,
           _ ("%s: What the project itself brings is left out, because it is not trusted "
              "yet: foredeckctl trust %s\n"),
           FORE_CTL_NAME, quoted);
}

static gboolean
list_items (ForeCtl *ctl, ForeLibrary *library, GError **error)
{
  const char *word = fore_ctl_get_word (ctl, 1);
  g_autoptr (GArray) items = g_array_new (FALSE, FALSE, sizeof (Item));
  Kind kind;

  if (word != NULL && !parse_kind (word, &kind, error))
    return FALSE;

  for (guint i = 0; i < N_KINDS; i++)
    {
      if (word == NULL || kind == i)
        add_kind (items, library, i);
    }

  print_items (ctl, items);
  print_untrusted (ctl, library);
  return TRUE;
}

static gboolean
find_item (ForeCtl *ctl, ForeLibrary *library, Item *found, GError **error)
{
  const char *name = fore_ctl_get_word (ctl, 2);
  g_autoptr (GArray) items = g_array_new (FALSE, FALSE, sizeof (Item));
  g_autofree char *nearest = NULL;
  Kind kind;

  if (name == NULL)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                   _ ("Name the kind and the object: foredeckctl library %s KIND NAME"),
                   fore_ctl_get_word (ctl, 0));
      return FALSE;
    }
  if (!parse_kind (fore_ctl_get_word (ctl, 1), &kind, error))
    return FALSE;

  add_kind (items, library, kind);
  for (guint i = 0; i < items->len; i++)
    {
      *found = g_array_index (items, Item, i);
      if (strcmp (found->name, name) == 0)
        return TRUE;
    }

  nearest = fore_library_suggest (library, kind_words[kind], name);
  if (nearest != NULL)
    g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                 _ ("There is no %s “%s”; did you mean “%s”?"), kind_words[kind], name, nearest);
  else
    g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND, _ ("There is no %s “%s”."),
                 kind_words[kind], name);

  return FALSE;
}

static gboolean
show_item (ForeCtl *ctl, ForeLibrary *library, GError **error)
{
  g_autofree char *text = NULL;
  JsonObject *object;
  Item item;

  if (!find_item (ctl, library, &item, error))
    return FALSE;

  if (item.source->path != NULL && !g_file_get_contents (item.source->path, &text, NULL, error))
    return FALSE;

  if (!ctl->json)
    {
      g_autofree char *clean = ctl->terminal ? fore_ctl_dup_clean (text) : g_strdup (text);

      fore_ctl_write (clean != NULL ? clean : item.name, -1);
      return TRUE;
    }

  object = item_to_json (&item);
  fore_ctl_json_set_text (object, "text", text);
  fore_ctl_print_object (ctl, object);
  return TRUE;
}

static gboolean
print_path (ForeCtl *ctl, ForeLibrary *library, GError **error)
{
  g_autofree char *user_dir = fore_library_dup_user_dir ();
  g_autofree char *builtin_dir = fore_library_dup_builtin_dir ();
  JsonObject *object;
  Item item;

  if (ctl->words->len > 1)
    {
      if (!find_item (ctl, library, &item, error))
        return FALSE;
      if (ctl->json)
        fore_ctl_print_object (ctl, item_to_json (&item));
      else
        fore_ctl_print (ctl, "%s\n", item.source->path != NULL ? item.source->path : "");
      return TRUE;
    }

  if (!ctl->json)
    {
      fore_ctl_print (ctl, "%s\n%s\n", builtin_dir, user_dir);
      return TRUE;
    }

  object = json_object_new ();
  fore_ctl_json_set_text (object, "builtin", builtin_dir);
  fore_ctl_json_set_text (object, "user", user_dir);
  fore_ctl_print_object (ctl, object);
  return TRUE;
}

/**
 * fore_ctl_find_library_item:
 * @ctl: the command line, with a kind and a name
 * @library: the library
 * @kind: (out): the word for the kind
 * @name: (out): the name, owned by @library
 * @error: return location for an error
 *
 * Finds an object of the library.
 *
 * Returns: %FALSE if there is no such object
 */
gboolean
fore_ctl_find_library_item (
    ForeCtl *ctl, ForeLibrary *library, const char **kind, const char **name, GError **error)
{
  Item item;

  if (!find_item (ctl, library, &item, error))
    return FALSE;

  *kind = kind_words[item.kind];
  *name = item.name;
  return TRUE;
}

/**
 * fore_ctl_find_library_path:
 * @ctl: the command line, with a kind and a name
 * @library: the library
 * @path: (out) (nullable): the file of what they name, owned by @library
 * @error: return location for an error
 *
 * Finds the file of an object of the library.
 *
 * Returns: %FALSE if there is no such object
 */
gboolean
fore_ctl_find_library_path (ForeCtl *ctl, ForeLibrary *library, const char **path, GError **error)
{
  Item item;

  if (!find_item (ctl, library, &item, error))
    return FALSE;

  *path = item.source->path;
  return TRUE;
}

gboolean
fore_ctl_do_library (ForeCtl *ctl, GError **error)
{
  const char *const words[] = { "list", "show",   "validate", "path", "keys",
                                "copy", "remove", "restore",  NULL };
  const char *word = fore_ctl_get_word (ctl, 0);
  g_autoptr (ForeLibrary) library = NULL;
  const char *nearest;

  if (!g_strv_contains (words, word))
    {
      nearest = fore_id_find_nearest (word, words, 3);
      g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                   _ ("“library” cannot “%s”; did you mean “%s”?"), word,
                   nearest != NULL ? nearest : words[0]);
      return FALSE;
    }

  if (strcmp (word, "keys") == 0)
    return print_keys (ctl, error);
  if (strcmp (word, "validate") == 0)
    return fore_ctl_validate_library (ctl, error);

  library = load_library (ctl, error);
  if (library == NULL)
    return FALSE;

  if (strcmp (word, "list") == 0)
    return list_items (ctl, library, error);
  if (strcmp (word, "show") == 0)
    return show_item (ctl, library, error);
  if (strcmp (word, "path") != 0)
    return fore_ctl_edit_library (ctl, library, error);

  return print_path (ctl, library, error);
}
