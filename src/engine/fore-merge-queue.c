/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-merge-queue.h"

#include "agents/fore-adapter.h"
#include "engine/fore-actions.h"
#include "engine/fore-check-hold.h"
#include "engine/fore-quarantines.h"
#include "engine/fore-run-context.h"
#include "git/fore-repository.h"
#include "model/fore-error.h"
#include "model/fore-id.h"
#include "platform/fore-dirs.h"
#include "platform/fore-program.h"
#include "store/fore-run-reader.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define CHECK_KEY "merge-check"
#define OUTPUT_TAIL (16 * 1024)
#define MERGE_TRIES 3
#define MAX_NAMED_FILES 5

/* One run on its way into a branch. */
typedef struct
{
  ForeStore *store;
  const ForeMergeWish *wish;
  ForeRunDelta *delta;
  ForeRunContext *context;
  ForeRepository *repository;
  const char *target;
  char *trimmed; /* (nullable) what stands for the result, with files left out */
  char *left_out;
  GPtrArray *checks;
} MergeJob;

static void
merge_job_clear (MergeJob *job)
{
  g_clear_pointer (&job->delta, fore_run_delta_free);
  g_clear_pointer (&job->context, fore_run_context_free);
  g_clear_object (&job->repository);
  g_free (job->trimmed);
  g_free (job->left_out);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (MergeJob, merge_job_clear)

static void
add_command (MergeJob *job, char **argv)
{
  if (argv[0] != NULL && !fore_checks_have (job->checks, argv))
    g_ptr_array_add (job->checks, fore_check_new ((const char *const *) argv));
}

/* Those of the project, and those that the run's own tasks passed. */
static void
collect_checks (MergeJob *job)
{
  GPtrArray *commands = fore_settings_get_commands (job->context->settings, "checks.commands");

  g_ptr_array_set_size (job->checks, 0);
  for (guint i = 0; commands != NULL && i < commands->len; i++)
    add_command (job, g_ptr_array_index (commands, i));

  for (guint i = 0; i < job->delta->tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (job->delta->tasks, i);

      for (guint j = 0; j < task->checks->len; j++)
        {
          const ForeCheck *check = g_ptr_array_index (task->checks, j);

          if (check->verified == FORE_VERIFIED_YES)
            add_command (job, check->argv);
        }
    }
}

static char *
dup_tail (GBytes *output)
{
  gsize length;
  const char *data = g_bytes_get_data (output, &length);
  gsize skip = length > OUTPUT_TAIL ? length - OUTPUT_TAIL : 0;

  return length > 0 ? g_utf8_make_valid (data + skip, (gssize) (length - skip)) : NULL;
}

static gboolean
run_check (MergeJob *job, ForeCheck *check, const ForeWorktree *tree, GError **error)
{
  const char *run = job->delta->run->id;
  const ForeAdapter *adapter = fore_adapter_lookup ("command");
  g_auto (GStrv) env = fore_adapter_build_environ (adapter, NULL, run, CHECK_KEY, 1, NULL);
  g_autofree char *quarantine = fore_quarantines_dup_path (job->context->home, run, CHECK_KEY, 1);
  g_autofree char *label = fore_check_dup_label (check);
  g_autofree char *said = NULL;
  g_autoptr (ForeTask) task = fore_task_new (CHECK_KEY);
  g_auto (GStrv) argv = NULL;
  const ForeSandboxPlan plan = {
    .context = job->context,
    .task = task,
    .tree = tree->path,
    .git_dir = tree->git_dir,
    .quarantine = quarantine,
  };
  g_auto (ForeProgram) program = { .envp = (const char *const *) env, .dir = tree->path };
  gint64 start = g_get_monotonic_time ();

  task->branch = g_strdup (tree->branch);
  argv = fore_check_hold (&plan, (const char *const *) check->argv, error);
  if (argv == NULL)
    return FALSE;

  program.argv = (const char *const *) argv;
  program.timeout_ms = (guint) fore_settings_get_duration (job->context->settings,
                                                           "checks.timeout");
  if (!fore_program_run (&program, error) || !fore_check_import (&plan, error))
    return FALSE;

  check->ms = (g_get_monotonic_time () - start) / 1000;
  check->exit_code = program.exit_code;
  check->verified = program.exit_code == 0 ? FORE_VERIFIED_YES : FORE_VERIFIED_FAILED;
  check->output = dup_tail (program.output);
  if (program.exit_code == 0)
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_FAILED,
               _ ("“%s” fails on the work of %s together with %s; nothing was merged."), label,
               job->delta->run->id, job->target);
  said = g_strconcat (program.errors ?: "", check->output, NULL);
  fore_check_explain (program.argv, said, error);
  return FALSE;
}

