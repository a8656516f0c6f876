/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-attempt-job.h"

G_BEGIN_DECLS

/**
 * ForeConflictWatch:
 *
 * Looks, while agents work in trees of their own, which of their changes will not fit together, and
 * says so as an event of the run: for each pair of tasks when it begins, changes and ends. A look
 * is in the git pool; between two it rests for a second at most, or twice what a dear one cost.
 */
#define FORE_TYPE_CONFLICT_WATCH (fore_conflict_watch_get_type ())
G_DECLARE_FINAL_TYPE (ForeConflictWatch, fore_conflict_watch, FORE, CONFLICT_WATCH, GObject)

ForeConflictWatch *fore_conflict_watch_new (const ForeAttemptServices *services);
void fore_conflict_watch_look (ForeConflictWatch *self);
void fore_conflict_watch_stop (ForeConflictWatch *self);

G_END_DECLS
