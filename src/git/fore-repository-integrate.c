/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "git/fore-repository-private.h"
#include "model/fore-error.h"

/* One task of an integration, opened. */
typedef struct
{
  const ForeIntegrateTask *task;
  git_commit *base;
  git_commit *commit;
  git_tree *base_tree;
  git_tree *tree;
} Step;

typedef struct
{
  git_repository *git;
  GArray *steps; /* of Step, in topological order */
  ForeMergeFavor favor;
  ForeMergeResult *result;
  git_commit *current; /* the growing end of the branch */
  git_tree *current_tree;
} IntegrateJob;

static void
clear_step (gpointer data)
{
  Step *step = data;

  git_commit_free (step->base);
  git_commit_free (step->commit);
  git_tree_free (step->base_tree);
  git_tree_free (step->tree);
}

static void
integrate_job_clear (IntegrateJob *job)
{
  g_clear_pointer (&job->steps, g_array_unref);
  git_commit_free (job->current);
  git_tree_free (job->current_tree);
  git_repository_free (job->git);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IntegrateJob, integrate_job_clear)

static gboolean
open_step (IntegrateJob *job, const ForeIntegrateTask *task, GError **error)
{
  Step step = { task };

  step.base = fore_git_lookup_commit (job->git, task->base, error);
  if (step.base != NULL)
    step.commit = fore_git_lookup_commit (job->git, task->commit, error);
  if (step.commit != NULL)
    step.base_tree = fore_git_lookup_tree (job->git, task->base, error);
  if (step.base_tree != NULL)
    step.tree = fore_git_lookup_tree (job->git, task->commit, error);

  g_array_append_val (job->steps, step);
  return step.tree != NULL;
}

static gboolean
open_steps (IntegrateJob *job,
            const char *base,
            const ForeIntegrateTask *tasks,
            gsize n_tasks,
            GError **error)
{
  job->current = fore_git_lookup_commit (job->git, base, error);
  if (job->current == NULL)
    return FALSE;

  job->current_tree = fore_git_lookup_tree (job->git, base, error);
  if (job->current_tree == NULL)
    return FALSE;

  job->steps = g_array_new (FALSE, FALSE, sizeof (Step));
  g_array_set_clear_func (job->steps, clear_step);
  for (gsize i = 0; i < n_tasks; i++)
    {
      if (!open_step (job, &tasks[i], error))
        return FALSE;
    }

  return TRUE;
}

static git_tree_entry *
find_entry (git_tree *tree, const char *path)
{
  git_tree_entry *entry = NULL;

  return git_tree_entry_bypath (&entry, tree, path) == 0 ? entry : NULL;
}

static gboolean
step_changed (const Step *step, const char *path)
{
  g_autoptr (git_tree_entry) before = find_entry (step->base_tree, path);
  g_autoptr (git_tree_entry) after = find_entry (step->tree, path);

  if (before == NULL || after == NULL)
    return before != after;

  return !git_oid_equal (git_tree_entry_id (before), git_tree_entry_id (after))
         || git_tree_entry_filemode (before) != git_tree_entry_filemode (after);
}

/* Whether @later started from the work, on @path, of all steps up to and including @n. */
static gboolean
knows_all (IntegrateJob *job, const Step *later, guint n, const char *path)
{
  for (guint i = 0; i <= n; i++)
    {
      const Step *step = &g_array_index (job->steps, Step, i);

      if ((i == n || step_changed (step, path))
          && !fore_git_reaches (job->git, later->base, step->commit))
        return FALSE;
    }

  return TRUE;
}

/* A conflict between two tasks was settled already when a third one started from both: then what
 * that one started from is the answer.
 */
static const Step *
find_settled (IntegrateJob *job, guint n, const char *path)
{
  for (guint i = n + 1; i < job->steps->len; i++)
    {
      const Step *later = &g_array_index (job->steps, Step, i);

      if (knows_all (job, later, n, path))
        return later;
    }

  return NULL;
}

static int
put_settled (git_index *index, const char *path, const Step *settled)
{
  g_autoptr (git_tree_entry) found = find_entry (settled->base_tree, path);
  git_index_entry entry = { 0 };
  int result = git_index_conflict_remove (index, path);

  if (result < 0 || found == NULL)
    return result;

  entry.path = path;
  entry.id = *git_tree_entry_id (found);
  entry.mode = git_tree_entry_filemode (found);
  return git_index_add (index, &entry);
}

