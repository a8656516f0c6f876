/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-trees-private.h"

#include "agents/fore-adapter.h"
#include "engine/fore-check-hold.h"
#include "engine/fore-quarantines.h"
#include "model/fore-error.h"
#include "platform/fore-dirs.h"
#include "platform/fore-program.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define LOG_TAIL (256 * 1024)
#define MAX_SEEDS 10000

static void
append_output (GString *log, GBytes *output)
{
  gsize length;
  const char *data = output != NULL ? g_bytes_get_data (output, &length) : NULL;
  gsize skip;

  if (data == NULL)
    return;

  skip = length > LOG_TAIL ? length - LOG_TAIL : 0;
  g_string_append_len (log, data + skip, (gssize) (length - skip));
}

static gboolean
finish_setup (const ForeProgram *program, const char *label, GError **error)
{
  if (program->exit_code == 0)
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_FAILED, _ ("“%s” ended with %d"), label,
               program->exit_code);
  fore_check_explain (program->argv, program->errors, error);
  return FALSE;
}

static gboolean
carry_out (ForeTrees *self, const char *key, ForeProgram *program, GString *log, GError **error)
{
  const ForeAdapter *adapter = fore_adapter_lookup ("command");
  g_auto (GStrv) env = fore_adapter_build_environ (adapter, NULL, self->run_id, key, 0, NULL);
  g_autofree char *label = g_strjoinv (" ", self->setup);
  gboolean ended;

  program->envp = (const char *const *) env;
  program->timeout_ms = self->setup_ms;
  g_string_append_printf (log, "$ %s\n", label);
  ended = fore_program_run (program, error);
  program->envp = NULL;
  append_output (log, program->output);
  g_string_append (log, program->errors != NULL ? program->errors : "");
  if (!ended)
    return FALSE;

  g_string_append_printf (log, "\nexit %d\n", program->exit_code);
  return finish_setup (program, label, error);
}

/* It may carry out what the tasks before wrote, as a check does. */
static gboolean
run_setup (
    ForeTrees *self, const char *key, const ForeWorktree *worktree, GString *log, GError **error)
{
  g_autoptr (ForeTask) task = fore_task_new (key);
  g_autofree char *quarantine = fore_quarantines_dup_path (self->home, self->run_id, key, 0);
  const ForeSandboxPlan plan = { .context = self->context,
                                 .task = task,
                                 .tree = worktree->path,
                                 .git_dir = worktree->git_dir,
                                 .readable = self->project,
                                 .quarantine = quarantine };
  g_auto (ForeProgram) program = { .dir = worktree->path };
  g_auto (GStrv) argv = NULL;
  gboolean done;

  task->branch = g_strdup (worktree->branch);
  argv = fore_check_hold (&plan, (const char *const *) self->setup, error);
  if (argv == NULL)
    return FALSE;

  program.argv = (const char *const *) argv;
  done = carry_out (self, key, &program, log, error);

  return fore_check_import (&plan, done ? error : NULL) && done;
}

static gboolean
fill (ForeTrees *self,
      ForeRepository *repository,
      const char *key,
      const ForeWorktree *worktree,
      GString *log,
      GError **error)
{
  g_autofree char *seeded = fore_repository_seed_tree (repository, worktree,
                                                       (const char *const *) self->copy,
                                                       (const char *const *) self->links, error);
  g_autofree char *modules = NULL;

  if (seeded == NULL)
    return FALSE;

  modules = fore_repository_add_modules (repository, worktree);
  g_string_append (log, modules);
  g_string_append (log, seeded);
  return self->setup == NULL || self->setup[0] == NULL
         || run_setup (self, key, worktree, log, error);
}

static gboolean
copy_file (const char *from, const char *to, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (to);
  g_autoptr (GFile) source = g_file_new_for_path (from);
  g_autoptr (GFile) target = g_file_new_for_path (to);

  return fore_dirs_ensure_dir (folder, error)
         && g_file_copy (source, target, G_FILE_COPY_OVERWRITE | G_FILE_COPY_NOFOLLOW_SYMLINKS,
                         NULL, NULL, NULL, error);
}

