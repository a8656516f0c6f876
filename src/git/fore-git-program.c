/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "git/fore-git-program.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "git/fore-repository-private.h"
#include "model/fore-error.h"
#include "platform/fore-process.h"
#include "platform/fore-program.h"

#define MAX_QUOTED 400

/* What git calls its local environment: it would make git work on another repository. */
static const char *const local_variables[] = {
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_COMMON_DIR",
  "GIT_CONFIG",
  "GIT_CONFIG_COUNT",
  "GIT_CONFIG_PARAMETERS",
  "GIT_DIR",
  "GIT_GRAFT_FILE",
  "GIT_IMPLICIT_WORK_TREE",
  "GIT_INDEX_FILE",
  "GIT_INTERNAL_SUPER_PREFIX",
  "GIT_NAMESPACE",
  "GIT_NO_REPLACE_OBJECTS",
  "GIT_OBJECT_DIRECTORY",
  "GIT_PREFIX",
  "GIT_REPLACE_REF_BASE",
  "GIT_SHALLOW_FILE",
  "GIT_WORK_TREE",
};

/**
 * fore_git_program_make_env:
 *
 * Returns: (transfer full): our environment without what would send git to another repository, and
 *   such that git asks nobody anything on a terminal
 */
char **
fore_git_program_make_env (void)
{
  char **env = g_get_environ ();

  for (guint i = 0; i < G_N_ELEMENTS (local_variables); i++)
    env = g_environ_unsetenv (env, local_variables[i]);

  env = g_environ_setenv (env, "GIT_TERMINAL_PROMPT", "0", TRUE);
  return g_environ_setenv (env, "GIT_EDITOR", ":", TRUE);
}

/* The last of what it said, on one line. */
static char *
quote_errors (const char *errors)
{
  gsize length = strlen (errors);
  const char *start = length > MAX_QUOTED ? errors + length - MAX_QUOTED : errors;
  g_autofree char *valid = g_utf8_make_valid (start, -1);

  for (char *c = valid; *c != '\0'; c++)
    {
      if (g_ascii_iscntrl (*c))
        *c = ' ';
    }

  return g_strdup (g_strstrip (valid));
}

static gboolean
run (ForeProgram *program, const char *what, GError **error)
{
  g_autofree char *said = NULL;

  if (!fore_program_run (program, error))
    {
      g_prefix_error (error, "%s: ", what);
      return FALSE;
    }

  if (program->exit_code == 0)
    return TRUE;

  said = quote_errors (program->errors);
  g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED, "%s: %s", what,
               *said != '\0' ? said : _ ("it gave no reason"));
  return FALSE;
}

/* Signing */

/**
 * fore_git_signs:
 * @git: an open repository
 *
 * Returns: whether commits of the person are to be signed there
 */
gboolean
fore_git_signs (git_repository *git)
{
  g_autoptr (git_config) config = NULL;
  int signs = 0;

  return git_repository_config_snapshot (&config, git) == 0
         && git_config_get_bool (&signs, config, "commit.gpgsign") == 0 && signs;
}

