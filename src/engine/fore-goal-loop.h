/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-goal.h"
#include "engine/fore-scheduler.h"

G_BEGIN_DECLS

/**
 * ForeGoalLoop:
 *
 * Goes from a verdict to the next turn of a goal loop, or to its end. It keeps nothing itself: what
 * a verdict leads to is written in the same transaction, so a runner that dies leaves a turn either
 * judged, with what follows, or not.
 */
#define FORE_TYPE_GOAL_LOOP (fore_goal_loop_get_type ())
G_DECLARE_FINAL_TYPE (ForeGoalLoop, fore_goal_loop, FORE, GOAL_LOOP, GObject)

ForeGoalLoop *fore_goal_loop_new (const ForeAttemptServices *services, ForeScheduler *scheduler);
ForeGoal *fore_goal_loop_read (ForeGoalLoop *self);
gboolean
fore_goal_loop_answer (ForeGoalLoop *self, const ForeRequest *request, const ForeAnswer *answer);
gboolean
fore_goal_loop_go_on (ForeGoalLoop *self, const char *hint, gboolean one_turn, GError **error);

G_END_DECLS
