/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "model/fore-error.h"
#include "platform/fore-dirs.h"
#include "platform/fore-files.h"
#include "platform/fore-log.h"

#define TAIL_SIZE (4 * 1024 * 1024)
#define SUFFIX ".log"
#define DAY_LENGTH 10

/* The end of a file, from the start of a line on. */
static char *
read_tail (const char *path)
{
  g_autofree char *text = NULL;
  gssize length;
  off_t size;
  char *start;
  int fd = g_open (path, O_RDONLY | O_CLOEXEC, 0);

  if (fd < 0)
    return NULL;

  size = lseek (fd, 0, SEEK_END);
  text = g_malloc (TAIL_SIZE + 1);
  length = lseek (fd, MAX (0, size - TAIL_SIZE), SEEK_SET) < 0 ? -1 : read (fd, text, TAIL_SIZE);
  close (fd);
  if (length < 0)
    return NULL;

  text[length] = '\0';
  if (size <= TAIL_SIZE)
    return g_steal_pointer (&text);

  start = strchr (text, '\n');
  return g_strdup (start == NULL ? "" : start + 1);
}

static void
add_lines (GPtrArray *lines, const char *path, const char *needle)
{
  g_autofree char *text = read_tail (path);
  char *rest = NULL;

  if (text == NULL)
    return;

  for (char *line = strtok_r (text, "\n", &rest); line != NULL; line = strtok_r (NULL, "\n", &rest))
    {
      if (needle == NULL || strstr (line, needle) != NULL)
        g_ptr_array_add (lines, g_strdup (line));
    }
}

/* Every line begins with its time, written so that it sorts as text. */
static int
compare_lines (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static GStrv
take_last (GPtrArray *lines, guint n)
{
  GStrvBuilder *builder = g_strv_builder_new ();
  GStrv result;

  for (guint i = lines->len > n ? lines->len - n : 0; i < lines->len; i++)
    g_strv_builder_add (builder, lines->pdata[i]);

  result = g_strv_builder_end (builder);
  g_strv_builder_unref (builder);
  return result;
}

/**
 * fore_log_read_tail:
 * @home: the folder of everything
 * @run: (nullable): id of a run, %NULL for all lines
 * @n: how many lines at most
 * @error: return location for an error
 *
 * Reads up to 4 MiB of each log: for a thread.
 *
 * Returns: (transfer full): the newest lines over all programs, each a JSON object, the oldest
 * first
 */
GStrv
fore_log_read_tail (const char *home, const char *run, guint n, GError **error)
{
  g_autofree char *path = NULL;
  g_autofree char *needle = NULL;
  g_autoptr (GPtrArray) lines = NULL;
  g_autoptr (GDir) dir = NULL;
  const char *name;

  g_return_val_if_fail (home != NULL, NULL);

  path = fore_dirs_dup_log_dir (home);
  dir = g_dir_open (path, 0, NULL);
  if (dir == NULL)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                   _ ("There are no logs in %s yet; start a run first"), path);
      return NULL;
    }

  needle = run == NULL ? NULL : g_strdup_printf ("\"run\":\"%s\"", run);
  lines = g_ptr_array_new_with_free_func (g_free);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *file = g_build_filename (path, name, NULL);

      if (g_str_has_suffix (name, SUFFIX))
        add_lines (lines, file, needle);
    }

  g_ptr_array_sort (lines, compare_lines);
  return take_last (lines, n);
}

/* <program>-YYYY-MM-DD.log */
static gboolean
is_before (const char *name, const char *day)
{
  gsize length = strlen (name);
  const char *start;

  if (!g_str_has_suffix (name, SUFFIX) || length < strlen (SUFFIX) + DAY_LENGTH + 1)
    return FALSE;

  start = name + length - strlen (SUFFIX) - DAY_LENGTH;
  return start[-1] == '-' && g_ascii_isdigit (start[0]) && strncmp (start, day, DAY_LENGTH) < 0;
}

/**
 * fore_log_prune:
 * @home: the folder of everything
 * @keep_days: how many days of logs stay
 *
 * Removes older logs of all programs.
 *
 * Returns: how many files it removed
 */
guint
fore_log_prune (const char *home, guint keep_days)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autoptr (GDateTime) first = g_date_time_add_days (now, -(int) keep_days);
  g_autofree char *day = g_date_time_format (first, "%Y-%m-%d");
  g_autofree char *path = NULL;
  g_autoptr (GDir) dir = NULL;
  const char *name;
  guint removed = 0;

  g_return_val_if_fail (home != NULL, 0);

  path = fore_dirs_dup_log_dir (home);
  dir = g_dir_open (path, 0, NULL);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *file = g_build_filename (path, name, NULL);

      if (is_before (name, day) && g_unlink (file) == 0)
        removed++;
    }

  return removed;
}
