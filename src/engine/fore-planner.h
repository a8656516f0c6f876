/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-scheduler.h"

G_BEGIN_DECLS

/**
 * ForePlanner:
 *
 * From a planner's answer to tasks: finds the plan, opens the request, and on approval grows the
 * graph. Also what a person answers at the gates of a run.
 */
#define FORE_TYPE_PLANNER (fore_planner_get_type ())
G_DECLARE_FINAL_TYPE (ForePlanner, fore_planner, FORE, PLANNER, GObject)

ForePlanner *fore_planner_new (const ForeAttemptServices *services, ForeScheduler *scheduler);
gboolean fore_planner_answer (ForePlanner *self, ForeRequest *request, const ForeAnswer *answer);
void fore_planner_take_file (ForePlanner *self);
void fore_planner_start (ForePlanner *self);
gboolean fore_planner_is_busy (ForePlanner *self);

G_END_DECLS
