/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-scheduler-private.h"

#include "engine/fore-gate.h"
#include "platform/fore-clock.h"

#include <glib/gi18n-lib.h>

/* Of a hundred that are ready at once; the rest in the next turns, between which others have
 * theirs. */
#define STARTS_IN_TURN 2

guint fore_scheduler_signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (ForeScheduler, fore_scheduler, G_TYPE_OBJECT)

static void
start_task (ForeScheduler *self, ForeTask *task, GPtrArray *slots, ForeDispatchTrace *trace);

static void
fore_scheduler_dispose (GObject *object)
{
  ForeScheduler *self = FORE_SCHEDULER (object);

  g_clear_handle_id (&self->pump_source, g_source_remove);
  g_clear_handle_id (&self->tick_source, g_source_remove);
  g_hash_table_remove_all (self->jobs);
  g_hash_table_remove_all (self->waiting);
  g_clear_object (&self->slots);
  g_clear_object (&self->foresight);

  G_OBJECT_CLASS (fore_scheduler_parent_class)->dispose (object);
}

static void
fore_scheduler_finalize (GObject *object)
{
  ForeScheduler *self = FORE_SCHEDULER (object);

  g_clear_pointer (&self->ready, fore_ready_queue_free);
  g_clear_pointer (&self->graph, fore_graph_free);
  g_clear_pointer (&self->gated, g_ptr_array_unref);
  g_clear_pointer (&self->planners, g_ptr_array_unref);
  g_clear_pointer (&self->helpers, g_ptr_array_unref);
  g_clear_pointer (&self->jobs, g_hash_table_unref);
  g_clear_pointer (&self->waiting, g_hash_table_unref);
  g_free (self->halted);
  g_free (self->look_for);

  G_OBJECT_CLASS (fore_scheduler_parent_class)->finalize (object);
}

static guint
add_signal (ForeSchedulerClass *klass, const char *name, guint n_params)
{
  return g_signal_new (name, G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                       G_TYPE_NONE, n_params, G_TYPE_POINTER, G_TYPE_POINTER);
}

static void
fore_scheduler_class_init (ForeSchedulerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = fore_scheduler_dispose;
  object_class->finalize = fore_scheduler_finalize;

  fore_scheduler_signals[PLANNED] = add_signal (klass, "planned", 1);
  fore_scheduler_signals[JUDGED] = add_signal (klass, "judged", 1);
  fore_scheduler_signals[GATED] = add_signal (klass, "gated", 1);
  fore_scheduler_signals[STUCK] = add_signal (klass, "stuck", 1);
  fore_scheduler_signals[PERMISSION] = add_signal (klass, "permission", 2);
  fore_scheduler_signals[WITHDRAWN] = add_signal (klass, "withdrawn", 2);
  fore_scheduler_signals[ASKED] = add_signal (klass, "asked", 2);
  fore_scheduler_signals[HELPED] = add_signal (klass, "helped", 1);
  fore_scheduler_signals[USAGE] = add_signal (klass, "usage", 0);
  fore_scheduler_signals[IDLE] = add_signal (klass, "idle", 0);
}

static gint64
measure_chain (const ForeTask *task, gpointer user_data)
{
  return fore_graph_get_chain (((ForeScheduler *) user_data)->graph, task->key);
}

static void
fore_scheduler_init (ForeScheduler *self)
{
  self->ready = fore_ready_queue_new (measure_chain, self);
  self->graph = fore_graph_new ();
  self->gated = g_ptr_array_new ();
  self->planners = g_ptr_array_new ();
  self->helpers = g_ptr_array_new ();
  self->jobs = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_object_unref);
  self->waiting = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                         (GDestroyNotify) g_source_destroy);
}

/**
 * fore_scheduler_new:
 * @services: what all attempts of the run share; outlives the scheduler
 *
 * Returns: (transfer full): a scheduler without tasks
 */
ForeScheduler *
fore_scheduler_new (const ForeAttemptServices *services)
{
  ForeScheduler *self;

  g_return_val_if_fail (services != NULL, NULL);

  self = g_object_new (FORE_TYPE_SCHEDULER, NULL);
  self->services = services;
  self->slots = fore_slot_keeper_new (services->context, services->state);
  g_signal_connect_swapped (self->slots, "freed", G_CALLBACK (fore_scheduler_pump), self);

  return self;
}

ForeRunState *
fore_scheduler_get_state (ForeScheduler *self)
{
  return self->services->state;
}

ForeRun *
fore_scheduler_get_run (ForeScheduler *self)
{
  return fore_run_state_get_run (fore_scheduler_get_state (self));
}

/* Ready and not ready */

