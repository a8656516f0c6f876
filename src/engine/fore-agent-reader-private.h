/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-agent-reader.h"

#include "engine/fore-agent-reading.h"
#include "store/fore-capture-beat.h"
#include "store/fore-capture.h"

G_BEGIN_DECLS

/* How news from the thread of the captures reach the reader, if it is still there. */
typedef struct
{
  gatomicrefcount ref_count;
  ForeAgentReader *reader; /* of the main context */
} ForeAgentReaderLink;

/* What the files of ForeAgentReader share. */
struct _ForeAgentReader
{
  GObject parent_instance;

  char *path;
  const char *cli;
  gboolean prompted; /* its prompt belongs to what it did */
  ForeCaptureBeat *beat;
  ForeAgentReaderLink *link;
  guint timer;
  gboolean reading;
  gboolean again;
  GTask *finish;
  gboolean nothing; /* was printed, says the guard */

  /* Shared with the thread that reads; only one reads at a time. */
  GMutex mutex;
  ForeDecoder *decoder;
  ForeCapture *capture;
  ForeAgentReplay replay;
  ForeAgentReading *told; /* the last that was news */

  gint64 last_activity; /* atomic */
  gint64 last_read;
  guint tools_running;
  guint turns;
  gboolean settled;
  ForeUsage usage;
  char *session;
  char *model;
  ForeTakenUp taken_up;
  char *anew_reason;
};

G_END_DECLS
