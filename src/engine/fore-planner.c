/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-planner-private.h"

#include "engine/fore-event-data.h"
#include "engine/fore-gate.h"
#include "engine/fore-plan-file.h"
#include "engine/fore-plan-json.h"
#include "engine/fore-plan-parser.h"
#include "engine/fore-plan-submission.h"
#include "platform/fore-compat-glib.h"
#include "text/fore-json.h"

#include <glib/gi18n-lib.h>
#include <string.h>

G_DEFINE_FINAL_TYPE (ForePlanner, fore_planner, G_TYPE_OBJECT)

static void
fore_planner_dispose (GObject *object)
{
  ForePlanner *self = FORE_PLANNER (object);

  if (self->scheduler != NULL)
    g_signal_handlers_disconnect_by_data (self->scheduler, self);
  g_clear_object (&self->scheduler);

  G_OBJECT_CLASS (fore_planner_parent_class)->dispose (object);
}

static void
fore_planner_class_init (ForePlannerClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fore_planner_dispose;
}

static void
fore_planner_init (ForePlanner *self)
{
}

ForeRunState *
fore_planner_get_state (ForePlanner *self)
{
  return self->services->state;
}

ForeRun *
fore_planner_get_run (ForePlanner *self)
{
  return fore_run_state_get_run (fore_planner_get_state (self));
}

static void
pass_gate (ForePlanner *self, const char *by, guint version)
{
  ForeRun *run = fore_planner_get_run (self);

  run->approved = TRUE;
  run->approved_version = version;
  fore_run_state_touch_run (fore_planner_get_state (self));
  fore_run_state_emit (fore_planner_get_state (self), FORE_EVENT_GATE_OPENED, NULL, 0,
                       fore_event_data_new ("s:by", by, "i:version", (gint64) version, NULL));
}

static void
approve_plan (ForePlanner *self, ForePlan *plan, const char *by, gboolean edited)
{
  const ForeTask *planner = fore_run_state_find_task (fore_planner_get_state (self), plan->task);

  fore_run_state_emit (fore_planner_get_state (self), FORE_EVENT_PLAN_APPROVED, plan->task, 0,
                       fore_event_data_new ("i:version", (gint64) plan->version, "s:hash",
                                            plan->hash, "s:by", by, "b:edited", edited, NULL));
  pass_gate (self, by, plan->version);
  fore_planner_carry_out (self, plan, planner != NULL ? planner->worktree : NULL);
}

/* Requests */

static void
open_plan_request (ForePlanner *self, ForeTask *task, const ForePlan *plan)
{
  g_autofree char *title = NULL;
  ForeRequest *request;

  title = g_strdup_printf (_ ("Plan: %s"), plan->title != NULL && *plan->title != '\0'
                                               ? plan->title
                                               : fore_planner_get_run (self)->title);
  request = fore_run_state_new_request (fore_planner_get_state (self), FORE_REQUEST_PLAN, task->key,
                                        title, plan->summary);
  request->plan_version = plan->version;
  request->plan_hash = g_strdup (plan->hash);
  fore_request_add_option (request, "approve", _ ("Approve"), "approve");
  fore_request_add_option (request, "changes", _ ("Ask for Changes…"), "changes");
  fore_request_add_option (request, "reject", _ ("Reject"), "reject");
  fore_run_state_open_request (fore_planner_get_state (self), request);
}

static void
open_no_plan_request (ForePlanner *self, ForeTask *task, const char *problem)
{
  g_autofree char *body = NULL;
  ForeRequest *request;

  body = g_strdup_printf (_ ("%s\n\nThe planner answered:\n\n%s"), problem,
                          task->result != NULL ? task->result : _ ("(nothing)"));
  request = fore_run_state_new_request (fore_planner_get_state (self), FORE_REQUEST_NO_PLAN,
                                        task->key, _ ("The planner gave no usable plan"), body);
  fore_request_add_option (request, "again", _ ("Ask Again"), "changes");
  fore_request_add_option (request, "edit", _ ("Write the Plan"), "approve");
  fore_request_add_option (request, "reject", _ ("Cancel the Run"), "reject");
  fore_run_state_open_request (fore_planner_get_state (self), request);
}

