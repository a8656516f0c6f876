/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "model/fore-command.h"
#include "model/fore-plan.h"
#include "model/fore-run.h"
#include "store/fore-store.h"

G_BEGIN_DECLS

/* Everything that a person can do, as one function each for the window and for foredeckctl alike.
 * All of them block (disk, git, waiting for a runner): call them from a worker thread or from
 * foredeckctl. @by says who acts: "window" or "foredeckctl".
 */

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
} ForeRunSpec;

/**
 * ForeRunPreview:
 * @run: the run that would be made, without an id
 * @tasks: (element-type ForeTask): its tasks, with agent, cli and model resolved
 * @adaptive: whether a plan will add tasks
 * @gated: whether it will stop for approval before the first writing task
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
  GPtrArray *warnings;
} ForeRunPreview;

ForeRunSpec *fore_run_spec_new (const char *project, const char *goal);
void fore_run_spec_free (ForeRunSpec *spec);
void fore_run_preview_free (ForeRunPreview *preview);

ForeRunPreview *fore_actions_preview (ForeStore *store, const ForeRunSpec *spec, GError **error);

/* Makes the run and starts its runner; returns its id. */
char *fore_actions_start (ForeStore *store, const ForeRunSpec *spec, GError **error);

/* Starts a runner for the run if nobody owns it. */
gboolean fore_actions_ensure_runner (ForeStore *store, const char *run_id, GError **error);

/* @option is an option id or its kind (approve, reject, changes, …). @version and @hash are those
 * that the person saw, or 0 and NULL for "the one open now". */
gboolean fore_actions_answer (ForeStore *store,
                              const char *request_id,
                              const char *option,
                              const char *text,
                              const char *plan_json,
                              guint version,
                              const char *hash,
                              const char *by,
                              GError **error);

/* Writes the command, starts a runner where needed and waits until the owner took it up (at most
 * @timeout_ms, 0 for not at all). A refusal comes back as its error. */
gboolean fore_actions_command (ForeStore *store,
                               const char *run_id,
                               ForeCommandKind kind,
                               const char *const *args,
                               const char *by,
                               guint timeout_ms,
                               char **outcome,
                               GError **error);

/* Keys of the tasks that a resume would run again. */
GPtrArray *fore_actions_list_reruns (ForeStore *store, const char *run_id, GError **error);

/* The plan as JSON (the same shape that a planner writes) and back; for editing before approval. */
char *fore_actions_plan_to_json (const ForePlan *plan);
ForePlan *fore_actions_plan_from_json (const char *json, GError **error);

/* The sample repository of the demo in @dir (made; default: a fresh folder), and a run on it. */
char *fore_actions_make_sample (const char *dir, GError **error);
ForeRunSpec *fore_actions_make_demo_spec (const char *project);
gboolean fore_actions_run_sample_tests (const char *project, char **output, GError **error);

/* Cancels every active run; returns how many. */
int fore_actions_stop_everything (ForeStore *store, const char *by, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeRunSpec, fore_run_spec_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeRunPreview, fore_run_preview_free)

G_END_DECLS
