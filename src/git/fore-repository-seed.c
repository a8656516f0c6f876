/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "git/fore-folder.h"
#include "git/fore-repository-private.h"
#include "model/fore-error.h"

#define INCLUDE_NAME ".worktreeinclude"
#define MAX_INCLUDE_SIZE (64 * 1024)
#define MAX_SEED_FILES 20000
#define MAX_SEED_BYTES ((guint64) 512 * 1024 * 1024)
#define MAX_DEPTH 64

/* What git ignores and a tree needs all the same: settings, keys of a test server, packages. Only
 * what is ignored is copied: anything else would be taken for work of the agent.
 */
typedef struct
{
  ForeRepository *self;
  const char *tree;
  git_repository *git; /* of the tree */
  GPtrArray *patterns;
  GString *log;
  guint n_files;
  guint64 bytes;
} SeedJob;

static void
add_pattern (GPtrArray *patterns, const char *text)
{
  g_autofree char *line = g_strstrip (g_strdup (text));
  gsize length = strlen (line);

  while (length > 0 && line[length - 1] == '/')
    line[--length] = '\0';
  if (length > 0 && *line != '#' && *line != '!')
    g_ptr_array_add (patterns, g_steal_pointer (&line));
}

static void
read_include (GPtrArray *patterns, const char *main_dir)
{
  g_autofree char *path = g_build_filename (main_dir, INCLUDE_NAME, NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  gsize length;

  if (fore_folder_look_up (main_dir, INCLUDE_NAME) != FORE_PATH_FILE
      || !g_file_get_contents (path, &text, &length, NULL) || length > MAX_INCLUDE_SIZE)
    return;

  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    add_pattern (patterns, lines[i]);
}

/* As in .gitignore: with a slash from the top, without one anywhere. */
static gboolean
matches (const SeedJob *job, const char *path)
{
  g_autofree char *name = g_path_get_basename (path);

  for (guint i = 0; i < job->patterns->len; i++)
    {
      const char *pattern = g_ptr_array_index (job->patterns, i);
      const char *from_top = *pattern == '/' ? pattern + 1 : pattern;

      if (g_pattern_match_simple (from_top, strchr (pattern, '/') != NULL ? path : name))
        return TRUE;
    }

  return FALSE;
}

static gboolean
is_ignored (const SeedJob *job, const char *path)
{
  int ignored = 0;

  return git_ignore_path_is_ignored (&ignored, job->git, path) == 0 && ignored;
}

static gboolean
copy_file (SeedJob *job, const char *from, const char *path, GError **error)
{
  g_autofree char *to = g_build_filename (job->tree, path, NULL);
  g_autofree char *parent = g_path_get_dirname (to);
  g_autofree char *above = g_path_get_dirname (path);
  g_autoptr (GFile) source = g_file_new_for_path (from);
  g_autoptr (GFile) target = g_file_new_for_path (to);
  GStatBuf info;

  if (!is_ignored (job, path) || fore_folder_look_up (job->tree, path) != FORE_PATH_MISSING
      || g_lstat (from, &info) != 0)
    return TRUE;

  job->bytes += (guint64) info.st_size;
  if (++job->n_files > MAX_SEED_FILES || job->bytes > MAX_SEED_BYTES)
    {
      g_set_error_literal (error, FORE_ERROR, FORE_ERROR_LIMIT,
                           _ ("More is to be copied into each tree than makes sense; link large "
                              "folders with git.link instead"));
      return FALSE;
    }

  /* Nothing is made behind a link that leads out of the tree. */
  if (!g_str_equal (above, ".") && fore_folder_look_up (job->tree, above) == FORE_PATH_LINK)
    return TRUE;
  if (g_mkdir_with_parents (parent, 0755) != 0
      || !g_file_copy (source, target, G_FILE_COPY_NOFOLLOW_SYMLINKS, NULL, NULL, NULL, error))
    return FALSE;

  g_string_append_printf (job->log, "copied %s\n", path);
  return TRUE;
}

static gboolean walk (SeedJob *job, const char *path, gboolean all, guint depth, GError **error);

static gboolean
visit (SeedJob *job, const char *path, gboolean all, guint depth, GError **error)
{
  const char *main_dir = fore_repository_get_workdir (job->self);
  g_autofree char *full = g_build_filename (main_dir, path, NULL);

  all |= matches (job, path);
  switch (fore_folder_look_up (main_dir, path))
    {
    case FORE_PATH_FOLDER:
      return (!all && fore_git_is_remade (path)) || walk (job, path, all, depth + 1, error);

    case FORE_PATH_FILE:
    case FORE_PATH_LINK:
      return !all || copy_file (job, full, path, error);

    case FORE_PATH_MISSING:
    case FORE_PATH_OTHER:
    default:
      return TRUE;
    }
}

static gboolean
walk (SeedJob *job, const char *path, gboolean all, guint depth, GError **error)
{
  g_autofree char *full = g_build_filename (fore_repository_get_workdir (job->self), path, NULL);
  g_autoptr (GDir) dir = depth < MAX_DEPTH ? g_dir_open (full, 0, NULL) : NULL;
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *below = *path != '\0' ? g_build_filename (path, name, NULL)
                                             : g_strdup (name);

      if (g_ascii_strcasecmp (name, ".git") != 0 && !visit (job, below, all, depth, error))
        return FALSE;
    }

  return TRUE;
}

