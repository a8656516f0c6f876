/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-run-stats.h"

#include "app/fore-event-item.h"
#include "app/fore-format.h"
#include "app/fore-goal-turns.h"
#include "app/fore-run-item.h"
#include "app/fore-stat.h"
#include "app/fore-trace.h"

#include <glib/gi18n-lib.h>

struct _ForeRunStats
{
  ForeStat *status;
  ForeStat *agents;
  ForeStat *elapsed;
  ForeStat *tokens;
  ForeStat *cost;
  ForeStat *changes;
  ForeStat *checks;
  ForeGoalTurns *turns;
};

static ForeStat *
add_stat (ForeFlow *box, const char *caption)
{
  GtkWidget *stat = fore_stat_new (caption);

  fore_flow_append (box, stat);
  return FORE_STAT (stat);
}

/**
 * fore_run_stats_new:
 * @box: where the figures go
 *
 * Returns: (transfer full): the figures, without values
 */
ForeRunStats *
fore_run_stats_new (ForeFlow *box)
{
  ForeRunStats *self = g_new0 (ForeRunStats, 1);

  self->status = add_stat (box, _ ("Status"));
  self->agents = add_stat (box, _ ("Agents"));
  self->elapsed = add_stat (box, _ ("Elapsed"));
  gtk_widget_set_tooltip_text (
      GTK_WIDGET (self->elapsed),
      _ ("From the start of the run, with the time that it waited for you; "
         "the time of a task is what its agents worked"));
  self->tokens = add_stat (box, _ ("Tokens"));
  self->cost = add_stat (box, _ ("Cost"));
  self->changes = add_stat (box, _ ("Changes"));
  self->checks = add_stat (box, _ ("Checks"));
  self->turns = FORE_GOAL_TURNS (fore_goal_turns_new ());
  fore_flow_append (box, GTK_WIDGET (self->turns));

  return self;
}

static void
update_status (ForeRunStats *self, const ForeRun *run, ForeRunHealth health, gboolean asks)
{
  const char *word = fore_format_run_status (run->status);

  if (health == FORE_RUN_STUCK)
    word = _ ("Not Responding");
  else if (health == FORE_RUN_INTERRUPTED)
    word = _ ("Interrupted");
  else if (asks && fore_run_is_active (run))
    word = _ ("Waits for You");
  else if (run->merged_commit != NULL)
    word = run->status == FORE_RUN_FAILED ? _ ("Failed, Merged") : _ ("Merged");
  else if (fore_run_is_discarded (run))
    word = run->status == FORE_RUN_FAILED ? _ ("Failed, Discarded") : _ ("Discarded");
  fore_stat_set_value (self->status, word);
  fore_stat_set_status (self->status,
                        fore_run_get_view_status (run, health, asks && fore_run_is_active (run)));
}

static void
update_agents (ForeRunStats *self, const ForeRun *run, gboolean interrupted)
{
  guint running = interrupted ? 0 : run->counts[FORE_TASK_RUNNING];
  g_autofree char *value = NULL;

  if (!fore_run_is_active (run))
    value = g_strdup_printf (_ ("%u of %u tasks"), run->counts[FORE_TASK_COMPLETED], run->n_tasks);
  else if (run->options.jobs > 0)
    value = g_strdup_printf (_ ("%u of %u"), running, run->options.jobs);
  else
    value = g_strdup_printf ("%u", running);
  g_object_set (self->agents, "caption", fore_run_is_active (run) ? _ ("Agents") : _ ("Done"),
                NULL);
  fore_stat_set_value (self->agents, value);
}

/* Nothing is known of an interrupted run after the last thing that happened in it. */
static gint64
get_end (ForeRunModel *model, const ForeRun *run, gboolean interrupted)
{
  gint64 last = fore_event_items_get_last_time (fore_run_model_get_events (model));

  if (run->finished > 0)
    return run->finished;
  if (interrupted)
    return last > 0 ? last : run->started;

  return g_get_real_time ();
}

