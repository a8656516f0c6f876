/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-runner.h"

#include "engine/fore-inbox.h"
#include "engine/fore-machine-watch.h"
#include "git/fore-lease.h"

G_BEGIN_DECLS

/* What the files of ForeRunner share. */
struct _ForeRunner
{
  GObject parent_instance;

  ForeStore *store;
  char *run_id;
  ForeRunState *state;
  ForeRunContext *context;
  ForeGuardHub *hub;
  ForeHooks *hooks;
  ForeTrees *trees;
  ForeLease *lease;
  ForeLease *goal_lease;
  ForeAttemptServices services;
  ForeScheduler *scheduler;
  ForePlanner *planner;
  ForeGoalLoop *goals;
  ForeFinisher *finisher;
  ForeInbox *inbox;
  ForeMachineWatch *machine;
  GHashTable *open_requests;
  guint park_source;
  guint retry_source;
  guint lease_source;
  char *lease_reason;
  GError *problem; /* why it was given up */
  gboolean store_failed;
  gboolean closing;
  gboolean lingering;
};

enum
{
  DONE,
  N_SIGNALS
};

extern guint fore_runner_signals[];

void fore_runner_clear_parts (ForeRunner *self);
ForeRun *fore_runner_get_run (ForeRunner *self);
void fore_runner_close (ForeRunner *self);
void fore_runner_close_soon (ForeRunner *self);
void fore_runner_scheduler_idle (ForeScheduler *scheduler, gpointer user_data);
void fore_runner_run_finished (ForeFinisher *finisher, gpointer user_data);

G_END_DECLS