static gboolean
link_one (SeedJob *job, const char *path, GError **error)
{
  const char *main_dir = fore_repository_get_workdir (job->self);
  g_autofree char *from = g_build_filename (main_dir, path, NULL);
  g_autofree char *to = g_build_filename (job->tree, path, NULL);
  g_autofree char *parent = g_path_get_dirname (to);
  g_autoptr (GFile) target = g_file_new_for_path (to);
  g_autoptr (GError) problem = NULL;

  if (g_path_is_absolute (path) || fore_folder_look_up (main_dir, path) == FORE_PATH_MISSING
      || fore_folder_look_up (job->tree, path) != FORE_PATH_MISSING)
    return TRUE;

  if (g_mkdir_with_parents (parent, 0755) != 0
      || !g_file_make_symbolic_link (target, from, NULL, &problem))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT, _ ("“%s” could not be linked: %s"),
                   path, problem != NULL ? problem->message : g_strerror (errno));
      return FALSE;
    }

  g_string_append_printf (job->log, "linked %s\n", path);
  return TRUE;
}

/**
 * fore_repository_seed_tree:
 * @self: the person's own checkout
 * @worktree: a new tree of it in which nobody has worked yet
 * @copy: (nullable) (array zero-terminated=1): patterns of ignored files to copy, beside those of
 *   the checkout's .worktreeinclude
 * @links: (nullable) (array zero-terminated=1): folders or files to link to
 * @error: (nullable): return location
 *
 * Gives a tree what git does not: ignored files that match, copied, and links. What is there
 * already stays; tracked files are never touched.
 *
 * Returns: (transfer full) (nullable): a line for each, empty when there was nothing to do
 */
char *
fore_repository_seed_tree (ForeRepository *self,
                           const ForeWorktree *worktree,
                           const char *const *copy,
                           const char *const *links,
                           GError **error)
{
  g_autoptr (GPtrArray) patterns = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) log = g_string_new (NULL);
  g_autoptr (ForeRepository) tree = NULL;
  g_autoptr (git_repository) git = NULL;
  SeedJob job = { self, NULL, NULL, patterns, log };

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);
  g_return_val_if_fail (worktree != NULL, NULL);

  if (fore_repository_get_workdir (self) == NULL)
    return g_strdup ("");

  for (gsize i = 0; copy != NULL && copy[i] != NULL; i++)
    add_pattern (patterns, copy[i]);
  read_include (patterns, fore_repository_get_workdir (self));

  tree = fore_repository_open_tree (worktree->git_dir, worktree->path, error);
  git = tree != NULL ? fore_repository_open_git (tree, error) : NULL;
  if (git == NULL)
    return NULL;

  job.tree = worktree->path;
  job.git = git;
  for (gsize i = 0; links != NULL && links[i] != NULL; i++)
    {
      if (!link_one (&job, links[i], error))
        return NULL;
    }
  if (patterns->len > 0 && !walk (&job, "", FALSE, 0, error))
    return NULL;

  return g_string_free (g_steal_pointer (&log), FALSE);
}
