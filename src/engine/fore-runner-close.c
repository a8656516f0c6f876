/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-runner-private.h"

#include "engine/fore-event-data.h"
#include "engine/fore-run-figures.h"
#include "platform/fore-dirs.h"
#include "platform/fore-pulse.h"
#include "store/fore-run-reader.h"

#include <glib/gi18n-lib.h>
#include <unistd.h>

#define PARK_MS 60000
/* A finished run is taken up for a command, which the writer's thread may still be reading. */
#define LINGER_MS 1000

/* Closing */

/* Which requests were open when the lock was given up: an answer to one of them that came meanwhile
 * was not taken up by anybody.
 */
static void
remember_open_requests (ForeRunner *self)
{
  GPtrArray *requests = fore_run_state_get_requests (self->state);

  g_hash_table_remove_all (self->open_requests);
  for (guint i = 0; i < requests->len; i++)
    {
      const ForeRequest *request = g_ptr_array_index (requests, i);

      if (request->state == FORE_REQUEST_OPEN)
        g_hash_table_add (self->open_requests, g_strdup (request->id));
    }
}

static void
closed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeRunner) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!fore_run_state_close_finish (FORE_RUN_STATE (source), result, &error))
    g_warning ("The run could not be closed: %s", error->message);
  g_clear_pointer (&self->lease, fore_lease_free);
  g_clear_pointer (&self->goal_lease, fore_lease_free);

  g_signal_emit (self, fore_runner_signals[DONE], 0);
}

/* All that was told was told: what happened last is what most hooks are for. */
static void
hooks_idle (ForeHooks *hooks, gpointer user_data)
{
  g_assert (FORE_IS_RUNNER (user_data));

  g_signal_handlers_disconnect_by_func (hooks, hooks_idle, user_data);
  fore_runner_close_soon (user_data);
}

static gboolean
close_in_idle (gpointer user_data)
{
  g_autoptr (ForeRunner) owned = user_data;
  ForeRunner *self = owned;
  ForeRun *run = fore_runner_get_run (self);
  g_autofree char *run_dir = fore_dirs_dup_run_dir (fore_store_get_home (self->store),
                                                    self->run_id);

  if (self->hooks != NULL && fore_hooks_is_busy (self->hooks))
    {
      g_signal_connect_object (self->hooks, "idle", G_CALLBACK (hooks_idle), self, 0);
      return G_SOURCE_REMOVE;
    }

  fore_runner_clear_parts (self);
  run->owner_pid = 0;
  fore_run_state_touch_run (self->state);
  fore_run_figures_emit (self->state);
  fore_run_state_emit (
      self->state, FORE_EVENT_RUN_RELEASED, NULL, 0,
      fore_event_data_new ("s:reason", fore_run_is_active (run) ? "parked" : "finished", NULL));
  remember_open_requests (self);
  if (self->hub != NULL)
    fore_guard_hub_close (self->hub);
  fore_pulse_remove (run_dir);
  fore_run_state_close_async (self->state, closed, g_steal_pointer (&owned));

  return G_SOURCE_REMOVE;
}

void
fore_runner_close_soon (ForeRunner *self)
{
  guint source = g_idle_add (close_in_idle, g_object_ref (self));

  g_source_set_name_by_id (source, "close the run");
}

void
fore_runner_close (ForeRunner *self)
{
  if (self->closing)
    return;

  self->closing = TRUE;
  fore_runner_close_soon (self);
}

static gboolean
answers_open_request (ForeRunner *self, GPtrArray *answers)
{
  for (guint i = 0; i < answers->len; i++)
    {
      const ForeAnswer *answer = g_ptr_array_index (answers, i);

      if (g_hash_table_contains (self->open_requests, answer->request))
        return TRUE;
    }

  return FALSE;
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
  ForeRunInputs inputs;
  gboolean found = FALSE;

  g_return_val_if_fail (FORE_IS_RUNNER (self), FALSE);

  if (fore_run_read_inputs (self->store, self->run_id, &inputs, NULL))
    found = inputs.commands->len > 0 || answers_open_request (self, inputs.answers);
  fore_run_inputs_clear (&inputs);

  return found;
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
  if (fore_scheduler_is_idle (self->scheduler) && !fore_scheduler_holds_runner (self->scheduler)
      && !fore_planner_is_busy (self->planner) && !fore_finisher_is_busy (self->finisher))
    fore_runner_close (self);

  return G_SOURCE_REMOVE;
}

static void
start_parking (ForeRunner *self)
{
  if (self->park_source != 0 || fore_scheduler_holds_runner (self->scheduler))
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

  if (fore_runner_get_run (self)->status != FORE_RUN_PAUSED
      && fore_runner_get_run (self)->status != FORE_RUN_BLOCKED)
    fore_run_state_move_run (self->state, FORE_RUN_BLOCKED, text);
  start_parking (self);
}

void
fore_runner_scheduler_idle (ForeScheduler *scheduler, gpointer user_data)
{
  ForeRunner *self = user_data;
  ForeRun *run = fore_runner_get_run (self);

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
  else if (fore_scheduler_count_jobs (self->scheduler) == 0)
    {
      skip_unreachable (self);
      fore_finisher_finish_run (self->finisher);
    }
}

void
fore_runner_run_finished (ForeFinisher *finisher, gpointer user_data)
{
  ForeRunner *self = user_data;

  g_assert (FORE_IS_RUNNER (self));

  if (fore_run_is_active (fore_runner_get_run (self))
      || fore_scheduler_count_jobs (self->scheduler) > 0 || fore_finisher_is_busy (finisher))
    return;

  if (!self->lingering)
    fore_runner_close (self);
  else if (self->park_source == 0)
    {
      self->park_source = g_timeout_add (LINGER_MS, park, self);
      g_source_set_name_by_id (self->park_source, "linger");
    }
}
