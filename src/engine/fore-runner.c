/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-runner.h"

#include "engine/fore-budget.h"
#include "engine/fore-event-data.h"
#include "engine/fore-inbox.h"
#include "engine/fore-machine-watch.h"
#include "git/fore-lease.h"
#include "model/fore-error.h"
#include "platform/fore-compat-glib.h"
#include "store/fore-run-reader.h"

#include <glib/gi18n-lib.h>
#include <unistd.h>

#define PARK_MS 60000
#define RETRY_MS 2000
/* A finished run is taken up for a command, which the writer's thread may still be reading. */
#define LINGER_MS 1000

struct _ForeRunner
{
  GObject parent_instance;

  ForeStore *store;
  char *run_id;
  ForeRunState *state;
  ForeRunContext *context;
  ForeGuardHub *hub;
  ForeTrees *trees;
  ForeLease *lease;
  ForeAttemptServices services;
  ForeScheduler *scheduler;
  ForePlanner *planner;
  ForeFinisher *finisher;
  ForeInbox *inbox;
  ForeMachineWatch *machine;
  GHashTable *open_requests;
  guint park_source;
  guint retry_source;
  guint lease_source;
  char *lease_reason;
  gboolean store_failed;
  gboolean closing;
  gboolean lingering;
};

enum
{
  DONE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (ForeRunner, fore_runner, G_TYPE_OBJECT)

static void
clear_parts (ForeRunner *self)
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
  g_clear_object (&self->scheduler);
}

