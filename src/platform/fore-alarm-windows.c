/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-alarm.h"

#include "platform/fore-alarm-private.h"

#include <glib/gstdio.h>

/* The Task Scheduler is part of every Windows. */
gboolean
fore_alarm_is_there (void)
{
  return TRUE;
}

gboolean
fore_alarm_set (const char *home, const char *program, gint64 at_us, GError **error)
{
  g_autofree char *name = fore_alarm_dup_name (home);
  g_autofree char *file = g_strconcat (name, ".xml", NULL);
  g_autofree char *path = g_build_filename (home, file, NULL);
  const char *const create[] = { "schtasks", "/Create", "/F", "/TN", name, "/XML", path, NULL };
  const char *const drop[] = { "schtasks", "/Delete", "/F", "/TN", name, NULL };
  g_autofree char *text = NULL;

  g_return_val_if_fail (home != NULL && program != NULL, FALSE);

  if (at_us == 0)
    {
      g_unlink (path);
      fore_alarm_call (drop, NULL);
      return TRUE;
    }

  text = fore_alarm_build_task (home, program, at_us);

  return fore_alarm_write (path, text, error) && fore_alarm_call (create, error);
}
