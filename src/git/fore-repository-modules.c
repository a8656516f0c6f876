/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "git/fore-folder.h"
#include "git/fore-git-module.h"
#include "model/fore-error.h"

#define MAX_DEPTH 8
#define OUR_BRANCHES "refs/heads/foredeck/"

/* Making */

static gboolean
is_plain_name (const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, "/", -1);

  return *name != '\0' && !g_path_is_absolute (name)
         && !g_strv_contains ((const char *const *) parts, "..");
}

static char *
read_name (git_repository *git, const char *path)
{
  git_submodule *module = NULL;
  char *name = NULL;

  if (git_submodule_lookup (&module, git, path) == 0)
    name = g_strdup (git_submodule_name (module));
  git_submodule_free (module);

  return name;
}

/* What the person has of a submodule: in its own checkout, or put away in the git folder. */
static ForeRepository *
open_clone (ForeRepository *self, git_repository *git, const char *path)
{
  const char *workdir = fore_repository_get_workdir (self);
  g_autofree char *folder = workdir != NULL ? g_build_filename (workdir, path, NULL) : NULL;
  g_autofree char *name = NULL;
  g_autofree char *module = NULL;
  g_autofree char *head = NULL;

  if (folder != NULL && fore_git_has_module (workdir, path))
    return fore_repository_open (folder, NULL);

  name = read_name (git, path);
  if (name == NULL || !is_plain_name (name))
    return NULL;

  module = g_build_filename (fore_repository_get_common_dir (self), "modules", name, NULL);
  head = g_build_filename (module, "HEAD", NULL);
  return g_file_test (head, G_FILE_TEST_IS_REGULAR) ? fore_repository_open (module, NULL) : NULL;
}

/* A branch by this name is of an earlier tree in the same place; its commits are kept. */
static ForeWorktree *
add_module_tree (ForeRepository *home,
                 const char *branch,
                 const char *commit,
                 const char *folder,
                 GError **error)
{
  g_autoptr (GError) refusal = NULL;
  ForeWorktree *worktree;

  g_rmdir (folder);
  worktree = fore_repository_add_worktree (home, branch, commit, folder, &refusal);
  if (worktree == NULL && fore_repository_undo_add_worktree (home, branch, folder, NULL))
    {
      g_clear_error (&refusal);
      worktree = fore_repository_add_worktree (home, branch, commit, folder, &refusal);
    }
  if (worktree == NULL)
    {
      g_mkdir (folder, 0755);
      g_propagate_error (error, g_steal_pointer (&refusal));
    }

  return worktree;
}

static void add_modules (ForeRepository *self,
                         const ForeWorktree *worktree,
                         const char *above,
                         guint depth,
                         GString *log);

static void
add_module (ForeRepository *self,
            git_repository *git,
            const ForeWorktree *worktree,
            const git_index_entry *entry,
            const char *above,
            guint depth,
            GString *log)
{
  g_autofree char *folder = g_build_filename (worktree->path, entry->path, NULL);
  g_autofree char *label = g_build_filename (above, entry->path, NULL);
  g_autofree char *commit = fore_git_oid_to_string (&entry->id);
  g_autoptr (ForeRepository) home = open_clone (self, git, entry->path);
  g_autoptr (ForeWorktree) added = NULL;
  g_autoptr (GError) error = NULL;

  if (home == NULL)
    {
      g_string_append_printf (
          log, "submodule %s: not checked out, as the project has no clone of it\n", label);
      return;
    }

  added = add_module_tree (home, worktree->branch, commit, folder, &error);
  if (added == NULL)
    {
      g_string_append_printf (log, "submodule %s: not checked out: %s\n", label, error->message);
      return;
    }

  g_string_append_printf (log, "submodule %s: %.12s\n", label, commit);
  add_modules (home, added, label, depth + 1, log);
}

static void
add_modules (ForeRepository *self,
             const ForeWorktree *worktree,
             const char *above,
             guint depth,
             GString *log)
{
  g_autoptr (ForeRepository) tree = NULL;
  g_autoptr (git_repository) git = NULL;
  g_autoptr (git_index) index = NULL;

  tree = fore_repository_open_tree (worktree->git_dir, worktree->path, NULL);
  git = tree != NULL ? fore_repository_open_git (tree, NULL) : NULL;
  if (depth >= MAX_DEPTH || git == NULL || git_repository_index (&index, git) != 0)
    return;

  for (gsize i = 0; i < git_index_entrycount (index); i++)
    {
      const git_index_entry *entry = git_index_get_byindex (index, i);

      if (entry->mode == GIT_FILEMODE_COMMIT
          && fore_folder_look_up (worktree->path, entry->path) == FORE_PATH_FOLDER
          && !fore_git_has_module (worktree->path, entry->path))
        add_module (self, git, worktree, entry, above, depth, log);
    }
}

