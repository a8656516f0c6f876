/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "git/fore-folder.h"
#include "git/fore-git-module.h"
#include "git/fore-repository-private.h"
#include "model/fore-error.h"
#include "platform/fore-process.h"

#define REMOVED_NAME "foredeck-removed"
#define MAX_RESCUE_REFS 9999

/* Adds the commit that @ref leads to, if it leads to one. */
static void
collect_tip (git_reference *ref, GArray *tips)
{
  g_autoptr (git_object) object = NULL;
  git_oid oid;

  if (git_reference_peel (&object, ref, GIT_OBJECT_COMMIT) != 0)
    return;

  oid = *git_object_id (object);
  g_array_append_val (tips, oid);
}

static GArray *
collect_tips (git_repository *git, const char *except_ref, GError **error)
{
  g_autoptr (git_reference_iterator) iter = NULL;
  g_autoptr (GArray) tips = g_array_new (FALSE, FALSE, sizeof (git_oid));
  git_reference *ref;
  int result = git_reference_iterator_new (&iter, git);

  while (result == 0 && (result = git_reference_next (&ref, iter)) == 0)
    {
      if (g_strcmp0 (git_reference_name (ref), except_ref) != 0)
        collect_tip (ref, tips);
      git_reference_free (ref);
    }

  if (result == GIT_ITEROVER)
    return g_steal_pointer (&tips);

  fore_git_fail (error, result, _ ("The branches could not be listed"));
  return NULL;
}

/* Takes the first free name below the rescue folder; without one it is only counted. */
static gboolean
write_rescue_ref (git_repository *git,
                  const git_oid *commit,
                  const char *rescue_name,
                  GPtrArray *rescued,
                  GError **error)
{
  int result = GIT_EEXISTS;

  if (rescue_name == NULL)
    {
      g_ptr_array_add (rescued, fore_git_oid_to_string (commit));
      return TRUE;
    }

  for (guint i = 1; result == GIT_EEXISTS && i <= MAX_RESCUE_REFS; i++)
    {
      g_autofree char *name = g_strdup_printf ("refs/foredeck/rescue/%s/%u", rescue_name, i);

      result = fore_git_create_ref (git, name, commit, "foredeck: kept");
      if (result == 0 && rescued != NULL)
        g_ptr_array_add (rescued, g_steal_pointer (&name));
    }

  if (result < 0)
    return fore_git_fail (error, result,
                          _ ("The work could not be made safe; nothing was removed"));

  return TRUE;
}

/* Adds @commit to @tips when it had to be made safe. */
static gboolean
rescue_unreached (git_repository *git,
                  const git_oid *commit,
                  GArray *tips,
                  const char *rescue_name,
                  GPtrArray *rescued,
                  GError **error)
{
  g_autoptr (git_commit) object = NULL;
  int result;

  if (git_commit_lookup (&object, git, commit) != 0)
    return TRUE;

  result = fore_git_reached_by_any (git, commit, tips);
  if (result < 0)
    return fore_git_fail (error, result, _ ("The history could not be read; nothing was removed"));

  if (result == 1)
    return TRUE;

  g_array_append_vals (tips, commit, 1);
  return write_rescue_ref (git, commit, rescue_name, rescued, error);
}

/**
 * fore_git_rescue_commit:
 * @git: an open repository
 * @commit: a commit that must not be lost
 * @rescue_name: where it goes below refs/foredeck/rescue/
 * @except_ref: (nullable): a ref that is about to go and does not count
 * @rescued: (nullable) (element-type utf8): gets the name of the ref that was written
 * @error: (nullable): return location
 *
 * Writes a ref for @commit unless another ref reaches it. A commit that does not exist is no error.
 *
 * Returns: %FALSE with @error set
 */
gboolean
fore_git_rescue_commit (git_repository *git,
                        const git_oid *commit,
                        const char *rescue_name,
                        const char *except_ref,
                        GPtrArray *rescued,
                        GError **error)
{
  g_autoptr (GArray) tips = collect_tips (git, except_ref, error);

  return tips != NULL && rescue_unreached (git, commit, tips, rescue_name, rescued, error);
}

