/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-scheduler-private.h"

#include "engine/fore-event-data.h"
#include "engine/fore-goal.h"
#include "engine/fore-helper.h"
#include "engine/fore-leader-alarm.h"
#include "engine/fore-retry.h"
#include "engine/fore-yield.h"
#include "platform/fore-clock.h"
#include "platform/fore-compat-glib.h"

#include <glib/gi18n-lib.h>

/* An agent that was started this often for one task is not started again, whatever the settings. */
#define MAX_STARTS 20
#define MAX_LIMIT_MS (24 * 60 * 60 * 1000)

/* An exit code says nothing about why; whether a command is worth another try only its step knows.
 */
static gboolean
is_worth_a_try (const ForeTask *task, ForeCause cause)
{
  return fore_cause_can_pass (cause)
         || (cause == FORE_CAUSE_EXIT && task->retries > 0
             && fore_slot_pool_for_task (task) == FORE_SLOT_POOL_COMMANDS);
}

static gboolean
may_retry (ForeScheduler *self, const ForeTask *task, ForeCause cause)
{
  return is_worth_a_try (task, cause) && task->starts < MAX_STARTS && !self->stopping
         && (cause == FORE_CAUSE_INTERRUPTED
             || fore_retry_is_allowed (self->services->context->settings, task));
}

/* An agent that said when its rate limit ends is not asked before. */
static gint64
choose_delay (ForeScheduler *self, const ForeTask *task, ForeCause cause)
{
  gint64 delay_ms, limit_ms;

  if (cause == FORE_CAUSE_INTERRUPTED)
    return 0;

  delay_ms = fore_retry_choose_delay (self->services->context->settings, task);
  if (cause != FORE_CAUSE_RATE_LIMIT)
    return delay_ms;

  limit_ms = (task->not_before - fore_clock_now_us ()) / 1000;

  return CLAMP (limit_ms, delay_ms, MAX (delay_ms, MAX_LIMIT_MS));
}

static void
retry_later (ForeScheduler *self, ForeTask *task, ForeCause cause, const char *message)
{
  gint64 delay_ms = choose_delay (self, task, cause);
  g_autofree char *text = NULL;

  task->not_before = fore_clock_now_us () + delay_ms * 1000;
  fore_run_state_move_task (fore_scheduler_get_state (self), task, FORE_TASK_QUEUED, cause,
                            message);
  fore_run_state_emit (
      fore_scheduler_get_state (self), FORE_EVENT_ATTEMPT_RETRY, task->key, task->attempts,
      fore_event_data_new ("s:cause", fore_cause_to_string (cause), "i:delay", delay_ms, NULL));

  text = g_strdup_printf (_ ("tries again after %s"), fore_cause_to_string (cause));
  fore_run_state_set_phase (fore_scheduler_get_state (self), task, FORE_PHASE_BACK_OFF, text);
  fore_scheduler_queue_task (self, task);
}

/* It is no failure: the task goes on once the budget is raised, which may have happened by now. */
static void
stop_for_budget (ForeScheduler *self, ForeTask *task, const char *message)
{
  ForeRunState *state = fore_scheduler_get_state (self);
  gboolean open = fore_run_state_find_open_request (state, FORE_REQUEST_BUDGET, NULL) != NULL;

  fore_run_state_move_task (state, task, open ? FORE_TASK_WAITING : FORE_TASK_QUEUED,
                            FORE_CAUSE_BUDGET, message);
  if (open)
    fore_run_state_set_phase (state, task, FORE_PHASE_REQUEST,
                              _ ("waits until the budget of the run is raised"));
  else
    fore_scheduler_queue_task (self, task);
}

/* Links of a chain that were told so: what comes after them comes all the same. */
gboolean
fore_scheduler_goes_on_after (ForeScheduler *self, const ForeTask *task)
{
  const ForeWorkflowStep *step = fore_run_context_get_step (self->services->context, task);

  return step != NULL && g_strcmp0 (step->on_failure, "go-on") == 0;
}

