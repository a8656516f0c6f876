/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-trees-private.h"

#include "agents/fore-adapter.h"
#include "model/fore-error.h"
#include "platform/fore-dirs.h"
#include "platform/fore-program.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define LOG_TAIL (256 * 1024)

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

static char *
find_program (const char *name, const char *tree)
{
  return strchr (name, '/') != NULL ? g_canonicalize_filename (name, tree) : g_strdup (name);
}

static gboolean
run_setup (ForeTrees *self, const char *key, const char *tree, GString *log, GError **error)
{
  const ForeAdapter *adapter = fore_adapter_lookup ("command");
  g_auto (GStrv) env = fore_adapter_build_environ (adapter, NULL, self->run_id, key, 0, NULL);
  g_auto (GStrv) argv = g_strdupv (self->setup);
  g_autofree char *label = g_strjoinv (" ", self->setup);
  g_auto (ForeProgram) program = { .argv = (const char *const *) argv,
                                   .envp = (const char *const *) env,
                                   .dir = tree,
                                   .timeout_ms = self->setup_ms };
  gboolean ended;

  g_free (argv[0]);
  argv[0] = find_program (self->setup[0], tree);
  g_string_append_printf (log, "$ %s\n", label);
  ended = fore_program_run (&program, error);
  append_output (log, program.output);
  g_string_append (log, program.errors != NULL ? program.errors : "");
  if (!ended)
    return FALSE;

  g_string_append_printf (log, "\nexit %d\n", program.exit_code);
  if (program.exit_code == 0)
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_FAILED, _ ("“%s” ended with %d"), label,
               program.exit_code);
  return FALSE;
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
         || run_setup (self, key, worktree->path, log, error);
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
 * @key: the task
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
    ForeTrees *self, ForeRepository *repository, const char *key, ForeTree *tree, GError **error)
{
  g_autoptr (ForeWorktree) worktree = fore_worktree_new (tree->git_dir, tree->path, tree->branch);
  g_autoptr (GString) log = g_string_new (NULL);
  gint64 start = g_get_monotonic_time ();
  gboolean done = fill (self, repository, key, worktree, log, error);

  tree->setup_ms = (g_get_monotonic_time () - start) / 1000;
  tree->setup_log = write_log (self, key, log);
  if (done)
    return TRUE;

  fore_repository_undo_add_worktree (repository, tree->branch, tree->path, NULL);
  g_prefix_error (error, _ ("The tree could not be prepared (the log is %s): "),
                  tree->setup_log != NULL ? tree->setup_log : _ ("empty"));
  return FALSE;
}
