/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-hooks.h"

#include "engine/fore-event-data.h"
#include "engine/fore-hook-call.h"
#include "engine/fore-pool.h"
#include "library/fore-hook-def.h"
#include "store/fore-run-reader.h"
#include "text/fore-json.h"

struct _ForeHooks
{
  GObject parent_instance;

  ForeRunState *state;
  ForeRunContext *context;
  GQueue waiting; /* of ForeHookCall */
  gboolean busy;
};

enum
{
  IDLE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

/* Events that are told as they are; those of run and task depend on where it went. */
static const struct
{
  ForeEventType type;
  const char *name;
} told[] = {
  { FORE_EVENT_RUN_MERGED, "run.merged" },
  { FORE_EVENT_ATTEMPT_STARTED, "task.started" },
  { FORE_EVENT_PLAN_PROPOSED, "plan.proposed" },
  { FORE_EVENT_PLAN_APPROVED, "plan.approved" },
  { FORE_EVENT_PLAN_REJECTED, "plan.rejected" },
  { FORE_EVENT_REQUEST_OPENED, "request.opened" },
  { FORE_EVENT_REQUEST_ANSWERED, "request.answered" },
  { FORE_EVENT_GOAL_TURN, "goal.turn" },
  { FORE_EVENT_GOAL_ENDED, "goal.ended" },
  { FORE_EVENT_BUDGET_WARNING, "budget.warning" },
  { FORE_EVENT_BUDGET_STOP, "budget.stop" },
};

G_DEFINE_FINAL_TYPE (ForeHooks, fore_hooks, G_TYPE_OBJECT)

static void call_next (ForeHooks *self);

static void
fore_hooks_dispose (GObject *object)
{
  ForeHooks *self = FORE_HOOKS (object);

  if (self->state != NULL)
    g_signal_handlers_disconnect_by_data (self->state, self);
  g_clear_object (&self->state);
  g_queue_clear_full (&self->waiting, (GDestroyNotify) fore_hook_call_free);

  G_OBJECT_CLASS (fore_hooks_parent_class)->dispose (object);
}

static void
fore_hooks_class_init (ForeHooksClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = fore_hooks_dispose;

  signals[IDLE] = g_signal_new ("idle", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                NULL, G_TYPE_NONE, 0);
}

static void
fore_hooks_init (ForeHooks *self)
{
  g_queue_init (&self->waiting);
}

static GPtrArray *
get_defs (ForeHooks *self)
{
  return fore_settings_get_hooks (self->context->settings);
}

static const char *
name_run_status (const char *from, const char *to)
{
  ForeRunStatus status;

  if (!fore_run_status_from_string (to, &status))
    return NULL;
  if (fore_run_status_get_class (status) == FORE_CLASS_FINISHED)
    return "run.finished";
  if (status == FORE_RUN_BLOCKED)
    return "run.blocked";

  return status == FORE_RUN_RUNNING
                 && g_strcmp0 (from, fore_run_status_to_string (FORE_RUN_QUEUED)) == 0
             ? "run.started"
             : NULL;
}

static const char *
name_task_status (const char *to)
{
  ForeTaskStatus status;

  return fore_task_status_from_string (to, &status)
                 && fore_task_status_get_class (status) == FORE_CLASS_FINISHED
             ? "task.finished"
             : NULL;
}

/* Returns: (nullable): how a hook calls a change of status */
static const char *
name_status (const ForeEvent *event)
{
  g_autoptr (JsonNode) node = event->data != NULL ? fore_json_parse (event->data, -1, NULL, NULL)
                                                  : NULL;
  JsonObject *data = node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node)
                                                                   : NULL;
  const char *from = data != NULL ? fore_json_get_string (data, "from", NULL) : NULL;
  const char *to = data != NULL ? fore_json_get_string (data, "to", NULL) : NULL;

  if (to == NULL)
    return NULL;

  return event->type == FORE_EVENT_RUN_STATUS ? name_run_status (from, to) : name_task_status (to);
}

/* Returns: (nullable): how a hook calls what happened */
static const char *
name_event (const ForeEvent *event)
{
  if (event->type == FORE_EVENT_RUN_STATUS || event->type == FORE_EVENT_TASK_STATUS)
    return name_status (event);

  for (guint i = 0; i < G_N_ELEMENTS (told); i++)
    {
      if (told[i].type == event->type)
        return told[i].name;
    }

  return NULL;
}

static void
emit (ForeHooks *self, const ForeHookCall *call)
{
  gboolean refused = call->hook->blocking && call->exit_code != 0;

  fore_run_state_emit (self->state, refused ? FORE_EVENT_HOOK_BLOCKED : FORE_EVENT_HOOK_RAN,
                       call->task, call->attempt, fore_hook_call_to_data (call));
}

static void
called (GObject *source, GAsyncResult *result, gpointer user_data)
{
  ForeHooks *self = FORE_HOOKS (source);

  emit (self, g_task_get_task_data (G_TASK (result)));
  call_next (self);
}

