/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ctl/fore-ctl.h"
#include "engine/fore-goal.h"
#include "store/fore-run-reader.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

ForeGoal *fore_ctl_goal_read (ForeCtl *ctl, const ForeRunDelta *delta);
JsonObject *fore_ctl_goal_to_json (const ForeGoal *goal);
void fore_ctl_goal_print (ForeCtl *ctl, const ForeGoal *goal);

G_END_DECLS
