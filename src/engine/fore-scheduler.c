/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-scheduler.h"

#include "engine/fore-event-data.h"
#include "engine/fore-retry.h"
#include "engine/fore-slot-keeper.h"
#include "model/fore-graph.h"
#include "platform/fore-clock.h"
#include "platform/fore-compat-glib.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* An agent that was started this often for one task is not started again, whatever the settings. */
#define MAX_STARTS 20

struct _ForeScheduler
{
  GObject parent_instance;

  const ForeAttemptServices *services;
  ForeGraph *graph;
  ForeSlotKeeper *slots;
  GQueue ready[FORE_N_SLOT_POOLS];
  GPtrArray *gated;
  GPtrArray *planners;
  GHashTable *jobs;
  GHashTable *waiting;
  GHashTable *favors;
  guint n_releasing;
  guint pump_source;
  guint tick_source;
  gint64 busy_us;
  gint64 last_tick;
  gboolean looking;
  gboolean look_again;
  gboolean stopping;
  gboolean shut;
  char *halted;
};

enum
{
  PLANNED,
  GATED,
  STUCK,
  PERMISSION,
  USAGE,
  IDLE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (ForeScheduler, fore_scheduler, G_TYPE_OBJECT)

static void skip_all_queued (ForeScheduler *self, const char *message);
static void start_task (ForeScheduler *self, ForeTask *task, GPtrArray *slots);

static void
fore_scheduler_dispose (GObject *object)
{
  ForeScheduler *self = FORE_SCHEDULER (object);

  g_clear_handle_id (&self->pump_source, g_source_remove);
  g_clear_handle_id (&self->tick_source, g_source_remove);
  g_hash_table_remove_all (self->jobs);
  g_hash_table_remove_all (self->waiting);
  g_clear_object (&self->slots);

  G_OBJECT_CLASS (fore_scheduler_parent_class)->dispose (object);
}

static void
fore_scheduler_finalize (GObject *object)
{
  ForeScheduler *self = FORE_SCHEDULER (object);

  for (guint i = 0; i < FORE_N_SLOT_POOLS; i++)
    g_queue_clear (&self->ready[i]);
  g_clear_pointer (&self->graph, fore_graph_free);
  g_clear_pointer (&self->gated, g_ptr_array_unref);
  g_clear_pointer (&self->planners, g_ptr_array_unref);
  g_clear_pointer (&self->jobs, g_hash_table_unref);
  g_clear_pointer (&self->waiting, g_hash_table_unref);
  g_clear_pointer (&self->favors, g_hash_table_unref);
  g_free (self->halted);

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

  signals[PLANNED] = add_signal (klass, "planned", 1);
  signals[GATED] = add_signal (klass, "gated", 1);
  signals[STUCK] = add_signal (klass, "stuck", 1);
  signals[PERMISSION] = add_signal (klass, "permission", 2);
  signals[USAGE] = add_signal (klass, "usage", 0);
  signals[IDLE] = add_signal (klass, "idle", 0);
}

static void
fore_scheduler_init (ForeScheduler *self)
{
  self->graph = fore_graph_new ();
  self->gated = g_ptr_array_new ();
  self->planners = g_ptr_array_new ();
  self->jobs = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_object_unref);
  self->waiting = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                         (GDestroyNotify) g_source_destroy);
  self->favors = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
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

static ForeRunState *
get_state (ForeScheduler *self)
{
  return self->services->state;
}

static ForeRun *
get_run (ForeScheduler *self)
{
  return fore_run_state_get_run (get_state (self));
}

/* Ready and not ready */

static gboolean
needs_gate (ForeScheduler *self, const ForeTask *task)
{
  const ForeWorkflowStep *step;

  if (!task->writes || get_run (self)->approved)
    return FALSE;

  step = fore_run_context_get_step (self->services->context, task);

  return get_run (self)->options.approval == FORE_APPROVAL_ASK
         || (step != NULL && step->gate == FORE_YES);
}

static void
enqueue (ForeScheduler *self, ForeTask *task)
{
  if (needs_gate (self, task))
    {
      fore_run_state_set_phase (get_state (self), task, FORE_PHASE_GATE,
                                _ ("waits for your approval before anything is written"));
      g_ptr_array_add (self->gated, task);
      g_signal_emit (self, signals[GATED], 0, task);
      return;
    }

  g_queue_push_tail (&self->ready[fore_slot_pool_for_task (task)], task);
  fore_scheduler_pump (self);
}

