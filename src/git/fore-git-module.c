/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "git/fore-folder.h"
#include "git/fore-git-module.h"
#include "model/fore-error.h"
#include "platform/fore-files.h"

#define MAX_LINK_SIZE 4096

/**
 * fore_module_free:
 * @self: (nullable) (transfer full): a submodule
 *
 * Frees @self.
 */
void
fore_module_free (ForeModule *self)
{
  if (self == NULL)
    return;

  g_free (self->path);
  g_free (self->folder);
  g_clear_object (&self->home);
  g_clear_pointer (&self->worktree, fore_worktree_free);
  g_free (self);
}

/* What the file that makes a worktree of a folder says: an entry `…/worktrees/NAME`. */
static char *
read_entry (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, ".git", NULL);
  g_autofree char *text = NULL;
  g_autofree char *above = NULL;
  g_autofree char *name = NULL;
  g_autofree char *entry = NULL;
  gsize length;

  if (fore_folder_look_up (folder, ".git") != FORE_PATH_FILE
      || !g_file_get_contents (path, &text, &length, NULL) || length > MAX_LINK_SIZE
      || strlen (text) != length || !g_str_has_prefix (text, "gitdir: "))
    return NULL;

  entry = g_canonicalize_filename (g_strchomp (text) + strlen ("gitdir: "), folder);
  above = g_path_get_dirname (entry);
  name = g_path_get_basename (above);
  return g_str_equal (name, "worktrees") ? g_steal_pointer (&entry) : NULL;
}

/* The person's own clone of the submodule: below the project's git folder, or in its checkout. */
static ForeRepository *
open_home (ForeRepository *tree, const char *entry)
{
  const char *common_dir = fore_repository_get_common_dir (tree);
  g_autofree char *entries = g_path_get_dirname (entry);
  g_autofree char *home_dir = g_path_get_dirname (entries);
  g_autofree char *main_dir = fore_repository_dup_main_dir (tree);
  g_autoptr (ForeRepository) home = NULL;

  if (!fore_path_is_inside (home_dir, common_dir)
      && (main_dir == NULL || !fore_path_is_inside (home_dir, main_dir)))
    return NULL;

  home = fore_repository_open (home_dir, NULL);
  return home != NULL && g_str_equal (fore_repository_get_common_dir (home), home_dir)
             ? g_steal_pointer (&home)
             : NULL;
}

/**
 * fore_module_find:
 * @tree: a worktree
 * @path: path of a submodule in it
 *
 * Finds out whose worktree the folder is: only where folder and entry point at each other, and the
 * entry lies in a clone that the person has of the submodule, is it taken for one that Foredeck
 * made.
 *
 * Returns: (transfer full): the submodule
 */
ForeModule *
fore_module_find (ForeRepository *tree, const char *path)
{
  ForeModule *self = g_new0 (ForeModule, 1);
  g_autofree char *entry = NULL;
  g_autofree char *name = NULL;
  g_autoptr (ForeRepository) home = NULL;
  g_autoptr (ForeWorktree) worktree = NULL;

  self->path = g_strdup (path);
  self->folder = g_build_filename (fore_repository_get_workdir (tree), path, NULL);
  entry = read_entry (self->folder);
  home = entry != NULL ? open_home (tree, entry) : NULL;
  if (home == NULL)
    return self;

  name = g_path_get_basename (entry);
  worktree = fore_git_read_worktree (fore_repository_get_common_dir (home), name);
  if (worktree->valid && g_str_equal (worktree->path, self->folder))
    {
      self->home = g_steal_pointer (&home);
      self->worktree = g_steal_pointer (&worktree);
    }

  return self;
}

static void
add_gitlinks (const char *git_dir, const char *name, GHashTable *paths)
{
  g_autofree char *path = g_build_filename (git_dir, name, NULL);
  g_autoptr (git_index) index = NULL;

  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR) || git_index_open (&index, path) != 0)
    return;

  for (gsize i = 0; i < git_index_entrycount (index); i++)
    {
      const git_index_entry *entry = git_index_get_byindex (index, i);

      if (entry->mode == GIT_FILEMODE_COMMIT && !g_hash_table_contains (paths, entry->path))
        g_hash_table_add (paths, g_strdup (entry->path));
    }
}

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/**
 * fore_git_list_modules:
 * @tree: a worktree
 *
 * Lists the submodules that its index or our copy of it names, sorted.
 *
 * Returns: (transfer full): their paths
 */
char **
fore_git_list_modules (ForeRepository *tree)
{
  g_autoptr (GHashTable) paths = g_hash_table_new (g_str_hash, g_str_equal);
  const char *git_dir = fore_repository_get_git_dir (tree);
  char **list;
  guint length;

  add_gitlinks (git_dir, "index", paths);
  add_gitlinks (git_dir, FORE_INDEX_NAME, paths);
  list = (char **) g_hash_table_get_keys_as_array (paths, &length);
  qsort (list, length, sizeof (char *), compare_paths);

  return list;
}

/**
 * fore_git_has_module:
 * @workdir: a work folder
 * @path: a path in it
 *
 * Returns: whether a repository is checked out there
 */
gboolean
fore_git_has_module (const char *workdir, const char *path)
{
  g_autofree char *link = g_build_filename (path, ".git", NULL);
  ForePathKind kind = fore_folder_look_up (workdir, link);

  return kind == FORE_PATH_FILE || kind == FORE_PATH_FOLDER;
}

