/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-goal.h"
#include "engine/fore-run-context.h"

G_BEGIN_DECLS

gboolean fore_goal_turn_begin (ForeRunContext *context,
                               GPtrArray *tasks,
                               const ForeRunSpec *spec,
                               GError **error);
GPtrArray *fore_goal_turn_next (const ForeGoal *goal, const char *hint);
void fore_goal_turn_add_hint (const ForeGoal *goal, const char *hint);
void fore_goal_turn_set_last (const ForeGoal *goal, gboolean last);
gboolean fore_goal_turn_is_last (const ForeTask *judge);

G_END_DECLS
