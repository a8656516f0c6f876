/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Agents that must hand their result in: what they said last is no result of theirs. */

#include "config.h"

#include "engine/fore-yield.h"

#include "engine/fore-goal.h"

#include <string.h>

#define SETTING "agents.submit"
#define OVERRIDE_PREFIX "agents.overrides."
#define OVERRIDE_SUFFIX ".submit"

/**
 * fore_yield_is_wanted_of_any:
 * @settings: settings in force
 *
 * Returns: whether there is an agent that must hand its result in
 */
gboolean
fore_yield_is_wanted_of_any (ForeSettings *settings)
{
  g_autoptr (GPtrArray) entries = NULL;

  g_return_val_if_fail (settings != NULL, FALSE);

  if (fore_settings_get_bool (settings, SETTING))
    return TRUE;

  entries = fore_settings_list (settings);
  for (guint i = 0; i < entries->len; i++)
    {
      const ForeSettingsEntry *entry = g_ptr_array_index (entries, i);

      if (g_str_has_prefix (entry->name, OVERRIDE_PREFIX)
          && g_str_has_suffix (entry->name, OVERRIDE_SUFFIX)
          && fore_settings_get_bool (settings, entry->name))
        return TRUE;
    }

  return FALSE;
}

/**
 * fore_yield_is_wanted:
 * @context: what the run is carried out with
 * @task: a task
 *
 * Where no agent has to, which is usual, this costs nothing.
 *
 * Returns: whether the agent of @task must hand its result in; a command, a judge and what only
 * runs checks never have to
 */
gboolean
fore_yield_is_wanted (ForeRunContext *context, const ForeTask *task)
{
  g_autofree char *name = NULL;

  g_return_val_if_fail (context != NULL && task != NULL, FALSE);

  if (!context->yields || !fore_task_has_agent (task) || fore_goal_is_judge (task)
      || fore_goal_is_checks (task))
    return FALSE;

  if (task->agent != NULL)
    name = g_strconcat (OVERRIDE_PREFIX, task->agent, OVERRIDE_SUFFIX, NULL);

  return fore_settings_get_bool (
      context->settings,
      name != NULL && fore_settings_is_set (context->settings, name) ? name : SETTING);
}

/**
 * fore_yield_get_reminders:
 * @context: what the run is carried out with
 *
 * Returns: how often an agent is reminded
 */
guint
fore_yield_get_reminders (ForeRunContext *context)
{
  g_return_val_if_fail (context != NULL, 0);

  return (guint) fore_settings_get_int (context->settings, "agents.submit_reminders");
}

/**
 * fore_yield_get_policy:
 * @context: what the run is carried out with
 *
 * Returns: what becomes of a task whose agent was reminded in vain
 */
ForeYieldPolicy
fore_yield_get_policy (ForeRunContext *context)
{
  const char *word;

  g_return_val_if_fail (context != NULL, FORE_YIELD_ASK);

  word = fore_settings_get_string (context->settings, "agents.submit_missing");
  if (strcmp (word, "fail") == 0)
    return FORE_YIELD_FAIL;

  return strcmp (word, "accept") == 0 ? FORE_YIELD_ACCEPT : FORE_YIELD_ASK;
}

/**
 * fore_yield_count_missing:
 * @state: the state
 * @task: a task
 *
 * Returns: how many attempts in a row, up to the last, handed nothing in; only those since a person
 *   last asked for another try
 */
guint
fore_yield_count_missing (ForeRunState *state, const ForeTask *task)
{
  guint n = 0;

  g_return_val_if_fail (FORE_IS_RUN_STATE (state) && task != NULL, 0);

  while (n < MIN (task->attempts, task->starts))
    {
      const ForeAttempt *attempt = fore_run_state_find_attempt (state, task->key,
                                                                task->attempts - n);

      if (attempt == NULL || attempt->cause != FORE_CAUSE_NO_YIELD)
        break;
      n++;
    }

  return n;
}

/**
 * fore_yield_get_contract:
 * @task: a task whose agent must hand its result in
 *
 * Returns: what the prompt says about that
 */
const char *
fore_yield_get_contract (const ForeTask *task)
{
  g_return_val_if_fail (task != NULL, NULL);

  if (task->adaptive)
    return "Hand the plan in: with the tool submit_plan, or write it to a file and run "
           "`$FOREDECK_CTL submit-plan FILE`. You are told at once what is wrong with it. Until it "
           "was taken the task is not done.";

  return "Hand your result in when you are done: with the tool submit_result, or write it to a "
         "file "
         "and run `$FOREDECK_CTL submit-result FILE`. Until it was taken the task is not done.";
}

/**
 * fore_yield_get_reminder:
 * @task: a task whose agent ended its turn without having handed anything in
 *
 * Returns: what it is told then
 */
const char *
fore_yield_get_reminder (const ForeTask *task)
{
  g_return_val_if_fail (task != NULL, NULL);

  if (task->adaptive)
    return "You ended without handing your plan in, so the task is not done. Do nothing else now: "
           "hand it in with the tool submit_plan, or write it to a file and run "
           "`$FOREDECK_CTL submit-plan FILE`.";

  return "You ended without handing your result in, so the task is not done. What you did is kept. "
         "Do nothing else now: hand the result in with the tool submit_result, or write it to a "
         "file and run `$FOREDECK_CTL submit-result FILE`.";
}
