/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-attempt-job.h"

#include "engine/fore-agent-reader.h"
#include "engine/fore-attempt-launch.h"
#include "engine/fore-check-run.h"
#include "engine/fore-dispatch-trace.h"
#include "engine/fore-talk.h"
#include "platform/fore-watch.h"

G_BEGIN_DECLS

/* What the files of ForeAttemptJob share. */
struct _ForeAttemptJob
{
  GObject parent_instance;

  const ForeAttemptServices *services;
  ForeTask *task;
  ForeAttempt *attempt;
  ForeAttempt *own_attempt; /* (nullable) what the state has let go of */
  const ForeAdapter *adapter;
  GTask *running;
  ForeDispatchTrace *trace;
  GPtrArray *slots;
  GPtrArray *dependencies;
  ForeConflictWay way;
  GStrv conflicts;
  char *prompt;
  ForeAttemptLaunch *launch;
  ForeAgentReader *reader;
  ForeGuard *guard;
  ForeTalk *talk;
  ForeUsage earlier;
  char *calls_folder;
  GStrv mcp;
  ForeWatch *calls_watch;
  GHashTable *calls_seen;
  gboolean calls_looking;
  gboolean calls_look_again;
  gboolean copying;
  gint64 copied;
  char *submitted;
  guint reminders;
  gboolean ending_talk;
  gboolean caught_up;
  gboolean noted_taken_up;
  gboolean waiting;
  gint64 waiting_since;
  gint64 waited_us;
  GPtrArray *answers;
  ForeAttemptLimits limits;
  guint kill_timer;
  ForeCheckRun *checks;
  gboolean adopted;
  gboolean found_dead;
  gboolean beside;
  gboolean said_end;
  guint end_timer;
  ForeCause stop_cause;
  char *stop_message;
  ForeCause cause;
  char *message;
};

enum
{
  USAGE,
  PERMISSION,
  WITHDRAWN,
  CAUGHT_UP,
  ASKED,
  N_SIGNALS
};

extern guint fore_attempt_job_signals[];

gboolean
fore_attempt_job_begin (ForeAttemptJob *self, GAsyncReadyCallback callback, gpointer user_data);
ForeRunState *fore_attempt_job_get_state (ForeAttemptJob *self);
void fore_attempt_job_finish (ForeAttemptJob *self);
void fore_attempt_job_set_cause (ForeAttemptJob *self, ForeCause cause, const char *message);
gboolean fore_attempt_job_is_stopped (ForeAttemptJob *self);
void fore_attempt_job_close_attempt (ForeAttemptJob *self);
gboolean fore_attempt_job_works_in_shared_tree (ForeAttemptJob *self);
void
fore_attempt_job_guard_exited (ForeGuard *guard, const ForeGuardRecord *record, gpointer user_data);
void fore_attempt_job_fail (ForeAttemptJob *self, ForeCause cause, const char *message);
void fore_attempt_job_start_commit (ForeAttemptJob *self);
void fore_attempt_job_begin_checks (ForeAttemptJob *self, const char *tree);
void fore_attempt_job_run_only_checks (ForeAttemptJob *self);
void fore_attempt_job_report_checks (ForeAttemptJob *self);
void fore_attempt_job_watch_agent (ForeAttemptJob *self);
gboolean fore_attempt_job_is_of_another_boot (const ForeAttempt *attempt);
void fore_attempt_job_watch_calls (ForeAttemptJob *self);
void fore_attempt_job_read_calls_async (ForeAttemptJob *self,
                                        GAsyncReadyCallback callback,
                                        gpointer user_data);
void fore_attempt_job_hint_async (ForeAttemptJob *self,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data);
void fore_attempt_job_hint_finish (ForeAttemptJob *self, GAsyncResult *result);
void fore_attempt_job_add_hint (ForeAttemptJob *self, const char *hint);
void fore_attempt_job_start_agent (ForeAttemptJob *self, const char *tree);
void fore_attempt_job_ask_hooks (ForeAttemptJob *self, const char *tree);
void fore_attempt_job_end_talk (ForeAttemptJob *self);
void fore_attempt_job_close_talk (ForeAttemptJob *self);
void fore_attempt_job_judge_yield (ForeAttemptJob *self);
const ForeAttempt *fore_attempt_job_find_interrupted (ForeAttemptJob *self);
void fore_attempt_job_note_taken_up (ForeAttemptJob *self);
void fore_attempt_job_begin_talk (ForeAttemptJob *self);
void fore_attempt_job_write_begin (ForeAttemptJob *self);
gboolean fore_attempt_job_take_up_talk (ForeAttemptJob *self);

G_END_DECLS