static ForeFailurePolicy
get_policy (ForeScheduler *self, const ForeTask *task)
{
  const ForeWorkflowStep *step = fore_run_context_get_step (self->services->context, task);
  ForeFailurePolicy policy = fore_scheduler_get_run (self)->options.on_failure;

  /* Whoever asked for it is told, and decides what that means. */
  if (fore_helper_is_one (task))
    return FORE_POLICY_CONTINUE;

  if (step != NULL && step->on_failure != NULL)
    fore_failure_policy_from_string (step->on_failure, &policy);

  return policy;
}

/* Another model may be had where this one is not. Each is tried once, beside the attempts that the
 * settings allow.
 */
static gboolean
take_next_model (ForeScheduler *self, ForeTask *task, ForeCause cause, const char *message)
{
  ForeRunState *state = fore_scheduler_get_state (self);
  const char *next;

  if ((cause != FORE_CAUSE_RATE_LIMIT && cause != FORE_CAUSE_OVERLOADED
       && cause != FORE_CAUSE_BAD_MODEL)
      || task->starts >= MAX_STARTS || self->stopping)
    return FALSE;

  next = fore_run_context_get_next_model (self->services->context, task);
  if (next == NULL)
    return FALSE;

  fore_set_str (&task->model, next);
  task->not_before = 0;
  fore_run_state_move_task (state, task, FORE_TASK_QUEUED, cause, message);
  fore_run_state_emit (state, FORE_EVENT_ATTEMPT_RETRY, task->key, task->attempts,
                       fore_event_data_new ("s:cause", fore_cause_to_string (cause), "i:delay",
                                            (gint64) 0, "s:model", next, NULL));
  fore_scheduler_queue_task (self, task);

  return TRUE;
}

/* An agent without a session is reminded by its next attempt, which goes on where it was. */
static gboolean
remind (ForeScheduler *self, ForeTask *task, const char *message)
{
  ForeRunState *state = fore_scheduler_get_state (self);
  const ForeAttempt *attempt = fore_run_state_find_attempt (state, task->key, task->attempts);
  guint missing = fore_yield_count_missing (state, task);

  if (attempt == NULL || attempt->live || task->starts >= MAX_STARTS || self->stopping
      || missing > fore_yield_get_reminders (self->services->context))
    return FALSE;

  fore_set_str (&task->feedback, fore_yield_get_reminder (task));
  task->not_before = 0;
  fore_run_state_move_task (state, task, FORE_TASK_QUEUED, FORE_CAUSE_NO_YIELD, message);
  fore_run_state_emit (state, FORE_EVENT_TASK_REMINDED, task->key, task->attempts,
                       fore_event_data_new ("i:reminder", (gint64) missing, NULL));
  fore_scheduler_queue_task (self, task);

  return TRUE;
}

static void
miss_result (ForeScheduler *self, ForeTask *task, const char *message)
{
  if (remind (self, task, message))
    return;

  if (fore_yield_get_policy (self->services->context) == FORE_YIELD_FAIL)
    {
      fore_scheduler_fail (self, task, FORE_CAUSE_NO_YIELD, message, get_policy (self, task));
      return;
    }

  fore_run_state_move_task (fore_scheduler_get_state (self), task, FORE_TASK_NEEDS_ATTENTION,
                            FORE_CAUSE_NO_YIELD, message);
  g_signal_emit (self, fore_scheduler_signals[STUCK], 0, task);
}

