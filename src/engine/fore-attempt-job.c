/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-attempt-job-private.h"

#include "engine/fore-event-data.h"
#include "engine/fore-goal.h"
#include "engine/fore-start.h"
#include "platform/fore-compat-glib.h"

#include <glib/gi18n-lib.h>

/* Nothing of what was cancelled is left after ten seconds, whatever the steps of its ladder take.
 */
#define CANCEL_MS 8000

guint fore_attempt_job_signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (ForeAttemptJob, fore_attempt_job, G_TYPE_OBJECT)

static void
fore_attempt_job_dispose (GObject *object)
{
  ForeAttemptJob *self = FORE_ATTEMPT_JOB (object);

  g_clear_handle_id (&self->end_timer, g_source_remove);
  g_clear_handle_id (&self->kill_timer, g_source_remove);
  if (self->guard != NULL)
    g_signal_handlers_disconnect_by_data (self->guard, self);
  if (self->reader != NULL)
    g_signal_handlers_disconnect_by_data (self->reader, self);
  g_clear_pointer (&self->calls_watch, fore_watch_free);
  g_clear_object (&self->guard);
  g_clear_object (&self->talk);
  g_clear_object (&self->reader);
  g_clear_object (&self->checks);
  g_clear_object (&self->running);
  g_clear_pointer (&self->slots, g_ptr_array_unref);

  G_OBJECT_CLASS (fore_attempt_job_parent_class)->dispose (object);
}

static void
fore_attempt_job_finalize (GObject *object)
{
  ForeAttemptJob *self = FORE_ATTEMPT_JOB (object);

  g_clear_pointer (&self->dependencies, g_ptr_array_unref);
  g_clear_pointer (&self->answers, g_ptr_array_unref);
  g_clear_pointer (&self->launch, fore_attempt_launch_free);
  g_clear_pointer (&self->own_attempt, fore_attempt_free);
  g_clear_pointer (&self->trace, fore_dispatch_trace_free);
  g_clear_pointer (&self->calls_seen, g_hash_table_unref);
  g_strfreev (self->conflicts);
  g_free (self->calls_folder);
  g_strfreev (self->mcp);
  g_free (self->submitted);
  g_free (self->prompt);
  g_free (self->stop_message);
  g_free (self->message);

  G_OBJECT_CLASS (fore_attempt_job_parent_class)->finalize (object);
}

