/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "git/fore-repository-private.h"
#include "model/fore-error.h"

#define MAX_SMALL_FILE 4096
#define OUR_NAME_PREFIX "foredeck-"

/* What stands in one of git's one-line files; NULL when it is missing or absurdly long. */
static char *
read_line (const char *dir, const char *name)
{
  g_autofree char *path = g_build_filename (dir, name, NULL);
  char *text = NULL;
  gsize length;

  if (!g_file_get_contents (path, &text, &length, NULL))
    return NULL;

  if (length > MAX_SMALL_FILE || strlen (text) != length)
    g_clear_pointer (&text, g_free);

  return text != NULL ? g_strchomp (text) : NULL;
}

/**
 * fore_git_read_head_branch:
 * @git_dir: a git folder
 *
 * Returns: (transfer full) (nullable): the branch that is checked out there, %NULL when HEAD is
 *   detached or cannot be read
 */
char *
fore_git_read_head_branch (const char *git_dir)
{
  g_autofree char *head = read_line (git_dir, "HEAD");

  if (head == NULL || !g_str_has_prefix (head, "ref: refs/heads/"))
    return NULL;

  return g_strdup (head + strlen ("ref: refs/heads/"));
}

static gboolean
points_back (const char *git_dir, const char *path)
{
  g_autofree char *line = read_line (path, ".git");
  g_autofree char *entry = line != NULL && g_str_has_prefix (line, "gitdir: ")
                               ? g_canonicalize_filename (line + strlen ("gitdir: "), path)
                               : NULL;

  return g_strcmp0 (entry, git_dir) == 0;
}

/**
 * fore_git_read_worktree:
 * @common_dir: the common git folder
 * @name: name of an entry in it
 *
 * Reads what git's files say about a worktree, whatever they say.
 *
 * Returns: (transfer full): the worktree
 */
ForeWorktree *
fore_git_read_worktree (const char *common_dir, const char *name)
{
  g_autofree char *git_dir = g_build_filename (common_dir, "worktrees", name, NULL);
  g_autofree char *link = read_line (git_dir, "gitdir");
  g_autofree char *link_path = g_canonicalize_filename (link ?: "", git_dir);
  g_autofree char *path = link != NULL ? g_path_get_dirname (link_path) : g_strdup ("");
  g_autofree char *branch = fore_git_read_head_branch (git_dir);
  ForeWorktree *worktree = fore_worktree_new (git_dir, path, branch);

  worktree->lock_reason = read_line (git_dir, "locked");
  worktree->valid = link != NULL && !g_file_test (path, G_FILE_TEST_IS_SYMLINK)
                    && points_back (git_dir, path);

  return worktree;
}

/**
 * fore_repository_list_worktrees:
 * @self: a repository
 * @error: (nullable): return location
 *
 * Lists the linked worktrees, also those whose folder is gone (not valid then). The main work
 * folder is not among them.
 *
 * Returns: (transfer full) (element-type ForeWorktree) (nullable): the worktrees
 */
