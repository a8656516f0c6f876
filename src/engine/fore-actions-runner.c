/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-actions.h"

#include "model/fore-error.h"
#include "platform/fore-clock.h"
#include "platform/fore-dirs.h"
#include "platform/fore-process.h"
#include "store/fore-owner-wait.h"

#include <glib/gi18n-lib.h>

#define RUNNER_START_MS 5000

static gboolean
wait_for_owner (ForeStore *store, const char *run_id, int pid, GError **error)
{
  ForeProcessId id;
  gboolean known = fore_process_id_for_pid (pid, &id);

  if (fore_owner_wait (store, run_id, TRUE, known ? &id : NULL,
                       fore_clock_boot_us () + RUNNER_START_MS * 1000))
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
               _ ("The runner of %s did not start within %d s; its log says why."), run_id,
               RUNNER_START_MS / 1000);

  return FALSE;
}

static GStrv
build_runner_environ (ForeStore *store)
{
  GStrv env = g_get_environ ();

  env = g_environ_setenv (env, "FOREDECK_HOME", fore_store_get_home (store), TRUE);
  env = g_environ_unsetenv (env, "GIT_DIR");
  env = g_environ_unsetenv (env, "GIT_INDEX_FILE");
  env = g_environ_unsetenv (env, "GIT_WORK_TREE");

  return env;
}

/**
 * fore_actions_ensure_runner:
 * @store: the store
 * @run_id: a run
 * @error: return location for an error
 *
 * Starts a runner for the run if nobody owns it, and waits until it does.
 *
 * Returns: whether somebody owns the run, or did
 */
gboolean
fore_actions_ensure_runner (ForeStore *store, const char *run_id, GError **error)
{
  g_autofree char *program = NULL;
  g_autofree char *log = NULL;
  g_autofree char *log_dir = NULL;
  g_auto (GStrv) env = NULL;
  const char *argv[3] = { NULL };
  int pid = 0;

  g_return_val_if_fail (FORE_IS_STORE (store), FALSE);
  g_return_val_if_fail (run_id != NULL, FALSE);

  if (fore_store_is_owned (store, run_id))
    return TRUE;

  program = fore_platform_find_program ("foredeck-runner");
  if (program == NULL)
    {
      g_set_error_literal (
          error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
          _ ("The program foredeck-runner was not found; install Foredeck again."));
      return FALSE;
    }

  argv[0] = program;
  argv[1] = run_id;
  env = build_runner_environ (store);
  log_dir = fore_dirs_dup_log_dir (fore_store_get_home (store));
  if (!fore_dirs_ensure_dir (log_dir, error))
    return FALSE;
  log = g_build_filename (log_dir, "runner-output.txt", NULL);

  if (!fore_process_spawn_detached (argv, (const char *const *) env, log, &pid, error))
    return FALSE;

  return wait_for_owner (store, run_id, pid, error);
}
