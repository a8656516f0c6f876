/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <git2/sys/repository.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "git/fore-folder.h"
#include "git/fore-git-module.h"
#include "git/fore-repository-private.h"
#include "model/fore-error.h"
#include "text/fore-text.h"

/* What git ignores is kept up to here; beyond it is named instead. */
#define MAX_KEPT_BYTES (16 * 1024 * 1024)
#define MAX_KEPT_SUM (64 * 1024 * 1024)
#define MAX_KEPT_FILES 2000
#define MAX_COUNTED_FILES 200000

/* Folders that tools fill and fill again. */
static const char *const remade_names[] = {
  ".build",
  ".cache",
  ".dart_tool",
  ".eggs",
  ".gradle",
  ".mypy_cache",
  ".next",
  ".nox",
  ".nuxt",
  ".parcel-cache",
  ".pytest_cache",
  ".ruff_cache",
  ".tox",
  ".turbo",
  ".venv",
  "CMakeFiles",
  "DerivedData",
  "Pods",
  "__pycache__",
  "_build",
  "bower_components",
  "build",
  "dist",
  "node_modules",
  "obj",
  "out",
  "target",
  "venv",
  NULL,
};

typedef struct
{
  ForeRepository *self;
  const ForeWorktree *worktree;
  ForeTreeReport *report;
  ForeRepository *tree;
  git_repository *git;
  git_index *index; /* ours, in memory */
  GHashTable *dirty;
  GStrvBuilder *obstacles;
  char *main_dir; /* (nullable) the person's own checkout */
  guint64 kept;
} ReportJob;

static void
report_job_clear (ReportJob *job)
{
  g_clear_object (&job->tree);
  git_index_free (job->index);
  git_repository_free (job->git);
  g_clear_pointer (&job->dirty, g_hash_table_unref);
  g_clear_pointer (&job->obstacles, g_strv_builder_unref);
  g_free (job->main_dir);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ReportJob, report_job_clear)

static void
free_ignored (gpointer data)
{
  ForeIgnored *ignored = data;

  g_free (ignored->path);
  g_free (ignored);
}

static void add_obstacle (ReportJob *job, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
add_obstacle (ReportJob *job, const char *format, ...)
{
  g_autofree char *sentence = NULL;
  va_list list;

  va_start (list, format);
  sentence = g_strdup_vprintf (format, list);
  va_end (list);
  g_strv_builder_add (job->obstacles, sentence);
}

/**
 * fore_git_is_remade:
 * @path: a path
 *
 * Returns: whether its name says that a tool makes it again: packages, build output, caches
 */
gboolean
fore_git_is_remade (const char *path)
{
  g_autofree char *name = g_path_get_basename (path);

  return g_strv_contains (remade_names, name) || g_str_has_suffix (name, ".egg-info");
}

static ForeIgnoredFate
choose_fate (ReportJob *job, const char *path, const char *full, const ForeFolderSize *size)
{
  g_autofree char *other = job->main_dir != NULL ? g_build_filename (job->main_dir, path, NULL)
                                                 : NULL;
  gboolean small = size->bytes <= MAX_KEPT_BYTES && size->n_files <= MAX_KEPT_FILES
                   && job->kept + size->bytes <= MAX_KEPT_SUM;

  if (fore_git_is_remade (path))
    return FORE_IGNORED_REMADE;
  if (small && other != NULL && fore_folder_equal (full, other))
    return FORE_IGNORED_SAME;

  return small ? FORE_IGNORED_KEPT : FORE_IGNORED_TOO_LARGE;
}

static void
add_ignored (ReportJob *job, const char *name)
{
  gsize length = strlen (name);
  ForeIgnored *ignored = g_new0 (ForeIgnored, 1);
  g_autofree char *full = NULL;
  ForeFolderSize size;

  ignored->path = g_strndup (name, length > 0 && name[length - 1] == '/' ? length - 1 : length);
  full = g_build_filename (job->worktree->path, ignored->path, NULL);
  fore_folder_measure (full, MAX_COUNTED_FILES, &size);
  ignored->bytes = size.bytes;
  ignored->n_files = size.n_files;
  ignored->fate = choose_fate (job, ignored->path, full, &size);
  g_ptr_array_add (job->report->ignored, ignored);

  if (ignored->fate == FORE_IGNORED_KEPT)
    job->kept += size.bytes;
  if (ignored->fate == FORE_IGNORED_TOO_LARGE)
    {
      g_autofree char *amount = fore_text_format_size (size.bytes);

      add_obstacle (job, _ ("“%s” (%s) is ignored by git and too large to be kept"), ignored->path,
                    amount);
    }
  if (size.has_repository && ignored->fate != FORE_IGNORED_REMADE)
    add_obstacle (job, _ ("“%s” holds a git repository of its own, whose commits would be lost"),
                  ignored->path);
}

static void
add_delta (ReportJob *job, const git_diff_delta *delta)
{
  const char *path = delta->new_file.path ?: delta->old_file.path;

  if (delta->status == GIT_DELTA_IGNORED)
    add_ignored (job, path);
  else if (delta->status == GIT_DELTA_UNTRACKED && g_str_has_suffix (path, "/"))
    add_obstacle (job, _ ("“%s” holds a git repository of its own, whose commits would be lost"),
                  path);
  else
    g_hash_table_add (job->dirty, g_strdup (path));
}

static gboolean
take_diff (ReportJob *job, git_diff *diff, int code, GError **error)
{
  if (code < 0)
    return fore_git_fail (error, code, _ ("The files could not be compared"));

  for (gsize i = 0; i < git_diff_num_deltas (diff); i++)
    add_delta (job, git_diff_get_delta (diff, i));

  return TRUE;
}

static gboolean
has_anything (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);

  return dir != NULL && g_dir_read_name (dir) != NULL;
}

