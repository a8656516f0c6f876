/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-runner-private.h"

#include "engine/fore-budget.h"
#include "engine/fore-event-data.h"
#include "engine/fore-log-settings.h"
#include "model/fore-error.h"
#include "platform/fore-compat-glib.h"
#include "platform/fore-crash.h"
#include "platform/fore-dirs.h"
#include "platform/fore-memory.h"
#include "platform/fore-process.h"
#include "platform/fore-pulse.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#define RETRY_MS 2000

guint fore_runner_signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (ForeRunner, fore_runner, G_TYPE_OBJECT)

void
fore_runner_clear_parts (ForeRunner *self)
{
  g_clear_handle_id (&self->park_source, g_source_remove);
  g_clear_handle_id (&self->retry_source, g_source_remove);
  g_clear_handle_id (&self->lease_source, g_source_remove);
  if (self->scheduler != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->scheduler, self);
      fore_scheduler_shut (self->scheduler);
    }
  if (self->finisher != NULL)
    g_signal_handlers_disconnect_by_data (self->finisher, self);
  if (self->state != NULL)
    g_signal_handlers_disconnect_by_data (fore_run_state_get_writer (self->state), self);

  g_clear_object (&self->machine);
  g_clear_object (&self->inbox);
  g_clear_object (&self->finisher);
  g_clear_object (&self->planner);
  g_clear_object (&self->goals);
  g_clear_object (&self->scheduler);
}

static void
fore_runner_dispose (GObject *object)
{
  ForeRunner *self = FORE_RUNNER (object);

  fore_runner_clear_parts (self);
  g_clear_object (&self->hooks);
  g_clear_object (&self->hub);
  g_clear_object (&self->trees);
  g_clear_object (&self->state);
  g_clear_object (&self->store);

  G_OBJECT_CLASS (fore_runner_parent_class)->dispose (object);
}

static void
fore_runner_finalize (GObject *object)
{
  ForeRunner *self = FORE_RUNNER (object);

  g_clear_pointer (&self->lease, fore_lease_free);
  g_clear_pointer (&self->goal_lease, fore_lease_free);
  g_clear_pointer (&self->context, fore_run_context_free);
  g_clear_pointer (&self->open_requests, g_hash_table_unref);
  g_clear_error (&self->problem);
  g_free (self->lease_reason);
  g_free (self->run_id);

  G_OBJECT_CLASS (fore_runner_parent_class)->finalize (object);
}

