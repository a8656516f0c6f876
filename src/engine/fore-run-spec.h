/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "model/fore-plan.h"
#include "model/fore-run.h"

G_BEGIN_DECLS

/**
 * ForeRunSpec:
 * @project: folder of the project
 * @goal: goal
 * @team: (nullable): team's name
 * @workflow: (nullable): workflow's name
 * @workflow_file: (nullable): path of a workflow file, instead of @workflow
 * @agent: (nullable): one agent alone, instead of a team
 * @args: (nullable): JSON object of run options by settings key
 * @options: what the person chose
 * @scenario: (nullable): scenario file for the demo agent
 * @chain: (nullable): a chain of agents, workflows and texts, instead of a workflow
 * @plan_file: (nullable): name of the file of a plan, for messages
 * @plan_text: (nullable): Markdown of a plan that a person wrote, instead of a planner's answer
 * @goal_loop: whether the workflow is gone through in turns until a judge says that the goal is
 *   achieved
 * @max_turns: most turns of a goal loop, 0 for the default
 * @judge_model: (nullable): model of the judge of a goal loop
 * @script_args: (nullable): what a script is given, a JSON object
 *
 * What is needed to make a run. If neither team nor workflow nor agent is given, the default team
 * is taken; a workflow without a team takes the team whose default it is.
 */
typedef struct
{
  char *project;
  char *goal;
  char *team;
  char *workflow;
  char *workflow_file;
  char *agent;
  char *args;
  ForeRunOptions options;
  char *scenario;
  char *chain;
  char *plan_file;
  char *plan_text;
  gboolean goal_loop;
  guint max_turns;
  char *judge_model;
  char *script_args;
} ForeRunSpec;

/**
 * ForeForecast:
 * @ms: for how long some task will be at work
 * @tokens: how many tokens it will use, or -1 if that is not known
 * @cost: what it will cost in millionths of a US dollar, or -1 if that is not known
 * @off_ms: by how much earlier estimates of @ms were off, in thousandths of what was measured, or
 *   -1 if none could be compared
 * @off_tokens: the same of @tokens
 * @n_runs: how many whole runs it was learned from; 0 where it is the sum of what is known of tasks
 * @n_known: of how many tasks something is known
 * @n_tasks: of how many
 *
 * What a run will take, as far as earlier runs in its project tell.
 */
typedef struct
{
  gint64 ms;
  gint64 tokens;
  gint64 cost;
  gint64 off_ms;
  gint64 off_tokens;
  guint n_runs;
  guint n_known;
  guint n_tasks;
} ForeForecast;

/**
 * ForeRunPreview:
 * @run: the run that would be made, without an id
 * @tasks: (element-type ForeTask): its tasks, with agent, cli and model resolved
 * @adaptive: whether a plan or a script will add tasks
 * @gated: whether it will stop for approval before the first writing task
 * @gates: (element-type utf8): keys of tasks that wait for an approval of their own
 * @plan: (nullable): the plan, if the person wrote it
 * @planned: (nullable) (element-type ForeTask): the tasks that @plan adds once it is approved
 * @forecast: (nullable): what it will take, if earlier runs tell
 * @advice: (nullable): a sentence: whether its shape suits what it will do
 * @warnings: (element-type utf8): sentences: what a person should know before starting
 *
 * What a spec would start.
 */
typedef struct
{
  ForeRun *run;
  GPtrArray *tasks;
  gboolean adaptive;
  gboolean gated;
  GPtrArray *gates;
  ForePlan *plan;
  GPtrArray *planned;
  ForeForecast *forecast;
  char *advice;
  GPtrArray *warnings;
} ForeRunPreview;

ForeRunSpec *fore_run_spec_new (const char *project, const char *goal);
void fore_run_spec_free (ForeRunSpec *spec);
void fore_run_preview_free (ForeRunPreview *preview);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeRunSpec, fore_run_spec_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeRunPreview, fore_run_preview_free)

G_END_DECLS
