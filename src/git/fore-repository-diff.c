/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "git/fore-repository-private.h"
#include "model/fore-error.h"

#define DEFAULT_CONTEXT 3
/* Fewer lines between two hunks are shown: a fold would take no less. */
#define SHOWN_GAP 3
#define DEFAULT_FILE_SIZE (1024 * 1024)
#define DEFAULT_FILE_LINES 20000
#define DEFAULT_FILES 5000
#define MAX_PATCH_FILE_SIZE (512 * 1024 * 1024)
#define RENAME_LIMIT 1000

static void
free_hunk (gpointer data)
{
  ForeDiffHunk *hunk = data;

  g_free (hunk->header);
  g_array_unref (hunk->lines);
  g_free (hunk);
}

static void
clear_line (gpointer data)
{
  ForeDiffLine *line = data;

  g_free (line->text);
}

static void
free_file (gpointer data)
{
  ForeDiffFile *file = data;

  fore_file_change_free (file->change);
  g_ptr_array_unref (file->hunks);
  g_free (file);
}

static void
init_options (git_diff_options *options, guint context, guint64 max_size)
{
  git_diff_options_init (options, GIT_DIFF_OPTIONS_VERSION);
  options->flags = GIT_DIFF_INCLUDE_TYPECHANGE | GIT_DIFF_DISABLE_PATHSPEC_MATCH
                   | GIT_DIFF_INCLUDE_UNTRACKED | GIT_DIFF_RECURSE_UNTRACKED_DIRS
                   | GIT_DIFF_SHOW_UNTRACKED_CONTENT;
  options->ignore_submodules = GIT_SUBMODULE_IGNORE_ALL;
  options->context_lines = context;
  options->interhunk_lines = SHOWN_GAP;
  options->max_size = (git_off_t) max_size;
}

static gboolean
find_renames (git_diff *diff, GError **error)
{
  git_diff_find_options options = GIT_DIFF_FIND_OPTIONS_INIT;
  int result;

  options.flags = GIT_DIFF_FIND_RENAMES | GIT_DIFF_FIND_FOR_UNTRACKED;
  options.rename_limit = RENAME_LIMIT;
  result = git_diff_find_similar (diff, &options);
  if (result < 0)
    return fore_git_fail (error, result, _ ("Renamed files could not be found"));

  return TRUE;
}

/**
 * fore_git_diff_trees:
 * @git: an open repository
 * @old: (nullable): a tree, %NULL is an empty one
 * @new: (nullable): a tree, %NULL is an empty one
 * @error: (nullable): return location
 *
 * Compares two trees, with renames.
 *
 * Returns: (transfer full) (nullable): the difference
 */
git_diff *
fore_git_diff_trees (git_repository *git, git_tree *old, git_tree *new, GError **error)
{
  git_diff_options options;
  g_autoptr (git_diff) diff = NULL;
  int result;

  init_options (&options, DEFAULT_CONTEXT, DEFAULT_FILE_SIZE);
  result = git_diff_tree_to_tree (&diff, git, old, new, &options);
  if (result < 0)
    {
      fore_git_fail (error, result, _ ("The files could not be compared"));
      return NULL;
    }

  return find_renames (diff, error) ? g_steal_pointer (&diff) : NULL;
}

static ForeFileStatus
convert_status (git_delta_t status)
{
  switch (status)
    {
    case GIT_DELTA_ADDED:
    case GIT_DELTA_UNTRACKED:
    case GIT_DELTA_COPIED:
      return FORE_FILE_ADDED;

    case GIT_DELTA_DELETED:
      return FORE_FILE_DELETED;

    case GIT_DELTA_RENAMED:
      return FORE_FILE_RENAMED;

    case GIT_DELTA_TYPECHANGE:
      return FORE_FILE_TYPE_CHANGED;

    case GIT_DELTA_UNMODIFIED:
    case GIT_DELTA_MODIFIED:
    case GIT_DELTA_IGNORED:
    case GIT_DELTA_UNREADABLE:
    case GIT_DELTA_CONFLICTED:
    default:
      return FORE_FILE_MODIFIED;
    }
}

