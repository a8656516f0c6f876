/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "git/fore-target-intent.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "git/fore-folder.h"
#include "platform/fore-sync.h"

#define INTENT_NAME "foredeck-merge"
#define N_LINES 5

/* A merge that was begun and not ended. */
typedef struct
{
  git_repository *git;
  char *ref_name;
  char *git_dir; /* whose files are brought along */
  char *workdir;
  char *old_id;
  char *tree_id;
  git_tree *old_tree;
  git_tree *tree;
} Undo;

static void
undo_clear (Undo *undo)
{
  g_free (undo->ref_name);
  g_free (undo->git_dir);
  g_free (undo->workdir);
  g_free (undo->old_id);
  g_free (undo->tree_id);
  git_tree_free (undo->old_tree);
  git_tree_free (undo->tree);
  git_repository_free (undo->git);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Undo, undo_clear)

static char *
dup_path (ForeRepository *repository)
{
  return g_build_filename (fore_repository_get_common_dir (repository), INTENT_NAME, NULL);
}

/**
 * fore_target_intent_write:
 * @repository: a repository, whose write lock is held
 * @ref_name: the branch that is about to move
 * @old: where it is
 * @tree: what it will hold
 * @error: (nullable): return location
 *
 * Returns: whether it is on the disk
 */
gboolean
fore_target_intent_write (ForeRepository *repository,
                          const char *ref_name,
                          git_commit *old,
                          git_tree *tree,
                          GError **error)
{
  g_autofree char *path = dup_path (repository);
  g_autofree char *old_id = fore_git_oid_to_string (git_commit_id (old));
  g_autofree char *tree_id = fore_git_oid_to_string (git_tree_id (tree));
  const char *workdir = fore_repository_get_workdir (repository);
  g_autofree char *text = g_strdup_printf ("%s\n%s\n%s\n%s\n%s\n", ref_name, old_id, tree_id,
                                           fore_repository_get_git_dir (repository),
                                           workdir != NULL ? workdir : "");

  if (!g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, error))
    return FALSE;

  fore_sync_path (fore_repository_get_common_dir (repository));
  return TRUE;
}

/**
 * fore_target_intent_remove:
 * @repository: a repository
 *
 * Says that the merge is done, or was taken back.
 */
void
fore_target_intent_remove (ForeRepository *repository)
{
  g_autofree char *path = dup_path (repository);

  g_unlink (path);
}

/**
 * fore_target_intent_sync:
 * @repository: a checkout of the branch
 * @paths: (element-type utf8): files that were brought along
 *
 * Puts them and the index on the disk: the branch must not be there after a power cut without them.
 */
void
fore_target_intent_sync (ForeRepository *repository, GPtrArray *paths)
{
  g_autoptr (GHashTable) folders = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const char *git_dir = fore_repository_get_git_dir (repository);
  g_autofree char *index = g_build_filename (git_dir, "index", NULL);
  GHashTableIter iter;
  gpointer folder;

  for (guint i = 0; i < paths->len; i++)
    {
      g_autofree char *path = g_build_filename (fore_repository_get_workdir (repository),
                                                g_ptr_array_index (paths, i), NULL);

      if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
        fore_sync_path (path);
      g_hash_table_add (folders, g_path_get_dirname (path));
    }

  g_hash_table_iter_init (&iter, folders);
  while (g_hash_table_iter_next (&iter, &folder, NULL))
    fore_sync_path (folder);

  fore_sync_path (index);
  fore_sync_path (git_dir);
}

static gboolean
read_intent (ForeRepository *repository, Undo *undo)
{
  g_autofree char *path = dup_path (repository);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return FALSE;

  lines = g_strsplit (text, "\n", -1);
  if (g_strv_length (lines) <= N_LINES)
    return FALSE;

  undo->ref_name = g_strdup (lines[0]);
  undo->old_id = g_strdup (lines[1]);
  undo->tree_id = g_strdup (lines[2]);
  undo->git_dir = g_strdup (lines[3]);
  undo->workdir = g_strdup (lines[4]);

  return TRUE;
}

static gboolean
get_entry (git_tree *tree, const char *path, git_oid *oid, git_filemode_t *mode)
{
  g_autoptr (git_tree_entry) entry = NULL;

  if (git_tree_entry_bypath (&entry, tree, path) != 0)
    return FALSE;

  *oid = *git_tree_entry_id (entry);
  *mode = git_tree_entry_filemode (entry);
  return TRUE;
}

/* Whether @bytes are what a checkout of the entry would have written so far. */
static gboolean
is_begun (git_repository *git, const git_oid *oid, const char *bytes, gsize length)
{
  g_autoptr (git_blob) blob = NULL;

  return git_blob_lookup (&blob, git, oid) == 0 && length <= (gsize) git_blob_rawsize (blob)
         && memcmp (bytes, git_blob_rawcontent (blob), length) == 0;
}

/* Whether the file is as the branch had it, as it should become, or on the way there: what the
 * person has changed since stays. */
static gboolean
is_ours (const Undo *undo, const char *path)
{
  g_autofree char *full = g_build_filename (undo->workdir, path, NULL);
  g_autofree char *bytes = NULL;
  git_filemode_t mode;
  git_oid oid, found;
  gsize length;

  if (fore_folder_look_up (undo->workdir, path) == FORE_PATH_MISSING)
    return TRUE;
  if (git_repository_hashfile (&found, undo->git, path, GIT_OBJECT_BLOB, NULL) == 0
      && ((get_entry (undo->old_tree, path, &oid, &mode) && git_oid_equal (&oid, &found))
          || (get_entry (undo->tree, path, &oid, &mode) && git_oid_equal (&oid, &found))))
    return TRUE;

  return get_entry (undo->tree, path, &oid, &mode)
         && g_file_get_contents (full, &bytes, &length, NULL)
         && is_begun (undo->git, &oid, bytes, length);
}

