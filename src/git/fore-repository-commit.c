/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "git/fore-git-module.h"
#include "git/fore-repository-private.h"
#include "model/fore-error.h"

#define MAX_COUNTED_COMMITS 1000

static git_tree *
stage_all (git_repository *git, GError **error)
{
  g_autoptr (git_index) index = NULL;
  git_tree *tree = NULL;
  git_oid oid;
  int result = git_repository_index (&index, git);

  if (result == 0 && !fore_git_stage_folder (git, index, NULL, error))
    return NULL;

  if (result == 0)
    result = git_index_write (index);
  if (result == 0)
    result = git_index_write_tree (&oid, index);
  if (result == 0)
    result = git_tree_lookup (&tree, git, &oid);

  if (result < 0)
    fore_git_fail (error, result, _ ("The files could not be committed"));

  return tree;
}

/**
 * fore_repository_commit_all:
 * @self: a repository with a work folder
 * @message: the message
 * @author: (nullable): who; %NULL takes git's settings
 * @error: (nullable): return location
 *
 * Commits everything that is not ignored to the branch of HEAD, also as its first commit.
 *
 * Returns: (transfer full) (nullable): the commit's id
 */
char *
fore_repository_commit_all (ForeRepository *self,
                            const char *message,
                            const ForeIdentity *author,
                            GError **error)
{
  g_autoptr (ForeWriteLock) lock = NULL;
  g_autoptr (git_repository) git = NULL;
  g_autoptr (git_commit) parent = NULL;
  g_autoptr (git_tree) tree = NULL;
  git_oid oid;
  gboolean born;

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);
  g_return_val_if_fail (message != NULL, NULL);

  if (!fore_repository_require_workdir (self, error)
      || (lock = fore_write_lock_acquire (self, error)) == NULL
      || (git = fore_repository_open_git (self, error)) == NULL
      || (tree = stage_all (git, error)) == NULL)
    return NULL;

  born = git_reference_name_to_id (&oid, git, "HEAD") == 0
         && git_commit_lookup (&parent, git, &oid) == 0;
  if (!fore_git_create_commit (git, &oid, "HEAD", author, message, tree, &parent, born ? 1 : 0,
                               error))
    return NULL;

  return fore_git_oid_to_string (&oid);
}

/* One tree that is being committed. */
typedef struct
{
  ForeRepository *self;
  git_repository *git;
  const char *branch;
  char *ref_name;
  git_commit *base;
  git_commit *head; /* NULL: the agent left an unborn branch */
  git_commit *tip;  /* of the task branch; NULL: the agent removed it */
  git_tree *tree;   /* what stands in the folder */
  git_commit *parents[3];
  gsize n_parents;
} CommitJob;

static void
commit_job_clear (CommitJob *job)
{
  git_repository_free (job->git);
  g_free (job->ref_name);
  git_commit_free (job->base);
  git_commit_free (job->head);
  git_commit_free (job->tip);
  git_tree_free (job->tree);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CommitJob, commit_job_clear)

static git_commit *
look_up_ref (git_repository *git, const char *name)
{
  git_commit *commit = NULL;
  git_oid oid;

  if (git_reference_name_to_id (&oid, git, name) != 0
      || git_commit_lookup (&commit, git, &oid) != 0)
    return NULL;

  return commit;
}

static void
add_parent (CommitJob *job, git_commit *commit)
{
  if (commit == NULL)
    return;

  for (gsize i = 0; i < job->n_parents; i++)
    {
      if (fore_git_reaches (job->git, job->parents[i], commit))
        return;
    }

  job->parents[job->n_parents++] = commit;
}

/* Whatever the agent did to HEAD and branch, the base and all of its commits stay reachable, and
 * the base stays an ancestor, as merges need it.
 */
static void
choose_parents (CommitJob *job)
{
  if (job->head != NULL && fore_git_reaches (job->git, job->head, job->base))
    add_parent (job, job->head);
  else
    add_parent (job, job->base);

  if (job->tip != NULL && fore_git_reaches (job->git, job->tip, job->parents[0]))
    job->n_parents = 0;

  add_parent (job, job->tip);
  add_parent (job, job->head);
}

static gboolean
needs_commit (CommitJob *job)
{
  return job->n_parents > 1
         || !git_oid_equal (git_tree_id (job->tree), git_commit_tree_id (job->parents[0]));
}

