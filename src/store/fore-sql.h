/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>
#include <sqlite3.h>

G_BEGIN_DECLS

typedef enum
{
  FORE_SQL_READ,   /* an existing file, read-only */
  FORE_SQL_WRITE,  /* an existing file */
  FORE_SQL_CREATE, /* made with mode 0600 where it is missing */
} ForeSqlMode;

/**
 * ForeSql:
 *
 * One connection to one SQLite file with its prepared statements. Errors are #FORE_ERROR and name
 * the file. Only one thread at a time may use it.
 */
typedef struct _ForeSql ForeSql;

ForeSql *fore_sql_open (const char *path, ForeSqlMode mode, GError **error);
void fore_sql_free (ForeSql *sql);
const char *fore_sql_get_path (ForeSql *sql);
sqlite3 *fore_sql_get_db (ForeSql *sql);

sqlite3_stmt *fore_sql_get (ForeSql *sql, const char *text, GError **error);
gboolean fore_sql_step (ForeSql *sql, sqlite3_stmt *stmt, gboolean *row, GError **error);
gboolean fore_sql_run (ForeSql *sql, sqlite3_stmt *stmt, GError **error);
gboolean fore_sql_exec (ForeSql *sql, const char *text, GError **error);
gboolean fore_sql_get_int (ForeSql *sql, const char *text, gint64 *value, GError **error);

gboolean fore_sql_begin (ForeSql *sql, GError **error);
gboolean fore_sql_begin_read (ForeSql *sql, GError **error);
gboolean fore_sql_commit (ForeSql *sql, GError **error);
void fore_sql_rollback (ForeSql *sql);

gboolean fore_sql_sync (ForeSql *sql, GError **error);
gboolean fore_sql_checkpoint (ForeSql *sql, gboolean truncate, GError **error);
void fore_sql_manage_checkpoints (ForeSql *sql);
guint fore_sql_get_wal_pages (ForeSql *sql);
void fore_sql_set_error (ForeSql *sql, int rc, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeSql, fore_sql_free)

G_END_DECLS
