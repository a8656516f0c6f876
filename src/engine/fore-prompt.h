/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-run-context.h"
#include "model/fore-task.h"

G_BEGIN_DECLS

/**
 * ForePromptBlock:
 * @name: project, goal, role, skills, memory, knowledge, results, files, specs, script, changes,
 *   task, contract, plan, previous plan, mail or feedback
 * @provenance: (nullable): where its text comes from
 * @text: its text, within its budget
 */
typedef struct
{
  char *name;
  char *provenance;
  char *text;
} ForePromptBlock;

/**
 * ForePromptInput:
 * @goal: goal of the run
 * @task: the task
 * @dependencies: (element-type ForeTask): the tasks before it
 * @tree: (nullable): folder that it works in
 * @script: (nullable): what the script printed that ran before it
 * @plan_before: (nullable): JSON of the plan that changes were asked for
 * @mail: (nullable): what other tasks and the person wrote to it
 * @feedback: (nullable): what a person or the engine wants of this attempt
 * @changes: (nullable): patch of what the run changed so far
 * @attempt: number of the attempt
 */
typedef struct
{
  const char *goal;
  const ForeTask *task;
  GPtrArray *dependencies;
  const char *tree;
  const char *script;
  const char *plan_before;
  const char *mail;
  const char *feedback;
  const char *changes;
  guint attempt;
} ForePromptInput;

GPtrArray *fore_prompt_build (ForeRunContext *context, const ForePromptInput *input);
char *fore_prompt_join (GPtrArray *blocks);
GPtrArray *fore_prompt_split (const char *prompt);

G_END_DECLS
