/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <errno.h>
#include <git2/sys/mempack.h>
#include <git2/sys/odb_backend.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "git/fore-git-program.h"
#include "git/fore-git.h"
#include "model/fore-error.h"

/* Above the priorities of a repository's own stores, so that what is written goes here. */
#define SCRATCH_PRIORITY 100
#define MEMORY_PRIORITY 200

#define LOCK_TRIES 20
#define LOCK_WAIT_US 50000

/* Extensions that change nothing in what is read or written here. */
static const char *known_extensions[] = { "worktreeconfig", "preciousobjects" };

static const struct
{
  int result;
  ForeErrorCode code;
} result_codes[] = {
  { GIT_ENOTFOUND, FORE_ERROR_NOT_FOUND },     { GIT_EEXISTS, FORE_ERROR_REFUSED },
  { GIT_EUNBORNBRANCH, FORE_ERROR_REFUSED },   { GIT_EBAREREPO, FORE_ERROR_REFUSED },
  { GIT_EMERGECONFLICT, FORE_ERROR_CONFLICT }, { GIT_ECONFLICT, FORE_ERROR_CONFLICT },
  { GIT_EUNMERGED, FORE_ERROR_CONFLICT },      { GIT_ELOCKED, FORE_ERROR_BUSY },
  { GIT_EMODIFIED, FORE_ERROR_STALE },         { GIT_EINVALIDSPEC, FORE_ERROR_INVALID },
  { GIT_EAMBIGUOUS, FORE_ERROR_INVALID },      { GIT_EOWNER, FORE_ERROR_ENVIRONMENT },
};

static ForeErrorCode
find_code (int result, const char *detail)
{
  if (strstr (detail, g_strerror (ENOSPC)) != NULL)
    return FORE_ERROR_NO_SPACE;

  for (guint i = 0; i < G_N_ELEMENTS (result_codes); i++)
    {
      if (result_codes[i].result == result)
        return result_codes[i].code;
    }

  return FORE_ERROR_FAILED;
}

/**
 * fore_git_init:
 *
 * Makes libgit2 ready, once. What is written below a git folder is synced to the disk.
 */
void
fore_git_init (void)
{
  static gsize once = 0;

  if (!g_once_init_enter (&once))
    return;

  git_libgit2_init ();
  git_libgit2_opts (GIT_OPT_ENABLE_FSYNC_GITDIR, 1);
  git_libgit2_opts (GIT_OPT_SET_OWNER_VALIDATION, 1);
  git_libgit2_opts (GIT_OPT_SET_EXTENSIONS, known_extensions, G_N_ELEMENTS (known_extensions));
  fore_git_register_filters ();
  g_once_init_leave (&once, 1);
}

/**
 * fore_git_fail:
 * @error: (nullable): where to put the error
 * @result: the negative result of a libgit2 call that has just failed in this thread
 * @sentence: what could not be done and what to do, in the person's language, no full stop
 *
 * Puts together an error from @sentence and libgit2's own words.
 *
 * Returns: always %FALSE
 */
gboolean
fore_git_fail (GError **error, int result, const char *sentence)
{
  const git_error *last = git_error_last ();
  const char *detail = last != NULL && last->message != NULL ? last->message : "";

  if (*detail == '\0')
    g_set_error_literal (error, FORE_ERROR, find_code (result, detail), sentence);
  else
    g_set_error (error, FORE_ERROR, find_code (result, detail), "%s: %s", sentence, detail);

  return FALSE;
}

/**
 * fore_git_oid_to_string:
 * @oid: an object's id
 *
 * Returns: (transfer full): its 40 hexadecimal digits
 */
char *
fore_git_oid_to_string (const git_oid *oid)
{
  char *text = g_malloc (GIT_OID_HEXSZ + 1);

  return git_oid_tostr (text, GIT_OID_HEXSZ + 1, oid);
}

