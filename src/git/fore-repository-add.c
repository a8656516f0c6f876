/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <stdlib.h>

#include "git/fore-folder.h"
#include "git/fore-git-module.h"
#include "git/fore-git-program.h"
#include "git/fore-repository-private.h"
#include "model/fore-error.h"
#include "platform/fore-files.h"
#include "platform/fore-sync.h"

#define MAX_ASIDE 9999

/* One attempt to make a worktree: what it made, so that it can be taken back. */
typedef struct
{
  char *name;
  char *git_dir;
  char *path;
  git_reference *ref; /* the new branch */
  GPtrArray *folders; /* parents made on the way, outermost first */
  gboolean renew;     /* the branch may be there, and stays */
  gboolean touched;   /* libgit2 may have made entry and folder */
} AddJob;

static void
add_job_clear (AddJob *job)
{
  g_free (job->name);
  g_free (job->git_dir);
  g_free (job->path);
  git_reference_free (job->ref);
  g_clear_pointer (&job->folders, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (AddJob, add_job_clear)

static void
roll_back (AddJob *job)
{
  if (job->touched)
    {
      fore_folder_remove (job->git_dir, NULL);
      fore_folder_remove (job->path, NULL);
    }

  for (guint i = job->folders->len; i > 0; i--)
    g_rmdir (g_ptr_array_index (job->folders, i - 1));

  if (job->ref != NULL && !job->renew)
    git_reference_delete (job->ref);
}

/* Makes the missing parents one by one, so that exactly those can be taken back. */
static gboolean
make_parents (AddJob *job, const char *parent, GError **error)
{
  g_autofree char *above = NULL;

  if (g_file_test (parent, G_FILE_TEST_IS_DIR))
    return TRUE;

  above = g_path_get_dirname (parent);
  if (g_str_equal (above, parent) || !make_parents (job, above, error))
    return FALSE;

  if (g_mkdir (parent, 0700) != 0 && errno != EEXIST)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
                   _ ("The folder “%s” could not be made: %s"), parent, g_strerror (errno));
      return FALSE;
    }

  g_ptr_array_add (job->folders, g_strdup (parent));
  return TRUE;
}

static gboolean
prepare_folder (AddJob *job, const char *path, GError **error)
{
  g_autofree char *parent = g_path_get_dirname (path);
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *real_parent = NULL;

  if (!make_parents (job, parent, error))
    return FALSE;

  real_parent = fore_path_dup_real (parent);
  job->path = g_build_filename (real_parent ?: parent, name, NULL);
  if (fore_folder_look_up (real_parent ?: parent, name) == FORE_PATH_MISSING)
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED,
               _ ("The folder “%s” exists already; a worktree needs a new one"), job->path);
  return FALSE;
}

/* The entry's name is the branch's with its slashes gone. */
static void
pick_entry (AddJob *job, const char *common_dir, const char *branch)
{
  g_autofree char *flat = g_strdelimit (g_strdup (branch), "/", '-');

  job->name = g_strdup (flat);
  for (guint i = 2;; i++)
    {
      job->git_dir = g_build_filename (common_dir, "worktrees", job->name, NULL);
      if (!g_file_test (job->git_dir, G_FILE_TEST_EXISTS)
          && !g_file_test (job->git_dir, G_FILE_TEST_IS_SYMLINK))
        return;

      g_free (job->git_dir);
      g_free (job->name);
      job->name = g_strdup_printf ("%s-%u", flat, i);
    }
}

static gboolean
create_branch (
    AddJob *job, git_repository *git, const char *branch, git_commit *start, GError **error)
{
  g_autofree char *ref_name = g_strconcat ("refs/heads/", branch, NULL);
  g_autofree char *sentence = NULL;
  int result;

  if (job->renew && git_reference_lookup (&job->ref, git, ref_name) == 0)
    return TRUE;

  result = fore_git_create_ref (git, ref_name, git_commit_id (start), "foredeck: branch made");
  if (result == 0)
    result = git_reference_lookup (&job->ref, git, ref_name);
  if (result == 0)
    return TRUE;

  sentence = g_strdup_printf (
      _ ("The branch “%s” could not be made; remove the branch that stands in its way"), branch);
  return fore_git_fail (error, GIT_EEXISTS, sentence);
}