/* Nobody sees what lies in the folder of a submodule that is not checked out: git takes it for the
 * submodule's, and the submodule has no git folder yet.
 */
static void
look_at_unseen_files (ReportJob *job)
{
  gsize n = git_index_entrycount (job->index);

  for (gsize i = 0; i < n; i++)
    {
      const git_index_entry *entry = git_index_get_byindex (job->index, i);
      g_autofree char *folder = NULL;
      g_autofree char *link = NULL;

      if (entry->mode != GIT_FILEMODE_COMMIT
          || fore_folder_look_up (job->worktree->path, entry->path) != FORE_PATH_FOLDER)
        continue;

      folder = g_build_filename (job->worktree->path, entry->path, NULL);
      link = g_build_filename (entry->path, ".git", NULL);
      if (fore_folder_look_up (job->worktree->path, link) == FORE_PATH_MISSING
          && has_anything (folder))
        add_obstacle (job,
                      _ ("“%s” is a submodule that is not checked out, and has files that git does "
                         "not see; move them away first"),
                      entry->path);
    }
}

/* What is not committed: against our copy of the index, as an agent's index may hide files. */
static gboolean
look_at_files (ReportJob *job, GError **error)
{
  git_diff_options options = GIT_DIFF_OPTIONS_INIT;
  g_autoptr (git_commit) head = NULL;
  g_autoptr (git_tree) tree = NULL;
  g_autoptr (git_diff) staged = NULL;
  g_autoptr (git_diff) diff = NULL;
  git_oid oid;
  gboolean born = git_reference_name_to_id (&oid, job->git, "HEAD") == 0
                  && git_commit_lookup (&head, job->git, &oid) == 0
                  && git_commit_tree (&tree, head) == 0;
  int code;

  job->index = fore_git_open_our_index (job->tree, job->git, head, error);
  if (job->index == NULL)
    return FALSE;

  options.flags = GIT_DIFF_INCLUDE_UNTRACKED | GIT_DIFF_RECURSE_UNTRACKED_DIRS
                  | GIT_DIFF_INCLUDE_IGNORED | GIT_DIFF_INCLUDE_TYPECHANGE
                  | GIT_DIFF_DISABLE_PATHSPEC_MATCH;
  options.ignore_submodules = GIT_SUBMODULE_IGNORE_ALL;
  code = git_diff_index_to_workdir (&diff, job->git, job->index, &options);
  if (!take_diff (job, diff, code, error))
    return FALSE;

  options.flags = GIT_DIFF_INCLUDE_TYPECHANGE;
  code = born ? git_diff_tree_to_index (&staged, job->git, tree, job->index, &options) : 0;
  if (born && !take_diff (job, staged, code, error))
    return FALSE;

  job->report->n_files = g_hash_table_size (job->dirty);
  look_at_unseen_files (job);
  return TRUE;
}