static void
say_what_it_waits_for (ForeScheduler *self, ForeTask *task)
{
  g_autoptr (GPtrArray) before = fore_graph_list_dependencies (self->graph, task->key, FALSE);
  g_autoptr (GString) names = g_string_new (NULL);
  g_autofree char *text = NULL;

  for (guint i = 0; i < before->len; i++)
    {
      const char *key = g_ptr_array_index (before, i);

      if (!fore_graph_is_satisfied (self->graph, key))
        g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", key);
    }

  text = g_strdup_printf (_ ("waits for %s"), names->str);
  fore_run_state_set_phase (get_state (self), task, FORE_PHASE_DEPENDENCIES, text);
}

static void
consider (ForeScheduler *self, ForeTask *task)
{
  if (task->status != FORE_TASK_QUEUED || g_hash_table_contains (self->jobs, task->key))
    return;

  if (fore_graph_get_unmet (self->graph, task->key) > 0)
    say_what_it_waits_for (self, task);
  else
    enqueue (self, task);
}

static gboolean
back_off_over (gpointer user_data)
{
  ForeTask *task = ((gpointer *) user_data)[1];
  ForeScheduler *self = ((gpointer *) user_data)[0];

  g_hash_table_remove (self->waiting, task->key);
  task->not_before = 0;
  consider (self, task);

  return G_SOURCE_REMOVE;
}

static void
wait_for_back_off (ForeScheduler *self, ForeTask *task)
{
  gint64 left_ms = MAX (0, (task->not_before - fore_clock_now_us ()) / 1000);
  GSource *source = g_timeout_source_new ((guint) left_ms);
  gpointer *data = g_new (gpointer, 2);

  data[0] = self;
  data[1] = task;
  g_source_set_callback (source, back_off_over, data, g_free);
  g_source_set_name (source, "back off");
  g_source_attach (source, g_main_context_get_thread_default ());
  g_hash_table_insert (self->waiting, g_strdup (task->key), source);
  g_source_unref (source);
}

static void
queue_task (ForeScheduler *self, ForeTask *task)
{
  if (task->not_before > fore_clock_now_us ())
    wait_for_back_off (self, task);
  else
    consider (self, task);
}

/* Dispatch */

static gboolean
can_dispatch (ForeScheduler *self)
{
  ForeRunStatus status = get_run (self)->status;

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

      if (other->writes && fore_slot_pool_for_task (other) != FORE_SLOT_POOL_COMMANDS)
        return FALSE;
    }

  return TRUE;
}

static void
dispatch_pool (ForeScheduler *self, ForeSlotPool pool)
{
  GList *link = self->ready[pool].head;

  while (link != NULL)
    {
      GList *next = link->next;
      ForeTask *task = link->data;
      g_autofree char *reason = NULL;
      GPtrArray *slots;

      if (!shared_tree_is_free (self, task))
        {
          fore_run_state_set_phase (get_state (self), task, FORE_PHASE_SLOT,
                                    _ ("waits until no other task writes to the shared tree"));
          link = next;
          continue;
        }

      slots = fore_slot_keeper_take (self->slots, task, &reason);
      if (slots == NULL && !fore_slot_keeper_is_full (self->slots, pool))
        {
          fore_run_state_set_phase (get_state (self), task, FORE_PHASE_SLOT, reason);
          link = next;
          continue;
        }
      if (slots == NULL)
        {
          for (; link != NULL && ((ForeTask *) link->data)->phase != FORE_PHASE_SLOT;
               link = link->next)
            fore_run_state_set_phase (get_state (self), link->data, FORE_PHASE_SLOT, reason);
          break;
        }

      g_queue_delete_link (&self->ready[pool], link);
      start_task (self, task, slots);
      link = next;
    }
}

/* Only time in which something is at work counts: a run may wait for a person for ever. */
static void
check_run_time (ForeScheduler *self)
{
  const ForeRun *run = get_run (self);
  gint64 limit = run->options.timeout > 0 ? run->options.timeout
                                          : fore_settings_get_duration (
                                              self->services->context->settings, "limits.run_time");
  gint64 now = fore_clock_boot_us ();

  if (g_hash_table_size (self->jobs) > 0)
    self->busy_us += MIN (now - self->last_tick, 2 * G_USEC_PER_SEC);
  self->last_tick = now;
  if (self->stopping || self->busy_us / 1000 <= limit)
    return;

  self->stopping = TRUE;
  fore_scheduler_stop_all (self, FORE_CAUSE_TIMEOUT,
                           _ ("The run took longer than its time limit allows and was stopped."));
  skip_all_queued (self, _ ("The run took longer than its time limit allows."));
}