static gboolean
write_commit (
    CommitJob *job, const ForeIdentity *author, const char *message, git_oid *oid, GError **error)
{
  if (!needs_commit (job))
    {
      *oid = *git_commit_id (job->parents[0]);
      return TRUE;
    }

  return fore_git_create_commit (job->git, oid, NULL, author, message, job->tree, job->parents,
                                 job->n_parents, error);
}

/* The worktree is ours: after the commit its branch is checked out and clean, with nothing half
 * done, so that checks and a further attempt start from a known state.
 */
static gboolean
settle_tree (CommitJob *job, GError **error)
{
  const char *git_dir = fore_repository_get_git_dir (job->self);
  g_autofree char *lock_path = g_build_filename (git_dir, "index.lock", NULL);
  g_autofree char *our_path = g_build_filename (git_dir, FORE_INDEX_NAME, NULL);
  g_autofree char *index_path = g_build_filename (git_dir, "index", NULL);
  g_autoptr (git_reference) head = NULL;
  g_autoptr (git_index) index = NULL;
  g_autofree char *bytes = NULL;
  gsize length;
  int result = git_repository_index (&index, job->git);

  if (result == 0)
    result = git_index_write (index);
  if (result == 0)
    result = git_reference_symbolic_create (&head, job->git, "HEAD", job->ref_name, TRUE,
                                            "foredeck: back on the task's branch");
  if (result < 0)
    return fore_git_fail (error, result, _ ("The worktree could not be brought in order"));

  git_repository_state_cleanup (job->git);
  g_unlink (lock_path);
  return g_file_get_contents (our_path, &bytes, &length, error)
         && g_file_set_contents (index_path, bytes, length, error);
}

static gboolean
move_branch (CommitJob *job, const git_oid *oid, GError **error)
{
  if (job->tip != NULL && git_oid_equal (git_commit_id (job->tip), oid))
    return TRUE;

  return fore_git_swap_branch (job->git, job->ref_name, oid,
                               job->tip != NULL ? git_commit_id (job->tip) : NULL,
                               "foredeck: work of the task", error);
}

static guint
count_agent_commits (CommitJob *job)
{
  git_revwalk *walk = NULL;
  git_oid oid;
  guint n = 0;

  if (git_revwalk_new (&walk, job->git) != 0)
    return 0;

  if (job->head != NULL)
    git_revwalk_push (walk, git_commit_id (job->head));
  if (job->tip != NULL)
    git_revwalk_push (walk, git_commit_id (job->tip));
  git_revwalk_hide (walk, git_commit_id (job->base));
  while (n < MAX_COUNTED_COMMITS && git_revwalk_next (&oid, walk) == 0)
    n++;

  git_revwalk_free (walk);
  return n;
}

static gboolean
list_job_changes (CommitJob *job, ForeTreeCommit *result, GError **error)
{
  g_autoptr (git_tree) base_tree = NULL;
  g_autoptr (git_diff) diff = NULL;
  int code = git_commit_tree (&base_tree, job->base);

  if (code < 0)
    return fore_git_fail (error, code, _ ("The base of the task could not be read"));

  diff = fore_git_diff_trees (job->git, base_tree, job->tree, error);
  if (diff == NULL)
    return FALSE;

  result->changes = fore_git_list_changes (job->git, diff, error);
  return result->changes != NULL;
}

static void
describe_head (CommitJob *job, ForeTreeCommit *result)
{
  g_autofree char *head_branch = fore_git_read_head_branch (
      fore_repository_get_git_dir (job->self));

  result->was_detached = head_branch == NULL;
  if (g_strcmp0 (head_branch, job->branch) != 0)
    result->agent_branch = g_steal_pointer (&head_branch);
  result->n_agent_commits = count_agent_commits (job);
}

/* A HEAD that says nothing sensible keeps libgit2 from moving any branch. */
static gboolean
repair_head (CommitJob *job, GError **error)
{
  g_autofree char *path = g_build_filename (fore_repository_get_git_dir (job->self), "HEAD", NULL);
  g_autofree char *text = g_strdup_printf ("ref: %s\n", job->ref_name);
  g_autoptr (git_reference) head = NULL;

  return git_reference_lookup (&head, job->git, "HEAD") == 0
         || g_file_set_contents (path, text, -1, error);
}