static gboolean
run_checks (MergeJob *job, const ForeWorktree *tree, GError **error)
{
  for (guint i = 0; i < job->checks->len; i++)
    {
      if (!run_check (job, g_ptr_array_index (job->checks, i), tree, error))
        return FALSE;
    }

  return TRUE;
}

/* The commit that was tried is nobody's work; a merge makes its own. */
static void
drop_trial (MergeJob *job, const char *branch, const char *path)
{
  g_autofree char *prefix = g_strdup_printf ("branch/%s/", branch);
  g_autoptr (GPtrArray) kept = NULL;

  fore_repository_undo_add_worktree (job->repository, branch, path, NULL);
  kept = fore_repository_list_rescues (job->repository, prefix, NULL);
  for (guint i = 0; kept != NULL && i < kept->len; i++)
    {
      const ForeRescue *rescue = g_ptr_array_index (kept, i);

      fore_repository_drop_rescue (job->repository, rescue->name, rescue->commit, NULL);
    }
}

static gboolean
check_in_tree (MergeJob *job, const char *commit, GError **error)
{
  g_autofree char *trees = fore_dirs_dup_worktrees_dir (job->context->home);
  g_autofree char *name = g_path_get_basename (job->delta->run->project);
  g_autofree char *path = g_build_filename (trees, name, job->delta->run->id, CHECK_KEY, NULL);
  g_autofree char *branch = fore_id_dup_task_branch (job->delta->run->id, CHECK_KEY);
  g_autoptr (ForeWorktree) tree = NULL;
  g_autofree char *modules = NULL;
  gboolean passed;

  drop_trial (job, branch, path);
  tree = fore_repository_add_worktree (job->repository, branch, commit, path, error);
  if (tree == NULL)
    return FALSE;

  modules = fore_repository_add_modules (job->repository, tree);
  passed = run_checks (job, tree, error);
  drop_trial (job, branch, path);
  return passed;
}

static gboolean
refuse_conflict (MergeJob *job, const ForeMergeResult *merge, GError **error)
{
  g_autoptr (GString) paths = g_string_new (NULL);

  for (guint i = 0; i < MIN (merge->conflicts->len, MAX_NAMED_FILES); i++)
    g_string_append_printf (paths, "%s%s", i > 0 ? ", " : "",
                            ((ForeMergeConflict *) merge->conflicts->pdata[i])->path);
  if (merge->conflicts->len > MAX_NAMED_FILES)
    g_string_append (paths, ", …");

  g_set_error (error, FORE_ERROR, FORE_ERROR_CONFLICT,
               _ ("The work of %s does not fit onto %s any more: %s; nothing was merged."),
               job->delta->run->id, job->target, paths->str);
  return FALSE;
}

/* What the branch would hold is built and checked, on top of whatever was merged before. */
static gboolean
check_merged (MergeJob *job, const char *old, GError **error)
{
  const char *commits[] = { old, job->trimmed ?: job->delta->run->result_commit, NULL };
  g_autoptr (ForeMergeResult) merge = NULL;

  collect_checks (job);
  if (job->checks->len == 0)
    return TRUE;

  merge = fore_repository_merge_commits (job->repository, commits, FORE_MERGE_FAVOR_NONE,
                                         "Trial of a merge\n", NULL, error);
  if (merge == NULL)
    return FALSE;

  return merge->clean ? check_in_tree (job, merge->commit, error)
                      : refuse_conflict (job, merge, error);
}

static gboolean
may_merge (const ForeRun *run)
{
  return run->result_commit != NULL && !fore_run_is_active (run) && run->merged_commit == NULL;
}

