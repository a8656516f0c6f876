/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-inbox-private.h"

#include "agents/fore-entry.h"
#include "engine/fore-budget.h"
#include "engine/fore-event-data.h"
#include "engine/fore-goal.h"
#include "engine/fore-tool-policy.h"
#include "platform/fore-clock.h"
#include "platform/fore-compat-glib.h"

#include <glib/gi18n-lib.h>
#include <string.h>

G_DEFINE_FINAL_TYPE (ForeInbox, fore_inbox, G_TYPE_OBJECT)

static void
fore_inbox_dispose (GObject *object)
{
  ForeInbox *self = FORE_INBOX (object);

  g_clear_handle_id (&self->expiry_source, g_source_remove);
  if (self->scheduler != NULL)
    g_signal_handlers_disconnect_by_data (self->scheduler, self);
  g_clear_object (&self->scheduler);
  g_clear_object (&self->planner);
  g_clear_object (&self->goals);
  g_clear_object (&self->finisher);
  g_clear_handle_id (&self->mail_retry, g_source_remove);
  g_clear_pointer (&self->mail_waits, g_hash_table_unref);
  g_clear_pointer (&self->joins, g_ptr_array_unref);
  g_clear_pointer (&self->helped, g_hash_table_unref);

  G_OBJECT_CLASS (fore_inbox_parent_class)->dispose (object);
}

static void
fore_inbox_class_init (ForeInboxClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fore_inbox_dispose;
}

