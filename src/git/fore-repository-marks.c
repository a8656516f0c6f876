/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "git/fore-repository-private.h"

/* A merge of more than that was not made here. */
#define MAX_MERGES 256
#define MAX_BYTES (16 * 1024 * 1024)

/* Whether a line is the mark, which ends with the name of the file: so libgit2 writes it. */
static gboolean
has_line (const char *text, gsize length, const char *mark, const char *path)
{
  g_autofree char *line = g_strconcat (mark, path, NULL);
  const char *end = text + length;
  const char *found = text;

  while ((found = g_strstr_len (found, end - found, line)) != NULL)
    {
      if (found == text || found[-1] == '\n')
        return TRUE;
      found++;
    }

  return FALSE;
}

static gboolean
is_marked (git_repository *git, git_tree *tree, const char *path)
{
  g_autoptr (git_object) object = NULL;
  const git_blob *blob;
  const char *text;
  gsize length;

  if (git_object_lookup_bypath (&object, (git_object *) tree, path, GIT_OBJECT_BLOB) != 0)
    return FALSE;

  blob = (const git_blob *) object;
  text = git_blob_rawcontent (blob);
  length = (gsize) git_blob_rawsize (blob);

  return length <= MAX_BYTES && has_line (text, length, "<<<<<<< ", path)
         && has_line (text, length, ">>>>>>> ", path);
}

static void
add_marked (git_repository *git, git_diff *diff, git_tree *tree, GPtrArray *paths)
{
  for (gsize i = 0; i < git_diff_num_deltas (diff); i++)
    {
      const char *path = git_diff_get_delta (diff, i)->new_file.path;

      if (!g_ptr_array_find_with_equal_func (paths, path, g_str_equal, NULL)
          && is_marked (git, tree, path))
        g_ptr_array_add (paths, g_strdup (path));
    }
}

/* What one merge put together; its first parent is the merge before it. */
static int
look_at_merge (git_repository *git, git_commit **merge, git_tree *tree, GPtrArray *paths)
{
  g_autoptr (git_commit) parent = NULL;
  g_autoptr (git_tree) before = NULL;
  g_autoptr (git_tree) after = NULL;
  g_autoptr (git_diff) diff = NULL;
  int result = git_commit_parent (&parent, *merge, 0);

  if (result == 0)
    result = git_commit_tree (&before, parent);
  if (result == 0)
    result = git_commit_tree (&after, *merge);
  if (result == 0)
    result = git_diff_tree_to_tree (&diff, git, before, after, NULL);
  if (result < 0)
    return result;

  add_marked (git, diff, tree, paths);
  git_commit_free (*merge);
  *merge = g_steal_pointer (&parent);

  return 0;
}

/**
 * fore_repository_find_marks:
 * @self: a repository
 * @base: what somebody began with; of fore_repository_merge_commits() with
 *   %FORE_MERGE_FAVOR_MARKERS, or any other commit
 * @commit: what came of it
 * @error: (nullable): return location
 *
 * Finds the files of @commit in which conflict marks of a merge of @base still stand. Blocking.
 *
 * Returns: (transfer full) (nullable): their paths, or %NULL with @error set
 */
char **
fore_repository_find_marks (ForeRepository *self,
                            const char *base,
                            const char *commit,
                            GError **error)
{
  g_autoptr (git_repository) git = NULL;
  g_autoptr (git_commit) merge = NULL;
  g_autoptr (git_tree) tree = NULL;
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  int result = 0;

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);
  g_return_val_if_fail (base != NULL && commit != NULL, NULL);

  git = fore_repository_open_git (self, error);
  if (git == NULL || (merge = fore_git_lookup_commit (git, base, error)) == NULL
      || (tree = fore_git_lookup_tree (git, commit, error)) == NULL)
    return NULL;

  for (guint i = 0; i < MAX_MERGES && result == 0 && git_commit_parentcount (merge) > 1; i++)
    result = look_at_merge (git, &merge, tree, paths);
  if (result < 0)
    {
      fore_git_fail (error, result, _ ("The history could not be read"));
      return NULL;
    }

  g_ptr_array_add (paths, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&paths), FALSE);
}
