/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/fore-batch.h"
#include "store/fore-store.h"

G_BEGIN_DECLS

/**
 * ForeRunIndexer:
 *
 * Keeps what the index says about one run up to date. Belongs to the thread that writes the run.
 * What a person waits for goes out at once, figures that only grow at most every 100 ms; an index
 * that somebody else holds is tried again and never waited for.
 */
typedef struct _ForeRunIndexer ForeRunIndexer;

ForeRunIndexer *fore_run_indexer_new (ForeStore *store, const char *run_id);
void fore_run_indexer_free (ForeRunIndexer *indexer);

void fore_run_indexer_load (ForeRunIndexer *indexer, ForeSql *run_file);
void fore_run_indexer_take (ForeRunIndexer *indexer, ForeBatch *batch);
gint64 fore_run_indexer_get_due (ForeRunIndexer *indexer);
gboolean fore_run_indexer_flush (ForeRunIndexer *indexer, gboolean now);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeRunIndexer, fore_run_indexer_free)

G_END_DECLS