/* Whether the index holds what the branch should become. */
static gboolean
is_staged (git_index *index, const Undo *undo, const char *path)
{
  const git_index_entry *staged = git_index_get_bypath (index, path, 0);
  git_filemode_t mode;
  git_oid oid;

  if (!get_entry (undo->tree, path, &oid, &mode))
    return staged == NULL;

  return staged != NULL && git_oid_equal (&staged->id, &oid);
}

static gboolean
restore_index (git_index *index, const Undo *undo, const char *path)
{
  git_index_entry entry = { 0 };
  git_filemode_t mode;

  if (!get_entry (undo->old_tree, path, &entry.id, &mode))
    return git_index_remove_bypath (index, path) == 0;

  entry.path = path;
  entry.mode = mode;
  return git_index_add (index, &entry) == 0;
}

static gboolean
check_out (const Undo *undo, GPtrArray *paths, GError **error)
{
  git_checkout_options options = GIT_CHECKOUT_OPTIONS_INIT;
  int code;

  options.checkout_strategy = GIT_CHECKOUT_FORCE | GIT_CHECKOUT_DISABLE_PATHSPEC_MATCH;
  options.paths.strings = (char **) paths->pdata;
  options.paths.count = paths->len;
  code = paths->len > 0 ? git_checkout_tree (undo->git, (git_object *) undo->old_tree, &options)
                        : 0;

  return code == 0 || fore_git_fail (error, code, _ ("A merge that was begun could not be undone"));
}

static gboolean
restore_files (const Undo *undo, GError **error)
{
  g_autoptr (git_diff) diff = fore_git_diff_trees (undo->git, undo->old_tree, undo->tree, error);
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();
  g_autoptr (git_index) index = NULL;
  git_filemode_t mode;
  git_oid oid;

  if (diff == NULL)
    return FALSE;
  if (git_repository_index (&index, undo->git) != 0)
    return fore_git_fail (error, GIT_ERROR, _ ("The index could not be read"));

  for (gsize i = 0; i < git_diff_num_deltas (diff); i++)
    {
      const git_diff_delta *delta = git_diff_get_delta (diff, i);
      const char *path = delta->old_file.path;

      if (is_staged (index, undo, path))
        restore_index (index, undo, path);
      if (!is_ours (undo, path))
        continue;

      if (get_entry (undo->old_tree, path, &oid, &mode))
        g_ptr_array_add (paths, (gpointer) path);
      else if (!fore_folder_remove_file (undo->workdir, path, error))
        return FALSE;
    }

  if (git_index_write (index) != 0)
    return fore_git_fail (error, GIT_ERROR, _ ("The index could not be written"));

  return check_out (undo, paths, error);
}

static void
drop_lock (const char *dir, const char *name)
{
  g_autofree char *file = g_strconcat (name, ".lock", NULL);
  g_autofree char *path = g_build_filename (dir, file, NULL);

  fore_git_outlast_lock (path);
}

/* The folder whose files were brought along, unless it is another one by now. */
static gboolean
open_place (Undo *undo)
{
  g_autoptr (ForeRepository) place = NULL;
  g_autofree char *old_tree = g_strconcat (undo->old_id, "^{tree}", NULL);

  if (*undo->workdir == '\0')
    return FALSE;

  place = fore_repository_open (undo->workdir, NULL);
  if (place == NULL || g_strcmp0 (fore_repository_get_git_dir (place), undo->git_dir) != 0)
    return FALSE;

  undo->git = fore_repository_open_git (place, NULL);
  if (undo->git == NULL)
    return FALSE;

  undo->old_tree = fore_git_lookup_tree (undo->git, old_tree, NULL);
  undo->tree = fore_git_lookup_tree (undo->git, undo->tree_id, NULL);

  return undo->old_tree != NULL && undo->tree != NULL;
}

/* Where the branch was moved, the merge was through. */
static gboolean
was_cut_before_the_branch (const Undo *undo)
{
  g_autofree char *now_id = NULL;
  git_oid now;

  if (git_reference_name_to_id (&now, undo->git, undo->ref_name) != 0)
    return FALSE;

  now_id = fore_git_oid_to_string (&now);
  return g_str_equal (now_id, undo->old_id);
}

/**
 * fore_target_intent_undo:
 * @repository: a repository, whose write lock is held
 * @error: (nullable): return location
 *
 * Takes back a merge that was begun by a program that died: files that were brought along already,
 * and the locks of git that it held. Where the branch was moved, it was through; only locks are
 * left then. What the person has changed since stays as it is.
 *
 * Returns: %FALSE with @error set
 */
gboolean
fore_target_intent_undo (ForeRepository *repository, GError **error)
{
  g_auto (Undo) undo = { NULL };

  if (!read_intent (repository, &undo))
    return TRUE;

  drop_lock (fore_repository_get_common_dir (repository), undo.ref_name);
  drop_lock (undo.git_dir, "index");
  if (open_place (&undo) && was_cut_before_the_branch (&undo) && !restore_files (&undo, error))
    return FALSE;

  fore_target_intent_remove (repository);
  return TRUE;
}
