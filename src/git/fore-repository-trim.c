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
  const char *const *names;
  GHashTable *found;     /* which of the names anything was found for */
  GHashTable *rewritten; /* id of a commit → id of what stands for it */
  GPtrArray *dropped;
} TrimJob;

static void
trim_job_clear (TrimJob *job)
{
  git_repository_free (job->git);
  git_tree_free (job->base);
  g_clear_pointer (&job->found, g_hash_table_unref);
  g_clear_pointer (&job->rewritten, g_hash_table_unref);
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

static gboolean
is_left_out (TrimJob *job, const char *path)
{
  gboolean found = FALSE;

  for (guint i = 0; job->names[i] != NULL; i++)
    {
      if (!is_named (path, job->names[i]))
        continue;
      g_hash_table_add (job->found, (gpointer) job->names[i]);
      found = TRUE;
    }

  return found;
}

/* As it was before the run, or gone. */
static int
put_back (TrimJob *job, git_index *index, const char *path)
{
  g_autoptr (git_tree_entry) found = NULL;
  git_index_entry entry = { 0 };
  int code = git_index_remove (index, path, 0);

  if (code == GIT_ENOTFOUND)
    code = 0;
  if (code < 0 || git_tree_entry_bypath (&found, job->base, path) != 0)
    return code;

  entry.path = path;
  entry.id = *git_tree_entry_id (found);
  entry.mode = git_tree_entry_filemode (found);
  return git_index_add (index, &entry);
}

static int
put_named_back (TrimJob *job, git_index *index, git_diff *diff)
{
  for (gsize i = 0; i < git_diff_num_deltas (diff); i++)
    {
      const git_diff_delta *delta = git_diff_get_delta (diff, i);
      const char *path = delta->new_file.path ?: delta->old_file.path;
      int code;

      if (!is_left_out (job, path))
        continue;

      code = put_back (job, index, path);
      if (code < 0)
        return code;
      if (!g_ptr_array_find_with_equal_func (job->dropped, path, g_str_equal, NULL))
        g_ptr_array_add (job->dropped, g_strdup (path));
    }

  return 0;
}

/* What a commit holds, with the files that are left out as they were in the base. */
static git_tree *
trim_tree (TrimJob *job, git_commit *commit, GError **error)
{
  g_autoptr (git_tree) tree = NULL;
  g_autoptr (git_diff) diff = NULL;
  g_autoptr (git_index) index = NULL;
  git_tree *trimmed = NULL;
  git_oid oid;
  int code = git_commit_tree (&tree, commit);

  if (code == 0)
    code = git_diff_tree_to_tree (&diff, job->git, job->base, tree, NULL);
  if (code == 0)
    code = git_index_new (&index);
  if (code == 0)
    code = git_index_read_tree (index, tree);
  if (code == 0)
    code = put_named_back (job, index, diff);
  if (code == 0)
    code = git_index_write_tree_to (&oid, index, job->git);
  if (code == 0)
    code = git_tree_lookup (&trimmed, job->git, &oid);
  if (code < 0)
    fore_git_fail (error, code, _ ("A file could not be left out"));

  return trimmed;
}

static git_commit *
find_parent (TrimJob *job, git_commit *commit, guint n)
{
  g_autofree char *id = fore_git_oid_to_string (git_commit_parent_id (commit, n));
  const char *stands_for_it = g_hash_table_lookup (job->rewritten, id);
  git_commit *parent = NULL;
  git_oid oid;

  if (git_oid_fromstr (&oid, stands_for_it != NULL ? stands_for_it : id) != 0
      || git_commit_lookup (&parent, job->git, &oid) != 0)
    return NULL;

  return parent;
}

/* As it was, with its author, its date and its words, but for the files; a commit that would change
 * nothing any more goes. */
static gboolean
rewrite (TrimJob *job, git_commit *commit, git_oid *oid, GError **error)
{
  g_autoptr (GPtrArray) parents = g_ptr_array_new_with_free_func ((GDestroyNotify) git_commit_free);
  g_autoptr (git_tree) tree = trim_tree (job, commit, error);
  guint n_parents = git_commit_parentcount (commit);
  int code;

  if (tree == NULL)
    return FALSE;

  for (guint i = 0; i < n_parents; i++)
    {
      git_commit *parent = find_parent (job, commit, i);

      if (parent == NULL)
        return fore_git_fail (error, GIT_ENOTFOUND, _ ("The result could not be read"));
      g_ptr_array_add (parents, parent);
    }

  if (n_parents == 1 && git_oid_equal (git_tree_id (tree), git_commit_tree_id (parents->pdata[0])))
    {
      *oid = *git_commit_id (parents->pdata[0]);
      return TRUE;
    }

  code = git_commit_create (oid, job->git, NULL, git_commit_author (commit),
                            git_commit_committer (commit), git_commit_message_encoding (commit),
                            git_commit_message_raw (commit), tree, n_parents,
                            (const git_commit **) parents->pdata);

  return code == 0 || fore_git_fail (error, code, _ ("The commit could not be written"));
}

static gboolean
open_job (TrimJob *job, ForeRepository *self, const char *base, GError **error)
{
  job->dropped = g_ptr_array_new_with_free_func (g_free);
  job->found = g_hash_table_new (g_str_hash, g_str_equal);
  job->rewritten = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  return (job->git = fore_repository_open_git (self, error)) != NULL
         && (job->base = fore_git_lookup_tree (job->git, base, error)) != NULL;
}

static git_revwalk *
begin_walk (TrimJob *job, const char *base, const char *commit, GError **error)
{
  git_revwalk *walk = NULL;
  git_oid from;
  git_oid to;
  int code = git_oid_fromstr (&from, base);

  if (code == 0)
    code = git_oid_fromstr (&to, commit);
  if (code == 0)
    code = git_revwalk_new (&walk, job->git);
  if (code == 0)
    code = git_revwalk_sorting (walk, GIT_SORT_TOPOLOGICAL | GIT_SORT_REVERSE);
  if (code == 0)
    code = git_revwalk_push (walk, &to);
  if (code == 0)
    code = git_revwalk_hide (walk, &from);
  if (code == 0)
    return walk;

  git_revwalk_free (walk);
  fore_git_fail (error, code, _ ("The result could not be read"));
  return NULL;
}

/* Each commit of the result after its parents. */
static gboolean
rewrite_all (TrimJob *job, const char *base, const char *commit, GError **error)
{
  g_autoptr (git_revwalk) walk = begin_walk (job, base, commit, error);
  git_oid oid;

  if (walk == NULL)
    return FALSE;

  while (git_revwalk_next (&oid, walk) == 0)
    {
      g_autoptr (git_commit) old = NULL;
      git_oid made;
      int code = git_commit_lookup (&old, job->git, &oid);

      if (code < 0)
        return fore_git_fail (error, code, _ ("The result could not be read"));
      if (!rewrite (job, old, &made, error))
        return FALSE;
      g_hash_table_insert (job->rewritten, fore_git_oid_to_string (&oid),
                           fore_git_oid_to_string (&made));
    }

  return TRUE;
}

static gboolean
check_found (TrimJob *job, GError **error)
{
  for (guint i = 0; job->names[i] != NULL; i++)
    {
      if (g_hash_table_contains (job->found, job->names[i]))
        continue;
      g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                   _ ("The result does not change “%s”; “diff --stat” lists what it changes"),
                   job->names[i]);
      return FALSE;
    }

  return TRUE;
}