static GPtrArray *
list_conflict_paths (git_index *index)
{
  g_autoptr (git_index_conflict_iterator) iter = NULL;
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  const git_index_entry *base, *ours, *theirs;

  if (git_index_conflict_iterator_new (&iter, index) != 0)
    return paths;

  while (git_index_conflict_next (&base, &ours, &theirs, iter) == 0)
    {
      const git_index_entry *side = ours ?: theirs ?: base;

      g_ptr_array_add (paths, g_strdup (side->path));
    }

  return paths;
}

static gboolean
take_settled (IntegrateJob *job, git_index *index, guint n, GError **error)
{
  g_autoptr (GPtrArray) paths = list_conflict_paths (index);

  for (guint i = 0; i < paths->len; i++)
    {
      const char *path = g_ptr_array_index (paths, i);
      const Step *settled = find_settled (job, n, path);
      int code = settled != NULL ? put_settled (index, path, settled) : 0;

      if (code < 0)
        return fore_git_fail (error, code, _ ("A settled conflict could not be taken over"));
    }

  return TRUE;
}

static char *
make_line (const char *text)
{
  char *line = g_strdup (text);

  for (char *c = line; *c != '\0'; c++)
    {
      if (g_ascii_iscntrl (*c))
        *c = ' ';
    }

  return g_strstrip (line);
}

static char *
make_message (const ForeIntegrateTask *task)
{
  g_autofree char *title = make_line (task->title != NULL ? task->title : "");
  g_autofree char *key = make_line (task->key);
  g_autofree char *agent = task->agent != NULL ? make_line (task->agent) : NULL;
  g_autoptr (GString) message = g_string_new (*title != '\0' ? title : key);

  g_string_append_printf (message, "\n\nForedeck-Task: %s\n", key);
  if (agent != NULL && *agent != '\0')
    g_string_append_printf (message, "Foredeck-Agent: %s\n", agent);

  return g_string_free (g_steal_pointer (&message), FALSE);
}

static gboolean
commit_step (IntegrateJob *job, const Step *step, git_tree *tree, GError **error)
{
  g_autofree char *message = make_message (step->task);
  git_commit *commit = NULL;
  git_oid oid;
  int code;

  if (git_oid_equal (git_tree_id (tree), git_tree_id (job->current_tree)))
    return TRUE;

  if (!fore_git_create_commit (job->git, &oid, NULL, NULL, message, tree, &job->current, 1, error))
    return FALSE;

  code = git_commit_lookup (&commit, job->git, &oid);
  if (code < 0)
    return fore_git_fail (error, code, _ ("The commit could not be read back"));

  git_commit_free (job->current);
  job->current = commit;
  git_tree_free (job->current_tree);
  return git_tree_dup (&job->current_tree, tree) == 0;
}

static gboolean
run_step (IntegrateJob *job, guint n, gboolean *stop, GError **error)
{
  const Step *step = &g_array_index (job->steps, Step, n);
  guint n_before = job->result->conflicts->len;
  g_autoptr (git_index) index = NULL;
  g_autoptr (git_tree) tree = NULL;
  int code;

  if (git_oid_equal (git_tree_id (step->base_tree), git_tree_id (step->tree)))
    return TRUE;

  code = git_merge_trees (&index, job->git, step->base_tree, job->current_tree, step->tree, NULL);
  if (code < 0)
    return fore_git_fail (error, code, _ ("The work of a task could not be merged"));

  if (!take_settled (job, index, n, error)
      || !fore_git_finish_merge (job->git, index, job->favor, job->result, &tree, error))
    return FALSE;

  if (job->result->conflicts->len > n_before && job->result->conflict_with == NULL)
    job->result->conflict_with = g_strdup (step->task->key);

  *stop = tree == NULL;
  return tree == NULL || commit_step (job, step, tree, error);
}

static gboolean
run_steps (IntegrateJob *job, gboolean *stop, GError **error)
{
  for (guint i = 0; i < job->steps->len && !*stop; i++)
    {
      if (!run_step (job, i, stop, error))
        return FALSE;
    }

  job->result->clean = job->result->conflicts->len == 0;
  if (*stop)
    return TRUE;

  job->result->commit = fore_git_oid_to_string (git_commit_id (job->current));
  job->result->tree = fore_git_oid_to_string (git_tree_id (job->current_tree));
  return TRUE;
}

/* Whether the branch holds the same work already: then whoever put it there died before it could
 * say so.
 */
