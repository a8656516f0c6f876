/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-graph-node.h"
#include "app/fore-run-graph.h"
#include "app/fore-task-item.h"
#include "model/fore-event.h"

G_BEGIN_DECLS

#define FORE_NODE_PLAN "gate:plan"
#define FORE_NODE_WRITE "gate:write"
#define FORE_NODE_RESULT "gate:result"

/* The nodes of a run's graph: its tasks, and the decisions of the person between them. */
typedef struct _ForeRunNodes ForeRunNodes;

ForeRunNodes *fore_run_nodes_new (void);
void fore_run_nodes_free (ForeRunNodes *self);
GListModel *fore_run_nodes_get_model (ForeRunNodes *self);
void fore_run_nodes_update_task (ForeRunNodes *self, ForeTaskItem *item);
void fore_run_nodes_add_event (ForeRunNodes *self, const ForeEvent *event);
void fore_run_nodes_sync (ForeRunNodes *self,
                          const ForeRun *run,
                          GListModel *tasks,
                          const ForeRunGraph *graph);

G_END_DECLS