/* @text starts with an id, or is something else. */
static gboolean
rescue_text (git_repository *git,
             const char *text,
             GArray *tips,
             const char *rescue_name,
             GPtrArray *rescued,
             GError **error)
{
  git_oid oid;

  if (strspn (text, "0123456789abcdef") < GIT_OID_HEXSZ || git_oid_fromstr (&oid, text) != 0)
    return TRUE;

  return rescue_unreached (git, &oid, tips, rescue_name, rescued, error);
}

/* What git notes down in a worktree's entry beside HEAD while it is in the middle of something. */
static const char *const noted_heads[] = {
  "HEAD",        "ORIG_HEAD",   "MERGE_HEAD",        "CHERRY_PICK_HEAD",
  "REVERT_HEAD", "REBASE_HEAD", "rebase-merge/onto", "rebase-merge/orig-head",
};

typedef struct
{
  git_repository *git;
  GArray *tips;
  const char *rescue_name;
  GPtrArray *rescued;
} RescueJob;

static gboolean
rescue_file (RescueJob *job, const char *path, GError **error)
{
  g_autofree char *text = NULL;

  return !g_file_get_contents (path, &text, NULL, NULL)
         || rescue_text (job->git, text, job->tips, job->rescue_name, job->rescued, error);
}

/* Refs that only this worktree sees: those of a bisect, and below refs/worktree/. */
static gboolean
rescue_refs (RescueJob *job, const char *path, GError **error)
{
  g_autoptr (GDir) dir = NULL;
  const char *name;

  if (g_file_test (path, G_FILE_TEST_IS_SYMLINK))
    return TRUE;

  dir = g_dir_open (path, 0, NULL);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *full = g_build_filename (path, name, NULL);
      gboolean done = g_file_test (full, G_FILE_TEST_IS_DIR) ? rescue_refs (job, full, error)
                                                             : rescue_file (job, full, error);

      if (!done)
        return FALSE;
    }

  return TRUE;
}

/* The newest first: the older ones are mostly reached from it. A line starts with the old id, a
 * space and the new id.
 */
static gboolean
rescue_log (RescueJob *job, const char *path, GError **error)
{
  g_autofree char *log = NULL;
  g_auto (GStrv) lines = NULL;

  if (!g_file_get_contents (path, &log, NULL, NULL))
    return TRUE;

  lines = g_strsplit (log, "\n", -1);
  for (guint i = g_strv_length (lines); i > 0; i--)
    {
      const char *line = lines[i - 1];

      if (strlen (line) > GIT_OID_HEXSZ + 1
          && !rescue_text (job->git, line + GIT_OID_HEXSZ + 1, job->tips, job->rescue_name,
                           job->rescued, error))
        return FALSE;
    }

  return TRUE;
}

/**
 * fore_git_rescue_entry:
 * @git: an open repository
 * @git_dir: the entry of a worktree
 * @rescue_name: (nullable): where its commits go below refs/foredeck/rescue/; %NULL writes nothing
 * @rescued: (nullable) (element-type utf8): gets the names of the refs that were written, or
 * without
 *   @rescue_name the commits
 * @error: (nullable): return location
 *
 * Makes safe what only this worktree's HEAD has ever pointed at, and what only its own refs reach.
 *
 * Returns: %FALSE with @error set
 */
gboolean
fore_git_rescue_entry (git_repository *git,
                       const char *git_dir,
                       const char *rescue_name,
                       GPtrArray *rescued,
                       GError **error)
{
  g_autofree char *log = g_build_filename (git_dir, "logs", "HEAD", NULL);
  g_autofree char *refs = g_build_filename (git_dir, "refs", NULL);
  g_autoptr (GArray) tips = collect_tips (git, NULL, error);
  RescueJob job = { git, tips, rescue_name, rescued };

  if (tips == NULL)
    return FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (noted_heads); i++)
    {
      g_autofree char *path = g_build_filename (git_dir, noted_heads[i], NULL);

      if (!rescue_file (&job, path, error))
        return FALSE;
    }

  return rescue_log (&job, log, error) && rescue_refs (&job, refs, error);
}

