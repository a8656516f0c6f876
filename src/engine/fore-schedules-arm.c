/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-schedules-arm.h"

#include "engine/fore-schedules.h"
#include "library/fore-library.h"
#include "library/fore-settings.h"
#include "platform/fore-alarm.h"
#include "platform/fore-process.h"

#define KEY "schedules.enabled"

/**
 * fore_schedules_are_on:
 *
 * Returns: whether the settings let schedules start runs
 */
gboolean
fore_schedules_are_on (void)
{
  g_autofree char *user_dir = fore_library_dup_user_dir ();
  g_autoptr (ForeSettings) settings = fore_settings_load (user_dir, NULL, FALSE, NULL);

  return fore_settings_get_bool (settings, KEY);
}

/**
 * fore_schedules_turn_on:
 * @error: return location for an error
 *
 * Lets schedules start runs, for a person who has asked for one.
 *
 * Returns: whether they do now
 */
gboolean
fore_schedules_turn_on (GError **error)
{
  g_autofree char *user_dir = fore_library_dup_user_dir ();
  g_autofree char *path = fore_settings_dup_user_path (user_dir);

  return fore_schedules_are_on ()
         || fore_settings_store (path, FORE_SETTINGS_USER, KEY, "true", NULL, error);
}

/**
 * fore_schedules_arm:
 * @home: the folder of everything
 * @error: return location for an error
 *
 * Has the system call us when the next schedule comes, where it can; or never, if there is none or
 * they are off.
 *
 * Returns: %FALSE if the system refused
 */
gboolean
fore_schedules_arm (const char *home, GError **error)
{
  g_autofree char *program = fore_platform_find_program ("foredeckctl");
  g_autoptr (GPtrArray) schedules = NULL;
  gint64 next = 0;

  g_return_val_if_fail (home != NULL, FALSE);

  if (program == NULL || !fore_alarm_is_there ())
    return TRUE;

  if (fore_schedules_are_on ())
    {
      /* What cannot be read is not nothing. */
      schedules = fore_schedules_load (home, error);
      if (schedules == NULL)
        return FALSE;
      next = fore_schedules_find_next (schedules, g_get_real_time ());
    }

  return fore_alarm_set (home, program, next, error);
}