static gboolean
is_large (git_repository *git, const git_diff_file *file, guint64 max_size)
{
  g_autoptr (git_odb) odb = NULL;
  size_t size = file->size;
  git_object_t type;

  if (size == 0 && (file->flags & GIT_DIFF_FLAG_VALID_ID) && !git_oid_is_zero (&file->id)
      && git_repository_odb (&odb, git) == 0
      && git_odb_read_header (&size, &type, odb, &file->id) != 0)
    size = 0;

  return size > max_size;
}

static ForeFileChange *
make_change (git_repository *git, git_patch *patch, guint64 max_size)
{
  const git_diff_delta *delta = git_patch_get_delta (patch);
  ForeFileChange *change = g_new0 (ForeFileChange, 1);
  size_t insertions = 0, deletions = 0;

  change->status = convert_status (delta->status);
  change->path = g_strdup (change->status == FORE_FILE_DELETED ? delta->old_file.path
                                                               : delta->new_file.path);
  if (change->status == FORE_FILE_RENAMED)
    change->old_path = g_strdup (delta->old_file.path);
  change->old_mode = delta->old_file.mode;
  change->new_mode = delta->new_file.mode;
  change->too_large = is_large (git, &delta->old_file, max_size)
                      || is_large (git, &delta->new_file, max_size);
  change->binary = !change->too_large && (delta->flags & GIT_DIFF_FLAG_BINARY) != 0;
  if (git_patch_line_stats (NULL, &insertions, &deletions, patch) == 0)
    {
      change->insertions = insertions;
      change->deletions = deletions;
    }

  return change;
}

static git_patch *
load_patch (git_diff *diff, gsize index, GError **error)
{
  git_patch *patch = NULL;
  int result = git_patch_from_diff (&patch, diff, index);

  if (result < 0)
    fore_git_fail (error, result, _ ("A changed file could not be read"));

  return patch;
}

/**
 * fore_git_list_changes:
 * @git: the repository of @diff
 * @diff: a difference
 * @error: (nullable): return location
 *
 * Returns: (transfer full) (element-type ForeFileChange) (nullable): its files
 */
GPtrArray *
fore_git_list_changes (git_repository *git, git_diff *diff, GError **error)
{
  g_autoptr (GPtrArray) changes = g_ptr_array_new_with_free_func (
      (GDestroyNotify) fore_file_change_free);

  for (gsize i = 0; i < git_diff_num_deltas (diff); i++)
    {
      g_autoptr (git_patch) patch = load_patch (diff, i, error);

      if (patch == NULL)
        return NULL;

      g_ptr_array_add (changes, make_change (git, patch, DEFAULT_FILE_SIZE));
    }

  return g_steal_pointer (&changes);
}

static void
add_line (ForeDiffHunk *hunk, const git_diff_line *line)
{
  ForeDiffLine copy = { .origin = line->origin };
  gsize length = line->content_len;

  /* These three say of the line before that the file ends there without a line end. */
  if (line->origin == GIT_DIFF_LINE_CONTEXT_EOFNL || line->origin == GIT_DIFF_LINE_ADD_EOFNL
      || line->origin == GIT_DIFF_LINE_DEL_EOFNL)
    {
      if (hunk->lines->len > 0)
        g_array_index (hunk->lines, ForeDiffLine, hunk->lines->len - 1).no_newline = TRUE;
      return;
    }

  if (length > 0 && line->content[length - 1] == '\n')
    length--;

  copy.old_line = line->old_lineno;
  copy.new_line = line->new_lineno;
  copy.text = g_strndup (line->content, length);
  g_array_append_val (hunk->lines, copy);
}

