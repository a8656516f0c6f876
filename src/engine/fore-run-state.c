/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-run-state.h"

#include "engine/fore-event-data.h"
#include "engine/fore-event-log.h"
#include "model/fore-id.h"
#include "platform/fore-clock.h"
#include "platform/fore-log.h"
#include "store/fore-run-reader.h"

#define SETTLE_RETRY_MS 500

struct _ForeRunState
{
  GObject parent_instance;

  ForeStore *store;
  ForeRunWriter *writer;
  ForeRun *run;
  GPtrArray *tasks;
  GHashTable *tasks_by_key;
  GHashTable *attempts;
  GPtrArray *plans;
  GPtrArray *requests;
  gboolean closed;
};

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

  G_OBJECT_CLASS (fore_run_state_parent_class)->finalize (object);
}

static void
fore_run_state_class_init (ForeRunStateClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = fore_run_state_dispose;
  object_class->finalize = fore_run_state_finalize;
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
}

static void
take_rows (ForeRunState *self, ForeRunDelta *delta)
{
  self->run = g_steal_pointer (&delta->run);

  for (guint i = 0; i < delta->tasks->len; i++)
    {
      ForeTask *task = fore_task_copy (g_ptr_array_index (delta->tasks, i));

      g_ptr_array_add (self->tasks, task);
      g_hash_table_insert (self->tasks_by_key, task->key, task);
    }

  for (guint i = 0; i < delta->attempts->len; i++)
    {
      ForeAttempt *attempt = fore_attempt_copy (g_ptr_array_index (delta->attempts, i));

      g_hash_table_insert (self->attempts, fore_id_dup_attempt (attempt->task, attempt->n),
                           attempt);
    }

  for (guint i = 0; i < delta->plans->len; i++)
    g_ptr_array_add (self->plans, fore_plan_copy (g_ptr_array_index (delta->plans, i)));
  for (guint i = 0; i < delta->requests->len; i++)
    g_ptr_array_add (self->requests, fore_request_copy (g_ptr_array_index (delta->requests, i)));
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

  return g_steal_pointer (&self);
}

/**
 * fore_run_state_close:
 * @self: the state
 * @error: return location for an error
 *
 * Makes everything durable and gives up the owner lock.
 *
 * Returns: whether it is all on disk
 */
