/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Mail between tasks, and between them and the person. A live session is told at once; any other
 * agent asks for its mail, or finds it in the prompt of its next attempt.
 */

#include "config.h"

#include "engine/fore-inbox-private.h"

#include "agents/fore-calls.h"
#include "engine/fore-helper.h"
#include "model/fore-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define CALL_PREFIX "call:"
#define PERSON "person"
#define EVERYBODY "all"
#define MAX_SENT 100
#define MAX_TEXT (32 * 1024)
#define RETRY_MS 200

typedef struct
{
  ForeInbox *self;
  char *task;
  char *reply_to;
  char *text;
} Reply;

static void
reply_free (Reply *reply)
{
  g_object_unref (reply->self);
  g_free (reply->task);
  g_free (reply->reply_to);
  g_free (reply->text);
  g_free (reply);
}

static void
durable (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Reply *reply = user_data;
  ForeTask *task = fore_run_state_find_task (fore_inbox_get_state (reply->self), reply->task);

  if (fore_run_state_settle_finish (FORE_RUN_STATE (source), result, NULL) && task != NULL)
    fore_inbox_answer_call (reply->self, task, reply->reply_to, reply->text);
  reply_free (reply);
}

/* Nobody is told that something was done before that is on the disk. */
void
fore_inbox_answer_when_durable (ForeInbox *self,
                                const ForeTask *task,
                                const char *call,
                                const char *text)
{
  Reply *reply = g_new0 (Reply, 1);

  reply->self = g_object_ref (self);
  reply->task = g_strdup (task->key);
  reply->reply_to = g_strconcat (CALL_PREFIX, call, NULL);
  reply->text = g_strdup (text);
  fore_run_state_settle_async (fore_inbox_get_state (self), durable, reply);
}

static void
refuse (ForeInbox *self, ForeTask *task, const ForeCall *call, const char *text)
{
  g_autofree char *reply_to = g_strconcat (CALL_PREFIX, call->id, NULL);

  fore_scheduler_refuse (self->scheduler, task, reply_to, text);
}

/* Delivery */

/* An earlier runner may have told the session and died before it could write that down. */
static gboolean
was_said (ForeInbox *self, const ForeTask *task, const char *id)
{
  g_autoptr (GPtrArray) list = fore_run_state_list_said (fore_inbox_get_state (self), task->key,
                                                         task->attempts);

  for (guint i = 0; i < list->len; i++)
    {
      if (g_strcmp0 (((const ForeSaid *) g_ptr_array_index (list, i))->id, id) == 0)
        return TRUE;
    }

  return FALSE;
}

static gboolean
say (ForeInbox *self, ForeTask *task, const ForeMessage *message)
{
  ForeAttemptJob *job = fore_scheduler_find_job (self->scheduler, task->key);
  g_autofree char *id = g_strdup_printf ("mail:%" G_GINT64_FORMAT, message->id);
  g_autofree char *text = fore_run_state_dup_mail_text (message);

  return job != NULL
         && (was_said (self, task, id) || fore_attempt_job_say (job, "steer", id, text));
}

static char *
take_new (ForeInbox *self, const ForeTask *task, const char *call)
{
  ForeRunState *state = fore_inbox_get_state (self);
  GPtrArray *mail = fore_run_state_get_mail (state);
  g_autoptr (GString) all = g_string_new (NULL);

  for (guint i = 0; i < mail->len; i++)
    {
      ForeMessage *message = g_ptr_array_index (mail, i);
      g_autofree char *text = NULL;

      if (g_strcmp0 (message->to, task->key) != 0
          || (message->state != FORE_MESSAGE_QUEUED
              && !fore_run_state_was_given (state, call, message->id)))
        continue;

      text = fore_run_state_dup_mail_text (message);
      g_string_append_printf (all, "%s%s", all->len > 0 ? "\n\n" : "", text);
      fore_run_state_move_mail (state, message, FORE_MESSAGE_SEEN, call);
    }

  return all->len > 0 ? g_string_free (g_steal_pointer (&all), FALSE) : NULL;
}

static char *
dup_waiter (const ForeTask *task)
{
  return g_strdup_printf ("%s.%u", task->key, task->attempts);
}