static void
fore_inbox_init (ForeInbox *self)
{
  self->mail_waits = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->joins = fore_inbox_new_joins ();
  self->helped = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

ForeRunState *
fore_inbox_get_state (ForeInbox *self)
{
  return self->services->state;
}

ForeRun *
fore_inbox_get_run (ForeInbox *self)
{
  return fore_run_state_get_run (fore_inbox_get_state (self));
}

/* Requests of tasks */

/* The task has a tree with marks in it already, and nobody has worked there but the person. */
static gboolean
is_in_hand (const ForeTask *task)
{
  return task->worktree != NULL && task->attempts == 0;
}

static ForeRequest *
make_hand_request (ForeInbox *self, const ForeTask *task)
{
  g_autofree char *title = g_strdup_printf (_ ("Resolve the conflict before “%s”"), task->title);
  g_autofree char *body = NULL;
  gboolean again = fore_conflict_way_find (fore_inbox_get_state (self), task)
                   == FORE_CONFLICT_RESOLVED;
  ForeRequest *request;

  body = g_strdup_printf (again ? _ ("Conflict marks are still left, in the folder %s, in:\n\n- %s")
                                : _ ("In the folder %s, edit these files until no conflict mark is "
                                     "left in them, then say that it is done:\n\n- %s"),
                          task->worktree, task->message);
  request = fore_run_state_new_request (fore_inbox_get_state (self), FORE_REQUEST_CONFLICT,
                                        task->key, title, body);
  fore_request_add_option (request, "resolved", _ ("It Is Resolved"), "resolved");
  fore_request_add_option (request, "agent", _ ("Let the Agent Resolve the Rest"), "agent");

  return request;
}

static ForeRequest *
make_conflict_request (ForeInbox *self, const ForeTask *task)
{
  g_autofree char *title = g_strdup_printf (_ ("Conflict before “%s”"), task->title);
  g_autofree char *body = NULL;
  ForeRequest *request;

  body = g_strdup_printf (_ ("Tasks that it builds on changed the same lines of:\n\n- %s"),
                          task->message);
  request = fore_run_state_new_request (fore_inbox_get_state (self), FORE_REQUEST_CONFLICT,
                                        task->key, title, body);
  fore_request_add_option (request, "agent", _ ("Let the Agent Resolve It"), "agent");
  fore_request_add_option (request, "hand", _ ("Resolve It by Hand"), "hand");
  fore_request_add_option (request, "ours", _ ("Keep the First Side"), "ours");
  fore_request_add_option (request, "theirs", _ ("Keep the Second Side"), "theirs");

  return request;
}

static void
open_conflict_request (ForeInbox *self, ForeTask *task)
{
  g_auto (GStrv) paths = g_strsplit (task->message != NULL ? task->message : "", "\n- ", -1);
  gboolean in_hand = is_in_hand (task);
  ForeRequest *request = in_hand ? make_hand_request (self, task)
                                 : make_conflict_request (self, task);

  fore_request_add_option (request, "skip", _ ("Skip the Task"), "skip");
  if (!in_hand)
    fore_run_state_emit (fore_inbox_get_state (self), FORE_EVENT_TREE_CONFLICT, task->key, 0,
                         fore_event_data_new ("v:paths", paths, NULL));
  fore_run_state_open_request (fore_inbox_get_state (self), request);
  fore_run_state_set_phase (fore_inbox_get_state (self), task, FORE_PHASE_REQUEST,
                            in_hand ? _ ("waits until you have resolved a conflict")
                                    : _ ("waits for you: a conflict in what it builds on"));
}

static void
open_failure_request (ForeInbox *self, ForeTask *task)
{
  gboolean may_accept = task->status == FORE_TASK_NEEDS_ATTENTION;
  g_autofree char *title = NULL;
  ForeRequest *request;

  title = g_strdup_printf (may_accept ? _ ("“%s” needs a look") : _ ("“%s” failed"), task->title);
  request = fore_run_state_new_request (fore_inbox_get_state (self), FORE_REQUEST_FAILURE,
                                        task->key, title, task->message);
  fore_request_add_option (request, "retry", _ ("Try Again"), "retry");
  if (may_accept)
    fore_request_add_option (request, "accept", _ ("Accept the Result"), "accept");
  /* Nothing follows a turn that nobody judged. */
  if (!fore_goal_is_judge (task))
    fore_request_add_option (request, "skip", _ ("Go on Without It"), "skip");
  fore_request_add_option (request, "reject", _ ("Cancel the Run"), "reject");
  fore_run_state_open_request (fore_inbox_get_state (self), request);
}

static void
task_stuck (ForeScheduler *scheduler, gpointer data, gpointer user_data)
{
  ForeInbox *self = user_data;
  ForeTask *task = data;

  g_assert (FORE_IS_INBOX (self));

  if (task->cause == FORE_CAUSE_CONFLICT)
    open_conflict_request (self, task);
  else
    open_failure_request (self, task);
}

static char *
dup_clean (ForeInbox *self, const char *text)
{
  return text != NULL ? fore_redactor_apply (self->services->context->redactor, text) : NULL;
}

/* An earlier runner asked the person already, and may have got an answer that it had no time to
 * give to the session.
 */
static void
ask_again (ForeInbox *self, ForeTask *task, const ForeRequest *request)
{
  if (request->state == FORE_REQUEST_OPEN)
    {
      fore_scheduler_wait_for_answer (self->scheduler, task);
      fore_inbox_watch_expiry (self);
    }
  else if (request->state == FORE_REQUEST_ANSWERED)
    fore_scheduler_answer (self->scheduler, task, request->reply_to, request->answer);
}

static void
permission_withdrawn (ForeScheduler *scheduler, gpointer data, gpointer id, gpointer user_data)
{
  ForeInbox *self = user_data;
  ForeTask *task = data;
  ForeRequest *request;

  g_assert (FORE_IS_INBOX (self));

  request = fore_run_state_find_permission (fore_inbox_get_state (self), task->key, task->attempts,
                                            id);
  if (request != NULL)
    fore_run_state_withdraw_request (fore_inbox_get_state (self), request,
                                     _ ("The agent does not ask any more."));
  fore_inbox_helper_withdrawn (self, id);
  fore_inbox_mail_withdrawn (self, task, id);
  fore_scheduler_stop_waiting (self->scheduler, task);
}

/* Settings answer for the person; the request is there all the same, with what was answered. */
static gboolean
answer_by_settings (ForeInbox *self, ForeTask *task, const ForeEntry *entry, ForeRequest *request)
{
  const char *by = NULL;
  const char *verdict = fore_tool_policy_find_answer (self->services->context, task, entry, &by);
  const ForeRequestOption *option = NULL;
  g_autoptr (ForeAnswer) answer = NULL;

  if (strcmp (verdict, FORE_TOOLS_ALLOW) == 0)
    option = fore_request_find_option_by_kind (request, "allow_once");
  else if (strcmp (verdict, FORE_TOOLS_DENY) == 0)
    option = fore_request_find_option_by_kind (request, "reject_once");
  if (option == NULL)
    return FALSE;

  answer = g_new0 (ForeAnswer, 1);
  answer->request = g_strdup (request->id);
  answer->option = g_strdup (option->id);
  answer->by = g_strdup (by);
  answer->time = fore_clock_now_us ();
  fore_run_state_answer_request (fore_inbox_get_state (self), request, answer);
  fore_scheduler_answer (self->scheduler, task, request->reply_to, request->answer);

  return TRUE;
}

static void
permission_asked (ForeScheduler *scheduler, gpointer data, gpointer asked, gpointer user_data)
{
  ForeInbox *self = user_data;
  ForeTask *task = data;
  const ForeEntry *entry = asked;
  g_autofree char *title = NULL;
  g_autofree char *body = NULL;
  ForeRequest *request;

  g_assert (FORE_IS_INBOX (self));

  if (entry->kind == FORE_ENTRY_NOTICE)
    {
      fore_inbox_take_contact (self, task, entry);
      return;
    }

  request = fore_run_state_find_permission (fore_inbox_get_state (self), task->key, task->attempts,
                                            entry->id);
  if (request != NULL)
    {
      ask_again (self, task, request);
      return;
    }

  title = dup_clean (self, entry->title != NULL ? entry->title : entry->name);
  body = dup_clean (self, entry->input != NULL ? entry->input : entry->text);
  request = fore_run_state_new_request (fore_inbox_get_state (self), FORE_REQUEST_PERMISSION,
                                        task->key, title, body);
  request->attempt = task->attempts;
  request->reply_to = g_strdup (entry->id);
  for (guint i = 0; entry->options != NULL && i < entry->options->len; i++)
    {
      const ForeRequestOption *option = g_ptr_array_index (entry->options, i);

      fore_request_add_option (request, option->id, option->name, option->kind);
    }
  fore_run_state_open_request (fore_inbox_get_state (self), request);
  if (answer_by_settings (self, task, entry, request))
    return;

  fore_scheduler_wait_for_answer (self->scheduler, task);
  fore_inbox_watch_expiry (self);
}

/* Answers */

void
fore_inbox_cancel_run (ForeInbox *self, const char *reason)
{
  fore_run_state_cancel (fore_inbox_get_state (self), reason);
  fore_finisher_stop (self->finisher);
  fore_scheduler_stop_all (self->scheduler, FORE_CAUSE_CANCELLED, reason);
  fore_scheduler_pump (self->scheduler);
}

static void
add_resolver (ForeInbox *self)
{
  g_autoptr (GError) error = NULL;

  if (!fore_inbox_add_resolver (self, &error))
    g_warning ("Nobody can resolve the conflict: %s", error->message);
}

static void
answer_conflict (ForeInbox *self, const ForeRequest *request, const char *kind)
{
  ForeTask *task = fore_run_state_find_task (fore_inbox_get_state (self), request->task);

  if (strcmp (kind, "reject") == 0)
    fore_inbox_cancel_run (self, _ ("Cancelled because of a conflict."));
  else if (task == NULL && (strcmp (kind, "agent") == 0 || strcmp (kind, "hand") == 0))
    add_resolver (self);
  else if (task == NULL)
    fore_finisher_set_favor (self->finisher,
                             fore_conflict_way_get_favor (fore_conflict_way_from_kind (kind)));
  else if (strcmp (kind, "skip") == 0)
    {
      fore_run_state_move_task (fore_inbox_get_state (self), task, FORE_TASK_SKIPPED,
                                FORE_CAUSE_CONFLICT,
                                _ ("Skipped because of a conflict in what it builds on."));
      fore_scheduler_skip_dependants (self->scheduler, task);
    }
  else
    {
      if (strcmp (kind, "agent") == 0 && request->answer_text != NULL)
        fore_set_str (&task->feedback, request->answer_text);
      fore_scheduler_requeue (self->scheduler, task);
    }
}

void
fore_inbox_accept_task (ForeInbox *self, ForeTask *task, const char *by)
{
  fore_run_state_emit (fore_inbox_get_state (self), FORE_EVENT_TASK_ACCEPTED, task->key,
                       task->attempts, fore_event_data_new ("s:by", by, NULL));
  fore_scheduler_complete (self->scheduler, task);
}

static void
answer_failure (ForeInbox *self, const ForeRequest *request, const char *kind, const char *by)
{
  ForeTask *task = fore_run_state_find_task (fore_inbox_get_state (self), request->task);

  if (strcmp (kind, "reject") == 0)
    fore_inbox_cancel_run (self, _ ("Cancelled because of a failure."));
  else if (strcmp (kind, "retry") == 0)
    {
      fore_set_str (&task->feedback, request->answer_text);
      fore_scheduler_retry (self->scheduler, task);
    }
  else if (strcmp (kind, "accept") == 0)
    fore_inbox_accept_task (self, task, by);
  else
    fore_scheduler_skip_dependants (self->scheduler, task);
}

static void
answer_permission (ForeInbox *self, const ForeRequest *request, const ForeAnswer *answer)
{
  ForeTask *task = fore_run_state_find_task (fore_inbox_get_state (self), request->task);

  if (task == NULL
      || !fore_scheduler_answer (self->scheduler, task, request->reply_to, answer->option))
    g_message ("The answer to %s came when its session was gone", request->id);
}

void
fore_inbox_take_answer (ForeInbox *self, const ForeAnswer *answer)
{
  ForeRequest *request = fore_run_state_find_request (fore_inbox_get_state (self), answer->request);
  const ForeRequestOption *option;

  if (request == NULL || request->state != FORE_REQUEST_OPEN)
    return;

  fore_run_state_answer_request (fore_inbox_get_state (self), request, answer);
  if (fore_inbox_answer_question (self, request))
    return;

  option = fore_request_find_option (request, answer->option);
  if (option == NULL || fore_planner_answer (self->planner, request, answer)
      || fore_goal_loop_answer (self->goals, request, answer))
    return;

  switch (request->kind)
    {
    case FORE_REQUEST_CONFLICT:
      answer_conflict (self, request, option->kind);
      break;

    case FORE_REQUEST_FAILURE:
      answer_failure (self, request, option->kind, answer->by);
      break;

    case FORE_REQUEST_PERMISSION:
      answer_permission (self, request, answer);
      break;

    case FORE_REQUEST_BUDGET:
      if (strcmp (option->kind, "raise") == 0)
        fore_budget_raise (fore_inbox_get_state (self), self->scheduler);
      else
        fore_inbox_cancel_run (self, _ ("Cancelled because the budget was reached."));
      break;

    default:
      g_message ("Nothing takes up answers of the kind %s",
                 fore_request_kind_to_string (request->kind));
    }
}

static void
take_message (ForeInbox *self, ForeMessage *message)
{
  ForeTask *task = fore_run_state_find_task (fore_inbox_get_state (self), message->to);

  if (fore_run_state_is_mail (message))
    {
      fore_inbox_take_mail (self, message);
      return;
    }
  if (strcmp (message->kind, "seen") == 0)
    {
      fore_inbox_take_seen (self, message);
      return;
    }
  if (task != NULL && fore_task_status_get_class (task->status) != FORE_CLASS_FINISHED)
    {
      ForeAttemptJob *job = fore_scheduler_find_job (self->scheduler, task->key);

      if (job == NULL || !fore_attempt_job_say (job, message->kind, NULL, message->text))
        {
          fore_set_str (&task->feedback, message->text);
          fore_run_state_touch_task (fore_inbox_get_state (self), task);
        }
      message->state = FORE_MESSAGE_DELIVERED;
      fore_run_state_note_told (fore_inbox_get_state (self), message);
    }

  fore_run_writer_put_message (fore_run_state_get_writer (fore_inbox_get_state (self)), message);
}

/**
 * fore_inbox_take:
 * @self: an inbox
 *
 * Takes up everything that was written for the run.
 */
void
fore_inbox_take (ForeInbox *self)
{
  ForeRunWriter *writer;
  g_autoptr (GPtrArray) answers = NULL;
  g_autoptr (GPtrArray) commands = NULL;
  g_autoptr (GPtrArray) messages = NULL;
  g_autoptr (GError) error = NULL;

  g_return_if_fail (FORE_IS_INBOX (self));

  writer = fore_run_state_get_writer (fore_inbox_get_state (self));
  answers = fore_run_writer_take_answers (writer, &error);
  for (guint i = 0; answers != NULL && i < answers->len; i++)
    fore_inbox_take_answer (self, g_ptr_array_index (answers, i));

  commands = fore_run_writer_take_commands (writer, NULL);
  for (guint i = 0; commands != NULL && i < commands->len; i++)
    fore_inbox_take_command (self, g_ptr_array_index (commands, i));

  messages = fore_run_writer_take_messages (writer, NULL);
  for (guint i = 0; messages != NULL && i < messages->len; i++)
    take_message (self, g_ptr_array_index (messages, i));

  if (error != NULL)
    g_warning ("Answers could not be read: %s", error->message);

  fore_scheduler_pump (self->scheduler);
}

/**
 * fore_inbox_new:
 * @services: what all attempts of the run share; outlives the inbox
 * @scheduler: the run's scheduler
 * @planner: the run's planner
 * @goals: the run's goal loop
 * @finisher: the run's finisher
 *
 * Returns: (transfer full): an inbox
 */
ForeInbox *
fore_inbox_new (const ForeAttemptServices *services,
                ForeScheduler *scheduler,
                ForePlanner *planner,
                ForeGoalLoop *goals,
                ForeFinisher *finisher)
{
  ForeInbox *self = g_object_new (FORE_TYPE_INBOX, NULL);

  self->services = services;
  self->scheduler = g_object_ref (scheduler);
  self->planner = g_object_ref (planner);
  self->goals = g_object_ref (goals);
  self->finisher = g_object_ref (finisher);
  g_signal_connect (scheduler, "stuck", G_CALLBACK (task_stuck), self);
  g_signal_connect (scheduler, "permission", G_CALLBACK (permission_asked), self);
  g_signal_connect (scheduler, "asked", G_CALLBACK (fore_inbox_question_asked), self);
  g_signal_connect (scheduler, "helped", G_CALLBACK (fore_inbox_helper_over), self);
  g_signal_connect (scheduler, "withdrawn", G_CALLBACK (permission_withdrawn), self);

  return self;
}
