/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/fore-batch.h"
#include "store/fore-run-writer.h"

G_BEGIN_DECLS

/**
 * ForeCommitter:
 *
 * The thread of a #ForeRunWriter: takes changes, commits them in groups, makes them durable when
 * somebody waits for that, keeps the index and the bell up to date and looks for what others wrote.
 * Signals of the writer are emitted on the context that it was made for.
 */
typedef struct _ForeCommitter ForeCommitter;

#define FORE_COMMITTER_MAX_GROUP 4096
#define FORE_COMMITTER_MAX_QUEUED (4 * FORE_COMMITTER_MAX_GROUP)
#define FORE_COMMITTER_BEHIND (FORE_COMMITTER_MAX_QUEUED / 2)

ForeCommitter *fore_committer_new (ForeRunWriter *writer,
                                   ForeStore *store,
                                   const char *run_id,
                                   ForeSql *sql,
                                   gint64 seq,
                                   GMainContext *context);
void fore_committer_push (ForeCommitter *self, ForeBatch *change);
void fore_committer_barrier_async (ForeCommitter *self, GTask *task);
gboolean fore_committer_barrier (ForeCommitter *self, GError **error);
gboolean fore_committer_has_failed (ForeCommitter *self);
void fore_committer_retry (ForeCommitter *self);
GPtrArray *fore_committer_take_answers (ForeCommitter *self);
GPtrArray *fore_committer_take_commands (ForeCommitter *self);
GPtrArray *fore_committer_take_messages (ForeCommitter *self);
gboolean fore_committer_is_behind (ForeCommitter *self);
void fore_committer_get_figures (ForeCommitter *self, ForeWriterFigures *figures);
void fore_committer_stop (ForeCommitter *self);
gboolean fore_committer_close (ForeCommitter *self, GError **error);

G_END_DECLS
