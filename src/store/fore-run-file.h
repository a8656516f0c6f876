/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/fore-run-reader.h"
#include "store/fore-sql.h"

G_BEGIN_DECLS

/* A run's run.db: opening it and reading it, for all who do. */
ForeSql *
fore_run_file_open (ForeStore *store, const char *run_id, ForeSqlMode mode, GError **error);
ForeSql *
fore_run_file_open_at (const char *home, const char *run_id, ForeSqlMode mode, GError **error);
gboolean fore_run_file_next_rev (ForeSql *sql, guint64 *rev, GError **error);

/**
 * ForeRunView:
 * @FORE_RUN_VIEW_OWNER: requests as the owner left them
 * @FORE_RUN_VIEW_OTHERS: requests that have an answer count as answered
 */
typedef enum
{
  FORE_RUN_VIEW_OWNER,
  FORE_RUN_VIEW_OTHERS,
} ForeRunView;

ForeRunDelta *fore_run_file_read (ForeSql *sql,
                                  ForeRunView view,
                                  guint64 after_rev,
                                  gint64 after_seq,
                                  guint max_events,
                                  GError **error);
gboolean fore_run_file_read_request (
    ForeSql *sql, ForeRunView view, const char *request_id, ForeRequest **request, GError **error);
gboolean fore_run_file_read_answer (ForeSql *sql,
                                    const char *request_id,
                                    ForeAnswer **answer,
                                    GError **error);
gboolean fore_run_file_read_day_costs (ForeSql *sql, GHashTable *days, GError **error);

G_END_DECLS