static git_object *
look_up (git_repository *git, const char *revision, git_object_t type, GError **error)
{
  g_autoptr (git_object) object = NULL;
  git_object *peeled = NULL;
  g_autofree char *sentence = NULL;
  int result = git_revparse_single (&object, git, revision);

  if (result == 0)
    result = git_object_peel (&peeled, object, type);

  if (result == 0)
    return peeled;

  sentence = g_strdup_printf (_ ("“%s” is not a commit of this repository; name another"),
                              revision);
  fore_git_fail (error, result, sentence);
  return NULL;
}

/**
 * fore_git_lookup_commit:
 * @git: an open repository
 * @commit: an id or any other revision
 * @error: (nullable): return location
 *
 * Returns: (transfer full) (nullable): the commit
 */
git_commit *
fore_git_lookup_commit (git_repository *git, const char *commit, GError **error)
{
  return (git_commit *) look_up (git, commit, GIT_OBJECT_COMMIT, error);
}

/**
 * fore_git_lookup_tree:
 * @git: an open repository
 * @revision: a commit, a tree or any other revision
 * @error: (nullable): return location
 *
 * Returns: (transfer full) (nullable): the tree
 */
git_tree *
fore_git_lookup_tree (git_repository *git, const char *revision, GError **error)
{
  return (git_tree *) look_up (git, revision, GIT_OBJECT_TREE, error);
}

/* Where git looks for a name or an address: git(1), "Git Commits", and user.name in git-config(1).
 */
static char *
find_ident (git_config *config, const char *variable, const char *role_key, const char *user_key)
{
  g_auto (git_buf) value = { NULL, 0, 0 };
  const char *text = g_getenv (variable);

  if (text != NULL && *text != '\0')
    return g_strdup (text);
  if (config != NULL
      && (git_config_get_string_buf (&value, config, role_key) == 0
          || git_config_get_string_buf (&value, config, user_key) == 0))
    return g_strdup (value.ptr);

  return NULL;
}

static git_signature *
find_signature (git_repository *git, gboolean committer)
{
  g_autoptr (git_config) config = NULL;
  g_autofree char *name = NULL;
  g_autofree char *email = NULL;
  git_signature *signature = NULL;

  if (git_repository_config (&config, git) != 0)
    config = NULL;
  name = find_ident (config, committer ? "GIT_COMMITTER_NAME" : "GIT_AUTHOR_NAME",
                     committer ? "committer.name" : "author.name", "user.name");
  email = find_ident (config, committer ? "GIT_COMMITTER_EMAIL" : "GIT_AUTHOR_EMAIL",
                      committer ? "committer.email" : "author.email", "user.email");
  if (email == NULL && g_getenv ("EMAIL") != NULL && *g_getenv ("EMAIL") != '\0')
    email = g_strdup (g_getenv ("EMAIL"));

  return name != NULL && email != NULL && git_signature_now (&signature, name, email) == 0
             ? signature
             : NULL;
}

static git_signature *
require_signature (git_signature *signature, GError **error)
{
  if (signature == NULL)
    g_set_error_literal (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
                         _ ("Git does not know your name and e-mail address; set user.name and "
                            "user.email with “git config --global”"));
  return signature;
}

/**
 * fore_git_make_signature:
 * @git: an open repository
 * @author: (nullable): who; %NULL takes whom git itself would take for the author
 * @error: (nullable): return location
 *
 * Returns: (transfer full) (nullable): a signature of now
 */
git_signature *
fore_git_make_signature (git_repository *git, const ForeIdentity *author, GError **error)
{
  git_signature *signature = NULL;

  if (author == NULL)
    return require_signature (find_signature (git, FALSE), error);
  if (git_signature_now (&signature, author->name, author->email) != 0)
    signature = NULL;

  return require_signature (signature, error);
}

/**
 * fore_git_make_committer:
 * @git: an open repository
 * @error: (nullable): return location
 *
 * Returns: (transfer full) (nullable): a signature of now, of whom git itself would take for the
 *   committer
 */
git_signature *
fore_git_make_committer (git_repository *git, GError **error)
{
  return require_signature (find_signature (git, TRUE), error);
}

