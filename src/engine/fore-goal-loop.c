/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-goal-loop.h"

#include "engine/fore-event-data.h"
#include "engine/fore-goal-turn.h"
#include "model/fore-error.h"
#include "platform/fore-compat-glib.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_VERDICTS 2
#define REFUSED "Your last answer held no verdict: "

struct _ForeGoalLoop
{
  GObject parent_instance;

  const ForeAttemptServices *services;
  ForeScheduler *scheduler;
};

G_DEFINE_FINAL_TYPE (ForeGoalLoop, fore_goal_loop, G_TYPE_OBJECT)

static void
fore_goal_loop_dispose (GObject *object)
{
  ForeGoalLoop *self = FORE_GOAL_LOOP (object);

  if (self->scheduler != NULL)
    g_signal_handlers_disconnect_by_data (self->scheduler, self);
  g_clear_object (&self->scheduler);

  G_OBJECT_CLASS (fore_goal_loop_parent_class)->dispose (object);
}

static void
fore_goal_loop_class_init (ForeGoalLoopClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fore_goal_loop_dispose;
}

static void
fore_goal_loop_init (ForeGoalLoop *self)
{
}

static ForeRunState *
get_state (ForeGoalLoop *self)
{
  return self->services->state;
}

static ForeRun *
get_run (ForeGoalLoop *self)
{
  return fore_run_state_get_run (get_state (self));
}

/**
 * fore_goal_loop_read:
 * @self: a loop
 *
 * Returns: (transfer full) (nullable): how it stands; %NULL if the run is no goal loop
 */
ForeGoal *
fore_goal_loop_read (ForeGoalLoop *self)
{
  g_return_val_if_fail (FORE_IS_GOAL_LOOP (self), NULL);

  return fore_goal_read (get_run (self), fore_run_state_get_tasks (get_state (self)),
                         fore_run_state_get_requests (get_state (self)),
                         self->services->context->max_turns);
}

/* Ends */

static void
say_end (ForeGoalLoop *self, const ForeGoal *goal, ForeGoalState state)
{
  const ForeGoalTurn *last = fore_goal_get_last (goal);

  fore_run_state_emit (get_state (self), FORE_EVENT_GOAL_ENDED, last->judge->key, 0,
                       fore_event_data_new ("s:state", fore_goal_state_to_string (state), "i:turns",
                                            (gint64) last->n, "s:reason", last->reason, NULL));
}

/* More of the same needs somebody who sees further. */
static void
ask (ForeGoalLoop *self, const ForeGoal *goal)
{
  const ForeGoalTurn *last = fore_goal_get_last (goal);
  ForeRequest *request;
  g_autofree char *title = NULL;

  title = g_strdup (last->verdict->blocked ? _ ("The goal needs you to go on")
                                           : _ ("Three turns ended for the same reason"));
  request = fore_run_state_new_request (get_state (self), FORE_REQUEST_FAILURE, last->judge->key,
                                        title, last->reason);
  fore_request_add_option (request, "again", _ ("Another Turn, with a Hint"), "again");
  fore_request_add_option (request, "stop", _ ("Stop Here"), "stop");
  fore_run_state_open_request (get_state (self), request);
}

/* Next turn */

static gboolean
is_taken (ForeGoalLoop *self, GPtrArray *tasks)
{
  for (guint i = 0; i < tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (tasks, i);

      if (fore_run_state_find_task (get_state (self), task->key) != NULL)
        return TRUE;
    }

  return FALSE;
}

static void
begin_turn (ForeGoalLoop *self, const ForeGoal *goal, const char *hint)
{
  const ForeGoalTurn *last = fore_goal_get_last (goal);
  g_autoptr (GPtrArray) tasks = fore_goal_turn_next (goal, hint);
  g_autoptr (GError) error = NULL;

  if (!is_taken (self, tasks)
      && fore_scheduler_add_tasks (self->scheduler, tasks, last->judge->key, &error))
    return;

  g_ptr_array_set_free_func (tasks, (GDestroyNotify) fore_task_free);
  fore_run_state_set_phase_text (
      get_state (self), error != NULL ? error->message
                                      : _ ("A task of a plan has the name of one of the next "
                                           "turn; no further turn can begin."));
}