static char *
make_date (const git_time *when)
{
  int minutes = ABS (when->offset);

  return g_strdup_printf ("@%" G_GINT64_FORMAT " %c%02d%02d", (gint64) when->time,
                          when->offset < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

static char **
make_commit_env (const git_signature *author, const git_signature *committer)
{
  char **env = fore_git_program_make_env ();
  g_autofree char *date = make_date (&author->when);

  env = g_environ_setenv (env, "GIT_AUTHOR_NAME", author->name, TRUE);
  env = g_environ_setenv (env, "GIT_AUTHOR_EMAIL", author->email, TRUE);
  env = g_environ_setenv (env, "GIT_AUTHOR_DATE", date, TRUE);
  env = g_environ_setenv (env, "GIT_COMMITTER_NAME", committer->name, TRUE);
  return g_environ_setenv (env, "GIT_COMMITTER_EMAIL", committer->email, TRUE);
}

static void
add_oid (GPtrArray *argv, const git_oid *oid)
{
  g_ptr_array_add (argv, fore_git_oid_to_string (oid));
}

/**
 * fore_git_sign_commit:
 * @git: an open repository
 * @oid: (out caller-allocates): the id of the commit
 * @author: who wrote it; the committer is the person of git's settings
 * @message: the whole message
 * @tree: what is committed
 * @parents: (array length=n_parents): the parents
 * @n_parents: how many
 * @error: (nullable): return location
 *
 * Writes a commit that is signed as git's settings say, by the git program.
 *
 * Returns: %FALSE with @error set
 */
gboolean
fore_git_sign_commit (git_repository *git,
                      git_oid *oid,
                      const git_signature *author,
                      const char *message,
                      const git_tree *tree,
                      const git_oid *parents,
                      gsize n_parents,
                      GError **error)
{
  g_autoptr (git_signature) committer = fore_git_make_committer (git, error);
  g_autoptr (GPtrArray) argv = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GBytes) input = g_bytes_new (message, strlen (message));
  g_auto (GStrv) env = NULL;
  g_auto (ForeProgram) program = { .input = input, .timeout_ms = FORE_GIT_PROGRAM_MS };
  g_autofree char *text = NULL;

  if (committer == NULL)
    return FALSE;

  g_ptr_array_add (argv, g_strdup ("git"));
  g_ptr_array_add (argv, g_strconcat ("--git-dir=", git_repository_path (git), NULL));
  g_ptr_array_add (argv, g_strdup ("commit-tree"));
  g_ptr_array_add (argv, g_strdup ("-S"));
  add_oid (argv, git_tree_id (tree));
  for (gsize i = 0; i < n_parents; i++)
    {
      g_ptr_array_add (argv, g_strdup ("-p"));
      add_oid (argv, &parents[i]);
    }
  g_ptr_array_add (argv, NULL);

  env = make_commit_env (author, committer);
  program.argv = (const char *const *) argv->pdata;
  program.envp = (const char *const *) env;
  program.dir = git_repository_path (git);
  if (!run (&program, _ ("The commit could not be signed"), error))
    return FALSE;

  text = g_strndup (g_bytes_get_data (program.output, NULL), g_bytes_get_size (program.output));
  if (git_oid_fromstr (oid, g_strchomp (text)) == 0)
    return TRUE;

  g_set_error_literal (error, FORE_ERROR, FORE_ERROR_FAILED,
                       _ ("The commit could not be signed; git did not name it"));
  return FALSE;
}

/* Hooks */

static char *
find_hook (git_repository *git, const char *name)
{
  g_autoptr (git_config) config = NULL;
  g_auto (git_buf) buffer = { 0 };
  const char *workdir = git_repository_workdir (git);
  g_autofree char *folder = NULL;

  if (git_repository_config_snapshot (&config, git) == 0
      && git_config_get_path (&buffer, config, "core.hooksPath") == 0 && *buffer.ptr != '\0')
    folder = g_canonicalize_filename (buffer.ptr, workdir ?: git_repository_path (git));
  else
    folder = g_build_filename (git_repository_commondir (git), "hooks", NULL);

  return g_build_filename (folder, name, NULL);
}

/**
 * fore_git_has_hook:
 * @git: an open repository
 * @name: name of a hook
 *
 * Returns: whether git would run such a hook there
 */
gboolean
fore_git_has_hook (git_repository *git, const char *name)
{
  g_autofree char *path = find_hook (git, name);

  return g_file_test (path, G_FILE_TEST_IS_EXECUTABLE) && !g_file_test (path, G_FILE_TEST_IS_DIR);
}

/**
 * fore_git_hook_is_inside:
 * @git: an open repository
 * @name: name of a hook
 *
 * Returns: whether the hook would come from the work folder itself
 */
gboolean
fore_git_hook_is_inside (git_repository *git, const char *name)
{
  g_autofree char *path = find_hook (git, name);
  const char *workdir = git_repository_workdir (git);

  return workdir != NULL && g_str_has_prefix (path, workdir);
}

/**
 * fore_git_run_hook:
 * @git: an open repository with a work folder
 * @name: name of a hook
 * @words: (array zero-terminated=1): what it is told
 * @timeout_ms: when it is stopped
 * @error: (nullable): return location; %FORE_ERROR_REFUSED with what the hook said
 *
 * Runs a hook as git would, if there is one.
 *
 * Returns: %FALSE with @error set
 */
gboolean
fore_git_run_hook (git_repository *git,
                   const char *name,
                   const char *const *words,
                   guint timeout_ms,
                   GError **error)
{
  const char *workdir = git_repository_workdir (git);
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_auto (GStrv) env = NULL;
  g_auto (ForeProgram) program = { .timeout_ms = timeout_ms };
  g_autofree char *what = NULL;

  if (!fore_git_has_hook (git, name))
    return TRUE;

  g_ptr_array_add (argv, (char *) "git");
  g_ptr_array_add (argv, (char *) "hook");
  g_ptr_array_add (argv, (char *) "run");
  g_ptr_array_add (argv, (char *) name);
  g_ptr_array_add (argv, (char *) "--");
  for (gsize i = 0; words[i] != NULL; i++)
    g_ptr_array_add (argv, (char *) words[i]);
  g_ptr_array_add (argv, NULL);

  env = fore_git_program_make_env ();
  what = g_strdup_printf (_ ("The hook “%s” of the repository refused"), name);
  program.argv = (const char *const *) argv->pdata;
  program.envp = (const char *const *) env;
  program.dir = workdir ?: git_repository_path (git);
  return run (&program, what, error);
}

/* What is used */

static int
note_filter (const git_config_entry *entry, void *payload)
{
  const char *start = entry->name + strlen ("filter.");
  const char *end = strrchr (start, '.');

  if (end != NULL)
    g_hash_table_add (payload, g_strndup (start, (gsize) (end - start)));
  return 0;
}

static char *
join_names (GHashTable *names)
{
  g_autoptr (GList) sorted = g_list_sort (g_hash_table_get_keys (names), (GCompareFunc) strcmp);
  GString *text = g_string_new (NULL);

  for (GList *l = sorted; l != NULL; l = l->next)
    g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", (const char *) l->data);

  return g_string_free (text, FALSE);
}

static void
add_names (GStrvBuilder *list, const char *format, GHashTable *names)
{
  g_autofree char *joined = join_names (names);
  g_autofree char *text = g_strconcat (format, " ", joined, NULL);

  if (g_hash_table_size (names) > 0)
    g_strv_builder_add (list, text);
}

static void
note_hooks (git_repository *git, GHashTable *names)
{
  static const char *const used[] = { "post-checkout", "pre-commit", "pre-merge-commit",
                                      "commit-msg", "post-merge" };

  for (guint i = 0; i < G_N_ELEMENTS (used); i++)
    {
      if (fore_git_has_hook (git, used[i]))
        g_hash_table_add (names, g_strdup (used[i]));
    }
}

/**
 * fore_repository_list_programs:
 * @self: a repository
 * @has_git: (out): whether the git program is there for it
 * @error: (nullable): return location
 *
 * Lists what goes through programs in this repository because libgit2 cannot do it: filters, hooks,
 * signatures. All else is done without.
 *
 * Returns: (transfer full) (nullable): phrases for a person, none where nothing is needed
 */
char **
fore_repository_list_programs (ForeRepository *self, gboolean *has_git, GError **error)
{
  g_autoptr (git_repository) git = NULL;
  g_autoptr (git_config) config = NULL;
  g_autoptr (GStrvBuilder) list = g_strv_builder_new ();
  g_autoptr (GHashTable) filters = NULL;
  g_autoptr (GHashTable) hooks = NULL;
  g_autofree char *program = fore_platform_find_program ("git");
  int result;

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);
  g_return_val_if_fail (has_git != NULL, NULL);

  *has_git = program != NULL;
  git = fore_repository_open_git (self, error);
  if (git == NULL)
    return NULL;

  result = git_repository_config_snapshot (&config, git);
  if (result < 0)
    {
      fore_git_fail (error, result, _ ("The settings of the repository could not be read"));
      return NULL;
    }

  filters = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  hooks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  git_config_foreach_match (config, "^filter\\..*\\.(clean|smudge)$", note_filter, filters);
  note_hooks (git, hooks);
  add_names (list, _ ("filters:"), filters);
  add_names (list, _ ("hooks:"), hooks);
  if (fore_git_signs (git))
    g_strv_builder_add (list, _ ("signatures"));

  return g_strv_builder_end (list);
}
