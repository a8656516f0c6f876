/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-hooks.h"

#include "engine/fore-hook-call.h"
#include "engine/fore-pool.h"
#include "library/fore-hook-def.h"
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

static char *
dup_from (const ForeEvent *event)
{
  g_autoptr (JsonNode) node = event->data != NULL ? fore_json_parse (event->data, -1, NULL, NULL)
                                                  : NULL;

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return NULL;

  return g_strdup (fore_json_get_string (json_node_get_object (node), "from", NULL));
}

static const char *
name_run_status (ForeHooks *self, const ForeEvent *event)
{
  const ForeRun *run = fore_run_state_get_run (self->state);
  g_autofree char *from = dup_from (event);

  if (!fore_run_is_active (run))
    return "run.finished";
  if (run->status == FORE_RUN_BLOCKED)
    return "run.blocked";
  if (run->status == FORE_RUN_RUNNING
      && g_strcmp0 (from, fore_run_status_to_string (FORE_RUN_QUEUED)) == 0)
    return "run.started";

  return NULL;
}

/* Returns: (nullable): how a hook calls what happened */
static const char *
name_event (ForeHooks *self, const ForeEvent *event, const ForeTask *task)
{
  if (event->type == FORE_EVENT_RUN_STATUS)
    return name_run_status (self, event);
  if (event->type == FORE_EVENT_TASK_STATUS)
    return task != NULL && fore_task_status_get_class (task->status) == FORE_CLASS_FINISHED
               ? "task.finished"
               : NULL;

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

static void
call_next (ForeHooks *self)
{
  if (self->state == NULL)
    return;

  self->busy = !g_queue_is_empty (&self->waiting);
  if (self->busy)
    fore_run_writer_barrier_async (fore_run_state_get_writer (self->state), NULL, event_is_durable,
                                   g_object_ref (self));
  else
    g_signal_emit (self, signals[IDLE], 0);
}

static void
event_emitted (ForeRunState *state, const ForeEvent *event, gpointer user_data)
{
  ForeHooks *self = user_data;
  const ForeTask *task = event->task != NULL ? fore_run_state_find_task (state, event->task) : NULL;
  const char *name = name_event (self, event, task);
  GPtrArray *defs = get_defs (self);

  g_assert (FORE_IS_HOOKS (self));

  for (guint i = 0; name != NULL && i < defs->len; i++)
    {
      const ForeHookDef *def = g_ptr_array_index (defs, i);

      if (fore_hook_def_is_at (def, name))
        g_queue_push_tail (
            &self->waiting,
            fore_hook_call_new (def, name, fore_run_state_get_run (state), task, event->data));
    }

  if (!self->busy && !g_queue_is_empty (&self->waiting))
    call_next (self);
}

/**
 * fore_hooks_new:
 * @state: the run
 * @context: what it is carried out with; outlives the object
 *
 * Returns: (transfer full): its hooks, which hear of all that happens from now on
 */
ForeHooks *
fore_hooks_new (ForeRunState *state, ForeRunContext *context)
{
  ForeHooks *self;
  GPtrArray *defs;

  g_return_val_if_fail (FORE_IS_RUN_STATE (state), NULL);
  g_return_val_if_fail (context != NULL, NULL);

  self = g_object_new (FORE_TYPE_HOOKS, NULL);
  self->state = g_object_ref (state);
  self->context = context;
  defs = get_defs (self);
  if (defs != NULL && defs->len > 0)
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
