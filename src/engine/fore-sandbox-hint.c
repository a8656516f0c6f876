/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-sandbox-hint.h"

#include "engine/fore-attempt-sandbox.h"
#include "platform/fore-files.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

/* What was in the way is said near the end. */
#define TAIL (256 * 1024)

/**
 * fore_sandbox_hint_is_refusal:
 * @text: (array length=length): what a program printed
 * @length: how many bytes of it
 *
 * Returns: whether it says that something could not be written, as a sandbox lets the system say
 */
gboolean
fore_sandbox_hint_is_refusal (const char *text, gsize length)
{
  const char *const words[] = { "Read-only file system", "read-only file system", "EROFS",
                                g_strerror (EROFS) };

  g_return_val_if_fail (text != NULL || length == 0, FALSE);

  for (guint i = 0; length > 0 && i < G_N_ELEMENTS (words); i++)
    {
      if (g_strstr_len (text, (gssize) length, words[i]) != NULL)
        return TRUE;
    }

  return FALSE;
}

static gboolean
look_at_file (const char *path)
{
  g_autofree char *bytes = NULL;
  int fd = g_open (path, O_RDONLY | O_CLOEXEC, 0);
  GStatBuf status;
  gssize length = 0;
  gboolean found;

  if (fd < 0)
    return FALSE;

  bytes = g_malloc (TAIL);
  if (g_stat (path, &status) == 0)
    length = fore_file_read_at (fd, bytes, TAIL, MAX ((gint64) status.st_size - TAIL, 0));
  found = fore_sandbox_hint_is_refusal (bytes, (gsize) MAX (length, 0));
  g_close (fd, NULL);

  return found;
}

/**
 * fore_sandbox_hint_find:
 * @paths: (array zero-terminated=1): files of what an attempt printed
 *
 * Looks at the end of each. Blocking.
 *
 * Returns: whether one says that something could not be written
 */
gboolean
fore_sandbox_hint_find (const char *const *paths)
{
  g_return_val_if_fail (paths != NULL, FALSE);

  for (guint i = 0; paths[i] != NULL; i++)
    {
      if (look_at_file (paths[i]))
        return TRUE;
    }

  return FALSE;
}

/**
 * fore_sandbox_hint_dup:
 * @settings: settings in force
 * @task: a task whose attempt was held in a sandbox
 *
 * Returns: (transfer full) (nullable): what the sandbox forbids it and which settings change that;
 *   %NULL where its profile forbids nothing
 */
char *
fore_sandbox_hint_dup (ForeSettings *settings, const ForeTask *task)
{
  const char *profile;
  const char *role;

  g_return_val_if_fail (settings != NULL && task != NULL, NULL);

  profile = fore_attempt_sandbox_get_profile (settings, task);
  role = task->role != NULL ? task->role : "executor";
  if (strcmp (profile, "full") == 0)
    return NULL;

  if (strcmp (profile, "read-only") == 0)
    return g_strdup_printf (_ ("the sandbox lets it only read; sandbox.profile.%s set to "
                               "workspace-write changes that"),
                            role);

  return g_strdup_printf (_ ("the sandbox lets it write in its tree alone; sandbox.writable opens "
                             "more folders, sandbox.profile.%s set to full everything"),
                          role);
}

/**
 * fore_sandbox_hint_get_of_checks:
 *
 * Returns: (transfer none): what the sandbox forbids checks, and scripts that are held like them,
 *   and which setting changes that
 */
const char *
fore_sandbox_hint_get_of_checks (void)
{
  return _ ("the sandbox lets it write in the tree alone, as it does checks; checks.sandbox set to "
            "false lets them out");
}
