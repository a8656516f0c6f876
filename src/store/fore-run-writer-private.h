/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "platform/fore-lock.h"
#include "store/fore-committer.h"

G_BEGIN_DECLS

/* What the files of ForeRunWriter share. */
struct _ForeRunWriter
{
  GObject parent_instance;

  ForeStore *store;
  char *run_id;
  ForeLock *lock;
  ForeCommitter *committer; /* NULL once closed */
  ForeBatch *change;        /* what the dispatch that runs now has put */
  GSource *boundary;
  gint64 message_id;
  gint64 event_seq; /* of the last event that was put */
};

/* Hands over what was put since the last time, as one change. */
void fore_run_writer_push (ForeRunWriter *self);

G_END_DECLS
