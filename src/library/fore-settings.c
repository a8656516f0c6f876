/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library/fore-settings.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "library/fore-role.h"
#include "library/fore-settings-private.h"
#include "model/fore-error.h"

#define PROFILE_PREFIX "sandbox.profile."

G_DEFINE_BOXED_TYPE (ForeSettings, fore_settings, fore_settings_ref, fore_settings_unref)

static void
slot_free (gpointer data)
{
  ForeSettingSlot *slot = data;

  g_clear_pointer (&slot->value, fore_setting_value_free);
  g_free (slot);
}

/**
 * fore_settings_dup_default:
 * @key: a key
 * @name: full name of one of its instances
 *
 * Makes the value that a setting has when nobody set it. Some depend on the machine or the role.
 *
 * Returns: (transfer full) (nullable): the value, or %NULL for unset
 */
ForeSettingValue *
fore_settings_dup_default (const ForeSettingKey *key, const char *name)
{
  g_autofree char *text = NULL;
  g_autofree char *problem = NULL;

  g_return_val_if_fail (key != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  if (strcmp (name, "limits.machine_commands") == 0)
    text = g_strdup_printf ("%u", MAX (8, 2 * g_get_num_processors ()));
  else if (g_str_has_prefix (name, PROFILE_PREFIX))
    text = g_strdup (fore_role_is_read_only (name + strlen (PROFILE_PREFIX)) ? "read-only"
                                                                             : "workspace-write");
  else
    text = g_strdup (key->fallback);

  return text != NULL ? fore_setting_value_new_from_text (key, text, &problem) : NULL;
}

/**
 * fore_settings_put:
 * @self: settings that are being loaded
 * @name: full name
 * @value: (transfer full) (nullable): value, %NULL for unset
 * @layer: where it comes from
 *
 * Sets a value.
 */
void
fore_settings_put (ForeSettings *self,
                   const char *name,
                   ForeSettingValue *value,
                   ForeSettingsLayer layer)
{
  ForeSettingSlot *slot;

  g_return_if_fail (self != NULL);
  g_return_if_fail (name != NULL);

  slot = g_hash_table_lookup (self->slots, name);
  if (slot != NULL && slot->value != NULL && value != NULL)
    value = fore_setting_value_join (slot->value, value);

  slot = g_new0 (ForeSettingSlot, 1);
  slot->key = fore_setting_keys_find (name);
  slot->value = value;
  slot->layer = layer;
  g_hash_table_replace (self->slots, g_strdup (name), slot);
}

static void
put_defaults (ForeSettings *self)
{
  const ForeSettingKey *keys;
  guint n_keys;

  keys = fore_setting_keys_get (&n_keys);
  for (guint i = 0; i < n_keys; i++)
    {
      if (!fore_setting_key_is_pattern (&keys[i]))
        fore_settings_put (self, keys[i].name, fore_settings_dup_default (&keys[i], keys[i].name),
                           FORE_SETTINGS_DEFAULT);
    }
}

static void
load_project (ForeSettings *self, const char *project_dir, gboolean trusted, GPtrArray *diagnostics)
{
  g_autofree char *path = fore_settings_dup_project_path (project_dir);
  g_autofree char *crew_path = g_build_filename (project_dir, ".crew", "config.json", NULL);

  if (trusted)
    {
      fore_settings_load_crew_file (self, crew_path, diagnostics);
      fore_settings_load_file (self, path, FORE_SETTINGS_PROJECT, diagnostics);
    }
  else if (g_file_test (path, G_FILE_TEST_EXISTS))
    {
      fore_diagnostics_add (diagnostics, FORE_DIAGNOSTIC_NOTE, path, 0, 0, NULL,
                            _ ("These settings are not used, because you have not said that you "
                               "trust this project."));
    }
}

/**
 * fore_settings_load:
 * @user_dir: (nullable): the person's folder, see fore_library_dup_user_dir()
 * @project_dir: (nullable): the project
 * @project_trusted: whether the person trusts the project; if not, its settings are not read
 * @diagnostics: (nullable) (element-type ForeDiagnostic): where to say what is wrong; every bad
 *   value is named with file and key
 *
 * Loads the settings of all layers. What is wrong is left out; the rest counts. Blocks on the disk.
 *
 * Returns: (transfer full): the settings
 */
ForeSettings *
fore_settings_load (const char *user_dir,
                    const char *project_dir,
                    gboolean project_trusted,
                    GPtrArray *diagnostics)
{
  ForeSettings *self = g_atomic_rc_box_new0 (ForeSettings);

  self->slots = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, slot_free);
  put_defaults (self);
  if (user_dir != NULL)
    {
      g_autofree char *path = fore_settings_dup_user_path (user_dir);

      fore_settings_load_file (self, path, FORE_SETTINGS_USER, diagnostics);
    }
  if (project_dir != NULL)
    load_project (self, project_dir, project_trusted, diagnostics);

  return self;
}

