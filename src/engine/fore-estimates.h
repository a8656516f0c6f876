/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "model/fore-task.h"
#include "store/fore-measures.h"
#include "store/fore-store.h"

G_BEGIN_DECLS

/**
 * ForeEstimates:
 *
 * What tasks take, learned from earlier runs in the same project: by workflow and step, else by
 * role, else all take equally long. The order in which tasks start depends on it, and what is said
 * before a start.
 */
typedef struct _ForeEstimates ForeEstimates;

ForeEstimates *fore_estimates_load (ForeStore *store, const char *project, const char *workflow);
void fore_estimates_free (ForeEstimates *estimates);

const ForeMeasure *fore_estimates_find (ForeEstimates *estimates, const ForeTask *task);
const ForeMeasure *fore_estimates_find_run (ForeEstimates *estimates, const char *workflow);
gint64 fore_estimates_get (ForeEstimates *estimates, const ForeTask *task);
void fore_estimates_learn_async (ForeEstimates *estimates,
                                 ForeStore *store,
                                 GPtrArray *tasks,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data);
gboolean fore_estimates_learn_finish (GAsyncResult *result, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeEstimates, fore_estimates_free)

G_END_DECLS
