/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-scheduler.h"

G_BEGIN_DECLS

/**
 * ForeFinisher:
 *
 * The end of a run: the integration branch, and what the person makes of it (merge, discard).
 * Signal `finished`: the run is in its last status, durably.
 */
#define FORE_TYPE_FINISHER (fore_finisher_get_type ())
G_DECLARE_FINAL_TYPE (ForeFinisher, fore_finisher, FORE, FINISHER, GObject)

ForeFinisher *fore_finisher_new (const ForeAttemptServices *services, ForeScheduler *scheduler);
void fore_finisher_finish_run (ForeFinisher *self);
void fore_finisher_set_favor (ForeFinisher *self, ForeMergeFavor favor);
void fore_finisher_stop (ForeFinisher *self);
gboolean fore_finisher_is_busy (ForeFinisher *self);
gboolean fore_finisher_has_work (ForeFinisher *self);

/* @command: (transfer full): a merge or discard command; finishes it. */
void fore_finisher_merge (ForeFinisher *self, ForeCommand *command);
void fore_finisher_discard (ForeFinisher *self, ForeCommand *command);

G_END_DECLS