static void
fore_runner_class_init (ForeRunnerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = fore_runner_dispose;
  object_class->finalize = fore_runner_finalize;

  fore_runner_signals[DONE] = g_signal_new ("done", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                            NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
fore_runner_init (ForeRunner *self)
{
  self->open_requests = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

/**
 * fore_runner_new:
 * @store: the store
 * @run_id: a run
 *
 * Returns: (transfer full): a runner that has not begun
 */
ForeRunner *
fore_runner_new (ForeStore *store, const char *run_id)
{
  ForeRunner *self;

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);
  g_return_val_if_fail (run_id != NULL, NULL);

  self = g_object_new (FORE_TYPE_RUNNER, NULL);
  self->store = g_object_ref (store);
  self->run_id = g_strdup (run_id);

  return self;
}

ForeRun *
fore_runner_get_run (ForeRunner *self)
{
  return fore_run_state_get_run (self->state);
}

static void
usage_changed (ForeScheduler *scheduler, gpointer user_data)
{
  ForeRunner *self = user_data;

  g_assert (FORE_IS_RUNNER (self));

  fore_budget_look (self->state, self->context, scheduler);
}

/* Nothing new starts while one of these holds; the store's own trouble is the worst. */
static void
update_halt (ForeRunner *self)
{
  const char *reason = fore_machine_watch_get_reason (self->machine);

  if (self->store_failed)
    return;

  if (self->lease_reason != NULL)
    reason = self->lease_reason;
  if (fore_run_state_find_open_request (self->state, FORE_REQUEST_BUDGET, NULL) != NULL)
    reason = _ ("The budget was reached.");
  fore_scheduler_set_halted (self->scheduler, reason);
}

/* What a planner or a script adds may write as well. */
static gboolean
writes_anything (ForeRunner *self)
{
  GPtrArray *tasks = fore_run_state_get_tasks (self->state);

  for (guint i = 0; i < tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (tasks, i);

      if (task->writes || task->adaptive || fore_task_is_script (task))
        return TRUE;
    }

  return FALSE;
}

static gboolean
is_goal_loop (ForeRunner *self)
{
  GPtrArray *tasks = fore_run_state_get_tasks (self->state);

  for (guint i = 0; i < tasks->len; i++)
    {
      if (fore_goal_is_judge (g_ptr_array_index (tasks, i)))
        return TRUE;
    }

  return FALSE;
}

/* Two loops that both want to be right about one folder would undo each other's turns, even from
 * trees of their own.
 */
static gboolean
take_goal_lease (ForeRunner *self, GError **error)
{
  g_autofree char *home = NULL;

  if (self->goal_lease != NULL || !is_goal_loop (self))
    return TRUE;

  home = fore_goal_dup_lease_home (self->context->home);
  self->goal_lease = fore_lease_acquire (home, self->context->project, self->run_id, error);

  return self->goal_lease != NULL;
}

static gboolean
take_lease (ForeRunner *self, GError **error)
{
  if (!fore_run_is_active (fore_runner_get_run (self)))
    return TRUE;
  if (!take_goal_lease (self, error))
    return FALSE;
  if (fore_trees_is_isolated (self->trees) || self->lease != NULL || !writes_anything (self))
    return TRUE;

  self->lease = fore_lease_acquire (self->context->home, self->context->project, self->run_id,
                                    error);

  return self->lease != NULL;
}

/* What nobody can carry out is refused at once: left in its queue it would have the run taken up
 * again and again.
 */
static void
refuse_commands (ForeRunner *self, const GError *error)
{
  ForeRunWriter *writer = fore_run_state_get_writer (self->state);
  g_autoptr (GPtrArray) commands = fore_run_writer_take_commands (writer, NULL);

  for (guint i = 0; commands != NULL && i < commands->len; i++)
    fore_run_state_finish_command (self->state, g_ptr_array_index (commands, i), NULL, error);
}

/* The writer's thread has looked for what was asked before it wrote anything. */
static void
given_up (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeRunner) self = user_data;

  fore_run_writer_barrier_finish (FORE_RUN_WRITER (source), result, NULL);
  refuse_commands (self, self->problem);
  fore_runner_close_soon (self);
}

/* A run that cannot be carried out at all ends as failed, saying why. */
static gboolean
give_up (ForeRunner *self, const GError *error)
{
  if (fore_run_is_active (fore_runner_get_run (self)))
    {
      fore_run_state_withdraw_requests_of (self->state, NULL, error->message);
      fore_run_state_move_run (self->state, FORE_RUN_FAILED, error->message);
    }
  self->closing = TRUE;
  self->problem = g_error_copy (error);
  fore_run_writer_barrier_async (fore_run_state_get_writer (self->state), NULL, given_up,
                                 g_object_ref (self));

  return TRUE;
}

static gboolean
try_lease_again (gpointer user_data)
{
  ForeRunner *self = user_data;

  if (!take_lease (self, NULL))
    return G_SOURCE_CONTINUE;

  self->lease_source = 0;
  g_clear_pointer (&self->lease_reason, g_free);
  fore_run_state_set_phase_text (self->state, NULL);
  update_halt (self);

  return G_SOURCE_REMOVE;
}

/* A run that is just made is refused a tree that somebody holds; one that has begun, and gave its
 * tree up while it waited for a person or was finished, waits until it is free.
 */
static void
hold_tree (ForeRunner *self)
{
  g_autoptr (GError) problem = NULL;

  if (self->closing || self->lease_source != 0 || take_lease (self, &problem))
    return;

  if (fore_runner_get_run (self)->started == 0)
    {
      give_up (self, problem);
      return;
    }

  self->lease_reason = g_strdup (problem->message);
  self->lease_source = g_timeout_add (RETRY_MS, try_lease_again, self);
  g_source_set_name_by_id (self->lease_source, "wait for the tree");
  fore_run_state_set_phase_text (self->state, problem->message);
  update_halt (self);
}

static void
input_came (ForeRunWriter *writer, gpointer user_data)
{
  ForeRunner *self = user_data;

  g_assert (FORE_IS_RUNNER (self));

  if (self->closing || self->inbox == NULL)
    return;

  g_clear_handle_id (&self->park_source, g_source_remove);
  self->lingering = FALSE;
  fore_inbox_take (self->inbox);
  update_halt (self);
  hold_tree (self);
}

/* Faults of the store */

static gboolean
retry_store (gpointer user_data)
{
  ForeRunner *self = user_data;
  ForeRunWriter *writer = fore_run_state_get_writer (self->state);

  if (fore_run_writer_has_failed (writer))
    {
      fore_run_writer_retry (writer);
      return G_SOURCE_CONTINUE;
    }

  self->retry_source = 0;
  self->store_failed = FALSE;
  fore_run_state_set_phase_text (self->state, NULL);
  update_halt (self);

  return G_SOURCE_REMOVE;
}

static void
writer_failed (ForeRunWriter *writer, const GError *error, gpointer user_data)
{
  ForeRunner *self = user_data;

  g_assert (FORE_IS_RUNNER (self));

  if (self->store_failed || self->scheduler == NULL)
    return;

  g_warning ("The run cannot be written: %s", error->message);
  self->store_failed = TRUE;
  fore_scheduler_set_halted (self->scheduler, error->message);
  fore_scheduler_stop_all (self->scheduler, FORE_CAUSE_INTERRUPTED, error->message);
  self->retry_source = g_timeout_add (RETRY_MS, retry_store, self);
  g_source_set_name_by_id (self->retry_source, "wait for the store");
}

/* Start */

static void
machine_changed (ForeMachineWatch *machine, gpointer user_data)
{
  ForeRunner *self = user_data;

  g_assert (FORE_IS_RUNNER (self));

  if (self->store_failed)
    return;

  update_halt (self);
  fore_run_state_set_phase_text (self->state, fore_machine_watch_get_reason (machine));
}

/* Whether an agent of the last owner belongs to another boot of the machine. */
static gboolean
machine_was_restarted (ForeRunner *self)
{
  GPtrArray *tasks = fore_run_state_get_tasks (self->state);

  for (guint i = 0; i < tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (tasks, i);
      const ForeAttempt *attempt = fore_run_state_find_attempt (self->state, task->key,
                                                                task->attempts);

      if (attempt != NULL && attempt->finished == 0 && attempt->boot_id != NULL
          && strcmp (attempt->boot_id, fore_process_get_boot_id ()) != 0)
        return TRUE;
    }

  return FALSE;
}

/* The last owner did not give the run up: it died, and may have left why. */
static void
note_death (ForeRunner *self, const char *run_dir)
{
  g_autofree char *report = NULL;
  g_autofree char *cause = NULL;
  int pid = fore_pulse_find_dead (run_dir);

  /* One that died at its start had no time to write who it is; one of another boot left no page. */
  if (pid == 0)
    pid = (int) fore_runner_get_run (self)->owner_pid;
  if (pid == 0)
    return;

  report = fore_crash_find (fore_store_get_home (self->store), "foredeck-runner", pid, &cause);
  if (cause == NULL)
    cause = g_strdup (machine_was_restarted (self) ? "restart" : "killed");
  fore_run_state_emit (
      self->state, FORE_EVENT_RECOVERY_DIED, NULL, 0,
      fore_event_data_new ("i:pid", (gint64) pid, "s:cause", cause, "s:report", report, NULL));
}

static void
own (ForeRunner *self)
{
  ForeRun *run = fore_runner_get_run (self);
  g_autofree char *run_dir = fore_dirs_dup_run_dir (fore_store_get_home (self->store),
                                                    self->run_id);

  note_death (self, run_dir);
  fore_pulse_install (run_dir);
  run->owner_pid = getpid ();
  fore_set_str (&run->owner_host, g_get_host_name ());
  fore_set_str (&run->owner_version, FORE_VERSION);
  fore_run_state_touch_run (self->state);
  fore_run_state_emit (self->state, FORE_EVENT_RUN_OWNED, NULL, 0,
                       fore_event_data_new ("i:pid", (gint64) run->owner_pid, "s:host",
                                            run->owner_host, "s:version", FORE_VERSION, NULL));
}

static gboolean
make_parts (ForeRunner *self, GError **error)
{
  const ForeRun *run = fore_runner_get_run (self);

  self->hub = fore_guard_hub_new (self->context->run_dir, error);
  if (self->hub == NULL)
    return FALSE;

  self->trees = fore_trees_new (
      self->context->home, run->project, run->id, run->base_commit,
      run->options.isolation == FORE_ISOLATION_WORKTREES,
      fore_settings_get_string (self->context->settings, "git.worktree_dir"));
  fore_trees_set_setup (
      self->trees, self->context, fore_settings_get_strv (self->context->settings, "git.copy"),
      fore_settings_get_strv (self->context->settings, "git.link"),
      fore_settings_get_strv (self->context->settings, "git.setup"),
      (guint) fore_settings_get_duration (self->context->settings, "git.setup_timeout"));
  self->hooks = fore_hooks_new (self->store, self->state, self->context);
  self->services = (ForeAttemptServices){ self->state, self->context, self->trees, self->hub,
                                          self->hooks };
  self->scheduler = fore_scheduler_new (&self->services);
  self->planner = fore_planner_new (&self->services, self->scheduler);
  self->finisher = fore_finisher_new (&self->services, self->scheduler);
  self->goals = fore_goal_loop_new (&self->services, self->scheduler);
  self->inbox = fore_inbox_new (&self->services, self->scheduler, self->planner, self->goals,
                                self->finisher);
  self->machine = fore_machine_watch_new (self->store, self->context->settings);

  g_signal_connect (self->scheduler, "idle", G_CALLBACK (fore_runner_scheduler_idle), self);
  g_signal_connect (self->scheduler, "usage", G_CALLBACK (usage_changed), self);
  g_signal_connect (self->finisher, "finished", G_CALLBACK (fore_runner_run_finished), self);
  g_signal_connect (self->machine, "changed", G_CALLBACK (machine_changed), self);
  g_signal_connect (fore_run_state_get_writer (self->state), "input", G_CALLBACK (input_came),
                    self);
  g_signal_connect (fore_run_state_get_writer (self->state), "failed", G_CALLBACK (writer_failed),
                    self);

  return TRUE;
}

/* What is behind is the files that were read and a first state of every task on its way to the
 * disk. */
static void
loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  if (fore_run_state_settle_finish (FORE_RUN_STATE (source), result, NULL))
    fore_memory_give_back ();
}