/* Whether somebody waits for mail to @task, and has it now. */
static gboolean
wake (ForeInbox *self, ForeTask *task)
{
  g_autofree char *waiter = dup_waiter (task);
  const char *call = g_hash_table_lookup (self->mail_waits, waiter);
  ForeAttemptJob *job = fore_scheduler_find_job (self->scheduler, task->key);
  g_autofree char *text = NULL;

  if (call == NULL || job == NULL)
    return FALSE;

  text = take_new (self, task, call);
  if (text == NULL)
    return FALSE;

  fore_inbox_answer_when_durable (self, task, call, text);
  g_hash_table_remove (self->mail_waits, waiter);

  return TRUE;
}

static gboolean
retry (gpointer user_data)
{
  ForeInbox *self = user_data;

  self->mail_retry = 0;
  fore_inbox_deliver_mail (self);

  return G_SOURCE_REMOVE;
}

static void
retry_later (ForeInbox *self, const ForeTask *task)
{
  const ForeAttempt *attempt = fore_run_state_find_attempt (fore_inbox_get_state (self), task->key,
                                                            task->attempts);

  if (self->mail_retry != 0 || attempt == NULL || !attempt->live || attempt->finished != 0
      || fore_scheduler_find_job (self->scheduler, task->key) == NULL)
    return;

  self->mail_retry = g_timeout_add (RETRY_MS, retry, self);
  g_source_set_name_by_id (self->mail_retry, "mail to a session that cannot be told yet");
}

/* Gives what waits to whoever can be told now. */
void
fore_inbox_deliver_mail (ForeInbox *self)
{
  ForeRunState *state = fore_inbox_get_state (self);
  GPtrArray *mail = fore_run_state_get_mail (state);

  for (guint i = 0; i < mail->len; i++)
    {
      ForeMessage *message = g_ptr_array_index (mail, i);
      ForeTask *task = message->state == FORE_MESSAGE_QUEUED
                           ? fore_run_state_find_task (state, message->to)
                           : NULL;

      if (task == NULL || wake (self, task))
        continue;
      if (say (self, task, message))
        fore_run_state_move_mail (state, message, FORE_MESSAGE_DELIVERED, NULL);
      else
        retry_later (self, task);
    }
}

/* What a person, or a program of theirs, wrote to a task; or that they have seen what it wrote. */
void
fore_inbox_take_mail (ForeInbox *self, const ForeMessage *message)
{
  ForeRunState *state = fore_inbox_get_state (self);

  if (fore_run_state_find_mail (state, message->id) == NULL)
    fore_run_state_add_mail (state, fore_message_copy (message), NULL);
  fore_inbox_deliver_mail (self);
}

void
fore_inbox_take_seen (ForeInbox *self, ForeMessage *message)
{
  ForeRunState *state = fore_inbox_get_state (self);
  ForeMessage *seen = fore_run_state_find_mail (
      state, message->text != NULL ? g_ascii_strtoll (message->text, NULL, 10) : 0);

  if (seen != NULL && strcmp (seen->to, PERSON) == 0)
    fore_run_state_move_mail (state, seen, FORE_MESSAGE_SEEN, NULL);
  message->state = FORE_MESSAGE_DELIVERED;
  fore_run_writer_put_message (fore_run_state_get_writer (state), message);
}

/* Calls */

static guint
count_sent (ForeInbox *self, const ForeTask *task)
{
  GPtrArray *mail = fore_run_state_get_mail (fore_inbox_get_state (self));
  guint n = 0;

  for (guint i = 0; i < mail->len; i++)
    n += g_strcmp0 (((const ForeMessage *) g_ptr_array_index (mail, i))->from, task->key) == 0;

  return n;
}

static gboolean
is_reachable (const ForeTask *task, const ForeTask *sender)
{
  return task != NULL && task != sender
         && fore_task_status_get_class (task->status) != FORE_CLASS_FINISHED
         && fore_task_has_agent (task);
}

static gboolean
add_reachable (GPtrArray *list, ForeTask *task, const ForeTask *sender, const char *to)
{
  if (!is_reachable (task, sender)
      && !(task != NULL && task != sender && strcmp (to, EVERYBODY) != 0
           && fore_task_status_get_class (task->status) != FORE_CLASS_FINISHED))
    return FALSE;

  g_ptr_array_add (list, task->key);
  return TRUE;
}

