/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Whom git takes for author and committer where the environment says so: git(1), "Git Commits". A
 * run commits as who started it, whoever takes it up again and wherever.
 */

#include "config.h"

#include "engine/fore-run-identity.h"

#include "platform/fore-dirs.h"

#define FILE_NAME "identity.ini"
#define GROUP "environment"

static const char *const names[] = { "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME",
                                     "GIT_COMMITTER_EMAIL", "EMAIL" };

/**
 * fore_run_identity_save:
 * @home: home of the store
 * @run_id: a run that is about to be made, and has its folders
 * @error: return location for an error
 *
 * Keeps what the environment says of who commits, also where it says nothing.
 *
 * Returns: whether it is on disk
 */
gboolean
fore_run_identity_save (const char *home, const char *run_id, GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *path = NULL;
  g_autofree char *text = NULL;
  gsize length;

  g_return_val_if_fail (home != NULL && run_id != NULL, FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *value = g_utf8_make_valid (g_getenv (names[i]) ?: "", -1);

      g_key_file_set_string (file, GROUP, names[i], value);
    }

  path = fore_dirs_dup_run_subdir (home, run_id, FILE_NAME);
  text = g_key_file_to_data (file, &length, NULL);

  return g_file_set_contents_full (path, text, (gssize) length, G_FILE_SET_CONTENTS_CONSISTENT,
                                   0600, error);
}

/**
 * fore_run_identity_apply:
 * @home: home of the store
 * @run_id: a run
 * @env: (transfer full): an environment
 *
 * Lets @env say of who commits what fore_run_identity_save() has kept; as it is for a run that has
 * kept nothing.
 *
 * Returns: (transfer full): the environment
 */
GStrv
fore_run_identity_apply (const char *home, const char *run_id, GStrv env)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *path = NULL;

  g_return_val_if_fail (home != NULL && run_id != NULL, env);

  path = fore_dirs_dup_run_subdir (home, run_id, FILE_NAME);
  if (!g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, NULL))
    return env;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *value = g_key_file_get_string (file, GROUP, names[i], NULL);

      if (value != NULL && value[0] != '\0')
        env = g_environ_setenv (env, names[i], value, TRUE);
      else
        env = g_environ_unsetenv (env, names[i]);
    }

  return env;
}
