/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "git/fore-repository-private.h"
#include "model/fore-error.h"

#define DEFAULT_LOCK_WAIT_MS 60000
#define DEFAULT_HOOK_WAIT_MS 30000

struct _ForeRepository
{
  GObject parent_instance;

  char *git_dir;
  char *common_dir;
  char *workdir; /* NULL: bare */
  char *name;
  guint lock_wait; /* milliseconds */
  guint hook_wait; /* the same, for the hook after a tree was made */
};

G_DEFINE_FINAL_TYPE (ForeRepository, fore_repository, G_TYPE_OBJECT)

static char *
copy_folder (const char *path)
{
  char *copy = g_strdup (path);
  gsize length = copy != NULL ? strlen (copy) : 0;

  while (length > 1 && copy[length - 1] == '/')
    copy[--length] = '\0';

  return copy;
}

static char *
make_name (const char *workdir, const char *common_dir)
{
  char *name = g_path_get_basename (workdir != NULL ? workdir : common_dir);

  if (workdir == NULL && g_str_has_suffix (name, ".git") && strlen (name) > strlen (".git"))
    name[strlen (name) - strlen (".git")] = '\0';

  return name;
}

static ForeRepository *
new_repository (git_repository *git, const char *workdir)
{
  ForeRepository *self = g_object_new (FORE_TYPE_REPOSITORY, NULL);

  self->git_dir = copy_folder (git_repository_path (git));
  self->common_dir = copy_folder (git_repository_commondir (git));
  self->workdir = copy_folder (workdir);
  self->name = make_name (self->workdir, self->common_dir);

  return self;
}

static void
set_open_error (GError **error, int result, const char *path)
{
  const git_error *last = git_error_last ();
  const char *detail = last != NULL && last->message != NULL ? last->message : "";

  /* libgit2 1.5 says that the setting is missing when it means that nobody allowed the folder. */
  if (result == GIT_ENOTFOUND && strstr (detail, "safe.directory") != NULL)
    result = GIT_EOWNER;

  if (result == GIT_ENOTFOUND)
    g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                 _ ("“%s” is not in a git repository; choose another folder, or run “git init” "
                    "there"),
                 path);
  else if (result == GIT_EOWNER)
    g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
                 _ ("The repository at “%s” belongs to another user; if you trust it, add it to "
                    "safe.directory with “git config --global --add”"),
                 path);
  else if (strstr (detail, "unsupported") != NULL || strstr (detail, "unknown object") != NULL)
    g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
                 _ ("The repository at “%s” uses a newer format of git than Foredeck can handle; "
                    "clone it again without (%s)"),
                 path, detail);
  else
    g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
                 _ ("The repository at “%s” could not be opened: %s"), path, detail);
}

static void
fore_repository_finalize (GObject *object)
{
  ForeRepository *self = FORE_REPOSITORY (object);

  g_free (self->git_dir);
  g_free (self->common_dir);
  g_free (self->workdir);
  g_free (self->name);

  G_OBJECT_CLASS (fore_repository_parent_class)->finalize (object);
}

static void
fore_repository_class_init (ForeRepositoryClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fore_repository_finalize;
}

static void
fore_repository_init (ForeRepository *self)
{
  self->lock_wait = DEFAULT_LOCK_WAIT_MS;
  self->hook_wait = DEFAULT_HOOK_WAIT_MS;
}

/**
 * fore_repository_open:
 * @path: a folder inside the repository
 * @error: (nullable): return location; %FORE_ERROR_NOT_FOUND when there is none
 *
 * Finds the repository that @path lies in and checks that it can be used. The environment
 * (GIT_DIR and the like) is not looked at.
 *
 * Returns: (transfer full) (nullable): the repository
 */
ForeRepository *
fore_repository_open (const char *path, GError **error)
{
  g_autoptr (git_repository) git = NULL;
  int result;

  g_return_val_if_fail (path != NULL, NULL);

  fore_git_init ();
  result = git_repository_open_ext (&git, path, 0, NULL);
  if (result < 0)
    {
      set_open_error (error, result, path);
      return NULL;
    }

  return new_repository (git, git_repository_workdir (git));
}

/**
 * fore_repository_dup_top:
 * @path: a folder
 *
 * Finds the folder that a person means by a folder inside of a repository. Blocks on the disk.
 *
 * Returns: (transfer full): the repository's work folder, or @path where there is none
 */
char *
fore_repository_dup_top (const char *path)
{
  g_autoptr (ForeRepository) self = NULL;

  g_return_val_if_fail (path != NULL, NULL);

  self = fore_repository_open (path, NULL);

  return g_strdup (self != NULL && self->workdir != NULL ? self->workdir : path);
}

static gboolean
check_recorded (git_repository *git, const char *git_dir, GError **error)
{
  g_autofree char *entries = g_path_get_dirname (git_dir);
  g_autofree char *expected = g_path_get_dirname (entries);
  g_autofree char *common_dir = copy_folder (git_repository_commondir (git));

  if (g_str_equal (common_dir, expected))
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED,
               _ ("The worktree entry “%s” was changed and points to “%s”; remove the worktree"),
               git_dir, common_dir);
  return FALSE;
}

/**
 * fore_repository_open_tree:
 * @git_dir: the entry that was recorded when the worktree was made
 * @path: the worktree's folder
 * @error: (nullable): return location
 *
 * Opens a worktree without asking anything that stands in it.
 *
 * Returns: (transfer full) (nullable): the repository with the worktree as its work folder
 */