static gboolean
tick (gpointer user_data)
{
  ForeScheduler *self = user_data;
  gint64 limit = fore_settings_get_duration (self->services->context->settings, "limits.silence");
  GHashTableIter iter;
  gpointer job;

  check_run_time (self);

  g_hash_table_iter_init (&iter, self->jobs);
  while (g_hash_table_iter_next (&iter, NULL, &job))
    {
      ForeTask *task = fore_attempt_job_get_task (job);

      if (fore_attempt_job_is_silent (job, limit))
        fore_attempt_job_stop (
            job, FORE_CAUSE_SILENCE,
            _ ("It printed nothing for longer than limits.silence allows and was "
               "stopped."));
      else if (fore_attempt_job_is_silent (job, limit / 2))
        fore_run_state_set_mark (get_state (self), task, "silence");
      else if (g_strcmp0 (task->mark, "silence") == 0)
        fore_run_state_set_mark (get_state (self), task, NULL);
    }

  fore_scheduler_pump (self);

  return G_SOURCE_CONTINUE;
}

static gboolean
anything_ready (ForeScheduler *self)
{
  for (guint i = 0; i < FORE_N_SLOT_POOLS; i++)
    {
      if (!g_queue_is_empty (&self->ready[i]))
        return TRUE;
    }

  return FALSE;
}

static void
update_tick (ForeScheduler *self)
{
  gboolean wanted = !self->shut && (g_hash_table_size (self->jobs) > 0 || anything_ready (self));

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

  self->pump_source = 0;
  if (can_dispatch (self))
    {
      for (guint i = 0; i < FORE_N_SLOT_POOLS; i++)
        dispatch_pool (self, i);
    }

  update_tick (self);
  if (fore_scheduler_is_idle (self) && !self->shut)
    g_signal_emit (self, signals[IDLE], 0);

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
forward_permission (ForeAttemptJob *job, gpointer entry, gpointer user_data)
{
  g_signal_emit (user_data, signals[PERMISSION], 0, fore_attempt_job_get_task (job), entry);
}

static void
forward_usage (ForeAttemptJob *job, gpointer user_data)
{
  g_signal_emit (user_data, signals[USAGE], 0);
}

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

static void
retry_later (ForeScheduler *self, ForeTask *task, ForeCause cause, const char *message)
{
  gint64 delay_ms = cause == FORE_CAUSE_INTERRUPTED
                        ? 0
                        : fore_retry_choose_delay (self->services->context->settings, task);
  g_autofree char *text = NULL;

  task->not_before = fore_clock_now_us () + delay_ms * 1000;
  fore_run_state_move_task (get_state (self), task, FORE_TASK_QUEUED, cause, message);
  fore_run_state_emit (
      get_state (self), FORE_EVENT_ATTEMPT_RETRY, task->key, task->attempts,
      fore_event_data_new ("s:cause", fore_cause_to_string (cause), "i:delay", delay_ms, NULL));

  text = g_strdup_printf (_ ("tries again after %s"), fore_cause_to_string (cause));
  fore_run_state_set_phase (get_state (self), task, FORE_PHASE_BACK_OFF, text);
  queue_task (self, task);
}

/* It is no failure: the task goes on once the budget is raised, which may have happened by now. */
static void
stop_for_budget (ForeScheduler *self, ForeTask *task, const char *message)
{
  ForeRunState *state = get_state (self);
  gboolean open = fore_run_state_find_open_request (state, FORE_REQUEST_BUDGET, NULL) != NULL;

  fore_run_state_move_task (state, task, open ? FORE_TASK_WAITING : FORE_TASK_QUEUED,
                            FORE_CAUSE_BUDGET, message);
  if (open)
    fore_run_state_set_phase (state, task, FORE_PHASE_REQUEST,
                              _ ("waits until the budget of the run is raised"));
  else
    queue_task (self, task);
}

static ForeFailurePolicy
get_policy (ForeScheduler *self, const ForeTask *task)
{
  const ForeWorkflowStep *step = fore_run_context_get_step (self->services->context, task);
  ForeFailurePolicy policy = get_run (self)->options.on_failure;

  if (step != NULL && step->on_failure != NULL)
    fore_failure_policy_from_string (step->on_failure, &policy);

  return policy;
}

static void
settle (ForeScheduler *self, ForeTask *task, ForeCause cause, const char *message)
{
  ForeRunState *state = get_state (self);

  if (task->status != FORE_TASK_RUNNING)
    return;

  fore_run_state_set_mark (state, task, NULL);
  if (cause == FORE_CAUSE_NONE && task->adaptive)
    g_signal_emit (self, signals[PLANNED], 0, task);
  else if (cause == FORE_CAUSE_NONE)
    fore_scheduler_complete (self, task);
  else if (cause == FORE_CAUSE_CONFLICT)
    {
      fore_run_state_move_task (state, task, FORE_TASK_WAITING, cause, message);
      g_signal_emit (self, signals[STUCK], 0, task);
    }
  else if (cause == FORE_CAUSE_BUDGET)
    stop_for_budget (self, task, message);
  else if (cause == FORE_CAUSE_COMPROMISED)
    {
      fore_run_state_move_task (state, task, FORE_TASK_NEEDS_ATTENTION, cause, message);
      g_signal_emit (self, signals[STUCK], 0, task);
    }
  else if (may_retry (self, task, cause))
    retry_later (self, task, cause, message);
  else
    fore_scheduler_fail (self, task, cause, message, get_policy (self, task));
}

/* The main checkout */

static void look_at_leader (ForeScheduler *self);

static void
looked_at_leader (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeScheduler) self = user_data;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) paths = fore_trees_watch_leader_finish (FORE_TREES (source), result, &error);

  self->looking = FALSE;
  if (self->shut)
    return;

  if (paths == NULL)
    g_message ("The checkout could not be looked at: %s", error->message);
  else if (paths[0] != NULL)
    fore_run_state_emit (get_state (self), FORE_EVENT_LEADER_CHANGED, NULL, 0,
                         fore_event_data_new ("v:paths", paths, NULL));

  if (self->look_again)
    look_at_leader (self);
  fore_scheduler_pump (self);
}