static gboolean
settle (gpointer user_data)
{
  if (!fore_run_state_is_closed (user_data))
    fore_run_state_settle_async (user_data, loaded, NULL);

  return G_SOURCE_REMOVE;
}

/* After the first round, which says of thousands of tasks that could start what holds them up. */
static void
settle_later (ForeRunner *self)
{
  guint id = g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, settle, g_object_ref (self->state),
                              g_object_unref);

  g_source_set_name_by_id (id, "settle");
}

/**
 * fore_runner_start:
 * @self: a runner
 * @error: return location for an error
 *
 * Takes the run up. %FORE_ERROR_BUSY names who owns it already. A run that cannot be carried out
 * (its team is gone, its tasks wait for each other) ends as failed and is no error here.
 *
 * Returns: whether the runner is at work
 */
gboolean
fore_runner_start (ForeRunner *self, GError **error)
{
  g_autoptr (GError) problem = NULL;

  g_return_val_if_fail (FORE_IS_RUNNER (self), FALSE);

  self->state = fore_run_state_open (self->store, self->run_id, error);
  if (self->state == NULL)
    return FALSE;

  own (self);
  self->context = fore_run_context_load (self->store, fore_runner_get_run (self), &problem);
  if (self->context == NULL || !make_parts (self, &problem))
    return give_up (self, problem);

  fore_log_settings_apply (self->context->home, self->context->settings);
  update_halt (self);
  hold_tree (self);
  if (self->closing)
    return TRUE;
  fore_planner_take_file (self->planner);
  /* What is kept of each task from here on shall not lie scattered among what was read. */
  fore_memory_give_back ();
  if (!fore_scheduler_load (self->scheduler, &problem))
    return give_up (self, problem);

  fore_planner_start (self->planner);
  self->lingering = !fore_run_is_active (fore_runner_get_run (self));
  fore_inbox_take (self->inbox);
  hold_tree (self);
  settle_later (self);

  return TRUE;
}

/**
 * fore_runner_stop:
 * @self: a runner
 *
 * Gives the run up without ending its agents: they go on under their guards, and the next runner
 * follows them on.
 */
void
fore_runner_stop (ForeRunner *self)
{
  g_return_if_fail (FORE_IS_RUNNER (self));

  fore_runner_close (self);
}

/**
 * fore_runner_cancel:
 * @self: a runner
 *
 * Cancels the run without a command: for when the disk is so full that none can be written.
 */
void
fore_runner_cancel (ForeRunner *self)
{
  const char *reason = _ ("Cancelled while the disk was full");

  g_return_if_fail (FORE_IS_RUNNER (self));

  if (self->closing || self->scheduler == NULL || !fore_run_is_active (fore_runner_get_run (self)))
    return;

  fore_run_state_cancel (self->state, reason);
  fore_scheduler_stop_all (self->scheduler, FORE_CAUSE_CANCELLED, reason);
  fore_scheduler_pump (self->scheduler);
}
