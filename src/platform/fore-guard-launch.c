/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-guard-launch.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "model/fore-error.h"
#include "platform/fore-guard-protocol.h"
#include "platform/fore-process-private.h"

static const char *const stdin_words[] = {
  [FORE_GUARD_STDIN_NULL] = "null",
  [FORE_GUARD_STDIN_FILE] = "file",
  [FORE_GUARD_STDIN_LIVE] = "live",
};

static const char *const capture_words[] = {
  [FORE_GUARD_CAPTURE_FILE] = "file",
  [FORE_GUARD_CAPTURE_PIPE] = "pipe",
};

static void
add_text (GPtrArray *argv, const char *option, const char *value)
{
  g_ptr_array_add (argv, g_strdup (option));
  g_ptr_array_add (argv, g_strdup (value));
}

static void
add_number (GPtrArray *argv, const char *option, guint64 value)
{
  g_ptr_array_add (argv, g_strdup (option));
  g_ptr_array_add (argv, g_strdup_printf ("%" G_GUINT64_FORMAT, value));
}

static void
add_path (GPtrArray *argv, const char *option, const char *dir, const char *name)
{
  g_ptr_array_add (argv, g_strdup (option));
  g_ptr_array_add (argv, g_build_filename (dir, name, NULL));
}

static void
add_base (GPtrArray *argv, const ForeGuardLaunch *launch)
{
  g_autofree char *name = g_strdup_printf ("%s.%u", launch->task, launch->n);
  g_autofree char *dir = g_build_filename (launch->run_dir, "attempts", NULL);

  add_path (argv, "--base", dir, name);
}

/**
 * fore_guard_launch_dup_argv:
 * @launch: what to start
 * @guard_path: where foredeck-guard is
 * @socket_path: where it shall listen
 *
 * Returns: (transfer full): the whole command line of the guard; it can be shown to a person
 */
char **
fore_guard_launch_dup_argv (const ForeGuardLaunch *launch,
                            const char *guard_path,
                            const char *socket_path)
{
  GPtrArray *argv;

  g_return_val_if_fail (launch != NULL, NULL);
  g_return_val_if_fail (guard_path != NULL, NULL);
  g_return_val_if_fail (socket_path != NULL, NULL);

  argv = g_ptr_array_new ();
  g_ptr_array_add (argv, g_strdup (guard_path));
  add_text (argv, "--run", launch->run);
  add_text (argv, "--task", launch->task);
  add_number (argv, "--attempt", launch->n);
  add_path (argv, "--exits", launch->run_dir, "exits");
  add_base (argv, launch);
  add_text (argv, "--cwd", launch->cwd);
  add_text (argv, "--stdin", stdin_words[launch->stdin_mode]);
  add_text (argv, "--capture", capture_words[launch->capture_mode]);
  add_number (argv, "--limit", launch->capture_limit);
  add_number (argv, "--wall", launch->wall_ms);
  add_number (argv, "--grace", launch->grace_ms);
  add_number (argv, "--orphan", launch->orphan_grace_ms);
  add_path (argv, "--owner", launch->run_dir, "owner.lock");
  add_number (argv, "--owner-pid", (guint64) fore_process_system_get_pid ());
  add_text (argv, "--socket", socket_path);
  add_number (argv, "--slots", launch->n_slot_fds);
  add_number (argv, "--sandbox", launch->sandbox ? 1 : 0);
  g_ptr_array_add (argv, g_strdup ("--"));
  for (guint i = 0; launch->argv[i] != NULL; i++)
    g_ptr_array_add (argv, g_strdup (launch->argv[i]));
  g_ptr_array_add (argv, NULL);

  return (char **) g_ptr_array_free (argv, FALSE);
}

static gboolean
is_complete (const ForeGuardLaunch *launch)
{
  return launch->run != NULL && launch->task != NULL && launch->n > 0 && launch->run_dir != NULL
         && launch->argv != NULL && launch->argv[0] != NULL && launch->env != NULL
         && launch->cwd != NULL;
}

/**
 * fore_guard_launch_check:
 * @launch: what to start
 * @error: return location for an error
 *
 * Returns: whether a guard would take it
 */
gboolean
fore_guard_launch_check (const ForeGuardLaunch *launch, GError **error)
{
  g_return_val_if_fail (launch != NULL, FALSE);

  if (!is_complete (launch) || launch->n_slot_fds > FORE_GUARD_MAX_SLOTS)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_INVALID,
                   _ ("An attempt was described incompletely; this is a defect of Foredeck, please "
                      "report it"));
      return FALSE;
    }

  if (launch->task[0] == '\0' || strlen (launch->task) > FORE_GUARD_TASK_SIZE
      || strpbrk (launch->task, "/\\") != NULL)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_INVALID,
                   _ ("The task key “%s” is not one of 1 to %d letters, digits and dashes"),
                   launch->task, FORE_GUARD_TASK_SIZE);
      return FALSE;
    }

  return TRUE;
}