static void
fore_attempt_job_class_init (ForeAttemptJobClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = fore_attempt_job_dispose;
  object_class->finalize = fore_attempt_job_finalize;

  fore_attempt_job_signals[USAGE] = g_signal_new (
      "usage", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  fore_attempt_job_signals[PERMISSION] = g_signal_new ("permission", G_TYPE_FROM_CLASS (klass),
                                                       G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                                       G_TYPE_NONE, 1, G_TYPE_POINTER);
  fore_attempt_job_signals[WITHDRAWN] = g_signal_new ("withdrawn", G_TYPE_FROM_CLASS (klass),
                                                      G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                                      G_TYPE_NONE, 1, G_TYPE_STRING);
  fore_attempt_job_signals[ASKED] = g_signal_new ("asked", G_TYPE_FROM_CLASS (klass),
                                                  G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                                  G_TYPE_NONE, 1, G_TYPE_POINTER);
  fore_attempt_job_signals[CAUGHT_UP] = g_signal_new ("caught-up", G_TYPE_FROM_CLASS (klass),
                                                      G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                                      G_TYPE_NONE, 0);
}

static void
fore_attempt_job_init (ForeAttemptJob *self)
{
}

/**
 * fore_attempt_job_new:
 * @services: what all attempts of the run share
 * @task: the task; belongs to the state and outlives the job
 *
 * Returns: (transfer full): a job that has not begun
 */
ForeAttemptJob *
fore_attempt_job_new (const ForeAttemptServices *services, ForeTask *task)
{
  ForeAttemptJob *self;

  g_return_val_if_fail (services != NULL && task != NULL, NULL);

  self = g_object_new (FORE_TYPE_ATTEMPT_JOB, NULL);
  self->services = services;
  self->task = task;
  self->limits = fore_attempt_launch_choose_limits (services->context, task);

  return self;
}

ForeRunState *
fore_attempt_job_get_state (ForeAttemptJob *self)
{
  return self->services->state;
}

/* The end of the job, whatever it was; the callback may be the last thing that holds it. */
void
fore_attempt_job_finish (ForeAttemptJob *self)
{
  g_autoptr (GTask) running = g_steal_pointer (&self->running);

  g_clear_pointer (&self->slots, g_ptr_array_unref);
  g_assert (running != NULL);
  g_task_return_boolean (running, TRUE);
}

void
fore_attempt_job_set_cause (ForeAttemptJob *self, ForeCause cause, const char *message)
{
  g_autofree char *clean = NULL;

  if (message != NULL)
    clean = fore_redactor_apply (self->services->context->redactor, message);
  self->cause = cause;
  fore_set_str (&self->message, clean);
}

static void
fail (ForeAttemptJob *self, ForeCause cause, const char *message)
{
  fore_attempt_job_set_cause (self, self->stop_cause != FORE_CAUSE_NONE ? self->stop_cause : cause,
                              self->stop_cause != FORE_CAUSE_NONE ? self->stop_message : message);
  fore_attempt_job_close_attempt (self);
  fore_attempt_job_finish (self);
}

void
fore_attempt_job_fail (ForeAttemptJob *self, ForeCause cause, const char *message)
{
  fail (self, cause, message);
}

gboolean
fore_attempt_job_is_stopped (ForeAttemptJob *self)
{
  return self->stop_cause != FORE_CAUSE_NONE;
}

/* Start */

static void
take_agent (ForeAttemptJob *self)
{
  fore_run_state_set_phase (fore_attempt_job_get_state (self), self->task, FORE_PHASE_AGENT, NULL);
  fore_attempt_job_watch_agent (self);
  fore_attempt_job_watch_calls (self);
  if (self->attempt->live)
    fore_attempt_job_begin_talk (self);
  fore_agent_reader_watch (self->reader);
  if (fore_attempt_job_is_stopped (self))
    fore_guard_end (self->guard);
}

static void
agent_started (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeAttemptJob) self = user_data;
  g_autoptr (GError) error = NULL;

  self->guard = fore_start_finish (result, &error);
  g_clear_pointer (&self->trace, fore_dispatch_trace_free);
  if (fore_run_state_is_closed (fore_attempt_job_get_state (self)))
    fail (self, FORE_CAUSE_INTERRUPTED, "The run was given up");
  else if (self->guard == NULL)
    fail (self, FORE_CAUSE_NOT_STARTED, error->message);
  else
    take_agent (self);
}

static void
barrier_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeAttemptJob) self = user_data;
  g_autoptr (GError) error = NULL;

  fore_dispatch_trace_go_on (self->trace);
  if (!fore_run_writer_barrier_finish (FORE_RUN_WRITER (source), result, &error))
    fail (self, FORE_CAUSE_INTERRUPTED, error->message);
  else if (fore_run_state_is_closed (fore_attempt_job_get_state (self)))
    fail (self, FORE_CAUSE_INTERRUPTED, "The run was given up");
  else if (fore_attempt_job_is_stopped (self))
    fail (self, self->stop_cause, self->stop_message);
  else
    fore_attempt_launch_start_async (self->launch, self->services->hub, self->slots, self->trace,
                                     agent_started, g_object_ref (self));
}

static void
write_start (ForeAttemptJob *self)
{
  ForeAttempt *attempt = self->attempt;

  fore_set_str (&attempt->cli, self->task->cli);
  fore_set_str (&attempt->model, self->task->model);
  fore_set_str (&attempt->base, self->task->base);
  fore_set_str (&attempt->cwd, self->launch->cwd);
  fore_set_str (&attempt->boot_id, fore_process_get_boot_id ());
  attempt->argv = g_strdupv (self->launch->argv);
  attempt->env_names = fore_attempt_launch_dup_env_names (self->launch);

  fore_run_state_touch_attempt (fore_attempt_job_get_state (self), attempt);
  fore_run_state_touch_task (fore_attempt_job_get_state (self), self->task);
  fore_run_state_emit (
      fore_attempt_job_get_state (self), FORE_EVENT_ATTEMPT_STARTED, self->task->key, attempt->n,
      fore_event_data_new ("s:cli", attempt->cli, "s:model", attempt->model, "s:cwd", attempt->cwd,
                           "b:live", attempt->live, "b:sandbox", self->launch->sandbox,
                           "s:sandbox_problem", self->launch->sandbox_problem, "s:session",
                           self->launch->session, NULL));
  if (attempt->live)
    fore_attempt_job_write_begin (self);
}