static void
settle (ForeScheduler *self, ForeTask *task, ForeCause cause, const char *message)
{
  ForeRunState *state = fore_scheduler_get_state (self);

  if (task->status != FORE_TASK_RUNNING)
    return;

  if (fore_task_get_note (task) == NULL)
    fore_run_state_set_mark (state, task, NULL);
  if (cause == FORE_CAUSE_NONE && task->adaptive)
    g_signal_emit (self, fore_scheduler_signals[PLANNED], 0, task);
  else if (cause == FORE_CAUSE_NONE && fore_goal_is_judge (task))
    g_signal_emit (self, fore_scheduler_signals[JUDGED], 0, task);
  else if (cause == FORE_CAUSE_NONE)
    fore_scheduler_complete (self, task);
  else if (cause == FORE_CAUSE_CONFLICT)
    {
      fore_run_state_move_task (state, task, FORE_TASK_WAITING, cause, message);
      g_signal_emit (self, fore_scheduler_signals[STUCK], 0, task);
    }
  else if (cause == FORE_CAUSE_BUDGET)
    stop_for_budget (self, task, message);
  else if (cause == FORE_CAUSE_COMPROMISED)
    {
      fore_run_state_move_task (state, task, FORE_TASK_NEEDS_ATTENTION, cause, message);
      g_signal_emit (self, fore_scheduler_signals[STUCK], 0, task);
    }
  else if (cause == FORE_CAUSE_NO_YIELD)
    miss_result (self, task, message);
  else if (take_next_model (self, task, cause, message))
    return;
  else if (may_retry (self, task, cause))
    retry_later (self, task, cause, message);
  else
    fore_scheduler_fail (self, task, cause, message, get_policy (self, task));
}

/* The main checkout */

static void
leader_seen (ForeScheduler *self)
{
  self->looking = FALSE;
  if (self->look_again)
    fore_scheduler_look_at_leader (self, NULL);
  fore_scheduler_pump (self);
}

static void
leader_searched (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeScheduler) self = user_data;

  if (self->shut)
    return;

  fore_leader_alarm_finish (result);
  leader_seen (self);
}

static void
looked_at_leader (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeScheduler) self = user_data;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) paths = fore_trees_watch_leader_finish (FORE_TREES (source), result, &error);
  g_autofree char *ended = g_steal_pointer (&self->look_for);

  if (self->shut)
    return;

  if (paths == NULL)
    g_message ("The checkout could not be looked at: %s", error->message);
  else if (paths[0] != NULL)
    {
      fore_leader_alarm_raise (self->services, ended, g_steal_pointer (&paths), leader_searched,
                               g_object_ref (self));
      return;
    }

  leader_seen (self);
}

/* Whether somebody changed files there while the agents worked in trees of their own; people do.
 * @ended (nullable) is the task whose attempt has just ended.
 */
void
fore_scheduler_look_at_leader (ForeScheduler *self, const char *ended)
{
  if (self->shut || !fore_trees_is_isolated (self->services->trees))
    return;

  if (ended != NULL)
    fore_set_str (&self->look_for, ended);
  self->look_again = self->looking;
  if (self->looking)
    return;

  self->looking = TRUE;
  fore_trees_watch_leader_async (self->services->trees, NULL, looked_at_leader,
                                 g_object_ref (self));
}

void
fore_scheduler_job_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeScheduler) self = user_data;
  ForeAttemptJob *job = FORE_ATTEMPT_JOB (source);
  ForeTask *task = fore_attempt_job_get_task (job);
  g_autofree char *message = NULL;
  ForeCause cause = fore_attempt_job_run_finish (job, result, &message);

  if (self->shut)
    return;

  fore_scheduler_leave_waiting (self, job);
  fore_run_state_withdraw_permissions (fore_scheduler_get_state (self), task->key,
                                       _ ("The session that asked is over."));
  if (cause == FORE_CAUSE_CONFLICT)
    {
      g_autofree char *paths = g_strjoinv ("\n- ", (char **) fore_attempt_job_get_conflicts (job));

      fore_set_str (&message, paths);
    }

  g_hash_table_remove (self->jobs, task->key);
  settle (self, task, cause, message);
  fore_attempt_job_let_go (job);
  if (fore_task_status_get_class (task->status) == FORE_CLASS_FINISHED)
    fore_run_state_withdraw_questions (fore_scheduler_get_state (self), task->key,
                                       _ ("The task that asked is over."));
  fore_scheduler_look_at_leader (self, task->key);
  fore_scheduler_pump (self);
}

/* What becomes of a task */

/* The barrier before the start of what is released covers this completion too. */
static void
release (ForeScheduler *self, ForeTask *task)
{
  g_autoptr (GPtrArray) released = fore_graph_satisfy (self->graph, task->key);

  for (guint i = 0; i < released->len; i++)
    fore_scheduler_consider (self, fore_run_state_find_task (fore_scheduler_get_state (self),
                                                             g_ptr_array_index (released, i)));

  fore_scheduler_pump (self);
}

