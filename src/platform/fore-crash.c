/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-crash.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "model/fore-error.h"
#include "platform/fore-crash-private.h"
#include "platform/fore-dirs.h"

#define SUFFIX ".txt"
#define SEEN_SUFFIX ".seen"

/**
 * fore_crash_install:
 * @home: the folder of everything
 * @program: name of this program
 *
 * From here on a crash of this process leaves a report under @home. Nothing is ever sent.
 */
void
fore_crash_install (const char *home, const char *program)
{
  g_autofree char *dir = NULL;

  g_return_if_fail (home != NULL);
  g_return_if_fail (program != NULL);

  dir = fore_dirs_dup_crashes_dir (home);
  if (g_mkdir_with_parents (dir, 0700) != 0)
    g_debug ("Crashes will leave no report in %s: %s", dir, g_strerror (errno));

  fore_crash_system_install (dir, program);
}

typedef struct
{
  char *path;
  gint64 time;
} Report;

static void
report_clear (gpointer data)
{
  g_free (((Report *) data)->path);
}

static int
compare_reports (gconstpointer a, gconstpointer b)
{
  const Report *first = a, *second = b;

  if (first->time != second->time)
    return first->time < second->time ? 1 : -1;

  return strcmp (second->path, first->path);
}

static GStrv
steal_paths (GArray *reports)
{
  GStrv paths = g_new0 (char *, reports->len + 1);

  for (guint i = 0; i < reports->len; i++)
    paths[i] = g_steal_pointer (&g_array_index (reports, Report, i).path);

  return paths;
}

/**
 * fore_crash_list_unseen:
 * @home: the folder of everything
 *
 * Returns: (transfer full): paths of the reports that nobody has seen yet, the newest first
 */
GStrv
fore_crash_list_unseen (const char *home)
{
  g_autoptr (GArray) reports = g_array_new (FALSE, TRUE, sizeof (Report));
  g_autofree char *path = NULL;
  g_autoptr (GDir) dir = NULL;
  const char *name;

  g_return_val_if_fail (home != NULL, NULL);

  g_array_set_clear_func (reports, report_clear);
  path = fore_dirs_dup_crashes_dir (home);
  dir = g_dir_open (path, 0, NULL);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      Report report = { g_build_filename (path, name, NULL), 0 };
      GStatBuf info;

      if (g_str_has_suffix (name, SUFFIX) && g_stat (report.path, &info) == 0)
        {
          report.time = (gint64) info.st_mtime;
          g_array_append_val (reports, report);
        }
      else
        report_clear (&report);
    }

  g_array_sort (reports, compare_reports);
  return steal_paths (reports);
}

/**
 * fore_crash_mark_seen:
 * @path: path of a report
 * @error: return location for an error
 *
 * Keeps the report, but not in the list of those that nobody has seen.
 *
 * Returns: whether it could be marked
 */
gboolean
fore_crash_mark_seen (const char *path, GError **error)
{
  g_autofree char *seen = NULL;

  g_return_val_if_fail (path != NULL, FALSE);

  seen = g_strconcat (path, SEEN_SUFFIX, NULL);
  if (g_rename (path, seen) == 0)
    return TRUE;

  g_set_error (
      error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
      _ ("The crash report %s could not be put aside (%s); check the folder’s permissions"), path,
      g_strerror (errno));
  return FALSE;
}
