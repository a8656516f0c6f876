/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <git2/sys/repository.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "git/fore-folder.h"
#include "git/fore-git-module.h"
#include "git/fore-repository-private.h"
#include "model/fore-error.h"

/* Turns the files of a work folder into a tree. Everything goes through an index that is not the
 * one in use, and no path is reached through a symbolic link.
 */
typedef struct
{
  git_repository *git;
  git_index *index;
  const char *workdir;
  GPtrArray *nested; /* (nullable) */
} StageJob;

/* A link that fore_repository_seed_tree() made: to the same path of the person's own checkout. */
static gboolean
is_seed_link (StageJob *job, const char *path)
{
  g_autofree char *full = g_build_filename (job->workdir, path, NULL);
  g_autofree char *target = g_file_read_link (full, NULL);
  g_autofree char *suffix = g_strconcat ("/", path, NULL);
  g_autofree char *top = NULL;
  g_autofree char *git_dir = NULL;
  g_autofree char *common = g_canonicalize_filename (git_repository_commondir (job->git), NULL);

  if (target == NULL || !g_path_is_absolute (target) || !g_str_has_suffix (target, suffix)
      || git_index_get_bypath (job->index, path, 0) != NULL)
    return FALSE;

  top = g_strndup (target, strlen (target) - strlen (suffix));
  git_dir = g_build_filename (top, ".git", NULL);
  return g_strcmp0 (git_dir, common) == 0;
}

static gboolean
add_file (StageJob *job, const char *path, GError **error)
{
  g_autofree char *sentence = NULL;
  int result;

  switch (fore_folder_look_up (job->workdir, path))
    {
    case FORE_PATH_FILE:
      break;

    case FORE_PATH_LINK:
      if (is_seed_link (job, path))
        return TRUE;
      break;

    case FORE_PATH_MISSING:
    case FORE_PATH_FOLDER:
    case FORE_PATH_OTHER: /* a socket or a pipe: git keeps none */
    default:
      return TRUE;
    }

  result = git_index_add_bypath (job->index, path);
  if (result == 0)
    return TRUE;

  sentence = g_strdup_printf (_ ("The file “%s” could not be read; look at its permissions"), path);
  return fore_git_fail (error, result, sentence);
}

static gboolean
is_ignored (StageJob *job, const char *path)
{
  int ignored = 0;

  return git_ignore_path_is_ignored (&ignored, job->git, path) == 0 && ignored;
}

static gboolean add_folder (StageJob *job, const char *path, gboolean all, GError **error);

static gboolean
add_entry (StageJob *job, const char *path, gboolean all, GError **error)
{
  g_autofree char *as_folder = g_strconcat (path, "/", NULL);

  if (fore_folder_look_up (job->workdir, path) != FORE_PATH_FOLDER)
    return (!all && is_ignored (job, path)) || add_file (job, path, error);

  return (!all && is_ignored (job, as_folder)) || add_folder (job, path, all, error);
}

/* Takes a folder that git would not look into, ignored files only when @all. */
static gboolean
add_folder (StageJob *job, const char *path, gboolean all, GError **error)
{
  g_autofree char *full = g_build_filename (job->workdir, path, NULL);
  g_autoptr (GDir) dir = g_dir_open (full, 0, error);
  const char *name;

  if (dir == NULL)
    return FALSE;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *below = g_build_filename (path, name, NULL);

      if (g_ascii_strcasecmp (name, ".git") != 0 && !add_entry (job, below, all, error))
        return FALSE;
    }

  return TRUE;
}

/* libgit2 names a folder, with a slash at its end, only when it is a repository of its own. */
static gboolean
add_nested (StageJob *job, const char *path, GError **error)
{
  g_autofree char *folder = g_strndup (path, strlen (path) - 1);

  if (fore_folder_look_up (job->workdir, folder) != FORE_PATH_FOLDER)
    return TRUE;

  if (job->nested != NULL)
    g_ptr_array_add (job->nested, g_strdup (folder));

  return add_folder (job, folder, FALSE, error);
}