static void
go_on_or_end (ForeGoalLoop *self, const ForeGoal *goal, const char *hint)
{
  ForeGoalState state = fore_goal_judge_end (goal);

  if (state == FORE_GOAL_ACHIEVED || state == FORE_GOAL_MAX_TURNS_REACHED)
    say_end (self, goal, state);
  else if (state == FORE_GOAL_STUCK || fore_goal_get_last (goal)->verdict->blocked)
    ask (self, goal);
  else
    begin_turn (self, goal, hint);
}

static void
pause_after (ForeGoalLoop *self)
{
  if (fore_run_status_can_move (get_run (self)->status, FORE_RUN_PAUSED))
    fore_run_state_move_run (get_state (self), FORE_RUN_PAUSED, _ ("Paused after one turn"));
}

static void
say_turn (ForeGoalLoop *self, const ForeGoalTurn *turn)
{
  fore_run_state_emit (
      get_state (self), FORE_EVENT_GOAL_TURN, turn->judge->key, turn->judge->attempts,
      fore_event_data_new ("i:turn", (gint64) turn->n, "b:achieved", turn->achieved, "b:blocked",
                           turn->verdict->blocked, "s:verified",
                           fore_verified_to_string (turn->verified), "s:reason", turn->reason,
                           "v:evidence", turn->verdict->evidence, "i:cost",
                           MAX (turn->usage.cost, 0), NULL));
}

/* What a person said in the middle of the turn, without what the judge itself was told. */
static char *
dup_hint (const ForeTask *judge)
{
  const char *end = judge->feedback != NULL ? strstr (judge->feedback, REFUSED) : NULL;
  char *hint = end != NULL ? g_strndup (judge->feedback, end - judge->feedback)
                           : g_strdup (judge->feedback);

  return hint != NULL ? g_strstrip (hint) : NULL;
}

/* The verdict, the turn's event and what comes next are one change of the run. */
static void
conclude (ForeGoalLoop *self, ForeTask *judge)
{
  g_autoptr (ForeGoal) goal = NULL;
  g_autofree char *hint = dup_hint (judge);
  gboolean last = fore_goal_turn_is_last (judge);

  fore_scheduler_complete (self->scheduler, judge);
  goal = fore_goal_loop_read (self);
  if (goal == NULL || fore_goal_get_last (goal)->judge != judge)
    return;

  say_turn (self, fore_goal_get_last (goal));
  go_on_or_end (self, goal, hint);
  if (last && !fore_goal_get_last (goal)->achieved)
    pause_after (self);
}

/* One answer that says nothing is bad luck; two are a judge that cannot do it. */
static void
refuse (ForeGoalLoop *self, ForeTask *judge, const char *problem)
{
  g_autofree char *feedback = NULL;
  g_autofree char *message = NULL;

  if (judge->attempts < MAX_VERDICTS)
    {
      feedback = g_strdup_printf ("%s%s" REFUSED
                                  "%s. Give it again, in the form that is asked for.",
                                  judge->feedback != NULL ? judge->feedback : "",
                                  judge->feedback != NULL ? "\n\n" : "", problem);
      fore_set_str (&judge->feedback, feedback);
      fore_scheduler_requeue (self->scheduler, judge);
      return;
    }

  message = g_strdup_printf (_ ("The judge gave no verdict: %s."), problem);
  fore_scheduler_fail (self->scheduler, judge, FORE_CAUSE_ERROR, message, FORE_POLICY_ASK);
}

static void
judged (ForeScheduler *scheduler, gpointer data, gpointer user_data)
{
  ForeGoalLoop *self = user_data;
  ForeTask *judge = data;
  g_autofree char *problem = NULL;
  g_autoptr (ForeGoalVerdict) verdict = NULL;

  g_assert (FORE_IS_GOAL_LOOP (self));

  verdict = fore_goal_verdict_parse (judge->result, &problem);
  if (verdict != NULL)
    conclude (self, judge);
  else
    refuse (self, judge, problem);
}