/* Keys of those whom @to names. */
static GPtrArray *
find_receivers (ForeInbox *self, const ForeTask *sender, const char *to)
{
  ForeRunState *state = fore_inbox_get_state (self);
  GPtrArray *tasks = fore_run_state_get_tasks (state);
  GPtrArray *list = g_ptr_array_new ();

  if (strcmp (to, PERSON) == 0)
    g_ptr_array_add (list, (gpointer) PERSON);
  else if (strcmp (to, EVERYBODY) != 0)
    add_reachable (list, fore_run_state_find_task (state, to), sender, to);
  else
    for (guint i = 0; i < tasks->len; i++)
      add_reachable (list, g_ptr_array_index (tasks, i), sender, to);

  return list;
}

static char *
dup_nobody (ForeInbox *self, const ForeTask *sender, const char *to)
{
  g_autoptr (GPtrArray) others = find_receivers (self, sender, EVERYBODY);
  g_autofree char *names = NULL;

  g_ptr_array_insert (others, 0, (gpointer) PERSON);
  g_ptr_array_add (others, NULL);
  names = g_strjoinv (", ", (char **) others->pdata);

  return g_strdup_printf (_ ("Nobody called “%s” would read it; you can write to: %s."), to, names);
}

void
fore_inbox_mail_sent (ForeInbox *self, ForeTask *sender, const ForeCall *call)
{
  ForeRunState *state = fore_inbox_get_state (self);
  const char *to = call->options != NULL && call->options[0] != NULL ? call->options[0] : "";
  g_autoptr (GPtrArray) receivers = find_receivers (self, sender, to);
  g_autofree char *clean = fore_redactor_apply (self->services->context->redactor, call->text);

  if (fore_run_state_has_sent (state, call->id))
    {
      fore_inbox_answer_when_durable (self, sender, call->id, _ ("It was sent."));
      return;
    }
  if (receivers->len == 0)
    {
      g_autofree char *text = dup_nobody (self, sender, to);

      refuse (self, sender, call, text);
      return;
    }
  if (count_sent (self, sender) + receivers->len > MAX_SENT || strlen (clean) > MAX_TEXT)
    {
      refuse (self, sender, call,
              _ ("A task may send 100 messages of 32 KiB; hand the rest on in your result."));
      return;
    }

  for (guint i = 0; i < receivers->len; i++)
    fore_run_state_add_mail (
        state, fore_message_new (sender->key, g_ptr_array_index (receivers, i), "mail", clean),
        call->id);
  fore_inbox_answer_when_durable (self, sender, call->id, _ ("It was sent."));
  fore_inbox_deliver_mail (self);
}

void
fore_inbox_mail_wanted (ForeInbox *self, ForeTask *task, const ForeCall *call)
{
  g_autofree char *text = take_new (self, task, call->id);

  if (text != NULL)
    {
      fore_inbox_answer_when_durable (self, task, call->id, text);
      return;
    }
  if (strcmp (call->text, "wait") != 0)
    {
      fore_inbox_answer_when_durable (self, task, call->id, _ ("There is no mail."));
      return;
    }

  g_hash_table_replace (self->mail_waits, dup_waiter (task), g_strdup (call->id));
  fore_scheduler_wait_for_answer (self->scheduler, task);
  if (task->status == FORE_TASK_WAITING)
    fore_run_state_set_phase (fore_inbox_get_state (self), task, FORE_PHASE_REQUEST,
                              _ ("waits for mail"));
}

/* Whoever waited does not any more. */
void
fore_inbox_mail_withdrawn (ForeInbox *self, const ForeTask *task, const char *reply_to)
{
  g_autofree char *waiter = dup_waiter (task);
  const char *call = g_hash_table_lookup (self->mail_waits, waiter);

  if (call != NULL && g_str_has_prefix (reply_to, CALL_PREFIX)
      && strcmp (call, reply_to + strlen (CALL_PREFIX)) == 0)
    g_hash_table_remove (self->mail_waits, waiter);
}