static gboolean
remove_delta (StageJob *job, const git_diff_delta *delta, GError **error)
{
  const char *path = delta->old_file.path;
  int result = 0;

  if (delta->status == GIT_DELTA_CONFLICTED)
    result = git_index_conflict_remove (job->index, delta->new_file.path ?: path);
  else if (delta->status == GIT_DELTA_DELETED || delta->status == GIT_DELTA_TYPECHANGE)
    result = git_index_remove (job->index, path, 0);

  if (result < 0 && result != GIT_ENOTFOUND)
    return fore_git_fail (error, result, _ ("A deleted file could not be taken up"));

  return TRUE;
}

static gboolean
add_delta (StageJob *job, const git_diff_delta *delta, GError **error)
{
  const char *path = delta->new_file.path ?: delta->old_file.path;

  if (delta->status == GIT_DELTA_DELETED)
    return TRUE;

  if (g_str_has_suffix (path, "/"))
    return add_nested (job, path, error);

  return add_file (job, path, error);
}

static gboolean
stage_changes (StageJob *job, GError **error)
{
  git_diff_options options = GIT_DIFF_OPTIONS_INIT;
  g_autoptr (git_diff) diff = NULL;
  int result;

  options.flags = GIT_DIFF_INCLUDE_UNTRACKED | GIT_DIFF_RECURSE_UNTRACKED_DIRS
                  | GIT_DIFF_INCLUDE_TYPECHANGE | GIT_DIFF_DISABLE_PATHSPEC_MATCH;
  options.ignore_submodules = GIT_SUBMODULE_IGNORE_ALL;
  result = git_diff_index_to_workdir (&diff, job->git, job->index, &options);
  if (result < 0)
    return fore_git_fail (error, result, _ ("The files could not be compared"));

  /* Removals first: a file may have become a folder, or a folder a link. */
  for (gsize i = 0; i < git_diff_num_deltas (diff); i++)
    {
      if (!remove_delta (job, git_diff_get_delta (diff, i), error))
        return FALSE;
    }

  for (gsize i = 0; i < git_diff_num_deltas (diff); i++)
    {
      if (!add_delta (job, git_diff_get_delta (diff, i), error))
        return FALSE;
    }

  return TRUE;
}

/**
 * fore_git_stage_folder:
 * @git: an open repository with a work folder
 * @index: (inout): an index of @git; not written
 * @nested: (nullable) (element-type utf8): gets the folders that are repositories of their own
 * @error: (nullable): return location
 *
 * Makes @index hold the files of the work folder that are tracked in it or not ignored.
 *
 * Returns: %FALSE with @error set
 */
gboolean
fore_git_stage_folder (git_repository *git, git_index *index, GPtrArray *nested, GError **error)
{
  g_autofree char *workdir = g_strdup (git_repository_workdir (git));
  StageJob job = { git, index, workdir, nested };

  return fore_git_stage_modules (git, index, NULL, workdir, error) && stage_changes (&job, error);
}

/**
 * fore_git_open_our_index:
 * @self: a worktree, opened by its recorded entry
 * @git: @self open; its index is ours afterwards
 * @base: (nullable): what it started from
 * @error: (nullable): return location
 *
 * Opens our copy of a worktree's index; made of @base, in memory, where there is none.
 *
 * Returns: (transfer full) (nullable): the index
 */