/* A commit of the files as they stand, unless they are those of the commit of HEAD. */
static gboolean
rescue_files (ForeRepository *tree,
              git_repository *git,
              const char *rescue_name,
              const char *const *keep_ignored,
              GPtrArray *rescued,
              GError **error)
{
  const ForeIdentity fallback = { (char *) "Foredeck", (char *) "foredeck@localhost" };
  g_autoptr (git_commit) head = NULL;
  g_autoptr (git_tree) files = NULL;
  git_oid head_oid, oid;
  gboolean born = git_reference_name_to_id (&head_oid, git, "HEAD") == 0
                  && git_commit_lookup (&head, git, &head_oid) == 0;

  files = fore_git_write_tree (tree, git, head, keep_ignored, NULL, error);
  if (files == NULL)
    return FALSE;

  if (born && git_oid_equal (git_tree_id (files), git_commit_tree_id (head)))
    return TRUE;

  return fore_git_create_commit (git, &oid, NULL, &fallback,
                                 "Files that were not committed when the worktree was removed\n",
                                 files, &head, born ? 1 : 0, error)
         && write_rescue_ref (git, &oid, rescue_name, rescued, error);
}

/* What was staged and is neither what is committed nor what stands in the folder. */
static gboolean
rescue_staged (git_repository *git,
               const char *git_dir,
               const char *rescue_name,
               GPtrArray *rescued,
               GError **error)
{
  const ForeIdentity fallback = { (char *) "Foredeck", (char *) "foredeck@localhost" };
  g_autofree char *path = g_build_filename (git_dir, "index", NULL);
  g_autoptr (git_commit) head = NULL;
  g_autoptr (git_index) index = NULL;
  g_autoptr (git_index) ours = NULL;
  g_autoptr (git_tree) tree = NULL;
  git_oid oid, ours_oid;

  if (git_reference_name_to_id (&oid, git, "HEAD") != 0 || git_commit_lookup (&head, git, &oid) != 0
      || !g_file_test (path, G_FILE_TEST_IS_REGULAR) || git_index_open (&index, path) != 0)
    return TRUE;

  /* An index that names objects which do not exist keeps nothing that could be lost. */
  git_index_conflict_cleanup (index);
  if (git_index_write_tree_to (&oid, index, git) != 0
      || git_oid_equal (&oid, git_commit_tree_id (head)) || git_repository_index (&ours, git) != 0
      || git_index_write_tree_to (&ours_oid, ours, git) != 0 || git_oid_equal (&oid, &ours_oid)
      || git_tree_lookup (&tree, git, &oid) != 0)
    return TRUE;

  return fore_git_create_commit (git, &oid, NULL, &fallback,
                                 "Files that were staged when the worktree was removed\n", tree,
                                 &head, 1, error)
         && write_rescue_ref (git, &oid, rescue_name, rescued, error);
}

static gboolean
make_safe (ForeRepository *self,
           const ForeWorktree *worktree,
           const char *rescue_name,
           const char *const *keep_ignored,
           GPtrArray *rescued,
           GError **error)
{
  g_autoptr (ForeRepository) tree = NULL;
  g_autoptr (git_repository) git = NULL;

  if (g_file_test (worktree->path, G_FILE_TEST_EXISTS))
    {
      if (!fore_repository_validate_worktree (self, worktree, error)
          || (tree = fore_repository_open_tree (worktree->git_dir, worktree->path, error)) == NULL
          || (git = fore_repository_open_git (tree, error)) == NULL
          || !rescue_files (tree, git, rescue_name, keep_ignored, rescued, error)
          || !rescue_staged (git, worktree->git_dir, rescue_name, rescued, error))
        return FALSE;
    }
  else if ((git = fore_repository_open_git (self, error)) == NULL)
    return FALSE;

  return fore_git_rescue_entry (git, worktree->git_dir, rescue_name, rescued, error);
}

static gboolean
remove_modules (const ForeWorktree *worktree,
                const char *rescue_name,
                GPtrArray *rescued,
                GError **error)
{
  g_autoptr (ForeRepository) tree = NULL;

  if (!g_file_test (worktree->path, G_FILE_TEST_EXISTS))
    return TRUE;

  tree = fore_repository_open_tree (worktree->git_dir, worktree->path, error);
  return tree != NULL && fore_git_remove_modules (tree, rescue_name, rescued, error);
}

static gboolean
require_entry (ForeRepository *self, const ForeWorktree *worktree, GError **error)
{
  const char *common_dir = fore_repository_get_common_dir (self);
  g_autofree char *git_dir = g_build_filename (common_dir, "worktrees", worktree->name, NULL);

  if (g_str_equal (git_dir, worktree->git_dir))
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED, _ ("“%s” is not a worktree of “%s”"),
               worktree->path, common_dir);
  return FALSE;
}