static void
enqueue (ForeScheduler *self, ForeTask *task)
{
  ForeGate gate = fore_gate_find (self->services, task);

  if (gate != FORE_GATE_NONE)
    {
      fore_run_state_set_phase (fore_scheduler_get_state (self), task, FORE_PHASE_GATE,
                                gate == FORE_GATE_STEP
                                    ? _ ("waits for your approval before it starts")
                                    : _ ("waits for your approval before anything is written"));
      g_ptr_array_add (self->gated, task);
      g_signal_emit (self, fore_scheduler_signals[GATED], 0, task);
      return;
    }

  fore_ready_queue_add (self->ready, task);
  fore_scheduler_pump (self);
}

void
fore_scheduler_consider (ForeScheduler *self, ForeTask *task)
{
  if (task->status != FORE_TASK_QUEUED || g_hash_table_contains (self->jobs, task->key))
    return;

  if (fore_graph_get_unmet (self->graph, task->key) > 0)
    fore_scheduler_say_what_it_waits_for (self, task);
  else
    enqueue (self, task);
}

/* Dispatch */

static gboolean
can_dispatch (ForeScheduler *self)
{
  ForeRunStatus status = fore_scheduler_get_run (self)->status;

  return !self->shut && !self->stopping && self->halted == NULL && status != FORE_RUN_PAUSED
         && fore_run_status_get_class (status) != FORE_CLASS_FINISHED;
}

/* In a shared tree only one task writes at a time; readers go beside it. */
static gboolean
shared_tree_is_free (ForeScheduler *self, const ForeTask *task)
{
  GHashTableIter iter;
  gpointer job;

  if (!task->writes || fore_trees_is_isolated (self->services->trees)
      || fore_slot_pool_for_task (task) == FORE_SLOT_POOL_COMMANDS)
    return TRUE;

  g_hash_table_iter_init (&iter, self->jobs);
  while (g_hash_table_iter_next (&iter, NULL, &job))
    {
      const ForeTask *other = fore_attempt_job_get_task (job);

      if (other != task && other->writes
          && fore_slot_pool_for_task (other) != FORE_SLOT_POOL_COMMANDS)
        return FALSE;
    }

  return TRUE;
}

static void
say_what_holds_up (ForeTask *task, const char *reason, gpointer user_data)
{
  fore_run_state_set_phase (user_data, task, FORE_PHASE_SLOT, reason);
}

/* Returns whether others may still start; what @task was refused for is said in @reason. */
static gboolean
try_task (ForeScheduler *self, ForeTask *task, ForeSlotPool pool, char **reason)
{
  g_autoptr (ForeDispatchTrace) trace = fore_dispatch_trace_new ();
  GPtrArray *slots = NULL;

  if (!shared_tree_is_free (self, task))
    *reason = g_strdup (_ ("waits until no other task writes to the shared tree"));
  else
    slots = fore_slot_keeper_take (self->slots, task, reason);

  if (slots != NULL)
    {
      fore_ready_queue_remove (self->ready, task);
      start_task (self, task, slots, g_steal_pointer (&trace));
      return TRUE;
    }

  fore_ready_queue_hold_up (self->ready, task, *reason);
  return !fore_slot_keeper_is_full (self->slots, pool);
}

static void
dispatch_pool (ForeScheduler *self, ForeSlotPool pool, guint *n_left)
{
  g_autofree char *reason = NULL;
  gboolean go_on = TRUE;
  ForeTask *task;

  fore_ready_queue_begin_round (self->ready, pool);
  while (go_on && *n_left > 0 && (task = fore_ready_queue_peek (self->ready, pool)) != NULL)
    {
      g_clear_pointer (&reason, g_free);
      go_on = try_task (self, task, pool, &reason);
      *n_left -= reason == NULL ? 1 : 0;
    }
  if (*n_left == 0)
    return;

  fore_slot_keeper_end_round (self->slots, pool, reason != NULL);
  fore_run_state_hold_phases (fore_scheduler_get_state (self));
  fore_ready_queue_end_round (self->ready, pool, reason, say_what_holds_up,
                              fore_scheduler_get_state (self));
  fore_run_state_write_phases (fore_scheduler_get_state (self));
}

/* Only time in which something is at work counts: a run may wait for a person for ever. */
static void
check_run_time (ForeScheduler *self)
{
  const ForeRun *run = fore_scheduler_get_run (self);
  gint64 limit = run->options.timeout > 0 ? run->options.timeout
                                          : fore_settings_get_duration (
                                              self->services->context->settings, "limits.run_time");
  gint64 now = fore_clock_boot_us ();

  if (fore_scheduler_count_active (self) > 0)
    self->busy_us += MIN (now - self->last_tick, 2 * G_USEC_PER_SEC);
  self->last_tick = now;
  if (self->stopping || self->busy_us / 1000 <= limit)
    return;

  self->stopping = TRUE;
  fore_scheduler_stop_all (self, FORE_CAUSE_TIMEOUT,
                           _ ("The run took longer than its time limit allows and was stopped."));
  fore_scheduler_skip_all_queued (self, _ ("The run took longer than its time limit allows."));
}

