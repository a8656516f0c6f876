/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-said.h"
#include "model/fore-message.h"
#include "store/fore-run-writer.h"

G_BEGIN_DECLS

/**
 * ForeRunState:
 *
 * The run in its owner's memory: the only truth while the owner lives, written through. Every
 * change is one of the operations below: it checks that the move is legal, changes the value, puts
 * the row and the event that explains it. Values that are handed out belong to the state and are
 * changed by its operations only; fields of a task or attempt that explain nothing (files, usage,
 * trees) may be set directly and are written by fore_run_state_touch_task() and _touch_attempt().
 *
 * One thread only. Signals:
 *
 * - `event` (const ForeEvent *): something happened; it is not durable yet
 */
#define FORE_TYPE_RUN_STATE (fore_run_state_get_type ())
G_DECLARE_FINAL_TYPE (ForeRunState, fore_run_state, FORE, RUN_STATE, GObject)

ForeRunState *fore_run_state_open (ForeStore *store, const char *run_id, GError **error);
void
fore_run_state_close_async (ForeRunState *self, GAsyncReadyCallback callback, gpointer user_data);
gboolean fore_run_state_close_finish (ForeRunState *self, GAsyncResult *result, GError **error);

void
fore_run_state_settle_async (ForeRunState *self, GAsyncReadyCallback callback, gpointer user_data);
gboolean fore_run_state_settle_finish (ForeRunState *self, GAsyncResult *result, GError **error);

gboolean fore_run_state_is_closed (ForeRunState *self);
ForeStore *fore_run_state_get_store (ForeRunState *self);
ForeRunWriter *fore_run_state_get_writer (ForeRunState *self);
ForeRun *fore_run_state_get_run (ForeRunState *self);

/* Run */
gboolean fore_run_state_move_run (ForeRunState *self, ForeRunStatus status, const char *reason);
void fore_run_state_touch_run (ForeRunState *self);
void fore_run_state_set_phase_text (ForeRunState *self, const char *text);

/* Tasks */
GPtrArray *fore_run_state_get_tasks (ForeRunState *self);
ForeTask *fore_run_state_find_task (ForeRunState *self, const char *key);
void fore_run_state_add_task (ForeRunState *self, ForeTask *task);
gboolean fore_run_state_move_task (ForeRunState *self,
                                   ForeTask *task,
                                   ForeTaskStatus status,
                                   ForeCause cause,
                                   const char *message);
void fore_run_state_set_phase (ForeRunState *self,
                               ForeTask *task,
                               ForeTaskPhase phase,
                               const char *waits_for);
void fore_run_state_hold_phases (ForeRunState *self);
void fore_run_state_write_phases (ForeRunState *self);
void fore_run_state_set_mark (ForeRunState *self, ForeTask *task, const char *mark);
void fore_run_state_touch_task (ForeRunState *self, ForeTask *task);
void fore_run_state_update_usage (ForeRunState *self, ForeTask *task);

/* Attempts */
ForeAttempt *fore_run_state_add_attempt (ForeRunState *self, ForeTask *task);
ForeAttempt *fore_run_state_find_attempt (ForeRunState *self, const char *task, guint n);
ForeAttempt *fore_run_state_take_attempt (ForeRunState *self, const ForeTask *task);
void fore_run_state_touch_attempt (ForeRunState *self, ForeAttempt *attempt);

/* Plans */
ForePlan *fore_run_state_get_plan (ForeRunState *self, guint version);
void fore_run_state_add_plan (ForeRunState *self, ForePlan *plan);

/* Requests */
GPtrArray *fore_run_state_get_requests (ForeRunState *self);
ForeRequest *fore_run_state_new_request (ForeRunState *self,
                                         ForeRequestKind kind,
                                         const char *task,
                                         const char *title,
                                         const char *body);
void fore_run_state_open_request (ForeRunState *self, ForeRequest *request);
ForeRequest *fore_run_state_find_request (ForeRunState *self, const char *id);
gint64 fore_run_state_get_waited_us (ForeRunState *self, const char *task, guint attempt);
ForeRequest *fore_run_state_find_asked (ForeRunState *self, const char *task, guint attempt);
void fore_run_state_rebind_request (ForeRunState *self,
                                    ForeRequest *request,
                                    guint attempt,
                                    const char *reply_to);
ForeRequest *fore_run_state_find_permission (ForeRunState *self,
                                             const char *task,
                                             guint attempt,
                                             const char *reply_to);
ForeRequest *
fore_run_state_find_open_request (ForeRunState *self, ForeRequestKind kind, const char *task);
guint fore_run_state_count_open_requests (ForeRunState *self);
void
fore_run_state_answer_request (ForeRunState *self, ForeRequest *request, const ForeAnswer *answer);
void fore_run_state_withdraw_request (ForeRunState *self, ForeRequest *request, const char *reason);
void fore_run_state_withdraw_requests_of (ForeRunState *self, const char *task, const char *reason);
void fore_run_state_withdraw_questions (ForeRunState *self, const char *task, const char *reason);
void fore_run_state_withdraw_permissions (ForeRunState *self, const char *task, const char *reason);

/* Commands and events */
void fore_run_state_finish_command (ForeRunState *self,
                                    ForeCommand *command,
                                    const char *message,
                                    const GError *refusal);
void fore_run_state_emit (
    ForeRunState *self, ForeEventType type, const char *task, guint attempt, char *data);

/* Cancels the run and all its open tasks, and withdraws its requests, in one transaction. */
void fore_run_state_cancel (ForeRunState *self, const char *reason);

/* Time */
gint64 fore_run_state_get_busy_us (ForeRunState *self);
gint64 fore_run_state_get_last_seen (ForeRunState *self);

/* Live sessions */
gboolean fore_run_state_is_mail (const ForeMessage *message);
GPtrArray *fore_run_state_get_mail (ForeRunState *self);
ForeMessage *fore_run_state_find_mail (ForeRunState *self, gint64 id);
void fore_run_state_note_told (ForeRunState *self, const ForeMessage *message);
void fore_run_state_note_seen (ForeRunState *self, const char *task, const char *text);
gboolean fore_run_state_has_sent (ForeRunState *self, const char *call);
gboolean fore_run_state_was_given (ForeRunState *self, const char *call, gint64 id);
void fore_run_state_add_mail (ForeRunState *self, ForeMessage *message, const char *call);
void fore_run_state_move_mail (ForeRunState *self,
                               ForeMessage *message,
                               ForeMessageState to,
                               const char *call);
char *fore_run_state_dup_mail_text (const ForeMessage *message);
char *fore_run_state_dup_mail_of (ForeRunState *self, const ForeTask *task);
void fore_run_state_deliver_mail_of (ForeRunState *self, const ForeTask *task);
void fore_run_state_emit_said (ForeRunState *self, const char *task, guint attempt, ForeSaid *said);
GPtrArray *fore_run_state_list_said (ForeRunState *self, const char *task, guint attempt);

G_END_DECLS
