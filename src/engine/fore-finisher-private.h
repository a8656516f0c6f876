/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-check-run.h"
#include "engine/fore-finisher.h"

G_BEGIN_DECLS

/* What the files of ForeFinisher share. */
struct _ForeFinisher
{
  GObject parent_instance;

  const ForeAttemptServices *services;
  ForeScheduler *scheduler;
  ForeMergeFavor favor;
  guint n_busy;
  guint n_tries;
  guint again_source;

  ForeVerified result_verified;
  char *problem; /* (nullable) why the run has failed although all of its tasks are done */
  ForeTask *check_task;
  ForeTree *check_tree;
  ForeCheckRun *checks;
};

enum
{
  FINISHED,
  N_SIGNALS
};

extern guint fore_finisher_signals[];

ForeRunState *fore_finisher_get_state (ForeFinisher *self);
ForeRun *fore_finisher_get_run (ForeFinisher *self);
ForeRunStatus fore_finisher_choose_status (ForeFinisher *self);
void fore_finisher_check_result (ForeFinisher *self);
void fore_finisher_close_run (ForeFinisher *self);

G_END_DECLS
