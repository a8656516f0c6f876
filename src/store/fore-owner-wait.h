/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "platform/fore-process.h"
#include "store/fore-store.h"

G_BEGIN_DECLS

/* Waits, at most until @deadline on the boot clock in µs, until somebody owns the run, or nobody
 * any more; or until @process, if there is one, has ended. Blocks. */
gboolean fore_owner_wait (ForeStore *store,
                          const char *run_id,
                          gboolean owned,
                          const ForeProcessId *process,
                          gint64 deadline);

G_END_DECLS
