/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-actions.h"

#include "git/fore-repository.h"
#include "library/fore-library.h"
#include "model/fore-error.h"
#include "platform/fore-dirs.h"
#include "text/fore-json.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

/* The demo: a sample program with a failing test, and a run of scripted agents that mend it. */

#define SAMPLE_NAME "foredeck-demo"
#define DEMO_ARGS "{\"retry.delay\": \"1500 ms\"}"

static char *
dup_demo_path (const char *name)
{
  g_autofree char *crew = fore_library_dup_builtin_dir ();
  g_autofree char *data = crew != NULL ? g_path_get_dirname (crew) : NULL;

  return data != NULL ? g_build_filename (data, "demo", name, NULL) : NULL;
}

static gboolean
copy_file (const char *from, const char *to, GError **error)
{
  g_autoptr (GFile) source = g_file_new_for_path (from);
  g_autoptr (GFile) target = g_file_new_for_path (to);

  return g_file_copy (source, target, G_FILE_COPY_NOFOLLOW_SYMLINKS, NULL, NULL, NULL, error)
         && g_chmod (to, g_str_has_suffix (to, ".sh") ? 0755 : 0644) == 0;
}

static gboolean
copy_folder (const char *from, const char *to, GError **error)
{
  g_autoptr (GDir) folder = g_dir_open (from, 0, error);
  const char *name;

  if (folder == NULL)
    return FALSE;

  if (g_mkdir_with_parents (to, 0755) != 0)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT, _ ("The folder “%s” cannot be made."),
                   to);
      return FALSE;
    }

  while ((name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *source = g_build_filename (from, name, NULL);
      g_autofree char *target = g_build_filename (to, name, NULL);
      gboolean copied = g_file_test (source, G_FILE_TEST_IS_DIR)
                            ? copy_folder (source, target, error)
                            : copy_file (source, target, error);

      if (!copied)
        return FALSE;
    }

  return TRUE;
}

static gboolean
is_usable (const char *dir, GError **error)
{
  g_autoptr (GDir) folder = NULL;

  if (!g_file_test (dir, G_FILE_TEST_EXISTS))
    return TRUE;

  folder = g_dir_open (dir, 0, error);
  if (folder == NULL)
    return FALSE;
  if (g_dir_read_name (folder) == NULL)
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED,
               _ ("“%s” is not empty; name a folder for the demo that is empty or not there."),
               dir);

  return FALSE;
}

static char *
dup_fresh_folder (GError **error)
{
  g_autofree char *home = fore_dirs_dup_home ();
  g_autofree char *demos = g_build_filename (home, "demo", NULL);

  if (!fore_dirs_ensure_dir (demos, error))
    return NULL;

  for (guint n = 1; n < 10000; n++)
    {
      g_autofree char *name = g_strdup_printf ("%s-%u", SAMPLE_NAME, n);
      g_autofree char *path = g_build_filename (demos, name, NULL);

      if (g_mkdir (path, 0755) == 0)
        return g_steal_pointer (&path);
    }

  g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
               _ ("No folder for the demo could be made in “%s”; delete old ones."), demos);

  return NULL;
}

static gboolean
commit_sample (const char *dir, GError **error)
{
  g_autoptr (ForeRepository) repository = fore_repository_create (dir, "main", error);
  g_autoptr (ForeIdentity) known = NULL;
  g_autoptr (ForeIdentity) ours = NULL;
  g_autofree char *commit = NULL;

  if (repository == NULL)
    return FALSE;

  known = fore_repository_read_identity (repository, NULL);
  if (known == NULL)
    {
      ours = fore_identity_new ("Foredeck Demo", "demo@localhost");
      if (!fore_repository_write_identity (repository, ours, error))
        return FALSE;
    }
  commit = fore_repository_commit_all (repository, "Start of the demo: one test fails", NULL,
                                       error);

  return commit != NULL;
}

/**
 * fore_actions_make_sample:
 * @dir: (nullable): where; %NULL for a fresh folder under the home
 * @error: return location for an error
 *
 * Makes the sample repository: a small C program of which one test fails, with one commit.
 * Blocking.
 *
 * Returns: (transfer full): path of the repository, or %NULL
 */
char *
fore_actions_make_sample (const char *dir, GError **error)
{
  g_autofree char *sample = dup_demo_path ("sample");
  g_autofree char *path = NULL;

  if (sample == NULL || !g_file_test (sample, G_FILE_TEST_IS_DIR))
    {
      g_set_error_literal (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
                           _ ("The files of the demo were not found; install Foredeck again."));
      return NULL;
    }

  path = dir != NULL ? g_canonicalize_filename (dir, NULL) : dup_fresh_folder (error);
  if (path == NULL || !is_usable (path, error) || !copy_folder (sample, path, error)
      || !commit_sample (path, error))
    return NULL;

  return g_steal_pointer (&path);
}

static char *
read_goal (const char *scenario)
{
  g_autoptr (JsonNode) node = fore_json_load_file (scenario, NULL, NULL);

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return g_strdup (_ ("Make the failing test pass"));

  return g_strdup (
      fore_json_get_string (json_node_get_object (node), "goal", _ ("Make the failing test pass")));
}

/**
 * fore_actions_make_demo_spec:
 * @project: the sample repository
 *
 * Returns: (transfer full): what starts the demo's run
 */
ForeRunSpec *
fore_actions_make_demo_spec (const char *project)
{
  g_autofree char *scenario = dup_demo_path ("scenario.json");
  g_autofree char *goal = read_goal (scenario);
  ForeRunSpec *spec;

  g_return_val_if_fail (project != NULL, NULL);

  spec = fore_run_spec_new (project, goal);
  spec->team = g_strdup ("implementation");
  spec->workflow = g_strdup ("implementation");
  spec->scenario = g_strdup (scenario);
  spec->args = g_strdup (DEMO_ARGS);
  spec->options.cli = g_strdup ("demo");
  spec->options.demo = TRUE;

  return spec;
}

/**
 * fore_actions_run_sample_tests:
 * @project: the sample repository
 * @output: (out) (optional) (transfer full): what the tests printed
 * @error: return location for an error
 *
 * Runs the sample's tests in its folder. Blocking.
 *
 * Returns: whether they passed
 */
gboolean
fore_actions_run_sample_tests (const char *project, char **output, GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher = NULL;
  g_autoptr (GSubprocess) process = NULL;
  g_autofree char *text = NULL;

  g_return_val_if_fail (project != NULL, FALSE);

  launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE
                                        | G_SUBPROCESS_FLAGS_STDERR_MERGE);
  g_subprocess_launcher_set_cwd (launcher, project);
  process = g_subprocess_launcher_spawn (launcher, error, "sh", "tests/run.sh", NULL);
  if (process == NULL || !g_subprocess_communicate_utf8 (process, NULL, NULL, &text, NULL, error))
    return FALSE;

  if (output != NULL)
    *output = g_steal_pointer (&text);

  return g_subprocess_get_if_exited (process) && g_subprocess_get_exit_status (process) == 0;
}
