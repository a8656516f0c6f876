/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "model/fore-request.h"
#include "model/fore-run.h"
#include "store/fore-sql.h"

G_BEGIN_DECLS

/* The statements of the small index over all runs (foredeck.db). Each works on a connection to it;
 * those that write want a transaction around them.
 */
gboolean fore_index_put_run (ForeSql *sql, const ForeRun *run, GError **error);
gboolean fore_index_put_request (ForeSql *sql, const ForeRequest *request, GError **error);
gboolean fore_index_answer_request (ForeSql *sql, const ForeAnswer *answer, GError **error);
gboolean fore_index_put_day_cost (
    ForeSql *sql, const char *day, const char *run, gint64 cost, GError **error);
gboolean fore_index_add_project (ForeSql *sql, const char *path, GError **error);
gboolean fore_index_set_trusted (ForeSql *sql, const char *path, gboolean trusted, GError **error);
gboolean fore_index_remove_run (ForeSql *sql, const char *run_id, GError **error);
gboolean fore_index_clear (ForeSql *sql, GError **error);

gboolean fore_index_request_is_kept (const ForeRequest *request);
char *fore_index_dup_day (gint64 us);

GPtrArray *fore_index_list_runs (ForeSql *sql,
                                 const char *project,
                                 const char *status,
                                 guint limit,
                                 guint offset,
                                 GError **error);
gboolean fore_index_get_run (ForeSql *sql, const char *run_id, ForeRun **run, GError **error);
GPtrArray *fore_index_list_requests (ForeSql *sql, gboolean open_only, GError **error);
GPtrArray *fore_index_list_requests_since (ForeSql *sql, gint64 answered, GError **error);
GPtrArray *fore_index_list_projects (ForeSql *sql, GError **error);
GPtrArray *
fore_index_find_ids (ForeSql *sql, gboolean requests, const char *prefix, GError **error);
gint64 fore_index_get_day_cost (ForeSql *sql, const char *day, GError **error);
gboolean fore_index_is_trusted (ForeSql *sql, const char *path);
char *fore_index_dup_mark (ForeSql *sql, guint page_size, gint64 answered, GError **error);

G_END_DECLS