/**
 * fore_settings_ref:
 * @self: settings
 *
 * Takes a reference.
 *
 * Returns: (transfer full): @self
 */
ForeSettings *
fore_settings_ref (ForeSettings *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

static void
settings_clear (gpointer data)
{
  ForeSettings *self = data;

  g_hash_table_unref (self->slots);
}

/**
 * fore_settings_unref:
 * @self: (transfer full): settings
 *
 * Gives a reference back.
 */
void
fore_settings_unref (ForeSettings *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, settings_clear);
}

/**
 * fore_settings_set_run_option:
 * @self: settings that nobody else has yet
 * @name: full name
 * @text: (nullable): value as text, or %NULL to unset it for this run
 * @error: return location for an error
 *
 * Sets an option of a run, over all files.
 *
 * Returns: %FALSE on %FORE_ERROR_USAGE (no such key), %FORE_ERROR_REFUSED (no option of a run),
 *   %FORE_ERROR_INVALID (bad value)
 */
gboolean
fore_settings_set_run_option (ForeSettings *self,
                              const char *name,
                              const char *text,
                              GError **error)
{
  const ForeSettingKey *key;
  ForeSettingValue *value = NULL;
  g_autofree char *problem = NULL;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (name != NULL, FALSE);

  key = fore_setting_keys_find (name);
  if (key == NULL)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                   _ ("There is no setting `%s`. `foredeckctl config list` shows all."), name);
      return FALSE;
    }
  if (!(key->flags & FORE_SETTING_IN_RUN))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED,
                   _ ("`%s` is no option of a run. Set it with `foredeckctl config set`."), name);
      return FALSE;
    }

  if (text != NULL && (value = fore_setting_value_new_from_text (key, text, &problem)) == NULL)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_INVALID, _ ("`%s` cannot be `%s`: %s."), name,
                   text, problem);
      return FALSE;
    }

  fore_settings_put (self, name, value, FORE_SETTINGS_RUN);
  return TRUE;
}

static const ForeSettingValue *
find_value (ForeSettings *self, const char *name)
{
  ForeSettingSlot *slot = g_hash_table_lookup (self->slots, name);

  return slot != NULL ? slot->value : NULL;
}

/* The value of a key whose type is right; asking for another is a mistake in the program. */
static const ForeSettingValue *
find_typed (ForeSettings *self, const char *name, ForeSettingType type)
{
  const ForeSettingKey *key = fore_setting_keys_find (name);

  g_return_val_if_fail (key != NULL, NULL);
  g_return_val_if_fail (key->type == type, NULL);

  return find_value (self, name);
}

/**
 * fore_settings_is_set:
 * @self: settings
 * @name: full name
 *
 * Tells whether a setting has a value, be it the default one.
 *
 * Returns: %TRUE if it has
 */
gboolean
fore_settings_is_set (ForeSettings *self, const char *name)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (name != NULL, FALSE);

  return find_value (self, name) != NULL || g_str_has_prefix (name, PROFILE_PREFIX);
}