static void
launch_made (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeAttemptJob) self = user_data;
  g_autoptr (GError) error = NULL;

  fore_dispatch_trace_go_on (self->trace);
  self->launch = fore_attempt_launch_make_finish (result, &error);
  if (self->launch == NULL)
    {
      fail (self, FORE_CAUSE_NOT_STARTED, error->message);
      return;
    }
  if (fore_attempt_job_is_stopped (self))
    {
      fail (self, self->stop_cause, self->stop_message);
      return;
    }

  write_start (self);
  fore_run_writer_barrier_async (fore_run_state_get_writer (fore_attempt_job_get_state (self)),
                                 NULL, barrier_done, g_object_ref (self));
  fore_dispatch_trace_wait (self->trace, FORE_DISPATCH_BARRIER);
}

/* The newest plan of this planner; one that plans a later phase has none at first. */
static ForePlan *
find_own_plan (ForeAttemptJob *self)
{
  ForeRunState *state = fore_attempt_job_get_state (self);

  for (guint version = fore_run_state_get_run (state)->plan_version; version > 0; version--)
    {
      ForePlan *plan = fore_run_state_get_plan (state, version);

      if (plan != NULL && g_strcmp0 (plan->task, self->task->key) == 0)
        return plan;
    }

  return NULL;
}

void
fore_attempt_job_start_agent (ForeAttemptJob *self, const char *tree)
{
  ForeRunState *state = fore_attempt_job_get_state (self);
  ForeLaunchPlan plan = { 0 };
  g_autofree char *mail = fore_run_state_dup_mail_of (state, self->task);

  plan.interrupted = fore_attempt_job_find_interrupted (self);
  self->attempt = fore_run_state_add_attempt (state, self->task);
  self->attempt->live = self->adapter->live && (self->task->live || !self->adapter->one_shot);

  plan.adapter = self->adapter;
  plan.run = fore_run_state_get_run (state);
  plan.task = self->task;
  plan.attempt = self->attempt;
  plan.dependencies = self->dependencies;
  plan.tree = tree;
  plan.mail = mail;
  plan.conflicts = (const char *const *) self->conflicts;
  plan.trace = self->trace;
  if (self->task->adaptive)
    plan.plan_before = find_own_plan (self);

  if (mail != NULL)
    fore_run_state_deliver_mail_of (state, self->task);
  fore_attempt_launch_make_async (self->services->context, &plan, launch_made, g_object_ref (self));
}

static void
take_tree (ForeAttemptJob *self, const ForeTree *tree)
{
  ForeTask *task = self->task;

  if (tree->git_dir != NULL && g_strcmp0 (task->gitdir, tree->git_dir) != 0)
    fore_run_state_emit (fore_attempt_job_get_state (self), FORE_EVENT_TREE_ADDED, task->key, 0,
                         fore_event_data_new ("s:path", tree->path, "s:branch", tree->branch,
                                              "s:base", tree->base, "s:setup_log", tree->setup_log,
                                              "i:setup_ms", tree->setup_ms, NULL));
  if (tree->git_dir != NULL)
    fore_set_str (&task->worktree, tree->path);
  fore_set_str (&task->gitdir, tree->git_dir);
  fore_set_str (&task->branch, tree->branch);
  fore_set_str (&task->base, tree->base);
  self->conflicts = g_strdupv (tree->conflicts);
}

/* An agent that was told to resolve them starts with them. */
static gboolean
waits_for_person (ForeAttemptJob *self)
{
  return self->conflicts != NULL && self->task->attempts == 0 && self->way != FORE_CONFLICT_AGENT;
}