/* A lock whose reason names a process that has ended is nobody's. */
static gboolean
names_dead_process (const char *reason)
{
  const char *word = strstr (reason, "pid ");
  ForeProcessId id;
  gint64 pid = word != NULL ? g_ascii_strtoll (word + strlen ("pid "), NULL, 10) : 0;

  return pid > 0 && pid <= G_MAXINT && !fore_process_id_for_pid ((int) pid, &id);
}

/**
 * fore_git_require_unlocked:
 * @worktree: a worktree
 * @error: (nullable): return location, %FORE_ERROR_BUSY with the reason
 *
 * Returns: %FALSE with @error set when somebody locked the worktree; a lock that was left behind by
 *   a process that has ended does not count
 */
gboolean
fore_git_require_unlocked (const ForeWorktree *worktree, GError **error)
{
  g_autofree char *path = g_build_filename (worktree->git_dir, "locked", NULL);
  g_autofree char *reason = NULL;

  if (!g_file_get_contents (path, &reason, NULL, NULL) || names_dead_process (reason))
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_BUSY,
               _ ("The worktree “%s” is locked (%s); unlock it first"), worktree->path,
               g_strchomp (reason));
  return FALSE;
}

/**
 * fore_git_remove_entry:
 * @common_dir: the common git folder; its write lock is held
 * @git_dir: the entry of a worktree in it
 * @error: (nullable): return location
 *
 * Removes an entry, for git at once: one that is half there is an error to it. What a program that
 * died left of an earlier one goes too. An entry that is not there is no error.
 *
 * Returns: %FALSE with @error set
 */
gboolean
fore_git_remove_entry (const char *common_dir, const char *git_dir, GError **error)
{
  g_autofree char *removed = g_build_filename (common_dir, REMOVED_NAME, NULL);
  g_autofree char *name = g_path_get_basename (git_dir);
  g_autofree char *place = g_build_filename (removed, name, NULL);

  if (!fore_folder_remove (removed, error))
    return FALSE;

  if (g_mkdir (removed, 0700) == 0)
    g_rename (git_dir, place);

  return fore_folder_remove (git_dir, error) && fore_folder_remove (removed, error);
}

/**
 * fore_repository_remove_worktree:
 * @self: a repository
 * @worktree: a worktree of it that no process works in any more
 * @rescue_name: names what is kept: `<run>/<task>`
 * @keep_ignored: (nullable) (array zero-terminated=1): ignored files or folders to keep as well
 * @rescue_refs: (out) (optional) (transfer full): names of the refs that were written
 * @error: (nullable): return location
 *
 * Removes folder and entry; the branch stays. Before that, commits that no ref reaches and files
 * that are not committed are put under refs/foredeck/rescue/@rescue_name/. When that fails, or the
 * folder is not what was made there, nothing is removed.
 *
 * Returns: %FALSE with @error set
 */
gboolean
fore_repository_remove_worktree (ForeRepository *self,
                                 const ForeWorktree *worktree,
                                 const char *rescue_name,
                                 const char *const *keep_ignored,
                                 char ***rescue_refs,
                                 GError **error)
{
  g_autoptr (ForeWriteLock) lock = NULL;
  g_autoptr (GPtrArray) rescued = g_ptr_array_new_with_free_func (g_free);

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), FALSE);
  g_return_val_if_fail (worktree != NULL && rescue_name != NULL, FALSE);

  if (!require_entry (self, worktree, error)
      || (lock = fore_write_lock_acquire (self, error)) == NULL
      || !fore_git_require_unlocked (worktree, error)
      || !make_safe (self, worktree, rescue_name, keep_ignored, rescued, error)
      || !remove_modules (worktree, rescue_name, rescued, error)
      || !fore_folder_remove (worktree->path, error)
      || !fore_git_remove_entry (fore_repository_get_common_dir (self), worktree->git_dir, error))
    return FALSE;

  if (rescue_refs != NULL)
    {
      g_ptr_array_add (rescued, NULL);
      *rescue_refs = (char **) g_ptr_array_steal (rescued, NULL);
    }

  return TRUE;
}
