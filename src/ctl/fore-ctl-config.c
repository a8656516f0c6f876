/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ctl/fore-ctl-json.h"
#include "ctl/fore-ctl-output.h"
#include "ctl/fore-ctl-page.h"
#include "ctl/fore-ctl-verbs.h"
#include "engine/fore-sandbox-settings.h"
#include "library/fore-library.h"
#include "library/fore-settings.h"
#include "model/fore-id.h"

#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>

static ForeSettings *
load_settings (ForeCtl *ctl, const char *project, GPtrArray *diagnostics, GError **error)
{
  g_autofree char *user_dir = fore_library_dup_user_dir ();

  if (fore_ctl_get_store (ctl, error) == NULL)
    return NULL;

  return fore_settings_load (user_dir, project,
                             project != NULL && fore_store_is_trusted (ctl->store, project),
                             diagnostics);
}

/* Problems in the files go to standard error, so that what is asked for can still be used. */
static void
print_problems (ForeCtl *ctl, GPtrArray *diagnostics)
{
  for (guint i = 0; i < diagnostics->len; i++)
    {
      g_autofree char *text = fore_diagnostic_dup_text (diagnostics->pdata[i]);

      fprintf (stderr, "%s: %s\n", FORE_CTL_NAME, text);
    }
}

static gboolean
check_key (const char *name, GError **error)
{
  const char *nearest;

  if (fore_setting_keys_find (name) != NULL)
    return TRUE;

  nearest = fore_setting_keys_suggest (name);
  if (nearest != NULL)
    g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                 _ ("There is no setting “%s”; did you mean “%s”?"), name, nearest);
  else
    g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                 _ ("There is no setting “%s”; see “foredeckctl config list”."), name);

  return FALSE;
}

static JsonObject *
setting_to_json (const char *name,
                 const char *text,
                 ForeSettingsLayer layer,
                 const ForeSettingKey *key)
{
  JsonObject *object = json_object_new ();

  fore_ctl_json_set_text (object, "key", name);
  fore_ctl_json_set_text (object, "value", text);
  fore_ctl_json_set_text (object, "layer", fore_settings_layer_to_string (layer));
  fore_ctl_json_set_text (object, "type", fore_setting_type_to_string (key->type));
  fore_ctl_json_set_text (object, "default", key->fallback);
  fore_ctl_json_set_text (object, "meaning", _ (key->meaning));

  return object;
}

static void
print_setting (ForeCtl *ctl, ForeSettings *settings, const char *name)
{
  g_autofree char *text = fore_settings_dup_text (settings, name);

  if (ctl->json)
    fore_ctl_print_object (ctl,
                           setting_to_json (name, text, fore_settings_get_layer (settings, name),
                                            fore_setting_keys_find (name)));
  else
    fore_ctl_print (ctl, "%s\n", text != NULL ? text : "");
}

static gboolean
get_setting (ForeCtl *ctl, ForeSettings *settings, GError **error)
{
  const char *name = fore_ctl_get_word (ctl, 1);

  if (name == NULL)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                   _ ("Name a setting; “foredeckctl config list” shows them."));
      return FALSE;
    }
  if (!check_key (name, error))
    return FALSE;

  print_setting (ctl, settings, name);
  return TRUE;
}

static void
list_settings (ForeCtl *ctl, ForeSettings *settings)
{
  const char *headings[] = { N_ ("SETTING"), N_ ("VALUE"), N_ ("FROM"), N_ ("MEANING"), NULL };
  g_autoptr (GPtrArray) entries = fore_settings_list (settings);
  g_autoptr (ForeCtlTable) table = fore_ctl_table_new (headings);
  JsonArray *array = json_array_new ();
  JsonObject *object;

  for (guint i = 0; i < entries->len; i++)
    {
      const ForeSettingsEntry *entry = entries->pdata[i];

      json_array_add_object_element (
          array, setting_to_json (entry->name, entry->text, entry->layer, entry->key));
      fore_ctl_table_add_row (table);
      fore_ctl_table_add (table, FORE_CTL_PLAIN, entry->name);
      fore_ctl_table_add (table, FORE_CTL_BOLD, entry->text);
      fore_ctl_table_add (table, FORE_CTL_DIM, fore_settings_layer_to_string (entry->layer));
      fore_ctl_table_add (table, FORE_CTL_PLAIN, _ (entry->key->meaning));
    }

  if (!ctl->json)
    {
      fore_ctl_table_print (ctl, table);
      json_array_unref (array);
      return;
    }

  object = json_object_new ();
  json_object_set_array_member (object, "settings", array);
  fore_ctl_print_object (ctl, object);
}

