/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-inbox-private.h"

#include "engine/fore-event-data.h"
#include "model/fore-error.h"
#include "platform/fore-compat-glib.h"

#include <glib/gi18n-lib.h>

/* Commands */

static gboolean
resume_status (ForeInbox *self)
{
  ForeRun *run = fore_inbox_get_run (self);

  if (run->status != FORE_RUN_PAUSED)
    return FALSE;

  fore_run_state_move_run (fore_inbox_get_state (self), FORE_RUN_RUNNING, NULL);
  fore_scheduler_pump (self->scheduler);

  return TRUE;
}

static char *
do_pause (ForeInbox *self, GError **error)
{
  if (!fore_run_status_can_move (fore_inbox_get_run (self)->status, FORE_RUN_PAUSED))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED, _ ("The run is %s; it cannot be paused."),
                   fore_run_status_to_string (fore_inbox_get_run (self)->status));
      return NULL;
    }

  fore_run_state_move_run (fore_inbox_get_state (self), FORE_RUN_PAUSED, _ ("Paused by you"));

  return g_strdup (_ ("Paused; what runs goes on to its end, nothing new starts"));
}

static char *
do_continue (ForeInbox *self, GError **error)
{
  if (resume_status (self))
    return g_strdup (_ ("Goes on"));

  g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED, _ ("The run is %s, not paused."),
               fore_run_status_to_string (fore_inbox_get_run (self)->status));

  return NULL;
}

static GStrv
list_open_tasks (ForeInbox *self)
{
  GPtrArray *tasks = fore_run_state_get_tasks (fore_inbox_get_state (self));
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; i < tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (tasks, i);

      if (fore_task_status_get_class (task->status) != FORE_CLASS_FINISHED)
        g_strv_builder_add (builder, task->key);
    }

  return g_strv_builder_end (builder);
}

static void
refuse_resume (const ForeRun *run, GError **error)
{
  guint n_retryable = run->counts[FORE_TASK_FAILED] + run->counts[FORE_TASK_NEEDS_ATTENTION];

  if (run->status == FORE_RUN_FAILED && n_retryable > 0)
    g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED,
                 _ ("The run has failed; “foredeckctl retry %s” tries its failed tasks again."),
                 run->id);
  else
    g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED,
                 _ ("The run is %s and stays as it is; start a new one to do more."),
                 fore_run_status_to_string (run->status));
}

static char *
do_resume (ForeInbox *self, const ForeCommand *command, GError **error)
{
  const ForeRun *run = fore_inbox_get_run (self);
  g_auto (GStrv) tasks = NULL;

  if (!fore_run_is_active (run))
    {
      refuse_resume (run, error);
      return NULL;
    }

  tasks = list_open_tasks (self);
  fore_run_state_emit (fore_inbox_get_state (self), FORE_EVENT_RUN_RESUMED, NULL, 0,
                       fore_event_data_new ("v:tasks", tasks, "s:by", command->by, NULL));
  resume_status (self);

  return g_strdup (_ ("Resumed"));
}

static char *
describe_cancel (const char *by)
{
  if (g_strcmp0 (by, "window") == 0)
    return g_strdup (_ ("Cancelled from the window"));
  if (by != NULL)
    return g_strdup_printf (_ ("Cancelled with %s"), by);

  return g_strdup (_ ("Cancelled from outside"));
}

static char *
do_cancel (ForeInbox *self, const ForeCommand *command, GError **error)
{
  g_autofree char *reason = NULL;

  if (!fore_run_is_active (fore_inbox_get_run (self)))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED, _ ("The run is %s already."),
                   fore_run_status_to_string (fore_inbox_get_run (self)->status));
      return NULL;
    }

  reason = describe_cancel (command->by);
  fore_inbox_cancel_run (self, reason);

  return g_strdup (_ ("Cancelled"));
}

