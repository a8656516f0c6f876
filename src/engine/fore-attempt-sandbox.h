/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agents/fore-adapter.h"
#include "engine/fore-run-context.h"
#include "platform/fore-sandbox.h"

G_BEGIN_DECLS

/**
 * ForeSandboxPlan:
 * @context: what the run is carried out with
 * @adapter: the agent's adapter
 * @task: the task
 * @tree: folder to work in
 * @git_dir: (nullable): its git folder as recorded when it was made; %NULL in a shared tree
 * @prompt_path: (nullable): file of the prompt
 * @calls: (nullable): folder of its calls
 * @memory: (nullable): file of what a script was answered
 * @readable: (nullable): a folder beside its program that it may read
 * @quarantine: (nullable): folder that takes what it commits, see fore_quarantines_import();
 *     without one, and in a shared tree, it can commit nothing
 *
 * What an attempt is to be held to; borrowed.
 */
typedef struct
{
  ForeRunContext *context;
  const ForeAdapter *adapter;
  const ForeTask *task;
  const char *tree;
  const char *git_dir;
  const char *prompt_path;
  const char *calls;
  const char *memory;
  const char *readable;
  const char *quarantine;
} ForeSandboxPlan;

gboolean fore_attempt_sandbox_wrap (const ForeSandboxPlan *plan,
                                    GStrv *argv,
                                    char **problem,
                                    GError **error);
const char *fore_attempt_sandbox_get_profile (ForeSettings *settings, const ForeTask *task);
const char *fore_attempt_sandbox_get_mode (ForeSettings *settings);
gboolean fore_attempt_sandbox_check (ForeSettings *settings, GError **error);
char *fore_attempt_sandbox_dup_problem (ForeSettings *settings);

G_END_DECLS
