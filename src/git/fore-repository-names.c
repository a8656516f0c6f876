/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "git/fore-repository-private.h"
#include "model/fore-error.h"

#define OUR_PREFIX "foredeck"
#define MAX_NAME_LENGTH 200

/**
 * fore_branch_name_is_ours:
 * @branch: (nullable): a short branch name
 *
 * Returns: whether @branch is a valid name below foredeck/, or foredeck-2/ and so on
 */
gboolean
fore_branch_name_is_ours (const char *branch)
{
  g_autofree char *ref_name = NULL;
  const char *rest;
  int valid = 0;

  if (branch == NULL || !g_str_has_prefix (branch, OUR_PREFIX) || strlen (branch) > MAX_NAME_LENGTH)
    return FALSE;

  rest = branch + strlen (OUR_PREFIX);
  if (*rest == '-')
    rest += 1 + strspn (rest + 1, "0123456789");
  if (rest[0] != '/' || rest[1] == '\0' || (rest > branch && rest[-1] == '-'))
    return FALSE;

  fore_git_init ();
  ref_name = g_strconcat ("refs/heads/", branch, NULL);
  return git_reference_name_is_valid (&valid, ref_name) == 0 && valid;
}

/**
 * fore_git_require_ours:
 * @branch: a short branch name from outside
 * @error: (nullable): return location
 *
 * Returns: %FALSE with @error set when @branch is not one that Foredeck may make or remove
 */
gboolean
fore_git_require_ours (const char *branch, GError **error)
{
  if (fore_branch_name_is_ours (branch))
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED,
               _ ("“%s” is not a branch of Foredeck; its branches start with “foredeck/”"), branch);
  return FALSE;
}

/**
 * fore_repository_resolve:
 * @self: a repository
 * @revision: anything that names a commit: HEAD, a branch, an id
 * @error: (nullable): return location; %FORE_ERROR_NOT_FOUND when there is none
 *
 * Returns: (transfer full) (nullable): the commit's id
 */
char *
fore_repository_resolve (ForeRepository *self, const char *revision, GError **error)
{
  g_autoptr (git_repository) git = NULL;
  g_autoptr (git_commit) commit = NULL;

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);
  g_return_val_if_fail (revision != NULL, NULL);

  git = fore_repository_open_git (self, error);
  if (git == NULL)
    return NULL;

  commit = fore_git_lookup_commit (git, revision, error);
  return commit != NULL ? fore_git_oid_to_string (git_commit_id (commit)) : NULL;
}

/**
 * fore_repository_resolve_branch:
 * @self: a repository
 * @branch: name of a local branch
 * @error: (nullable): return location; %FORE_ERROR_NOT_FOUND when there is none
 *
 * Returns: (transfer full) (nullable): the id of the commit that the branch is at
 */
char *
fore_repository_resolve_branch (ForeRepository *self, const char *branch, GError **error)
{
  g_autoptr (git_repository) git = NULL;
  g_autofree char *ref = NULL;
  git_oid oid;

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);
  g_return_val_if_fail (branch != NULL, NULL);

  git = fore_repository_open_git (self, error);
  if (git == NULL)
    return NULL;

  ref = g_strconcat ("refs/heads/", branch, NULL);
  if (git_reference_name_to_id (&oid, git, ref) == 0)
    return fore_git_oid_to_string (&oid);

  g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
               _ ("There is no branch “%s”; “git branch” shows those that there are."), branch);
  return NULL;
}

static gboolean
is_free (git_repository *git, const char *prefix, const char *run)
{
  g_autofree char *top = g_strconcat ("refs/heads/", prefix, NULL);
  g_autofree char *middle = g_strconcat (top, "/", run, NULL);
  g_autofree char *below = g_strconcat (middle, "/*", NULL);
  g_autoptr (git_reference_iterator) iter = NULL;
  const char *name;
  git_oid oid;

  if (git_reference_name_to_id (&oid, git, top) == 0
      || git_reference_name_to_id (&oid, git, middle) == 0)
    return FALSE;

  return git_reference_iterator_glob_new (&iter, git, below) == 0
         && git_reference_next_name (&name, iter) == GIT_ITEROVER;
}

/**
 * fore_repository_pick_branch_prefix:
 * @self: a repository
 * @run: id of a run that has no branches yet
 * @error: (nullable): return location
 *
 * Finds the prefix of the run's branches: foredeck/@run, or foredeck-2/@run and so on where
 * somebody's branch takes the name.
 *
 * Returns: (transfer full) (nullable): the prefix, without a slash at its end
 */
