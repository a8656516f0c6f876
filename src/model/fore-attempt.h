/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "model/fore-cause.h"
#include "model/fore-usage.h"

G_BEGIN_DECLS

/**
 * ForeAttempt:
 * @task: key of the task that was worked on
 * @n: number of the attempt, from 1
 * @cli: the adapter's name
 * @model: (nullable): the model asked for or reported
 * @session: (nullable): the CLI's own session id
 * @live: whether it was a live session
 * @pid: the agent's process, or 0
 * @pid_start: its start time in clock ticks since boot, or 0
 * @boot_id: (nullable): the boot it belongs to
 * @started: wall clock, microseconds since the epoch, or 0
 * @finished: wall clock, microseconds since the epoch, or 0 while it runs
 * @exit_code: exit code, or -1 if unknown
 * @term_signal: signal that ended it, or 0
 * @cause: why it did not end well
 * @message: (nullable): one sentence about @cause
 * @usage: what it used
 * @argv: (nullable): exact command line
 * @env_names: (nullable): names of the environment variables given
 * @cwd: (nullable): folder it ran in
 * @result: (nullable): its final text
 * @base: (nullable): commit its tree started from
 * @commit: (nullable): commit of what it left
 *
 * One agent process or session that worked on a task.
 */
typedef struct
{
  char *task;
  guint n;
  char *cli;
  char *model;
  char *session;
  gboolean live;
  gint64 pid;
  gint64 pid_start;
  char *boot_id;
  gint64 started;
  gint64 finished;
  int exit_code;
  int term_signal;
  ForeCause cause;
  char *message;
  ForeUsage usage;
  GStrv argv;
  GStrv env_names;
  char *cwd;
  char *result;
  char *base;
  char *commit;
} ForeAttempt;

ForeAttempt *fore_attempt_new (const char *task, guint n);
ForeAttempt *fore_attempt_copy (const ForeAttempt *attempt);
void fore_attempt_free (ForeAttempt *attempt);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeAttempt, fore_attempt_free)

G_END_DECLS
