/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/fore-column.h"
#include "store/fore-sql.h"

G_BEGIN_DECLS

/**
 * ForeTable:
 * @name: table
 * @key: column or columns of its primary key
 * @row_type: what a row is
 * @stamp: (nullable): a further column that the structure does not have and the store counts up
 *
 * A table whose rows are structures of the model.
 */
typedef struct
{
  const char *name;
  const char *key;
  const ForeRowType *row_type;
  const char *stamp;
} ForeTable;

extern const ForeTable fore_table_run;
extern const ForeTable fore_table_tasks;
extern const ForeTable fore_table_attempts;
extern const ForeTable fore_table_plans;
extern const ForeTable fore_table_requests;
extern const ForeTable fore_table_answers;
extern const ForeTable fore_table_commands;
extern const ForeTable fore_table_messages;
extern const ForeTable fore_table_events;
extern const ForeTable fore_table_index_runs;
extern const ForeTable fore_table_index_requests;

gboolean fore_table_put (
    const ForeTable *table, ForeSql *sql, gconstpointer row, guint64 stamp, GError **error);
gboolean fore_table_insert (
    const ForeTable *table, ForeSql *sql, gconstpointer row, guint64 stamp, GError **error);
sqlite3_stmt *
fore_table_select (const ForeTable *table, ForeSql *sql, const char *rest, GError **error);
gpointer fore_table_read (const ForeTable *table, ForeSql *sql, sqlite3_stmt *stmt, GError **error);
GPtrArray *
fore_table_read_all (const ForeTable *table, ForeSql *sql, sqlite3_stmt *stmt, GError **error);
gboolean fore_table_read_one (
    const ForeTable *table, ForeSql *sql, sqlite3_stmt *stmt, gpointer *row, GError **error);

G_END_DECLS