/* Whether somebody changed files there while the agents worked in trees of their own; people do. */
static void
look_at_leader (ForeScheduler *self)
{
  if (self->shut || !fore_trees_is_isolated (self->services->trees))
    return;

  self->look_again = self->looking;
  if (self->looking)
    return;

  self->looking = TRUE;
  fore_trees_watch_leader_async (self->services->trees, NULL, looked_at_leader,
                                 g_object_ref (self));
}

static void
job_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeScheduler) self = user_data;
  ForeAttemptJob *job = FORE_ATTEMPT_JOB (source);
  ForeTask *task = fore_attempt_job_get_task (job);
  g_autofree char *message = NULL;
  ForeCause cause = fore_attempt_job_run_finish (job, result, &message);

  fore_slot_keeper_give_back (self->slots, task);
  fore_run_state_withdraw_permissions (get_state (self), task->key,
                                       _ ("The session that asked is over."));
  if (cause == FORE_CAUSE_CONFLICT)
    g_hash_table_remove (self->favors, task->key);

  if (cause == FORE_CAUSE_CONFLICT)
    {
      g_autofree char *paths = g_strjoinv ("\n- ", (char **) fore_attempt_job_get_conflicts (job));

      fore_set_str (&message, paths);
    }

  g_hash_table_remove (self->jobs, task->key);
  settle (self, task, cause, message);
  look_at_leader (self);
  fore_scheduler_pump (self);
}

/* Only what ran alone in a shared tree can be held to what changed there. */
static void
note_company (ForeScheduler *self, ForeAttemptJob *job)
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

static ForeAttemptJob *
add_job (ForeScheduler *self, ForeTask *task)
{
  ForeAttemptJob *job = fore_attempt_job_new (self->services, task);

  g_signal_connect_object (job, "permission", G_CALLBACK (forward_permission), self, 0);
  g_signal_connect_object (job, "usage", G_CALLBACK (forward_usage), self, 0);
  note_company (self, job);
  g_hash_table_replace (self->jobs, task->key, job);

  return job;
}