static void
call_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  ForeHooks *self = source;
  g_autoptr (GError) problem = NULL;

  /* Its event says how it ended. */
  fore_hook_call_run (data, self->context, &problem);
  g_task_return_boolean (task, TRUE);
}

static void
event_is_durable (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeHooks) self = user_data;
  g_autoptr (GTask) task = NULL;
  ForeHookCall *call = g_queue_pop_head (&self->waiting);

  if (call == NULL || !fore_run_writer_barrier_finish (FORE_RUN_WRITER (source), result, NULL))
    {
      g_clear_pointer (&call, fore_hook_call_free);
      call_next (self);
      return;
    }

  task = g_task_new (self, NULL, called, NULL);
  g_task_set_name (task, "call a hook");
  g_task_set_source_tag (task, event_is_durable);
  g_task_set_task_data (task, call, (GDestroyNotify) fore_hook_call_free);
  fore_pool_run (FORE_POOL_HOOK, task, call_in_thread);
}

/* What is to be told is marked as told first: whoever comes after us knows where to go on. */
static void
mark (ForeHooks *self, const ForeHookCall *call)
{
  fore_run_state_emit (self->state, FORE_EVENT_HOOK_CALLED, call->task, call->attempt,
                       fore_event_data_new ("s:name", call->hook->name, "s:on", call->event,
                                            "i:event", call->seq, NULL));
}

static void
call_next (ForeHooks *self)
{
  if (self->state == NULL)
    return;

  self->busy = !g_queue_is_empty (&self->waiting);
  if (!self->busy)
    {
      g_signal_emit (self, signals[IDLE], 0);
      return;
    }

  mark (self, g_queue_peek_head (&self->waiting));
  fore_run_writer_barrier_async (fore_run_state_get_writer (self->state), NULL, event_is_durable,
                                 g_object_ref (self));
}

/* @skip: how many of those that want to hear of it have */
static void
queue_event (ForeHooks *self, const ForeEvent *event, guint skip)
{
  const ForeTask *task = event->task != NULL ? fore_run_state_find_task (self->state, event->task)
                                             : NULL;
  const char *name = name_event (event);
  GPtrArray *defs = get_defs (self);

  for (guint i = 0; name != NULL && i < defs->len; i++)
    {
      const ForeHookDef *def = g_ptr_array_index (defs, i);
      ForeHookCall *call;

      if (!fore_hook_def_is_at (def, name))
        continue;
      if (skip > 0)
        {
          skip--;
          continue;
        }

      call = fore_hook_call_new (def, name, fore_run_state_get_run (self->state), task,
                                 event->data);
      call->seq = event->seq;
      g_queue_push_tail (&self->waiting, call);
    }
}

static void
event_emitted (ForeRunState *state, const ForeEvent *event, gpointer user_data)
{
  ForeHooks *self = user_data;

  g_assert (FORE_IS_HOOKS (self));

  queue_event (self, event, 0);
  if (!self->busy && !g_queue_is_empty (&self->waiting))
    call_next (self);
}

static gint64
get_told (const ForeEvent *event)
{
  g_autoptr (JsonNode) node = fore_json_parse (event->data, -1, NULL, NULL);

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node)
             ? fore_json_get_int (json_node_get_object (node), "event", 0)
             : 0;
}

/* Finds the last event that was told, and how many heard of it. A runner that ended well had told
 * everything; in a run that nobody ever heard of, there is nothing to go on with.
 */
static gboolean
find_told (ForeStore *store, const char *run, gint64 *seq, guint *n_heard)
{
  g_autoptr (GPtrArray) marks = fore_run_read_events_of (store, run, FORE_EVENT_HOOK_CALLED, NULL);
  g_autoptr (GPtrArray) ends = NULL;
  const ForeEvent *end = NULL;

  if (marks == NULL || marks->len == 0)
    return FALSE;

  *seq = get_told (g_ptr_array_index (marks, marks->len - 1));
  while (*n_heard < marks->len
         && get_told (g_ptr_array_index (marks, marks->len - 1 - *n_heard)) == *seq)
    (*n_heard)++;

  ends = fore_run_read_events_of (store, run, FORE_EVENT_RUN_RELEASED, NULL);
  if (ends != NULL && ends->len > 0)
    end = g_ptr_array_index (ends, ends->len - 1);
  if (end != NULL && end->seq > *seq)
    {
      *seq = end->seq;
      *n_heard = 0;
    }

  return *seq > 0;
}

