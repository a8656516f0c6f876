/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

#include "library/fore-agent-def.h"
#include "library/fore-library-types.h"

G_BEGIN_DECLS

/**
 * ForeWorkflowStep:
 * @id: task key, `[a-z0-9-]{1,40}`
 * @title: (nullable): text for people; %NULL shows the id
 * @role: role that carries it out (never %NULL; the id when the file names none)
 * @agent: (nullable): agent to use whatever the team says
 * @task: text for the agent, may hold `{goal}`; never %NULL
 * @depends_on: ids of the steps that it waits for (never %NULL, may be empty)
 * @group: (nullable): steps to show together; adds no edges
 * @phase: (nullable): phase to show it under
 * @output: (nullable): file that the step must write
 * @reads: (nullable): files of the run to hand to the agent
 * @paths: (nullable): paths that it will touch
 * @seed_paths: (nullable): uncommitted files to take into its tree
 * @cli: (nullable): agent CLI; `command` runs @command instead of an agent
 * @command: (nullable): argv of a `command` step, with templates
 * @model: (nullable): model for this step
 * @fallback: (nullable): models tried in order after @model
 * @thinking: (nullable): reasoning level
 * @skills: (nullable): skills on top of role's and agent's
 * @no_skills: no skills at all
 * @checks: (element-type GStrv): commands that the engine runs to verify it (never %NULL)
 * @retries: attempts after the first, -1 for the settings' rule
 * @time_limit: wall clock limit of an attempt in ms, 0 for the settings' limit
 * @max_turns: turns of one attempt, 0 for the settings' limit
 * @max_tokens: tokens of one attempt, 0 for the settings' limit
 * @on_failure: (nullable): failure policy of this step, a word of `failure.policy`
 * @live: run as a live session instead of a process per attempt
 * @writes: whether it changes files; %FORE_UNSET leaves it to agent and role
 * @worktree: whether it wants a tree of its own
 * @verify: it is a verification step
 * @adaptive: its answer carries a plan whose items become tasks; steps that depend on it also wait
 *   for all of these
 * @gate: %FORE_YES asks a person before it starts, whatever the settings; %FORE_UNSET: by settings
 * @spec_refs: (nullable): specs whose acceptance ids must be evidenced
 * @spec_strict: whether the spec gate is strict
 * @pre_script: (nullable): script to run before the agent
 * @pre_args: (nullable): its arguments
 * @pre_timeout: its time limit in ms
 * @pre_optional: its failure does not fail the step
 * @progress: (nullable): label for progress
 * @extra: (nullable) (element-type utf8 utf8): unknown keys with their text; %NULL for none
 * @line: line of its heading in the file, 0 when made in memory
 * @role_line: line of its role
 * @agent_line: line of its agent
 * @cli_line: line of its agent CLI
 * @worktree_line: line where it says whether it wants a tree
 * @skills_line: line of its skills
 * @depends_line: line of its dependencies
 *
 * One step of a workflow: a node of the graph.
 */
typedef struct
{
  char *id;
  char *title;
  char *role;
  char *agent;
  char *task;
  GStrv depends_on;
  char *group;
  char *phase;
  char *output;
  GStrv reads;
  GStrv paths;
  GStrv seed_paths;
  char *cli;
  GStrv command;
  char *model;
  GStrv fallback;
  char *thinking;
  GStrv skills;
  gboolean no_skills;
  GPtrArray *checks;
  int retries;
  gint64 time_limit;
  guint max_turns;
  guint max_tokens;
  char *on_failure;
  gboolean live;
  ForeTristate writes;
  ForeTristate worktree;
  gboolean verify;
  gboolean adaptive;
  ForeTristate gate;
  GStrv spec_refs;
  ForeTristate spec_strict;
  char *pre_script;
  GStrv pre_args;
  gint64 pre_timeout;
  gboolean pre_optional;
  char *progress;
  GHashTable *extra;
  guint line;
  guint role_line;
  guint agent_line;
  guint cli_line;
  guint worktree_line;
  guint skills_line;
  guint depends_line;
} ForeWorkflowStep;

ForeWorkflowStep *fore_workflow_step_new (const char *id, const char *role);
ForeWorkflowStep *fore_workflow_step_copy (const ForeWorkflowStep *self);
void fore_workflow_step_free (ForeWorkflowStep *self);

void fore_workflow_step_add_extra (ForeWorkflowStep *self, const char *key, const char *value);
const char *fore_workflow_step_get_title (const ForeWorkflowStep *self);
gboolean fore_workflow_step_is_command (const ForeWorkflowStep *self);
gboolean fore_workflow_step_is_script (const ForeWorkflowStep *self);
gboolean fore_workflow_step_is_read_only (const ForeWorkflowStep *self, const ForeAgentDef *agent);
gboolean fore_workflow_step_is_plain (const ForeWorkflowStep *self);
char *fore_workflow_step_dup_task (const ForeWorkflowStep *self, const char *goal);
GStrv fore_workflow_step_dup_command (const ForeWorkflowStep *self,
                                      const char *prompt,
                                      const char *prompt_file,
                                      const char *goal,
                                      gboolean *needs_stdin);

gboolean fore_workflow_step_id_is_valid (const char *id);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeWorkflowStep, fore_workflow_step_free)

G_END_DECLS