static void
fill_rules (ForePlanner *self, const ForeTask *task, GStrv taken, ForePlanRules *rules)
{
  fore_plan_submission_fill_rules (rules, self->services->context, fore_planner_get_state (self),
                                   task, taken);
}

static ForePlanFinding
parse (ForePlanner *self, const ForeTask *task, ForePlan **plan, char **problem)
{
  g_auto (GStrv) taken = fore_plan_submission_list_keys (fore_planner_get_state (self));
  ForePlanRules rules;

  fill_rules (self, task, taken, &rules);

  return fore_plan_parse (task->result, &rules, plan, problem);
}

static void
record (ForePlanner *self, ForeTask *task, ForePlan *plan)
{
  g_autofree char *waits = NULL;

  plan->task = g_strdup (task->key);
  fore_run_state_add_plan (fore_planner_get_state (self), plan);
  fore_run_state_emit (
      fore_planner_get_state (self), FORE_EVENT_PLAN_PROPOSED, task->key, task->attempts,
      fore_event_data_new ("i:version", (gint64) plan->version, "s:hash", plan->hash, "i:items",
                           (gint64) plan->items->len, NULL));
  if (plan->repaired != NULL)
    fore_run_state_emit (fore_planner_get_state (self), FORE_EVENT_ADAPTIVE_PLAN_REPAIRED,
                         task->key, task->attempts,
                         fore_event_data_new ("i:version", (gint64) plan->version, "s:changes",
                                              plan->repaired, NULL));

  fore_run_state_move_task (fore_planner_get_state (self), task, FORE_TASK_WAITING, FORE_CAUSE_NONE,
                            NULL);
  waits = g_strdup_printf (_ ("waits for your answer to version %u of the plan"), plan->version);
  fore_run_state_set_phase (fore_planner_get_state (self), task, FORE_PHASE_REQUEST, waits);
}

static void
decide (ForePlanner *self, ForeTask *task, ForePlan *plan)
{
  if (fore_planner_get_run (self)->options.approval == FORE_APPROVAL_AUTO)
    approve_plan (self, plan, "auto", FALSE);
  else
    open_plan_request (self, task, plan);
}

static void
no_plan (ForePlanner *self, ForeTask *task, ForeEventType type, const char *problem)
{
  fore_run_state_emit (fore_planner_get_state (self), type, task->key, task->attempts,
                       fore_event_data_new ("s:problem", problem, NULL));
  fore_run_state_move_task (fore_planner_get_state (self), task, FORE_TASK_WAITING,
                            FORE_CAUSE_NO_PLAN, problem);
  fore_run_state_set_phase (fore_planner_get_state (self), task, FORE_PHASE_REQUEST,
                            _ ("waits for you: the planner gave no usable plan"));
}

static void
planned (ForeScheduler *scheduler, gpointer data, gpointer user_data)
{
  ForePlanner *self = user_data;
  ForeTask *task = data;
  g_autofree char *problem = NULL;
  ForePlan *plan = NULL;
  ForePlanFinding finding;

  g_assert (FORE_IS_PLANNER (self));

  finding = parse (self, task, &plan, &problem);
  if (finding == FORE_PLAN_NOTHING)
    {
      fore_scheduler_complete (self->scheduler, task);
      return;
    }
  if (plan != NULL)
    {
      record (self, task, plan);
      decide (self, task, plan);
      return;
    }

  no_plan (self, task,
           finding == FORE_PLAN_MISSING ? FORE_EVENT_ADAPTIVE_PLAN_MISSING
                                        : FORE_EVENT_ADAPTIVE_PLAN_REPAIR_FAILED,
           problem);
  open_no_plan_request (self, task, problem);
}

static void
gated (ForeScheduler *scheduler, gpointer data, gpointer user_data)
{
  const ForePlanner *self = user_data;

  fore_gate_ask (self->services, data);
}

/**
 * fore_planner_new:
 * @services: what all attempts of the run share; outlives the planner
 * @scheduler: the run's scheduler
 *
 * Returns: (transfer full): a planner
 */
ForePlanner *
fore_planner_new (const ForeAttemptServices *services, ForeScheduler *scheduler)
{
  ForePlanner *self = g_object_new (FORE_TYPE_PLANNER, NULL);

  self->services = services;
  self->scheduler = g_object_ref (scheduler);
  g_signal_connect (scheduler, "planned", G_CALLBACK (planned), self);
  g_signal_connect (scheduler, "gated", G_CALLBACK (gated), self);

  return self;
}

