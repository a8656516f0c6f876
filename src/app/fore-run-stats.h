/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-flow.h"
#include "app/fore-run-item.h"
#include "app/fore-run-model.h"

G_BEGIN_DECLS

/* The figures of a run in a strip: status, agents, elapsed, tokens, cost and changes. */
typedef struct _ForeRunStats ForeRunStats;

ForeRunStats *fore_run_stats_new (ForeFlow *box);
void fore_run_stats_update (ForeRunStats *self, ForeRunModel *model, ForeRunHealth health);
void fore_run_stats_tick (ForeRunStats *self, ForeRunModel *model, ForeRunHealth health);
void fore_run_stats_free (ForeRunStats *self);

G_END_DECLS