/**
 * fore_repository_add_modules:
 * @self: the person's own checkout
 * @worktree: a new tree of it, on a branch of ours, in which nobody has worked yet
 *
 * Checks out the submodules of a tree, and theirs, as worktrees of the clones that the person has
 * of them, on branches by the same name. Nothing is fetched: a submodule that the person never
 * checked out stays an empty folder, as does one whose clone lacks the commit.
 *
 * Returns: (transfer full): a line for each submodule, empty when there is none
 */
char *
fore_repository_add_modules (ForeRepository *self, const ForeWorktree *worktree)
{
  GString *log = g_string_new (NULL);

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);
  g_return_val_if_fail (worktree != NULL && worktree->branch != NULL, NULL);

  add_modules (self, worktree, "", 0, log);
  return g_string_free (log, FALSE);
}

static void
list_module_trees (ForeRepository *tree, guint depth, GPtrArray *list)
{
  g_auto (GStrv) paths = fore_git_list_modules (tree);

  for (guint i = 0; depth < MAX_DEPTH && paths[i] != NULL; i++)
    {
      g_autoptr (ForeModule) module = fore_module_find (tree, paths[i]);
      g_autoptr (ForeRepository) below = NULL;

      if (module->worktree == NULL)
        continue;

      below = fore_repository_open_tree (module->worktree->git_dir, module->folder, NULL);
      g_ptr_array_add (list, g_steal_pointer (&module->worktree));
      if (below != NULL)
        list_module_trees (below, depth + 1, list);
    }
}

/**
 * fore_repository_list_module_trees:
 * @tree: a worktree
 *
 * Lists the worktrees of submodules that Foredeck made in it, and in those. Blocking.
 *
 * Returns: (transfer full) (element-type ForeWorktree): the worktrees
 */
GPtrArray *
fore_repository_list_module_trees (ForeRepository *tree)
{
  GPtrArray *list = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_worktree_free);

  g_return_val_if_fail (FORE_IS_REPOSITORY (tree), list);

  list_module_trees (tree, 0, list);
  return list;
}

/* Committing */

typedef struct
{
  const char *branch;
  const char *message;
  const ForeIdentity *author;
  GPtrArray *notes;
} SettleJob;

static gboolean
is_clean (
    ForeRepository *tree, git_repository *git, git_commit *head, gboolean *clean, GError **error)
{
  g_autoptr (git_tree) files = fore_git_write_tree (tree, git, head, NULL, NULL, error);

  if (files == NULL)
    return FALSE;

  *clean = git_oid_equal (git_tree_id (files), git_commit_tree_id (head));
  return TRUE;
}

/* A commit that the agent chose is taken as it is: it may be an older release. */
static gboolean
keep_head (ForeRepository *tree, git_repository *git, const char *branch, GError **error)
{
  g_autoptr (ForeWriteLock) lock = fore_write_lock_acquire (tree, error);
  g_autofree char *ref_name = g_strconcat ("refs/heads/", branch, NULL);
  g_autofree char *rescue_name = g_strconcat ("branch/", branch, NULL);
  git_oid head, tip;
  gboolean has_tip;

  if (lock == NULL || git_reference_name_to_id (&head, git, "HEAD") != 0)
    return lock != NULL;

  has_tip = git_reference_name_to_id (&tip, git, ref_name) == 0;
  if (has_tip && git_oid_equal (&head, &tip))
    return TRUE;

  return (!has_tip || fore_git_rescue_commit (git, &tip, rescue_name, ref_name, NULL, error))
         && fore_git_swap_branch (git, ref_name, &head, has_tip ? &tip : NULL,
                                  "foredeck: where the submodule stands", error);
}

