/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "library/fore-settings.h"
#include "store/fore-store.h"

G_BEGIN_DECLS

/**
 * ForeMachineWatch:
 *
 * Looks every few seconds, in a thread, whether this machine lets a run start anything new: free
 * disk space and what all runs cost today. Signal `changed`: the reason is another one.
 */
#define FORE_TYPE_MACHINE_WATCH (fore_machine_watch_get_type ())
G_DECLARE_FINAL_TYPE (ForeMachineWatch, fore_machine_watch, FORE, MACHINE_WATCH, GObject)

ForeMachineWatch *fore_machine_watch_new (ForeStore *store, ForeSettings *settings);
const char *fore_machine_watch_get_reason (ForeMachineWatch *self);
gboolean fore_machine_watch_is_halting (ForeMachineWatch *self);

gboolean fore_machine_check (ForeStore *store, ForeSettings *settings, GError **error);

G_END_DECLS