static void
update_elapsed (ForeRunStats *self, ForeRunModel *model, const ForeRun *run, gboolean interrupted)
{
  g_autofree char *value = NULL;

  if (run->started > 0)
    value = fore_format_clock (MAX (get_end (model, run, interrupted) - run->started, 0));
  fore_stat_set_value (self->elapsed, value != NULL ? value : "–");
}

static void
update_cost (ForeRunStats *self, const ForeRun *run)
{
  g_autofree char *cost = fore_format_cost (run->usage.cost);
  g_autofree char *shown = run->usage.estimated && run->usage.cost >= 0
                               ? g_strdup_printf (_ ("about %s"), cost)
                               : g_strdup (cost);
  g_autofree char *budget = NULL;
  g_autofree char *value = NULL;

  if (run->options.budget_cost <= 0)
    {
      fore_stat_set_value (self->cost, shown);
      fore_stat_set_fraction (self->cost, -1, NULL);
      return;
    }

  budget = fore_format_cost (run->options.budget_cost);
  value = g_strdup_printf (_ ("%s of %s"), shown, budget);
  fore_stat_set_value (self->cost, value);
  fore_stat_set_fraction (self->cost, MAX (run->usage.cost, 0) / (double) run->options.budget_cost,
                          value);
}

static void
update_checks (ForeRunStats *self, const ForeRun *run)
{
  switch (run->verified)
    {
    case FORE_VERIFIED_YES:
      fore_stat_set_value (self->checks, _ ("Passed"));
      fore_stat_set_status (self->checks, FORE_VIEW_DONE);
      break;
    case FORE_VERIFIED_FAILED:
      fore_stat_set_value (self->checks, _ ("Failed"));
      fore_stat_set_status (self->checks, FORE_VIEW_FAILED);
      break;
    case FORE_VERIFIED_COMPROMISED:
      fore_stat_set_value (self->checks, _ ("Compromised"));
      fore_stat_set_status (self->checks, FORE_VIEW_ATTENTION);
      break;
    default:
      fore_stat_set_value (self->checks, NULL);
    }
}

/**
 * fore_run_stats_update:
 * @self: the figures
 * @model: the run
 * @health: what its runner is up to
 *
 * Shows the figures, and stops those of its tasks too if its runner is gone.
 */
void
fore_run_stats_update (ForeRunStats *self, ForeRunModel *model, ForeRunHealth health)
{
  gboolean interrupted = health == FORE_RUN_INTERRUPTED;
  const ForeRun *run;
  g_autofree char *tokens = NULL;

  g_return_if_fail (self != NULL);
  g_return_if_fail (FORE_IS_RUN_MODEL (model));

  run = fore_run_model_get_run (model);
  if (run == NULL)
    return;

  fore_task_items_set_interrupted (
      fore_run_model_get_tasks (model), interrupted,
      fore_event_items_get_last_time (fore_run_model_get_events (model)));
  tokens = fore_format_tokens (fore_usage_get_tokens (&run->usage));
  update_status (self, run, health, fore_run_model_get_open_request (model) != NULL);
  update_agents (self, run, interrupted);
  update_elapsed (self, model, run, interrupted);
  fore_stat_set_value (self->tokens, tokens);
  update_cost (self, run);
  fore_stat_set_changes (self->changes, run->insertions, run->deletions);
  update_checks (self, run);
  fore_goal_turns_update (self->turns, model);
  fore_trace_shown (GTK_WIDGET (self->status), run->id, fore_run_status_to_string (run->status));
}

/**
 * fore_run_stats_tick:
 * @self: the figures
 * @model: the run
 * @health: what its runner is up to
 *
 * Says that time went on.
 */
void
fore_run_stats_tick (ForeRunStats *self, ForeRunModel *model, ForeRunHealth health)
{
  gboolean interrupted = health == FORE_RUN_INTERRUPTED;
  const ForeRun *run;

  g_return_if_fail (self != NULL);
  g_return_if_fail (FORE_IS_RUN_MODEL (model));

  run = fore_run_model_get_run (model);
  if (run != NULL)
    update_elapsed (self, model, run, interrupted);
}

/**
 * fore_run_stats_free:
 * @self: the figures; their widgets stay with the box
 */
void
fore_run_stats_free (ForeRunStats *self)
{
  g_free (self);
}