/**
 * fore_scheduler_complete:
 * @self: a scheduler
 * @task: a task whose work is good
 *
 * Completes @task and releases what waited for it.
 */
void
fore_scheduler_complete (ForeScheduler *self, ForeTask *task)
{
  g_return_if_fail (FORE_IS_SCHEDULER (self));
  g_return_if_fail (task != NULL);

  if (!fore_run_state_move_task (fore_scheduler_get_state (self), task, FORE_TASK_COMPLETED,
                                 FORE_CAUSE_NONE, NULL))
    return;

  g_clear_pointer (&task->feedback, g_free);
  release (self, task);
}

/**
 * fore_scheduler_skip_dependants:
 * @self: a scheduler
 * @task: a task that will not complete
 *
 * Skips everything that waits for @task, near and far.
 */
void
fore_scheduler_skip_dependants (ForeScheduler *self, ForeTask *task)
{
  g_autoptr (GPtrArray) after = NULL;
  g_autofree char *message = NULL;

  g_return_if_fail (FORE_IS_SCHEDULER (self));
  g_return_if_fail (task != NULL);

  message = g_strdup_printf (_ ("It waited for “%s”, which did not complete."), task->key);
  after = fore_graph_list_dependants (self->graph, task->key, TRUE);
  for (guint i = 0; i < after->len; i++)
    {
      ForeTask *other = fore_run_state_find_task (fore_scheduler_get_state (self),
                                                  g_ptr_array_index (after, i));

      if (other->status == FORE_TASK_QUEUED)
        {
          g_ptr_array_remove (self->gated, other);
          fore_run_state_move_task (fore_scheduler_get_state (self), other, FORE_TASK_SKIPPED,
                                    FORE_CAUSE_NONE, message);
        }
    }
}

void
fore_scheduler_skip_all_queued (ForeScheduler *self, const char *message)
{
  GPtrArray *tasks = fore_run_state_get_tasks (fore_scheduler_get_state (self));

  fore_ready_queue_clear (self->ready);
  g_hash_table_remove_all (self->waiting);
  g_ptr_array_set_size (self->gated, 0);

  for (guint i = 0; i < tasks->len; i++)
    {
      ForeTask *task = g_ptr_array_index (tasks, i);

      if (task->status == FORE_TASK_QUEUED)
        fore_run_state_move_task (fore_scheduler_get_state (self), task, FORE_TASK_SKIPPED,
                                  FORE_CAUSE_NONE, message);
    }
}

/**
 * fore_scheduler_fail:
 * @self: a scheduler
 * @task: a task that is not finished
 * @cause: why
 * @message: (nullable): one sentence: why
 * @policy: what that does to the rest
 */
void
fore_scheduler_fail (ForeScheduler *self,
                     ForeTask *task,
                     ForeCause cause,
                     const char *message,
                     ForeFailurePolicy policy)
{
  g_return_if_fail (FORE_IS_SCHEDULER (self));
  g_return_if_fail (task != NULL);

  if (!fore_run_state_move_task (fore_scheduler_get_state (self), task, FORE_TASK_FAILED, cause,
                                 message))
    return;

  if (fore_scheduler_goes_on_after (self, task))
    {
      release (self, task);
      return;
    }

  switch (policy)
    {
    case FORE_POLICY_CONTINUE:
      fore_scheduler_skip_dependants (self, task);
      break;

    case FORE_POLICY_STOP_NOW:
      fore_scheduler_stop_all (self, FORE_CAUSE_CANCELLED, _ ("Another task failed."));
      G_GNUC_FALLTHROUGH;

    case FORE_POLICY_STOP:
      self->stopping = TRUE;
      fore_scheduler_skip_all_queued (self,
                                      _ ("Another task failed and the run stops at a failure."));
      break;

    case FORE_POLICY_ASK:
      g_signal_emit (self, fore_scheduler_signals[STUCK], 0, task);
      break;

    default:
      g_assert_not_reached ();
    }

  fore_scheduler_pump (self);
}

