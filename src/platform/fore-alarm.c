/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-alarm.h"

#include "model/fore-error.h"
#include "platform/fore-alarm-private.h"
#include "platform/fore-dirs.h"
#include "platform/fore-program.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define CALL_MS 20000
#define HASH_LENGTH 8
#define LAUNCHD_SECONDS 60

/**
 * fore_alarm_dup_name:
 * @home: the folder of everything
 *
 * Returns: (transfer full): what the alarm of this home is called; each home has its own
 */
char *
fore_alarm_dup_name (const char *home)
{
  g_autofree char *hash = NULL;

  g_return_val_if_fail (home != NULL, NULL);

  hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, home, -1);
  hash[HASH_LENGTH] = '\0';

  return g_strconcat ("foredeck-schedules-", hash, NULL);
}

/* Between double quotes of a unit: systemd.service(5), “Quoting”. A % begins a specifier, and in a
 * command a $ begins a variable.
 */
static void
append_quoted (GString *out, const char *text, gboolean command)
{
  g_string_append_c (out, '"');
  for (const char *c = text; *c != '\0'; c++)
    {
      if (*c == '"' || *c == '\\')
        g_string_append_c (out, '\\');
      else if (*c == '%' || (*c == '$' && command))
        g_string_append_c (out, *c);
      g_string_append_c (out, *c);
    }
  g_string_append_c (out, '"');
}

/**
 * fore_alarm_build_systemd_service:
 * @home: the folder of everything
 * @program: path of foredeckctl
 *
 * Returns: (transfer full): a unit as in systemd.service(5)
 */
char *
fore_alarm_build_systemd_service (const char *home, const char *program)
{
  g_autofree char *assignment = NULL;
  GString *out;

  g_return_val_if_fail (home != NULL && program != NULL, NULL);

  assignment = g_strconcat ("FOREDECK_HOME=", home, NULL);
  out = g_string_new ("[Unit]\nDescription=Foredeck: start what is due\n\n[Service]\n"
                      "Type=oneshot\nKillMode=process\nEnvironment=");
  append_quoted (out, assignment, FALSE);
  g_string_append (out, "\nExecStart=");
  append_quoted (out, program, TRUE);
  g_string_append (out, " schedule tick\n");

  return g_string_free (out, FALSE);
}

/**
 * fore_alarm_build_systemd_timer:
 * @at_us: microseconds since the epoch
 *
 * Returns: (transfer full): a unit as in systemd.timer(5)
 */
char *
fore_alarm_build_systemd_timer (gint64 at_us)
{
  g_autoptr (GDateTime) at = g_date_time_new_from_unix_utc (at_us / G_USEC_PER_SEC);
  g_autofree char *text = at != NULL ? g_date_time_format (at, "%F %T UTC") : NULL;

  g_return_val_if_fail (text != NULL, NULL);

  return g_strdup_printf ("[Unit]\nDescription=Foredeck: when the next run is due\n\n[Timer]\n"
                          "OnCalendar=%s\nPersistent=true\nAccuracySec=1s\n\n[Install]\n"
                          "WantedBy=timers.target\n",
                          text);
}

/**
 * fore_alarm_build_launchd:
 * @home: the folder of everything
 * @program: path of foredeckctl
 *
 * Returns: (transfer full): an agent as in launchd.plist(5), which looks once a minute
 */
char *
fore_alarm_build_launchd (const char *home, const char *program)
{
  g_autofree char *name = fore_alarm_dup_name (home);

  return g_markup_printf_escaped (
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" "
      "\"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n"
      "<plist version=\"1.0\"><dict>\n"
      "<key>Label</key><string>%s</string>\n"
      "<key>ProgramArguments</key><array><string>%s</string><string>schedule</string>"
      "<string>tick</string></array>\n"
      "<key>EnvironmentVariables</key><dict><key>FOREDECK_HOME</key><string>%s</string></dict>\n"
      "<key>StartInterval</key><integer>%d</integer>\n"
      "<key>RunAtLoad</key><true/>\n"
      "<key>AbandonProcessGroup</key><true/>\n"
      "</dict></plist>\n",
      name, program, home, LAUNCHD_SECONDS);
}

/**
 * fore_alarm_build_task:
 * @home: the folder of everything
 * @program: path of foredeckctl
 * @at_us: microseconds since the epoch
 *
 * Returns: (transfer full): a task of the Task Scheduler's schema 1.2
 */
char *
fore_alarm_build_task (const char *home, const char *program, gint64 at_us)
{
  g_autoptr (GDateTime) at = g_date_time_new_from_unix_utc (at_us / G_USEC_PER_SEC);
  g_autofree char *text = at != NULL ? g_date_time_format (at, "%FT%TZ") : NULL;

  g_return_val_if_fail (home != NULL && program != NULL && text != NULL, NULL);

  return g_markup_printf_escaped (
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<Task version=\"1.2\" xmlns=\"http://schemas.microsoft.com/windows/2004/02/mit/task\">\n"
      "<Triggers><TimeTrigger><StartBoundary>%s</StartBoundary></TimeTrigger></Triggers>\n"
      "<Settings><StartWhenAvailable>true</StartWhenAvailable>"
      "<DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>"
      "<MultipleInstancesPolicy>Queue</MultipleInstancesPolicy></Settings>\n"
      "<Actions><Exec><Command>cmd.exe</Command><Arguments>/c \"set \"FOREDECK_HOME=%s\"&amp;&amp; "
      "\"%s\" schedule tick\"</Arguments></Exec></Actions>\n</Task>\n",
      text, home, program);
}

gboolean
fore_alarm_write (const char *path, const char *text, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);

  return fore_dirs_ensure_dir (folder, error) && g_file_set_contents (path, text, -1, error);
}

gboolean
fore_alarm_call (const char *const *argv, GError **error)
{
  g_auto (ForeProgram) program = { .argv = argv, .timeout_ms = CALL_MS };

  if (!fore_program_run (&program, error))
    return FALSE;
  if (program.exit_code == 0)
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT, _ ("%s %s ended with %d: %s"), argv[0],
               argv[1], program.exit_code, program.errors != NULL ? program.errors : "");
  return FALSE;
}
