/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-graph-view.h"
#include "model/fore-plan.h"

G_BEGIN_DECLS

/**
 * ForePlanGraph:
 *
 * The tasks that a plan would make, in a graph view; those that stay keep their places while the
 * person edits the plan.
 */
typedef struct _ForePlanGraph ForePlanGraph;

ForePlanGraph *fore_plan_graph_new (ForeGraphView *view);
void fore_plan_graph_free (ForePlanGraph *self);
char *fore_plan_graph_show (ForePlanGraph *self, const ForePlan *effective, gboolean waits);
void fore_plan_graph_clear (ForePlanGraph *self);

G_END_DECLS
