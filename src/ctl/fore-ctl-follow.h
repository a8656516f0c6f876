/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ctl/fore-ctl.h"

G_BEGIN_DECLS

/**
 * ForeCtlFollowFlags:
 * @FORE_CTL_FOLLOW_EVENTS: print every event
 * @FORE_CTL_FOLLOW_PROGRESS: print the events that a person wants to see go by
 * @FORE_CTL_FOLLOW_KEEP_WAITING: go on while nothing but an open request holds the run up
 */
typedef enum
{
  FORE_CTL_FOLLOW_QUIETLY = 0,
  FORE_CTL_FOLLOW_EVENTS = 1 << 0,
  FORE_CTL_FOLLOW_PROGRESS = 1 << 1,
  FORE_CTL_FOLLOW_KEEP_WAITING = 1 << 2,
} ForeCtlFollowFlags;

/* How a run that was followed stands: the exit code that says so. */
typedef enum
{
  FORE_CTL_RUN_COMPLETED = 0,
  FORE_CTL_RUN_FAILED = 1,
  FORE_CTL_RUN_WAITS = 3,
  FORE_CTL_RUN_CANCELLED = 130,
} ForeCtlRunEnd;

gboolean fore_ctl_follow_run (ForeCtl *ctl,
                              const char *run_id,
                              ForeCtlFollowFlags flags,
                              gint64 *seq,
                              gint64 timeout_ms,
                              ForeCtlRunEnd *end,
                              GError **error);

/* Calls @func on every signal that asks to stop, in the default main context; the source is the
 * caller's to remove. */
void fore_ctl_watch_interrupt (GSourceFunc func, gpointer user_data, guint sources[2]);
void fore_ctl_unwatch_interrupt (guint sources[2]);

G_END_DECLS