/* What a person resolved is all that there was to do: it is in what the task starts from. */
static gboolean
is_resolved (ForeAttemptJob *self)
{
  return self->way == FORE_CONFLICT_RESOLVED && self->task->attempts == 0
         && fore_conflict_is_resolver (self->task);
}

static void
tree_prepared (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeAttemptJob) self = user_data;
  g_autoptr (ForeTree) tree = NULL;
  g_autoptr (GError) error = NULL;

  fore_dispatch_trace_go_on (self->trace);
  tree = fore_trees_prepare_finish (FORE_TREES (source), result, &error);
  if (tree == NULL)
    {
      fail (self, FORE_CAUSE_WORKTREE, error->message);
      return;
    }

  take_tree (self, tree);
  if (fore_attempt_job_is_stopped (self))
    fail (self, self->stop_cause, self->stop_message);
  else if (waits_for_person (self))
    fail (self, FORE_CAUSE_CONFLICT, _ ("What it builds on changed the same lines twice."));
  else if (is_resolved (self))
    fail (self, FORE_CAUSE_NONE, NULL);
  else if (fore_goal_is_checks (self->task))
    fore_attempt_job_begin_checks (self, tree->path);
  else if (fore_hooks_can_block (self->services->hooks))
    fore_attempt_job_ask_hooks (self, tree->path);
  else
    fore_attempt_job_start_agent (self, tree->path);
}

static GStrv
list_commits (GPtrArray *dependencies)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < dependencies->len; i++)
    {
      const ForeTask *before = g_ptr_array_index (dependencies, i);
      char *commit = before->commit != NULL ? before->commit : before->base;

      if (commit != NULL && g_hash_table_add (seen, commit))
        g_strv_builder_add (builder, commit);
    }

  return g_strv_builder_end (builder);
}

gboolean
fore_attempt_job_begin (ForeAttemptJob *self, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autofree char *message = NULL;

  self->running = g_task_new (self, NULL, callback, user_data);
  g_task_set_name (self->running, "attempt");
  self->adapter = self->task->cli != NULL ? fore_adapter_lookup (self->task->cli) : NULL;
  if (self->adapter != NULL)
    return TRUE;

  if (self->task->cli != NULL)
    message = g_strdup_printf (_ ("There is no agent CLI “%s”."), self->task->cli);
  else
    message = g_strdup (_ ("No agent CLI was found on this machine; install one or choose another "
                           "with --cli."));
  fail (self, FORE_CAUSE_NOT_STARTED, message);

  return FALSE;
}

/* Nobody has worked in the tree of a first attempt that did not come to be: whatever kept it from
 * that may have kept the tree from being whole, which would count as work.
 */
static gboolean
is_untouched (const ForeAttempt *before)
{
  return before != NULL && before->n == 1 && before->cause == FORE_CAUSE_NOT_STARTED;
}

static void
prepare_tree (ForeAttemptJob *self)
{
  g_auto (GStrv) commits = list_commits (self->dependencies);
  const ForeAttempt *before = fore_run_state_find_attempt (fore_attempt_job_get_state (self),
                                                           self->task->key, self->task->attempts);
  const ForeWorkflowStep *step = fore_run_context_get_step (self->services->context, self->task);

  if (step != NULL)
    fore_trees_set_seeds (self->services->trees, self->task->key,
                          (const char *const *) step->seed_paths);
  fore_trees_prepare_async (self->services->trees, self->task, (const char *const *) commits,
                            self->way,
                            fore_attempt_job_is_of_another_boot (before) || is_untouched (before),
                            NULL, tree_prepared, g_object_ref (self));
  fore_dispatch_trace_wait (self->trace, fore_trees_is_isolated (self->services->trees)
                                             ? FORE_DISPATCH_TREE
                                             : FORE_DISPATCH_QUEUE);
}

static void
shared_tree_noted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeAttemptJob) self = user_data;

  fore_dispatch_trace_go_on (self->trace);
  g_strfreev (fore_trees_watch_leader_finish (FORE_TREES (source), result, NULL));
  prepare_tree (self);
}