static gboolean
tick (gpointer user_data)
{
  ForeScheduler *self = user_data;
  gint64 limit = fore_settings_get_duration (self->services->context->settings, "limits.silence");
  GHashTableIter iter;
  gpointer job;

  check_run_time (self);
  if (self->foresight != NULL)
    fore_conflict_watch_look (self->foresight);

  g_hash_table_iter_init (&iter, self->jobs);
  while (g_hash_table_iter_next (&iter, NULL, &job))
    {
      ForeTask *task = fore_attempt_job_get_task (job);

      fore_attempt_job_copy_commits (job);
      if (fore_attempt_job_is_silent (job, limit))
        fore_attempt_job_stop (
            job, FORE_CAUSE_SILENCE,
            _ ("It printed nothing for longer than limits.silence allows and was "
               "stopped."));
      else if (fore_attempt_job_is_silent (job, limit / 2))
        fore_run_state_set_mark (fore_scheduler_get_state (self), task, "silence");
      else if (g_strcmp0 (task->mark, "silence") == 0)
        fore_run_state_set_mark (fore_scheduler_get_state (self), task, NULL);
    }

  fore_scheduler_pump (self);

  return G_SOURCE_CONTINUE;
}

static void
update_tick (ForeScheduler *self)
{
  gboolean wanted = !self->shut
                    && (fore_scheduler_count_active (self) > 0
                        || !fore_ready_queue_is_empty (self->ready));

  if (wanted && self->tick_source == 0)
    {
      self->last_tick = fore_clock_boot_us ();
      self->tick_source = g_timeout_add_seconds (1, tick, self);
      g_source_set_name_by_id (self->tick_source, "limits");
    }
  else if (!wanted)
    {
      g_clear_handle_id (&self->tick_source, g_source_remove);
    }
}

static gboolean
pump (gpointer user_data)
{
  ForeScheduler *self = user_data;
  guint n_left = STARTS_IN_TURN;

  self->pump_source = 0;
  fore_scheduler_look_at_helpers (self);
  for (guint i = 0; i < FORE_N_SLOT_POOLS; i++)
    {
      if (can_dispatch (self))
        dispatch_pool (self, i, &n_left);
      else
        fore_slot_keeper_end_round (self->slots, i, FALSE);
    }

  if (n_left == 0)
    fore_scheduler_pump (self);
  update_tick (self);
  if (fore_scheduler_is_idle (self) && !self->shut)
    g_signal_emit (self, fore_scheduler_signals[IDLE], 0);

  return G_SOURCE_REMOVE;
}

/**
 * fore_scheduler_pump:
 * @self: a scheduler
 *
 * Starts what can start, in the next turn of the main loop; many calls are one.
 */
void
fore_scheduler_pump (ForeScheduler *self)
{
  g_return_if_fail (FORE_IS_SCHEDULER (self));

  if (self->pump_source != 0 || self->shut)
    return;

  self->pump_source = g_idle_add_full (G_PRIORITY_DEFAULT, pump, self, NULL);
  g_source_set_name_by_id (self->pump_source, "dispatch");
}

/* Attempts */

static void
forward_usage (ForeAttemptJob *job, gpointer user_data)
{
  g_signal_emit (user_data, fore_scheduler_signals[USAGE], 0);
}

ForeAttemptJob *
fore_scheduler_add_job (ForeScheduler *self, ForeTask *task)
{
  ForeAttemptJob *job = fore_attempt_job_new (self->services, task);

  fore_scheduler_watch_session (self, job);
  g_signal_connect_object (job, "usage", G_CALLBACK (forward_usage), self, 0);
  fore_scheduler_note_company (self, job);
  g_hash_table_replace (self->jobs, task->key, job);

  return job;
}

/* Planning while a planner's task is open, running afterwards. */
void
fore_scheduler_update_run_status (ForeScheduler *self)
{
  ForeRunStatus status = FORE_RUN_RUNNING;

  for (guint i = 0; i < self->planners->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (self->planners, i);

      if (fore_task_status_get_class (task->status) != FORE_CLASS_FINISHED)
        status = FORE_RUN_PLANNING;
    }

  if (fore_scheduler_get_run (self)->status != status)
    fore_run_state_move_run (fore_scheduler_get_state (self), status, NULL);
}