static git_commit *
find_start (git_repository *git, const char *start_commit, GError **error)
{
  if (start_commit == NULL && git_repository_head_unborn (git) == 1)
    {
      g_set_error_literal (error, FORE_ERROR, FORE_ERROR_REFUSED,
                           _ ("The repository has no commit yet; make a first commit, then start "
                              "again"));
      return NULL;
    }

  return fore_git_lookup_commit (git, start_commit ?: "HEAD", error);
}

static gboolean
copy_index (const char *git_dir, GError **error)
{
  g_autofree char *from = g_build_filename (git_dir, "index", NULL);
  g_autofree char *to = g_build_filename (git_dir, FORE_INDEX_NAME, NULL);
  g_autofree char *bytes = NULL;
  gsize length;

  return g_file_get_contents (from, &bytes, &length, error)
         && g_file_set_contents (to, bytes, length, error);
}

static gboolean
make_worktree (AddJob *job, git_repository *git, git_commit *start, GError **error)
{
  git_worktree_add_options options = GIT_WORKTREE_ADD_OPTIONS_INIT;
  g_autoptr (git_worktree) worktree = NULL;
  int result;

  job->touched = TRUE;
  options.ref = job->ref;
  options.checkout_options.checkout_strategy = GIT_CHECKOUT_FORCE;
  options.checkout_options.disable_filters = !fore_git_may_filter (git, start);
  result = git_worktree_add (&worktree, git, job->name, job->path, &options);
  if (result < 0)
    return fore_git_fail (error, result, _ ("The worktree could not be made"));

  return copy_index (job->git_dir, error);
}

/* A power cut must not leave an entry with empty files: git refuses to work in the whole repository
 * then. The tree itself can be made again.
 */
static void
sync_entry (const AddJob *job)
{
  static const char *const names[] = { "gitdir", "commondir", "HEAD", NULL };
  g_autofree char *entries = g_path_get_dirname (job->git_dir);

  for (gsize i = 0; names[i] != NULL; i++)
    {
      g_autofree char *path = g_build_filename (job->git_dir, names[i], NULL);

      fore_sync_path (path);
    }

  fore_sync_path (job->git_dir);
  fore_sync_path (entries);
}

static gboolean
run_add (AddJob *job,
         ForeRepository *self,
         const char *branch,
         const char *start_commit,
         const char *path,
         GError **error)
{
  g_autoptr (git_repository) git = fore_repository_open_git (self, error);
  g_autoptr (git_commit) start = NULL;
  gboolean done;

  if (git == NULL || (start = find_start (git, start_commit, error)) == NULL)
    return FALSE;

  pick_entry (job, fore_repository_get_common_dir (self), branch);
  done = prepare_folder (job, path, error) && create_branch (job, git, branch, start, error)
         && make_worktree (job, git, start, error);
  if (done)
    sync_entry (job);
  else
    roll_back (job);

  return done;
}

/* As git would, but never one that lies in the tree itself: what an earlier task wrote there is not
 * run. Nobody else waits for it: the right to write was given back.
 */
static gboolean
run_checkout_hook (ForeRepository *self, const AddJob *job, GError **error)
{
  g_autoptr (ForeRepository) tree = fore_repository_open_tree (job->git_dir, job->path, error);
  g_autoptr (git_repository) git = tree != NULL ? fore_repository_open_git (tree, error) : NULL;
  g_autofree char *commit = NULL;
  g_autofree char *none = g_strnfill (GIT_OID_HEXSZ, '0');
  git_oid oid;

  if (git == NULL)
    return FALSE;

  if (fore_git_hook_is_inside (git, "post-checkout")
      || git_reference_name_to_id (&oid, git, "HEAD") != 0)
    return TRUE;

  commit = fore_git_oid_to_string (&oid);
  return fore_git_run_hook (git, "post-checkout", (const char *[]){ none, commit, "1", NULL },
                            fore_repository_get_hook_wait (self), error);
}

/**
 * fore_repository_add_worktree:
 * @self: a repository
 * @branch: a new name below foredeck/
 * @start_commit: (nullable): where it starts; %NULL is HEAD
 * @path: absolute path of a folder that does not exist; its parents are made
 * @error: (nullable): return location; %FORE_ERROR_REFUSED for a taken name or folder and for a
 *   repository without a commit
 *
 * Makes a branch, and a worktree that has it checked out: both, or nothing at all. A post-checkout
 * hook outside of the tree has half a minute.
 *
 * Returns: (transfer full) (nullable): the worktree
 */
