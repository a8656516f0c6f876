/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "platform/fore-watch.h"
#include "store/fore-committer.h"
#include "store/fore-owner-link.h"
#include "store/fore-run-indexer.h"
#include "store/fore-run-inputs.h"

G_BEGIN_DECLS

typedef struct
{
  guint64 after; /* change that must be durable */
  GTask *task;
} ForeBarrier;

struct _ForeCommitter
{
  ForeOwnerLink *link;
  ForeStore *store;
  GThread *thread;

  GMutex mutex;
  GCond cond;
  /* guarded by mutex */
  GQueue changes;    /* ForeBatch, each one change */
  guint n_queued;    /* writes in changes */
  guint64 queued;    /* number of the last change that was pushed */
  guint64 committed; /* … that is in the file */
  guint64 synced;    /* … that is durable */
  guint64 wanted;    /* … that somebody waits for to be durable */
  gint64 first_at;   /* when the first of changes came */
  GQueue barriers;   /* ForeBarrier, in order */
  GError *error;     /* why it is stuck */
  gboolean stopping;
  ForeRunInputs pending;
  ForeWriterFigures figures;

  /* of the thread */
  GMainContext *context;
  GSource *timer;
  ForeWatch *watch;
  ForeSql *sql;
  ForeRunIndexer *indexer;
  ForeRunInputs inputs;
  ForeBatch *batch; /* being written, or could not be */
  guint64 batch_end;
  gint64 seq;
  gint64 last_commit;
  gint64 last_look;
  gboolean look;
};

/* Of the thread: @data is the committer. */
gpointer fore_committer_run (gpointer data);

G_END_DECLS