static GPtrArray *
list_dependencies (ForeScheduler *self, ForeTask *task)
{
  GPtrArray *tasks = g_ptr_array_new ();

  for (guint i = 0; task->depends_on != NULL && task->depends_on[i] != NULL; i++)
    {
      ForeTask *before = fore_run_state_find_task (get_state (self), task->depends_on[i]);

      if (before != NULL)
        g_ptr_array_add (tasks, before);
    }

  return tasks;
}

/* Planning while a planner's task is open, running afterwards. */
static void
update_run_status (ForeScheduler *self)
{
  ForeRunStatus status = FORE_RUN_RUNNING;

  for (guint i = 0; i < self->planners->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (self->planners, i);

      if (fore_task_status_get_class (task->status) != FORE_CLASS_FINISHED)
        status = FORE_RUN_PLANNING;
    }

  if (get_run (self)->status != status)
    fore_run_state_move_run (get_state (self), status, NULL);
}

static void
start_task (ForeScheduler *self, ForeTask *task, GPtrArray *slots)
{
  g_autoptr (GPtrArray) before = list_dependencies (self, task);
  gpointer favor = g_hash_table_lookup (self->favors, task->key);
  ForeAttemptJob *job;

  update_run_status (self);
  fore_run_state_move_task (get_state (self), task, FORE_TASK_RUNNING, FORE_CAUSE_NONE, NULL);
  job = add_job (self, task);
  fore_attempt_job_run_async (job, slots, before, GPOINTER_TO_INT (favor), job_done,
                              g_object_ref (self));
}

/* What becomes of a task */

static void
release (GObject *source, GAsyncResult *result, gpointer user_data)
{
  ForeTask *task = ((gpointer *) user_data)[1];
  g_autoptr (ForeScheduler) self = ((gpointer *) user_data)[0];
  g_autoptr (GPtrArray) released = NULL;

  g_free (user_data);
  self->n_releasing--;
  if (!fore_run_state_settle_finish (FORE_RUN_STATE (source), result, NULL))
    return;

  released = fore_graph_satisfy (self->graph, task->key);
  for (guint i = 0; i < released->len; i++)
    consider (self, fore_run_state_find_task (get_state (self), g_ptr_array_index (released, i)));

  fore_scheduler_pump (self);
}

/**
 * fore_scheduler_complete:
 * @self: a scheduler
 * @task: a task whose work is good
 *
 * Completes @task and, once that is durable, releases what waited for it.
 */
void
fore_scheduler_complete (ForeScheduler *self, ForeTask *task)
{
  gpointer *data;

  g_return_if_fail (FORE_IS_SCHEDULER (self));
  g_return_if_fail (task != NULL);

  if (!fore_run_state_move_task (get_state (self), task, FORE_TASK_COMPLETED, FORE_CAUSE_NONE,
                                 NULL))
    return;

  g_clear_pointer (&task->feedback, g_free);
  data = g_new (gpointer, 2);
  data[0] = g_object_ref (self);
  data[1] = task;
  self->n_releasing++;
  fore_run_state_settle_async (get_state (self), release, data);
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
      ForeTask *other = fore_run_state_find_task (get_state (self), g_ptr_array_index (after, i));

      if (other->status == FORE_TASK_QUEUED)
        {
          g_ptr_array_remove (self->gated, other);
          fore_run_state_move_task (get_state (self), other, FORE_TASK_SKIPPED, FORE_CAUSE_NONE,
                                    message);
        }
    }
}