ForeRepository *
fore_repository_open_tree (const char *git_dir, const char *path, GError **error)
{
  g_autoptr (git_repository) git = NULL;
  int result;

  g_return_val_if_fail (git_dir != NULL, NULL);
  g_return_val_if_fail (path != NULL, NULL);

  if (g_file_test (path, G_FILE_TEST_IS_SYMLINK) || !g_file_test (path, G_FILE_TEST_IS_DIR))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                   _ ("The worktree “%s” is no longer a folder; retry the task"), path);
      return NULL;
    }

  fore_git_init ();
  result = git_repository_open_bare (&git, git_dir);
  if (result < 0)
    {
      set_open_error (error, result, git_dir);
      return NULL;
    }

  return check_recorded (git, git_dir, error) ? new_repository (git, path) : NULL;
}

/**
 * fore_repository_create:
 * @path: a folder, made when missing
 * @initial_branch: the branch that the first commit will be on
 * @error: (nullable): return location
 *
 * Makes an empty repository.
 *
 * Returns: (transfer full) (nullable): the repository
 */
ForeRepository *
fore_repository_create (const char *path, const char *initial_branch, GError **error)
{
  git_repository_init_options options = GIT_REPOSITORY_INIT_OPTIONS_INIT;
  g_autoptr (git_repository) git = NULL;
  int result;

  g_return_val_if_fail (path != NULL, NULL);
  g_return_val_if_fail (initial_branch != NULL, NULL);

  fore_git_init ();
  options.flags = GIT_REPOSITORY_INIT_NO_REINIT | GIT_REPOSITORY_INIT_MKDIR
                  | GIT_REPOSITORY_INIT_MKPATH;
  options.initial_head = initial_branch;
  result = git_repository_init_ext (&git, path, &options);
  if (result < 0)
    {
      fore_git_fail (error, result, _ ("The repository could not be made"));
      return NULL;
    }

  return new_repository (git, git_repository_workdir (git));
}

/**
 * fore_repository_get_workdir:
 * @self: a repository
 *
 * Returns: (transfer none) (nullable): its work folder, %NULL when it is bare
 */
const char *
fore_repository_get_workdir (ForeRepository *self)
{
  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);

  return self->workdir;
}

/**
 * fore_repository_get_git_dir:
 * @self: a repository
 *
 * Returns: (transfer none): the git folder of this work folder
 */
const char *
fore_repository_get_git_dir (ForeRepository *self)
{
  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);

  return self->git_dir;
}

/**
 * fore_repository_get_common_dir:
 * @self: a repository
 *
 * Returns: (transfer none): the git folder that all worktrees share
 */
const char *
fore_repository_get_common_dir (ForeRepository *self)
{
  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);

  return self->common_dir;
}

/**
 * fore_repository_get_name:
 * @self: a repository
 *
 * Returns: (transfer none): the name of its folder
 */
const char *
fore_repository_get_name (ForeRepository *self)
{
  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);

  return self->name;
}

/**
 * fore_repository_set_lock_wait:
 * @self: a repository that no other thread uses yet
 * @milliseconds: how long to wait for other programs
 *
 * Changes the minute that a write waits for its turn.
 */
void
fore_repository_set_lock_wait (ForeRepository *self, guint milliseconds)
{
  g_return_if_fail (FORE_IS_REPOSITORY (self));

  self->lock_wait = milliseconds;
}

/**
 * fore_repository_get_lock_wait:
 * @self: a repository
 *
 * Returns: how long a write waits for other programs, in milliseconds
 */
guint
fore_repository_get_lock_wait (ForeRepository *self)
{
  g_return_val_if_fail (FORE_IS_REPOSITORY (self), 0);

  return self->lock_wait;
}

/**
 * fore_repository_set_hook_wait:
 * @self: a repository that no other thread uses yet
 * @milliseconds: how long the hook may take that runs after a tree was made
 *
 * Changes the half minute that a post-checkout hook is given.
 */
void
fore_repository_set_hook_wait (ForeRepository *self, guint milliseconds)
{
  g_return_if_fail (FORE_IS_REPOSITORY (self));

  self->hook_wait = milliseconds;
}

/**
 * fore_repository_get_hook_wait:
 * @self: a repository
 *
 * Returns: how long the hook may take that runs after a tree was made, in milliseconds
 */
guint
fore_repository_get_hook_wait (ForeRepository *self)
{
  g_return_val_if_fail (FORE_IS_REPOSITORY (self), 0);

  return self->hook_wait;
}

/**
 * fore_repository_open_git:
 * @self: a repository
 * @error: (nullable): return location
 *
 * Opens the repository for one job in one thread. Nothing is looked for and no format is checked:
 * folders and format are known already, files that an agent can write are not asked, and libgit2
 * 1.5 loses 16 kB for each setting whenever it checks a repository of format 1.
 *
 * Returns: (transfer full) (nullable): a handle that must not leave this thread
 */
git_repository *
fore_repository_open_git (ForeRepository *self, GError **error)
{
  g_autoptr (git_repository) git = NULL;
  int result = git_repository_open_bare (&git, self->git_dir);

  if (result == 0 && self->workdir != NULL)
    result = git_repository_set_workdir (git, self->workdir, FALSE);

  if (result < 0)
    {
      set_open_error (error, result, self->workdir != NULL ? self->workdir : self->git_dir);
      return NULL;
    }

  return g_steal_pointer (&git);
}

/**
 * fore_repository_require_workdir:
 * @self: a repository
 * @error: (nullable): return location
 *
 * Returns: %FALSE with @error set when @self is bare
 */
gboolean
fore_repository_require_workdir (ForeRepository *self, GError **error)
{
  if (self->workdir != NULL)
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED,
               _ ("“%s” is a bare repository without files; choose a clone of it"),
               self->common_dir);
  return FALSE;
}
