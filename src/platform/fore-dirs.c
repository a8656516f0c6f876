/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-dirs.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "model/fore-error.h"

/**
 * fore_dirs_dup_home:
 *
 * Returns: (transfer full): the absolute path of the folder that everything of ours is kept in:
 *   `FOREDECK_HOME`, else foredeck in the person's data folder. It need not exist.
 */
char *
fore_dirs_dup_home (void)
{
  const char *home = g_getenv ("FOREDECK_HOME");

  if (home != NULL && home[0] != '\0')
    return g_canonicalize_filename (home, NULL);

  return g_build_filename (g_get_user_data_dir (), "foredeck", NULL);
}

char *
fore_dirs_dup_index_path (const char *home)
{
  g_return_val_if_fail (home != NULL, NULL);

  return g_build_filename (home, "foredeck.db", NULL);
}

char *
fore_dirs_dup_search_path (const char *home)
{
  g_return_val_if_fail (home != NULL, NULL);

  return g_build_filename (home, "search.db", NULL);
}

char *
fore_dirs_dup_lock_path (const char *home)
{
  g_return_val_if_fail (home != NULL, NULL);

  return g_build_filename (home, "foredeck.lock", NULL);
}

char *
fore_dirs_dup_boot_path (const char *home)
{
  g_return_val_if_fail (home != NULL, NULL);

  return g_build_filename (home, "boot", NULL);
}

char *
fore_dirs_dup_bell_path (const char *home)
{
  g_return_val_if_fail (home != NULL, NULL);

  return g_build_filename (home, "bell", NULL);
}

char *
fore_dirs_dup_slots_dir (const char *home, const char *pool)
{
  g_return_val_if_fail (home != NULL, NULL);
  g_return_val_if_fail (pool != NULL, NULL);

  return g_build_filename (home, "slots", pool, NULL);
}

char *
fore_dirs_dup_runs_dir (const char *home)
{
  g_return_val_if_fail (home != NULL, NULL);

  return g_build_filename (home, "runs", NULL);
}

char *
fore_dirs_dup_worktrees_dir (const char *home)
{
  g_return_val_if_fail (home != NULL, NULL);

  return g_build_filename (home, "worktrees", NULL);
}

char *
fore_dirs_dup_log_dir (const char *home)
{
  g_return_val_if_fail (home != NULL, NULL);

  return g_build_filename (home, "log", NULL);
}

char *
fore_dirs_dup_crashes_dir (const char *home)
{
  g_return_val_if_fail (home != NULL, NULL);

  return g_build_filename (home, "crashes", NULL);
}

char *
fore_dirs_dup_backup_dir (const char *home)
{
  g_return_val_if_fail (home != NULL, NULL);

  return g_build_filename (home, "backup", NULL);
}

char *
fore_dirs_dup_run_dir (const char *home, const char *run)
{
  g_return_val_if_fail (home != NULL, NULL);
  g_return_val_if_fail (run != NULL, NULL);

  return g_build_filename (home, "runs", run, NULL);
}

char *
fore_dirs_dup_run_db_path (const char *home, const char *run)
{
  return fore_dirs_dup_run_subdir (home, run, "run.db");
}

char *
fore_dirs_dup_owner_lock_path (const char *home, const char *run)
{
  return fore_dirs_dup_run_subdir (home, run, "owner.lock");
}

char *
fore_dirs_dup_exits_path (const char *home, const char *run)
{
  return fore_dirs_dup_run_subdir (home, run, "exits");
}

char *
fore_dirs_dup_attempts_dir (const char *home, const char *run)
{
  return fore_dirs_dup_run_subdir (home, run, "attempts");
}

char *
fore_dirs_dup_run_subdir (const char *home, const char *run, const char *name)
{
  g_return_val_if_fail (home != NULL, NULL);
  g_return_val_if_fail (run != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  return g_build_filename (home, "runs", run, name, NULL);
}

char *
fore_dirs_dup_attempt_path (
    const char *home, const char *run, const char *task, guint n, const char *suffix)
{
  g_autofree char *name = NULL;

  g_return_val_if_fail (home != NULL, NULL);
  g_return_val_if_fail (run != NULL, NULL);
  g_return_val_if_fail (task != NULL, NULL);
  g_return_val_if_fail (suffix != NULL, NULL);

  name = g_strdup_printf ("%s.%u.%s", task, n, suffix);
  return g_build_filename (home, "runs", run, "attempts", name, NULL);
}

/**
 * fore_dirs_ensure_dir:
 * @path: a folder
 * @error: return location for an error
 *
 * Makes a folder that only its owner can enter, and those above it, unless it is there.
 *
 * Returns: whether it is there now
 */
gboolean
fore_dirs_ensure_dir (const char *path, GError **error)
{
  int code;

  g_return_val_if_fail (path != NULL, FALSE);

  if (g_mkdir_with_parents (path, 0700) == 0)
    return TRUE;

  code = errno;
  g_set_error (error, FORE_ERROR, code == ENOSPC ? FORE_ERROR_NO_SPACE : FORE_ERROR_ENVIRONMENT,
               _ ("The folder %s cannot be made (%s); set FOREDECK_HOME to a folder of yours"),
               path, g_strerror (code));
  return FALSE;
}

static gboolean
check_writable (const char *home, GError **error)
{
  if (g_access (home, R_OK | W_OK | X_OK) == 0)
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
               _ ("The folder %s cannot be written to (%s); change its permissions or set "
                  "FOREDECK_HOME to a folder of yours"),
               home, g_strerror (errno));
  return FALSE;
}

static gboolean
check_local (const char *home, GError **error)
{
  if (!fore_dirs_is_network (home))
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
               _ ("The folder %s is on a network file system, where locks cannot be trusted; set "
                  "FOREDECK_HOME to a folder on a local disk"),
               home);
  return FALSE;
}

/**
 * fore_dirs_ensure_home:
 * @home: the folder, see fore_dirs_dup_home()
 * @error: return location for an error
 *
 * Makes the folder and what lies in it, for its owner only, and checks that it can be used.
 *
 * Returns: whether it can; else %FORE_ERROR_ENVIRONMENT says what to do
 */
gboolean
fore_dirs_ensure_home (const char *home, GError **error)
{
  static const char *const folders[] = {
    "runs",
    "worktrees",
    "log",
    "crashes",
    "backup",
    "slots" G_DIR_SEPARATOR_S "agents",
    "slots" G_DIR_SEPARATOR_S "commands",
  };

  g_return_val_if_fail (home != NULL, FALSE);

  if (!fore_dirs_ensure_dir (home, error) || !check_writable (home, error)
      || !check_local (home, error))
    return FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autofree char *path = g_build_filename (home, folders[i], NULL);

      if (!fore_dirs_ensure_dir (path, error))
        return FALSE;
    }

  if (g_chmod (home, 0700) != 0)
    g_warning ("%s stays open to other users of this machine: %s", home, g_strerror (errno));

  return TRUE;
}

/**
 * fore_dirs_ensure_run:
 * @home: the folder of everything
 * @run: id of a run
 * @error: return location for an error
 *
 * Makes the folders of a run.
 *
 * Returns: whether they are there
 */
gboolean
fore_dirs_ensure_run (const char *home, const char *run, GError **error)
{
  static const char *const folders[] = { "attempts", "prompts", "results", "artifacts", "patches" };

  g_return_val_if_fail (home != NULL, FALSE);
  g_return_val_if_fail (run != NULL, FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autofree char *path = fore_dirs_dup_run_subdir (home, run, folders[i]);

      if (!fore_dirs_ensure_dir (path, error))
        return FALSE;
    }

  return TRUE;
}
