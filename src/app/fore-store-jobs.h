/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-job.h"
#include "store/fore-store.h"

G_BEGIN_DECLS

/* What the application asks of the store and its folder, each in a worker thread. */

void fore_store_jobs_open (gpointer owner, ForeJobDone done);
void
fore_store_jobs_find_run (gpointer owner, ForeStore *store, const char *prefix, ForeJobDone done);
void fore_store_jobs_list_crashes (gpointer owner, ForeStore *store, ForeJobDone done);
void fore_store_jobs_measure_space (gpointer owner, ForeStore *store, ForeJobDone done);

G_END_DECLS
