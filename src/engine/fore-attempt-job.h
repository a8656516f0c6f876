/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-dispatch-trace.h"
#include "engine/fore-hooks.h"
#include "engine/fore-run-context.h"
#include "engine/fore-run-state.h"
#include "engine/fore-trees.h"
#include "platform/fore-guard-client.h"
#include "platform/fore-slots.h"

G_BEGIN_DECLS

/**
 * ForeAttemptJob:
 *
 * One attempt of one task from its tree to its checks: tree → prompt → barrier → guard → agent →
 * commit of what it left → checks. It writes the attempt and the facts of the task (tree, files,
 * outcome of worker, effect and checks); what becomes of the task's status is the scheduler's.
 *
 * Signals: `usage` when the agent reported some; `permission` (ForeEntry *) when it asks;
 * `withdrawn` (char *) when it does not any more; `asked` (ForeCall *) when it has a question;
 * `caught-up` when all is known that an adopted agent said while nobody listened.
 */
#define FORE_TYPE_ATTEMPT_JOB (fore_attempt_job_get_type ())
G_DECLARE_FINAL_TYPE (ForeAttemptJob, fore_attempt_job, FORE, ATTEMPT_JOB, GObject)

/**
 * ForeAttemptServices:
 *
 * What all attempts of a run share; borrowed, outlives the jobs.
 */
typedef struct
{
  ForeRunState *state;
  ForeRunContext *context;
  ForeTrees *trees;
  ForeGuardHub *hub;
  ForeHooks *hooks;
} ForeAttemptServices;

ForeAttemptJob *fore_attempt_job_new (const ForeAttemptServices *services, ForeTask *task);

/* @slots: (element-type ForeSlot) (transfer full): places that the guard holds. @trace: nullable.
 */
void fore_attempt_job_run_async (ForeAttemptJob *self,
                                 GPtrArray *slots,
                                 GPtrArray *dependencies,
                                 ForeConflictWay way,
                                 ForeDispatchTrace *trace,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data);

/* Takes up an attempt that an earlier runner started. */
void fore_attempt_job_adopt_async (ForeAttemptJob *self,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);
ForeCause fore_attempt_job_run_finish (ForeAttemptJob *self, GAsyncResult *result, char **message);
void fore_attempt_job_let_go (ForeAttemptJob *self);

void fore_attempt_job_stop (ForeAttemptJob *self, ForeCause cause, const char *message);
gboolean
fore_attempt_job_say (ForeAttemptJob *self, const char *kind, const char *id, const char *text);
void fore_attempt_job_set_beside (ForeAttemptJob *self);

/* A live session that asked leave gives its place back until it is answered. */
void fore_attempt_job_wait (ForeAttemptJob *self);
void fore_attempt_job_add_answer (ForeAttemptJob *self, const char *id, const char *option);
void fore_attempt_job_go_on (ForeAttemptJob *self, GPtrArray *slots);
gboolean fore_attempt_job_is_waiting (ForeAttemptJob *self);
gboolean fore_attempt_job_has_answers (ForeAttemptJob *self);
gboolean fore_attempt_job_has_place (ForeAttemptJob *self);
gboolean fore_attempt_job_is_caught_up (ForeAttemptJob *self);

/* What an agent called for from inside its task; an answer is told whoever of us dies. */
gboolean fore_attempt_job_deliver (ForeAttemptJob *self, const char *id, const char *text);
void fore_attempt_job_refuse (ForeAttemptJob *self, const char *id, const char *text);

ForeTask *fore_attempt_job_get_task (ForeAttemptJob *self);
gboolean fore_attempt_job_is_silent (ForeAttemptJob *self, gint64 limit_ms);
void fore_attempt_job_copy_commits (ForeAttemptJob *self);
gboolean fore_attempt_job_is_talking (ForeAttemptJob *self);
const char *const *fore_attempt_job_get_conflicts (ForeAttemptJob *self);

G_END_DECLS