static gint
compare_paths (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/**
 * fore_repository_trim:
 * @self: a repository
 * @base: the commit that a run started from
 * @commit: its result
 * @names: (array zero-terminated=1): files, or folders with all in them, that are left out
 * @dropped: (out) (optional) (transfer full): the files that were
 * @error: (nullable): return location; %FORE_ERROR_NOT_FOUND for a name that no commit of the
 *   result changes
 *
 * Makes the commits from @base to @commit anew, with some files as they are in @base in each of
 * them: whoever has the new ones has nothing of what was left out. No branch moves. Blocks.
 *
 * Returns: (transfer full) (nullable): what stands for @commit; @base if nothing is left
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
  g_auto (TrimJob) job = { .names = names };
  const char *trimmed;

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);
  g_return_val_if_fail (base != NULL && commit != NULL && names != NULL, NULL);

  if ((lock = fore_write_lock_acquire (self, error)) == NULL || !open_job (&job, self, base, error)
      || !rewrite_all (&job, base, commit, error) || !check_found (&job, error))
    return NULL;

  g_ptr_array_sort (job.dropped, compare_paths);
  trimmed = g_hash_table_lookup (job.rewritten, commit);
  if (dropped != NULL)
    {
      g_ptr_array_add (job.dropped, NULL);
      *dropped = (char **) g_ptr_array_steal (job.dropped, NULL);
    }

  return g_strdup (trimmed != NULL ? trimmed : commit);
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
