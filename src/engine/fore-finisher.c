/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-finisher-private.h"

#include "engine/fore-event-data.h"
#include "engine/fore-follow-up.h"
#include "engine/fore-goal.h"
#include "engine/fore-helper.h"
#include "engine/fore-pool.h"
#include "model/fore-error.h"
#include "model/fore-id.h"
#include "platform/fore-compat-glib.h"

#include <glib/gi18n-lib.h>

#define MAX_TRIES 5
#define AGAIN_MS 1000

guint fore_finisher_signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (ForeFinisher, fore_finisher, G_TYPE_OBJECT)

static void
fore_finisher_dispose (GObject *object)
{
  ForeFinisher *self = FORE_FINISHER (object);

  g_clear_handle_id (&self->again_source, g_source_remove);
  g_clear_object (&self->scheduler);
  g_clear_object (&self->checks);

  G_OBJECT_CLASS (fore_finisher_parent_class)->dispose (object);
}

static void
fore_finisher_finalize (GObject *object)
{
  ForeFinisher *self = FORE_FINISHER (object);

  g_clear_pointer (&self->check_task, fore_task_free);
  g_clear_pointer (&self->check_tree, fore_tree_free);
  g_free (self->problem);

  G_OBJECT_CLASS (fore_finisher_parent_class)->finalize (object);
}

static void
fore_finisher_class_init (ForeFinisherClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fore_finisher_dispose;
  G_OBJECT_CLASS (klass)->finalize = fore_finisher_finalize;

  fore_finisher_signals[FINISHED] = g_signal_new ("finished", G_TYPE_FROM_CLASS (klass),
                                                  G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                                  G_TYPE_NONE, 0);
}

static void
fore_finisher_init (ForeFinisher *self)
{
}

/**
 * fore_finisher_new:
 * @services: what all attempts of the run share; outlives the finisher
 * @scheduler: the run's scheduler
 *
 * Returns: (transfer full): a finisher
 */
ForeFinisher *
fore_finisher_new (const ForeAttemptServices *services, ForeScheduler *scheduler)
{
  ForeFinisher *self = g_object_new (FORE_TYPE_FINISHER, NULL);

  self->services = services;
  self->scheduler = g_object_ref (scheduler);

  return self;
}

ForeRunState *
fore_finisher_get_state (ForeFinisher *self)
{
  return self->services->state;
}

ForeRun *
fore_finisher_get_run (ForeFinisher *self)
{
  return fore_run_state_get_run (fore_finisher_get_state (self));
}

static void
finished_durably (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeFinisher) self = user_data;

  self->n_busy--;
  if (!fore_run_state_settle_finish (FORE_RUN_STATE (source), result, NULL))
    return;

  g_signal_emit (self, fore_finisher_signals[FINISHED], 0);
}

static ForeGoal *
read_goal (ForeFinisher *self)
{
  ForeRunState *state = fore_finisher_get_state (self);

  return fore_goal_read (fore_finisher_get_run (self), fore_run_state_get_tasks (state),
                         fore_run_state_get_requests (state), self->services->context->max_turns);
}

/* Verified only if a task whose tree holds all the work was, and none was not; what a person had
 * added and changed the work since takes that back. Of a goal loop the last turn counts.
 */
static ForeVerified
judge_run (ForeFinisher *self, const ForeGoal *goal)
{
  GPtrArray *tasks = fore_run_state_get_tasks (fore_finisher_get_state (self));
  ForeVerified verdict = FORE_VERIFIED_NONE;

  if (goal != NULL)
    tasks = fore_goal_get_last (goal)->tasks;
  for (guint i = 0; i < tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (tasks, i);

      if (fore_task_is_follow_up (task) && task->effect != FORE_EFFECT_NONE
          && verdict == FORE_VERIFIED_YES)
        verdict = FORE_VERIFIED_NONE;
      verdict = MAX (verdict, task->verified);
    }

  return MAX (verdict, self->result_verified);
}

