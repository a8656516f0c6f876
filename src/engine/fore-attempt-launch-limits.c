/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What an attempt may take: its step goes before its agent, that before the settings. */

#include "config.h"

#include "engine/fore-attempt-launch.h"

static void
choose_max_turns (ForeAttemptLimits *limits, ForeRunContext *context, const ForeTask *task)
{
  const ForeWorkflowStep *step = fore_run_context_get_step (context, task);
  const ForeAgentDef *agent = fore_run_context_get_agent (context, task);

  limits->own_turns = TRUE;
  if (step != NULL && step->max_turns > 0)
    limits->turns = step->max_turns;
  else if (agent != NULL && agent->max_turns > 0)
    limits->turns = agent->max_turns;
  else
    {
      limits->own_turns = FALSE;
      limits->turns = (guint) fore_settings_get_int (context->settings, "limits.turns");
    }
}

static void
choose_max_tokens (ForeAttemptLimits *limits, ForeRunContext *context, const ForeTask *task)
{
  const ForeWorkflowStep *step = fore_run_context_get_step (context, task);
  const ForeAgentDef *agent = fore_run_context_get_agent (context, task);

  limits->own_tokens = TRUE;
  if (step != NULL && step->max_tokens > 0)
    limits->tokens = step->max_tokens;
  else if (agent != NULL && agent->max_tokens > 0)
    limits->tokens = agent->max_tokens;
  else
    {
      limits->own_tokens = FALSE;
      if (fore_settings_is_set (context->settings, "limits.task_tokens"))
        limits->tokens = fore_settings_get_int (context->settings, "limits.task_tokens");
    }
}

static void
choose_wall (ForeAttemptLimits *limits, ForeRunContext *context, const ForeTask *task)
{
  const ForeWorkflowStep *step = fore_run_context_get_step (context, task);

  /* It waits for others nearly all of its time; what it computes by itself it is held to. */
  if (fore_task_is_script (task))
    return;

  limits->own_wall = step != NULL && step->time_limit > 0;
  limits->wall_ms = limits->own_wall
                        ? step->time_limit
                        : fore_settings_get_duration (context->settings, "limits.task_time");
}

/**
 * fore_attempt_launch_choose_limits:
 * @context: what the run is carried out with
 * @task: a task
 *
 * Returns: what an attempt of @task may take
 */
ForeAttemptLimits
fore_attempt_launch_choose_limits (ForeRunContext *context, const ForeTask *task)
{
  ForeAttemptLimits limits = { 0 };

  g_return_val_if_fail (context != NULL && task != NULL, limits);

  limits.capture = fore_settings_get_size (context->settings, "limits.capture_size");
  choose_wall (&limits, context, task);
  choose_max_turns (&limits, context, task);
  choose_max_tokens (&limits, context, task);

  return limits;
}