static gboolean
trim (MergeJob *job, GError **error)
{
  const ForeRun *run = job->delta->run;
  g_auto (GStrv) dropped = NULL;

  if (job->wish->without == NULL || job->wish->without[0] == NULL || !may_merge (run))
    return TRUE;

  job->trimmed = fore_repository_trim (job->repository, run->base_commit, run->result_commit,
                                       job->wish->without, &dropped, error);
  if (job->trimmed == NULL)
    return FALSE;
  if (g_str_equal (job->trimmed, run->base_commit))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED,
                   _ ("Without these files nothing is left of the result; “foredeckctl discard %s” "
                      "drops it."),
                   run->id);
      return FALSE;
    }

  job->left_out = g_strjoinv ("\n", dropped);
  return TRUE;
}

static gboolean
open_job (MergeJob *job, const char *run_id, GError **error)
{
  job->delta = fore_run_read (job->store, run_id, 0, 0, 0, error);
  if (job->delta == NULL)
    return FALSE;

  job->context = fore_run_context_load (job->store, job->delta->run, error);
  if (job->context == NULL)
    return FALSE;

  job->target = job->wish->target ?: job->delta->run->base_branch;
  job->repository = fore_repository_open (job->delta->run->project, error);
  return job->repository != NULL && trim (job, error);
}

/* What is checked is what is merged: the branch must not have moved meanwhile. */
static gboolean
try_merge (MergeJob *job, char **outcome, GError **error)
{
  const ForeMergeWish *wish = job->wish;
  g_autofree char *old = NULL;
  const char *args[] = { wish->target ?: "", wish->mode ?: "",    wish->expected ?: "",
                         job->trimmed ?: "", job->left_out ?: "", NULL };

  if (wish->check && job->target != NULL && may_merge (job->delta->run))
    {
      old = fore_repository_resolve_branch (job->repository, job->target, error);
      if (old == NULL || !check_merged (job, wish->expected ?: old, error))
        return FALSE;
      args[2] = wish->expected ?: old;
    }

  return fore_actions_command (job->store, job->delta->run->id, FORE_COMMAND_MERGE, args, wish->by,
                               wish->timeout_ms, outcome, error);
}

/**
 * fore_merge_queue_merge:
 * @store: the store
 * @run_id: whole id of a finished run
 * @wish: how
 * @checks: (element-type ForeCheck): gets the checks that were run and what came of them
 * @outcome: (out) (optional) (nullable) (transfer full): one sentence: what came of it
 * @error: return location for an error; %FORE_ERROR_FAILED when a check fails on the merged work,
 *   %FORE_ERROR_CONFLICT, %FORE_ERROR_STALE when the branch is not where it was seen
 *
 * Merges one run, the next of a queue for instance: with @wish asking for it, what the branch would
 * hold is checked out apart and the checks are run on it; only then, and only if the branch is
 * still the one that was checked, it is merged. When somebody moved it meanwhile, it is checked
 * again.
 *
 * Returns: whether it was merged; nothing was changed if not
 */
gboolean
fore_merge_queue_merge (ForeStore *store,
                        const char *run_id,
                        const ForeMergeWish *wish,
                        GPtrArray *checks,
                        char **outcome,
                        GError **error)
{
  g_auto (MergeJob) job = { store, wish };
  g_autoptr (GError) problem = NULL;
  gboolean done = FALSE;

  g_return_val_if_fail (FORE_IS_STORE (store), FALSE);
  g_return_val_if_fail (run_id != NULL && wish != NULL && checks != NULL, FALSE);

  job.checks = checks;
  if (!open_job (&job, run_id, error))
    return FALSE;

  for (guint i = 0; !done && i < MERGE_TRIES; i++)
    {
      g_clear_error (&problem);
      done = try_merge (&job, outcome, &problem);
      if (!wish->check || wish->expected != NULL
          || !g_error_matches (problem, FORE_ERROR, FORE_ERROR_STALE))
        break;
    }

  if (!done)
    g_propagate_error (error, g_steal_pointer (&problem));
  return done;
}