static void
skip_all_queued (ForeScheduler *self, const char *message)
{
  GPtrArray *tasks = fore_run_state_get_tasks (get_state (self));

  for (guint i = 0; i < FORE_N_SLOT_POOLS; i++)
    g_queue_clear (&self->ready[i]);
  g_hash_table_remove_all (self->waiting);
  g_ptr_array_set_size (self->gated, 0);

  for (guint i = 0; i < tasks->len; i++)
    {
      ForeTask *task = g_ptr_array_index (tasks, i);

      if (task->status == FORE_TASK_QUEUED)
        fore_run_state_move_task (get_state (self), task, FORE_TASK_SKIPPED, FORE_CAUSE_NONE,
                                  message);
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

  if (!fore_run_state_move_task (get_state (self), task, FORE_TASK_FAILED, cause, message))
    return;

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
      skip_all_queued (self, _ ("Another task failed and the run stops at a failure."));
      break;

    case FORE_POLICY_ASK:
      g_signal_emit (self, signals[STUCK], 0, task);
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
      && !fore_run_state_move_task (get_state (self), task, FORE_TASK_QUEUED, FORE_CAUSE_NONE,
                                    NULL))
    return;

  queue_task (self, task);
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

  fore_run_state_move_task (get_state (self), task, FORE_TASK_QUEUED, FORE_CAUSE_NONE, NULL);
  after = fore_graph_list_dependants (self->graph, task->key, TRUE);
  for (guint i = 0; i < after->len; i++)
    {
      ForeTask *other = fore_run_state_find_task (get_state (self), g_ptr_array_index (after, i));

      if (other->status == FORE_TASK_SKIPPED)
        {
          fore_run_state_move_task (get_state (self), other, FORE_TASK_QUEUED, FORE_CAUSE_NONE,
                                    NULL);
          consider (self, other);
        }
    }
  consider (self, task);
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

  for (guint i = 0; i < FORE_N_SLOT_POOLS; i++)
    g_queue_remove (&self->ready[i], task);
  g_ptr_array_remove (self->gated, task);
  g_hash_table_remove (self->waiting, task->key);

  fore_run_state_move_task (get_state (self), task, FORE_TASK_CANCELLED, FORE_CAUSE_CANCELLED,
                            reason);
  job = fore_scheduler_find_job (self, task->key);
  if (job != NULL)
    fore_attempt_job_stop (job, FORE_CAUSE_CANCELLED, reason);
  fore_scheduler_skip_dependants (self, task);
  fore_scheduler_pump (self);
}

/**
 * fore_scheduler_open_gate:
 * @self: a scheduler of a run that was approved
 *
 * Lets the tasks start that waited for the approval.
 */
void
fore_scheduler_open_gate (ForeScheduler *self)
{
  g_autoptr (GPtrArray) gated = NULL;

  g_return_if_fail (FORE_IS_SCHEDULER (self));

  gated = g_steal_pointer (&self->gated);
  self->gated = g_ptr_array_new ();
  for (guint i = 0; i < gated->len; i++)
    consider (self, g_ptr_array_index (gated, i));

  fore_scheduler_pump (self);
}

/**
 * fore_scheduler_set_favor:
 * @self: a scheduler
 * @task: a task whose dependencies conflict
 * @favor: what to do where they changed the same
 */