/* What a helper could not do may have been done without it. */
static gboolean
has_lost_tasks (ForeFinisher *self)
{
  const ForeRun *run = fore_finisher_get_run (self);
  GPtrArray *tasks = fore_run_state_get_tasks (fore_finisher_get_state (self));
  guint n = run->counts[FORE_TASK_FAILED] + run->counts[FORE_TASK_SKIPPED]
            + run->counts[FORE_TASK_NEEDS_ATTENTION];

  for (guint i = 0; n > 0 && i < tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (tasks, i);

      if ((task->status == FORE_TASK_FAILED || task->status == FORE_TASK_SKIPPED)
          && fore_helper_was_needless (fore_finisher_get_state (self), task))
        n--;
    }

  return n > 0;
}

ForeRunStatus
fore_finisher_choose_status (ForeFinisher *self)
{
  const ForeRun *run = fore_finisher_get_run (self);
  g_autoptr (ForeGoal) goal = read_goal (self);

  if (goal != NULL && self->problem == NULL && run->counts[FORE_TASK_CANCELLED] < run->n_tasks)
    return fore_goal_get_last (goal)->achieved ? FORE_RUN_COMPLETED : FORE_RUN_FAILED;

  if (has_lost_tasks (self) || self->problem != NULL)
    return FORE_RUN_FAILED;

  return run->counts[FORE_TASK_COMPLETED] > 0 || run->n_tasks == 0 ? FORE_RUN_COMPLETED
                                                                   : FORE_RUN_CANCELLED;
}

/* What the rest followed from: a task is skipped because another failed or was cancelled. */
static char *
describe_failure (const ForeRun *run)
{
  guint failed = run->counts[FORE_TASK_FAILED];
  guint unclear = run->counts[FORE_TASK_NEEDS_ATTENTION];
  guint cancelled = run->counts[FORE_TASK_CANCELLED];
  guint skipped = run->counts[FORE_TASK_SKIPPED];

  if (failed > 0)
    return g_strdup_printf (
        g_dngettext (GETTEXT_PACKAGE, "%u task failed", "%u tasks failed", failed), failed);
  if (unclear > 0)
    return g_strdup_printf (
        g_dngettext (GETTEXT_PACKAGE, "%u task needs a look", "%u tasks need a look", unclear),
        unclear);
  if (cancelled > 0)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u task was cancelled",
                                         "%u tasks were cancelled", cancelled),
                            cancelled);

  return g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "%u task was skipped", "%u tasks were skipped", skipped),
      skipped);
}

static char *
describe_end (ForeFinisher *self, ForeRunStatus status, ForeGoal *goal)
{
  const ForeRun *run = fore_finisher_get_run (self);

  if (status == FORE_RUN_FAILED && self->problem != NULL)
    return g_strdup (self->problem);
  if (goal != NULL && fore_goal_get_last (goal)->verdict != NULL)
    {
      goal->state = fore_goal_judge_end (goal);
      return fore_goal_describe (goal);
    }

  if (status == FORE_RUN_FAILED)
    return describe_failure (run);
  if (status == FORE_RUN_CANCELLED)
    return g_strdup (_ ("All tasks were cancelled"));
  if (run->result_commit == NULL && fore_trees_is_isolated (self->services->trees))
    return g_strdup (_ ("Finished without changing anything"));
  if (run->verified == FORE_VERIFIED_YES)
    return g_strdup (_ ("Finished, and its checks passed on the merged work"));

  return g_strdup (_ ("Finished; nothing verified the result"));
}

static void
learned (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeFinisher) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!fore_estimates_learn_finish (result, &error))
    g_message ("How long the tasks took is not kept: %s", error->message);

  fore_run_state_settle_async (fore_finisher_get_state (self), finished_durably,
                               g_object_ref (self));
}

void
fore_finisher_close_run (ForeFinisher *self)
{
  ForeRun *run = fore_finisher_get_run (self);
  g_autoptr (ForeGoal) goal = read_goal (self);
  ForeRunStatus status = fore_finisher_choose_status (self);
  g_autofree char *reason = NULL;

  run->verified = judge_run (self, goal);
  reason = describe_end (self, status, goal);
  if (fore_run_is_active (run))
    fore_run_state_move_run (fore_finisher_get_state (self), status, reason);

  self->n_busy++;
  fore_estimates_learn_async (
      self->services->context->estimates, fore_run_state_get_store (fore_finisher_get_state (self)),
      fore_run_state_get_tasks (fore_finisher_get_state (self)), learned, g_object_ref (self));
}

