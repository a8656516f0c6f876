/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-crash-reports.h"

#include "app/fore-errors.h"
#include "app/fore-job.h"
#include "platform/fore-crash.h"

#include <glib/gi18n-lib.h>

static gpointer
read_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  GStrv paths = data;
  GString *text = g_string_new (NULL);

  for (guint i = 0; paths[i] != NULL; i++)
    {
      g_autofree char *report = NULL;
      g_autofree char *valid = NULL;

      if (g_file_get_contents (paths[i], &report, NULL, NULL))
        valid = g_utf8_make_valid (report, -1);
      g_string_append_printf (text, "%s\n\n%s\n\n", paths[i], valid != NULL ? valid : "");
      fore_crash_mark_seen (paths[i], NULL);
    }

  return g_string_free (text, FALSE);
}

static void
read_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  fore_show_text (owner, _ ("Crash Report"), result);
}

/**
 * fore_crash_reports_show:
 * @from: the widget that asks
 * @paths: paths of the reports
 *
 * Shows the reports in a window and marks them as seen.
 */
void
fore_crash_reports_show (GtkWidget *from, GStrv paths)
{
  g_return_if_fail (paths != NULL);

  fore_job_run (from, "read-crash-reports", NULL, read_thread, g_strdupv (paths),
                (GDestroyNotify) g_strfreev, g_free, read_cb);
}

static gpointer
dismiss_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  GStrv paths = data;

  for (guint i = 0; paths[i] != NULL; i++)
    fore_crash_mark_seen (paths[i], NULL);

  return NULL;
}

/**
 * fore_crash_reports_dismiss:
 * @from: the widget that asks
 * @paths: paths of the reports
 *
 * Marks the reports as seen.
 */
void
fore_crash_reports_dismiss (GtkWidget *from, GStrv paths)
{
  g_return_if_fail (paths != NULL);

  fore_job_run (from, "mark-crash-reports", NULL, dismiss_thread, g_strdupv (paths),
                (GDestroyNotify) g_strfreev, NULL, NULL);
}