void
fore_scheduler_set_favor (ForeScheduler *self, ForeTask *task, ForeMergeFavor favor)
{
  g_return_if_fail (FORE_IS_SCHEDULER (self));
  g_return_if_fail (task != NULL);

  g_hash_table_replace (self->favors, g_strdup (task->key), GINT_TO_POINTER (favor));
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

/* Graph */

static gboolean
adopt_task (ForeScheduler *self, ForeTask *task)
{
  ForeAttemptJob *job;

  if (task->status != FORE_TASK_RUNNING)
    return FALSE;

  job = add_job (self, task);
  fore_slot_keeper_count (self->slots, task);
  fore_attempt_job_adopt_async (job, job_done, g_object_ref (self));

  return TRUE;
}

/**
 * fore_scheduler_load:
 * @self: a scheduler without tasks
 * @error: return location for an error
 *
 * Takes the run's tasks as they stand: what is completed releases, what claims to run is followed
 * on or ended, what is queued starts when it can.
 *
 * Returns: whether the tasks make a graph
 */
gboolean
fore_scheduler_load (ForeScheduler *self, GError **error)
{
  GPtrArray *tasks = fore_run_state_get_tasks (get_state (self));
  g_autofree const char **keys = g_new0 (const char *, tasks->len + 1);
  g_autofree GStrv *deps = g_new0 (GStrv, tasks->len + 1);

  g_return_val_if_fail (FORE_IS_SCHEDULER (self), FALSE);

  for (guint i = 0; i < tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (tasks, i);

      keys[i] = task->key;
      deps[i] = task->depends_on;
    }

  if (!fore_graph_add_all (self->graph, keys, deps, tasks->len, error))
    return FALSE;

  for (guint i = 0; i < tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (tasks, i);

      if (fore_task_status_releases (task->status))
        g_ptr_array_unref (fore_graph_satisfy (self->graph, task->key));
    }

  if (fore_run_is_active (get_run (self)))
    look_at_leader (self);
  for (guint i = 0; i < tasks->len; i++)
    {
      ForeTask *task = g_ptr_array_index (tasks, i);

      if (task->adaptive)
        g_ptr_array_add (self->planners, task);
      if (!adopt_task (self, task) && task->status == FORE_TASK_QUEUED)
        queue_task (self, task);
    }

  fore_scheduler_pump (self);

  return TRUE;
}

static gboolean
has_dependant_among (GPtrArray *tasks, const char *key)
{
  for (guint i = 0; i < tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (tasks, i);

      if (g_strv_contains ((const char *const *) task->depends_on, key))
        return TRUE;
    }

  return FALSE;
}

/* What waits for the planner also waits for the last tasks of its plan. */
static void
extend_dependants (ForeScheduler *self, GPtrArray *tasks, const char *planner)
{
  g_autoptr (GPtrArray) after = fore_graph_list_dependants (self->graph, planner, FALSE);

  for (guint i = 0; i < after->len; i++)
    {
      ForeTask *other = fore_run_state_find_task (get_state (self), g_ptr_array_index (after, i));
      g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

      if (g_ptr_array_find (tasks, other, NULL))
        continue;

      g_strv_builder_addv (builder, (const char **) other->depends_on);
      for (guint j = 0; j < tasks->len; j++)
        {
          const ForeTask *task = g_ptr_array_index (tasks, j);

          if (has_dependant_among (tasks, task->key))
            continue;
          g_strv_builder_add (builder, task->key);
          fore_graph_connect (self->graph, task->key, other->key);
        }
      g_strfreev (other->depends_on);
      other->depends_on = g_strv_builder_end (builder);
      fore_run_state_touch_task (get_state (self), other);
      say_what_it_waits_for (self, other);
    }
}

/**
 * fore_scheduler_add_tasks:
 * @self: a scheduler
 * @tasks: (element-type ForeTask) (transfer container): new tasks; the state takes them
 * @planner: key of the task whose plan they are
 * @error: return location for an error
 *
 * Grows the graph at run time. Nothing is added if it would not be a graph any more.
 *
 * Returns: whether they were added
 */
gboolean
fore_scheduler_add_tasks (ForeScheduler *self,
                          GPtrArray *tasks,
                          const char *planner,
                          GError **error)
{
  g_autofree const char **keys = g_new0 (const char *, tasks->len + 1);
  g_autofree GStrv *deps = g_new0 (GStrv, tasks->len + 1);

  g_return_val_if_fail (FORE_IS_SCHEDULER (self), FALSE);
  g_return_val_if_fail (planner != NULL, FALSE);

  for (guint i = 0; i < tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (tasks, i);

      keys[i] = task->key;
      deps[i] = task->depends_on;
    }

  if (!fore_graph_add_all (self->graph, keys, deps, tasks->len, error))
    return FALSE;

  for (guint i = 0; i < tasks->len; i++)
    fore_run_state_add_task (get_state (self), g_ptr_array_index (tasks, i));
  extend_dependants (self, tasks, planner);
  for (guint i = 0; i < tasks->len; i++)
    consider (self, g_ptr_array_index (tasks, i));

  return TRUE;
}

/**
 * fore_scheduler_sort_tasks:
 * @self: a scheduler
 *
 * Returns: (transfer full) (element-type ForeTask): all tasks, owned by the state, each after those
 *   it depends on
 */
GPtrArray *
fore_scheduler_sort_tasks (ForeScheduler *self)
{
  GPtrArray *sorted;

  g_return_val_if_fail (FORE_IS_SCHEDULER (self), NULL);

  sorted = fore_graph_sort (self->graph);
  for (guint i = 0; i < sorted->len; i++)
    sorted->pdata[i] = fore_run_state_find_task (get_state (self), sorted->pdata[i]);

  return sorted;
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
  g_clear_handle_id (&self->pump_source, g_source_remove);
  g_hash_table_remove_all (self->waiting);
  update_tick (self);
}

/**
 * fore_scheduler_count_jobs:
 * @self: a scheduler
 *
 * Returns: attempts at work
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

  return g_hash_table_size (self->jobs) == 0 && self->n_releasing == 0 && !self->looking
         && g_hash_table_size (self->waiting) == 0
         && (!anything_ready (self) || !can_dispatch (self));
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