static void
fore_runner_dispose (GObject *object)
{
  ForeRunner *self = FORE_RUNNER (object);

  clear_parts (self);
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
  g_clear_pointer (&self->context, fore_run_context_free);
  g_clear_pointer (&self->open_requests, g_hash_table_unref);
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

  signals[DONE] = g_signal_new ("done", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                NULL, G_TYPE_NONE, 0);
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

static ForeRun *
get_run (ForeRunner *self)
{
  return fore_run_state_get_run (self->state);
}

/* Closing */

/* Which requests were open when the lock was given up: an answer to one of them that came meanwhile
 * was not taken up by anybody.
 */
static void
remember_open_requests (ForeRunner *self)
{
  g_autoptr (ForeRunDelta) delta = fore_run_read (self->store, self->run_id, 0, 0, 0, NULL);

  g_hash_table_remove_all (self->open_requests);
  for (guint i = 0; delta != NULL && i < delta->requests->len; i++)
    {
      const ForeRequest *request = g_ptr_array_index (delta->requests, i);

      if (request->state == FORE_REQUEST_OPEN)
        g_hash_table_add (self->open_requests, g_strdup (request->id));
    }
}

static gboolean
close_in_idle (gpointer user_data)
{
  g_autoptr (ForeRunner) self = user_data;
  ForeRun *run = get_run (self);
  g_autoptr (GError) error = NULL;

  clear_parts (self);
  run->owner_pid = 0;
  fore_run_state_touch_run (self->state);
  fore_run_state_emit (
      self->state, FORE_EVENT_RUN_RELEASED, NULL, 0,
      fore_event_data_new ("s:reason", fore_run_is_active (run) ? "parked" : "finished", NULL));
  remember_open_requests (self);
  if (self->hub != NULL)
    fore_guard_hub_close (self->hub);
  if (!fore_run_state_close (self->state, &error))
    g_warning ("The run could not be closed: %s", error->message);
  g_clear_pointer (&self->lease, fore_lease_free);

  g_signal_emit (self, signals[DONE], 0);

  return G_SOURCE_REMOVE;
}

static void
close_runner (ForeRunner *self)
{
  if (self->closing)
    return;

  self->closing = TRUE;
  g_idle_add (close_in_idle, g_object_ref (self));
}

/**
 * fore_runner_has_input:
 * @self: a runner that is done
 *
 * Looks, after the lock was given up, for answers and commands that came when it was too late for
 * this runner and too early for their sender to see that nobody owns the run.
 *
 * Returns: whether somebody has to take the run up again
 */
gboolean
fore_runner_has_input (ForeRunner *self)
{
  g_autoptr (ForeRunDelta) delta = NULL;

  g_return_val_if_fail (FORE_IS_RUNNER (self), FALSE);

  delta = fore_run_read (self->store, self->run_id, 0, 0, 0, NULL);
  if (delta == NULL)
    return FALSE;

  for (guint i = 0; i < delta->commands->len; i++)
    {
      if (((ForeCommand *) g_ptr_array_index (delta->commands, i))->state == FORE_COMMAND_QUEUED)
        return TRUE;
    }

  for (guint i = 0; i < delta->requests->len; i++)
    {
      const ForeRequest *request = g_ptr_array_index (delta->requests, i);

      if (request->state == FORE_REQUEST_ANSWERED
          && g_hash_table_contains (self->open_requests, request->id))
        return TRUE;
    }

  return FALSE;
}

/* Idle: what now? */

static guint
get_park_ms (void)
{
  const char *text = g_getenv ("FOREDECK_PARK_MS");

  return text != NULL ? (guint) g_ascii_strtoull (text, NULL, 10) : PARK_MS;
}

static gboolean
park (gpointer user_data)
{
  ForeRunner *self = user_data;

  self->park_source = 0;
  if (fore_scheduler_is_idle (self->scheduler) && !fore_planner_is_busy (self->planner)
      && !fore_finisher_is_busy (self->finisher))
    close_runner (self);

  return G_SOURCE_REMOVE;
}

static void
start_parking (ForeRunner *self)
{
  if (self->park_source != 0)
    return;

  self->park_source = g_timeout_add (get_park_ms (), park, self);
  g_source_set_name_by_id (self->park_source, "park");
}

/* Tasks that wait for one that will never complete. */
static void
skip_unreachable (ForeRunner *self)
{
  GPtrArray *tasks = fore_run_state_get_tasks (self->state);

  for (guint i = 0; i < tasks->len; i++)
    {
      ForeTask *task = g_ptr_array_index (tasks, i);

      if (task->status == FORE_TASK_QUEUED)
        fore_run_state_move_task (self->state, task, FORE_TASK_SKIPPED, FORE_CAUSE_NONE,
                                  _ ("Something it waited for did not complete."));
    }
}

static void
block (ForeRunner *self)
{
  guint n = fore_run_state_count_open_requests (self->state);
  g_autofree char *text = g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "%u request waits for you", "%u requests wait for you", n), n);

  if (get_run (self)->status != FORE_RUN_PAUSED && get_run (self)->status != FORE_RUN_BLOCKED)
    fore_run_state_move_run (self->state, FORE_RUN_BLOCKED, text);
  start_parking (self);
}

static void
scheduler_idle (ForeScheduler *scheduler, gpointer user_data)
{
  ForeRunner *self = user_data;
  ForeRun *run = get_run (self);

  g_assert (FORE_IS_RUNNER (self));

  if (self->closing || self->store_failed || self->lease_reason != NULL
      || fore_planner_is_busy (self->planner) || fore_finisher_is_busy (self->finisher)
      || fore_machine_watch_is_halting (self->machine))
    return;

  if (!fore_run_is_active (run))
    fore_finisher_finish_run (self->finisher);
  else if (run->status == FORE_RUN_PAUSED)
    start_parking (self);
  else if (fore_run_state_count_open_requests (self->state) > 0)
    block (self);
  else
    {
      skip_unreachable (self);
      fore_finisher_finish_run (self->finisher);
    }
}