/**
 * fore_git_read_module_head:
 * @workdir: a work folder
 * @path: path of a submodule in it
 * @oid: (out): gets its commit
 *
 * Returns: whether a commit is checked out there
 */
gboolean
fore_git_read_module_head (const char *workdir, const char *path, git_oid *oid)
{
  g_autofree char *folder = g_build_filename (workdir, path, NULL);
  g_autoptr (git_repository) git = NULL;

  return fore_git_has_module (workdir, path)
         && git_repository_open_ext (&git, folder, GIT_REPOSITORY_OPEN_NO_SEARCH, NULL) == 0
         && git_reference_name_to_id (oid, git, "HEAD") == 0;
}

static gboolean
reaches_all (git_repository *git)
{
  git_revwalk *walk = NULL;
  git_oid oid;
  gboolean all = git_revwalk_new (&walk, git) == 0;

  if (all)
    {
      git_revwalk_push_head (walk);
      git_revwalk_push_glob (walk, "refs/heads/*");
      git_revwalk_hide_glob (walk, "refs/remotes/*");
      git_revwalk_hide_glob (walk, "refs/tags/*");
      all = git_revwalk_next (&oid, walk) == GIT_ITEROVER;
    }

  git_revwalk_free (walk);
  return all;
}

/**
 * fore_git_module_is_settled:
 * @folder: a repository that an agent may have made: its folder or its git folder
 *
 * Returns: whether nothing there is uncommitted and all its commits came from elsewhere, or went
 *   there
 */
gboolean
fore_git_module_is_settled (const char *folder)
{
  g_autoptr (git_repository) git = NULL;
  git_status_options options = GIT_STATUS_OPTIONS_INIT;
  git_status_list *list = NULL;
  gboolean clean;

  if (git_repository_open_ext (&git, folder, GIT_REPOSITORY_OPEN_NO_SEARCH, NULL) != 0)
    return FALSE;

  options.flags = GIT_STATUS_OPT_INCLUDE_UNTRACKED;
  clean = !git_repository_is_bare (git) && git_status_list_new (&list, git, &options) == 0
          && git_status_list_entrycount (list) == 0;
  git_status_list_free (list);

  return clean && reaches_all (git);
}

static gboolean
has_anything (const char *workdir, const char *path)
{
  g_autofree char *folder = g_build_filename (workdir, path, NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);

  return dir != NULL && g_dir_read_name (dir) != NULL;
}

static int
put_gitlink (git_index *index, const char *path, const git_oid *oid)
{
  git_index_entry entry = { 0 };

  entry.path = path;
  entry.mode = GIT_FILEMODE_COMMIT;
  entry.id = *oid;
  return git_index_add (index, &entry);
}

/* A submodule that is not checked out says nothing; what git's commands made of it does. */
static int
stage_absent (git_index *index, git_index *theirs, const char *workdir, const char *path)
{
  const git_index_entry *entry = theirs != NULL ? git_index_get_bypath (theirs, path, 0) : NULL;

  if (entry != NULL && entry->mode == GIT_FILEMODE_COMMIT)
    return put_gitlink (index, path, &entry->id);
  if (theirs != NULL && entry == NULL && has_anything (workdir, path))
    return git_index_remove (index, path, 0);

  return 0;
}

static int
stage_module (git_index *index, git_index *theirs, const char *workdir, const char *path)
{
  const git_index_entry *entry = git_index_get_bypath (index, path, 0);
  git_oid oid;

  if (entry != NULL && (entry->flags_extended & GIT_INDEX_ENTRY_SKIP_WORKTREE) != 0)
    return 0;
  if (fore_folder_look_up (workdir, path) != FORE_PATH_FOLDER)
    return entry != NULL ? git_index_remove (index, path, 0) : 0;
  if (fore_git_read_module_head (workdir, path, &oid))
    return put_gitlink (index, path, &oid);

  return entry != NULL ? stage_absent (index, theirs, workdir, path) : 0;
}

static void
collect (git_index *index, GPtrArray *paths)
{
  for (gsize i = 0; index != NULL && i < git_index_entrycount (index); i++)
    {
      const git_index_entry *entry = git_index_get_byindex (index, i);

      if (entry->mode == GIT_FILEMODE_COMMIT)
        g_ptr_array_add (paths, g_strdup (entry->path));
    }
}

/**
 * fore_git_stage_modules:
 * @git: an open repository
 * @index: (inout): an index of @git; not written
 * @theirs: (nullable): the index that git's commands in the work folder have made
 * @workdir: the work folder
 * @error: (nullable): return location
 *
 * Makes @index name the commits that the submodules in the work folder stand at. One whose folder
 * is gone goes.
 *
 * Returns: %FALSE with @error set
 */
gboolean
fore_git_stage_modules (
    git_repository *git, git_index *index, git_index *theirs, const char *workdir, GError **error)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);

  collect (index, paths);
  collect (theirs, paths);
  for (guint i = 0; i < paths->len; i++)
    {
      int code = stage_module (index, theirs, workdir, g_ptr_array_index (paths, i));

      if (code < 0 && code != GIT_ENOTFOUND)
        return fore_git_fail (error, code, _ ("A submodule could not be taken up"));
    }

  return TRUE;
}