gboolean
fore_run_state_close (ForeRunState *self, GError **error)
{
  g_return_val_if_fail (FORE_IS_RUN_STATE (self), FALSE);

  self->closed = TRUE;

  return fore_run_writer_close (self->writer, error);
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
  fore_run_writer_put_event (self->writer, event);
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
 * fore_run_state_get_tasks:
 * @self: the state
 *
 * Returns: (transfer none) (element-type ForeTask): all tasks by position
 */
GPtrArray *
fore_run_state_get_tasks (ForeRunState *self)
{
  g_return_val_if_fail (FORE_IS_RUN_STATE (self), NULL);

  return self->tasks;
}

/**
 * fore_run_state_find_task:
 * @self: the state
 * @key: (nullable): a key
 *
 * Returns: (transfer none) (nullable): the task
 */
ForeTask *
fore_run_state_find_task (ForeRunState *self, const char *key)
{
  g_return_val_if_fail (FORE_IS_RUN_STATE (self), NULL);

  return key != NULL ? g_hash_table_lookup (self->tasks_by_key, key) : NULL;
}

/**
 * fore_run_state_add_task:
 * @self: the state
 * @task: (transfer full): a queued task with a new key
 *
 * Adds a task to the run.
 */
void
fore_run_state_add_task (ForeRunState *self, ForeTask *task)
{
  g_return_if_fail (FORE_IS_RUN_STATE (self));
  g_return_if_fail (task != NULL && fore_run_state_find_task (self, task->key) == NULL);

  task->position = self->tasks->len;
  g_ptr_array_add (self->tasks, task);
  g_hash_table_insert (self->tasks_by_key, task->key, task);
  self->run->n_tasks++;
  self->run->counts[task->status]++;

  fore_run_writer_put_task (self->writer, task);
  fore_run_state_emit (self, FORE_EVENT_TASK_ADDED, task->key, 0,
                       fore_event_data_new ("s:title", task->title, "s:role", task->role,
                                            "v:depends_on", task->depends_on, "i:plan_version",
                                            (gint64) task->plan_version, NULL));
}

static void
set_outcome (ForeTask *task, ForeTaskStatus status, ForeCause cause, const char *message)
{
  task->cause = cause;
  g_free (task->message);
  task->message = g_strdup (message);

  if (status == FORE_TASK_RUNNING && task->started == 0)
    task->started = fore_clock_now_us ();
  if (fore_task_status_get_class (status) == FORE_CLASS_FINISHED)
    task->finished = fore_clock_now_us ();
  else
    task->finished = 0;

  if (status != FORE_TASK_RUNNING && status != FORE_TASK_WAITING && status != FORE_TASK_QUEUED)
    {
      task->phase = FORE_PHASE_NONE;
      g_clear_pointer (&task->waits_for, g_free);
    }
}

/**
 * fore_run_state_move_task:
 * @self: the state
 * @task: a task of the run
 * @status: the status wanted
 * @cause: why, or %FORE_CAUSE_NONE
 * @message: (nullable): one sentence: why
 *
 * Moves a task, if the table allows it.
 *
 * Returns: whether it moved
 */
gboolean
fore_run_state_move_task (
    ForeRunState *self, ForeTask *task, ForeTaskStatus status, ForeCause cause, const char *message)
{
  ForeTaskStatus from;

  g_return_val_if_fail (FORE_IS_RUN_STATE (self), FALSE);
  g_return_val_if_fail (task != NULL, FALSE);

  from = task->status;
  if (!fore_task_status_can_move (from, status))
    {
      g_warning ("Task %s of run %s cannot go from %s to %s", task->key, self->run->id,
                 fore_task_status_to_string (from), fore_task_status_to_string (status));
      return FALSE;
    }

  self->run->counts[from]--;
  self->run->counts[status]++;
  task->status = status;
  set_outcome (task, status, cause, message);

  fore_run_writer_put_task (self->writer, task);
  fore_run_writer_put_run (self->writer, self->run);
  fore_run_state_emit (
      self, FORE_EVENT_TASK_STATUS, task->key, 0,
      fore_event_data_new ("s:from", fore_task_status_to_string (from), "s:to",
                           fore_task_status_to_string (status), "s:cause",
                           cause != FORE_CAUSE_NONE ? fore_cause_to_string (cause) : NULL,
                           "s:message", message, NULL));
  if (status == FORE_TASK_FAILED || status == FORE_TASK_NEEDS_ATTENTION)
    fore_log (FORE_LOG_WARNING, self->run->id, task->key, task->attempts, "%s (%s): %s",
              fore_task_status_to_string (status), fore_cause_to_string (cause),
              message != NULL ? message : "");

  return TRUE;
}

/**
 * fore_run_state_set_phase:
 * @self: the state
 * @task: a task of the run
 * @phase: what it is in
 * @waits_for: (nullable): one sentence: why it is not running
 */
void
fore_run_state_set_phase (ForeRunState *self,
                          ForeTask *task,
                          ForeTaskPhase phase,
                          const char *waits_for)
{
  g_return_if_fail (FORE_IS_RUN_STATE (self));
  g_return_if_fail (task != NULL);

  if (task->phase == phase && g_strcmp0 (task->waits_for, waits_for) == 0)
    return;

  task->phase = phase;
  g_free (task->waits_for);
  task->waits_for = g_strdup (waits_for);

  fore_run_writer_put_task (self->writer, task);
  fore_run_state_emit (self, FORE_EVENT_TASK_PHASE, task->key, task->attempts,
                       fore_event_data_new ("s:phase", fore_task_phase_to_string (phase),
                                            "s:waits_for", waits_for, NULL));
}

/**
 * fore_run_state_set_mark:
 * @self: the state
 * @task: a task of the run
 * @mark: (nullable): cause of the mark, %NULL to clear it
 *
 * Sets or clears the attention mark. Setting the same mark again changes nothing.
 */
void
fore_run_state_set_mark (ForeRunState *self, ForeTask *task, const char *mark)
{
  g_autofree char *before = NULL;

  g_return_if_fail (FORE_IS_RUN_STATE (self));
  g_return_if_fail (task != NULL);

  if (g_strcmp0 (task->mark, mark) == 0)
    return;

  before = g_steal_pointer (&task->mark);
  task->mark = g_strdup (mark);
  fore_run_writer_put_task (self->writer, task);
  fore_run_state_emit (self, mark != NULL ? FORE_EVENT_TASK_MARK : FORE_EVENT_TASK_MARK_CLEARED,
                       task->key, 0,
                       fore_event_data_new ("s:cause", mark != NULL ? mark : before, NULL));
}

/**
 * fore_run_state_touch_task:
 * @self: the state
 * @task: a task of the run
 *
 * Writes the task's row.
 */
void
fore_run_state_touch_task (ForeRunState *self, ForeTask *task)
{
  g_return_if_fail (FORE_IS_RUN_STATE (self));
  g_return_if_fail (task != NULL);

  fore_run_writer_put_task (self->writer, task);
}

/**
 * fore_run_state_update_usage:
 * @self: the state
 * @task: a task of the run
 *
 * Sums up the usage of @task over its attempts and of the run over its tasks, and writes both.
 */
void
fore_run_state_update_usage (ForeRunState *self, ForeTask *task)
{
  ForeUsage sum = FORE_USAGE_INIT;

  g_return_if_fail (FORE_IS_RUN_STATE (self));
  g_return_if_fail (task != NULL);

  for (guint n = 1; n <= task->attempts; n++)
    {
      const ForeAttempt *attempt = fore_run_state_find_attempt (self, task->key, n);

      if (attempt != NULL)
        fore_usage_add (&sum, &attempt->usage);
    }

  if (fore_usage_equal (&task->usage, &sum))
    return;

  task->usage = sum;
  self->run->usage = FORE_USAGE_INIT;
  for (guint i = 0; i < self->tasks->len; i++)
    fore_usage_add (&self->run->usage, &((ForeTask *) g_ptr_array_index (self->tasks, i))->usage);

  fore_run_writer_put_task (self->writer, task);
  fore_run_writer_put_run (self->writer, self->run);
}

/**
 * fore_run_state_add_attempt:
 * @self: the state
 * @task: a task of the run
 *
 * Begins the next attempt of @task. Its row is written by fore_run_state_touch_attempt().
 *
 * Returns: (transfer none): the attempt
 */
ForeAttempt *
fore_run_state_add_attempt (ForeRunState *self, ForeTask *task)
{
  ForeAttempt *attempt;

  g_return_val_if_fail (FORE_IS_RUN_STATE (self), NULL);
  g_return_val_if_fail (task != NULL, NULL);

  task->attempts++;
  task->starts++;
  attempt = fore_attempt_new (task->key, task->attempts);
  attempt->started = fore_clock_now_us ();
  g_hash_table_insert (self->attempts, fore_id_dup_attempt (task->key, attempt->n), attempt);

  return attempt;
}

/**
 * fore_run_state_find_attempt:
 * @self: the state
 * @task: a task's key
 * @n: number of the attempt
 *
 * Returns: (transfer none) (nullable): the attempt
 */
ForeAttempt *
fore_run_state_find_attempt (ForeRunState *self, const char *task, guint n)
{
  g_autofree char *id = NULL;

  g_return_val_if_fail (FORE_IS_RUN_STATE (self), NULL);
  g_return_val_if_fail (task != NULL, NULL);

  id = fore_id_dup_attempt (task, n);

  return g_hash_table_lookup (self->attempts, id);
}

/**
 * fore_run_state_touch_attempt:
 * @self: the state
 * @attempt: an attempt of the run
 *
 * Writes the attempt's row.
 */
void
fore_run_state_touch_attempt (ForeRunState *self, ForeAttempt *attempt)
{
  g_return_if_fail (FORE_IS_RUN_STATE (self));
  g_return_if_fail (attempt != NULL);

  fore_run_writer_put_attempt (self->writer, attempt);
}

/**
 * fore_run_state_get_plan:
 * @self: the state
 * @version: a version, or 0 for the newest
 *
 * Returns: (transfer none) (nullable): the plan
 */
ForePlan *
fore_run_state_get_plan (ForeRunState *self, guint version)
{
  g_return_val_if_fail (FORE_IS_RUN_STATE (self), NULL);

  if (version == 0)
    version = self->run->plan_version;

  for (guint i = 0; i < self->plans->len; i++)
    {
      ForePlan *plan = g_ptr_array_index (self->plans, i);

      if (plan->version == version)
        return plan;
    }

  return NULL;
}

/**
 * fore_run_state_add_plan:
 * @self: the state
 * @plan: (transfer full): a plan
 *
 * Keeps @plan as the next version.
 */
void
fore_run_state_add_plan (ForeRunState *self, ForePlan *plan)
{
  g_return_if_fail (FORE_IS_RUN_STATE (self));
  g_return_if_fail (plan != NULL);

  plan->version = ++self->run->plan_version;
  plan->created = fore_clock_now_us ();
  fore_plan_update_hash (plan);
  g_ptr_array_add (self->plans, plan);

  fore_run_writer_put_plan (self->writer, plan);
  fore_run_state_touch_run (self);
}

/**
 * fore_run_state_new_request:
 * @self: the state
 * @kind: what kind of decision
 * @task: (nullable): task that asks
 * @title: one line
 * @body: (nullable): whole text
 *
 * Makes a request, to be given its options and opened.
 *
 * Returns: (transfer full): a request with the next number
 */
ForeRequest *
fore_run_state_new_request (
    ForeRunState *self, ForeRequestKind kind, const char *task, const char *title, const char *body)
{
  ForeRequest *request;

  g_return_val_if_fail (FORE_IS_RUN_STATE (self), NULL);

  request = fore_request_new (self->run->id, self->requests->len + 1, kind);
  request->task = g_strdup (task);
  request->title = g_strdup (title);
  request->body = g_strdup (body);

  return request;
}

/**
 * fore_run_state_open_request:
 * @self: the state
 * @request: (transfer full): a request with its options
 */
void
fore_run_state_open_request (ForeRunState *self, ForeRequest *request)
{
  g_return_if_fail (FORE_IS_RUN_STATE (self));
  g_return_if_fail (request != NULL);

  g_ptr_array_add (self->requests, request);
  fore_run_writer_put_request (self->writer, request);
  fore_run_state_emit (self, FORE_EVENT_REQUEST_OPENED, request->task, request->attempt,
                       fore_event_data_new ("s:id", request->id, "s:kind",
                                            fore_request_kind_to_string (request->kind), "s:title",
                                            request->title, NULL));
}

/**
 * fore_run_state_find_request:
 * @self: the state
 * @id: id of a request
 *
 * Returns: (transfer none) (nullable): the request
 */
ForeRequest *
fore_run_state_find_request (ForeRunState *self, const char *id)
{
  g_return_val_if_fail (FORE_IS_RUN_STATE (self), NULL);

  for (guint i = 0; i < self->requests->len; i++)
    {
      ForeRequest *request = g_ptr_array_index (self->requests, i);

      if (g_strcmp0 (request->id, id) == 0)
        return request;
    }

  return NULL;
}

/**
 * fore_run_state_find_open_request:
 * @self: the state
 * @kind: a kind
 * @task: (nullable): a task's key, or %NULL for any
 *
 * Returns: (transfer none) (nullable): the first open request of that kind
 */
ForeRequest *
fore_run_state_find_open_request (ForeRunState *self, ForeRequestKind kind, const char *task)
{
  g_return_val_if_fail (FORE_IS_RUN_STATE (self), NULL);

  for (guint i = 0; i < self->requests->len; i++)
    {
      ForeRequest *request = g_ptr_array_index (self->requests, i);

      if (request->state == FORE_REQUEST_OPEN && request->kind == kind
          && (task == NULL || g_strcmp0 (request->task, task) == 0))
        return request;
    }

  return NULL;
}

/**
 * fore_run_state_count_open_requests:
 * @self: the state
 *
 * Returns: how many requests wait for a person
 */
guint
fore_run_state_count_open_requests (ForeRunState *self)
{
  guint n = 0;

  g_return_val_if_fail (FORE_IS_RUN_STATE (self), 0);

  for (guint i = 0; i < self->requests->len; i++)
    n += ((ForeRequest *) g_ptr_array_index (self->requests, i))->state == FORE_REQUEST_OPEN;

  return n;
}

/**
 * fore_run_state_answer_request:
 * @self: the state
 * @request: an open request
 * @answer: its answer
 */
void
fore_run_state_answer_request (ForeRunState *self, ForeRequest *request, const ForeAnswer *answer)
{
  g_return_if_fail (FORE_IS_RUN_STATE (self));
  g_return_if_fail (request != NULL && request->state == FORE_REQUEST_OPEN);
  g_return_if_fail (answer != NULL);

  request->state = FORE_REQUEST_ANSWERED;
  request->answer = g_strdup (answer->option);
  request->answer_text = g_strdup (answer->text);
  request->answered_by = g_strdup (answer->by);
  request->answered = answer->time;

  fore_run_writer_put_request (self->writer, request);
  fore_run_state_emit (self, FORE_EVENT_REQUEST_ANSWERED, request->task, request->attempt,
                       fore_event_data_new ("s:id", request->id, "s:option", answer->option, "s:by",
                                            answer->by, NULL));
}

/**
 * fore_run_state_withdraw_request:
 * @self: the state
 * @request: a request
 * @reason: one sentence: why nobody needs to answer any more
 */
void
fore_run_state_withdraw_request (ForeRunState *self, ForeRequest *request, const char *reason)
{
  g_return_if_fail (FORE_IS_RUN_STATE (self));
  g_return_if_fail (request != NULL);

  if (request->state != FORE_REQUEST_OPEN)
    return;

  request->state = FORE_REQUEST_WITHDRAWN;
  fore_run_writer_put_request (self->writer, request);
  fore_run_state_emit (self, FORE_EVENT_REQUEST_WITHDRAWN, request->task, request->attempt,
                       fore_event_data_new ("s:id", request->id, "s:reason", reason, NULL));
}

/**
 * fore_run_state_withdraw_requests_of:
 * @self: the state
 * @task: (nullable): a task's key, or %NULL for all requests
 * @reason: one sentence: why
 */
void
fore_run_state_withdraw_requests_of (ForeRunState *self, const char *task, const char *reason)
{
  g_return_if_fail (FORE_IS_RUN_STATE (self));

  for (guint i = 0; i < self->requests->len; i++)
    {
      ForeRequest *request = g_ptr_array_index (self->requests, i);

      if (task == NULL || g_strcmp0 (request->task, task) == 0)
        fore_run_state_withdraw_request (self, request, reason);
    }
}

/**
 * fore_run_state_withdraw_permissions:
 * @self: the state
 * @task: a task whose session is over
 * @reason: (nullable): one sentence: why
 *
 * Withdraws what the session of @task asked leave for; nobody is there to hear an answer.
 */
void
fore_run_state_withdraw_permissions (ForeRunState *self, const char *task, const char *reason)
{
  ForeRequest *request;

  g_return_if_fail (FORE_IS_RUN_STATE (self));
  g_return_if_fail (task != NULL);

  while ((request = fore_run_state_find_open_request (self, FORE_REQUEST_PERMISSION, task)) != NULL)
    fore_run_state_withdraw_request (self, request, reason);
}

/**
 * fore_run_state_finish_command:
 * @self: the state
 * @command: a command that was taken up
 * @message: (nullable): one sentence: what came of it
 * @refusal: (nullable): why it was refused
 */
void
fore_run_state_finish_command (ForeRunState *self,
                               ForeCommand *command,
                               const char *message,
                               const GError *refusal)
{
  g_autofree char *id = NULL;

  g_return_if_fail (FORE_IS_RUN_STATE (self));
  g_return_if_fail (command != NULL);

  id = g_strdup_printf ("%" G_GINT64_FORMAT, command->id);
  command->state = refusal != NULL ? FORE_COMMAND_REFUSED : FORE_COMMAND_DONE;
  command->code = refusal != NULL ? refusal->code : 0;
  g_free (command->message);
  command->message = g_strdup (refusal != NULL ? refusal->message : message);

  fore_run_writer_put_command (self->writer, command);
  fore_run_state_emit (
      self, refusal != NULL ? FORE_EVENT_COMMAND_REFUSED : FORE_EVENT_COMMAND_TAKEN, NULL, 0,
      fore_event_data_new ("s:id", id, "s:kind", fore_command_kind_to_string (command->kind),
                           "s:by", command->by, "s:message", command->message, NULL));
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
}