char *
fore_repository_pick_branch_prefix (ForeRepository *self, const char *run, GError **error)
{
  g_autoptr (git_repository) git = NULL;
  g_autofree char *prefix = g_strdup (OUR_PREFIX);

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);
  g_return_val_if_fail (run != NULL, NULL);

  git = fore_repository_open_git (self, error);
  if (git == NULL)
    return NULL;

  for (guint i = 2; i < 100; i++)
    {
      g_autofree char *branch = g_strconcat (prefix, "/", run, NULL);

      if (!fore_git_require_ours (branch, error))
        return NULL;

      if (is_free (git, prefix, run))
        return g_steal_pointer (&branch);

      g_free (prefix);
      prefix = g_strdup_printf (OUR_PREFIX "-%u", i);
    }

  g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED,
               _ ("Too many branches start with “foredeck”; remove those of old runs"));
  return NULL;
}

/**
 * fore_repository_create_branch:
 * @self: a repository
 * @branch: a name below foredeck/
 * @commit: where it shall point
 * @error: (nullable): return location; %FORE_ERROR_STALE when it exists
 *
 * Returns: %FALSE with @error set
 */
gboolean
fore_repository_create_branch (ForeRepository *self,
                               const char *branch,
                               const char *commit,
                               GError **error)
{
  g_autoptr (git_repository) git = NULL;
  g_autoptr (git_commit) target = NULL;
  g_autoptr (ForeWriteLock) lock = NULL;
  g_autofree char *ref_name = NULL;

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), FALSE);
  g_return_val_if_fail (branch != NULL && commit != NULL, FALSE);

  if (!fore_git_require_ours (branch, error)
      || (lock = fore_write_lock_acquire (self, error)) == NULL)
    return FALSE;

  git = fore_repository_open_git (self, error);
  if (git == NULL)
    return FALSE;

  target = fore_git_lookup_commit (git, commit, error);
  if (target == NULL)
    return FALSE;

  ref_name = g_strconcat ("refs/heads/", branch, NULL);
  return fore_git_swap_branch (git, ref_name, git_commit_id (target), NULL, "foredeck: branch made",
                               error);
}

/* The rescue name repeats the branch, so that a person finds it again. */
static gboolean
delete_reference (git_repository *git, git_reference *ref, const char *branch, GError **error)
{
  g_autofree char *rescue_name = g_strconcat ("branch/", branch, NULL);
  int result;

  if (!fore_git_rescue_commit (git, git_reference_target (ref), rescue_name,
                               git_reference_name (ref), NULL, error))
    return FALSE;

  result = fore_git_remove_ref (git, git_reference_name (ref));
  if (result < 0)
    return fore_git_fail (error, result, _ ("The branch could not be removed"));

  return TRUE;
}

/**
 * fore_repository_delete_branch:
 * @self: a repository
 * @branch: a name below foredeck/
 * @error: (nullable): return location
 *
 * Removes a branch of ours. Commits that nothing else reaches are kept under
 * refs/foredeck/rescue/branch/@branch. A branch that does not exist is no error.
 *
 * Returns: %FALSE with @error set
 */
gboolean
fore_repository_delete_branch (ForeRepository *self, const char *branch, GError **error)
{
  g_autoptr (git_repository) git = NULL;
  g_autoptr (git_reference) ref = NULL;
  g_autoptr (ForeWriteLock) lock = NULL;
  int result;

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), FALSE);
  g_return_val_if_fail (branch != NULL, FALSE);

  if (!fore_git_require_ours (branch, error)
      || (lock = fore_write_lock_acquire (self, error)) == NULL
      || !fore_repository_require_free (self, branch, error))
    return FALSE;

  git = fore_repository_open_git (self, error);
  if (git == NULL)
    return FALSE;

  result = git_branch_lookup (&ref, git, branch, GIT_BRANCH_LOCAL);
  if (result == GIT_ENOTFOUND)
    return TRUE;

  if (result < 0)
    return fore_git_fail (error, result, _ ("The branch could not be read"));

  return delete_reference (git, ref, branch, error);
}

/**
 * fore_repository_list_branches:
 * @self: a repository
 * @prefix: (nullable): only those that start with this
 * @error: (nullable): return location
 *
 * Returns: (transfer full) (nullable): short names of the local branches, in order
 */
char **
fore_repository_list_branches (ForeRepository *self, const char *prefix, GError **error)
{
  g_autoptr (git_repository) git = NULL;
  g_autoptr (git_reference_iterator) iter = NULL;
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  const char *name;
  int result;

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);

  git = fore_repository_open_git (self, error);
  if (git == NULL)
    return NULL;

  result = git_reference_iterator_glob_new (&iter, git, "refs/heads/*");
  while (result == 0 && (result = git_reference_next_name (&name, iter)) == 0)
    {
      const char *branch = name + strlen ("refs/heads/");

      if (prefix == NULL || g_str_has_prefix (branch, prefix))
        g_strv_builder_add (names, branch);
    }

  if (result != GIT_ITEROVER)
    {
      fore_git_fail (error, result, _ ("The branches could not be listed"));
      return NULL;
    }

  return g_strv_builder_end (names);
}