static ForeTask *
find_named_task (ForeInbox *self, const char *key, GError **error)
{
  ForeTask *task = fore_run_state_find_task (fore_inbox_get_state (self), key);

  if (task == NULL)
    g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND, _ ("The run has no task “%s”."),
                 key != NULL ? key : "");

  return task;
}

static ForeTask *
get_task_arg (ForeInbox *self, const ForeCommand *command, GError **error)
{
  return find_named_task (self, command->args != NULL ? command->args[0] : NULL, error);
}

static char *
do_cancel_task (ForeInbox *self, const ForeCommand *command, GError **error)
{
  ForeTask *task = get_task_arg (self, command, error);

  if (task == NULL)
    return NULL;

  if (!fore_task_status_can_move (task->status, FORE_TASK_CANCELLED))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED, _ ("The task is %s already."),
                   fore_task_status_to_string (task->status));
      return NULL;
    }

  fore_run_state_withdraw_requests_of (fore_inbox_get_state (self), task->key,
                                       _ ("The task was cancelled."));
  fore_scheduler_cancel_task (self->scheduler, task, _ ("Cancelled by you"));

  return g_strdup (_ ("Cancelled the task"));
}

static gboolean
is_retryable (const ForeTask *task)
{
  return task->status == FORE_TASK_FAILED || task->status == FORE_TASK_NEEDS_ATTENTION;
}

static GPtrArray *
list_to_retry (ForeInbox *self, const ForeCommand *command, GError **error)
{
  GPtrArray *tasks = fore_run_state_get_tasks (fore_inbox_get_state (self));
  g_autoptr (GPtrArray) chosen = g_ptr_array_new ();
  gboolean named = command->args != NULL && command->args[0] != NULL;

  for (guint i = 0; command->args != NULL && command->args[i] != NULL; i++)
    {
      ForeTask *task = find_named_task (self, command->args[i], error);

      if (task == NULL)
        return NULL;
      if (!is_retryable (task))
        {
          g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED,
                       _ ("“%s” is %s; only failed tasks can be tried again."), task->key,
                       fore_task_status_to_string (task->status));
          return NULL;
        }
      g_ptr_array_add (chosen, task);
    }

  for (guint i = 0; !named && i < tasks->len; i++)
    {
      if (is_retryable (g_ptr_array_index (tasks, i)))
        g_ptr_array_add (chosen, g_ptr_array_index (tasks, i));
    }

  if (chosen->len == 0)
    {
      g_set_error_literal (error, FORE_ERROR, FORE_ERROR_REFUSED,
                           _ ("No task failed; there is nothing to try again."));
      return NULL;
    }

  return g_steal_pointer (&chosen);
}

/* All tasks are done, and only what they made could not be put together, or fails its checks. */
static gboolean
lacks_only_its_result (ForeInbox *self, const ForeCommand *command)
{
  const ForeRun *run = fore_inbox_get_run (self);

  return run->status == FORE_RUN_FAILED
         && (run->result_commit == NULL || run->verified != FORE_VERIFIED_YES)
         && run->counts[FORE_TASK_SKIPPED] == 0 && run->counts[FORE_TASK_FAILED] == 0
         && run->counts[FORE_TASK_NEEDS_ATTENTION] == 0
         && (command->args == NULL || command->args[0] == NULL)
         && fore_finisher_has_work (self->finisher);
}

