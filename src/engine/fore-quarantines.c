/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-quarantines.h"

#include "git/fore-quarantine.h"
#include "platform/fore-dirs.h"

#include <string.h>

#define SUFFIX "git"

/**
 * fore_quarantines_dup_path:
 * @home: home of the store
 * @run: a run
 * @task: a task
 * @n: number of an attempt, or of a check
 *
 * Returns: (transfer full): the folder that takes what it commits in a sandbox
 */
char *
fore_quarantines_dup_path (const char *home, const char *run, const char *task, guint n)
{
  return fore_dirs_dup_attempt_path (home, run, task, n, SUFFIX);
}

/* `TASK.N.git`; keys of tasks may have dots too. */
static gboolean
is_of_task (const char *name, const char *task)
{
  const char *rest = name + strlen (task);
  gsize digits;

  if (!g_str_has_prefix (name, task) || rest[0] != '.')
    return FALSE;

  digits = strspn (rest + 1, "0123456789");

  return digits > 0 && strcmp (rest + 1 + digits, "." SUFFIX) == 0;
}

/**
 * fore_quarantines_import:
 * @home: home of the store
 * @run: a run
 * @task: (nullable): a task nobody works on; %NULL for all, where nobody works in the run
 * @error: return location for an error
 *
 * Brings to the repositories what was committed in sandboxes, also where nobody saw the end of who
 * did. Blocking.
 *
 * Returns: whether nothing is left
 */
gboolean
fore_quarantines_import (const char *home, const char *run, const char *task, GError **error)
{
  g_autofree char *folder = fore_dirs_dup_attempts_dir (home, run);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (task != NULL ? !is_of_task (name, task) : !g_str_has_suffix (name, "." SUFFIX))
        continue;
      if (!fore_quarantine_import (path, error))
        return FALSE;
    }

  return TRUE;
}
