/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-schedule-words.h"

static void
add (GStrvBuilder *words, const char *option, const char *value)
{
  if (value == NULL || *value == '\0')
    return;

  g_strv_builder_add (words, option);
  g_strv_builder_add (words, value);
}

static void
add_number (GStrvBuilder *words, const char *option, gint64 value)
{
  g_autofree char *text = value > 0 ? g_strdup_printf ("%" G_GINT64_FORMAT, value) : NULL;

  add (words, option, text);
}

static void
add_options (GStrvBuilder *words, const ForeRunOptions *options)
{
  char cost[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *timeout = options->timeout > 0
                                 ? g_strdup_printf ("%" G_GINT64_FORMAT "ms", options->timeout)
                                 : NULL;

  add (words, "--isolation", fore_isolation_to_string (options->isolation));
  add (words, "--approve", fore_approval_to_string (options->approval));
  add (words, "--on-failure", fore_failure_policy_to_string (options->on_failure));
  add (words, "--cli", options->cli);
  add (words, "--model", options->model);
  add_number (words, "--jobs", options->jobs);
  add_number (words, "--budget-tokens", options->budget_tokens);
  if (options->budget_cost > 0)
    add (words, "--budget-cost",
         g_ascii_formatd (cost, sizeof cost, "%.6f", (double) options->budget_cost / 1e6));
  add (words, "--timeout", timeout);
  if (options->snapshot)
    add (words, "--base", "snapshot");
}

/**
 * fore_schedule_words_new:
 * @spec: what is asked for
 *
 * Returns: (transfer full): how foredeckctl is told the same
 */
GStrv
fore_schedule_words_new (const ForeRunSpec *spec)
{
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();

  g_return_val_if_fail (spec != NULL, NULL);

  g_strv_builder_add (words, "run");
  add (words, "--project", spec->project);
  if (spec->chain == NULL && spec->plan_file == NULL)
    add (words, "--workflow", spec->workflow_file != NULL ? spec->workflow_file : spec->workflow);
  if (spec->chain == NULL)
    add (words, "--team", spec->team);
  add (words, "--agent", spec->agent);
  add (words, "--chain", spec->chain);
  add (words, "--plan-file", spec->plan_file);
  add (words, "--args", spec->args);
  add (words, "--script-args", spec->script_args);
  add (words, "--scenario", spec->scenario);
  if (spec->goal_loop)
    g_strv_builder_add (words, "--goal-loop");
  if (spec->goal_loop)
    add_number (words, "--max-turns", spec->max_turns);
  add (words, "--judge-model", spec->judge_model);
  add_options (words, &spec->options);
  /* A goal may begin as an option does. */
  g_strv_builder_add (words, "--");
  g_strv_builder_add (words, spec->goal);

  return g_strv_builder_end (words);
}
