/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <git2/sys/repository.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "git/fore-folder.h"
#include "git/fore-repository-predict.h"
#include "git/fore-repository-private.h"

/* More than this says nothing that fewer do not, and has to be looked at every second. */
#define MAX_TOUCHED 5000
#define MAX_COMPARED 100
#define SETTLED_SECONDS 3
#define MAX_FILE_SIZE (1024 * 1024)

/* What was touched */

typedef struct
{
  GHashTable *paths;
  GChecksum *stamp;
  const char *workdir; /* (nullable) */
} TouchJob;

static void
touch_job_clear (TouchJob *job)
{
  g_clear_pointer (&job->paths, g_hash_table_unref);
  g_clear_pointer (&job->stamp, g_checksum_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TouchJob, touch_job_clear)

static void
add_to_stamp (TouchJob *job, const char *path)
{
  g_autofree char *full = g_build_filename (job->workdir, path, NULL);
  g_autofree char *line = NULL;
  gint64 now = g_get_real_time ();
  GStatBuf info;

  /* A file that was just written may be written again within the same second. */
  if (g_lstat (full, &info) == 0 && now / G_USEC_PER_SEC - info.st_mtime < SETTLED_SECONDS)
    line = g_strdup_printf ("%s at %" G_GINT64_FORMAT, path, now);
  else if (g_lstat (full, &info) == 0)
    line = g_strdup_printf ("%s %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GUINT64_FORMAT, path,
                            (gint64) info.st_size, (gint64) info.st_mtime, (guint64) info.st_ino);
  else
    line = g_strdup_printf ("%s -", path);
  g_checksum_update (job->stamp, (const guchar *) line, -1);
}

static void
add_path (TouchJob *job, const char *path)
{
  if (path == NULL || g_str_has_suffix (path, "/") || g_hash_table_size (job->paths) >= MAX_TOUCHED
      || !g_hash_table_add (job->paths, g_strdup (path)))
    return;

  if (job->workdir != NULL)
    add_to_stamp (job, path);
}

static void
add_diff (TouchJob *job, git_diff *diff)
{
  for (gsize i = 0; i < git_diff_num_deltas (diff); i++)
    {
      const git_diff_delta *delta = git_diff_get_delta (diff, i);

      add_path (job, delta->old_file.path);
      add_path (job, delta->new_file.path);
    }
}

static int
diff_commits (TouchJob *job, git_repository *git, const ForeWorkState *work)
{
  g_autoptr (git_tree) base = fore_git_lookup_tree (git, work->base, NULL);
  g_autoptr (git_tree) tree = fore_git_lookup_tree (git, work->commit, NULL);
  g_autoptr (git_diff) diff = NULL;
  int code = base != NULL && tree != NULL ? git_diff_tree_to_tree (&diff, git, base, tree, NULL)
                                          : GIT_ENOTFOUND;

  if (code == 0)
    add_diff (job, diff);

  return code;
}

/* What the agent changed since our copy of the index was written, and what that holds already. */
static int
diff_folder (TouchJob *job, git_repository *git, const ForeWorkState *work)
{
  g_autofree char *path = g_build_filename (work->git_dir, FORE_INDEX_NAME, NULL);
  git_diff_options options = GIT_DIFF_OPTIONS_INIT;
  g_autoptr (git_tree) base = fore_git_lookup_tree (git, work->base, NULL);
  g_autoptr (git_index) index = NULL;
  g_autoptr (git_diff) staged = NULL;
  g_autoptr (git_diff) diff = NULL;
  int code = base != NULL ? git_index_open (&index, path) : GIT_ENOTFOUND;

  options.flags = GIT_DIFF_INCLUDE_UNTRACKED | GIT_DIFF_RECURSE_UNTRACKED_DIRS
                  | GIT_DIFF_INCLUDE_TYPECHANGE | GIT_DIFF_DISABLE_PATHSPEC_MATCH;
  options.ignore_submodules = GIT_SUBMODULE_IGNORE_ALL;
  if (code == 0)
    code = git_repository_set_index (git, index);
  if (code == 0)
    code = git_diff_tree_to_index (&staged, git, base, index, &options);
  if (code == 0)
    code = git_diff_index_to_workdir (&diff, git, index, &options);
  if (code < 0)
    return code;

  add_diff (job, staged);
  add_diff (job, diff);
  return 0;
}

static ForeRepository *
open_side (ForeRepository *self, const ForeWorkState *work, GError **error)
{
  return work->commit != NULL ? g_object_ref (self)
                              : fore_repository_open_tree (work->git_dir, work->path, error);
}

static int
compare_words (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static char **
take_sorted (TouchJob *job)
{
  guint length;
  char **paths = (char **) g_hash_table_get_keys_as_array (job->paths, &length);

  g_hash_table_steal_all (job->paths);
  qsort (paths, length, sizeof (char *), compare_words);
  return paths;
}

/**
 * fore_repository_list_touched:
 * @self: the repository
 * @work: the work of a task
 * @stamp: (out) (transfer full): a text that is another one when something was written since
 * @error: (nullable): return location
 *
 * Finds the files that a task changed so far, by their times and sizes: nothing is written, and of
 * files that are not touched none is read. At most 5000 are named.
 *
 * Returns: (transfer full) (nullable): their paths, sorted
 */
char **
fore_repository_list_touched (ForeRepository *self,
                              const ForeWorkState *work,
                              char **stamp,
                              GError **error)
{
  g_autoptr (ForeRepository) side = NULL;
  g_autoptr (git_repository) git = NULL;
  g_auto (TouchJob) job = { NULL };
  int code;

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);
  g_return_val_if_fail (work != NULL && stamp != NULL, NULL);

  side = open_side (self, work, error);
  git = side != NULL ? fore_repository_open_git (side, error) : NULL;
  if (git == NULL)
    return NULL;

  job.paths = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  job.stamp = g_checksum_new (G_CHECKSUM_SHA1);
  job.workdir = work->commit == NULL ? work->path : NULL;
  code = work->commit != NULL ? diff_commits (&job, git, work) : diff_folder (&job, git, work);
  if (code < 0)
    {
      fore_git_fail (error, code, _ ("The files could not be compared"));
      return NULL;
    }

  *stamp = work->commit != NULL ? g_strdup (work->commit)
                                : g_strdup (g_checksum_get_string (job.stamp));
  return take_sorted (&job);
}

/* Whether two fit together */

typedef struct
{
  git_repository *git; /* writes to the scratch folder */
  git_tree *tree;      /* (nullable) what was left */
  const ForeWorkState *work;
} Side;

static void
side_clear (Side *side)
{
  git_repository_free (side->git);
  git_tree_free (side->tree);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Side, side_clear)

/* A file of one side; without a mode it is not there. */
typedef struct
{
  git_oid id;
  guint32 mode;
} File;

static File
find_in_tree (git_tree *tree, const char *path)
{
  g_autoptr (git_tree_entry) entry = NULL;
  File file = { 0 };

  if (git_tree_entry_bypath (&entry, tree, path) == 0
      && git_tree_entry_type (entry) == GIT_OBJECT_BLOB)
    {
      file.id = *git_tree_entry_id (entry);
      file.mode = git_tree_entry_filemode (entry);
    }

  return file;
}

static gboolean
read_file (const Side *side, const char *path, File *file)
{
  g_autofree char *full = NULL;
  GStatBuf info;

  *file = (File){ 0 };
  if (side->tree != NULL)
    {
      *file = find_in_tree (side->tree, path);
      return TRUE;
    }

  switch (fore_folder_look_up (side->work->path, path))
    {
    case FORE_PATH_FILE:
      break;

    case FORE_PATH_MISSING:
      return TRUE;

    case FORE_PATH_LINK:
    case FORE_PATH_FOLDER:
    case FORE_PATH_OTHER:
    default:
      return FALSE;
    }

  full = g_build_filename (side->work->path, path, NULL);
  if (g_lstat (full, &info) != 0 || info.st_size > MAX_FILE_SIZE
      || git_blob_create_from_workdir (&file->id, side->git, path) != 0)
    return FALSE;

  file->mode = GIT_FILEMODE_BLOB;
  return TRUE;
}

static gboolean
open_work (Side *side,
           ForeRepository *self,
           const char *scratch_dir,
           const ForeWorkState *work,
           GError **error)
{
  g_autoptr (ForeRepository) repository = open_side (self, work, error);

  side->work = work;
  side->git = repository != NULL ? fore_repository_open_git (repository, error) : NULL;
  if (side->git == NULL || !fore_git_add_scratch (side->git, scratch_dir, error))
    return FALSE;

  if (work->commit != NULL)
    side->tree = fore_git_lookup_tree (side->git, work->commit, error);
  return work->commit == NULL || side->tree != NULL;
}

static gboolean
is_same (const File *one, const File *two)
{
  return (one->mode == 0 && two->mode == 0)
         || (one->mode != 0 && two->mode != 0 && git_oid_equal (&one->id, &two->id));
}

static gboolean
lines_fit (
    git_repository *git, const char *path, const File *base, const File *ours, const File *theirs)
{
  git_index_entry entries[3] = { 0 };
  const File *files[] = { base, ours, theirs };
  git_merge_file_result merged = { 0 };
  gboolean fit;

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      entries[i].path = path;
      entries[i].id = files[i]->id;
      entries[i].mode = files[i]->mode;
    }

  fit = git_merge_file_from_index (&merged, git, base->mode != 0 ? &entries[0] : NULL, &entries[1],
                                   &entries[2], NULL)
            == 0
        && merged.automergeable;
  git_merge_file_result_free (&merged);

  return fit;
}