/**
 * fore_goal_loop_new:
 * @services: what all attempts of the run share; outlives the loop
 * @scheduler: the run's scheduler
 *
 * Returns: (transfer full): a loop; it does nothing in a run that is none
 */
ForeGoalLoop *
fore_goal_loop_new (const ForeAttemptServices *services, ForeScheduler *scheduler)
{
  ForeGoalLoop *self = g_object_new (FORE_TYPE_GOAL_LOOP, NULL);

  self->services = services;
  self->scheduler = g_object_ref (scheduler);
  g_signal_connect (scheduler, "judged", G_CALLBACK (judged), self);

  return self;
}

static ForeRequest *
find_question (ForeGoalLoop *self, const ForeGoal *goal)
{
  ForeRequest *request = fore_run_state_find_open_request (get_state (self), FORE_REQUEST_FAILURE,
                                                           fore_goal_get_last (goal)->judge->key);

  return request != NULL && fore_request_find_option (request, "again") != NULL ? request : NULL;
}

/**
 * fore_goal_loop_answer:
 * @self: a loop
 * @request: a request that was answered
 * @answer: its answer
 *
 * Goes on as the person decided about a loop that is blocked or stuck.
 *
 * Returns: whether the request was one of the loop's
 */
gboolean
fore_goal_loop_answer (ForeGoalLoop *self, const ForeRequest *request, const ForeAnswer *answer)
{
  g_autoptr (ForeGoal) goal = NULL;

  g_return_val_if_fail (FORE_IS_GOAL_LOOP (self), FALSE);
  g_return_val_if_fail (request != NULL && answer != NULL, FALSE);

  if (request->kind != FORE_REQUEST_FAILURE || fore_request_find_option (request, "again") == NULL)
    return FALSE;

  goal = fore_goal_loop_read (self);
  if (goal == NULL)
    return FALSE;

  if (strcmp (answer->option, "again") == 0)
    begin_turn (self, goal, answer->text);
  else
    say_end (self, goal, fore_goal_judge_end (goal));

  return TRUE;
}

static void
touch_turn (ForeGoalLoop *self, const ForeGoal *goal)
{
  const ForeGoalTurn *last = fore_goal_get_last (goal);

  for (guint i = 0; i < last->tasks->len; i++)
    fore_run_state_touch_task (get_state (self), g_ptr_array_index (last->tasks, i));
}

/**
 * fore_goal_loop_go_on:
 * @self: a loop that is paused, or waits for a hint
 * @hint: (nullable): what a person adds for the agents
 * @one_turn: whether it pauses again after a turn
 * @error: return location for an error
 *
 * Prepares the loop for going on; the run itself is left paused.
 *
 * Returns: whether it is a goal loop that can go on
 */
gboolean
fore_goal_loop_go_on (ForeGoalLoop *self, const char *hint, gboolean one_turn, GError **error)
{
  g_autoptr (ForeGoal) goal = NULL;
  ForeRequest *question;

  g_return_val_if_fail (FORE_IS_GOAL_LOOP (self), FALSE);

  goal = fore_goal_loop_read (self);
  if (goal == NULL)
    {
      g_set_error_literal (error, FORE_ERROR, FORE_ERROR_REFUSED,
                           _ ("The run is no goal loop; steer one of its tasks instead."));
      return FALSE;
    }

  question = find_question (self, goal);
  if (question != NULL)
    {
      g_autoptr (ForeAnswer) answer = fore_answer_new (question->id, "again", "hint");

      answer->text = g_strdup (hint);
      fore_run_state_answer_request (get_state (self), question, answer);
      begin_turn (self, goal, hint);
      g_clear_pointer (&goal, fore_goal_free);
      goal = fore_goal_loop_read (self);
    }
  else if (hint != NULL)
    fore_goal_turn_add_hint (goal, hint);

  fore_goal_turn_set_last (goal, one_turn);
  touch_turn (self, goal);

  return TRUE;
}
