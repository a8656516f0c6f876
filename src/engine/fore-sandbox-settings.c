/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-sandbox-settings.h"

#include "library/fore-role.h"
#include "model/fore-error.h"
#include "model/fore-settings-keys.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define PROFILE_PREFIX "sandbox.profile."

/**
 * fore_sandbox_settings_check_mode:
 * @error: return location for an error
 *
 * Returns: %FALSE with %FORE_ERROR_USAGE where the environment names a mode of the sandbox that
 *   there is not
 */
gboolean
fore_sandbox_settings_check_mode (GError **error)
{
  const char *mode = g_getenv (FORE_SANDBOX_MODE_VARIABLE);
  const char *const *words = fore_setting_keys_find ("sandbox.mode")->choices;
  g_autofree char *list = NULL;

  if (mode == NULL || mode[0] == '\0' || g_strv_contains (words, mode))
    return TRUE;

  list = g_strjoinv (", ", (char **) words);
  g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
               _ ("%s is “%s” in the environment, and can only be one of %s."),
               FORE_SANDBOX_MODE_VARIABLE, mode, list);
  return FALSE;
}

static gboolean
has_role (ForeLibrary *library, const char *role)
{
  GPtrArray *teams = fore_library_list_teams (library);

  for (guint i = 0; i < teams->len; i++)
    {
      if (fore_team_get_role (g_ptr_array_index (teams, i), role) != NULL)
        return TRUE;
    }

  return FALSE;
}

/**
 * fore_sandbox_settings_check_role:
 * @library: teams and their roles
 * @name: full name of any setting
 * @error: return location for an error
 *
 * Returns: %FALSE with %FORE_ERROR_USAGE, which lists the roles, where @name gives a profile to a
 *   role that nobody has
 */
gboolean
fore_sandbox_settings_check_role (ForeLibrary *library, const char *name, GError **error)
{
  g_auto (GStrv) roles = NULL;
  g_autofree char *list = NULL;
  const char *role;

  g_return_val_if_fail (library != NULL && name != NULL, FALSE);

  if (!g_str_has_prefix (name, PROFILE_PREFIX))
    return TRUE;

  role = name + strlen (PROFILE_PREFIX);
  roles = fore_role_list ();
  if (g_strv_contains ((const char *const *) roles, role) || has_role (library, role))
    return TRUE;

  list = g_strjoinv (", ", roles);
  g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
               _ ("`%s` names the role “%s”, which nobody has; roles are %s, and those of your "
                  "teams."),
               name, role, list);
  return FALSE;
}

/**
 * fore_sandbox_settings_check:
 * @settings: settings in force
 * @library: teams and their roles
 * @problems: (element-type utf8): gets a sentence for each that does nothing in a file
 * @error: return location for an error
 *
 * Returns: %FALSE with %FORE_ERROR_USAGE where an option of a run does nothing
 */
gboolean
fore_sandbox_settings_check (ForeSettings *settings,
                             ForeLibrary *library,
                             GPtrArray *problems,
                             GError **error)
{
  g_autoptr (GPtrArray) entries = NULL;

  g_return_val_if_fail (settings != NULL && library != NULL && problems != NULL, FALSE);

  entries = fore_settings_list (settings);
  for (guint i = 0; i < entries->len; i++)
    {
      const ForeSettingsEntry *entry = g_ptr_array_index (entries, i);
      g_autoptr (GError) problem = NULL;

      if (entry->layer == FORE_SETTINGS_DEFAULT
          || fore_sandbox_settings_check_role (library, entry->name, &problem))
        continue;
      if (entry->layer == FORE_SETTINGS_RUN)
        {
          g_propagate_error (error, g_steal_pointer (&problem));
          return FALSE;
        }
      g_ptr_array_add (problems, g_strdup (problem->message));
    }

  return TRUE;
}
