/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-actions.h"

#include "engine/fore-run-identity.h"
#include "library/fore-library.h"
#include "library/fore-settings.h"
#include "model/fore-error.h"
#include "platform/fore-clock.h"
#include "platform/fore-dirs.h"
#include "platform/fore-process.h"
#include "platform/fore-pulse.h"
#include "platform/fore-signals.h"
#include "store/fore-owner-wait.h"

#include <glib/gi18n-lib.h>
#include <signal.h>

#define DYING_MS 5000
#define DYING_LOOK_MS 50
#define RUNNER_START_MS 5000
#define RUNNER_PARK_MS 4000
#define RUNNER_ABORT_MS 2000
#define RUNNER_KILL_MS 4000
#define RUNNER_TAKE_UP_MS 30000

static gboolean
wait_for_owner (ForeStore *store, const char *run_id, int pid, GError **error)
{
  ForeProcessId id;
  gboolean known = fore_process_id_for_pid (pid, &id);

  if (fore_owner_wait (store, run_id, TRUE, known ? &id : NULL,
                       fore_clock_boot_us () + RUNNER_START_MS * 1000))
    return TRUE;
  if (!fore_store_check_run (store, run_id, error))
    return FALSE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
               _ ("The runner of %s did not start within %d s; its log says why."), run_id,
               RUNNER_START_MS / 1000);

  return FALSE;
}

static GStrv
build_runner_environ (ForeStore *store, const char *run_id)
{
  GStrv env = g_get_environ ();

  env = g_environ_setenv (env, "FOREDECK_HOME", fore_store_get_home (store), TRUE);
  env = g_environ_unsetenv (env, "GIT_DIR");
  env = g_environ_unsetenv (env, "GIT_INDEX_FILE");
  env = g_environ_unsetenv (env, "GIT_WORK_TREE");

  return fore_run_identity_apply (fore_store_get_home (store), run_id, env);
}

/* A process that was killed is gone a moment before its files are closed: its lock still stands,
 * and nobody is behind it any more who would take up what is asked for.
 */
static gboolean
is_owned (ForeStore *store, const char *run_id)
{
  g_autofree char *run_dir = fore_dirs_dup_run_dir (fore_store_get_home (store), run_id);
  gint64 deadline = fore_clock_boot_us () + DYING_MS * 1000;

  while (fore_store_is_owned (store, run_id))
    {
      gint64 now = fore_clock_boot_us ();

      if (fore_pulse_find_dead (run_dir) == 0 || now >= deadline)
        return TRUE;
      fore_owner_wait (store, run_id, FALSE, NULL, MIN (deadline, now + DYING_LOOK_MS * 1000));
    }

  return FALSE;
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

  if (is_owned (store, run_id))
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
  env = build_runner_environ (store, run_id);
  log_dir = fore_dirs_dup_log_dir (fore_store_get_home (store));
  if (!fore_dirs_ensure_dir (log_dir, error))
    return FALSE;
  log = g_build_filename (log_dir, "runner-output.txt", NULL);

  if (!fore_process_spawn_detached (argv, (const char *const *) env, log, &pid, error))
    return FALSE;

  return wait_for_owner (store, run_id, pid, error);
}

/**
 * fore_actions_load_patience:
 *
 * Returns: `resume.unresponsive` as the person set it, in µs
 */
gint64
fore_actions_load_patience (void)
{
  g_autofree char *user_dir = fore_library_dup_user_dir ();
  g_autoptr (ForeSettings) settings = fore_settings_load (user_dir, NULL, FALSE, NULL);

  return fore_settings_get_duration (settings, "resume.unresponsive") * 1000;
}

static gboolean
set_over (gpointer over)
{
  *(gboolean *) over = TRUE;

  return G_SOURCE_REMOVE;
}

static gboolean
wait_until_gone (const ForeProcessId *runner, gint64 ms)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GSource) gone = fore_process_watch_source_new (runner);
  g_autoptr (GSource) late = g_timeout_source_new ((guint) ms);
  gboolean over = FALSE;

  if (gone == NULL)
    return TRUE;

  g_source_set_callback (gone, set_over, &over, NULL);
  g_source_attach (gone, context);
  g_source_set_callback (late, set_over, &over, NULL);
  g_source_attach (late, context);
  while (!over)
    g_main_context_iteration (context, TRUE);
  g_source_destroy (gone);
  g_source_destroy (late);

  return !fore_process_is_alive (runner);
}

/* One that turns parks; one that does not leaves in its report where it stands; the last step asks
 * nobody.
 */
static gboolean
end_runner (const ForeProcessId *runner, GError **error)
{
  static const struct
  {
    int sig;
    gint64 ms;
  } steps[]
      = { { SIGTERM, RUNNER_PARK_MS }, { SIGABRT, RUNNER_ABORT_MS }, { SIGKILL, RUNNER_KILL_MS } };

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      if (!fore_process_signal (runner, steps[i].sig, error))
        {
          if (fore_process_is_alive (runner))
            return FALSE;
          g_clear_error (error);
          return TRUE;
        }
      fore_process_signal (runner, SIGCONT, NULL);
      if (wait_until_gone (runner, steps[i].ms))
        return TRUE;
    }

  g_set_error_literal (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
                       _ ("The runner cannot be ended: the system holds it up; restart the "
                          "machine."));

  return FALSE;
}

/**
 * fore_actions_restart_runner:
 * @store: the store
 * @run_id: a run that is not finished
 * @by: who wants it
 * @error: return location for an error
 *
 * Ends the runner of the run, if it has one, in up to ten seconds, and has another one take the run
 * up. Its agents go on meanwhile. Blocks.
 *
 * Returns: whether another runner owns the run
 */
gboolean
fore_actions_restart_runner (ForeStore *store, const char *run_id, const char *by, GError **error)
{
  g_autofree char *run_dir = NULL;
  ForeProcessId runner;

  g_return_val_if_fail (FORE_IS_STORE (store), FALSE);
  g_return_val_if_fail (run_id != NULL, FALSE);

  run_dir = fore_dirs_dup_run_dir (fore_store_get_home (store), run_id);
  if (fore_store_is_owned (store, run_id) && !fore_pulse_read (run_dir, &runner, NULL))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_BUSY,
                   _ ("It cannot be told which process carries %s out; wait a moment and try "
                      "again."),
                   run_id);
      return FALSE;
    }
  if (fore_store_is_owned (store, run_id) && !end_runner (&runner, error))
    return FALSE;

  return fore_actions_command (store, run_id, FORE_COMMAND_RESUME, NULL, by, RUNNER_TAKE_UP_MS,
                               NULL, error);
}