static ForePlan *
read_edited (ForePlanner *self, const ForeRequest *request, const char *json, GError **error)
{
  const ForeTask *task = fore_run_state_find_task (fore_planner_get_state (self), request->task);
  g_auto (GStrv) taken = fore_plan_submission_list_keys (fore_planner_get_state (self));
  ForePlanRules rules;

  fill_rules (self, task, taken, &rules);

  return fore_plan_read_edited (json, &rules, error);
}

/* What the person changed becomes a version of its own, so that what was approved can be shown. */
static gboolean
approve (ForePlanner *self, ForeRequest *request, const ForeAnswer *answer)
{
  ForePlan *plan = fore_run_state_get_plan (fore_planner_get_state (self), request->plan_version);
  g_autoptr (GError) error = NULL;
  ForePlan *edited;

  if (answer->plan_json == NULL && request->kind == FORE_REQUEST_NO_PLAN)
    {
      open_no_plan_request (self,
                            fore_run_state_find_task (fore_planner_get_state (self), request->task),
                            _ ("The plan to carry out was not sent along."));
      return FALSE;
    }
  if (answer->plan_json == NULL)
    {
      if (plan != NULL)
        approve_plan (self, plan, answer->by, FALSE);
      return plan != NULL;
    }

  edited = read_edited (self, request, answer->plan_json, &error);
  if (edited == NULL)
    {
      ForeTask *task = fore_run_state_find_task (fore_planner_get_state (self), request->task);

      open_no_plan_request (self, task, error->message);
      return FALSE;
    }

  if (plan != NULL)
    {
      fore_plan_update_hash (edited);
      if (g_strcmp0 (edited->hash, plan->hash) == 0)
        {
          fore_plan_free (edited);
          approve_plan (self, plan, answer->by, FALSE);
          return TRUE;
        }
    }

  edited->task = g_strdup (request->task);
  fore_run_state_add_plan (fore_planner_get_state (self), edited);
  approve_plan (self, edited, answer->by, TRUE);

  return TRUE;
}

/* What the person changed before asking for more: a version of its own, from which the planner goes
 * on. Returns its number, 0 if nothing was changed.
 */
static guint
keep_edits (ForePlanner *self, const ForeRequest *request, const ForeAnswer *answer)
{
  ForePlan *plan = fore_run_state_get_plan (fore_planner_get_state (self), request->plan_version);
  g_autoptr (GError) error = NULL;
  g_autoptr (ForePlan) edited = NULL;

  if (answer->plan_json == NULL)
    return 0;

  edited = read_edited (self, request, answer->plan_json, &error);
  if (edited == NULL)
    {
      g_warning ("The edited plan that came with %s cannot be used: %s", request->id,
                 error->message);
      return 0;
    }

  fore_plan_update_hash (edited);
  if (plan != NULL && g_strcmp0 (edited->hash, plan->hash) == 0)
    return 0;

  edited->task = g_strdup (request->task);
  fore_run_state_add_plan (fore_planner_get_state (self), g_steal_pointer (&edited));

  return fore_planner_get_run (self)->plan_version;
}

static char *
dup_feedback (const ForeTask *task, const ForeRequest *request, const char *words, guint edited)
{
  gboolean silent = words == NULL || *words == '\0';

  if (request->kind == FORE_REQUEST_NO_PLAN && silent)
    return g_strdup_printf ("Your last answer held no usable plan: %s\nGive the plan again, "
                            "whole and in the form that is asked for.",
                            task->message != NULL ? task->message : "");
  if (edited > 0)
    return g_strdup_printf ("The previous plan is yours with edits that the person made; keep them "
                            "unless what follows says otherwise.\nChanges asked for: %s",
                            silent ? "" : words);

  return g_strdup_printf ("Changes asked for: %s", silent ? "" : words);
}