ForeWorktree *
fore_repository_add_worktree (ForeRepository *self,
                              const char *branch,
                              const char *start_commit,
                              const char *path,
                              GError **error)
{
  g_autoptr (ForeWriteLock) lock = NULL;
  g_auto (AddJob) job = { NULL };

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);
  g_return_val_if_fail (branch != NULL, NULL);
  g_return_val_if_fail (path != NULL && g_path_is_absolute (path), NULL);

  if (!fore_git_require_ours (branch, error)
      || (lock = fore_write_lock_acquire (self, error)) == NULL)
    return NULL;

  job.folders = g_ptr_array_new_with_free_func (g_free);
  if (!run_add (&job, self, branch, start_commit, path, error))
    return NULL;

  g_clear_pointer (&lock, fore_write_lock_free);
  if (!run_checkout_hook (self, &job, error))
    {
      fore_repository_undo_add_worktree (self, branch, job.path, NULL);
      return NULL;
    }

  return fore_git_read_worktree (fore_repository_get_common_dir (self), job.name);
}

/* As git writes it down: only the folder itself need not be there. */
static char *
dup_real_path (const char *path)
{
  g_autofree char *parent = g_path_get_dirname (path);
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *real_parent = fore_path_dup_real (parent);

  return g_build_filename (real_parent != NULL ? real_parent : parent, name, NULL);
}

static gboolean
belongs_to (const char *git_dir, const char *path)
{
  g_autofree char *file = g_build_filename (git_dir, "gitdir", NULL);
  g_autofree char *expected = g_build_filename (path, ".git", NULL);
  g_autofree char *text = NULL;

  return g_file_get_contents (file, &text, NULL, NULL)
         && g_strcmp0 (g_strchomp (text), expected) == 0;
}

/* An entry that was made for @branch and points nowhere: what is left of one that was half made. */
static gboolean
is_remains (const char *git_dir, const char *name, const char *branch)
{
  g_autofree char *flat = g_strdelimit (g_strdup (branch), "/", '-');
  g_autofree char *file = g_build_filename (git_dir, "gitdir", NULL);
  g_autofree char *text = NULL;

  if (!g_str_has_prefix (name, flat)
      || (name[strlen (flat)] != '\0'
          && strspn (name + strlen (flat), "-0123456789") != strlen (name + strlen (flat))))
    return FALSE;

  return !g_file_get_contents (file, &text, NULL, NULL) || *g_strstrip (text) == '\0';
}

/* What nobody can have written to goes, what commits its entry names stay under a ref. */
static gboolean
remove_entries (
    git_repository *git, const char *branch, const char *path, gboolean *found, GError **error)
{
  g_autofree char *entries = g_build_filename (git_repository_commondir (git), "worktrees", NULL);
  g_autoptr (GDir) dir = g_dir_open (entries, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *git_dir = g_build_filename (entries, name, NULL);
      g_autofree char *rescue_name = g_strconcat ("undone/", name, NULL);

      if (!belongs_to (git_dir, path) && !is_remains (git_dir, name, branch))
        continue;

      *found = TRUE;
      if (!fore_git_rescue_entry (git, git_dir, rescue_name, NULL, error)
          || !fore_git_remove_entry (git_repository_commondir (git), git_dir, error))
        return FALSE;
    }

  return TRUE;
}

/* Whether all that a folder has is the file that makes a worktree of it. */
static gboolean
has_only_link (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *first = dir != NULL ? g_dir_read_name (dir) : NULL;

  return g_strcmp0 (first, ".git") == 0 && g_dir_read_name (dir) == NULL
         && fore_folder_look_up (path, ".git") == FORE_PATH_FILE;
}

/* A folder without an entry is what is left of a creation only while it has nothing but its link.
 */
static gboolean
remove_made_folder (const char *path, gboolean has_entry, GError **error)
{
  if (has_entry || has_only_link (path))
    return fore_folder_remove (path, error);

  if (g_rmdir (path) == 0 || errno == ENOENT)
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED,
               _ ("The folder “%s” exists already and is no worktree; move it away"), path);
  return FALSE;
}

static gboolean
remove_branch (git_repository *git, const char *branch, GError **error)
{
  g_autofree char *ref_name = g_strconcat ("refs/heads/", branch, NULL);
  g_autofree char *rescue_name = g_strconcat ("branch/", branch, NULL);
  git_oid oid;
  int result;

  if (git_reference_name_to_id (&oid, git, ref_name) == 0
      && !fore_git_rescue_commit (git, &oid, rescue_name, ref_name, NULL, error))
    return FALSE;

  result = fore_git_remove_ref (git, ref_name);
  if (result == 0 || result == GIT_ENOTFOUND)
    return TRUE;

  return fore_git_fail (error, result, _ ("A branch that nobody uses could not be removed"));
}

