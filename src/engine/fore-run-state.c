/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-run-state-private.h"

#include "engine/fore-event-data.h"
#include "engine/fore-event-log.h"
#include "model/fore-id.h"
#include "platform/fore-clock.h"
#include "platform/fore-dirs.h"
#include "platform/fore-guard-client.h"
#include "store/fore-run-reader.h"

#define SETTLE_RETRY_MS 500

enum
{
  EVENT,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (ForeRunState, fore_run_state, G_TYPE_OBJECT)

static void
fore_run_state_dispose (GObject *object)
{
  ForeRunState *self = FORE_RUN_STATE (object);

  g_clear_object (&self->writer);
  g_clear_object (&self->store);

  G_OBJECT_CLASS (fore_run_state_parent_class)->dispose (object);
}

static void
fore_run_state_finalize (GObject *object)
{
  ForeRunState *self = FORE_RUN_STATE (object);

  g_clear_pointer (&self->run, fore_run_free);
  g_clear_pointer (&self->tasks_by_key, g_hash_table_unref);
  g_clear_pointer (&self->tasks, g_ptr_array_unref);
  g_clear_pointer (&self->attempts, g_hash_table_unref);
  g_clear_pointer (&self->plans, g_ptr_array_unref);
  g_clear_pointer (&self->requests, g_ptr_array_unref);
  g_clear_pointer (&self->said, g_ptr_array_unref);
  g_clear_pointer (&self->mail, g_ptr_array_unref);
  g_clear_pointer (&self->told, g_ptr_array_unref);
  g_clear_pointer (&self->mail_calls, g_hash_table_unref);
  g_clear_pointer (&self->held, g_ptr_array_unref);

  G_OBJECT_CLASS (fore_run_state_parent_class)->finalize (object);
}

static void
fore_run_state_class_init (ForeRunStateClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = fore_run_state_dispose;
  object_class->finalize = fore_run_state_finalize;

  signals[EVENT] = g_signal_new ("event", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
}

static void
fore_run_state_init (ForeRunState *self)
{
  self->tasks = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_task_free);
  self->tasks_by_key = g_hash_table_new (g_str_hash, g_str_equal);
  self->attempts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                          (GDestroyNotify) fore_attempt_free);
  self->plans = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_plan_free);
  self->requests = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_request_free);
  self->mail = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_message_free);
  self->told = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_message_free);
  self->mail_calls = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->said = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_said_free);
}

static void
take_rows (ForeRunState *self, ForeRunDelta *delta)
{
  self->run = g_steal_pointer (&delta->run);

  g_ptr_array_extend_and_steal (self->tasks, g_steal_pointer (&delta->tasks));
  for (guint i = 0; i < self->tasks->len; i++)
    {
      ForeTask *task = g_ptr_array_index (self->tasks, i);

      g_hash_table_insert (self->tasks_by_key, task->key, task);
    }

  g_ptr_array_set_free_func (delta->attempts, NULL);
  for (guint i = 0; i < delta->attempts->len; i++)
    {
      ForeAttempt *attempt = g_ptr_array_index (delta->attempts, i);

      fore_run_state_forget_record (attempt);
      g_hash_table_insert (self->attempts, fore_id_dup_attempt (attempt->task, attempt->n),
                           attempt);
    }

  g_ptr_array_extend_and_steal (self->plans, g_steal_pointer (&delta->plans));
  g_ptr_array_extend_and_steal (self->requests, g_steal_pointer (&delta->requests));
  fore_run_state_take_mail (self, delta->messages);
}

static void
count_tasks (ForeRunState *self)
{
  ForeRun *run = self->run;

  for (guint i = 0; i < FORE_N_TASK_STATUSES; i++)
    run->counts[i] = 0;
  for (guint i = 0; i < self->tasks->len; i++)
    run->counts[((ForeTask *) g_ptr_array_index (self->tasks, i))->status]++;
  run->n_tasks = self->tasks->len;
}

static gboolean
has_open_session (ForeRunState *self)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->attempts);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const ForeAttempt *attempt = value;

      if (attempt->live && attempt->finished == 0)
        return TRUE;
    }

  return FALSE;
}

/* What the last owner told the sessions that may live still. */
static gboolean
load_said (ForeRunState *self, GError **error)
{
  g_autoptr (GPtrArray) events = NULL;

  events = fore_run_read_events_of (self->store, self->run->id, FORE_EVENT_SESSION_SAID, error);
  for (guint i = 0; events != NULL && i < events->len; i++)
    {
      ForeSaid *said = fore_said_new_from_event (g_ptr_array_index (events, i));

      if (said != NULL)
        g_ptr_array_add (self->said, said);
    }

  return events != NULL;
}

