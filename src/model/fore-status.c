/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "model/fore-status.h"

#define RUN(s) (1u << FORE_RUN_##s)
#define TASK(s) (1u << FORE_TASK_##s)

typedef struct
{
  const char *name;
  ForeStatusClass status_class;
  guint moves;
} StatusRow;

/* A finished run can be taken up again only by a retry, which makes it running; nothing else
 * leaves a finished status. No status can move to itself.
 */
static const StatusRow run_rows[FORE_N_RUN_STATUSES] = {
  [FORE_RUN_QUEUED] = { "queued", FORE_CLASS_PENDING,
                        RUN (PLANNING) | RUN (RUNNING) | RUN (BLOCKED) | RUN (PAUSED) | RUN (FAILED)
                            | RUN (CANCELLED) },
  [FORE_RUN_PLANNING] = { "planning", FORE_CLASS_ACTIVE,
                          RUN (RUNNING) | RUN (BLOCKED) | RUN (PAUSED) | RUN (COMPLETED)
                              | RUN (FAILED) | RUN (CANCELLED) },
  [FORE_RUN_RUNNING] = { "running", FORE_CLASS_ACTIVE,
                         RUN (PLANNING) | RUN (BLOCKED) | RUN (PAUSED) | RUN (COMPLETED)
                             | RUN (FAILED) | RUN (CANCELLED) },
  [FORE_RUN_BLOCKED] = { "blocked", FORE_CLASS_WAITING,
                         RUN (PLANNING) | RUN (RUNNING) | RUN (PAUSED) | RUN (COMPLETED)
                             | RUN (FAILED) | RUN (CANCELLED) },
  [FORE_RUN_PAUSED] = { "paused", FORE_CLASS_WAITING,
                        RUN (PLANNING) | RUN (RUNNING) | RUN (BLOCKED) | RUN (COMPLETED)
                            | RUN (FAILED) | RUN (CANCELLED) },
  [FORE_RUN_COMPLETED] = { "completed", FORE_CLASS_FINISHED, RUN (RUNNING) },
  [FORE_RUN_FAILED] = { "failed", FORE_CLASS_FINISHED, RUN (RUNNING) },
  [FORE_RUN_CANCELLED] = { "cancelled", FORE_CLASS_FINISHED, 0 },
};

/* A finished task goes back to queued only when a person retries it (failed, skipped, needs
 * attention), or when a dependency that it was skipped for is retried; a result that needs
 * attention becomes completed when a person accepts it. Completed and cancelled are final.
 */
static const StatusRow task_rows[FORE_N_TASK_STATUSES] = {
  [FORE_TASK_QUEUED] = { "queued", FORE_CLASS_PENDING,
                         TASK (RUNNING) | TASK (WAITING) | TASK (CANCELLED) | TASK (SKIPPED)
                             | TASK (FAILED) },
  [FORE_TASK_RUNNING] = { "running", FORE_CLASS_ACTIVE,
                          TASK (QUEUED) | TASK (WAITING) | TASK (COMPLETED) | TASK (FAILED)
                              | TASK (CANCELLED) | TASK (NEEDS_ATTENTION) },
  [FORE_TASK_WAITING] = { "waiting", FORE_CLASS_WAITING,
                          TASK (QUEUED) | TASK (RUNNING) | TASK (COMPLETED) | TASK (FAILED)
                              | TASK (CANCELLED) | TASK (SKIPPED) | TASK (NEEDS_ATTENTION) },
  [FORE_TASK_COMPLETED] = { "completed", FORE_CLASS_FINISHED, 0 },
  [FORE_TASK_FAILED] = { "failed", FORE_CLASS_FINISHED, TASK (QUEUED) },
  [FORE_TASK_CANCELLED] = { "cancelled", FORE_CLASS_FINISHED, 0 },
  [FORE_TASK_SKIPPED] = { "skipped", FORE_CLASS_FINISHED, TASK (QUEUED) },
  [FORE_TASK_NEEDS_ATTENTION] = { "needs_attention", FORE_CLASS_FINISHED,
                                  TASK (QUEUED) | TASK (COMPLETED) },
};

static const char *const class_names[] = { "pending", "active", "waiting", "finished" };

static const char *const phase_names[FORE_N_PHASES] = {
  [FORE_PHASE_NONE] = "none",         [FORE_PHASE_DEPENDENCIES] = "dependencies",
  [FORE_PHASE_GATE] = "gate",         [FORE_PHASE_READY] = "ready",
  [FORE_PHASE_SLOT] = "slot",         [FORE_PHASE_BACK_OFF] = "back-off",
  [FORE_PHASE_WORKTREE] = "worktree", [FORE_PHASE_AGENT] = "agent",
  [FORE_PHASE_CHECKS] = "checks",     [FORE_PHASE_COMMIT] = "commit",
  [FORE_PHASE_REQUEST] = "request",
};

static gboolean
find_status (const StatusRow *rows, guint n_rows, const char *text, guint *status)
{
  for (guint i = 0; i < n_rows; i++)
    {
      if (g_strcmp0 (rows[i].name, text) == 0)
        {
          *status = i;
          return TRUE;
        }
    }

  return FALSE;
}

