/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-request-item.h"
#include "app/fore-run-item.h"
#include "store/fore-store.h"

G_BEGIN_DECLS

#define FORE_TYPE_INDEX (fore_index_get_type ())

/**
 * ForeIndex:
 *
 * The runs and requests of this machine as lists that follow the store.
 *
 * Property "n-open": open requests. Signals: "changed"; "request-opened" (ForeRequestItem) for
 * those that came after the first look; "request-closed" (const char *id); "failed" (GError *).
 */
G_DECLARE_FINAL_TYPE (ForeIndex, fore_index, FORE, INDEX, GObject)

ForeIndex *fore_index_new (ForeStore *store);
void fore_index_start (ForeIndex *self);
GListModel *fore_index_get_runs (ForeIndex *self);
GListModel *fore_index_get_requests (ForeIndex *self);
GListModel *fore_index_get_answered (ForeIndex *self);
ForeRunItem *fore_index_find_run (ForeIndex *self, const char *run_id);
ForeRequestItem *fore_index_find_request (ForeIndex *self, const char *request_id);
guint fore_index_get_n_open (ForeIndex *self);
guint fore_index_get_n_active (ForeIndex *self);
gboolean fore_index_is_loaded (ForeIndex *self);
void fore_index_check_owners (ForeIndex *self);

G_END_DECLS
