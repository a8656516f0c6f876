/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Questions that agents ask from inside their tasks. The same question of a later attempt is the
 * same request, so that the answer reaches whoever works on the task by then.
 */

#include "config.h"

#include "engine/fore-inbox-private.h"

#include "agents/fore-calls.h"
#include "text/fore-plain-line.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define CALL_PREFIX "call:"
#define TITLE_LENGTH 80
/* Of one task; more is no question but a fault. */
#define MAX_QUESTIONS 20

/* What was chosen, what was written, or both. */
static char *
dup_answer (const ForeRequest *request)
{
  const ForeRequestOption *option = fore_request_find_option (request, request->answer);
  const char *chosen = option != NULL && strcmp (option->kind, "choice") == 0 ? option->name : NULL;
  const char *text = request->answer_text != NULL ? request->answer_text : "";

  if (chosen != NULL && text[0] != '\0')
    return g_strconcat (chosen, "\n", text, NULL);

  return g_strdup (chosen != NULL ? chosen : text);
}

static ForeRequest *
find_same (ForeInbox *self, const ForeTask *task, const char *text, guint *n_asked)
{
  GPtrArray *requests = fore_run_state_get_requests (fore_inbox_get_state (self));
  ForeRequest *same = NULL;

  *n_asked = 0;
  for (guint i = 0; i < requests->len; i++)
    {
      ForeRequest *request = g_ptr_array_index (requests, i);

      if (request->kind != FORE_REQUEST_QUESTION || g_strcmp0 (request->task, task->key) != 0)
        continue;

      (*n_asked)++;
      if ((request->state == FORE_REQUEST_OPEN || request->state == FORE_REQUEST_ANSWERED)
          && g_strcmp0 (request->body, text) == 0)
        same = request;
    }

  return same;
}

static void
ask_person (ForeInbox *self, ForeTask *task, const ForeCall *call, const char *text)
{
  g_autofree char *title = fore_plain_line_dup (text, TITLE_LENGTH);
  ForeRequest *request = fore_run_state_new_request (fore_inbox_get_state (self),
                                                     FORE_REQUEST_QUESTION, task->key, title, text);

  request->attempt = task->attempts;
  request->reply_to = g_strconcat (CALL_PREFIX, call->id, NULL);
  for (guint i = 0; call->options != NULL && call->options[i] != NULL; i++)
    {
      g_autofree char *id = g_strdup_printf ("%u", i + 1);

      fore_request_add_option (request, id, call->options[i], "choice");
    }
  fore_request_add_option (request, "answer", _ ("Answer"), "answer");
  fore_run_state_open_request (fore_inbox_get_state (self), request);
  fore_scheduler_wait_for_answer (self->scheduler, task);
}

static gboolean
tell (ForeInbox *self, ForeTask *task, const ForeRequest *request)
{
  g_autofree char *answer = dup_answer (request);

  if (fore_inbox_answer_contact (self, request, answer))
    return TRUE;

  return fore_scheduler_answer (self->scheduler, task, request->reply_to, answer);
}

static void
go_on_with (ForeInbox *self, ForeTask *task, const ForeRequest *request)
{
  if (request->state == FORE_REQUEST_OPEN)
    fore_scheduler_wait_for_answer (self->scheduler, task);
  else if (request->state == FORE_REQUEST_ANSWERED)
    tell (self, task, request);
  else
    fore_scheduler_refuse (self->scheduler, task, request->reply_to,
                           _ ("Nobody will answer this any more; decide yourself and say so."));
}

/* A script calls by the same name in every attempt, and two equal questions of it are two. */
static ForeRequest *
find_of_script (ForeInbox *self, const ForeTask *task, const char *reply_to)
{
  GPtrArray *requests = fore_run_state_get_requests (fore_inbox_get_state (self));

  for (guint i = 0; i < requests->len; i++)
    {
      ForeRequest *request = g_ptr_array_index (requests, i);

      if (request->kind == FORE_REQUEST_QUESTION && g_strcmp0 (request->task, task->key) == 0
          && g_strcmp0 (request->reply_to, reply_to) == 0
          && (request->state == FORE_REQUEST_OPEN || request->state == FORE_REQUEST_ANSWERED))
        return request;
    }

  return NULL;
}

static void
take_question_of_script (ForeInbox *self,
                         ForeTask *task,
                         const ForeCall *call,
                         const char *reply_to)
{
  g_autofree char *text = fore_redactor_apply (self->services->context->redactor, call->text);
  ForeRequest *request = find_of_script (self, task, reply_to);

  if (request == NULL)
    {
      ask_person (self, task, call, text);
      return;
    }

  fore_run_state_rebind_request (fore_inbox_get_state (self), request, task->attempts, reply_to);
  go_on_with (self, task, request);
}

static void
take_question (ForeInbox *self, ForeTask *task, const ForeCall *call)
{
  g_autofree char *reply_to = g_strconcat (CALL_PREFIX, call->id, NULL);
  g_autofree char *text = NULL;
  ForeRequest *request;
  guint n_asked;

  request = fore_run_state_find_permission (fore_inbox_get_state (self), task->key, task->attempts,
                                            reply_to);
  if (request != NULL)
    {
      go_on_with (self, task, request);
      return;
    }

  if (fore_task_is_script (task))
    {
      take_question_of_script (self, task, call, reply_to);
      return;
    }

  text = fore_redactor_apply (self->services->context->redactor, call->text);
  request = find_same (self, task, text, &n_asked);
  if (request != NULL)
    {
      fore_run_state_rebind_request (fore_inbox_get_state (self), request, task->attempts,
                                     reply_to);
      go_on_with (self, task, request);
    }
  else if (n_asked >= MAX_QUESTIONS)
    {
      fore_scheduler_refuse (self->scheduler, task, reply_to,
                             _ ("This task has asked enough; decide yourself and say so."));
    }
  else
    {
      ask_person (self, task, call, text);
    }
}

/* Handler of the scheduler's signal. */
void
fore_inbox_question_asked (ForeScheduler *scheduler,
                           gpointer data,
                           gpointer asked,
                           gpointer user_data)
{
  const ForeCall *call = asked;

  g_assert (FORE_IS_INBOX (user_data));

  if (call->kind == FORE_CALL_DELEGATE)
    fore_inbox_helper_asked (user_data, data, call);
  else if (call->kind == FORE_CALL_SCRIPT)
    fore_inbox_script_called (user_data, data, call);
  else if (call->kind == FORE_CALL_MAIL)
    fore_inbox_mail_sent (user_data, data, call);
  else if (call->kind == FORE_CALL_INBOX)
    fore_inbox_mail_wanted (user_data, data, call);
  else if (call->kind == FORE_CALL_JOIN)
    fore_inbox_helpers_joined (user_data, data, call);
  else
    take_question (user_data, data, call);
}

/* Whether it was the answer to such a question. */
gboolean
fore_inbox_answer_question (ForeInbox *self, const ForeRequest *request)
{
  ForeTask *task;

  if (request->kind != FORE_REQUEST_QUESTION || request->reply_to == NULL)
    return FALSE;

  task = fore_run_state_find_task (fore_inbox_get_state (self), request->task);
  if (task == NULL
      || (request->attempt != task->attempts
          && !g_str_has_prefix (request->reply_to, FORE_CONTACT_PREFIX))
      || !tell (self, task, request))
    g_message ("The answer to %s waits for the next attempt that asks the same", request->id);

  return TRUE;
}
