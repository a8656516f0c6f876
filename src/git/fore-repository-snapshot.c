/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <git2/sys/repository.h>
#include <glib/gi18n-lib.h>

#include "git/fore-folder.h"
#include "git/fore-repository-private.h"
#include "model/fore-error.h"

static git_index *
copy_index (ForeRepository *self, git_repository *git, GError **error)
{
  g_autofree char *path = g_build_filename (fore_repository_get_git_dir (self), "index", NULL);
  git_index *index = NULL;
  int result = git_index_open (&index, path);

  if (result == 0)
    result = git_repository_set_index (git, index);

  if (result == 0)
    return index;

  git_index_free (index);
  fore_git_fail (error, result, _ ("The index of the repository could not be read"));
  return NULL;
}

/* Opens the repository so that nothing is written to it: objects go to the scratch folder, and the
 * index is a copy in memory, read for its file times.
 */
static git_repository *
open_scratch (ForeRepository *self, const char *scratch_dir, git_index **index, GError **error)
{
  g_autoptr (git_repository) git = NULL;

  if (!fore_repository_require_workdir (self, error)
      || (git = fore_repository_open_git (self, error)) == NULL
      || !fore_git_add_scratch (git, scratch_dir, error)
      || (*index = copy_index (self, git, error)) == NULL)
    return NULL;

  return g_steal_pointer (&git);
}

static git_tree *
write_folder (git_repository *git, git_index *index, GError **error)
{
  git_tree *tree = NULL;
  git_oid oid;
  int result;

  if (!fore_git_stage_folder (git, index, NULL, error))
    return NULL;

  git_index_conflict_cleanup (index);
  result = git_index_write_tree_to (&oid, index, git);
  if (result == 0)
    result = git_tree_lookup (&tree, git, &oid);

  if (result < 0)
    fore_git_fail (error, result, _ ("The files could not be recorded"));

  return tree;
}

/**
 * fore_repository_snapshot:
 * @self: a repository with a work folder
 * @scratch_dir: a folder of ours for the objects, made when missing
 * @error: (nullable): return location
 *
 * Records the files of the work folder that are not ignored, so that they can be compared and
 * brought back later. The repository itself stays untouched.
 *
 * Returns: (transfer full) (nullable): the id of a tree in @scratch_dir
 */
char *
fore_repository_snapshot (ForeRepository *self, const char *scratch_dir, GError **error)
{
  g_autoptr (git_index) index = NULL;
  g_autoptr (git_repository) git = NULL;
  g_autoptr (git_tree) tree = NULL;

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);
  g_return_val_if_fail (scratch_dir != NULL, NULL);

  git = open_scratch (self, scratch_dir, &index, error);
  if (git == NULL)
    return NULL;

  tree = write_folder (git, index, error);
  return tree != NULL ? fore_git_oid_to_string (git_tree_id (tree)) : NULL;
}

static git_diff *
compare_now (git_repository *git, git_index *index, const char *snapshot, GError **error)
{
  g_autoptr (git_tree) before = fore_git_lookup_tree (git, snapshot, error);
  g_autoptr (git_tree) now = NULL;

  if (before == NULL)
    return NULL;

  now = write_folder (git, index, error);
  return now != NULL ? fore_git_diff_trees (git, before, now, error) : NULL;
}

/**
 * fore_repository_compare_snapshot:
 * @self: the repository the snapshot was taken of
 * @scratch_dir: where it was put
 * @snapshot: its id
 * @patch: (out) (optional) (transfer full): what was written since, as a patch
 * @error: (nullable): return location
 *
 * Finds what was written since a snapshot was taken; ignored files do not count.
 *
 * Returns: (transfer full) (element-type ForeFileChange) (nullable): the files, none when nothing
 *   was written
 */
GPtrArray *
fore_repository_compare_snapshot (ForeRepository *self,
                                  const char *scratch_dir,
                                  const char *snapshot,
                                  GBytes **patch,
                                  GError **error)
{
  g_autoptr (git_index) index = NULL;
  g_autoptr (git_repository) git = NULL;
  g_autoptr (git_diff) diff = NULL;

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);
  g_return_val_if_fail (scratch_dir != NULL && snapshot != NULL, NULL);

  git = open_scratch (self, scratch_dir, &index, error);
  if (git == NULL || (diff = compare_now (git, index, snapshot, error)) == NULL)
    return NULL;

  if (patch != NULL && (*patch = fore_git_write_patch (diff, error)) == NULL)
    return NULL;

  return fore_git_list_changes (git, diff, error);
}

