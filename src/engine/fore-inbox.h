/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-finisher.h"
#include "engine/fore-goal-loop.h"
#include "engine/fore-planner.h"
#include "engine/fore-scheduler.h"

G_BEGIN_DECLS

/**
 * ForeInbox:
 *
 * Takes up what other processes wrote for the run: answers, commands, messages; and opens the
 * requests of tasks that need a person.
 */
#define FORE_TYPE_INBOX (fore_inbox_get_type ())
G_DECLARE_FINAL_TYPE (ForeInbox, fore_inbox, FORE, INBOX, GObject)

ForeInbox *fore_inbox_new (const ForeAttemptServices *services,
                           ForeScheduler *scheduler,
                           ForePlanner *planner,
                           ForeGoalLoop *goals,
                           ForeFinisher *finisher);
void fore_inbox_take (ForeInbox *self);

G_END_DECLS