static void
run_finished (ForeFinisher *finisher, gpointer user_data)
{
  ForeRunner *self = user_data;

  g_assert (FORE_IS_RUNNER (self));

  if (fore_run_is_active (get_run (self)) || fore_scheduler_count_jobs (self->scheduler) > 0
      || fore_finisher_is_busy (finisher))
    return;

  if (!self->lingering)
    close_runner (self);
  else if (self->park_source == 0)
    self->park_source = g_timeout_add (LINGER_MS, park, self);
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

static gboolean
writes_anything (ForeRunner *self)
{
  GPtrArray *tasks = fore_run_state_get_tasks (self->state);

  for (guint i = 0; i < tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (tasks, i);

      if (task->writes && g_strcmp0 (task->cli, "command") != 0)
        return TRUE;
    }

  return FALSE;
}

static gboolean
take_lease (ForeRunner *self, GError **error)
{
  if (fore_trees_is_isolated (self->trees) || !writes_anything (self)
      || !fore_run_is_active (get_run (self)))
    return TRUE;

  self->lease = fore_lease_acquire (self->context->home, self->context->project, self->run_id,
                                    error);

  return self->lease != NULL;
}

/* A run that cannot be carried out at all ends as failed, saying why. */
static gboolean
give_up (ForeRunner *self, const GError *error)
{
  if (fore_run_is_active (get_run (self)))
    {
      fore_run_state_withdraw_requests_of (self->state, NULL, error->message);
      fore_run_state_move_run (self->state, FORE_RUN_FAILED, error->message);
    }
  close_runner (self);

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

  if (self->closing || self->lease_source != 0 || self->lease != NULL
      || take_lease (self, &problem))
    return;

  if (get_run (self)->started == 0)
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

static void
own (ForeRunner *self)
{
  ForeRun *run = get_run (self);
  g_autofree char *pid = g_strdup_printf ("%d", (int) getpid ());

  run->owner_pid = getpid ();
  fore_set_str (&run->owner_host, g_get_host_name ());
  fore_set_str (&run->owner_version, FORE_VERSION);
  fore_run_state_touch_run (self->state);
  fore_run_state_emit (self->state, FORE_EVENT_RUN_OWNED, NULL, 0,
                       fore_event_data_new ("s:pid", pid, "s:host", run->owner_host, "s:version",
                                            FORE_VERSION, NULL));
}

static gboolean
make_parts (ForeRunner *self, GError **error)
{
  const ForeRun *run = get_run (self);

  self->hub = fore_guard_hub_new (self->context->run_dir, error);
  if (self->hub == NULL)
    return FALSE;

  self->trees = fore_trees_new (
      self->context->home, run->project, run->id, run->base_commit,
      run->options.isolation == FORE_ISOLATION_WORKTREES,
      fore_settings_get_string (self->context->settings, "git.worktree_dir"));
  self->services = (ForeAttemptServices){ self->state, self->context, self->trees, self->hub };
  self->scheduler = fore_scheduler_new (&self->services);
  self->planner = fore_planner_new (&self->services, self->scheduler);
  self->finisher = fore_finisher_new (&self->services, self->scheduler);
  self->inbox = fore_inbox_new (&self->services, self->scheduler, self->planner, self->finisher);
  self->machine = fore_machine_watch_new (self->store, self->context->settings);

  g_signal_connect (self->scheduler, "idle", G_CALLBACK (scheduler_idle), self);
  g_signal_connect (self->scheduler, "usage", G_CALLBACK (usage_changed), self);
  g_signal_connect (self->finisher, "finished", G_CALLBACK (run_finished), self);
  g_signal_connect (self->machine, "changed", G_CALLBACK (machine_changed), self);
  g_signal_connect (fore_run_state_get_writer (self->state), "input", G_CALLBACK (input_came),
                    self);
  g_signal_connect (fore_run_state_get_writer (self->state), "failed", G_CALLBACK (writer_failed),
                    self);

  return TRUE;
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
  self->context = fore_run_context_load (self->store, get_run (self), &problem);
  if (self->context == NULL || !make_parts (self, &problem))
    return give_up (self, problem);

  update_halt (self);
  hold_tree (self);
  if (self->closing)
    return TRUE;
  if (!fore_scheduler_load (self->scheduler, &problem))
    return give_up (self, problem);

  fore_planner_start (self->planner);
  self->lingering = !fore_run_is_active (get_run (self));
  fore_inbox_take (self->inbox);
  hold_tree (self);

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

  close_runner (self);
}