/* What a runner before us had not told when it died. */
static void
go_on (ForeHooks *self, ForeStore *store)
{
  const char *run = fore_run_state_get_run (self->state)->id;
  g_autoptr (ForeRunDelta) delta = NULL;
  gint64 seq = 0;
  guint n_heard = 0;

  if (!find_told (store, run, &seq, &n_heard))
    return;

  delta = fore_run_read (store, run, G_MAXINT64, seq - 1, G_MAXUINT, NULL);
  for (guint i = 0; delta != NULL && i < delta->events->len; i++)
    {
      const ForeEvent *event = g_ptr_array_index (delta->events, i);

      queue_event (self, event, event->seq == seq ? n_heard : 0);
    }
  if (!g_queue_is_empty (&self->waiting))
    call_next (self);
}

/**
 * fore_hooks_new:
 * @store: the store
 * @state: the run
 * @context: what it is carried out with; outlives the object
 *
 * Blocks on the disk where there are hooks.
 *
 * Returns: (transfer full): its hooks, which hear of what happened before and was not told, and of
 *   all that happens from now on
 */
ForeHooks *
fore_hooks_new (ForeStore *store, ForeRunState *state, ForeRunContext *context)
{
  ForeHooks *self;
  GPtrArray *defs;

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);
  g_return_val_if_fail (FORE_IS_RUN_STATE (state), NULL);
  g_return_val_if_fail (context != NULL, NULL);

  self = g_object_new (FORE_TYPE_HOOKS, NULL);
  self->state = g_object_ref (state);
  self->context = context;
  defs = get_defs (self);
  if (defs == NULL || defs->len == 0)
    return self;

  go_on (self, store);
  g_signal_connect (state, "event", G_CALLBACK (event_emitted), self);

  return self;
}

/**
 * fore_hooks_is_busy:
 * @self: hooks
 *
 * Returns: whether something has happened that not all have been told
 */
gboolean
fore_hooks_is_busy (ForeHooks *self)
{
  g_return_val_if_fail (FORE_IS_HOOKS (self), FALSE);

  return self->busy;
}

/**
 * fore_hooks_can_block:
 * @self: hooks
 *
 * Returns: whether a task has to be asked for before it starts
 */
gboolean
fore_hooks_can_block (ForeHooks *self)
{
  GPtrArray *defs;

  g_return_val_if_fail (FORE_IS_HOOKS (self), FALSE);

  defs = get_defs (self);
  for (guint i = 0; defs != NULL && i < defs->len; i++)
    {
      if (((const ForeHookDef *) g_ptr_array_index (defs, i))->blocking)
        return TRUE;
    }

  return FALSE;
}

typedef struct
{
  ForeRun *run;
  ForeTask *task;
  char *tree;
  GPtrArray *calls;
  GError *refusal;
} Asking;

static void
asking_free (Asking *asking)
{
  fore_run_free (asking->run);
  fore_task_free (asking->task);
  g_free (asking->tree);
  g_ptr_array_unref (asking->calls);
  g_clear_error (&asking->refusal);
  g_free (asking);
}

static void
ask_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  ForeHooks *self = source;
  Asking *asking = data;

  fore_hook_calls_ask (self->context, asking->run, asking->task, asking->tree, asking->calls,
                       &asking->refusal);
  g_task_return_boolean (task, TRUE);
}

/**
 * fore_hooks_ask_async:
 * @self: hooks
 * @task: a task that is about to start
 * @tree: folder that it will work in
 * @callback: called when all have answered, or one refused
 * @user_data: data for @callback
 *
 * Asks the hooks that block whether a task may start.
 */
void
fore_hooks_ask_async (ForeHooks *self,
                      const ForeTask *task,
                      const char *tree,
                      GAsyncReadyCallback callback,
                      gpointer user_data)
{
  g_autoptr (GTask) asked = NULL;
  Asking *asking;

  g_return_if_fail (FORE_IS_HOOKS (self));
  g_return_if_fail (task != NULL && tree != NULL);

  asking = g_new0 (Asking, 1);
  asking->run = fore_run_copy (fore_run_state_get_run (self->state));
  asking->task = fore_task_copy (task);
  asking->tree = g_strdup (tree);
  asking->calls = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_hook_call_free);

  asked = g_task_new (self, NULL, callback, user_data);
  g_task_set_name (asked, "ask hooks");
  g_task_set_source_tag (asked, fore_hooks_ask_async);
  g_task_set_task_data (asked, asking, (GDestroyNotify) asking_free);
  fore_pool_run (FORE_POOL_HOOK, asked, ask_in_thread);
}

/**
 * fore_hooks_ask_finish:
 * @self: hooks
 * @result: the result
 * @error: return location for an error: who refused and why
 *
 * Returns: whether the task may start
 */
gboolean
fore_hooks_ask_finish (ForeHooks *self, GAsyncResult *result, GError **error)
{
  Asking *asking;

  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  asking = g_task_get_task_data (G_TASK (result));
  for (guint i = 0; i < asking->calls->len; i++)
    emit (self, g_ptr_array_index (asking->calls, i));
  if (asking->refusal == NULL)
    return TRUE;

  g_propagate_error (error, g_error_copy (asking->refusal));
  return FALSE;
}
