/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-goal-verdict.h"
#include "model/fore-run.h"
#include "model/fore-task.h"

G_BEGIN_DECLS

#define FORE_GOAL_STEP_CHECKS "checks"
#define FORE_GOAL_STEP_JUDGE "judge"
#define FORE_GOAL_MAX_TURNS 20
#define FORE_GOAL_MOST_TURNS 200

typedef enum
{
  FORE_GOAL_RUNNING,
  FORE_GOAL_PAUSED,
  FORE_GOAL_ACHIEVED,
  FORE_GOAL_MAX_TURNS_REACHED,
  FORE_GOAL_BUDGET_EXCEEDED,
  FORE_GOAL_BLOCKED,
  FORE_GOAL_STUCK,
  FORE_GOAL_CANCELLED,
  FORE_GOAL_FAILED,
  FORE_N_GOAL_STATES
} ForeGoalState;

/**
 * ForeGoalTurn:
 * @n: which turn, from 1
 * @tasks: (element-type ForeTask): its tasks, borrowed, the checks and the judge too
 * @checks: (nullable): the task that runs the project's checks, borrowed
 * @judge: (nullable): the judge's task, borrowed
 * @verdict: (nullable): what the judge said, once it did
 * @reason: (nullable): why the goal is not achieved, or is; the checks have the last word
 * @achieved: whether the goal is achieved: the judge says so and no check stands against it
 * @verified: how the checks came out
 * @usage: sum over its tasks
 *
 * One turn of a goal loop: work, checks, verdict.
 */
typedef struct
{
  guint n;
  GPtrArray *tasks;
  const ForeTask *checks;
  const ForeTask *judge;
  ForeGoalVerdict *verdict;
  char *reason;
  gboolean achieved;
  ForeVerified verified;
  ForeUsage usage;
} ForeGoalTurn;

/**
 * ForeGoal:
 * @state: how the loop stands, or how it ended
 * @max_turns: most turns
 * @turns: (element-type ForeGoalTurn): its turns, the first first
 *
 * A goal loop, as the rows of its run tell it: nothing of it is kept anywhere else.
 */
typedef struct
{
  ForeGoalState state;
  guint max_turns;
  GPtrArray *turns;
} ForeGoal;

ForeGoal *
fore_goal_read (const ForeRun *run, GPtrArray *tasks, GPtrArray *requests, guint max_turns);
void fore_goal_free (ForeGoal *goal);
const ForeGoalTurn *fore_goal_get_last (const ForeGoal *goal);
ForeGoalState fore_goal_judge_end (const ForeGoal *goal);
gboolean fore_goal_is_stuck (const ForeGoal *goal);
char *fore_goal_describe (const ForeGoal *goal);
const char *fore_goal_state_to_string (ForeGoalState state);
char *fore_goal_dup_lease_home (const char *home);
guint fore_goal_load_max_turns (const char *home, const char *run_id);

guint fore_goal_get_turn (const ForeTask *task);
gboolean fore_goal_is_judge (const ForeTask *task);
gboolean fore_goal_is_checks (const ForeTask *task);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeGoal, fore_goal_free)

G_END_DECLS