/**
 * fore_scheduler_requeue:
 * @self: a scheduler
 * @task: a task that waits, or was just made queued
 *
 * Lets @task start (again) as soon as it can.
 */
void
fore_scheduler_requeue (ForeScheduler *self, ForeTask *task)
{
  g_return_if_fail (FORE_IS_SCHEDULER (self));
  g_return_if_fail (task != NULL);

  if (task->status != FORE_TASK_QUEUED
      && !fore_run_state_move_task (fore_scheduler_get_state (self), task, FORE_TASK_QUEUED,
                                    FORE_CAUSE_NONE, NULL))
    return;

  fore_scheduler_queue_task (self, task);
  fore_scheduler_pump (self);
}

/**
 * fore_scheduler_retry:
 * @self: a scheduler
 * @task: a failed or skipped task, or one that needs attention
 *
 * Makes @task and everything that was skipped because of it queued again.
 */
void
fore_scheduler_retry (ForeScheduler *self, ForeTask *task)
{
  g_autoptr (GPtrArray) after = NULL;

  g_return_if_fail (FORE_IS_SCHEDULER (self));
  g_return_if_fail (task != NULL);

  self->stopping = FALSE;
  self->busy_us = 0;
  task->not_before = 0;
  task->starts = 0;
  if (!fore_task_status_can_move (task->status, FORE_TASK_QUEUED))
    return;

  fore_run_state_move_task (fore_scheduler_get_state (self), task, FORE_TASK_QUEUED,
                            FORE_CAUSE_NONE, NULL);
  after = fore_graph_list_dependants (self->graph, task->key, TRUE);
  for (guint i = 0; i < after->len; i++)
    {
      ForeTask *other = fore_run_state_find_task (fore_scheduler_get_state (self),
                                                  g_ptr_array_index (after, i));

      if (other->status == FORE_TASK_SKIPPED)
        {
          fore_run_state_move_task (fore_scheduler_get_state (self), other, FORE_TASK_QUEUED,
                                    FORE_CAUSE_NONE, NULL);
          fore_scheduler_consider (self, other);
        }
    }
  fore_scheduler_consider (self, task);
  fore_scheduler_pump (self);
}

/**
 * fore_scheduler_cancel_task:
 * @self: a scheduler
 * @task: a task
 * @reason: one sentence: why
 *
 * Cancels one task; what waits for it is skipped.
 */
void
fore_scheduler_cancel_task (ForeScheduler *self, ForeTask *task, const char *reason)
{
  ForeAttemptJob *job;

  g_return_if_fail (FORE_IS_SCHEDULER (self));
  g_return_if_fail (task != NULL);

  if (!fore_task_status_can_move (task->status, FORE_TASK_CANCELLED))
    return;

  fore_ready_queue_remove (self->ready, task);
  g_ptr_array_remove (self->gated, task);
  g_hash_table_remove (self->waiting, task->key);

  fore_run_state_move_task (fore_scheduler_get_state (self), task, FORE_TASK_CANCELLED,
                            FORE_CAUSE_CANCELLED, reason);
  job = fore_scheduler_find_job (self, task->key);
  if (job != NULL)
    fore_attempt_job_stop (job, FORE_CAUSE_CANCELLED, reason);
  fore_scheduler_skip_dependants (self, task);
  fore_scheduler_pump (self);
}

/* Only what ran alone in a shared tree can be held to what changed there. */
void
fore_scheduler_note_company (ForeScheduler *self, ForeAttemptJob *job)
{
  GHashTableIter iter;
  gpointer other;

  if (fore_trees_is_isolated (self->services->trees)
      || fore_slot_pool_for_task (fore_attempt_job_get_task (job)) != FORE_SLOT_POOL_AGENTS)
    return;

  g_hash_table_iter_init (&iter, self->jobs);
  while (g_hash_table_iter_next (&iter, NULL, &other))
    {
      fore_attempt_job_set_beside (other);
      fore_attempt_job_set_beside (job);
    }
}
