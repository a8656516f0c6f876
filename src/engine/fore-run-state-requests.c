/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-run-state-private.h"

#include "agents/fore-entry.h"
#include "engine/fore-event-data.h"
#include "platform/fore-clock.h"

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
 * fore_run_state_get_requests:
 * @self: the state
 *
 * Returns: (transfer none) (element-type ForeRequest): all requests, in the order of their numbers
 */
GPtrArray *
fore_run_state_get_requests (ForeRunState *self)
{
  g_return_val_if_fail (FORE_IS_RUN_STATE (self), NULL);

  return self->requests;
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
 * fore_run_state_find_permission:
 * @self: the state
 * @task: a task's key
 * @attempt: number of a live attempt
 * @reply_to: id that the session gave to what it asks
 *
 * Returns: (transfer none) (nullable): the request for it, whatever its state
 */
ForeRequest *
fore_run_state_find_permission (ForeRunState *self,
                                const char *task,
                                guint attempt,
                                const char *reply_to)
{
  g_return_val_if_fail (FORE_IS_RUN_STATE (self), NULL);

  for (guint i = 0; i < self->requests->len; i++)
    {
      ForeRequest *request = g_ptr_array_index (self->requests, i);

      if (request->attempt == attempt && request->reply_to != NULL
          && g_strcmp0 (request->task, task) == 0 && g_strcmp0 (request->reply_to, reply_to) == 0)
        return request;
    }

  return NULL;
}

/**
 * fore_run_state_find_asked:
 * @self: the state
 * @task: a task's key
 * @attempt: number of an attempt
 *
 * Returns: (transfer none) (nullable): something that the attempt asked and that is open
 */
ForeRequest *
fore_run_state_find_asked (ForeRunState *self, const char *task, guint attempt)
{
  g_return_val_if_fail (FORE_IS_RUN_STATE (self), NULL);

  for (guint i = 0; i < self->requests->len; i++)
    {
      ForeRequest *request = g_ptr_array_index (self->requests, i);

      if (request->state == FORE_REQUEST_OPEN && request->reply_to != NULL
          && !g_str_has_prefix (request->reply_to, FORE_CONTACT_PREFIX)
          && request->attempt == attempt && g_strcmp0 (request->task, task) == 0)
        return request;
    }

  return NULL;
}

/**
 * fore_run_state_rebind_request:
 * @self: the state
 * @request: a question that was asked before
 * @attempt: number of the attempt that asks it now
 * @reply_to: the call that it is asked with
 */
void
fore_run_state_rebind_request (ForeRunState *self,
                               ForeRequest *request,
                               guint attempt,
                               const char *reply_to)
{
  g_return_if_fail (FORE_IS_RUN_STATE (self));
  g_return_if_fail (request != NULL && reply_to != NULL);

  request->attempt = attempt;
  g_free (request->reply_to);
  request->reply_to = g_strdup (reply_to);
  fore_run_writer_put_request (self->writer, request);
}

/**
 * fore_run_state_get_waited_us:
 * @self: the state
 * @task: a task's key
 * @attempt: number of a live attempt
 *
 * Returns: how long the attempt has waited for answers, in microseconds, until now
 */
gint64
fore_run_state_get_waited_us (ForeRunState *self, const char *task, guint attempt)
{
  gint64 now = fore_clock_now_us ();
  gint64 sum = 0;

  g_return_val_if_fail (FORE_IS_RUN_STATE (self), 0);

  for (guint i = 0; i < self->requests->len; i++)
    {
      const ForeRequest *request = g_ptr_array_index (self->requests, i);
      gint64 until = request->state == FORE_REQUEST_OPEN ? now : request->answered;

      if (request->reply_to != NULL && request->attempt == attempt
          && g_strcmp0 (request->task, task) == 0)
        sum += MAX (0, until - request->created);
    }

  return sum;
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
 * fore_run_state_withdraw_questions:
 * @self: the state
 * @task: a task that is over
 * @reason: one sentence: why
 *
 * Withdraws what @task asked a person.
 */
void
fore_run_state_withdraw_questions (ForeRunState *self, const char *task, const char *reason)
{
  ForeRequest *request;

  g_return_if_fail (FORE_IS_RUN_STATE (self));
  g_return_if_fail (task != NULL);

  while ((request = fore_run_state_find_open_request (self, FORE_REQUEST_QUESTION, task)) != NULL)
    fore_run_state_withdraw_request (self, request, reason);
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
 * fore_run_state_emit_said:
 * @self: the state
 * @task: a task's key
 * @attempt: number of a live attempt
 * @said: what it is told
 *
 * Keeps what a live session is told; it may be sent once that is durable.
 */
void
fore_run_state_emit_said (ForeRunState *self, const char *task, guint attempt, ForeSaid *said)
{
  g_return_if_fail (FORE_IS_RUN_STATE (self));
  g_return_if_fail (task != NULL && said != NULL);

  fore_run_state_emit (self, FORE_EVENT_SESSION_SAID, task, attempt, fore_said_to_data (said));
}

/**
 * fore_run_state_list_said:
 * @self: the state of a run that was just taken up
 * @task: a task's key
 * @attempt: number of a live attempt
 *
 * Returns: (transfer container) (element-type ForeSaid): what an earlier runner told it
 */
GPtrArray *
fore_run_state_list_said (ForeRunState *self, const char *task, guint attempt)
{
  GPtrArray *list = g_ptr_array_new ();

  g_return_val_if_fail (FORE_IS_RUN_STATE (self), list);
  g_return_val_if_fail (task != NULL, list);

  for (guint i = 0; i < self->said->len; i++)
    {
      ForeSaid *said = g_ptr_array_index (self->said, i);

      if (said->attempt == attempt && g_strcmp0 (said->task, task) == 0)
        g_ptr_array_add (list, said);
    }

  return list;
}
