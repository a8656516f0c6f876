/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-alarm.h"

#include "platform/fore-alarm-private.h"

#include <glib/gstdio.h>

/**
 * fore_alarm_is_there:
 *
 * Returns: whether the system can call us: on Linux, whether systemd looks after this user
 */
gboolean
fore_alarm_is_there (void)
{
  g_autofree char *socket = g_build_filename (g_get_user_runtime_dir (), "systemd", "private",
                                              NULL);

  return g_file_test (socket, G_FILE_TEST_EXISTS);
}

static char *
build_path (const char *name, const char *suffix)
{
  g_autofree char *file = g_strconcat (name, suffix, NULL);

  return g_build_filename (g_get_user_config_dir (), "systemd", "user", file, NULL);
}

static gboolean
take_away (const char *timer, const char *timer_path, const char *service_path, GError **error)
{
  const char *const disable[] = { "systemctl", "--user", "disable", "--now", timer, NULL };
  const char *const reload[] = { "systemctl", "--user", "daemon-reload", NULL };

  if (!g_file_test (timer_path, G_FILE_TEST_EXISTS))
    return TRUE;
  if (!fore_alarm_call (disable, error))
    return FALSE;

  g_unlink (timer_path);
  g_unlink (service_path);

  return fore_alarm_call (reload, error);
}

/* A timer that runs keeps the time it was started with. */
static gboolean
start_timer (const char *timer, GError **error)
{
  const char *const reload[] = { "systemctl", "--user", "daemon-reload", NULL };
  const char *const enable[] = { "systemctl", "--user", "enable", timer, NULL };
  const char *const restart[] = { "systemctl", "--user", "restart", timer, NULL };

  return fore_alarm_call (reload, error) && fore_alarm_call (enable, error)
         && fore_alarm_call (restart, error);
}

static gboolean
is_as_it_was (const char *path, const char *text)
{
  g_autofree char *old = NULL;

  return g_file_get_contents (path, &old, NULL, NULL) && g_strcmp0 (old, text) == 0;
}

/**
 * fore_alarm_set:
 * @home: the folder of everything
 * @program: path of foredeckctl
 * @at_us: microseconds since the epoch; 0 for never
 * @error: return location for an error
 *
 * Has `foredeckctl schedule tick` called at @at_us, instead of when it was to be called before; or
 * never any more. Blocks on the system.
 *
 * Returns: whether the system will
 */
gboolean
fore_alarm_set (const char *home, const char *program, gint64 at_us, GError **error)
{
  g_autofree char *name = fore_alarm_dup_name (home);
  g_autofree char *timer = g_strconcat (name, ".timer", NULL);
  g_autofree char *timer_path = build_path (name, ".timer");
  g_autofree char *service_path = build_path (name, ".service");
  g_autofree char *timer_text = NULL;
  g_autofree char *service_text = NULL;

  g_return_val_if_fail (home != NULL && program != NULL, FALSE);

  if (at_us == 0)
    return take_away (timer, timer_path, service_path, error);

  timer_text = fore_alarm_build_systemd_timer (at_us);
  service_text = fore_alarm_build_systemd_service (home, program);
  if (is_as_it_was (timer_path, timer_text) && is_as_it_was (service_path, service_text))
    return TRUE;

  return fore_alarm_write (service_path, service_text, error)
         && fore_alarm_write (timer_path, timer_text, error) && start_timer (timer, error);
}
