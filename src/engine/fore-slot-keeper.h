/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-run-context.h"
#include "engine/fore-run-state.h"

G_BEGIN_DECLS

typedef enum
{
  FORE_SLOT_POOL_AGENTS,
  FORE_SLOT_POOL_COMMANDS,
  FORE_N_SLOT_POOLS
} ForeSlotPool;

ForeSlotPool fore_slot_pool_for_task (const ForeTask *task);

/**
 * ForeSlotKeeper:
 *
 * Who may work at the same time: counts per run, team, role and agent CLI, and the machine's slots.
 * Signal `freed`: a machine slot may have become free.
 */
#define FORE_TYPE_SLOT_KEEPER (fore_slot_keeper_get_type ())
G_DECLARE_FINAL_TYPE (ForeSlotKeeper, fore_slot_keeper, FORE, SLOT_KEEPER, GObject)

ForeSlotKeeper *fore_slot_keeper_new (ForeRunContext *context, ForeRunState *state);
GPtrArray *fore_slot_keeper_take (ForeSlotKeeper *self, const ForeTask *task, char **reason);
void fore_slot_keeper_end_round (ForeSlotKeeper *self, ForeSlotPool pool, gboolean refused);
gboolean fore_slot_keeper_is_full (ForeSlotKeeper *self, ForeSlotPool pool);
void fore_slot_keeper_count (ForeSlotKeeper *self, const ForeTask *task);
void fore_slot_keeper_give_back (ForeSlotKeeper *self, const ForeTask *task);

G_END_DECLS