git_index *
fore_git_open_our_index (ForeRepository *self,
                         git_repository *git,
                         git_commit *base,
                         GError **error)
{
  g_autofree char *path = g_build_filename (fore_repository_get_git_dir (self), FORE_INDEX_NAME,
                                            NULL);
  g_autoptr (git_index) index = NULL;
  g_autoptr (git_tree) tree = NULL;
  int result = git_index_open (&index, path);

  if (result < 0)
    {
      g_unlink (path);
      result = git_index_open (&index, path);
    }

  if (result == 0)
    result = git_repository_set_index (git, index);

  if (result == 0 && base != NULL && !g_file_test (path, G_FILE_TEST_EXISTS))
    result = git_commit_tree (&tree, base);

  if (result == 0 && tree != NULL)
    result = git_index_read_tree (index, tree);

  if (result == 0)
    return g_steal_pointer (&index);

  fore_git_fail (error, result, _ ("The index of the worktree could not be read"));
  return NULL;
}

/* What the agent's git commands tracked counts as tracked, ignored or not. */
static gboolean
add_tracked (StageJob *job, git_index *theirs, GError **error)
{
  gsize n = git_index_entrycount (theirs);

  for (gsize i = 0; i < n; i++)
    {
      const git_index_entry *entry = git_index_get_byindex (theirs, i);

      if (entry->mode != GIT_FILEMODE_COMMIT
          && git_index_get_bypath (job->index, entry->path, 0) == NULL
          && !add_file (job, entry->path, error))
        return FALSE;
    }

  return TRUE;
}

/* And what they stopped tracking and ignore is gone: `git rm --cached`. */
static void
drop_untracked (StageJob *job, git_index *theirs)
{
  for (gsize i = git_index_entrycount (job->index); i > 0; i--)
    {
      const git_index_entry *entry = git_index_get_byindex (job->index, i - 1);
      g_autofree char *path = g_strdup (entry->path);

      if (git_index_find (NULL, theirs, path) != 0 && is_ignored (job, path))
        git_index_remove (job->index, path, 0);
    }
}

static gboolean
take_their_index (StageJob *job, const char *git_dir, GError **error)
{
  g_autofree char *path = g_build_filename (git_dir, "index", NULL);
  g_autoptr (git_index) theirs = NULL;

  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR) || git_index_open (&theirs, path) != 0)
    return fore_git_stage_modules (job->git, job->index, NULL, job->workdir, error);

  if (!fore_git_stage_modules (job->git, job->index, theirs, job->workdir, error))
    return FALSE;

  drop_untracked (job, theirs);
  return add_tracked (job, theirs, error);
}

static gboolean
add_kept (StageJob *job, const char *const *keep_ignored, GError **error)
{
  for (gsize i = 0; keep_ignored != NULL && keep_ignored[i] != NULL; i++)
    {
      if (!add_entry (job, keep_ignored[i], TRUE, error))
        return FALSE;
    }

  return TRUE;
}

/**
 * fore_git_write_tree:
 * @self: a worktree, opened by its recorded entry
 * @git: @self open; its index is ours afterwards
 * @base: (nullable): what it started from
 * @keep_ignored: (nullable) (array zero-terminated=1): ignored paths to take as well
 * @nested: (nullable) (element-type utf8): gets the folders that are repositories of their own
 * @error: (nullable): return location
 *
 * Writes a tree object of what stands in the work folder.
 *
 * Returns: (transfer full) (nullable): the tree
 */
git_tree *
fore_git_write_tree (ForeRepository *self,
                     git_repository *git,
                     git_commit *base,
                     const char *const *keep_ignored,
                     GPtrArray *nested,
                     GError **error)
{
  g_autoptr (git_index) index = fore_git_open_our_index (self, git, base, error);
  StageJob job = { git, index, fore_repository_get_workdir (self), nested };
  git_tree *tree = NULL;
  git_oid oid;
  int result;

  if (index == NULL || !take_their_index (&job, fore_repository_get_git_dir (self), error)
      || !stage_changes (&job, error) || !add_kept (&job, keep_ignored, error))
    return NULL;

  result = git_index_write_tree_to (&oid, index, git);
  if (result == 0)
    result = git_tree_lookup (&tree, git, &oid);

  if (result < 0)
    fore_git_fail (error, result, _ ("The tree could not be written"));

  return tree;
}