static void
start_task (ForeScheduler *self, ForeTask *task, GPtrArray *slots, ForeDispatchTrace *trace)
{
  g_autoptr (GPtrArray) before = fore_scheduler_list_dependencies (self, task);
  ForeConflictWay way = fore_conflict_way_find (fore_scheduler_get_state (self), task);
  ForeAttemptJob *job = fore_scheduler_find_job (self, task->key);

  if (job != NULL)
    {
      fore_dispatch_trace_free (trace);
      fore_scheduler_go_on (self, job, slots);
      return;
    }

  fore_scheduler_update_run_status (self);
  fore_run_state_move_task (fore_scheduler_get_state (self), task, FORE_TASK_RUNNING,
                            FORE_CAUSE_NONE, NULL);
  job = fore_scheduler_add_job (self, task);
  fore_attempt_job_run_async (job, slots, before, way, trace, fore_scheduler_job_done,
                              g_object_ref (self));
}

/**
 * fore_scheduler_open_gate:
 * @self: a scheduler of a run whose person approved something
 *
 * Lets the tasks start that waited for that approval.
 */
void
fore_scheduler_open_gate (ForeScheduler *self)
{
  g_autoptr (GPtrArray) gated = NULL;

  g_return_if_fail (FORE_IS_SCHEDULER (self));

  gated = g_steal_pointer (&self->gated);
  self->gated = g_ptr_array_new ();
  for (guint i = 0; i < gated->len; i++)
    fore_scheduler_consider (self, g_ptr_array_index (gated, i));

  fore_scheduler_pump (self);
}

/**
 * fore_scheduler_stop_all:
 * @self: a scheduler
 * @cause: why
 * @message: one sentence: why
 *
 * Ends every attempt that is at work.
 */
void
fore_scheduler_stop_all (ForeScheduler *self, ForeCause cause, const char *message)
{
  g_autoptr (GList) jobs = NULL;

  g_return_if_fail (FORE_IS_SCHEDULER (self));

  jobs = g_hash_table_get_values (self->jobs);
  for (GList *link = jobs; link != NULL; link = link->next)
    fore_attempt_job_stop (link->data, cause, message);
}

/**
 * fore_scheduler_set_halted:
 * @self: a scheduler
 * @reason: (nullable): one sentence: why nothing new may start; %NULL to go on
 */
void
fore_scheduler_set_halted (ForeScheduler *self, const char *reason)
{
  g_return_if_fail (FORE_IS_SCHEDULER (self));

  g_free (self->halted);
  self->halted = g_strdup (reason);
  fore_scheduler_pump (self);
}

/**
 * fore_scheduler_shut:
 * @self: a scheduler
 *
 * Starts nothing any more and says nothing any more.
 */
void
fore_scheduler_shut (ForeScheduler *self)
{
  g_return_if_fail (FORE_IS_SCHEDULER (self));

  self->shut = TRUE;
  if (self->foresight != NULL)
    fore_conflict_watch_stop (self->foresight);
  g_clear_handle_id (&self->pump_source, g_source_remove);
  g_hash_table_remove_all (self->waiting);
  update_tick (self);
}

/**
 * fore_scheduler_count_jobs:
 * @self: a scheduler
 *
 * Returns: attempts at work, with those that wait for a person
 */
guint
fore_scheduler_count_jobs (ForeScheduler *self)
{
  g_return_val_if_fail (FORE_IS_SCHEDULER (self), 0);

  return g_hash_table_size (self->jobs);
}

/**
 * fore_scheduler_is_idle:
 * @self: a scheduler
 *
 * Returns: whether nothing runs and nothing could start by itself
 */
gboolean
fore_scheduler_is_idle (ForeScheduler *self)
{
  g_return_val_if_fail (FORE_IS_SCHEDULER (self), TRUE);

  return fore_scheduler_count_active (self) == 0 && !self->looking
         && g_hash_table_size (self->waiting) == 0
         && (fore_ready_queue_is_empty (self->ready) || !can_dispatch (self));
}

/**
 * fore_scheduler_is_stopping:
 * @self: a scheduler
 *
 * Returns: whether a failure stopped the run
 */
gboolean
fore_scheduler_is_stopping (ForeScheduler *self)
{
  g_return_val_if_fail (FORE_IS_SCHEDULER (self), FALSE);

  return self->stopping;
}

/**
 * fore_scheduler_find_job:
 * @self: a scheduler
 * @task: a task's key
 *
 * Returns: (transfer none) (nullable): its attempt, if one is at work
 */
ForeAttemptJob *
fore_scheduler_find_job (ForeScheduler *self, const char *task)
{
  g_return_val_if_fail (FORE_IS_SCHEDULER (self), NULL);
  g_return_val_if_fail (task != NULL, NULL);

  return g_hash_table_lookup (self->jobs, task);
}