static char *
do_retry (ForeInbox *self, const ForeCommand *command, GError **error)
{
  ForeRun *run = fore_inbox_get_run (self);
  g_autoptr (GPtrArray) chosen = NULL;

  if (run->status == FORE_RUN_CANCELLED || run->merged_commit != NULL)
    {
      g_set_error_literal (error, FORE_ERROR, FORE_ERROR_REFUSED,
                           _ ("A cancelled or merged run stays as it is; start a new one."));
      return NULL;
    }

  if (lacks_only_its_result (self, command))
    {
      fore_run_state_move_run (fore_inbox_get_state (self), FORE_RUN_RUNNING, NULL);
      return g_strdup (_ ("The work of all tasks is put together again"));
    }

  chosen = list_to_retry (self, command, error);
  if (chosen == NULL)
    return NULL;

  if (!fore_run_is_active (run))
    fore_run_state_move_run (fore_inbox_get_state (self), FORE_RUN_RUNNING, NULL);
  for (guint i = 0; i < chosen->len; i++)
    {
      ForeTask *task = g_ptr_array_index (chosen, i);

      fore_run_state_withdraw_requests_of (fore_inbox_get_state (self), task->key,
                                           _ ("The task is tried again."));
      fore_scheduler_retry (self->scheduler, task);
    }

  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u task is tried again",
                                       "%u tasks are tried again", chosen->len),
                          chosen->len);
}

static char *
do_accept (ForeInbox *self, const ForeCommand *command, GError **error)
{
  ForeTask *task = get_task_arg (self, command, error);

  if (task == NULL)
    return NULL;

  if (task->status != FORE_TASK_NEEDS_ATTENTION)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED,
                   _ ("“%s” is %s; only a result that needs attention can be accepted."), task->key,
                   fore_task_status_to_string (task->status));
      return NULL;
    }

  fore_run_state_withdraw_requests_of (fore_inbox_get_state (self), task->key,
                                       _ ("The result was accepted."));
  fore_inbox_accept_task (self, task, command->by);

  return g_strdup (_ ("Accepted"));
}

static void
add_feedback (ForeTask *task, const char *text)
{
  g_autofree char *all = NULL;

  if (task->feedback != NULL && *task->feedback != '\0')
    all = g_strconcat (task->feedback, "\n\n", text, NULL);
  fore_set_str (&task->feedback, all != NULL ? all : text);
}

/* What a person said to an agent is kept with how far it came. */
static void
keep_message (ForeInbox *self, const ForeTask *task, const char *text, ForeMessageState state)
{
  ForeRunWriter *writer = fore_run_state_get_writer (fore_inbox_get_state (self));
  g_autoptr (ForeMessage) message = fore_message_new ("person", task->key, "steer", text);

  message->id = fore_run_writer_next_message_id (writer);
  message->state = state;
  fore_run_writer_put_message (writer, message);
  fore_run_state_note_told (fore_inbox_get_state (self), message);
  fore_run_state_emit (fore_inbox_get_state (self),
                       state == FORE_MESSAGE_QUEUED ? FORE_EVENT_MESSAGE_QUEUED
                                                    : FORE_EVENT_MESSAGE_DELIVERED,
                       task->key, 0,
                       fore_event_data_new ("i:id", message->id, "s:from", message->from, "s:to",
                                            message->to, "s:kind", message->kind, NULL));
}

static char *
do_steer (ForeInbox *self, const ForeCommand *command, GError **error)
{
  ForeTask *task = get_task_arg (self, command, error);
  ForeAttemptJob *job;
  const char *text;

  if (task == NULL)
    return NULL;

  text = g_strv_length (command->args) > 1 ? command->args[1] : "";
  job = fore_scheduler_find_job (self->scheduler, task->key);
  if (job != NULL && fore_attempt_job_say (job, "steer", NULL, text))
    {
      keep_message (self, task, text, FORE_MESSAGE_DELIVERED);
      return g_strdup (_ ("Told the running session"));
    }

  if (fore_task_status_get_class (task->status) == FORE_CLASS_FINISHED)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED,
                   _ ("“%s” has finished; nobody would read it."), task->key);
      return NULL;
    }

  keep_message (self, task, text, FORE_MESSAGE_QUEUED);
  add_feedback (task, text);
  fore_run_state_touch_task (fore_inbox_get_state (self), task);

  return g_strdup (_ ("Kept for the next attempt; this agent takes no messages while it works"));
}