/* The git folder of a submodule that an agent cloned lies in the entry and goes with it. */
static void
look_at_modules (ReportJob *job, const char *path, const char *name)
{
  g_autofree char *head = g_build_filename (path, "HEAD", NULL);
  g_autoptr (GDir) dir = NULL;
  const char *below;

  if (g_file_test (head, G_FILE_TEST_IS_REGULAR))
    {
      if (!fore_git_module_is_settled (path))
        add_obstacle (job, _ ("The submodule “%s” holds work that is nowhere else; push it first"),
                      name);
      return;
    }

  dir = g_dir_open (path, 0, NULL);
  while (dir != NULL && (below = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *full = g_build_filename (path, below, NULL);
      g_autofree char *below_name = *name != '\0' ? g_build_filename (name, below, NULL)
                                                  : g_strdup (below);

      if (g_file_test (full, G_FILE_TEST_IS_DIR) && !g_file_test (full, G_FILE_TEST_IS_SYMLINK))
        look_at_modules (job, full, below_name);
    }
}

/* One that Foredeck checked out is looked at like the tree itself; one that an agent cloned into
 * the folder goes with it.
 */
static gboolean
look_at_module (ReportJob *job, const char *path, GError **error)
{
  g_autoptr (ForeModule) module = fore_module_find (job->tree, path);
  g_autofree char *git_dir = g_build_filename (path, ".git", NULL);
  g_autoptr (ForeTreeReport) report = NULL;

  if (module->home == NULL)
    {
      if (fore_folder_look_up (job->worktree->path, git_dir) == FORE_PATH_FOLDER
          && !fore_git_module_is_settled (module->folder))
        add_obstacle (job, _ ("The submodule “%s” holds work that is nowhere else; push it first"),
                      path);
      return TRUE;
    }

  report = fore_repository_inspect_worktree (module->home, module->worktree, error);
  if (report == NULL)
    return FALSE;

  job->report->n_files += report->n_files;
  job->report->n_commits += report->n_commits;
  for (guint i = 0; report->obstacles[i] != NULL; i++)
    add_obstacle (job, "%s: %s", path, report->obstacles[i]);

  return TRUE;
}

static gboolean
look_at_module_trees (ReportJob *job, GError **error)
{
  g_auto (GStrv) paths = fore_git_list_modules (job->tree);

  for (guint i = 0; paths[i] != NULL; i++)
    {
      if (!look_at_module (job, paths[i], error))
        return FALSE;
    }

  return TRUE;
}

static gboolean
look_at_commits (ReportJob *job, GError **error)
{
  g_autoptr (GPtrArray) commits = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *modules = g_build_filename (job->worktree->git_dir, "modules", NULL);

  if (!fore_git_rescue_entry (job->git, job->worktree->git_dir, NULL, commits, error))
    return FALSE;

  job->report->n_commits = commits->len;
  look_at_modules (job, modules, "");
  return TRUE;
}

static gboolean
look_at_tree (ReportJob *job, GError **error)
{
  g_autoptr (GError) problem = NULL;

  if (!fore_git_require_unlocked (job->worktree, &problem))
    add_obstacle (job, "%s", problem->message);

  g_clear_error (&problem);
  job->report->exists = g_file_test (job->worktree->path, G_FILE_TEST_EXISTS);
  if (!job->report->exists)
    {
      job->git = fore_repository_open_git (job->self, error);
      return job->git != NULL && look_at_commits (job, error);
    }

  if (!fore_repository_validate_worktree (job->self, job->worktree, &problem))
    {
      add_obstacle (job, "%s", problem->message);
      return TRUE;
    }

  job->tree = fore_repository_open_tree (job->worktree->git_dir, job->worktree->path, error);
  job->git = job->tree != NULL ? fore_repository_open_git (job->tree, error) : NULL;
  return job->git != NULL && look_at_files (job, error) && look_at_commits (job, error)
         && look_at_module_trees (job, error);
}

/**
 * fore_repository_inspect_worktree:
 * @self: a repository
 * @worktree: a worktree of it
 * @error: (nullable): return location
 *
 * Finds out what the removal of @worktree would mean; nothing is written. What git ignores is kept
 * up to 16 MiB a file or folder and 64 MiB in all, unless the person's own checkout has the same or
 * its name says that a tool makes it again.
 *
 * Returns: (transfer full) (nullable): the report
 */
ForeTreeReport *
fore_repository_inspect_worktree (ForeRepository *self,
                                  const ForeWorktree *worktree,
                                  GError **error)
{
  g_autoptr (ForeTreeReport) report = NULL;
  g_auto (ReportJob) job = { self, worktree };

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);
  g_return_val_if_fail (worktree != NULL, NULL);

  report = g_new0 (ForeTreeReport, 1);
  report->ignored = g_ptr_array_new_with_free_func (free_ignored);
  job.report = report;
  job.dirty = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  job.obstacles = g_strv_builder_new ();
  job.main_dir = fore_repository_dup_main_dir (self);
  if (!look_at_tree (&job, error))
    return NULL;

  report->obstacles = g_strv_builder_end (job.obstacles);
  return g_steal_pointer (&report);
}

