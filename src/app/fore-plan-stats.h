/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-flow.h"
#include "model/fore-plan.h"

G_BEGIN_DECLS

/* The figures of a plan in a strip: how many tasks, how many at once, the longest path, checks, and
 * what it may write.
 */
typedef struct _ForePlanStats ForePlanStats;

ForePlanStats *fore_plan_stats_new (ForeFlow *box);
void fore_plan_stats_free (ForePlanStats *self);
void fore_plan_stats_update (ForePlanStats *self, const ForePlan *effective, guint jobs);

G_END_DECLS
