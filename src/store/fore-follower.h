/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/fore-run-reader.h"

G_BEGIN_DECLS

/**
 * ForeFollower:
 *
 * Follows either one run's file or the index: wakes on the bell (with a 2 s poll as a net), reads
 * what changed on a worker thread and hands it over on the main context that made it. No full
 * reload, ever. Signals:
 *
 * - `run-changed` (ForeRunDelta *): for a run's follower; first with everything, then differences;
 *   events come too if it was made with @with_events (at most 4,096 at a time). Valid while the
 *   signal is emitted; its lists may be referenced for longer, the run copied.
 * - `index-changed` (GPtrArray *runs, GPtrArray *requests): for the index' follower: one page of
 *   runs (ForeRun with counts, newest first) and all open requests plus those answered today; only
 *   emitted when something in it changed.
 * - `failed` (GError *): the file could not be read; following goes on.
 */
#define FORE_TYPE_FOLLOWER (fore_follower_get_type ())
G_DECLARE_FINAL_TYPE (ForeFollower, fore_follower, FORE, FOLLOWER, GObject)

ForeFollower *
fore_follower_new_for_run (ForeStore *store, const char *run_id, gboolean with_events);
ForeFollower *fore_follower_new_for_index (ForeStore *store, guint page_size);
void fore_follower_start (ForeFollower *self);
void fore_follower_stop (ForeFollower *self);

G_END_DECLS