/**
 * fore_settings_get_bool:
 * @self: settings
 * @name: full name of a yes or no
 *
 * Gets a yes or no.
 *
 * Returns: the value; %FALSE when unset
 */
gboolean
fore_settings_get_bool (ForeSettings *self, const char *name)
{
  const ForeSettingValue *value;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (name != NULL, FALSE);

  value = find_typed (self, name, FORE_SETTING_BOOL);
  return value != NULL && value->number != 0;
}

/**
 * fore_settings_get_int:
 * @self: settings
 * @name: full name of a whole number
 *
 * Gets a whole number.
 *
 * Returns: the number; 0 when unset
 */
gint64
fore_settings_get_int (ForeSettings *self, const char *name)
{
  const ForeSettingValue *value;

  g_return_val_if_fail (self != NULL, 0);
  g_return_val_if_fail (name != NULL, 0);

  value = find_typed (self, name, FORE_SETTING_INT);
  return value != NULL ? value->number : 0;
}

/**
 * fore_settings_get_double:
 * @self: settings
 * @name: full name of a number
 *
 * Gets a number. Whether it is set says fore_settings_is_set().
 *
 * Returns: the number; 0 when unset
 */
double
fore_settings_get_double (ForeSettings *self, const char *name)
{
  const ForeSettingValue *value;

  g_return_val_if_fail (self != NULL, 0);
  g_return_val_if_fail (name != NULL, 0);

  value = find_typed (self, name, FORE_SETTING_DOUBLE);
  return value != NULL ? value->real : 0;
}

/**
 * fore_settings_get_duration:
 * @self: settings
 * @name: full name of a duration
 *
 * Gets a duration.
 *
 * Returns: milliseconds; -1 when unset
 */
gint64
fore_settings_get_duration (ForeSettings *self, const char *name)
{
  const ForeSettingValue *value;

  g_return_val_if_fail (self != NULL, -1);
  g_return_val_if_fail (name != NULL, -1);

  value = find_typed (self, name, FORE_SETTING_DURATION);
  return value != NULL ? value->number : -1;
}

/**
 * fore_settings_get_size:
 * @self: settings
 * @name: full name of a size
 *
 * Gets a size.
 *
 * Returns: bytes; -1 when unset
 */
gint64
fore_settings_get_size (ForeSettings *self, const char *name)
{
  const ForeSettingValue *value;

  g_return_val_if_fail (self != NULL, -1);
  g_return_val_if_fail (name != NULL, -1);

  value = find_typed (self, name, FORE_SETTING_SIZE);
  return value != NULL ? value->number : -1;
}

/**
 * fore_settings_get_string:
 * @self: settings
 * @name: full name of a text or of a choice of words
 *
 * Gets a text or word.
 *
 * Returns: (transfer none) (nullable): the text; %NULL when unset
 */
const char *
fore_settings_get_string (ForeSettings *self, const char *name)
{
  const ForeSettingValue *value;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  value = find_value (self, name);
  if (value != NULL)
    return value->text;
  if (g_str_has_prefix (name, PROFILE_PREFIX))
    return fore_role_is_read_only (name + strlen (PROFILE_PREFIX)) ? "read-only"
                                                                   : "workspace-write";

  g_return_val_if_fail (fore_setting_keys_find (name) != NULL, NULL);
  return NULL;
}

/**
 * fore_settings_get_strv:
 * @self: settings
 * @name: full name of a list of texts
 *
 * Gets a list of texts.
 *
 * Returns: (transfer none) (nullable) (array zero-terminated=1): the list; %NULL when unset
 */
const char *const *
fore_settings_get_strv (ForeSettings *self, const char *name)
{
  const ForeSettingValue *value;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  value = find_typed (self, name, FORE_SETTING_STRV);
  return value != NULL ? (const char *const *) value->list : NULL;
}

/**
 * fore_settings_get_commands:
 * @self: settings
 * @name: full name of a list of command lines
 *
 * Gets a list of command lines.
 *
 * Returns: (transfer none) (nullable) (element-type GStrv): the list; %NULL when unset
 */