GPtrArray *
fore_repository_list_worktrees (ForeRepository *self, GError **error)
{
  g_autoptr (GPtrArray) list = NULL;
  g_autofree char *dir_path = NULL;
  g_autoptr (GDir) dir = NULL;
  const char *common_dir, *name;

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);

  common_dir = fore_repository_get_common_dir (self);
  list = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_worktree_free);
  dir_path = g_build_filename (common_dir, "worktrees", NULL);
  if (!g_file_test (dir_path, G_FILE_TEST_IS_DIR))
    return g_steal_pointer (&list);

  dir = g_dir_open (dir_path, 0, error);
  if (dir == NULL)
    return NULL;

  while ((name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (list, fore_git_read_worktree (common_dir, name));

  return g_steal_pointer (&list);
}

/**
 * fore_repository_dup_main_dir:
 * @self: a repository
 *
 * Returns: (transfer full) (nullable): the main work folder, also when @self is a worktree; %NULL
 *   when there is none
 */
char *
fore_repository_dup_main_dir (ForeRepository *self)
{
  g_autoptr (git_repository) git = NULL;
  char *folder;
  gsize length;

  if (git_repository_open (&git, fore_repository_get_common_dir (self)) != 0
      || git_repository_workdir (git) == NULL)
    return NULL;

  folder = g_strdup (git_repository_workdir (git));
  length = strlen (folder);
  if (length > 1 && folder[length - 1] == '/')
    folder[length - 1] = '\0';

  return folder;
}

static gboolean
find_main_checkout (ForeRepository *self, char **folder, GError **error)
{
  const char *common_dir = fore_repository_get_common_dir (self);
  g_autoptr (git_repository) git = NULL;
  int result;

  if (g_str_equal (common_dir, fore_repository_get_git_dir (self)))
    {
      *folder = g_strdup (fore_repository_get_workdir (self));
      return TRUE;
    }

  result = git_repository_open (&git, common_dir);
  if (result < 0)
    return fore_git_fail (error, result, _ ("The repository could not be opened"));

  *folder = g_strdup (git_repository_workdir (git));
  return TRUE;
}

/**
 * fore_repository_find_checkout:
 * @self: a repository
 * @branch: a short branch name
 * @folder: (out) (nullable): the folder that has it checked out, %NULL when none has
 * @git_dir: (out) (optional) (nullable): the git folder of that folder
 * @error: (nullable): return location
 *
 * Finds where a branch is checked out, in the main work folder or a worktree.
 *
 * Returns: %FALSE with @error set
 */
gboolean
fore_repository_find_checkout (
    ForeRepository *self, const char *branch, char **folder, char **git_dir, GError **error)
{
  const char *common_dir = fore_repository_get_common_dir (self);
  g_autofree char *main_branch = fore_git_read_head_branch (common_dir);
  g_autoptr (GPtrArray) list = NULL;

  *folder = NULL;
  if (g_strcmp0 (main_branch, branch) == 0)
    {
      if (!find_main_checkout (self, folder, error))
        return FALSE;

      if (git_dir != NULL)
        *git_dir = g_strdup (common_dir);
      if (*folder != NULL)
        return TRUE;
    }

  list = fore_repository_list_worktrees (self, error);
  for (guint i = 0; list != NULL && i < list->len; i++)
    {
      ForeWorktree *worktree = g_ptr_array_index (list, i);

      if (g_strcmp0 (worktree->branch, branch) != 0)
        continue;

      *folder = g_strdup (worktree->path);
      if (git_dir != NULL)
        {
          g_free (*git_dir);
          *git_dir = g_strdup (worktree->git_dir);
        }
      break;
    }

  return list != NULL;
}

/**
 * fore_repository_require_free:
 * @self: a repository
 * @branch: a short branch name
 * @error: (nullable): return location; names the folder
 *
 * Returns: %FALSE with @error set when @branch is checked out anywhere
 */
gboolean
fore_repository_require_free (ForeRepository *self, const char *branch, GError **error)
{
  g_autofree char *folder = NULL;

  if (!fore_repository_find_checkout (self, branch, &folder, NULL, error))
    return FALSE;

  return folder == NULL || fore_git_refuse_checked_out (branch, folder, error);
}

/**
 * fore_git_refuse_checked_out:
 * @branch: a short branch name
 * @folder: where it is checked out
 * @error: (nullable): return location
 *
 * Returns: always %FALSE
 */
gboolean
fore_git_refuse_checked_out (const char *branch, const char *folder, GError **error)
{
  g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED,
               _ ("The branch “%s” is checked out in “%s”; switch that folder to another branch"),
               branch, folder);
  return FALSE;
}

/**
 * fore_repository_validate_worktree:
 * @self: a repository
 * @worktree: a worktree of it
 * @error: (nullable): return location; says what is wrong
 *
 * Checks that the folder is a real folder, that folder and entry still point at each other, and
 * that the entry belongs to @self.
 *
 * Returns: %FALSE with @error set
 */
gboolean
fore_repository_validate_worktree (ForeRepository *self,
                                   const ForeWorktree *worktree,
                                   GError **error)
{
  g_autoptr (ForeWorktree) found = NULL;

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), FALSE);
  g_return_val_if_fail (worktree != NULL, FALSE);

  found = fore_git_read_worktree (fore_repository_get_common_dir (self), worktree->name);
  if (found->valid && g_str_equal (found->git_dir, worktree->git_dir)
      && g_str_equal (found->path, worktree->path))
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED,
               _ ("“%s” is no longer the worktree that was made there; look at the folder before "
                  "you go on"),
               worktree->path);
  return FALSE;
}

