/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-doctor.h"

#include "library/fore-library.h"
#include "library/fore-settings.h"
#include "model/fore-error.h"
#include "platform/fore-crash.h"
#include "platform/fore-log.h"
#include "text/fore-redact.h"
#include "text/fore-secrets.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define LOG_LINES 500
#define MAX_RUNS 50
#define MAX_REPORTS 5
#define MAX_REPORT_SIZE (256 * 1024)

static const char *const level_marks[] = { "good", "note", "BAD " };

static gboolean
is_secret_name (const char *name)
{
  const char *const parts[] = { "KEY", "TOKEN", "SECRET", "PASSW", "CREDENTIAL", "AUTH" };
  g_autofree char *upper = g_ascii_strup (name, -1);

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      if (strstr (upper, parts[i]) != NULL)
        return TRUE;
    }

  return FALSE;
}

static ForeRedactor *
make_redactor (void)
{
  ForeRedactor *redactor = fore_redactor_new ();
  g_auto (GStrv) names = g_listenv ();

  for (guint i = 0; names[i] != NULL; i++)
    {
      if (is_secret_name (names[i]))
        fore_redactor_add (redactor, names[i], g_getenv (names[i]));
    }

  return redactor;
}

static void
append_heading (GString *text, const char *heading)
{
  g_string_append_printf (text, "%s## %s\n\n", text->len > 0 ? "\n" : "", heading);
}

static void
append_findings (GString *text, GPtrArray *findings)
{
  append_heading (text, "Findings");
  for (guint i = 0; i < findings->len; i++)
    {
      const ForeFinding *finding = findings->pdata[i];

      g_string_append_printf (text, "%s  %s / %s: %s\n", level_marks[finding->level],
                              finding->section, finding->name, finding->value);
    }
}

/* Only what differs from the defaults says something. */
static void
append_settings (GString *text)
{
  g_autofree char *user_dir = fore_library_dup_user_dir ();
  g_autoptr (GPtrArray) diagnostics = fore_diagnostics_new ();
  g_autoptr (ForeSettings) settings = fore_settings_load (user_dir, NULL, FALSE, diagnostics);
  g_autoptr (GPtrArray) entries = fore_settings_list (settings);

  append_heading (text, "Settings");
  for (guint i = 0; i < entries->len; i++)
    {
      const ForeSettingsEntry *entry = entries->pdata[i];

      if (entry->layer != FORE_SETTINGS_DEFAULT)
        g_string_append_printf (text, "%s = %s\n", entry->name, entry->text);
    }
}

/* Goals are a person's own words: they stay at home. */
static void
append_runs (GString *text, ForeStore *store)
{
  g_autoptr (GPtrArray) runs = fore_store_list_runs (store, NULL, NULL, MAX_RUNS, 0, NULL);

  append_heading (text, "Runs");
  for (guint i = 0; runs != NULL && i < runs->len; i++)
    {
      const ForeRun *run = runs->pdata[i];

      g_string_append_printf (text, "%s  %s  %s  %u tasks  version %s\n", run->id,
                              fore_run_status_to_string (run->status), run->workflow, run->n_tasks,
                              run->owner_version != NULL ? run->owner_version : "?");
    }
}

static void
append_log (GString *text, const char *home)
{
  g_auto (GStrv) lines = fore_log_read_tail (home, NULL, LOG_LINES, NULL);

  append_heading (text, "Log");
  for (guint i = 0; lines != NULL && lines[i] != NULL; i++)
    g_string_append_printf (text, "%s\n", lines[i]);
}

static void
append_crashes (GString *text, const char *home)
{
  g_auto (GStrv) reports = fore_crash_list_unseen (home);

  for (guint i = 0; reports != NULL && reports[i] != NULL && i < MAX_REPORTS; i++)
    {
      g_autofree char *content = NULL;
      gsize length;

      if (!g_file_get_contents (reports[i], &content, &length, NULL))
        continue;

      append_heading (text, "Crash report");
      g_string_append_len (text, content, MIN (length, MAX_REPORT_SIZE));
    }
}

static char *
hide_home (const char *text)
{
  const char *home = g_get_home_dir ();
  GString *hidden = g_string_new (text);

  if (home != NULL && strlen (home) > 1)
    g_string_replace (hidden, home, "~", 0);

  return g_string_free (hidden, FALSE);
}

/**
 * fore_doctor_write_bundle:
 * @store: the store
 * @findings: (element-type ForeFinding): what was found
 * @path: the file to write
 * @error: where to put an error
 *
 * Writes one text file for somebody who helps: findings, settings, runs without their goals, the
 * last log lines and crash reports. No prompts, results or secrets are in it. Blocking.
 *
 * Returns: whether it was written
 */
gboolean
fore_doctor_write_bundle (ForeStore *store, GPtrArray *findings, const char *path, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (ForeRedactor) redactor = NULL;
  g_autoptr (GError) local_error = NULL;
  g_autofree char *known = NULL;
  g_autofree char *redacted = NULL;
  g_autofree char *hidden = NULL;
  const char *home;

  g_return_val_if_fail (FORE_IS_STORE (store), FALSE);
  g_return_val_if_fail (findings != NULL, FALSE);
  g_return_val_if_fail (path != NULL, FALSE);

  home = fore_store_get_home (store);
  g_string_append_printf (text, "# Foredeck %s\n", FORE_VERSION);
  append_findings (text, findings);
  append_settings (text);
  append_runs (text, store);
  append_log (text, home);
  append_crashes (text, home);

  redactor = make_redactor ();
  known = fore_redactor_apply (redactor, text->str);
  redacted = fore_secrets_mask (known, TRUE);
  hidden = hide_home (redacted);
  if (g_file_set_contents_full (path, hidden, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600,
                                &local_error))
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_FAILED, _ ("The report cannot be written: %s."),
               local_error->message);
  return FALSE;
}
