/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/fore-run-reader.h"

G_BEGIN_DECLS

/**
 * ForeRunWriter:
 *
 * The one owner of a run's file, for as long as it lives: it holds `owner.lock`. What is put is
 * copied, queued and committed by a thread of its own, all that is queued in one transaction
 * (at most 20 ms after the first, at most 4,096 changes), so that rows and the events that explain
 * them never disagree: all that is put within one dispatch of the main context in which the writer
 * was opened is one change and becomes visible as a whole. (Where that context does not run, what
 * is put waits for a barrier, for close or for 4,096 of it.) Only the thread that opened it may
 * call it. The queue is bounded: a put that finds it full waits for the writer.
 *
 * A write that fails makes the writer stick: puts are kept but not committed, the
 * #ForeRunWriter::failed signal is emitted on the main context with the error (disk full, I/O
 * error) and fore_run_writer_retry() tries again.
 */
#define FORE_TYPE_RUN_WRITER (fore_run_writer_get_type ())
G_DECLARE_FINAL_TYPE (ForeRunWriter, fore_run_writer, FORE, RUN_WRITER, GObject)

/**
 * ForeWriterFigures:
 * @n_rows: rows and events that were committed
 * @n_events: events among them
 * @n_commits: transactions that they went into
 * @n_barriers: how often somebody waited until what was put is durable
 * @n_syncs: syncs that served them
 * @sync_us: time of all syncs
 * @worst_sync_us: of the longest
 * @most_queued: the most that ever waited for the thread
 *
 * What a writer did so far.
 */
typedef struct
{
  guint64 n_rows;
  guint64 n_events;
  guint64 n_commits;
  guint64 n_barriers;
  guint64 n_syncs;
  gint64 sync_us;
  gint64 worst_sync_us;
  guint most_queued;
} ForeWriterFigures;

/* Makes runs/<id>/ with run.db holding @run, @tasks and @events, durably, without owning it. */
gboolean fore_run_writer_create (
    ForeStore *store, const ForeRun *run, GPtrArray *tasks, GPtrArray *events, GError **error);

/* Takes the owner lock; FORE_ERROR_BUSY names the owner. */
ForeRunWriter *fore_run_writer_open (ForeStore *store, const char *run_id, GError **error);

/* What a new owner starts from: as fore_run_read() with everything, but requests are as the last
 * owner left them: one with an answer that nobody has taken up is still open, and the answer comes
 * by fore_run_writer_take_answers(). (fore_run_read() shows it as answered, except in the process
 * and #ForeStore that own the run.) Blocking. */
ForeRunDelta *fore_run_writer_load (ForeRunWriter *self, guint max_events, GError **error);

void fore_run_writer_put_run (ForeRunWriter *self, const ForeRun *run);
void fore_run_writer_put_task (ForeRunWriter *self, const ForeTask *task);
void fore_run_writer_put_attempt (ForeRunWriter *self, const ForeAttempt *attempt);
void fore_run_writer_put_plan (ForeRunWriter *self, const ForePlan *plan);
void fore_run_writer_put_request (ForeRunWriter *self, const ForeRequest *request);
void fore_run_writer_put_command (ForeRunWriter *self, const ForeCommand *command);
void fore_run_writer_put_message (ForeRunWriter *self, const ForeMessage *message);
gint64 fore_run_writer_put_event (ForeRunWriter *self, const ForeEvent *event);

/* An id for a message that the owner writes itself. One put with id 0 gets one silently. */
gint64 fore_run_writer_next_message_id (ForeRunWriter *self);

/* Reports once everything put before is durable (full fsync). Completes in the thread-default main
 * context of the caller. Barriers waiting together share one commit. */
void fore_run_writer_barrier_async (ForeRunWriter *self,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);
gboolean fore_run_writer_barrier_finish (ForeRunWriter *self, GAsyncResult *result, GError **error);
gboolean fore_run_writer_barrier (ForeRunWriter *self, GError **error);

/* Whether a write failed; barriers then fail at once with its error until a retry succeeded. */
gboolean fore_run_writer_has_failed (ForeRunWriter *self);
void fore_run_writer_retry (ForeRunWriter *self);

/* #ForeRunWriter::input is emitted on the opening main context when another process wrote an
 * answer, command or message (bell), and once after opening if any is waiting. What was read (on
 * the writer thread) is handed over once per owner by these, oldest first: (element-type
 * ForeAnswer), ForeCommand, ForeMessage; never NULL. What an owner did not settle before it died
 * comes again to the next one: answers of requests that are still open, commands and messages still
 * queued. */
GPtrArray *fore_run_writer_take_answers (ForeRunWriter *self, GError **error);
GPtrArray *fore_run_writer_take_commands (ForeRunWriter *self, GError **error);
GPtrArray *fore_run_writer_take_messages (ForeRunWriter *self, GError **error);

/* Whether so much waits to be written that whoever can should put less. */
gboolean fore_run_writer_is_behind (ForeRunWriter *self);
void fore_run_writer_get_figures (ForeRunWriter *self, ForeWriterFigures *figures);

/* Commits what is queued, checkpoints, gives up the owner lock. Nothing may be put after it. */
gboolean fore_run_writer_close (ForeRunWriter *self, GError **error);
void
fore_run_writer_close_async (ForeRunWriter *self, GAsyncReadyCallback callback, gpointer user_data);
gboolean fore_run_writer_close_finish (ForeRunWriter *self, GAsyncResult *result, GError **error);

G_END_DECLS
