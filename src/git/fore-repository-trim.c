/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "git/fore-repository-private.h"
#include "model/fore-error.h"

/* A result without some of its files. */
typedef struct
{
  git_repository *git;
  git_tree *base;
  git_tree *tree;
  git_index *index;
  GPtrArray *dropped;
} TrimJob;

static void
trim_job_clear (TrimJob *job)
{
  git_repository_free (job->git);
  git_tree_free (job->base);
  git_tree_free (job->tree);
  git_index_free (job->index);
  g_clear_pointer (&job->dropped, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TrimJob, trim_job_clear)

static gboolean
is_named (const char *path, const char *name)
{
  gsize length = strlen (name);

  while (length > 1 && name[length - 1] == '/')
    length--;

  return strncmp (path, name, length) == 0 && (path[length] == '\0' || path[length] == '/');
}

/* As it was before the run, or gone. */
static int
put_back (TrimJob *job, const char *path)
{
  g_autoptr (git_tree_entry) found = NULL;
  git_index_entry entry = { 0 };
  int code = git_index_remove (job->index, path, 0);

  if (code == GIT_ENOTFOUND)
    code = 0;
  if (code < 0 || git_tree_entry_bypath (&found, job->base, path) != 0)
    return code;

  entry.path = path;
  entry.id = *git_tree_entry_id (found);
  entry.mode = git_tree_entry_filemode (found);
  return git_index_add (job->index, &entry);
}

static gboolean
drop_named (TrimJob *job, git_diff *diff, const char *name, GError **error)
{
  guint before = job->dropped->len;

  for (gsize i = 0; i < git_diff_num_deltas (diff); i++)
    {
      const git_diff_delta *delta = git_diff_get_delta (diff, i);
      const char *path = delta->new_file.path ?: delta->old_file.path;
      int code;

      if (!is_named (path, name))
        continue;

      code = put_back (job, path);
      if (code < 0)
        return fore_git_fail (error, code, _ ("A file could not be left out"));
      if (!g_ptr_array_find_with_equal_func (job->dropped, path, g_str_equal, NULL))
        g_ptr_array_add (job->dropped, g_strdup (path));
    }

  if (job->dropped->len > before)
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
               _ ("The result does not change “%s”; “diff --stat” lists what it changes"), name);
  return FALSE;
}

static gboolean
open_job (TrimJob *job, ForeRepository *self, const char *base, const char *commit, GError **error)
{
  int code;

  job->dropped = g_ptr_array_new_with_free_func (g_free);
  if ((job->git = fore_repository_open_git (self, error)) == NULL
      || (job->base = fore_git_lookup_tree (job->git, base, error)) == NULL
      || (job->tree = fore_git_lookup_tree (job->git, commit, error)) == NULL)
    return FALSE;

  code = git_index_new (&job->index);
  if (code == 0)
    code = git_index_read_tree (job->index, job->tree);

  return code == 0 || fore_git_fail (error, code, _ ("The result could not be read"));
}

static char *
commit_trimmed (TrimJob *job, const char *commit, GError **error)
{
  g_autoptr (git_commit) parent = fore_git_lookup_commit (job->git, commit, error);
  g_autoptr (git_tree) tree = NULL;
  g_autoptr (GString) message = g_string_new ("Leave files out\n\n");
  git_oid oid;
  int code;

  if (parent == NULL)
    return NULL;

  for (guint i = 0; i < job->dropped->len; i++)
    g_string_append_printf (message, "Left out: %s\n", (char *) job->dropped->pdata[i]);

  code = git_index_write_tree_to (&oid, job->index, job->git);
  if (code == 0)
    code = git_tree_lookup (&tree, job->git, &oid);
  if (code < 0)
    {
      fore_git_fail (error, code, _ ("The tree could not be written"));
      return NULL;
    }

  return fore_git_create_commit (job->git, &oid, NULL, NULL, message->str, tree, &parent, 1, error)
             ? fore_git_oid_to_string (&oid)
             : NULL;
}

/**
 * fore_repository_trim:
 * @self: a repository
 * @base: the commit that a run started from
 * @commit: its result
 * @names: (array zero-terminated=1): files, or folders with all in them, that are left out
 * @dropped: (out) (optional) (transfer full): the files that were
 * @error: (nullable): return location; %FORE_ERROR_NOT_FOUND for a name that @commit does not
 *   change
 *
 * Makes a commit on top of @commit in which some files are as they were in @base. No branch moves.
 *
 * Returns: (transfer full) (nullable): the commit
 */
char *
fore_repository_trim (ForeRepository *self,
                      const char *base,
                      const char *commit,
                      const char *const *names,
                      char ***dropped,
                      GError **error)
{
  g_autoptr (ForeWriteLock) lock = NULL;
  g_autoptr (git_diff) diff = NULL;
  g_auto (TrimJob) job = { NULL };
  g_autofree char *trimmed = NULL;
  int code;

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);
  g_return_val_if_fail (base != NULL && commit != NULL && names != NULL, NULL);

  if ((lock = fore_write_lock_acquire (self, error)) == NULL
      || !open_job (&job, self, base, commit, error))
    return NULL;

  code = git_diff_tree_to_tree (&diff, job.git, job.base, job.tree, NULL);
  if (code < 0)
    {
      fore_git_fail (error, code, _ ("The files could not be compared"));
      return NULL;
    }
  for (guint i = 0; names[i] != NULL; i++)
    {
      if (!drop_named (&job, diff, names[i], error))
        return NULL;
    }

  trimmed = commit_trimmed (&job, commit, error);
  if (trimmed != NULL && dropped != NULL)
    {
      g_ptr_array_add (job.dropped, NULL);
      *dropped = (char **) g_ptr_array_steal (job.dropped, NULL);
    }

  return g_steal_pointer (&trimmed);
}

/**
 * fore_repository_keep:
 * @self: a repository
 * @commit: a commit
 * @rescue_name: where it goes below refs/foredeck/rescue/
 * @error: (nullable): return location
 *
 * Keeps @commit, reached by a branch or not, under a ref of its own.
 *
 * Returns: %FALSE with @error set
 */
gboolean
fore_repository_keep (ForeRepository *self,
                      const char *commit,
                      const char *rescue_name,
                      GError **error)
{
  g_autofree char *ref_name = NULL;
  g_autoptr (ForeWriteLock) lock = NULL;
  g_autoptr (git_repository) git = NULL;
  git_oid oid;
  int code;

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), FALSE);
  g_return_val_if_fail (commit != NULL && rescue_name != NULL, FALSE);

  ref_name = g_strconcat ("refs/foredeck/rescue/", rescue_name, NULL);
  if ((lock = fore_write_lock_acquire (self, error)) == NULL
      || (git = fore_repository_open_git (self, error)) == NULL)
    return FALSE;

  code = git_oid_fromstr (&oid, commit);
  if (code == 0)
    code = fore_git_create_ref (git, ref_name, &oid, "foredeck: kept");

  return code == 0 || code == GIT_EEXISTS
         || fore_git_fail (error, code, _ ("The whole result could not be kept"));
}
