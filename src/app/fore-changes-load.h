/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-diff-doc.h"
#include "app/fore-job.h"
#include "store/fore-store.h"

G_BEGIN_DECLS

/* What a run or a task changed, read off the main thread for a view of it. */
void fore_changes_query (gpointer owner,
                         ForeStore *store,
                         const char *run_id,
                         const char *task,
                         GCancellable *cancellable,
                         ForeJobDone done);

/* The same of one file, with all its lines, for who asked for them. */
void fore_changes_query_file (gpointer owner,
                              ForeStore *store,
                              const char *run_id,
                              const char *task,
                              const char *path,
                              GCancellable *cancellable,
                              ForeJobDone done);

G_END_DECLS