static ForeDiffHunk *
make_hunk (git_patch *patch, gsize index)
{
  ForeDiffHunk *hunk = g_new0 (ForeDiffHunk, 1);
  const git_diff_hunk *info = NULL;
  size_t n_lines = 0;

  hunk->lines = g_array_new (FALSE, FALSE, sizeof (ForeDiffLine));
  g_array_set_clear_func (hunk->lines, clear_line);
  if (git_patch_get_hunk (&info, &n_lines, patch, index) != 0)
    return hunk;

  hunk->old_start = info->old_start;
  hunk->old_lines = info->old_lines;
  hunk->new_start = info->new_start;
  hunk->new_lines = info->new_lines;
  hunk->header = g_strchomp (g_strndup (info->header, info->header_len));
  for (gsize i = 0; i < n_lines; i++)
    {
      const git_diff_line *line;

      if (git_patch_get_line_in_hunk (&line, patch, index, i) == 0)
        add_line (hunk, line);
    }

  return hunk;
}

static ForeDiffFile *
make_file (git_repository *git, git_patch *patch, guint64 max_size, guint max_lines)
{
  ForeDiffFile *file = g_new0 (ForeDiffFile, 1);
  size_t context = 0, insertions = 0, deletions = 0;

  file->change = make_change (git, patch, max_size);
  file->hunks = g_ptr_array_new_with_free_func (free_hunk);
  git_patch_line_stats (&context, &insertions, &deletions, patch);
  if (context + insertions + deletions > max_lines)
    file->change->too_large = TRUE;

  if (file->change->too_large || file->change->binary)
    return file;

  for (gsize i = 0; i < git_patch_num_hunks (patch); i++)
    g_ptr_array_add (file->hunks, make_hunk (patch, i));

  return file;
}

static git_diff *
open_diff (git_repository *git,
           const char *old_revision,
           const char *new_revision,
           const ForeDiffOptions *options,
           guint32 flags,
           GError **error)
{
  guint context = options != NULL && options->context_lines > 0 ? options->context_lines
                                                                : DEFAULT_CONTEXT;
  guint64 max_size = options != NULL && options->max_file_size > 0 ? options->max_file_size
                                                                   : DEFAULT_FILE_SIZE;
  g_autoptr (git_tree) old_tree = fore_git_lookup_tree (git, old_revision, error);
  g_autoptr (git_tree) new_tree = NULL;
  g_autoptr (git_diff) diff = NULL;
  git_diff_options git_options;
  int result;

  if (old_tree == NULL
      || (new_revision != NULL
          && (new_tree = fore_git_lookup_tree (git, new_revision, error)) == NULL))
    return NULL;

  init_options (&git_options, context, max_size);
  git_options.flags |= flags;
  if (options != NULL && options->paths != NULL)
    {
      git_options.pathspec.strings = (char **) options->paths;
      git_options.pathspec.count = g_strv_length ((char **) options->paths);
    }

  if (new_tree != NULL)
    result = git_diff_tree_to_tree (&diff, git, old_tree, new_tree, &git_options);
  else
    result = git_diff_tree_to_workdir_with_index (&diff, git, old_tree, &git_options);

  if (result < 0)
    {
      fore_git_fail (error, result, _ ("The files could not be compared"));
      return NULL;
    }

  return find_renames (diff, error) ? g_steal_pointer (&diff) : NULL;
}

static git_repository *
open_for_diff (ForeRepository *self, const char *new_revision, GError **error)
{
  if (new_revision == NULL && !fore_repository_require_workdir (self, error))
    return NULL;

  return fore_repository_open_git (self, error);
}

/**
 * fore_repository_list_changes:
 * @self: a repository
 * @old_revision: a commit
 * @new_revision: (nullable): another; %NULL is the work folder
 * @error: (nullable): return location
 *
 * Lists the files that differ, with their totals.
 *
 * Returns: (transfer full) (element-type ForeFileChange) (nullable): in the order of paths
 */
GPtrArray *
fore_repository_list_changes (ForeRepository *self,
                              const char *old_revision,
                              const char *new_revision,
                              GError **error)
{
  g_autoptr (git_repository) git = NULL;
  g_autoptr (git_diff) diff = NULL;

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);
  g_return_val_if_fail (old_revision != NULL, NULL);

  git = open_for_diff (self, new_revision, error);
  if (git == NULL)
    return NULL;

  diff = open_diff (git, old_revision, new_revision, NULL, 0, error);
  return diff != NULL ? fore_git_list_changes (git, diff, error) : NULL;
}