/* Whether only branches of ours have a commit. */
static gboolean
is_ours_alone (git_repository *git, const git_oid *commit)
{
  g_autoptr (git_reference_iterator) iter = NULL;
  g_autoptr (GArray) tips = g_array_new (FALSE, FALSE, sizeof (git_oid));
  git_reference *ref;

  if (git_reference_iterator_new (&iter, git) != 0)
    return TRUE;

  while (git_reference_next (&ref, iter) == 0)
    {
      git_oid tip;

      if (!g_str_has_prefix (git_reference_name (ref), OUR_BRANCHES)
          && git_reference_name_to_id (&tip, git, git_reference_name (ref)) == 0)
        g_array_append_val (tips, tip);
      git_reference_free (ref);
    }

  return fore_git_reached_by_any (git, commit, tips) != 1;
}

static void
note_moved (const ForeModule *module, git_repository *git, const git_oid *base, GPtrArray *notes)
{
  g_autofree char *commit = NULL;
  git_oid head;

  if (git_reference_name_to_id (&head, git, "HEAD") != 0
      || (base != NULL && git_oid_equal (base, &head)) || !is_ours_alone (git, &head))
    return;

  commit = fore_git_oid_to_string (&head);
  g_ptr_array_add (
      notes, g_strdup_printf (
                 _ ("The submodule “%s” moves to %.12s, which only a branch of Foredeck in its "
                    "own repository has: push that before the result, and run “git submodule "
                    "update” after the merge."),
                 module->path, commit));
}

static gboolean
settle_modules (const SettleJob *job, ForeRepository *tree, const git_oid *base, GError **error);

static gboolean
settle_module (const SettleJob *job, const ForeModule *module, const git_oid *base, GError **error)
{
  g_autoptr (ForeRepository) tree = NULL;
  g_autoptr (git_repository) git = NULL;
  g_autoptr (git_commit) head = NULL;
  g_autoptr (ForeTreeCommit) commit = NULL;
  g_autofree char *start = NULL;
  gboolean clean;

  tree = fore_repository_open_tree (module->worktree->git_dir, module->folder, error);
  if (tree == NULL || (git = fore_repository_open_git (tree, error)) == NULL
      || (head = fore_git_lookup_commit (git, "HEAD", error)) == NULL
      || !settle_modules (job, tree, base, error) || !is_clean (tree, git, head, &clean, error))
    return FALSE;

  if (clean)
    {
      if (!keep_head (tree, git, job->branch, error))
        return FALSE;
    }
  else
    {
      start = fore_git_oid_to_string (git_commit_id (head));
      commit = fore_repository_commit_tree (tree, job->branch, start, job->message, job->author,
                                            error);
      if (commit == NULL)
        return FALSE;
    }

  note_moved (module, git, base, job->notes);
  return TRUE;
}

static void
note_foreign (const ForeModule *module, const char *workdir, GPtrArray *notes)
{
  g_autoptr (GDir) dir = g_dir_open (module->folder, 0, NULL);

  if (!fore_git_has_module (workdir, module->path))
    {
      if (dir != NULL && g_dir_read_name (dir) != NULL)
        g_ptr_array_add (
            notes, g_strdup_printf (_ ("The submodule “%s” is not checked out, and the files "
                                       "in its folder are not in the result; they are in %s."),
                                    module->path, module->folder));
    }
  else if (!fore_git_module_is_settled (module->folder))
    g_ptr_array_add (
        notes, g_strdup_printf (_ ("The submodule “%s” holds work that only its folder has and "
                                   "a merge does not bring; push it from %s."),
                                module->path, module->folder));
}

/* The commit that a submodule stood at in @base, a commit of the repository around it. */
static gboolean
find_gitlink (git_repository *git, const git_oid *base, const char *path, git_oid *oid)
{
  g_autoptr (git_commit) commit = NULL;
  g_autoptr (git_tree) tree = NULL;
  g_autoptr (git_tree_entry) entry = NULL;

  if (base == NULL || git_commit_lookup (&commit, git, base) != 0
      || git_commit_tree (&tree, commit) != 0 || git_tree_entry_bypath (&entry, tree, path) != 0
      || git_tree_entry_filemode (entry) != GIT_FILEMODE_COMMIT)
    return FALSE;

  *oid = *git_tree_entry_id (entry);
  return TRUE;
}