/**
 * fore_repository_undo_add_worktree:
 * @self: a repository
 * @branch: a name below foredeck/
 * @path: absolute path of a folder
 * @error: (nullable): return location
 *
 * Removes what fore_repository_add_worktree() had made when its program died: folder, entry and
 * branch, whole or not. Only for a worktree in which nobody has worked: its files are not kept. A
 * folder that does not come from there is left alone and refused.
 *
 * Returns: %FALSE with @error set
 */
gboolean
fore_repository_undo_add_worktree (ForeRepository *self,
                                   const char *branch,
                                   const char *path,
                                   GError **error)
{
  g_autoptr (ForeWriteLock) lock = NULL;
  g_autoptr (git_repository) git = NULL;
  g_autofree char *real_path = NULL;
  gboolean found = FALSE;

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), FALSE);
  g_return_val_if_fail (branch != NULL, FALSE);
  g_return_val_if_fail (path != NULL && g_path_is_absolute (path), FALSE);

  if (!fore_git_require_ours (branch, error))
    return FALSE;

  real_path = dup_real_path (path);
  fore_git_undo_modules (self, branch, real_path);
  if ((lock = fore_write_lock_acquire (self, error)) == NULL
      || (git = fore_repository_open_git (self, error)) == NULL)
    return FALSE;

  return remove_entries (git, branch, real_path, &found, error)
         && remove_made_folder (real_path, found, error) && remove_branch (git, branch, error);
}

/* Out of the way, and still there: nobody knows what an agent had written into it. */
static gboolean
put_aside (const char *path, GError **error)
{
  for (guint i = 1; g_file_test (path, G_FILE_TEST_EXISTS) && i <= MAX_ASIDE; i++)
    {
      g_autofree char *aside = g_strdup_printf ("%s.aside-%u", path, i);

      if (!g_file_test (aside, G_FILE_TEST_EXISTS) && g_rename (path, aside) != 0)
        {
          g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
                       _ ("The folder “%s” could not be put aside: %s"), path, g_strerror (errno));
          return FALSE;
        }
    }

  return TRUE;
}

static gboolean
clear_place (ForeRepository *self, const char *branch, const char *path, GError **error)
{
  g_autoptr (ForeWriteLock) lock = fore_write_lock_acquire (self, error);
  g_autoptr (git_repository) git = fore_repository_open_git (self, error);
  gboolean found;

  return lock != NULL && git != NULL && put_aside (path, error)
         && remove_entries (git, branch, path, &found, error);
}

/**
 * fore_repository_renew_worktree:
 * @self: a repository
 * @worktree: a worktree as it was made; no process works in it any more
 * @start_commit: where its branch starts if it is gone
 * @rescue_name: names what is kept: `<run>/<task>`
 * @error: (nullable): return location
 *
 * Makes a worktree again that cannot be trusted any more, at the same place and with what its
 * branch holds. Files that were not committed are kept under refs/foredeck/rescue/@rescue_name/,
 * or, where the worktree is damaged, in its folder, which is put aside.
 *
 * Returns: (transfer full) (nullable): the worktree
 */
ForeWorktree *
fore_repository_renew_worktree (ForeRepository *self,
                                const ForeWorktree *worktree,
                                const char *start_commit,
                                const char *rescue_name,
                                GError **error)
{
  g_autofree char *real_path = NULL;
  g_autoptr (ForeWriteLock) lock = NULL;
  g_auto (AddJob) job = { NULL };

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);
  g_return_val_if_fail (worktree != NULL && worktree->branch != NULL, NULL);

  real_path = dup_real_path (worktree->path);
  if (!fore_git_require_ours (worktree->branch, error)
      || (!fore_repository_remove_worktree (self, worktree, rescue_name, NULL, NULL, NULL)
          && !clear_place (self, worktree->branch, real_path, error))
      || (lock = fore_write_lock_acquire (self, error)) == NULL)
    return NULL;

  job.renew = TRUE;
  job.folders = g_ptr_array_new_with_free_func (g_free);
  if (!run_add (&job, self, worktree->branch, start_commit, real_path, error))
    return NULL;

  return fore_git_read_worktree (fore_repository_get_common_dir (self), job.name);
}
