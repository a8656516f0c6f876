/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "model/fore-attempt.h"
#include "model/fore-command.h"
#include "model/fore-event.h"
#include "model/fore-message.h"
#include "model/fore-plan.h"
#include "model/fore-request.h"
#include "model/fore-run.h"
#include "model/fore-task.h"
#include "store/fore-store.h"

G_BEGIN_DECLS

/**
 * ForeRunWriter:
 *
 * The one owner of a run's file, for as long as it lives: it holds `owner.lock`. What is put is
 * copied, queued and committed by a thread of its own, all that is queued in one transaction
 * (at most 20 ms after the first, at most 4,096 changes), so that rows and the events that explain
 * them never disagree. Only the thread that opened it may call it. The queue is bounded: a put that
 * finds it full waits for the writer.
 *
 * A write that fails makes the writer stick: puts are kept but not committed, the
 * #ForeRunWriter::failed signal is emitted on the main context with the error (disk full, I/O
 * error) and fore_run_writer_retry() tries again.
 */
#define FORE_TYPE_RUN_WRITER (fore_run_writer_get_type ())
G_DECLARE_FINAL_TYPE (ForeRunWriter, fore_run_writer, FORE, RUN_WRITER, GObject)

/* Makes runs/<id>/ with run.db holding @run, @tasks and @plans, durably, without owning it. */
gboolean fore_run_writer_create (ForeStore *store,
                                 const ForeRun *run,
                                 GPtrArray *tasks,
                                 GPtrArray *events,
                                 GError **error);

/* Takes the owner lock; FORE_ERROR_BUSY names the owner. */
ForeRunWriter *fore_run_writer_open (ForeStore *store, const char *run_id, GError **error);

void fore_run_writer_put_run (ForeRunWriter *self, const ForeRun *run);
void fore_run_writer_put_task (ForeRunWriter *self, const ForeTask *task);
void fore_run_writer_put_attempt (ForeRunWriter *self, const ForeAttempt *attempt);
void fore_run_writer_put_plan (ForeRunWriter *self, const ForePlan *plan);
void fore_run_writer_put_request (ForeRunWriter *self, const ForeRequest *request);
void fore_run_writer_put_command (ForeRunWriter *self, const ForeCommand *command);
void fore_run_writer_put_message (ForeRunWriter *self, const ForeMessage *message);
void fore_run_writer_put_event (ForeRunWriter *self, const ForeEvent *event);

/* Reports once everything put before is durable (full fsync). Completes in the thread-default main
 * context of the caller. Barriers waiting together share one commit. */
void fore_run_writer_barrier_async (ForeRunWriter *self,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);
gboolean
fore_run_writer_barrier_finish (ForeRunWriter *self, GAsyncResult *result, GError **error);
gboolean fore_run_writer_barrier (ForeRunWriter *self, GError **error);

void fore_run_writer_retry (ForeRunWriter *self);

/* Emits ::input on the opening main context when another process wrote an answer, command or
 * message (bell), and once after opening if any is waiting. Reads on the writer thread. */
GPtrArray *fore_run_writer_take_answers (ForeRunWriter *self, GError **error);
GPtrArray *fore_run_writer_take_commands (ForeRunWriter *self, GError **error);
GPtrArray *fore_run_writer_take_messages (ForeRunWriter *self, GError **error);

/* Commits what is queued, checkpoints, gives up the owner lock. */
gboolean fore_run_writer_close (ForeRunWriter *self, GError **error);

G_END_DECLS