static gboolean
settle_modules (const SettleJob *job, ForeRepository *tree, const git_oid *base, GError **error)
{
  g_auto (GStrv) paths = fore_git_list_modules (tree);
  g_autoptr (git_repository) git = paths[0] != NULL ? fore_repository_open_git (tree, error) : NULL;
  const char *workdir = fore_repository_get_workdir (tree);

  if (paths[0] != NULL && git == NULL)
    return FALSE;

  for (guint i = 0; paths[i] != NULL; i++)
    {
      g_autoptr (ForeModule) module = fore_module_find (tree, paths[i]);
      git_oid oid;
      gboolean known = find_gitlink (git, base, paths[i], &oid);

      if (module->home == NULL)
        note_foreign (module, workdir, job->notes);
      else if (!settle_module (job, module, known ? &oid : NULL, error))
        {
          g_prefix_error (error, _ ("The submodule “%s”: "), paths[i]);
          return FALSE;
        }
    }

  return TRUE;
}

/**
 * fore_git_settle_modules:
 * @tree: a worktree that no process works in
 * @branch: the task's branch, in each of the repositories
 * @base: the commit that the task started from
 * @message: the message of a commit, if one must be made
 * @author: (nullable): who; %NULL takes git's settings
 * @notes: (element-type utf8): gets sentences about what a merge does not bring by itself
 * @error: (nullable): return location
 *
 * Commits what stands in the submodules of @tree, and theirs, to branches of the clones that the
 * person has of them. What an agent cloned itself is only reported.
 *
 * Returns: %FALSE with @error set
 */
gboolean
fore_git_settle_modules (ForeRepository *tree,
                         const char *branch,
                         const char *base,
                         const char *message,
                         const ForeIdentity *author,
                         GPtrArray *notes,
                         GError **error)
{
  const SettleJob job = { branch, message, author, notes };
  git_oid oid;

  return settle_modules (&job, tree, git_oid_fromstr (&oid, base) == 0 ? &oid : NULL, error);
}

/* Removing */

/**
 * fore_git_remove_modules:
 * @tree: a worktree that is about to go
 * @rescue_name: names what is kept: `<run>/<task>`
 * @rescued: (element-type utf8): gets what was kept: the submodule's path, a colon and the ref
 * @error: (nullable): return location
 *
 * Removes the worktrees of submodules that Foredeck made in @tree, keeping what only they hold.
 *
 * Returns: %FALSE with @error set
 */
gboolean
fore_git_remove_modules (ForeRepository *tree,
                         const char *rescue_name,
                         GPtrArray *rescued,
                         GError **error)
{
  g_auto (GStrv) paths = fore_git_list_modules (tree);

  for (guint i = 0; paths[i] != NULL; i++)
    {
      g_autoptr (ForeModule) module = fore_module_find (tree, paths[i]);
      g_auto (GStrv) refs = NULL;

      if (module->home == NULL)
        continue;
      if (!fore_repository_retire_worktree (module->home, module->worktree, rescue_name, TRUE,
                                            &refs, error))
        return FALSE;

      for (guint j = 0; refs != NULL && refs[j] != NULL; j++)
        g_ptr_array_add (rescued, g_strconcat (paths[i], ":", refs[j], NULL));
    }

  return TRUE;
}

/**
 * fore_git_undo_modules:
 * @self: a repository
 * @branch: the branch of the tree, in each of the repositories
 * @path: folder of a tree that is about to be taken back
 *
 * Takes back the worktrees of submodules in a tree in which nobody has worked. What cannot be taken
 * back is in nobody's way.
 */
void
fore_git_undo_modules (ForeRepository *self, const char *branch, const char *path)
{
  g_autoptr (GPtrArray) list = fore_repository_list_worktrees (self, NULL);

  for (guint i = 0; list != NULL && i < list->len; i++)
    {
      const ForeWorktree *worktree = g_ptr_array_index (list, i);
      g_autoptr (ForeRepository) tree = NULL;
      g_auto (GStrv) paths = NULL;

      if (!worktree->valid || !g_str_equal (worktree->path, path)
          || (tree = fore_repository_open_tree (worktree->git_dir, path, NULL)) == NULL)
        continue;

      paths = fore_git_list_modules (tree);
      for (guint j = 0; paths[j] != NULL; j++)
        {
          g_autoptr (ForeModule) module = fore_module_find (tree, paths[j]);

          if (module->home != NULL)
            fore_repository_undo_add_worktree (module->home, branch, module->folder, NULL);
        }
    }
}
