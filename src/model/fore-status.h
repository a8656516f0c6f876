/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The words of a run and of a task, their classes and the moves between them. The tables in
 * fore-status.c are the only place where a move is legal or not.
 */
typedef enum
{
  FORE_RUN_QUEUED,
  FORE_RUN_PLANNING,
  FORE_RUN_RUNNING,
  FORE_RUN_BLOCKED,
  FORE_RUN_PAUSED,
  FORE_RUN_COMPLETED,
  FORE_RUN_FAILED,
  FORE_RUN_CANCELLED,
  FORE_N_RUN_STATUSES
} ForeRunStatus;

typedef enum
{
  FORE_TASK_QUEUED,
  FORE_TASK_RUNNING,
  FORE_TASK_WAITING,
  FORE_TASK_COMPLETED,
  FORE_TASK_FAILED,
  FORE_TASK_CANCELLED,
  FORE_TASK_SKIPPED,
  FORE_TASK_NEEDS_ATTENTION,
  FORE_N_TASK_STATUSES
} ForeTaskStatus;

typedef enum
{
  FORE_CLASS_PENDING,
  FORE_CLASS_ACTIVE,
  FORE_CLASS_WAITING,
  FORE_CLASS_FINISHED,
} ForeStatusClass;

/**
 * ForeTaskPhase:
 *
 * What a task is in just now, and with it why it is not running.
 */
typedef enum
{
  FORE_PHASE_NONE,
  FORE_PHASE_DEPENDENCIES,
  FORE_PHASE_GATE,
  FORE_PHASE_READY,
  FORE_PHASE_SLOT,
  FORE_PHASE_BACK_OFF,
  FORE_PHASE_WORKTREE,
  FORE_PHASE_AGENT,
  FORE_PHASE_CHECKS,
  FORE_PHASE_COMMIT,
  FORE_PHASE_REQUEST,
  FORE_N_PHASES
} ForeTaskPhase;

const char *fore_run_status_to_string (ForeRunStatus status);
gboolean fore_run_status_from_string (const char *text, ForeRunStatus *status);
ForeStatusClass fore_run_status_get_class (ForeRunStatus status);
gboolean fore_run_status_can_move (ForeRunStatus from, ForeRunStatus to);

const char *fore_task_status_to_string (ForeTaskStatus status);
gboolean fore_task_status_from_string (const char *text, ForeTaskStatus *status);
ForeStatusClass fore_task_status_get_class (ForeTaskStatus status);
gboolean fore_task_status_can_move (ForeTaskStatus from, ForeTaskStatus to);
gboolean fore_task_status_releases (ForeTaskStatus status);

const char *fore_status_class_to_string (ForeStatusClass status_class);

const char *fore_task_phase_to_string (ForeTaskPhase phase);
gboolean fore_task_phase_from_string (const char *text, ForeTaskPhase *phase);

G_END_DECLS
