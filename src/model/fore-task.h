/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "model/fore-cause.h"
#include "model/fore-check.h"
#include "model/fore-status.h"
#include "model/fore-usage.h"

G_BEGIN_DECLS

/**
 * ForeChange:
 * @path: path relative to the tree
 * @old_path: (nullable): where a renamed file was before
 * @status: A, M, D, R or T as git shows them
 * @insertions: lines added, or -1 for a binary file
 * @deletions: lines removed, or -1 for a binary file
 *
 * One file that a task or run changed, as git computed it.
 */
typedef struct
{
  char *path;
  char *old_path;
  char status;
  int insertions;
  int deletions;
} ForeChange;

/**
 * ForeTask:
 * @key: unique in its run, `[a-z0-9-]{1,40}`
 * @position: order in which it joined the run, from 0
 * @title: what a person reads
 * @role: the team's role
 * @agent: name of the agent definition
 * @cli: adapter that works on it, nullable before the first attempt
 * @model: (nullable): model asked for
 * @step: (nullable): id of the workflow step that it came from
 * @text: what it has to do
 * @command: (nullable): for the command adapter: the words to run
 * @depends_on: keys of the tasks before it
 * @paths: paths it says it will write
 * @checks: (element-type ForeCheck): verification commands
 * @writes: whether it may write to its tree
 * @adaptive: whether its answer carries a plan
 * @live: whether it runs as a live session
 * @plan_version: version of the plan that it came from, 0 for a workflow step
 * @retries: attempts allowed after the first, or -1 for the setting
 * @status: its status
 * @phase: what it is in just now
 * @waits_for: (nullable): one sentence: why it is not running
 * @mark: (nullable): cause of an attention mark: a word for one that clears itself, or sentences
 *   about what of its work a merge does not bring
 * @worker: did the agent end well
 * @effect: did anything change
 * @verified: did its checks pass
 * @attempts: attempts begun so far
 * @starts: agents started so far over all resumes (circuit breaker)
 * @not_before: wall clock in microseconds before which it is not retried, or 0
 * @usage: sum over its attempts
 * @files: (element-type ForeChange): what it changed
 * @result: (nullable): final text of the last good attempt
 * @message: (nullable): one sentence: why it failed or what it needs
 * @cause: machine-readable cause of @message
 * @branch: (nullable): its branch
 * @worktree: (nullable): its working tree
 * @gitdir: (nullable): git folder of @worktree as recorded at its creation
 * @base: (nullable): commit its tree started from
 * @commit: (nullable): commit of its work
 * @feedback: (nullable): text for the next attempt (steers, answers, what a person asked for)
 * @started: first start, microseconds since the epoch, or 0
 * @finished: end, microseconds since the epoch, or 0
 * @rev: revision of the row in its run file; set by the store
 *
 * One step in a run.
 */
typedef struct
{
  char *key;
  guint position;
  char *title;
  char *role;
  char *agent;
  char *cli;
  char *model;
  char *step;
  char *text;
  GStrv command;
  GStrv depends_on;
  GStrv paths;
  GPtrArray *checks;
  gboolean writes;
  gboolean adaptive;
  gboolean live;
  guint plan_version;
  int retries;
  ForeTaskStatus status;
  ForeTaskPhase phase;
  char *waits_for;
  char *mark;
  ForeWorker worker;
  ForeEffect effect;
  ForeVerified verified;
  guint attempts;
  guint starts;
  gint64 not_before;
  ForeUsage usage;
  GPtrArray *files;
  char *result;
  char *message;
  ForeCause cause;
  char *branch;
  char *worktree;
  char *gitdir;
  char *base;
  char *commit;
  char *feedback;
  gint64 started;
  gint64 finished;
  guint64 rev;
} ForeTask;

ForeChange *fore_change_new (const char *path, char status, int insertions, int deletions);
ForeChange *fore_change_copy (const ForeChange *change);
void fore_change_free (ForeChange *change);
GPtrArray *fore_changes_copy (GPtrArray *changes);

ForeTask *fore_task_new (const char *key);
ForeTask *fore_task_copy (const ForeTask *task);
const char *fore_task_get_note (const ForeTask *task);
gboolean fore_task_has_agent (const ForeTask *task);
gboolean fore_task_is_script (const ForeTask *task);
void fore_task_free (ForeTask *task);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeChange, fore_change_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeTask, fore_task_free)

G_END_DECLS