/* What one changed file means for bringing things back: new names go, old ones return. */
static gboolean
take_back_delta (const git_diff_delta *delta,
                 const char *const *paths,
                 const char *workdir,
                 GPtrArray *returning,
                 GError **error)
{
  const char *old_path = delta->old_file.path;
  const char *new_path = delta->new_file.path;
  gboolean is_new = delta->status == GIT_DELTA_ADDED || delta->status == GIT_DELTA_RENAMED;

  if (delta->status != GIT_DELTA_ADDED && (paths == NULL || g_strv_contains (paths, old_path)))
    g_ptr_array_add (returning, (char *) old_path);

  if (is_new && (paths == NULL || g_strv_contains (paths, new_path)))
    return fore_folder_remove_file (workdir, new_path, error);

  return TRUE;
}

static gboolean
check_out (git_repository *git, const char *snapshot, GPtrArray *returning, GError **error)
{
  git_checkout_options options = GIT_CHECKOUT_OPTIONS_INIT;
  g_autoptr (git_tree) tree = fore_git_lookup_tree (git, snapshot, error);
  int result;

  if (tree == NULL)
    return FALSE;

  if (returning->len == 0)
    return TRUE;

  options.checkout_strategy = GIT_CHECKOUT_FORCE | GIT_CHECKOUT_DISABLE_PATHSPEC_MATCH
                              | GIT_CHECKOUT_DONT_UPDATE_INDEX | GIT_CHECKOUT_DONT_WRITE_INDEX;
  options.paths.strings = (char **) returning->pdata;
  options.paths.count = returning->len;
  result = git_checkout_tree (git, (git_object *) tree, &options);
  if (result < 0)
    return fore_git_fail (error, result, _ ("Not all files could be brought back"));

  return TRUE;
}

/**
 * fore_repository_restore_snapshot:
 * @self: the repository the snapshot was taken of
 * @scratch_dir: where it was put
 * @snapshot: its id
 * @paths: (nullable) (array zero-terminated=1): only these files; %NULL is all that changed since
 * @error: (nullable): return location
 *
 * Puts files back as they were. The index stays as it is.
 *
 * Returns: %FALSE with @error set
 */
gboolean
fore_repository_restore_snapshot (ForeRepository *self,
                                  const char *scratch_dir,
                                  const char *snapshot,
                                  const char *const *paths,
                                  GError **error)
{
  g_autoptr (git_index) index = NULL;
  g_autoptr (git_repository) git = NULL;
  g_autoptr (git_diff) diff = NULL;
  g_autoptr (GPtrArray) returning = g_ptr_array_new ();

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), FALSE);
  g_return_val_if_fail (scratch_dir != NULL && snapshot != NULL, FALSE);

  git = open_scratch (self, scratch_dir, &index, error);
  if (git == NULL || (diff = compare_now (git, index, snapshot, error)) == NULL)
    return FALSE;

  for (gsize i = 0; i < git_diff_num_deltas (diff); i++)
    {
      const char *workdir = fore_repository_get_workdir (self);

      if (!take_back_delta (git_diff_get_delta (diff, i), paths, workdir, returning, error))
        return FALSE;
    }

  return check_out (git, snapshot, returning, error);
}

static gboolean
commit_base (git_repository *git, git_tree *tree, const char *run, git_oid *oid, GError **error)
{
  g_autofree char *ref_name = g_strconcat ("refs/foredeck/base/", run, NULL);
  g_autoptr (git_commit) head = fore_git_lookup_commit (git, "HEAD", error);
  int result;

  if (head == NULL
      || !fore_git_create_commit (git, oid, NULL, NULL, "Local changes when the run started\n",
                                  tree, &head, 1, error))
    return FALSE;

  result = fore_git_create_ref (git, ref_name, oid, "foredeck: base of a run");
  if (result < 0)
    return fore_git_fail (error, result, _ ("The local changes could not be recorded"));

  return TRUE;
}

/**
 * fore_repository_snapshot_base:
 * @self: a repository with a work folder and a commit
 * @run: id of the run that starts from it
 * @error: (nullable): return location
 *
 * Commits the files of the work folder that are not ignored, on top of HEAD, for a run that takes
 * local changes along. Files, index and branches stay as they are; the commit is kept by
 * refs/foredeck/base/@run.
 *
 * Returns: (transfer full) (nullable): the commit's id
 */
char *
fore_repository_snapshot_base (ForeRepository *self, const char *run, GError **error)
{
  g_autoptr (ForeWriteLock) lock = NULL;
  g_autoptr (git_repository) git = NULL;
  g_autoptr (git_index) index = NULL;
  g_autoptr (git_tree) tree = NULL;
  git_oid oid;

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);
  g_return_val_if_fail (run != NULL, NULL);

  if (!fore_repository_require_workdir (self, error)
      || (lock = fore_write_lock_acquire (self, error)) == NULL
      || (git = fore_repository_open_git (self, error)) == NULL
      || (index = copy_index (self, git, error)) == NULL
      || (tree = write_folder (git, index, error)) == NULL
      || !commit_base (git, tree, run, &oid, error))
    return NULL;

  return fore_git_oid_to_string (&oid);
}