/* A file, or a folder with what is in it; links are left where they are. */
static gboolean
copy_seed (const char *from, const char *to, guint *left, GError **error)
{
  g_autoptr (GDir) dir = NULL;
  const char *name;

  if (g_file_test (from, G_FILE_TEST_IS_SYMLINK))
    return TRUE;
  if (!g_file_test (from, G_FILE_TEST_IS_DIR))
    return --*left > 0 ? copy_file (from, to, error) : TRUE;

  dir = g_dir_open (from, 0, error);
  while (dir != NULL && *left > 0 && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *inner = g_build_filename (from, name, NULL);
      g_autofree char *copy = g_build_filename (to, name, NULL);

      if (strcmp (name, ".git") != 0 && !copy_seed (inner, copy, left, error))
        return FALSE;
    }

  return dir != NULL;
}

/* What was copied is no work of the task: it is committed below it. */
static gboolean
commit_seeds (ForeTrees *self, ForeRepository *repository, ForeTree *tree, GError **error)
{
  g_autoptr (ForeRepository) opened = fore_repository_open_tree (tree->git_dir, tree->path, error);
  g_autoptr (ForeIdentity) author = fore_repository_read_identity (repository, NULL);
  g_autoptr (ForeTreeCommit) commit = NULL;

  if (opened != NULL)
    commit = fore_repository_commit_tree (opened, tree->branch, tree->base,
                                          "Files of the project that are not committed there",
                                          author, error);
  if (commit == NULL)
    return FALSE;

  g_free (tree->base);
  tree->base = g_strdup (commit->commit);

  return TRUE;
}

static gboolean
seed (ForeTrees *self,
      ForeRepository *repository,
      const Job *job,
      ForeTree *tree,
      GString *log,
      GError **error)
{
  guint left = MAX_SEEDS;

  for (guint i = 0; job->seeds != NULL && job->seeds[i] != NULL; i++)
    {
      g_autofree char *from = g_build_filename (self->project, job->seeds[i], NULL);
      g_autofree char *to = g_build_filename (tree->path, job->seeds[i], NULL);

      if (!g_file_test (from, G_FILE_TEST_EXISTS))
        {
          g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                       _ ("`seedPaths` names “%s”, which the project does not have"),
                       job->seeds[i]);
          return FALSE;
        }
      if (!copy_seed (from, to, &left, error))
        return FALSE;
      g_string_append_printf (log, "copied %s as it is in the project\n", job->seeds[i]);
    }

  return job->seeds == NULL || commit_seeds (self, repository, tree, error);
}

static char *
write_log (ForeTrees *self, const char *key, const GString *log)
{
  g_autofree char *dir = fore_dirs_dup_run_subdir (self->home, self->run_id, "artifacts");
  g_autofree char *name = g_strconcat (key, ".setup.log", NULL);
  g_autofree char *path = g_build_filename (dir, name, NULL);

  if (log->len == 0 || !fore_dirs_ensure_dir (dir, NULL)
      || !g_file_set_contents_full (path, log->str, (gssize) log->len, G_FILE_SET_CONTENTS_NONE,
                                    0600, NULL))
    return NULL;

  return g_steal_pointer (&path);
}

/**
 * fore_trees_set_up:
 * @self: trees
 * @repository: the project's repository
 * @job: what the tree is for
 * @tree: its new tree, in which nobody has worked yet; gets the log
 * @error: return location for an error
 *
 * Checks out submodules, copies and links what the tree needs and runs the command that prepares
 * it. Where that fails the tree is taken back, so that the next attempt begins anew.
 *
 * Returns: whether an agent can start there
 */
gboolean
fore_trees_set_up (
    ForeTrees *self, ForeRepository *repository, const Job *job, ForeTree *tree, GError **error)
{
  const char *key = job->task->key;
  g_autoptr (ForeWorktree) worktree = fore_worktree_new (tree->git_dir, tree->path, tree->branch);
  g_autoptr (GString) log = g_string_new (NULL);
  gint64 start = g_get_monotonic_time ();
  gboolean done = fill (self, repository, key, worktree, log, error)
                  && seed (self, repository, job, tree, log, error);

  tree->setup_ms = (g_get_monotonic_time () - start) / 1000;
  tree->setup_log = write_log (self, key, log);
  if (done)
    return TRUE;

  fore_repository_undo_add_worktree (repository, tree->branch, tree->path, NULL);
  g_prefix_error (error, _ ("The tree could not be prepared (the log is %s): "),
                  tree->setup_log != NULL ? tree->setup_log : _ ("empty"));
  return FALSE;
}
