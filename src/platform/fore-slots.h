/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "platform/fore-watch.h"

G_BEGIN_DECLS

#define FORE_POOL_AGENTS "agents"
#define FORE_POOL_COMMANDS "commands"

/**
 * ForeSlot:
 *
 * A place at work on this machine, held by an open descriptor. Handed to a guard the place stays
 * taken until the guard ends its tree or dies.
 */
typedef struct _ForeSlot ForeSlot;

/* NULL without an error: all @limit slots of the pool are taken. */
ForeSlot *fore_slot_try (const char *home, const char *pool, guint limit, GError **error);
int fore_slot_get_fd (ForeSlot *slot);
guint fore_slot_get_index (ForeSlot *slot);
/* Closes our copy only: what a guard was given stays held. */
void fore_slot_free (ForeSlot *slot);
/* Gives the place back now, whoever else has a copy, and wakes those who wait for one. */
void fore_slot_release (ForeSlot *slot);

guint fore_slots_count_used (const char *home, const char *pool, guint limit);
/* Calls when a slot of the pool may have become free. A guard that was killed wakes nobody: try
 * again every second or so too.
 */
ForeWatch *fore_slots_watch (const char *home,
                             const char *pool,
                             ForeWatchFunc func,
                             gpointer user_data,
                             GMainContext *context,
                             GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeSlot, fore_slot_free)

G_END_DECLS