static char **
list_kept (const ForeTreeReport *report)
{
  g_autoptr (GStrvBuilder) paths = g_strv_builder_new ();

  for (guint i = 0; i < report->ignored->len; i++)
    {
      const ForeIgnored *ignored = g_ptr_array_index (report->ignored, i);

      if (ignored->fate == FORE_IGNORED_KEPT)
        g_strv_builder_add (paths, ignored->path);
    }

  return g_strv_builder_end (paths);
}

/**
 * fore_repository_retire_worktree:
 * @self: a repository
 * @worktree: a worktree of it that no process works in any more
 * @rescue_name: names what is kept: `<run>/<task>`
 * @drop_obstacles: remove it although a report names obstacles; a lock still holds
 * @rescue_refs: (out) (optional) (transfer full): names of the refs that were written
 * @error: (nullable): return location; %FORE_ERROR_REFUSED says what would be lost
 *
 * Removes a worktree as fore_repository_remove_worktree() does, and keeps of what git ignores all
 * that fore_repository_inspect_worktree() reports as kept. Where something would be lost the tree
 * stays.
 *
 * Returns: %FALSE with @error set
 */
gboolean
fore_repository_retire_worktree (ForeRepository *self,
                                 const ForeWorktree *worktree,
                                 const char *rescue_name,
                                 gboolean drop_obstacles,
                                 char ***rescue_refs,
                                 GError **error)
{
  g_autoptr (ForeTreeReport) report = NULL;
  g_auto (GStrv) kept = NULL;

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), FALSE);
  g_return_val_if_fail (worktree != NULL && rescue_name != NULL, FALSE);

  report = fore_repository_inspect_worktree (self, worktree, error);
  if (report == NULL)
    return FALSE;

  if (!drop_obstacles && !fore_tree_report_is_safe (report))
    {
      g_autofree char *why = g_strjoinv ("; ", report->obstacles);

      g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED, _ ("“%s” stays: %s"), worktree->path,
                   why);
      return FALSE;
    }

  kept = list_kept (report);
  return fore_repository_remove_worktree (self, worktree, rescue_name, (const char *const *) kept,
                                          rescue_refs, error);
}