static gboolean
fits (git_tree *base_tree, const Side *ours, const Side *theirs, const char *path)
{
  File base = find_in_tree (base_tree, path);
  File one, two;

  if (!read_file (ours, path, &one) || !read_file (theirs, path, &two) || is_same (&base, &one)
      || is_same (&base, &two) || is_same (&one, &two))
    return TRUE;

  return one.mode != 0 && two.mode != 0 && lines_fit (ours->git, path, &base, &one, &two);
}

static git_tree *
find_common (git_repository *git, const char *one, const char *two, GError **error)
{
  g_autoptr (git_commit) ours = fore_git_lookup_commit (git, one, error);
  g_autoptr (git_commit) theirs = ours != NULL ? fore_git_lookup_commit (git, two, error) : NULL;
  g_autofree char *common = NULL;
  git_oid oid;
  int code;

  if (theirs == NULL)
    return NULL;

  code = git_merge_base (&oid, git, git_commit_id (ours), git_commit_id (theirs));
  if (code < 0)
    {
      fore_git_fail (error, code, _ ("The tasks have nothing in common"));
      return NULL;
    }

  common = fore_git_oid_to_string (&oid);
  return fore_git_lookup_tree (git, common, error);
}

/**
 * fore_repository_predict_pair:
 * @self: the repository
 * @scratch_dir: a folder of ours for objects, made when missing
 * @ours: the work of a task
 * @theirs: that of another, which does not build on it
 * @paths: (array zero-terminated=1): files that both touched
 * @error: (nullable): return location
 *
 * Tries, file by file, whether the work of two tasks fits together as it is just now. What is
 * written goes to @scratch_dir; the person's repository stays as it is. Of @paths the first 100 are
 * tried, and files beyond 1 MiB are left out.
 *
 * Returns: (transfer full) (nullable): the files that do not fit; empty when all do
 */
char **
fore_repository_predict_pair (ForeRepository *self,
                              const char *scratch_dir,
                              const ForeWorkState *ours,
                              const ForeWorkState *theirs,
                              const char *const *paths,
                              GError **error)
{
  g_autoptr (GStrvBuilder) found = g_strv_builder_new ();
  g_autoptr (git_tree) base = NULL;
  g_auto (Side) one = { NULL };
  g_auto (Side) two = { NULL };

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);
  g_return_val_if_fail (scratch_dir != NULL && paths != NULL, NULL);
  g_return_val_if_fail (ours != NULL && theirs != NULL, NULL);

  if (!open_work (&one, self, scratch_dir, ours, error)
      || !open_work (&two, self, scratch_dir, theirs, error)
      || (base = find_common (one.git, ours->base, theirs->base, error)) == NULL)
    return NULL;

  for (guint i = 0; paths[i] != NULL && i < MAX_COMPARED; i++)
    {
      if (!fits (base, &one, &two, paths[i]))
        g_strv_builder_add (found, paths[i]);
    }

  return g_strv_builder_end (found);
}