static void
ask_again (ForePlanner *self, const ForeRequest *request, const ForeAnswer *answer)
{
  ForeTask *task = fore_run_state_find_task (fore_planner_get_state (self), request->task);
  guint edited = keep_edits (self, request, answer);
  g_autofree char *feedback = dup_feedback (task, request, answer->text, edited);

  fore_set_str (&task->feedback, feedback);
  if (request->kind == FORE_REQUEST_PLAN)
    fore_run_state_emit (fore_planner_get_state (self), FORE_EVENT_PLAN_CHANGES, task->key, 0,
                         fore_event_data_new ("i:version", (gint64) request->plan_version,
                                              "s:feedback", answer->text, "i:edited_version",
                                              (gint64) edited, "s:by", answer->by, NULL));
  fore_scheduler_requeue (self->scheduler, task);
}

static void
reject (ForePlanner *self, const ForeRequest *request, const ForeAnswer *answer)
{
  if (request->plan_version > 0)
    fore_run_state_emit (fore_planner_get_state (self), FORE_EVENT_PLAN_REJECTED, request->task, 0,
                         fore_event_data_new ("i:version", (gint64) request->plan_version, "s:by",
                                              answer->by, NULL));
  fore_run_state_cancel (fore_planner_get_state (self), _ ("The plan was rejected."));
  fore_scheduler_stop_all (self->scheduler, FORE_CAUSE_CANCELLED, _ ("The plan was rejected."));
}

/* What the steps' checks are held to is taken down with the first word of a person. */
static void
let_step_through (ForePlanner *self, const ForeRequest *request, const ForeAnswer *answer)
{
  const ForeRun *run = fore_planner_get_run (self);

  fore_run_state_emit (fore_planner_get_state (self), FORE_EVENT_GATE_OPENED, request->task, 0,
                       fore_event_data_new ("s:by", answer->by, "i:version", (gint64) 0, NULL));
  if (run->approved || run->options.approval != FORE_APPROVAL_ASK)
    fore_scheduler_open_gate (self->scheduler);
  else
    fore_planner_carry_out (self, NULL, NULL);
}

static void
answer_gate (ForePlanner *self, const ForeRequest *request, const ForeAnswer *answer)
{
  if (request->task != NULL)
    {
      let_step_through (self, request, answer);
      return;
    }

  pass_gate (self, answer->by, 0);
  fore_planner_carry_out (self, NULL, NULL);
}

static void
keep_step_out (ForePlanner *self, const ForeRequest *request)
{
  ForeTask *task = fore_run_state_find_task (fore_planner_get_state (self), request->task);

  if (task != NULL)
    fore_scheduler_cancel_task (self->scheduler, task, _ ("You did not let it start."));
}

/**
 * fore_planner_answer:
 * @self: a planner
 * @request: a request of the kinds plan, gate or no-plan that was answered
 * @answer: its answer
 *
 * Carries out what the person decided.
 *
 * Returns: whether the request was one of the planner's
 */
gboolean
fore_planner_answer (ForePlanner *self, ForeRequest *request, const ForeAnswer *answer)
{
  const ForeRequestOption *option;

  g_return_val_if_fail (FORE_IS_PLANNER (self), FALSE);

  if (request->kind != FORE_REQUEST_PLAN && request->kind != FORE_REQUEST_GATE
      && request->kind != FORE_REQUEST_NO_PLAN)
    return FALSE;

  option = fore_request_find_option (request, answer->option);
  if (option == NULL)
    return TRUE;

  if (strcmp (option->kind, "reject") == 0 && request->kind == FORE_REQUEST_GATE
      && request->task != NULL)
    keep_step_out (self, request);
  else if (strcmp (option->kind, "reject") == 0)
    reject (self, request, answer);
  else if (strcmp (option->kind, "changes") == 0)
    ask_again (self, request, answer);
  else if (request->kind == FORE_REQUEST_GATE)
    answer_gate (self, request, answer);
  else
    approve (self, request, answer);

  return TRUE;
}

/* Recovery */

static ForePlan *
find_latest_plan (ForePlanner *self, const ForeTask *task)
{
  for (guint version = fore_planner_get_run (self)->plan_version; version > 0; version--)
    {
      ForePlan *plan = fore_run_state_get_plan (fore_planner_get_state (self), version);

      if (plan != NULL && g_strcmp0 (plan->task, task->key) == 0)
        return plan;
    }

  return NULL;
}

