/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-run-spec.h"

/**
 * fore_run_spec_new:
 * @project: (nullable): folder of the project
 * @goal: (nullable): goal
 *
 * Returns: (transfer full): a spec with the default options
 */
ForeRunSpec *
fore_run_spec_new (const char *project, const char *goal)
{
  ForeRunSpec *spec = g_new0 (ForeRunSpec, 1);

  spec->project = g_strdup (project);
  spec->goal = g_strdup (goal);
  fore_run_options_init (&spec->options);

  return spec;
}

/**
 * fore_run_spec_free:
 * @spec: (nullable): a spec
 */
void
fore_run_spec_free (ForeRunSpec *spec)
{
  if (spec == NULL)
    return;

  g_free (spec->project);
  g_free (spec->goal);
  g_free (spec->team);
  g_free (spec->workflow);
  g_free (spec->workflow_file);
  g_free (spec->agent);
  g_free (spec->args);
  g_free (spec->scenario);
  g_free (spec->judge_model);
  g_free (spec->script_args);
  g_free (spec->chain);
  g_free (spec->plan_file);
  g_free (spec->plan_text);
  fore_run_options_clear (&spec->options);
  g_free (spec);
}

/**
 * fore_run_preview_free:
 * @preview: (nullable): a preview
 */
void
fore_run_preview_free (ForeRunPreview *preview)
{
  if (preview == NULL)
    return;

  g_clear_pointer (&preview->run, fore_run_free);
  g_clear_pointer (&preview->tasks, g_ptr_array_unref);
  g_clear_pointer (&preview->plan, fore_plan_free);
  g_clear_pointer (&preview->planned, g_ptr_array_unref);
  g_free (preview->forecast);
  g_free (preview->advice);
  g_clear_pointer (&preview->gates, g_ptr_array_unref);
  g_clear_pointer (&preview->warnings, g_ptr_array_unref);
  g_free (preview);
}
