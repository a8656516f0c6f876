/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/fore-store.h"

G_BEGIN_DECLS

/**
 * ForeRunner:
 *
 * Carries out one run from where its file says it stands: takes the run's lock, follows on what an
 * earlier runner left, dispatches, takes up what people want, and ends when the run has finished or
 * when for a while only people could make it go on. Signal `done`: everything is durable and the
 * lock is free.
 */
#define FORE_TYPE_RUNNER (fore_runner_get_type ())
G_DECLARE_FINAL_TYPE (ForeRunner, fore_runner, FORE, RUNNER, GObject)

ForeRunner *fore_runner_new (ForeStore *store, const char *run_id);
gboolean fore_runner_start (ForeRunner *self, GError **error);
void fore_runner_stop (ForeRunner *self);
void fore_runner_cancel (ForeRunner *self);
gboolean fore_runner_has_input (ForeRunner *self);

G_END_DECLS