/* Should this process die before it could end its agents, their guards do. */
static void
mark_cancelled (ForeRunState *self)
{
  g_autofree char *run_dir = fore_dirs_dup_run_dir (fore_store_get_home (self->store),
                                                    self->run->id);

  fore_guard_mark_cancelled (run_dir, self->run->status == FORE_RUN_CANCELLED);
}

/**
 * fore_run_state_open:
 * @store: the store
 * @run_id: a run
 * @error: return location for an error
 *
 * Takes the owner lock of the run and reads it into memory. Errors are those of
 * fore_run_writer_open() and fore_run_writer_load().
 *
 * Returns: (transfer full): the state, or %NULL
 */
ForeRunState *
fore_run_state_open (ForeStore *store, const char *run_id, GError **error)
{
  g_autoptr (ForeRunState) self = NULL;
  g_autoptr (ForeRunDelta) delta = NULL;
  gint64 last_seen;

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);
  g_return_val_if_fail (run_id != NULL, NULL);

  self = g_object_new (FORE_TYPE_RUN_STATE, NULL);
  self->store = g_object_ref (store);
  self->writer = fore_run_writer_open (store, run_id, error);
  if (self->writer == NULL)
    return NULL;

  delta = fore_run_writer_load (self->writer, 0, error);
  if (delta == NULL)
    return NULL;

  g_return_val_if_fail (delta->run != NULL, NULL);
  take_rows (self, delta);
  count_tasks (self);
  fore_run_state_sum_up (self);
  if (!fore_run_read_last_time (store, run_id, &last_seen, error))
    return NULL;
  fore_run_state_take_times (self, delta, last_seen);
  mark_cancelled (self);
  if ((has_open_session (self) && !load_said (self, error))
      || !fore_run_state_load_mail_calls (self, error))
    return NULL;

  return g_steal_pointer (&self);
}

