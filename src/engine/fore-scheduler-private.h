/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-scheduler.h"

#include "engine/fore-conflict-watch.h"
#include "engine/fore-ready-queue.h"
#include "engine/fore-slot-keeper.h"
#include "model/fore-graph.h"

G_BEGIN_DECLS

/* What the files of ForeScheduler share. */
struct _ForeScheduler
{
  GObject parent_instance;

  const ForeAttemptServices *services;
  ForeGraph *graph;
  ForeSlotKeeper *slots;
  ForeReadyQueue *ready;
  GPtrArray *gated;
  GPtrArray *planners;
  GPtrArray *helpers; /* of ForeTask: asked for by others, who were not told yet what came of it */
  GHashTable *jobs;
  GHashTable *waiting;
  guint n_waiting;
  guint pump_source;
  guint tick_source;
  gint64 busy_us;
  gint64 last_tick;
  gboolean looking;
  gboolean look_again;
  char *look_for; /* task whose attempt ended last */
  gboolean stopping;
  gboolean shut;
  char *halted;
  ForeConflictWatch *foresight; /* (nullable) none where all work in one tree */
};

enum
{
  PLANNED,
  JUDGED,
  GATED,
  STUCK,
  PERMISSION,
  WITHDRAWN,
  ASKED,
  HELPED,
  USAGE,
  IDLE,
  N_SIGNALS
};

extern guint fore_scheduler_signals[];

ForeRunState *fore_scheduler_get_state (ForeScheduler *self);
ForeRun *fore_scheduler_get_run (ForeScheduler *self);
void fore_scheduler_consider (ForeScheduler *self, ForeTask *task);
ForeAttemptJob *fore_scheduler_add_job (ForeScheduler *self, ForeTask *task);
void fore_scheduler_watch_helper (ForeScheduler *self, ForeTask *task);
void fore_scheduler_look_at_helpers (ForeScheduler *self);
void fore_scheduler_join_helper (ForeScheduler *self, ForeTask *task, const char *asker);
void fore_scheduler_say_what_it_waits_for (ForeScheduler *self, ForeTask *task);
void fore_scheduler_note_company (ForeScheduler *self, ForeAttemptJob *job);
void fore_scheduler_queue_task (ForeScheduler *self, ForeTask *task);
GPtrArray *fore_scheduler_list_dependencies (ForeScheduler *self, ForeTask *task);
void fore_scheduler_look_at_leader (ForeScheduler *self, const char *ended);
void fore_scheduler_job_done (GObject *source, GAsyncResult *result, gpointer user_data);
guint fore_scheduler_count_active (ForeScheduler *self);
void fore_scheduler_watch_session (ForeScheduler *self, ForeAttemptJob *job);
void fore_scheduler_begin_waiting (ForeScheduler *self, ForeAttemptJob *job);
void fore_scheduler_go_on (ForeScheduler *self, ForeAttemptJob *job, GPtrArray *slots);
void fore_scheduler_leave_waiting (ForeScheduler *self, ForeAttemptJob *job);
void fore_scheduler_update_run_status (ForeScheduler *self);
gboolean fore_scheduler_goes_on_after (ForeScheduler *self, const ForeTask *task);
void fore_scheduler_skip_all_queued (ForeScheduler *self, const char *message);

G_END_DECLS