/* Integration */

static void
count_changes_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const ForeRun *run = data;
  g_autoptr (ForeRepository) repository = NULL;
  GPtrArray *changes = NULL;
  GError *error = NULL;

  repository = fore_repository_open (run->project, &error);
  if (repository != NULL)
    changes = fore_repository_list_changes (repository, run->base_commit, run->result_commit,
                                            &error);
  if (changes == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, changes, (GDestroyNotify) g_ptr_array_unref);
}

static void
changes_counted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeFinisher) self = user_data;
  g_autoptr (GPtrArray) changes = g_task_propagate_pointer (G_TASK (result), NULL);
  ForeRun *run = fore_finisher_get_run (self);

  self->n_busy--;
  if (changes != NULL)
    {
      run->files = (int) changes->len;
      run->insertions = 0;
      run->deletions = 0;
      for (guint i = 0; i < changes->len; i++)
        {
          const ForeFileChange *change = g_ptr_array_index (changes, i);

          run->insertions += (int) change->insertions;
          run->deletions += (int) change->deletions;
        }
    }

  fore_run_state_touch_run (fore_finisher_get_state (self));
  fore_run_state_emit (fore_finisher_get_state (self), FORE_EVENT_RUN_RESULT, NULL, 0,
                       fore_event_data_new ("s:branch", run->result_branch, "s:commit",
                                            run->result_commit, "i:files", (gint64) run->files,
                                            "i:insertions", (gint64) run->insertions, "i:deletions",
                                            (gint64) run->deletions, NULL));
  fore_finisher_check_result (self);
}

static void
count_changes (ForeFinisher *self)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, changes_counted, g_object_ref (self));

  self->n_busy++;
  g_task_set_name (task, "count changes");
  g_task_set_task_data (task, fore_run_copy (fore_finisher_get_run (self)),
                        (GDestroyNotify) fore_run_free);
  fore_pool_run (FORE_POOL_GIT, task, count_changes_in_thread);
}

/* A command that wrote something cannot resolve anything. */
static gboolean
has_agents (ForeFinisher *self)
{
  GPtrArray *tasks = fore_run_state_get_tasks (fore_finisher_get_state (self));

  for (guint i = 0; i < tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (tasks, i);

      if (task->writes && task->command == NULL)
        return TRUE;
    }

  return FALSE;
}

static void
open_conflict_request (ForeFinisher *self, const ForeMergeResult *merge)
{
  g_autoptr (GString) body = g_string_new (_ ("Two tasks changed the same lines of:\n\n"));
  ForeRequest *request;

  for (guint i = 0; i < merge->conflicts->len; i++)
    g_string_append_printf (body, "- %s\n",
                            ((ForeMergeConflict *) g_ptr_array_index (merge->conflicts, i))->path);

  request = fore_run_state_new_request (fore_finisher_get_state (self), FORE_REQUEST_CONFLICT, NULL,
                                        _ ("The work of two tasks does not fit together"),
                                        body->str);
  if (has_agents (self))
    fore_request_add_option (request, "agent", _ ("Let an Agent Resolve It"), "agent");
  fore_request_add_option (request, "hand", _ ("Resolve It by Hand"), "hand");
  fore_request_add_option (request, "ours", _ ("Keep the Earlier Task's Side"), "ours");
  fore_request_add_option (request, "theirs", _ ("Keep the Later Task's Side"), "theirs");
  fore_request_add_option (request, "reject", _ ("Cancel the Run"), "reject");
  fore_run_state_open_request (fore_finisher_get_state (self), request);
  fore_run_state_move_run (fore_finisher_get_state (self), FORE_RUN_BLOCKED,
                           _ ("Waits for you: a conflict"));
}

static gboolean
integrate_again (gpointer user_data)
{
  ForeFinisher *self = user_data;

  self->again_source = 0;
  self->n_busy--;
  fore_run_state_set_phase_text (fore_finisher_get_state (self), NULL);
  fore_finisher_finish_run (self);

  return G_SOURCE_REMOVE;
}