/**
 * fore_git_create_commit:
 * @git: an open repository
 * @oid: (out caller-allocates): the id of the commit
 * @update_ref: (nullable): the ref that moves from the first parent to the commit
 * @author: (nullable): who; %NULL takes whom git itself would take
 * @message: the whole message
 * @tree: what is committed
 * @parents: (array length=n_parents): the parents
 * @n_parents: how many
 * @error: (nullable): return location
 *
 * Writes a commit.
 *
 * Returns: %FALSE with @error set
 */
gboolean
fore_git_create_commit (git_repository *git,
                        git_oid *oid,
                        const char *update_ref,
                        const ForeIdentity *author,
                        const char *message,
                        git_tree *tree,
                        git_commit *const *parents,
                        gsize n_parents,
                        GError **error)
{
  g_autoptr (git_signature) signature = fore_git_make_signature (git, author, error);
  g_autoptr (git_signature) committer = NULL;
  int result;

  if (signature == NULL)
    return FALSE;
  if (author == NULL && (committer = fore_git_make_committer (git, error)) == NULL)
    return FALSE;

  result = git_commit_create (oid, git, update_ref, signature,
                              committer != NULL ? committer : signature, "UTF-8", message, tree,
                              n_parents, (const git_commit **) parents);
  if (result < 0)
    return fore_git_fail (error, result, _ ("The commit could not be written"));

  return TRUE;
}

static gboolean
add_backend (git_repository *git, git_odb_backend *backend, int priority, GError **error)
{
  g_autoptr (git_odb) odb = NULL;
  int result = git_repository_odb (&odb, git);

  if (result == 0)
    result = git_odb_add_backend (odb, backend, priority);

  if (result == 0)
    return TRUE;

  backend->free (backend);
  return fore_git_fail (error, result, _ ("The repository's objects could not be opened"));
}

/**
 * fore_git_add_scratch:
 * @git: an open repository
 * @scratch_dir: a folder of ours, made when missing
 * @error: (nullable): return location
 *
 * Sends all objects that @git writes from now on to @scratch_dir, and reads from there too.
 *
 * Returns: %FALSE with @error set
 */
gboolean
fore_git_add_scratch (git_repository *git, const char *scratch_dir, GError **error)
{
  git_odb_backend *backend;
  int result;

  if (g_mkdir_with_parents (scratch_dir, 0700) != 0)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
                   _ ("The folder “%s” could not be made: %s"), scratch_dir, g_strerror (errno));
      return FALSE;
    }

  result = git_odb_backend_loose (&backend, scratch_dir, -1, FALSE, 0700, 0600);
  if (result < 0)
    return fore_git_fail (error, result, _ ("The scratch folder could not be opened"));

  return add_backend (git, backend, SCRATCH_PRIORITY, error);
}

/**
 * fore_git_add_memory:
 * @git: an open repository
 * @error: (nullable): return location
 *
 * Keeps all objects that @git writes from now on in memory, until it is freed.
 *
 * Returns: %FALSE with @error set
 */
gboolean
fore_git_add_memory (git_repository *git, GError **error)
{
  git_odb_backend *backend;
  int result = git_mempack_new (&backend);

  if (result < 0)
    return fore_git_fail (error, result, _ ("There is not enough memory"));

  return add_backend (git, backend, MEMORY_PRIORITY, error);
}

/**
 * fore_git_outlast_lock:
 * @path: a lock file of git's, of something that nobody writes for longer than a moment
 *
 * A program that died while it wrote leaves its lock behind: one that outlasts that moment is
 * nobody's, and is removed. Blocks for a second at most.
 *
 * Returns: whether the lock is gone
 */
gboolean
fore_git_outlast_lock (const char *path)
{
  for (guint i = 0; i < LOCK_TRIES; i++)
    {
      if (!g_file_test (path, G_FILE_TEST_EXISTS))
        return TRUE;
      g_usleep (LOCK_WAIT_US);
    }

  return g_unlink (path) == 0 || errno == ENOENT;
}