static git_worktree *
look_up_worktree (git_repository *git, const char *name, GError **error)
{
  git_worktree *worktree = NULL;
  int result = git_worktree_lookup (&worktree, git, name);

  if (result < 0)
    {
      fore_git_fail (error, result, _ ("There is no such worktree"));
      return NULL;
    }

  return worktree;
}

/**
 * fore_repository_lock_worktree:
 * @self: a repository
 * @name: name of a worktree's entry
 * @reason: why it must stay
 * @error: (nullable): return location; %FORE_ERROR_BUSY when it is locked already
 *
 * Keeps a worktree from being pruned or removed.
 *
 * Returns: %FALSE with @error set
 */
gboolean
fore_repository_lock_worktree (ForeRepository *self,
                               const char *name,
                               const char *reason,
                               GError **error)
{
  g_autoptr (git_repository) git = NULL;
  g_autoptr (git_worktree) worktree = NULL;
  int result;

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), FALSE);
  g_return_val_if_fail (name != NULL && reason != NULL, FALSE);

  git = fore_repository_open_git (self, error);
  if (git == NULL || (worktree = look_up_worktree (git, name, error)) == NULL)
    return FALSE;

  result = git_worktree_lock (worktree, reason);
  if (result != 0)
    return fore_git_fail (error, GIT_ELOCKED,
                          _ ("The worktree could not be locked; see who locked it before"));

  return TRUE;
}

/**
 * fore_repository_unlock_worktree:
 * @self: a repository
 * @name: name of a worktree's entry
 * @error: (nullable): return location
 *
 * Takes a lock away; a worktree without one is no error.
 *
 * Returns: %FALSE with @error set
 */
gboolean
fore_repository_unlock_worktree (ForeRepository *self, const char *name, GError **error)
{
  g_autoptr (git_repository) git = NULL;
  g_autoptr (git_worktree) worktree = NULL;
  int result;

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), FALSE);
  g_return_val_if_fail (name != NULL, FALSE);

  git = fore_repository_open_git (self, error);
  if (git == NULL || (worktree = look_up_worktree (git, name, error)) == NULL)
    return FALSE;

  result = git_worktree_unlock (worktree);
  if (result < 0)
    return fore_git_fail (error, result, _ ("The worktree could not be unlocked"));

  return TRUE;
}

static gboolean
prune_one (ForeRepository *self, git_repository *git, const ForeWorktree *worktree, GError **error)
{
  g_autofree char *rescue_name = g_strconcat ("pruned/", worktree->name, NULL);

  return fore_git_rescue_entry (git, worktree->git_dir, rescue_name, NULL, error)
         && fore_git_remove_entry (fore_repository_get_common_dir (self), worktree->git_dir, error);
}

/**
 * fore_repository_prune_worktrees:
 * @self: a repository
 * @n_pruned: (out) (optional): how many entries were removed
 * @error: (nullable): return location
 *
 * Removes the entries of Foredeck's own worktrees whose folder is gone. Locked ones stay, and so
 * do the commits, under refs/foredeck/rescue/pruned/ where nothing else reaches them.
 *
 * Returns: %FALSE with @error set
 */
gboolean
fore_repository_prune_worktrees (ForeRepository *self, guint *n_pruned, GError **error)
{
  g_autoptr (ForeWriteLock) lock = NULL;
  g_autoptr (GPtrArray) list = NULL;
  g_autoptr (git_repository) git = NULL;
  guint n = 0;

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), FALSE);

  if ((lock = fore_write_lock_acquire (self, error)) == NULL
      || (list = fore_repository_list_worktrees (self, error)) == NULL
      || (git = fore_repository_open_git (self, error)) == NULL)
    return FALSE;

  for (guint i = 0; i < list->len; i++)
    {
      ForeWorktree *worktree = g_ptr_array_index (list, i);

      if (!g_str_has_prefix (worktree->name, OUR_NAME_PREFIX) || worktree->lock_reason != NULL
          || g_file_test (worktree->path, G_FILE_TEST_EXISTS))
        continue;

      if (!prune_one (self, git, worktree, error))
        return FALSE;

      n++;
    }

  if (n_pruned != NULL)
    *n_pruned = n;
  return TRUE;
}
