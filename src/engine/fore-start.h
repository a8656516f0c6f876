/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-dispatch-trace.h"
#include "platform/fore-guard-client.h"

G_BEGIN_DECLS

/* Starts of guards: the system keeps whoever starts a process waiting until that runs, so that the
 * main loop starts none.
 */
void fore_start_async (ForeGuardHub *hub,
                       const ForeGuardLaunch *launch,
                       ForeDispatchTrace *trace,
                       GAsyncReadyCallback callback,
                       gpointer user_data);
ForeGuard *fore_start_finish (GAsyncResult *result, GError **error);

G_END_DECLS
