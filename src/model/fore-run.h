/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "model/fore-check.h"
#include "model/fore-status.h"
#include "model/fore-usage.h"

G_BEGIN_DECLS

typedef enum
{
  FORE_ISOLATION_NONE,
  FORE_ISOLATION_WORKTREES,
} ForeIsolation;

typedef enum
{
  FORE_APPROVAL_ASK,
  FORE_APPROVAL_AUTO,
} ForeApproval;

typedef enum
{
  FORE_POLICY_CONTINUE,
  FORE_POLICY_STOP,
  FORE_POLICY_STOP_NOW,
  FORE_POLICY_ASK,
} ForeFailurePolicy;

/**
 * ForeRunOptions:
 * @isolation: where tasks write
 * @approval: who approves the first writing task
 * @on_failure: what a failed task does to the rest
 * @jobs: agents at work at once, or 0 for the setting
 * @budget_tokens: most tokens, or -1
 * @budget_cost: most cost in millionths of a dollar, or -1
 * @timeout: wall clock of the run in milliseconds, or 0 for the setting
 * @cli: (nullable): adapter for every task but commands
 * @model: (nullable): model for every task
 * @snapshot: whether local changes of the leader are taken along
 * @demo: whether this is a demo run
 *
 * What the person chose when the run was made.
 */
typedef struct
{
  ForeIsolation isolation;
  ForeApproval approval;
  ForeFailurePolicy on_failure;
  guint jobs;
  gint64 budget_tokens;
  gint64 budget_cost;
  gint64 timeout;
  char *cli;
  char *model;
  gboolean snapshot;
  gboolean demo;
} ForeRunOptions;

/**
 * ForeRun:
 * @id: 8 lowercase base32 characters, the first a letter
 * @project: canonical path of the project's folder
 * @goal: the goal as the person wrote it
 * @title: first line of the goal, shortened
 * @team: team's name
 * @workflow: workflow's name
 * @options: what the person chose
 * @status: its status
 * @phase_text: (nullable): one sentence: what it waits for or why it ended
 * @approved: whether the gate for writing has been passed
 * @plan_version: newest plan version, 0 for none
 * @approved_version: plan version that was approved, 0 for none
 * @created: microseconds since the epoch
 * @started: microseconds since the epoch, or 0
 * @finished: microseconds since the epoch, or 0
 * @owner_pid: runner that owns it, or 0; a row only says who it is, the lock decides
 * @owner_host: (nullable): host of the runner
 * @owner_version: (nullable): version of the runner
 * @usage: sum over its tasks
 * @base_branch: (nullable): branch it started from
 * @base_commit: (nullable): commit it started from
 * @result_branch: (nullable): integration branch
 * @result_commit: (nullable): commit of the integrated work
 * @merged_into: (nullable): branch that the result was merged into; empty: it was discarded
 * @merged_commit: (nullable): commit there
 * @files: files changed by the result, or -1
 * @insertions: lines added by the result, or -1
 * @deletions: lines removed by the result, or -1
 * @verified: whether the checks passed on the merged work
 * @counts: tasks by status
 * @n_tasks: all tasks
 * @rev: revision of the row in its run file; set by the store
 *
 * One goal carried out by a team along a workflow.
 */
typedef struct
{
  char *id;
  char *project;
  char *goal;
  char *title;
  char *team;
  char *workflow;
  ForeRunOptions options;
  ForeRunStatus status;
  char *phase_text;
  gboolean approved;
  guint plan_version;
  guint approved_version;
  gint64 created;
  gint64 started;
  gint64 finished;
  gint64 owner_pid;
  char *owner_host;
  char *owner_version;
  ForeUsage usage;
  char *base_branch;
  char *base_commit;
  char *result_branch;
  char *result_commit;
  char *merged_into;
  char *merged_commit;
  int files;
  int insertions;
  int deletions;
  ForeVerified verified;
  guint counts[FORE_N_TASK_STATUSES];
  guint n_tasks;
  guint64 rev;
} ForeRun;

void fore_run_options_init (ForeRunOptions *options);
void fore_run_options_copy (ForeRunOptions *to, const ForeRunOptions *from);
void fore_run_options_clear (ForeRunOptions *options);

ForeRun *fore_run_new (const char *id);
ForeRun *fore_run_copy (const ForeRun *run);
void fore_run_free (ForeRun *run);
void fore_run_set_goal (ForeRun *run, const char *goal);
gboolean fore_run_is_active (const ForeRun *run);
gboolean fore_run_is_discarded (const ForeRun *run);

const char *fore_isolation_to_string (ForeIsolation isolation);
gboolean fore_isolation_from_string (const char *text, ForeIsolation *isolation);
const char *fore_approval_to_string (ForeApproval approval);
gboolean fore_approval_from_string (const char *text, ForeApproval *approval);
const char *fore_failure_policy_to_string (ForeFailurePolicy policy);
gboolean fore_failure_policy_from_string (const char *text, ForeFailurePolicy *policy);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeRun, fore_run_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ForeRunOptions, fore_run_options_clear)

G_END_DECLS