/* Called when the writer is closed. */
static void
closed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (fore_run_writer_close_finish (FORE_RUN_WRITER (source), result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/**
 * fore_run_state_close_async:
 * @self: the state
 * @callback: called when everything is on disk and the owner lock is free
 * @user_data: data for @callback
 *
 * Gives the run up. Nothing may be changed any more.
 */
void
fore_run_state_close_async (ForeRunState *self, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;

  g_return_if_fail (FORE_IS_RUN_STATE (self));

  self->closed = TRUE;
  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_name (task, "close run");
  g_task_set_source_tag (task, fore_run_state_close_async);
  fore_run_writer_close_async (self->writer, closed, task);
}

/**
 * fore_run_state_close_finish:
 * @self: the state
 * @result: the result
 * @error: return location for an error
 *
 * Returns: whether it is all on disk
 */
gboolean
fore_run_state_close_finish (ForeRunState *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

static void settled (GObject *source, GAsyncResult *result, gpointer user_data);

static gboolean
settle_again (gpointer user_data)
{
  GTask *task = user_data;
  ForeRunState *self = g_task_get_source_object (task);

  if (self->closed)
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CLOSED, "The run was given up");
  else
    fore_run_writer_barrier_async (self->writer, NULL, settled, g_object_ref (task));

  return G_SOURCE_REMOVE;
}

static void
settled (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GSource) again = NULL;

  if (fore_run_writer_barrier_finish (FORE_RUN_WRITER (source), result, NULL))
    {
      g_task_return_boolean (task, TRUE);
      return;
    }

  again = g_timeout_source_new (SETTLE_RETRY_MS);
  g_source_set_name (again, "wait for the store");
  g_task_attach_source (task, again, settle_again);
}

/**
 * fore_run_state_settle_async:
 * @self: the state
 * @callback: called once everything that was changed until now is on disk
 * @user_data: data for @callback
 *
 * Waits until what happened is durable, however long the store cannot be written.
 */
void
fore_run_state_settle_async (ForeRunState *self, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (FORE_IS_RUN_STATE (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_name (task, "settle");
  g_task_set_source_tag (task, fore_run_state_settle_async);
  fore_run_writer_barrier_async (self->writer, NULL, settled, g_steal_pointer (&task));
}

/**
 * fore_run_state_settle_finish:
 * @self: the state
 * @result: the result
 * @error: return location for an error
 *
 * Returns: %FALSE only if the run was given up meanwhile
 */
gboolean
fore_run_state_settle_finish (ForeRunState *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * fore_run_state_is_closed:
 * @self: the state
 *
 * Returns: whether the run was given up: what is changed now is seen by nobody
 */
gboolean
fore_run_state_is_closed (ForeRunState *self)
{
  g_return_val_if_fail (FORE_IS_RUN_STATE (self), TRUE);

  return self->closed;
}

/**
 * fore_run_state_get_store:
 * @self: the state
 *
 * Returns: (transfer none): the store
 */
ForeStore *
fore_run_state_get_store (ForeRunState *self)
{
  g_return_val_if_fail (FORE_IS_RUN_STATE (self), NULL);

  return self->store;
}

/**
 * fore_run_state_get_writer:
 * @self: the state
 *
 * Returns: (transfer none): the writer of the run's file
 */
ForeRunWriter *
fore_run_state_get_writer (ForeRunState *self)
{
  g_return_val_if_fail (FORE_IS_RUN_STATE (self), NULL);

  return self->writer;
}

/**
 * fore_run_state_get_run:
 * @self: the state
 *
 * Returns: (transfer none): the run
 */
ForeRun *
fore_run_state_get_run (ForeRunState *self)
{
  g_return_val_if_fail (FORE_IS_RUN_STATE (self), NULL);

  return self->run;
}

/**
 * fore_run_state_emit:
 * @self: the state
 * @type: what happened
 * @task: (nullable): task it is about
 * @attempt: attempt it is about, or 0
 * @data: (nullable) (transfer full): JSON object
 *
 * Adds an event to the run's order.
 */
void
fore_run_state_emit (
    ForeRunState *self, ForeEventType type, const char *task, guint attempt, char *data)
{
  g_autofree char *owned = data;
  g_autoptr (ForeEvent) event = NULL;

  g_return_if_fail (FORE_IS_RUN_STATE (self));

  event = fore_event_new (type, task, attempt, owned);
  event->time = fore_clock_now_us ();
  fore_event_log (self->run->id, event);
  event->seq = fore_run_writer_put_event (self->writer, event);
  g_signal_emit (self, signals[EVENT], 0, event);
}

/**
 * fore_run_state_touch_run:
 * @self: the state
 *
 * Writes the run's row.
 */
void
fore_run_state_touch_run (ForeRunState *self)
{
  g_return_if_fail (FORE_IS_RUN_STATE (self));

  fore_run_writer_put_run (self->writer, self->run);
}

/**
 * fore_run_state_set_phase_text:
 * @self: the state
 * @text: (nullable): one sentence: what the run waits for or why it ended
 */
void
fore_run_state_set_phase_text (ForeRunState *self, const char *text)
{
  g_return_if_fail (FORE_IS_RUN_STATE (self));

  if (g_strcmp0 (self->run->phase_text, text) == 0)
    return;

  g_free (self->run->phase_text);
  self->run->phase_text = g_strdup (text);
  fore_run_state_touch_run (self);
}

/**
 * fore_run_state_move_run:
 * @self: the state
 * @status: the status wanted
 * @reason: (nullable): one sentence: why
 *
 * Moves the run, if the table allows it.
 *
 * Returns: whether it moved
 */
gboolean
fore_run_state_move_run (ForeRunState *self, ForeRunStatus status, const char *reason)
{
  ForeRun *run;
  ForeRunStatus from;

  g_return_val_if_fail (FORE_IS_RUN_STATE (self), FALSE);

  run = self->run;
  from = run->status;
  if (from == status)
    return FALSE;

  if (!fore_run_status_can_move (from, status))
    {
      g_warning ("Run %s cannot go from %s to %s", run->id, fore_run_status_to_string (from),
                 fore_run_status_to_string (status));
      return FALSE;
    }

  run->status = status;
  if (run->started == 0 && fore_run_status_get_class (status) == FORE_CLASS_ACTIVE)
    run->started = fore_clock_now_us ();
  run->finished = fore_run_is_active (run) ? 0 : fore_clock_now_us ();
  g_free (run->phase_text);
  run->phase_text = g_strdup (reason);

  fore_run_state_touch_run (self);
  fore_run_state_emit (self, FORE_EVENT_RUN_STATUS, NULL, 0,
                       fore_event_data_new ("s:from", fore_run_status_to_string (from), "s:to",
                                            fore_run_status_to_string (status), "s:reason", reason,
                                            NULL));

  return TRUE;
}

/**
 * fore_run_state_cancel:
 * @self: the state
 * @reason: one sentence: why
 *
 * Cancels the run and all its open tasks, and withdraws its requests: one dispatch, and so one
 * transaction.
 */
void
fore_run_state_cancel (ForeRunState *self, const char *reason)
{
  g_return_if_fail (FORE_IS_RUN_STATE (self));

  for (guint i = 0; i < self->tasks->len; i++)
    {
      ForeTask *task = g_ptr_array_index (self->tasks, i);

      if (fore_task_status_can_move (task->status, FORE_TASK_CANCELLED))
        fore_run_state_move_task (self, task, FORE_TASK_CANCELLED, FORE_CAUSE_CANCELLED, reason);
    }
  fore_run_state_withdraw_requests_of (self, NULL, reason);
  fore_run_state_move_run (self, FORE_RUN_CANCELLED, reason);
  mark_cancelled (self);
}
