/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-job.h"
#include "store/fore-run-reader.h"

G_BEGIN_DECLS

void fore_run_query_read (gpointer owner,
                          ForeStore *store,
                          const char *run_id,
                          GCancellable *cancellable,
                          ForeJobDone done);

G_END_DECLS