GPtrArray *
fore_settings_get_commands (ForeSettings *self, const char *name)
{
  const ForeSettingValue *value;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  value = find_typed (self, name, FORE_SETTING_COMMANDS);
  return value != NULL ? value->commands : NULL;
}

/**
 * fore_settings_get_hooks:
 * @self: settings
 *
 * Gets the hooks of the person and of a project that is trusted.
 *
 * Returns: (transfer none) (element-type ForeHookDef) (nullable): the hooks, in their order
 */
GPtrArray *
fore_settings_get_hooks (ForeSettings *self)
{
  const ForeSettingValue *value;

  g_return_val_if_fail (self != NULL, NULL);

  value = find_typed (self, "hooks", FORE_SETTING_HOOKS);
  return value != NULL ? value->hooks : NULL;
}

/**
 * fore_settings_get_tool_rules:
 * @self: settings
 *
 * Gets the rules for single tools.
 *
 * Returns: (transfer none) (element-type ForeToolRule) (nullable): the rules, in their order
 */
GPtrArray *
fore_settings_get_tool_rules (ForeSettings *self)
{
  const ForeSettingValue *value;

  g_return_val_if_fail (self != NULL, NULL);

  value = find_typed (self, "approval.tool_rules", FORE_SETTING_RULES);
  return value != NULL ? value->rules : NULL;
}

/**
 * fore_settings_dup_text:
 * @self: settings
 * @name: full name of any setting
 *
 * Gets the value in force as text.
 *
 * Returns: (transfer full) (nullable): the text; %NULL when unset or no such setting
 */
char *
fore_settings_dup_text (ForeSettings *self, const char *name)
{
  const ForeSettingValue *value;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  value = find_value (self, name);
  if (value != NULL)
    return fore_setting_value_dup_text (value);
  if (g_str_has_prefix (name, PROFILE_PREFIX))
    return g_strdup (fore_settings_get_string (self, name));

  return NULL;
}

/**
 * fore_settings_get_layer:
 * @self: settings
 * @name: full name of any setting
 *
 * Tells where the value in force comes from.
 *
 * Returns: the layer
 */
ForeSettingsLayer
fore_settings_get_layer (ForeSettings *self, const char *name)
{
  ForeSettingSlot *slot;

  g_return_val_if_fail (self != NULL, FORE_SETTINGS_DEFAULT);
  g_return_val_if_fail (name != NULL, FORE_SETTINGS_DEFAULT);

  slot = g_hash_table_lookup (self->slots, name);
  return slot != NULL ? slot->layer : FORE_SETTINGS_DEFAULT;
}

/**
 * fore_settings_dup_user_path:
 * @user_dir: the person's folder
 *
 * Gets the path of the person's settings.
 *
 * Returns: (transfer full): the path
 */
char *
fore_settings_dup_user_path (const char *user_dir)
{
  g_return_val_if_fail (user_dir != NULL, NULL);

  return g_build_filename (user_dir, "config.json", NULL);
}

/**
 * fore_settings_dup_project_path:
 * @project_dir: a project
 *
 * Gets the path of a project's settings.
 *
 * Returns: (transfer full): the path
 */
char *
fore_settings_dup_project_path (const char *project_dir)
{
  g_return_val_if_fail (project_dir != NULL, NULL);

  return g_build_filename (project_dir, ".foredeck", "config.json", NULL);
}

/**
 * fore_settings_layer_to_string:
 * @layer: a layer
 *
 * Gets the word that stands for @layer in JSON.
 *
 * Returns: (transfer none): a static string
 */
const char *
fore_settings_layer_to_string (ForeSettingsLayer layer)
{
  static const char *const names[FORE_N_SETTINGS_LAYERS] = { "default", "user", "project", "run" };

  g_return_val_if_fail ((guint) layer < FORE_N_SETTINGS_LAYERS, "default");

  return names[layer];
}
