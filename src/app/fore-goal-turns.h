/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-run-model.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define FORE_TYPE_GOAL_TURNS (fore_goal_turns_get_type ())

/* How a goal loop stands, and behind a button its turns with verdict, evidence, checks and cost.
 * Hidden for a run that is none.
 */
G_DECLARE_FINAL_TYPE (ForeGoalTurns, fore_goal_turns, FORE, GOAL_TURNS, AdwBin)

GtkWidget *fore_goal_turns_new (void);
void fore_goal_turns_update (ForeGoalTurns *self, ForeRunModel *model);

G_END_DECLS
