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
#define ENDED_BY "\nended by "

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

/* The line after the program's name and version: ended by SIGNAL (what that is). */
static char *
read_cause (const char *path)
{
  g_autofree char *text = NULL;
  const char *start, *end;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return NULL;

  start = strstr (text, ENDED_BY);
  if (start == NULL)
    return NULL;

  start += strlen (ENDED_BY);
  end = start + strcspn (start, " \n");

  return g_strndup (start, (gsize) (end - start));
}

/**
 * fore_crash_find:
 * @home: the folder of everything
 * @program: name of a program
 * @pid: number that a process of it had
 * @cause: (out) (optional) (nullable) (transfer full): name of the signal that ended it
 *
 * Returns: (transfer full) (nullable): path of the newest report that such a process left
 */
char *
fore_crash_find (const char *home, const char *program, int pid, char **cause)
{
  g_autofree char *folder = NULL;
  g_autofree char *prefix = NULL;
  g_autofree char *found = NULL;
  g_autoptr (GDir) dir = NULL;
  const char *name;
  char *path;

  g_return_val_if_fail (home != NULL && program != NULL, NULL);

  folder = fore_dirs_dup_crashes_dir (home);
  prefix = g_strdup_printf ("%s-%d-", program, pid);
  dir = g_dir_open (folder, 0, NULL);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      if (g_str_has_prefix (name, prefix) && (found == NULL || strcmp (name, found) > 0))
        {
          g_free (found);
          found = g_strdup (name);
        }
    }

  path = found != NULL ? g_build_filename (folder, found, NULL) : NULL;
  if (cause != NULL)
    *cause = path != NULL ? read_cause (path) : NULL;

  return path;
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