/* Refs below foredeck/ are written by whoever holds the write lock, and by an agent's own git. */
static gboolean
outlast_lock (git_repository *git, const char *ref_name)
{
  g_autofree char *lock = NULL;

  if (!g_str_has_prefix (ref_name, "refs/heads/foredeck/")
      && !g_str_has_prefix (ref_name, "refs/foredeck/"))
    return FALSE;

  lock = g_strconcat (git_repository_commondir (git), "/", ref_name, ".lock", NULL);

  return fore_git_outlast_lock (lock);
}

static int
create_ref (git_repository *git, const char *ref_name, const git_oid *oid, const char *log)
{
  g_autoptr (git_reference) ref = NULL;

  return git_reference_create (&ref, git, ref_name, oid, FALSE, log);
}

static int
swap_ref (git_repository *git,
          const char *ref_name,
          const git_oid *new_oid,
          const git_oid *old_oid,
          const char *log)
{
  g_autoptr (git_reference) ref = NULL;

  return git_reference_create_matching (&ref, git, ref_name, new_oid, TRUE, old_oid, log);
}

/**
 * fore_git_create_ref:
 * @git: an open repository
 * @ref_name: full name of a ref that must not exist
 * @oid: where it shall point
 * @log: one line for the reflog
 *
 * Makes a ref. A handle of a worktree looks for taken names in the wrong folder and would write
 * over them, hence the handle of the common folder.
 *
 * Returns: 0, %GIT_EEXISTS or another error of libgit2
 */
int
fore_git_create_ref (git_repository *git, const char *ref_name, const git_oid *oid, const char *log)
{
  g_autoptr (git_repository) common = NULL;
  int result = git_repository_open_bare (&common, git_repository_commondir (git));

  if (result < 0)
    return result;

  result = create_ref (common, ref_name, oid, log);
  if (result == GIT_ELOCKED && outlast_lock (git, ref_name))
    result = create_ref (common, ref_name, oid, log);

  return result;
}

/**
 * fore_git_remove_ref:
 * @git: an open repository
 * @ref_name: full name of a ref
 *
 * Removes a ref, past the lock that a program that died may have left.
 *
 * Returns: 0 or an error of libgit2, %GIT_ENOTFOUND if there is no such ref
 */
int
fore_git_remove_ref (git_repository *git, const char *ref_name)
{
  int result = git_reference_remove (git, ref_name);

  if (result == GIT_ELOCKED && outlast_lock (git, ref_name))
    result = git_reference_remove (git, ref_name);

  return result;
}

/**
 * fore_git_swap_branch:
 * @git: an open repository
 * @ref_name: full name of a branch
 * @new_oid: where it shall point
 * @old_oid: (nullable): where it must point now; %NULL: it must not exist
 * @log: one line for the reflog
 * @error: (nullable): return location, %FORE_ERROR_STALE when it points elsewhere
 *
 * Moves a branch by compare-and-swap.
 *
 * Returns: %FALSE with @error set
 */
gboolean
fore_git_swap_branch (git_repository *git,
                      const char *ref_name,
                      const git_oid *new_oid,
                      const git_oid *old_oid,
                      const char *log,
                      GError **error)
{
  g_autofree char *sentence = NULL;
  int result;

  if (old_oid == NULL)
    result = fore_git_create_ref (git, ref_name, new_oid, log);
  else
    {
      result = swap_ref (git, ref_name, new_oid, old_oid, log);
      if (result == GIT_ELOCKED && outlast_lock (git, ref_name))
        result = swap_ref (git, ref_name, new_oid, old_oid, log);
    }

  if (result == 0)
    return TRUE;

  if (result == GIT_EEXISTS || result == GIT_ENOTFOUND)
    result = GIT_EMODIFIED;

  sentence = g_strdup_printf (_ ("The branch “%s” was moved by someone else; look again"),
                              ref_name);
  return fore_git_fail (error, result, sentence);
}