static ForeDiff *
load_diff (git_repository *git, git_diff *git_diff, const ForeDiffOptions *options, GError **error)
{
  guint64 max_size = options != NULL && options->max_file_size > 0 ? options->max_file_size
                                                                   : DEFAULT_FILE_SIZE;
  guint max_lines = options != NULL && options->max_file_lines > 0 ? options->max_file_lines
                                                                   : DEFAULT_FILE_LINES;
  guint max_files = options != NULL && options->max_files > 0 ? options->max_files : DEFAULT_FILES;
  g_autoptr (ForeDiff) diff = g_new0 (ForeDiff, 1);
  gsize n = git_diff_num_deltas (git_diff);

  diff->files = g_ptr_array_new_with_free_func (free_file);
  diff->truncated = n > max_files;
  for (gsize i = 0; i < MIN (n, max_files); i++)
    {
      g_autoptr (git_patch) patch = load_patch (git_diff, i, error);
      ForeDiffFile *file;

      if (patch == NULL)
        return NULL;

      file = make_file (git, patch, max_size, max_lines);
      diff->insertions += file->change->insertions;
      diff->deletions += file->change->deletions;
      g_ptr_array_add (diff->files, file);
    }

  return g_steal_pointer (&diff);
}

/**
 * fore_repository_diff:
 * @self: a repository
 * @old_revision: a commit
 * @new_revision: (nullable): another; %NULL is the work folder
 * @options: (nullable): limits
 * @error: (nullable): return location
 *
 * Loads a difference as data. Files that are binary or beyond the limits are there without hunks.
 *
 * Returns: (transfer full) (nullable): the difference
 */
ForeDiff *
fore_repository_diff (ForeRepository *self,
                      const char *old_revision,
                      const char *new_revision,
                      const ForeDiffOptions *options,
                      GError **error)
{
  g_autoptr (git_repository) git = NULL;
  g_autoptr (git_diff) diff = NULL;

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);
  g_return_val_if_fail (old_revision != NULL, NULL);

  git = open_for_diff (self, new_revision, error);
  if (git == NULL)
    return NULL;

  diff = open_diff (git, old_revision, new_revision, options, 0, error);
  return diff != NULL ? load_diff (git, diff, options, error) : NULL;
}

/**
 * fore_git_write_patch:
 * @diff: a difference
 * @error: (nullable): return location
 *
 * Returns: (transfer full) (nullable): it as a patch
 */
GBytes *
fore_git_write_patch (git_diff *diff, GError **error)
{
  g_auto (git_buf) buffer = { NULL };
  int result = git_diff_to_buf (&buffer, diff, GIT_DIFF_FORMAT_PATCH);

  if (result < 0)
    {
      fore_git_fail (error, result, _ ("The patch could not be written"));
      return NULL;
    }

  return g_bytes_new (buffer.ptr, buffer.size);
}

/**
 * fore_repository_diff_patch:
 * @self: a repository
 * @old_revision: a commit
 * @new_revision: (nullable): another; %NULL is the work folder
 * @error: (nullable): return location
 *
 * Writes the whole difference as a patch that `git apply` takes, binary files included.
 *
 * Returns: (transfer full) (nullable): the patch, empty when nothing differs
 */
GBytes *
fore_repository_diff_patch (ForeRepository *self,
                            const char *old_revision,
                            const char *new_revision,
                            GError **error)
{
  static const ForeDiffOptions whole = { .max_file_size = MAX_PATCH_FILE_SIZE };
  g_autoptr (git_repository) git = NULL;
  g_autoptr (git_diff) diff = NULL;

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);
  g_return_val_if_fail (old_revision != NULL, NULL);

  git = open_for_diff (self, new_revision, error);
  if (git == NULL)
    return NULL;

  diff = open_diff (git, old_revision, new_revision, &whole, GIT_DIFF_SHOW_BINARY, error);
  return diff != NULL ? fore_git_write_patch (diff, error) : NULL;
}
