/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-event-item.h"
#include "app/fore-run-nodes.h"
#include "engine/fore-leader-news.h"
#include "model/fore-attempt.h"
#include "model/fore-plan.h"
#include "model/fore-request.h"
#include "model/fore-run.h"
#include "store/fore-store.h"

G_BEGIN_DECLS

#define FORE_TYPE_RUN_MODEL (fore_run_model_get_type ())

/**
 * ForeRunModel:
 *
 * One run as its page shows it, following the run's file. Lists are diffed, never rebuilt.
 *
 * Signals: "changed" (anything of the run, its plans, requests or attempts); "edges-changed";
 * "task-changed" (const char *key), also for its attempts; "failed" (GError *).
 */
G_DECLARE_FINAL_TYPE (ForeRunModel, fore_run_model, FORE, RUN_MODEL, GObject)

ForeRunModel *fore_run_model_new (ForeStore *store, const char *run_id);
void fore_run_model_start (ForeRunModel *self);
void fore_run_model_stop (ForeRunModel *self);

const char *fore_run_model_get_id (ForeRunModel *self);
const ForeRun *fore_run_model_get_run (ForeRunModel *self);
GListModel *fore_run_model_get_tasks (ForeRunModel *self);
GListModel *fore_run_model_get_nodes (ForeRunModel *self);
GListModel *fore_run_model_get_conversation (ForeRunModel *self);
GListModel *fore_run_model_get_events (ForeRunModel *self);
const ForeLeaderNews *fore_run_model_get_leader_news (ForeRunModel *self);
GPtrArray *fore_run_model_dup_edges (ForeRunModel *self);
ForeTaskItem *fore_run_model_find_task (ForeRunModel *self, const char *key);
GPtrArray *fore_run_model_get_attempts (ForeRunModel *self, const char *task);
const ForePlan *fore_run_model_get_plan (ForeRunModel *self, guint version);
GPtrArray *fore_run_model_get_requests (ForeRunModel *self);
const ForeRequest *fore_run_model_get_open_request (ForeRunModel *self);
const ForeRequest *fore_run_model_find_request (ForeRunModel *self, const char *id);
void fore_run_model_tick (ForeRunModel *self);

G_END_DECLS
