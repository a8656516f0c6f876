/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-run-context.h"
#include "engine/fore-run-state.h"

G_BEGIN_DECLS

/**
 * ForeHooks:
 *
 * Calls the hooks of a run: those that are told what happened one after the other, in the order of
 * the events and then of the settings, each after its event is durable and at most once, by the
 * next runner if need be; those that block before what they are asked about. Each outcome is an
 * event. Signals:
 *
 * - `idle`: nothing is left to be told
 *
 * One thread only; commands run in a pool.
 */
#define FORE_TYPE_HOOKS (fore_hooks_get_type ())
G_DECLARE_FINAL_TYPE (ForeHooks, fore_hooks, FORE, HOOKS, GObject)

ForeHooks *fore_hooks_new (ForeStore *store, ForeRunState *state, ForeRunContext *context);
gboolean fore_hooks_is_busy (ForeHooks *self);
gboolean fore_hooks_can_block (ForeHooks *self);

void fore_hooks_ask_async (ForeHooks *self,
                           const ForeTask *task,
                           const char *tree,
                           GAsyncReadyCallback callback,
                           gpointer user_data);
gboolean fore_hooks_ask_finish (ForeHooks *self, GAsyncResult *result, GError **error);

G_END_DECLS