/* Nobody works in the tree any more, and who holds the write lock writes alone: these locks are of
 * somebody who died.
 */
static void
drop_dead_locks (ForeRepository *self)
{
  static const char *const names[] = { FORE_INDEX_NAME ".lock", "index.lock", "HEAD.lock" };
  const char *git_dir = fore_repository_get_git_dir (self);

  if (g_str_equal (git_dir, fore_repository_get_common_dir (self)))
    return;

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (git_dir, names[i], NULL);

      g_unlink (path);
    }
}

static gboolean
open_job (CommitJob *job, const char *base, GError **error)
{
  drop_dead_locks (job->self);
  job->git = fore_repository_open_git (job->self, error);
  if (job->git == NULL)
    return FALSE;

  job->base = fore_git_lookup_commit (job->git, base, error);
  if (job->base == NULL)
    return FALSE;

  job->ref_name = g_strconcat ("refs/heads/", job->branch, NULL);
  if (!repair_head (job, error))
    return FALSE;

  job->head = look_up_ref (job->git, "HEAD");
  job->tip = look_up_ref (job->git, job->ref_name);
  return TRUE;
}

static gboolean
run_commit (CommitJob *job,
            const char *message,
            const ForeIdentity *author,
            ForeTreeCommit *result,
            GError **error)
{
  g_autoptr (GPtrArray) nested = g_ptr_array_new_with_free_func (g_free);
  git_oid oid;

  job->tree = fore_git_write_tree (job->self, job->git, job->base, NULL, nested, error);
  if (job->tree == NULL)
    return FALSE;

  describe_head (job, result);
  choose_parents (job);
  if (!list_job_changes (job, result, error) || !write_commit (job, author, message, &oid, error)
      || !move_branch (job, &oid, error) || !settle_tree (job, error))
    return FALSE;

  g_ptr_array_add (nested, NULL);
  result->nested = (char **) g_ptr_array_steal (nested, NULL);
  result->commit = fore_git_oid_to_string (result->changes->len > 0 ? &oid
                                                                    : git_commit_id (job->base));
  return TRUE;
}

static void
add_nested_notes (ForeRepository *self, ForeTreeCommit *result, GPtrArray *notes)
{
  for (guint i = 0; result->nested[i] != NULL; i++)
    g_ptr_array_add (notes,
                     g_strdup_printf (_ ("“%s” is a repository of its own: its files are in the "
                                         "result, its commits only in %s/%s."),
                                      result->nested[i], fore_repository_get_workdir (self),
                                      result->nested[i]));

  g_ptr_array_add (notes, NULL);
  result->notes = (char **) g_ptr_array_steal (notes, NULL);
}

/**
 * fore_repository_commit_tree:
 * @self: a worktree, opened with fore_repository_open_tree()
 * @branch: the task's branch
 * @base: the commit that the task started from
 * @message: the message of the commit, if one must be made
 * @author: (nullable): who; %NULL takes git's settings
 * @error: (nullable): return location
 *
 * Commits what an agent left to @branch: changed, new and deleted files that are not ignored, and
 * the commits that it made itself, on @branch, on another one or on none. Afterwards @branch is
 * checked out in the worktree and nothing there is uncommitted. The same is done first in the
 * submodules that fore_repository_add_modules() checked out; what of the work a merge does not
 * bring is in the notes. No process may work there.
 *
 * Returns: (transfer full) (nullable): what was committed; with no changes its commit is @base
 */
ForeTreeCommit *
fore_repository_commit_tree (ForeRepository *self,
                             const char *branch,
                             const char *base,
                             const char *message,
                             const ForeIdentity *author,
                             GError **error)
{
  g_autoptr (ForeWriteLock) lock = NULL;
  g_autoptr (ForeTreeCommit) result = g_new0 (ForeTreeCommit, 1);
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  g_auto (CommitJob) job = { self, NULL, branch };

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);
  g_return_val_if_fail (branch != NULL && base != NULL && message != NULL, NULL);

  if (!fore_git_require_ours (branch, error) || !fore_repository_require_workdir (self, error)
      || !fore_git_settle_modules (self, branch, base, message, author, notes, error)
      || (lock = fore_write_lock_acquire (self, error)) == NULL || !open_job (&job, base, error)
      || !run_commit (&job, message, author, result, error))
    return NULL;

  add_nested_notes (self, result, notes);
  return g_steal_pointer (&result);
}