static gboolean
waits_for_nobody (ForePlanner *self, const ForeTask *task)
{
  return task->adaptive && task->status == FORE_TASK_WAITING
         && fore_scheduler_find_job (self->scheduler, task->key) == NULL
         && (task->cause == FORE_CAUSE_NONE || task->cause == FORE_CAUSE_NO_PLAN)
         && fore_run_state_find_open_request (fore_planner_get_state (self), FORE_REQUEST_PLAN,
                                              task->key)
                == NULL
         && fore_run_state_find_open_request (fore_planner_get_state (self), FORE_REQUEST_NO_PLAN,
                                              task->key)
                == NULL;
}

/* The runner died between an answer and what comes of it. */
static void
take_up_planner (ForePlanner *self, ForeTask *task)
{
  ForePlan *plan = find_latest_plan (self, task);

  if (plan == NULL || task->cause == FORE_CAUSE_NO_PLAN)
    open_no_plan_request (self, task, task->message != NULL ? task->message : "");
  else if (fore_planner_get_run (self)->approved
           && fore_planner_get_run (self)->approved_version == plan->version)
    fore_planner_carry_out (self, plan, task->worktree);
  else
    decide (self, task, plan);
}

static gboolean
lacks_hashes (const ForeTask *task)
{
  for (guint i = 0; task->status == FORE_TASK_QUEUED && i < task->checks->len; i++)
    {
      if (((ForeCheck *) g_ptr_array_index (task->checks, i))->files == NULL)
        return TRUE;
    }

  return FALSE;
}

/**
 * fore_planner_take_file:
 * @self: a planner of a run whose tasks are not queued yet
 *
 * Takes the plan that the person brought along, if there is one, for the first answer of the
 * planner's task. fore_planner_start() lets it be approved.
 */
void
fore_planner_take_file (ForePlanner *self)
{
  GPtrArray *tasks;
  g_auto (GStrv) taken = NULL;
  ForePlanRules rules;

  g_return_if_fail (FORE_IS_PLANNER (self));

  if (!fore_run_is_active (fore_planner_get_run (self))
      || fore_planner_get_run (self)->plan_version > 0)
    return;

  taken = fore_plan_submission_list_keys (fore_planner_get_state (self));
  tasks = fore_run_state_get_tasks (fore_planner_get_state (self));
  for (guint i = 0; i < tasks->len; i++)
    {
      ForeTask *task = g_ptr_array_index (tasks, i);
      g_autoptr (GError) error = NULL;
      ForePlan *plan;

      if (!task->adaptive || task->status != FORE_TASK_QUEUED || task->attempts > 0)
        continue;
      fill_rules (self, task, taken, &rules);
      plan = fore_plan_file_load (self->services->context, &rules, &error);
      if (plan != NULL)
        record (self, task, plan);
      else if (error != NULL)
        no_plan (self, task, FORE_EVENT_ADAPTIVE_PLAN_REPAIR_FAILED, error->message);
      return;
    }
}

/**
 * fore_planner_start:
 * @self: a planner of a run whose tasks are loaded
 *
 * Carries out what was approved before: a plan whose tasks an earlier runner had no time to add, or
 * everything, where nobody has to be asked.
 */
void
fore_planner_start (ForePlanner *self)
{
  g_autoptr (GPtrArray) tasks = g_ptr_array_new ();
  gboolean hash = FALSE;

  g_return_if_fail (FORE_IS_PLANNER (self));

  if (!fore_run_is_active (fore_planner_get_run (self)))
    return;

  /* Tasks that join meanwhile need no taking up. */
  g_ptr_array_extend (tasks, fore_run_state_get_tasks (fore_planner_get_state (self)), NULL, NULL);
  for (guint i = 0; i < tasks->len; i++)
    {
      ForeTask *task = g_ptr_array_index (tasks, i);

      hash |= lacks_hashes (task);
      if (waits_for_nobody (self, task))
        take_up_planner (self, task);
    }

  if (hash && self->n_injecting == 0
      && (fore_planner_get_run (self)->approved
          || fore_planner_get_run (self)->options.approval == FORE_APPROVAL_AUTO))
    fore_planner_carry_out (self, NULL, NULL);
}

/**
 * fore_planner_is_busy:
 * @self: a planner
 *
 * Returns: whether tasks of an approved plan are about to come
 */
gboolean
fore_planner_is_busy (ForePlanner *self)
{
  g_return_val_if_fail (FORE_IS_PLANNER (self), FALSE);

  return self->n_injecting > 0;
}
