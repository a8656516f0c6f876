/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-alarm.h"

#include "platform/fore-alarm-private.h"

#include <glib/gstdio.h>
#include <unistd.h>

/* launchd looks after every user. */
gboolean
fore_alarm_is_there (void)
{
  return TRUE;
}

/* It looks every minute, so that the time itself says nothing but whether there is one. */
gboolean
fore_alarm_set (const char *home, const char *program, gint64 at_us, GError **error)
{
  g_autofree char *name = fore_alarm_dup_name (home);
  g_autofree char *file = g_strconcat (name, ".plist", NULL);
  g_autofree char *path = g_build_filename (g_get_home_dir (), "Library", "LaunchAgents", file,
                                            NULL);
  g_autofree char *domain = g_strdup_printf ("gui/%u", (guint) getuid ());
  g_autofree char *service = g_strconcat (domain, "/", name, NULL);
  const char *const boot_out[] = { "launchctl", "bootout", service, NULL };
  const char *const bootstrap[] = { "launchctl", "bootstrap", domain, path, NULL };
  g_autofree char *text = NULL;
  g_autofree char *old = NULL;

  g_return_val_if_fail (home != NULL && program != NULL, FALSE);

  text = fore_alarm_build_launchd (home, program);
  g_file_get_contents (path, &old, NULL, NULL);
  if (at_us != 0 && g_strcmp0 (old, text) == 0)
    return TRUE;

  if (old != NULL)
    fore_alarm_call (boot_out, NULL);
  if (at_us == 0)
    {
      g_unlink (path);
      return TRUE;
    }

  return fore_alarm_write (path, text, error) && fore_alarm_call (bootstrap, error);
}
