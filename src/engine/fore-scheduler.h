/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-attempt-job.h"

G_BEGIN_DECLS

/**
 * ForeScheduler:
 *
 * Dispatch: a task starts when its own dependencies are satisfied and a slot is free; no waves.
 * Counters of unmet dependencies make a completion O(1). Decides what becomes of a task when its
 * attempt is over: completed, tried again, failed, its dependants skipped.
 *
 * Signals:
 * - `planned` (ForeTask *): an adaptive task's agent ended well; its answer is the task's result
 * - `judged` (ForeTask *): the judge of a goal loop ended well; its verdict is the task's result
 * - `gated` (ForeTask *): would start, and a gate in front of it is shut
 * - `stuck` (ForeTask *): a task needs a person: conflict, failure under `ask`, needs attention
 * - `permission` (ForeTask *, ForeEntry *): a live agent asks for leave
 * - `withdrawn` (ForeTask *, char *): it does not ask any more for what had that id
 * - `asked` (ForeTask *, ForeCall *): its agent called for something
 * - `helped` (ForeTask *): what another task asked for is over
 * - `usage`: usage of the run changed
 * - `idle`: nothing runs and nothing can start
 */
#define FORE_TYPE_SCHEDULER (fore_scheduler_get_type ())
G_DECLARE_FINAL_TYPE (ForeScheduler, fore_scheduler, FORE, SCHEDULER, GObject)

ForeScheduler *fore_scheduler_new (const ForeAttemptServices *services);
gboolean fore_scheduler_load (ForeScheduler *self, GError **error);
void fore_scheduler_pump (ForeScheduler *self);
void fore_scheduler_shut (ForeScheduler *self);

gboolean fore_scheduler_add_tasks (ForeScheduler *self,
                                   GPtrArray *tasks,
                                   const char *planner,
                                   GError **error);
void fore_scheduler_complete (ForeScheduler *self, ForeTask *task);
void fore_scheduler_fail (ForeScheduler *self,
                          ForeTask *task,
                          ForeCause cause,
                          const char *message,
                          ForeFailurePolicy policy);
void fore_scheduler_requeue (ForeScheduler *self, ForeTask *task);
void fore_scheduler_retry (ForeScheduler *self, ForeTask *task);
void fore_scheduler_skip_dependants (ForeScheduler *self, ForeTask *task);
void fore_scheduler_cancel_task (ForeScheduler *self, ForeTask *task, const char *reason);
void fore_scheduler_open_gate (ForeScheduler *self);
void fore_scheduler_stop_all (ForeScheduler *self, ForeCause cause, const char *message);
void fore_scheduler_set_halted (ForeScheduler *self, const char *reason);

/* Live sessions that ask something. */
void fore_scheduler_wait_for_answer (ForeScheduler *self, ForeTask *task);
void fore_scheduler_refuse (ForeScheduler *self, ForeTask *task, const char *id, const char *text);
gboolean
fore_scheduler_answer (ForeScheduler *self, ForeTask *task, const char *id, const char *option);
void fore_scheduler_stop_waiting (ForeScheduler *self, ForeTask *task);

guint fore_scheduler_count_jobs (ForeScheduler *self);
gboolean fore_scheduler_holds_runner (ForeScheduler *self);
gboolean fore_scheduler_is_idle (ForeScheduler *self);
gboolean fore_scheduler_is_stopping (ForeScheduler *self);
ForeAttemptJob *fore_scheduler_find_job (ForeScheduler *self, const char *task);
GPtrArray *fore_scheduler_sort_tasks (ForeScheduler *self);

G_END_DECLS