/* Only what is set is held against the roles: a name that is none can still be taken out. */
static gboolean
check_role (ForeCtl *ctl, const char *name, const char *project, GError **error)
{
  g_autofree char *user_dir = fore_library_dup_user_dir ();
  g_autoptr (ForeLibrary) library = NULL;
  gboolean trusted = FALSE;

  if (!g_str_has_prefix (name, "sandbox."))
    return TRUE;

  if (project != NULL && fore_ctl_get_store (ctl, NULL) != NULL)
    trusted = fore_store_is_trusted (ctl->store, project);
  library = fore_library_load (user_dir, project, trusted, error);

  return library != NULL && fore_sandbox_settings_check_role (library, name, error);
}

static gboolean
store_setting (ForeCtl *ctl, gboolean unset, GError **error)
{
  const char *name = fore_ctl_get_word (ctl, 1);
  g_autofree char *value = unset ? NULL : fore_ctl_join_words (ctl, 2);
  g_autofree char *project = fore_ctl_dup_project (ctl, NULL);
  g_autofree char *user_dir = fore_library_dup_user_dir ();
  g_autofree char *path = NULL;
  g_autoptr (ForeSettings) settings = NULL;
  g_autoptr (GPtrArray) diagnostics = fore_diagnostics_new ();
  gboolean changed;

  if (name == NULL || (!unset && value == NULL))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                   unset ? _ ("Name the setting to unset.")
                         : _ ("Name the setting and its new value."));
      return FALSE;
    }
  if (!check_key (name, error) || (!unset && !check_role (ctl, name, project, error)))
    return FALSE;

  path = project != NULL ? fore_settings_dup_project_path (project)
                         : fore_settings_dup_user_path (user_dir);
  if (!fore_settings_store (path, project != NULL ? FORE_SETTINGS_PROJECT : FORE_SETTINGS_USER,
                            name, value, &changed, error))
    return FALSE;

  settings = load_settings (ctl, project, diagnostics, error);
  if (settings == NULL)
    return FALSE;

  print_setting (ctl, settings, name);
  return TRUE;
}

gboolean
fore_ctl_do_config (ForeCtl *ctl, GError **error)
{
  const char *const words[] = { "get", "set", "unset", "list", NULL };
  const char *word = fore_ctl_get_word (ctl, 0);
  g_autoptr (GPtrArray) diagnostics = fore_diagnostics_new ();
  g_autoptr (ForeSettings) settings = NULL;
  g_autofree char *project = NULL;
  const char *nearest;

  if (!g_strv_contains (words, word))
    {
      nearest = fore_id_find_nearest (word, words, 3);
      g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                   _ ("“config” cannot “%s”; did you mean “%s”?"), word,
                   nearest != NULL ? nearest : words[0]);
      return FALSE;
    }

  if (strcmp (word, "set") == 0 || strcmp (word, "unset") == 0)
    return fore_ctl_check_person (ctl, error)
           && store_setting (ctl, strcmp (word, "unset") == 0, error);

  project = fore_ctl_dup_project (ctl, ".");
  settings = load_settings (ctl, project, diagnostics, error);
  if (settings == NULL)
    return FALSE;

  print_problems (ctl, diagnostics);
  if (strcmp (word, "get") == 0)
    return get_setting (ctl, settings, error);

  list_settings (ctl, settings);
  return TRUE;
}

gboolean
fore_ctl_do_trust (ForeCtl *ctl, GError **error)
{
  ForeStore *store = fore_ctl_get_store (ctl, error);
  g_autofree char *project = NULL;
  gboolean trusted = !fore_ctl_has (ctl, "revoke");
  JsonObject *object;

  if (store == NULL)
    return FALSE;

  project = fore_ctl_dup_project_at (fore_ctl_get_word (ctl, 0));
  if (trusted && !g_file_test (project, G_FILE_TEST_IS_DIR))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND, _ ("%s is not a folder."), project);
      return FALSE;
    }
  if (!fore_store_trust (store, project, trusted, error))
    return FALSE;

  if (ctl->json)
    {
      object = json_object_new ();
      fore_ctl_json_set_text (object, "project", project);
      json_object_set_boolean_member (object, "trusted", trusted);
      fore_ctl_print_object (ctl, object);
    }
  else if (trusted)
    fore_ctl_print (ctl, _ ("Programs that the files of %s name may run.\n"), project);
  else
    fore_ctl_print (ctl, _ ("Programs that the files of %s name may not run any more.\n"), project);

  return TRUE;
}
