/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-graph-edge.h"
#include "model/fore-plan.h"
#include "model/fore-run.h"
#include "model/fore-task.h"

G_BEGIN_DECLS

/**
 * ForeRunGraph:
 * @plan_gate: whether there is a node for the approval of the plan
 * @write_gate: whether there is a node for the permission to write
 * @result: whether there is a node for the result
 * @planner: (nullable): key of the task that planned
 * @edges: (element-type ForeGraphEdge): the edges
 *
 * What a run's tasks look like as a graph, with the decisions of the person as nodes of it.
 */
typedef struct
{
  gboolean plan_gate;
  gboolean write_gate;
  gboolean result;
  char *planner;
  GPtrArray *edges;
} ForeRunGraph;

ForeRunGraph *fore_run_graph_new (const ForeRun *run, GPtrArray *tasks, gboolean write_gate);
ForeRunGraph *fore_run_graph_new_preview (const ForeRun *run,
                                          GPtrArray *tasks,
                                          gboolean adaptive,
                                          gboolean gated);
void fore_run_graph_free (ForeRunGraph *self);
GPtrArray *fore_plan_build_edges (const ForePlan *plan);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeRunGraph, fore_run_graph_free)

gboolean fore_run_graph_has_gate (GPtrArray *requests);

G_END_DECLS