static char *
do_interrupt (ForeInbox *self, const ForeCommand *command, GError **error)
{
  ForeTask *task = get_task_arg (self, command, error);
  ForeAttemptJob *job = task != NULL ? fore_scheduler_find_job (self->scheduler, task->key) : NULL;

  if (task == NULL)
    return NULL;

  if (job == NULL)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED, _ ("No agent works on “%s” now."),
                   task->key);
      return NULL;
    }

  fore_attempt_job_stop (job, FORE_CAUSE_CANCELLED, _ ("Interrupted by you"));

  return g_strdup (_ ("Interrupted"));
}

/* How the loop ended says more than that its run is over. */
static void
refuse_goal (ForeInbox *self, GError **error)
{
  const ForeRun *run = fore_inbox_get_run (self);
  g_autoptr (ForeGoal) goal = fore_goal_loop_read (self->goals);

  if (goal == NULL || run->counts[FORE_TASK_FAILED] + run->counts[FORE_TASK_NEEDS_ATTENTION] > 0)
    refuse_resume (run, error);
  else
    g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED,
                 _ ("The goal loop has ended (%s) and stays as it is; “foredeckctl goal start” "
                    "begins a new one."),
                 fore_goal_state_to_string (goal->state));
}

/* The first word says how far, the second one is a hint for the agents. */
static char *
do_goal (ForeInbox *self, const ForeCommand *command, GError **error)
{
  guint n_args = command->args != NULL ? g_strv_length (command->args) : 0;
  gboolean one_turn = n_args > 0 && g_str_equal (command->args[0], "step");
  const char *hint = n_args > 1 ? command->args[1] : NULL;

  if (!fore_run_is_active (fore_inbox_get_run (self)))
    {
      refuse_goal (self, error);
      return NULL;
    }
  if (!fore_goal_loop_go_on (self->goals, hint, one_turn, error))
    return NULL;

  if (fore_inbox_get_run (self)->status == FORE_RUN_BLOCKED)
    fore_run_state_move_run (fore_inbox_get_state (self), FORE_RUN_RUNNING, NULL);
  resume_status (self);
  fore_scheduler_pump (self->scheduler);

  return g_strdup (one_turn ? _ ("Goes on for one turn") : _ ("Goes on"));
}

static char *
carry_out (ForeInbox *self, const ForeCommand *command, GError **error)
{
  switch (command->kind)
    {
    case FORE_COMMAND_PAUSE:
      return do_pause (self, error);

    case FORE_COMMAND_CONTINUE:
      return do_continue (self, error);

    case FORE_COMMAND_RESUME:
      return do_resume (self, command, error);

    case FORE_COMMAND_CANCEL:
      return do_cancel (self, command, error);

    case FORE_COMMAND_CANCEL_TASK:
      return do_cancel_task (self, command, error);

    case FORE_COMMAND_RETRY:
      return do_retry (self, command, error);

    case FORE_COMMAND_ACCEPT:
      return do_accept (self, command, error);

    case FORE_COMMAND_GOAL:
      return do_goal (self, command, error);

    case FORE_COMMAND_STEER:
      return do_steer (self, command, error);

    case FORE_COMMAND_INTERRUPT:
      return do_interrupt (self, command, error);

    case FORE_COMMAND_FOLLOW_UP:
      return fore_inbox_follow_up (self, command, error);

    default:
      g_set_error_literal (error, FORE_ERROR, FORE_ERROR_USAGE,
                           _ ("This version does not know that command."));
      return NULL;
    }
}

void
fore_inbox_take_command (ForeInbox *self, ForeCommand *command)
{
  g_autofree char *outcome = NULL;
  g_autoptr (GError) error = NULL;

  if (command->kind == FORE_COMMAND_MERGE)
    fore_finisher_merge (self->finisher, fore_command_copy (command));
  else if (command->kind == FORE_COMMAND_DISCARD)
    fore_finisher_discard (self->finisher, fore_command_copy (command));
  else
    {
      outcome = carry_out (self, command, &error);
      fore_run_state_finish_command (fore_inbox_get_state (self), command, outcome, error);
    }
}
