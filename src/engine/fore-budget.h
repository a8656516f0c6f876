/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-run-context.h"
#include "engine/fore-run-state.h"
#include "engine/fore-scheduler.h"

G_BEGIN_DECLS

/* Looked at on every report of usage: a warning at budget.warn, a stop and a request at
 * budget.stop, of the run's own budget and of what all runs may cost in a day. */
void fore_budget_look (ForeRunState *state, ForeRunContext *context, ForeScheduler *scheduler);
void fore_budget_raise (ForeRunState *state, ForeScheduler *scheduler);

G_END_DECLS
