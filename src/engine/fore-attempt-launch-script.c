/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the attempt of a script needs besides. */

#include "config.h"

#include "engine/fore-attempt-launch.h"

#include "engine/fore-run-workflow.h"
#include "model/fore-error.h"
#include "platform/fore-dirs.h"
#include "platform/fore-files.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

/**
 * fore_attempt_launch_make_script:
 * @launch: a launch whose run and task are known
 * @context: what the run is carried out with
 * @task: its task
 * @error: return location for an error
 *
 * Every attempt of a script goes on with what the ones before were answered, which is kept in one
 * file. That is made here, since a sandbox lets in what is there. Blocking.
 *
 * Returns: whether there is nothing to make, or it was made
 */
gboolean
fore_attempt_launch_make_script (ForeAttemptLaunch *launch,
                                 const ForeRunContext *context,
                                 const ForeTask *task,
                                 GError **error)
{
  int fd;

  g_return_val_if_fail (launch != NULL && context != NULL && task != NULL, FALSE);

  if (!fore_task_is_script (task))
    return TRUE;

  launch->script = g_build_filename (launch->run_dir, FORE_RUN_WORKFLOW_SCRIPT, NULL);
  launch->script_memory = fore_dirs_dup_attempt_path (context->home, launch->run, launch->task, 0,
                                                      "memory");
  fd = g_open (launch->script_memory, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0)
    g_set_error (error, FORE_ERROR, errno == ENOSPC ? FORE_ERROR_NO_SPACE : FORE_ERROR_ENVIRONMENT,
                 _ ("The file %s cannot be written (%s); check the disk"), launch->script_memory,
                 g_strerror (errno));
  else
    g_close (fd, NULL);

  return fd >= 0;
}

/**
 * fore_attempt_launch_dup_script:
 * @run_dir: folder of a run that is a script
 *
 * Blocking.
 *
 * Returns: (transfer full): the script, in place of a prompt
 */
char *
fore_attempt_launch_dup_script (const char *run_dir)
{
  g_autofree char *path = NULL;
  char *text = NULL;

  g_return_val_if_fail (run_dir != NULL, NULL);

  path = g_build_filename (run_dir, FORE_RUN_WORKFLOW_SCRIPT, NULL);

  return g_file_get_contents (path, &text, NULL, NULL) ? text : g_strdup ("");
}