/**
 * fore_attempt_job_run_async:
 * @self: a job
 * @slots: (transfer full) (element-type ForeSlot): places that the guard holds while it lives
 * @dependencies: (element-type ForeTask): the tasks before it
 * @way: what to do where two of them changed the same
 * @trace: (nullable) (transfer full): where the time goes until it starts
 * @callback: called when the attempt is over, its work safe and its checks run
 * @user_data: data for @callback
 *
 * Makes the next attempt of the task.
 */
void
fore_attempt_job_run_async (ForeAttemptJob *self,
                            GPtrArray *slots,
                            GPtrArray *dependencies,
                            ForeConflictWay way,
                            ForeDispatchTrace *trace,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  g_return_if_fail (FORE_IS_ATTEMPT_JOB (self));
  g_return_if_fail (self->running == NULL);

  self->trace = trace;
  self->way = way;
  self->slots = slots;
  self->dependencies = g_ptr_array_ref (dependencies);
  if (!fore_attempt_job_begin (self, callback, user_data))
    return;

  if (fore_trees_is_isolated (self->services->trees))
    fore_run_state_set_phase (fore_attempt_job_get_state (self), self->task, FORE_PHASE_WORKTREE,
                              NULL);
  if (fore_attempt_job_works_in_shared_tree (self))
    {
      fore_trees_watch_leader_async (self->services->trees, NULL, shared_tree_noted,
                                     g_object_ref (self));
      fore_dispatch_trace_wait (self->trace, FORE_DISPATCH_TREE);
    }
  else
    prepare_tree (self);
}

/**
 * fore_attempt_job_run_finish:
 * @self: a job
 * @result: the result
 * @message: (out) (nullable) (transfer full): one sentence about the cause
 *
 * Returns: why it did not end well, or %FORE_CAUSE_NONE
 */
ForeCause
fore_attempt_job_run_finish (ForeAttemptJob *self, GAsyncResult *result, char **message)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FORE_CAUSE_ERROR);

  g_task_propagate_boolean (G_TASK (result), NULL);
  if (message != NULL)
    *message = g_strdup (self->message);

  return self->cause;
}

static gboolean
kill_cancelled (gpointer user_data)
{
  ForeAttemptJob *self = user_data;

  self->kill_timer = 0;
  if (self->guard != NULL && fore_guard_get_exit_record (self->guard) == NULL)
    fore_guard_kill (self->guard);

  return G_SOURCE_REMOVE;
}

/**
 * fore_attempt_job_stop:
 * @self: a job
 * @cause: why
 * @message: (nullable): one sentence: why
 *
 * Ends the attempt, politely first; it is over when its callback is called. The first reason stays.
 */
void
fore_attempt_job_stop (ForeAttemptJob *self, ForeCause cause, const char *message)
{
  g_return_if_fail (FORE_IS_ATTEMPT_JOB (self));
  g_return_if_fail (cause != FORE_CAUSE_NONE);

  if (fore_attempt_job_is_stopped (self))
    return;

  self->stop_cause = cause;
  self->stop_message = g_strdup (message);
  if (self->checks != NULL)
    fore_check_run_stop (self->checks);
  else if (self->guard != NULL)
    fore_guard_end (self->guard);
  if (cause == FORE_CAUSE_CANCELLED && self->kill_timer == 0)
    self->kill_timer = g_timeout_add (CANCEL_MS, kill_cancelled, self);
}

/**
 * fore_attempt_job_get_task:
 * @self: a job
 *
 * Returns: (transfer none): its task
 */
ForeTask *
fore_attempt_job_get_task (ForeAttemptJob *self)
{
  g_return_val_if_fail (FORE_IS_ATTEMPT_JOB (self), NULL);

  return self->task;
}

/**
 * fore_attempt_job_get_conflicts:
 * @self: a job that ended with %FORE_CAUSE_CONFLICT
 *
 * Returns: (transfer none) (nullable): the paths that its dependencies both changed
 */
const char *const *
fore_attempt_job_get_conflicts (ForeAttemptJob *self)
{
  g_return_val_if_fail (FORE_IS_ATTEMPT_JOB (self), NULL);

  return (const char *const *) self->conflicts;
}
