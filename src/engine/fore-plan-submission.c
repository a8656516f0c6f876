/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Plans that a planner hands in as a call, and so hears at once what is wrong with them. */

#include "config.h"

#include "engine/fore-plan-submission.h"

#include "engine/fore-plan-parser.h"

#include <glib/gi18n-lib.h>

/**
 * fore_plan_submission_list_keys:
 * @state: the run
 *
 * Returns: (transfer full): the keys of its tasks, which no item may have
 */
GStrv
fore_plan_submission_list_keys (ForeRunState *state)
{
  GPtrArray *tasks = fore_run_state_get_tasks (state);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; i < tasks->len; i++)
    g_strv_builder_add (builder, ((ForeTask *) g_ptr_array_index (tasks, i))->key);

  return g_strv_builder_end (builder);
}

/* `limits.plan_items` is for all plans of a run. */
static guint
count_left (ForeRunContext *context, ForeRunState *state)
{
  GPtrArray *tasks = fore_run_state_get_tasks (state);
  guint limit = (guint) fore_settings_get_int (context->settings, "limits.plan_items");
  guint n = 0;

  for (guint i = 0; i < tasks->len; i++)
    n += ((const ForeTask *) g_ptr_array_index (tasks, i))->plan_version > 0;

  return n < limit ? limit - n : 0;
}

/**
 * fore_plan_submission_fill_rules:
 * @rules: (out caller-allocates): what a plan of @task has to keep to; points into the rest
 * @context: what the run is carried out with
 * @state: the run
 * @task: (nullable): the planner's task; only one that an earlier plan asked for may find nothing
 *   left to plan
 * @taken: what fore_plan_submission_list_keys() returned
 */
void
fore_plan_submission_fill_rules (ForePlanRules *rules,
                                 ForeRunContext *context,
                                 ForeRunState *state,
                                 const ForeTask *task,
                                 GStrv taken)
{
  g_return_if_fail (rules != NULL && context != NULL && FORE_IS_RUN_STATE (state));

  rules->roles = (const char *const *) context->roles;
  rules->taken = (const char *const *) taken;
  rules->max_items = count_left (context, state);
  rules->may_be_empty = task != NULL && task->plan_version > 0;
}

/**
 * fore_plan_submission_check:
 * @context: what the run is carried out with
 * @state: the state
 * @task: task of whoever hands it in
 * @text: the plan
 * @answer: (out) (transfer full): what to tell the agent
 *
 * A plan that is taken here is the task's result, and found in it by the same rules once the agent
 * has ended; it waits for the person then like any other.
 *
 * Returns: whether the plan is taken
 */
gboolean
fore_plan_submission_check (ForeRunContext *context,
                            ForeRunState *state,
                            const ForeTask *task,
                            const char *text,
                            char **answer)
{
  g_auto (GStrv) taken = NULL;
  ForePlanRules rules = { 0 };
  gboolean nothing;
  g_autoptr (ForePlan) plan = NULL;
  g_autofree char *problem = NULL;

  g_return_val_if_fail (context != NULL && FORE_IS_RUN_STATE (state), FALSE);
  g_return_val_if_fail (task != NULL && text != NULL && answer != NULL, FALSE);

  if (!task->adaptive)
    {
      *answer = g_strdup (_ ("This task is not asked for a plan; hand its result in instead."));
      return FALSE;
    }

  taken = fore_plan_submission_list_keys (state);
  fore_plan_submission_fill_rules (&rules, context, state, task, taken);
  nothing = fore_plan_parse (text, &rules, &plan, &problem) == FORE_PLAN_NOTHING;
  if (nothing)
    *answer = g_strdup (_ ("The plan was taken."));
  else if (plan == NULL)
    *answer = g_steal_pointer (&problem);
  else if (problem != NULL)
    *answer = g_strdup_printf (_ ("The plan was taken with these changes: %s"), problem);
  else
    *answer = g_strdup (_ ("The plan was taken."));

  return plan != NULL || nothing;
}
