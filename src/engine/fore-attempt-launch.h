/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agents/fore-adapter.h"
#include "engine/fore-dispatch-trace.h"
#include "engine/fore-run-context.h"
#include "model/fore-attempt.h"
#include "model/fore-plan.h"
#include "model/fore-task.h"
#include "platform/fore-guard-client.h"

G_BEGIN_DECLS

/**
 * ForeLaunchPlan:
 * @adapter: the agent's adapter
 * @run: the run
 * @task: the task
 * @attempt: the attempt
 * @dependencies: (element-type ForeTask): the tasks before it
 * @tree: folder to work in
 * @interrupted: (nullable): earlier attempt whose conversation is to go on
 * @plan_before: (nullable): plan that changes were asked for
 * @mail: (nullable): what it was written so far
 * @conflicts: (nullable) (array zero-terminated=1): files of the tree in which the agent has to
 *   resolve a conflict
 * @trace: (nullable): where the time goes until it starts
 *
 * What an attempt is to be started for; borrowed.
 */
typedef struct
{
  const ForeAdapter *adapter;
  const ForeRun *run;
  const ForeTask *task;
  const ForeAttempt *attempt;
  GPtrArray *dependencies;
  const char *tree;
  const ForeAttempt *interrupted;
  const ForePlan *plan_before;
  const char *mail;
  const char *const *conflicts;
  ForeDispatchTrace *trace;
} ForeLaunchPlan;

/**
 * ForeAttemptLimits:
 * @capture: bytes that it may print
 * @wall_ms: how long it may take, without the time in which it waits for a person
 * @turns: turns it may take, or 0
 * @tokens: tokens it may use, or 0
 * @own_wall: the step says how long it may take, not the settings
 * @own_turns: step or agent say how many turns it may take, not the settings
 * @own_tokens: step or agent say how many tokens it may use, not the settings
 */
typedef struct
{
  gint64 capture;
  gint64 wall_ms;
  guint turns;
  gint64 tokens;
  gboolean own_wall;
  gboolean own_turns;
  gboolean own_tokens;
} ForeAttemptLimits;

/**
 * ForeAttemptLaunch:
 * @run: run's id
 * @task: task's key
 * @n: number of the attempt
 * @run_dir: runs/<run>
 * @prompt: exact prompt
 * @session: (nullable): session that it takes up
 * @again: (nullable): what that session is told, instead of @prompt
 * @argv: command line
 * @env: whole environment
 * @cwd: folder
 * @sandbox: whether @argv is that of a sandbox with the agent in it
 * @sandbox_problem: (nullable): one sentence: why it runs in none
 * @calls: folder of what it calls for from inside its task
 * @token: what its calls have to name
 * @script: (nullable): file of the script that it carries out
 * @script_memory: (nullable): file of what the script was answered
 * @stdin_mode: where its stdin comes from
 * @pipe_output: whether the guard copies its output
 * @limits: what it may take
 * @orphan_ms: how long it lives without a runner
 *
 * An attempt that is ready to be started; its prompt is on disk.
 */
typedef struct
{
  char *run;
  char *task;
  guint n;
  char *run_dir;
  char *prompt;
  char *session;
  char *again;
  GStrv argv;
  GStrv env;
  char *cwd;
  gboolean sandbox;
  char *sandbox_problem;
  char *calls;
  char *token;
  char *script;
  char *script_memory;
  ForeStdin stdin_mode;
  gboolean pipe_output;
  ForeAttemptLimits limits;
  gint64 orphan_ms;
} ForeAttemptLaunch;

gboolean fore_attempt_launch_make_script (ForeAttemptLaunch *launch,
                                          const ForeRunContext *context,
                                          const ForeTask *task,
                                          GError **error);
char *fore_attempt_launch_dup_script (const char *run_dir);
ForeAttemptLimits fore_attempt_launch_choose_limits (ForeRunContext *context, const ForeTask *task);
void fore_attempt_launch_make_async (ForeRunContext *context,
                                     const ForeLaunchPlan *plan,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);
ForeAttemptLaunch *fore_attempt_launch_make_finish (GAsyncResult *result, GError **error);
void fore_attempt_launch_start_async (const ForeAttemptLaunch *launch,
                                      ForeGuardHub *hub,
                                      GPtrArray *slots,
                                      ForeDispatchTrace *trace,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data);
GStrv fore_attempt_launch_dup_env_names (const ForeAttemptLaunch *launch);
void fore_attempt_launch_free (ForeAttemptLaunch *launch);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeAttemptLaunch, fore_attempt_launch_free)

G_END_DECLS