static gboolean
was_moved_before (IntegrateJob *job, const char *ref_name)
{
  g_autoptr (git_tree) tree = fore_git_lookup_tree (job->git, ref_name, NULL);
  git_oid oid;

  if (tree == NULL || !git_oid_equal (git_tree_id (tree), git_tree_id (job->current_tree))
      || git_reference_name_to_id (&oid, job->git, ref_name) != 0)
    return FALSE;

  g_free (job->result->commit);
  job->result->commit = fore_git_oid_to_string (&oid);
  return TRUE;
}

static gboolean
move_result (IntegrateJob *job, const char *branch, const char *expected, GError **error)
{
  g_autofree char *ref_name = g_strconcat ("refs/heads/", branch, NULL);
  git_oid old_oid;

  if (was_moved_before (job, ref_name))
    return TRUE;

  if (expected != NULL && git_oid_fromstr (&old_oid, expected) != 0)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_INVALID, _ ("“%s” is not a commit id"), expected);
      return FALSE;
    }

  return fore_git_swap_branch (job->git, ref_name, git_commit_id (job->current),
                               expected != NULL ? &old_oid : NULL, "foredeck: work of all tasks",
                               error);
}

/**
 * fore_repository_integrate:
 * @self: a repository
 * @base: the commit that the run started from
 * @tasks: (array length=n_tasks): the tasks that finished, each after those it depends on
 * @n_tasks: how many
 * @branch: (nullable): the branch that gets the result; %NULL moves none
 * @expected: (nullable): where @branch points now; %NULL when it must not exist yet
 * @favor: what to do about conflicts
 * @error: (nullable): return location; %FORE_ERROR_STALE when @branch was moved
 *
 * Puts the work of all tasks on one line: one commit for each task that changed something, by the
 * person of git's settings, with trailers for task and agent. A conflict that a later task's base
 * has settled is settled the same way here. With conflicts and %FORE_MERGE_FAVOR_NONE nothing moves
 * and the result names the task.
 *
 * Returns: (transfer full) (nullable): the result; a conflict is no error
 */
ForeMergeResult *
fore_repository_integrate (ForeRepository *self,
                           const char *base,
                           const ForeIntegrateTask *tasks,
                           gsize n_tasks,
                           const char *branch,
                           const char *expected,
                           ForeMergeFavor favor,
                           GError **error)
{
  g_autoptr (ForeWriteLock) lock = NULL;
  g_autoptr (ForeMergeResult) result = fore_merge_result_new ();
  g_auto (IntegrateJob) job = { .favor = favor, .result = result };
  gboolean stop = FALSE;

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);
  g_return_val_if_fail (base != NULL && (tasks != NULL || n_tasks == 0), NULL);

  if ((branch != NULL
       && !(fore_git_require_ours (branch, error)
            && fore_repository_require_free (self, branch, error)))
      || (lock = fore_write_lock_acquire (self, error)) == NULL
      || (job.git = fore_repository_open_git (self, error)) == NULL
      || !open_steps (&job, base, tasks, n_tasks, error) || !run_steps (&job, &stop, error))
    return NULL;

  if (!stop && branch != NULL && !move_result (&job, branch, expected, error))
    return NULL;

  return g_steal_pointer (&result);
}

/**
 * fore_repository_show_integration:
 * @self: a repository
 * @base: the commit that the run started from
 * @tasks: (array length=n_tasks): the tasks that finished, each after those it depends on
 * @n_tasks: how many
 * @error: (nullable): return location
 *
 * Finds the conflicts at which fore_repository_integrate() would stop, with what each side holds.
 * Nothing is written: the commit that the result names does not exist.
 *
 * Returns: (transfer full) (nullable): the result
 */
ForeMergeResult *
fore_repository_show_integration (ForeRepository *self,
                                  const char *base,
                                  const ForeIntegrateTask *tasks,
                                  gsize n_tasks,
                                  GError **error)
{
  g_autoptr (ForeMergeResult) result = fore_merge_result_new ();
  g_auto (IntegrateJob) job = { .favor = FORE_MERGE_FAVOR_NONE, .result = result };
  gboolean stop = FALSE;

  g_return_val_if_fail (FORE_IS_REPOSITORY (self), NULL);
  g_return_val_if_fail (base != NULL && (tasks != NULL || n_tasks == 0), NULL);

  result->with_contents = TRUE;
  if ((job.git = fore_repository_open_git (self, error)) == NULL
      || !fore_git_add_memory (job.git, error) || !open_steps (&job, base, tasks, n_tasks, error)
      || !run_steps (&job, &stop, error))
    return NULL;

  return g_steal_pointer (&result);
}
