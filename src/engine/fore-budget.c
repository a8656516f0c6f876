/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-budget.h"

#include "engine/fore-event-data.h"
#include "text/fore-text.h"

#include <glib/gi18n-lib.h>

#define WARNED "fore-budget-warned"
#define REASON_STOPPED _ ("The budget was reached.")

static double
get_share (gint64 used, gint64 limit)
{
  return used >= 0 && limit > 0 ? (double) used / (double) limit : 0;
}

static void
warn (ForeRunState *state, gint64 used, gint64 limit, const char *unit)
{
  if (g_object_get_data (G_OBJECT (state), WARNED) != NULL)
    return;

  g_object_set_data (G_OBJECT (state), WARNED, GINT_TO_POINTER (1));
  fore_run_state_emit (
      state, FORE_EVENT_BUDGET_WARNING, NULL, 0,
      fore_event_data_new ("i:used", used, "i:limit", limit, "s:unit", unit, NULL));
}

static void
stop (ForeRunState *state, ForeScheduler *scheduler, gint64 used, gint64 limit, const char *unit)
{
  gboolean is_cost = g_str_equal (unit, "micro-usd");
  g_autofree char *used_text = is_cost ? fore_text_format_cost (used)
                                       : fore_text_format_tokens (used);
  g_autofree char *limit_text = is_cost ? fore_text_format_cost (limit)
                                        : fore_text_format_tokens (limit);
  g_autofree char *body = NULL;
  ForeRequest *request;

  if (fore_run_state_find_open_request (state, FORE_REQUEST_BUDGET, NULL) != NULL)
    return;

  fore_run_state_emit (
      state, FORE_EVENT_BUDGET_STOP, NULL, 0,
      fore_event_data_new ("i:used", used, "i:limit", limit, "s:unit", unit, NULL));
  fore_scheduler_set_halted (scheduler, REASON_STOPPED);
  fore_scheduler_stop_all (scheduler, FORE_CAUSE_BUDGET, REASON_STOPPED);

  body = g_strdup_printf (_ ("The run has used %s of %s. Its agents were stopped."), used_text,
                          limit_text);
  request = fore_run_state_new_request (state, FORE_REQUEST_BUDGET, NULL,
                                        _ ("The budget of the run is used up"), body);
  fore_request_add_option (request, "raise", _ ("Double the Budget"), "raise");
  fore_request_add_option (request, "reject", _ ("Cancel the Run"), "reject");
  fore_run_state_open_request (state, request);
}

static void
look_at (ForeRunState *state,
         ForeRunContext *context,
         ForeScheduler *scheduler,
         gint64 used,
         gint64 limit,
         const char *unit)
{
  double share = get_share (used, limit);

  if (share >= fore_settings_get_double (context->settings, "budget.stop"))
    stop (state, scheduler, used, limit, unit);
  else if (share >= fore_settings_get_double (context->settings, "budget.warn"))
    warn (state, used, limit, unit);
}

/**
 * fore_budget_look:
 * @state: the run
 * @context: what it is carried out with
 * @scheduler: its scheduler
 *
 * Compares what the run used with what it may use.
 */
void
fore_budget_look (ForeRunState *state, ForeRunContext *context, ForeScheduler *scheduler)
{
  const ForeRun *run;

  g_return_if_fail (FORE_IS_RUN_STATE (state));

  run = fore_run_state_get_run (state);
  look_at (state, context, scheduler, run->usage.cost, run->options.budget_cost, "micro-usd");
  look_at (state, context, scheduler, fore_usage_get_tokens (&run->usage),
           run->options.budget_tokens, "tokens");
}

/**
 * fore_budget_raise:
 * @state: the run
 * @scheduler: its scheduler
 *
 * Doubles the run's budget, starts the tasks again that were stopped for it, and goes on.
 */
void
fore_budget_raise (ForeRunState *state, ForeScheduler *scheduler)
{
  ForeRun *run;
  GPtrArray *tasks;

  g_return_if_fail (FORE_IS_RUN_STATE (state));

  run = fore_run_state_get_run (state);
  if (run->options.budget_cost > 0)
    run->options.budget_cost *= 2;
  if (run->options.budget_tokens > 0)
    run->options.budget_tokens *= 2;
  g_object_set_data (G_OBJECT (state), WARNED, NULL);
  fore_run_state_touch_run (state);

  tasks = fore_run_state_get_tasks (state);
  for (guint i = 0; i < tasks->len; i++)
    {
      ForeTask *task = g_ptr_array_index (tasks, i);

      if (task->status == FORE_TASK_WAITING && task->cause == FORE_CAUSE_BUDGET)
        fore_scheduler_requeue (scheduler, task);
    }
  fore_scheduler_set_halted (scheduler, NULL);
}