/**
 * fore_run_status_to_string:
 * @status: a run status
 *
 * Returns: (transfer none): the word of engine and JSON for @status
 */
const char *
fore_run_status_to_string (ForeRunStatus status)
{
  g_return_val_if_fail (status < FORE_N_RUN_STATUSES, NULL);

  return run_rows[status].name;
}

/**
 * fore_run_status_from_string:
 * @text: (nullable): a word
 * @status: (out): where to put the status
 *
 * Returns: %FALSE, leaving @status alone, if @text names no run status
 */
gboolean
fore_run_status_from_string (const char *text, ForeRunStatus *status)
{
  guint found;

  g_return_val_if_fail (status != NULL, FALSE);

  if (!find_status (run_rows, FORE_N_RUN_STATUSES, text, &found))
    return FALSE;

  *status = found;
  return TRUE;
}

/**
 * fore_run_status_get_class:
 * @status: a run status
 *
 * Returns: the class of @status
 */
ForeStatusClass
fore_run_status_get_class (ForeRunStatus status)
{
  g_return_val_if_fail (status < FORE_N_RUN_STATUSES, FORE_CLASS_FINISHED);

  return run_rows[status].status_class;
}

/**
 * fore_run_status_can_move:
 * @from: the status now
 * @to: the status wanted
 *
 * Returns: whether a run may go from @from to @to
 */
gboolean
fore_run_status_can_move (ForeRunStatus from, ForeRunStatus to)
{
  g_return_val_if_fail (from < FORE_N_RUN_STATUSES, FALSE);
  g_return_val_if_fail (to < FORE_N_RUN_STATUSES, FALSE);

  return (run_rows[from].moves & (1u << to)) != 0;
}

/**
 * fore_task_status_to_string:
 * @status: a task status
 *
 * Returns: (transfer none): the word of engine and JSON for @status
 */
const char *
fore_task_status_to_string (ForeTaskStatus status)
{
  g_return_val_if_fail (status < FORE_N_TASK_STATUSES, NULL);

  return task_rows[status].name;
}

/**
 * fore_task_status_from_string:
 * @text: (nullable): a word
 * @status: (out): where to put the status
 *
 * Returns: %FALSE, leaving @status alone, if @text names no task status
 */
gboolean
fore_task_status_from_string (const char *text, ForeTaskStatus *status)
{
  guint found;

  g_return_val_if_fail (status != NULL, FALSE);

  if (!find_status (task_rows, FORE_N_TASK_STATUSES, text, &found))
    return FALSE;

  *status = found;
  return TRUE;
}

/**
 * fore_task_status_get_class:
 * @status: a task status
 *
 * Returns: the class of @status
 */
ForeStatusClass
fore_task_status_get_class (ForeTaskStatus status)
{
  g_return_val_if_fail (status < FORE_N_TASK_STATUSES, FORE_CLASS_FINISHED);

  return task_rows[status].status_class;
}

/**
 * fore_task_status_can_move:
 * @from: the status now
 * @to: the status wanted
 *
 * Returns: whether a task may go from @from to @to
 */
gboolean
fore_task_status_can_move (ForeTaskStatus from, ForeTaskStatus to)
{
  g_return_val_if_fail (from < FORE_N_TASK_STATUSES, FALSE);
  g_return_val_if_fail (to < FORE_N_TASK_STATUSES, FALSE);

  return (task_rows[from].moves & (1u << to)) != 0;
}

/**
 * fore_task_status_releases:
 * @status: a task status
 *
 * Returns: whether a task in @status satisfies those that depend on it
 */
gboolean
fore_task_status_releases (ForeTaskStatus status)
{
  return status == FORE_TASK_COMPLETED;
}

/**
 * fore_status_class_to_string:
 * @status_class: a class
 *
 * Returns: (transfer none): pending, active, waiting or finished
 */
const char *
fore_status_class_to_string (ForeStatusClass status_class)
{
  g_return_val_if_fail (status_class <= FORE_CLASS_FINISHED, NULL);

  return class_names[status_class];
}

/**
 * fore_task_phase_to_string:
 * @phase: a phase
 *
 * Returns: (transfer none): the word for @phase
 */
const char *
fore_task_phase_to_string (ForeTaskPhase phase)
{
  g_return_val_if_fail (phase < FORE_N_PHASES, NULL);

  return phase_names[phase];
}

/**
 * fore_task_phase_from_string:
 * @text: (nullable): a word
 * @phase: (out): where to put the phase
 *
 * Returns: %FALSE, leaving @phase alone, if @text names no phase
 */
gboolean
fore_task_phase_from_string (const char *text, ForeTaskPhase *phase)
{
  g_return_val_if_fail (phase != NULL, FALSE);

  for (guint i = 0; i < FORE_N_PHASES; i++)
    {
      if (g_strcmp0 (phase_names[i], text) == 0)
        {
          *phase = i;
          return TRUE;
        }
    }

  return FALSE;
}
