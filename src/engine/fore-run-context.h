/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-actions.h"
#include "engine/fore-estimates.h"
#include "model/fore-task.h"
#include "library/fore-library.h"
#include "library/fore-settings.h"
#include "text/fore-redact.h"

G_BEGIN_DECLS

/**
 * ForeRunContext:
 * @home: home of the store
 * @run_dir: runs/<run>
 * @project: folder of the project
 * @settings: settings in force, with the run's options
 * @library: agents, teams, workflows, skills
 * @team: the run's team
 * @workflow: the workflow as it was when the run was made, without the steps of which their tasks
 *   say all
 * @workflow_dir: (nullable): folder of the workflow's file, if that is the person's own
 * @scenario: (nullable): scenario of the demo agent
 * @script_args: (nullable): what a script is given, a JSON object
 * @roles: roles that a plan may use
 * @max_turns: most turns, if the run is a goal loop
 * @redactor: secret values that agents are given
 * @estimates: how long tasks take
 * @ctl: (nullable): foredeckctl, which agents call their run with
 * @environs: (element-type utf8 GStrv): what agents get of our environment, by their adapters
 * @yields: whether any agent must hand its result in
 * @secret: (nullable): what only runners of the run know; %NULL in runs of older versions
 *
 * What a run was made of and is carried out with; read-only once loaded.
 */
typedef struct
{
  char *home;
  char *run_dir;
  char *project;
  gboolean trusted;
  ForeSettings *settings;
  ForeLibrary *library;
  ForeTeam *team;
  ForeWorkflow *workflow;
  char *workflow_dir;
  char *scenario;
  char *script_args;
  GStrv roles;
  guint max_turns;
  ForeRedactor *redactor;
  ForeEstimates *estimates;
  char *ctl;
  GHashTable *environs;
  char *secret;
  gboolean yields;
} ForeRunContext;

gboolean fore_run_context_save (ForeStore *store,
                                const char *run_id,
                                const ForeRunSpec *spec,
                                ForeWorkflow *workflow,
                                GError **error);
ForeRunContext *fore_run_context_load (ForeStore *store, const ForeRun *run, GError **error);
void fore_run_context_free (ForeRunContext *context);

const char *fore_run_context_get_next_model (ForeRunContext *context, const ForeTask *task);
const char *
fore_run_context_get_override (ForeRunContext *context, const char *agent, const char *what);
const ForeWorkflowStep *fore_run_context_get_step (ForeRunContext *context, const ForeTask *task);
ForeAgentDef *fore_run_context_get_agent (ForeRunContext *context, const ForeTask *task);
void
fore_run_context_bind_task (ForeRunContext *context, ForeTask *task, const ForeRunOptions *options);

/* What both the context and the making of a run need. */
ForeSettings *fore_run_context_load_settings (ForeStore *store,
                                              const char *project,
                                              const char *args,
                                              GPtrArray *diagnostics,
                                              GError **error);
ForeTeam *fore_run_context_find_team (ForeLibrary *library,
                                      const char *name,
                                      ForeWorkflow *workflow,
                                      GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeRunContext, fore_run_context_free)

G_END_DECLS