/* What a disk or another program stands in the way of now may work a moment later; on a full disk
 * it does once there is room. Whether it is worth waiting.
 */
static gboolean
wait_for_integration (ForeFinisher *self, const GError *error)
{
  gboolean full = g_error_matches (error, FORE_ERROR, FORE_ERROR_NO_SPACE);

  if (!fore_run_is_active (fore_finisher_get_run (self))
      || g_error_matches (error, FORE_ERROR, FORE_ERROR_STALE)
      || g_error_matches (error, FORE_ERROR, FORE_ERROR_REFUSED)
      || (!full && ++self->n_tries > MAX_TRIES))
    return FALSE;

  self->n_busy++;
  fore_run_state_set_phase_text (fore_finisher_get_state (self), error->message);
  self->again_source = g_timeout_add (AGAIN_MS, integrate_again, self);
  g_source_set_name_by_id (self->again_source, "integrate again");

  return TRUE;
}

static void
integrated (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeFinisher) self = user_data;
  g_autoptr (ForeMergeResult) merge = NULL;
  g_autoptr (GError) error = NULL;
  ForeRun *run = fore_finisher_get_run (self);

  self->n_busy--;
  merge = fore_trees_integrate_finish (FORE_TREES (source), result, &error);
  if (merge == NULL && wait_for_integration (self, error))
    return;
  if (merge == NULL)
    {
      if (fore_run_is_active (run))
        fore_run_state_move_run (fore_finisher_get_state (self), FORE_RUN_FAILED, error->message);
      fore_finisher_close_run (self);
      return;
    }
  if (!merge->clean && !fore_run_is_active (run))
    {
      fore_finisher_close_run (self);
      return;
    }
  if (!merge->clean)
    {
      open_conflict_request (self, merge);
      return;
    }

  g_free (run->result_branch);
  run->result_branch = fore_id_dup_result_branch (run->id);
  fore_set_str (&run->result_commit, merge->commit);
  if (fore_run_is_discarded (run))
    g_clear_pointer (&run->merged_into, g_free);
  count_changes (self);
}

/**
 * fore_finisher_has_work:
 * @self: a finisher
 *
 * Returns: whether a completed task changed anything
 */
gboolean
fore_finisher_has_work (ForeFinisher *self)
{
  GPtrArray *tasks = fore_run_state_get_tasks (fore_finisher_get_state (self));

  for (guint i = 0; i < tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (tasks, i);

      if (task->status == FORE_TASK_COMPLETED && task->effect == FORE_EFFECT_CHANGED)
        return TRUE;
    }

  return FALSE;
}

/**
 * fore_finisher_finish_run:
 * @self: a finisher
 *
 * Ends a run whose tasks have all finished: makes the integration branch and the last status.
 */
void
fore_finisher_finish_run (ForeFinisher *self)
{
  g_autoptr (GPtrArray) tasks = NULL;

  g_return_if_fail (FORE_IS_FINISHER (self));

  if (self->n_busy > 0)
    return;

  if (!fore_trees_is_isolated (self->services->trees) || !fore_finisher_has_work (self)
      || (!fore_run_is_active (fore_finisher_get_run (self))
          && fore_finisher_get_run (self)->result_commit != NULL))
    {
      fore_finisher_close_run (self);
      return;
    }

  tasks = fore_scheduler_sort_tasks (self->scheduler);
  self->n_busy++;
  fore_trees_integrate_async (self->services->trees, tasks, self->favor,
                              fore_finisher_get_run (self)->result_commit, NULL, integrated,
                              g_object_ref (self));
}

/**
 * fore_finisher_set_favor:
 * @self: a finisher
 * @favor: what to do where two tasks changed the same
 */
void
fore_finisher_set_favor (ForeFinisher *self, ForeMergeFavor favor)
{
  g_return_if_fail (FORE_IS_FINISHER (self));

  self->favor = favor;
}

/**
 * fore_finisher_is_busy:
 * @self: a finisher
 *
 * Returns: whether it has something in hand
 */
gboolean
fore_finisher_is_busy (ForeFinisher *self)
{
  g_return_val_if_fail (FORE_IS_FINISHER (self), FALSE);

  return self->n_busy > 0;
}
