/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-planner.h"

G_BEGIN_DECLS

/* What the files of ForePlanner share. */
struct _ForePlanner
{
  GObject parent_instance;

  const ForeAttemptServices *services;
  ForeScheduler *scheduler;
  guint n_injecting;
};

ForeRunState *fore_planner_get_state (ForePlanner *self);
ForeRun *fore_planner_get_run (ForePlanner *self);
void fore_planner_carry_out (ForePlanner *self, const ForePlan *plan, const char *tree);

G_END_DECLS
