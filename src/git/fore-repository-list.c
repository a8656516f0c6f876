/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <git2.h>
#include <glib/gi18n-lib.h>

#include "git/fore-git.h"
#include "git/fore-repository-private.h"
#include "model/fore-error.h"

typedef struct
{
  GPatternSpec *pattern;
  GPtrArray *paths;
  guint limit;
} Listing;

static int
add_entry (const char *folder, const git_tree_entry *entry, void *user_data)
{
  Listing *listing = user_data;
  g_autofree char *path = NULL;

  if (git_tree_entry_type (entry) != GIT_OBJECT_BLOB)
    return 0;

  path = g_strconcat (folder, git_tree_entry_name (entry), NULL);
  if (!g_utf8_validate (path, -1, NULL) || !g_pattern_spec_match_string (listing->pattern, path))
    return 0;
  if (listing->paths->len >= listing->limit)
    return GIT_EUSER;

  g_ptr_array_add (listing->paths, g_steal_pointer (&path));
  return 0;
}

/**
 * fore_repository_list_files:
 * @self: a repository
 * @commit: a commit
 * @pattern: what the paths look like; `*` stands for anything, with slashes too
 * @limit: how many there may be
 * @error: return location for an error; %FORE_ERROR_LIMIT where there are more
 *
 * Lists what is under version control, in the order of git; paths that are no UTF-8 are left out.
 *
 * Returns: (transfer full) (nullable) (element-type utf8): the paths
 */
GPtrArray *
fore_repository_list_files (
    ForeRepository *self, const char *commit, const char *pattern, guint limit, GError **error)
{
  g_autoptr (git_repository) git = NULL;
  g_autoptr (git_commit) found = NULL;
  g_autoptr (git_tree) tree = NULL;
  g_autoptr (GPatternSpec) spec = NULL;
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  Listing listing;
  int code;

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);
  g_return_val_if_fail (commit != NULL && pattern != NULL, NULL);

  git = fore_repository_open_git (self, error);
  found = git != NULL ? fore_git_lookup_commit (git, commit, error) : NULL;
  if (found == NULL)
    return NULL;

  spec = g_pattern_spec_new (pattern);
  listing = (Listing){ spec, paths, limit };
  code = git_commit_tree (&tree, found);
  if (code == 0)
    code = git_tree_walk (tree, GIT_TREEWALK_PRE, add_entry, &listing);
  if (code == 0)
    return g_steal_pointer (&paths);

  if (code == GIT_EUSER)
    g_set_error (error, FORE_ERROR, FORE_ERROR_LIMIT,
                 _ ("More than %u files fit “%s”; say more closely which."), limit, pattern);
  else
    fore_git_fail (error, code, _ ("The files of the commit cannot be listed"));
  return NULL;
}
