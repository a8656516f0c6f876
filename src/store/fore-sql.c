/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store/fore-sql.h"

#include "model/fore-error.h"
#include "platform/fore-files.h"
#include "platform/fore-stall.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <unistd.h>

#define BUSY_TIMEOUT_MS 5000
#define COPY_SIZE (64 * 1024)

struct _ForeSql
{
  sqlite3 *db;
  char *path;
  GHashTable *stmts; /* text (by address) -> sqlite3_stmt */
  guint wal_pages;
  gboolean sync_failed;
};

static gboolean
is_full (int rc, int system_error)
{
  if ((rc & 0xff) == SQLITE_FULL)
    return TRUE;

  return (rc & 0xff) == SQLITE_IOERR && (system_error == ENOSPC || system_error == EDQUOT);
}

static void
set_error (const char *path, int rc, int system_error, const char *message, GError **error)
{
  if (is_full (rc, system_error))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_NO_SPACE,
                   _ ("The disk that holds “%s” is full; free some space and try again."), path);
      return;
    }

  switch (rc & 0xff)
    {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      g_set_error (error, FORE_ERROR, FORE_ERROR_BUSY,
                   _ ("“%s” is in use by another program for too long; try again."), path);
      break;

    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
                   _ ("“%s” is damaged (%s); run “foredeckctl doctor --check-store”."), path,
                   message);
      break;

    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_CANTOPEN:
      g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
                   _ ("“%s” cannot be opened or written (%s); check its permissions and its disk."),
                   path, message);
      break;

    case SQLITE_IOERR:
      g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
                   _ ("“%s” cannot be read or written (%s: %s); check its disk."), path, message,
                   g_strerror (system_error));
      break;

    default:
      g_set_error (error, FORE_ERROR, FORE_ERROR_FAILED, _ ("“%s” did not take a change (%s)."),
                   path, message);
      break;
    }
}

/* SQLite gives new files the mode of the umask; the -wal and -shm files take that of the file. */
static gboolean
ensure_file (const char *path, GError **error)
{
  int fd = g_open (path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

  if (fd < 0)
    {
      int saved = errno;

      if (saved == ENOSPC || saved == EDQUOT)
        set_error (path, SQLITE_FULL, saved, "", error);
      else
        set_error (path, SQLITE_CANTOPEN, saved, g_strerror (saved), error);
      return FALSE;
    }

  return g_close (fd, error);
}

static int
note_wal (void *user_data, sqlite3 *db, const char *name, int pages)
{
  ForeSql *sql = user_data;

  sql->wal_pages = pages;

  return SQLITE_OK;
}

static gboolean
configure (ForeSql *sql, ForeSqlMode mode, GError **error)
{
  sqlite3_extended_result_codes (sql->db, 1);
  sqlite3_busy_timeout (sql->db, BUSY_TIMEOUT_MS);
  sqlite3_db_config (sql->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config (sql->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);

  if (mode == FORE_SQL_READ)
    return TRUE;

  return fore_sql_exec (sql,
                        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                        "PRAGMA fullfsync = ON; PRAGMA foreign_keys = ON",
                        error);
}

/**
 * fore_sql_open:
 * @path: the file
 * @mode: how to open it
 * @error: return location
 *
 * Commits are durable (synchronous=FULL) unless the caller changes that.
 *
 * Returns: (transfer full) (nullable): a connection, %NULL on an error
 */
ForeSql *
fore_sql_open (const char *path, ForeSqlMode mode, GError **error)
{
  g_autoptr (ForeSql) sql = NULL;
  int flags = SQLITE_OPEN_NOMUTEX;
  int rc;

  g_return_val_if_fail (path != NULL, NULL);

  if (mode == FORE_SQL_CREATE && !ensure_file (path, error))
    return NULL;

  sql = g_new0 (ForeSql, 1);
  sql->path = g_strdup (path);
  sql->stmts = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) (void *) sqlite3_finalize);
  flags |= mode == FORE_SQL_READ ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
  rc = sqlite3_open_v2 (path, &sql->db, flags, NULL);
  if (rc != SQLITE_OK)
    {
      fore_sql_set_error (sql, rc, error);
      return NULL;
    }

  if (!configure (sql, mode, error))
    return NULL;

  return g_steal_pointer (&sql);
}

/**
 * fore_sql_free:
 * @sql: (nullable): a connection
 */
void
fore_sql_free (ForeSql *sql)
{
  if (sql == NULL)
    return;

  g_hash_table_unref (sql->stmts);
  sqlite3_close (sql->db);
  g_free (sql->path);
  g_free (sql);
}

/**
 * fore_sql_get_path:
 * @sql: a connection
 *
 * Returns: (transfer none): its file
 */
const char *
fore_sql_get_path (ForeSql *sql)
{
  return sql->path;
}

/**
 * fore_sql_get_db:
 * @sql: a connection
 *
 * Returns: (transfer none): SQLite's handle
 */
sqlite3 *
fore_sql_get_db (ForeSql *sql)
{
  return sql->db;
}

/**
 * fore_sql_set_error:
 * @sql: a connection
 * @rc: SQLite's result code
 * @error: return location
 *
 * Puts what SQLite said last into a sentence about the file.
 */
void
fore_sql_set_error (ForeSql *sql, int rc, GError **error)
{
  int system_error = sql->db != NULL ? sqlite3_system_errno (sql->db) : 0;
  const char *message = sql->db != NULL ? sqlite3_errmsg (sql->db) : sqlite3_errstr (rc);

  set_error (sql->path, rc, system_error, message, error);
}

/**
 * fore_sql_get:
 * @sql: a connection
 * @text: one statement; a literal or an interned string, known by its address
 * @error: return location
 *
 * Returns: (transfer none) (nullable): the prepared statement, reset and without bindings
 */
sqlite3_stmt *
fore_sql_get (ForeSql *sql, const char *text, GError **error)
{
  sqlite3_stmt *stmt = g_hash_table_lookup (sql->stmts, text);
  int rc;

  if (stmt != NULL)
    {
      sqlite3_reset (stmt);
      sqlite3_clear_bindings (stmt);
      return stmt;
    }

  rc = sqlite3_prepare_v3 (sql->db, text, -1, SQLITE_PREPARE_PERSISTENT, &stmt, NULL);
  if (rc != SQLITE_OK)
    {
      fore_sql_set_error (sql, rc, error);
      return NULL;
    }

  g_hash_table_insert (sql->stmts, (gpointer) text, stmt);
  return stmt;
}

/**
 * fore_sql_step:
 * @sql: a connection
 * @stmt: one of its statements
 * @row: (out): whether there is a row
 * @error: return location
 *
 * Resets @stmt when there are no more rows and on an error.
 *
 * Returns: %FALSE on an error
 */
gboolean
fore_sql_step (ForeSql *sql, sqlite3_stmt *stmt, gboolean *row, GError **error)
{
  int rc;

  fore_stall_blocks (sql->path);
  rc = sqlite3_step (stmt);
  *row = rc == SQLITE_ROW;
  if (rc == SQLITE_ROW)
    return TRUE;

  if (rc != SQLITE_DONE)
    fore_sql_set_error (sql, rc, error);

  sqlite3_reset (stmt);
  return rc == SQLITE_DONE;
}

/**
 * fore_sql_run:
 * @sql: a connection
 * @stmt: (nullable): one of its statements, without rows to read
 * @error: return location
 *
 * Returns: %FALSE on an error, or when @stmt is %NULL (so that a failed fore_sql_get() passes)
 */
gboolean
fore_sql_run (ForeSql *sql, sqlite3_stmt *stmt, GError **error)
{
  gboolean row;

  if (stmt == NULL || !fore_sql_step (sql, stmt, &row, error))
    return FALSE;

  if (row)
    sqlite3_reset (stmt);

  return TRUE;
}

/**
 * fore_sql_exec:
 * @sql: a connection
 * @text: statements
 * @error: return location
 *
 * Returns: %FALSE on an error
 */
gboolean
fore_sql_exec (ForeSql *sql, const char *text, GError **error)
{
  int rc;

  fore_stall_blocks (sql->path);
  rc = sqlite3_exec (sql->db, text, NULL, NULL, NULL);
  if (rc == SQLITE_OK)
    return TRUE;

  fore_sql_set_error (sql, rc, error);
  return FALSE;
}

/**
 * fore_sql_get_int:
 * @sql: a connection
 * @text: a query for one number; as for fore_sql_get()
 * @value: (out): the number, 0 where there is no row
 * @error: return location
 *
 * Returns: %FALSE on an error
 */
gboolean
fore_sql_get_int (ForeSql *sql, const char *text, gint64 *value, GError **error)
{
  sqlite3_stmt *stmt = fore_sql_get (sql, text, error);
  gboolean row;

  if (stmt == NULL || !fore_sql_step (sql, stmt, &row, error))
    return FALSE;

  *value = row ? sqlite3_column_int64 (stmt, 0) : 0;
  sqlite3_reset (stmt);

  return TRUE;
}

/**
 * fore_sql_begin:
 * @sql: a connection
 * @error: return location
 *
 * Begins a transaction that writes: from here on nobody else does.
 *
 * Returns: %FALSE on an error
 */
gboolean
fore_sql_begin (ForeSql *sql, GError **error)
{
  return fore_sql_run (sql, fore_sql_get (sql, "BEGIN IMMEDIATE", error), error);
}

/**
 * fore_sql_begin_read:
 * @sql: a connection
 * @error: return location
 *
 * Begins a transaction that reads: it sees one state of the file.
 *
 * Returns: %FALSE on an error
 */
gboolean
fore_sql_begin_read (ForeSql *sql, GError **error)
{
  return fore_sql_run (sql, fore_sql_get (sql, "BEGIN", error), error);
}

/**
 * fore_sql_commit:
 * @sql: a connection
 * @error: return location
 *
 * Returns: %FALSE on an error; the transaction is rolled back then
 */
gboolean
fore_sql_commit (ForeSql *sql, GError **error)
{
  if (fore_sql_run (sql, fore_sql_get (sql, "COMMIT", error), error))
    return TRUE;

  fore_sql_rollback (sql);
  return FALSE;
}

/**
 * fore_sql_rollback:
 * @sql: a connection
 *
 * Gives up the transaction if there is one.
 */
void
fore_sql_rollback (ForeSql *sql)
{
  if (!sqlite3_get_autocommit (sql->db))
    sqlite3_exec (sql->db, "ROLLBACK", NULL, NULL, NULL);
}

static gboolean
copy_onto_itself (int fd)
{
  g_autofree guint8 *bytes = g_malloc (COPY_SIZE);
  gssize length;
  gint64 at = 0;

  while ((length = fore_file_read_at (fd, bytes, COPY_SIZE, at)) > 0)
    {
      if (fore_file_write_at (fd, bytes, (gsize) length, at) != length)
        return FALSE;
      at += length;
    }

  return length == 0;
}

/* Linux takes what it could not write for written, and the next sync says so without trying. What
 * the log holds is therefore handed over once more, while nobody adds to it.
 */
static gboolean
write_log_again (ForeSql *sql, GError **error)
{
  g_autofree char *path = g_strconcat (sql->path, "-wal", NULL);
  gboolean done;
  int fd, code;

  if (!fore_sql_begin (sql, error))
    return FALSE;

  fd = g_open (path, O_RDWR | O_CLOEXEC, 0);
  done = fd >= 0 && copy_onto_itself (fd) && g_fsync (fd) == 0;
  code = errno;
  if (fd >= 0)
    close (fd);
  fore_sql_rollback (sql);
  if (!done)
    set_error (sql->path, SQLITE_IOERR, code, sqlite3_errstr (SQLITE_IOERR), error);

  return done;
}

/**
 * fore_sql_sync:
 * @sql: a connection
 * @error: return location
 *
 * Makes everything committed so far durable: what synchronous=FULL does within a commit. A file
 * that was removed takes writes without an error, but is none any more. After a sync that failed
 * the log is written again: Linux would not do it by itself.
 *
 * Returns: %FALSE on an error
 */
gboolean
fore_sql_sync (ForeSql *sql, GError **error)
{
  sqlite3_file *wal = NULL;
  int rc;

  if (g_access (sql->path, F_OK) != 0)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
                   _ ("“%s” was removed while it was in use; what is written now is lost."),
                   sql->path);
      return FALSE;
    }

  if (sql->sync_failed && !write_log_again (sql, error))
    return FALSE;
  sql->sync_failed = FALSE;

  rc = sqlite3_file_control (sql->db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &wal);
  if (rc == SQLITE_OK && wal != NULL && wal->pMethods != NULL)
    rc = wal->pMethods->xSync (wal, SQLITE_SYNC_FULL);

  if (rc == SQLITE_OK)
    return TRUE;

  sql->sync_failed = TRUE;
  set_error (sql->path, rc, errno, sqlite3_errstr (rc), error);
  return FALSE;
}

/**
 * fore_sql_checkpoint:
 * @sql: a connection
 * @truncate: whether to wait for readers and empty the log, instead of doing what is possible
 * @error: return location
 *
 * Returns: %FALSE on an error; a reader that is in the way is none
 */
gboolean
fore_sql_checkpoint (ForeSql *sql, gboolean truncate, GError **error)
{
  int mode = truncate ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE;
  int rc;

  if (sql->sync_failed && !write_log_again (sql, error))
    return FALSE;

  sql->sync_failed = FALSE;
  rc = sqlite3_wal_checkpoint_v2 (sql->db, NULL, mode, NULL, NULL);
  if (rc == SQLITE_OK || (rc & 0xff) == SQLITE_BUSY)
    {
      sql->wal_pages = 0;
      return TRUE;
    }

  sql->sync_failed |= rc == SQLITE_IOERR_FSYNC;
  fore_sql_set_error (sql, rc, error);
  return FALSE;
}

/**
 * fore_sql_manage_checkpoints:
 * @sql: a connection
 *
 * From here on SQLite checkpoints neither after a commit nor when the file is closed; commits count
 * the pages of the log.
 */
void
fore_sql_manage_checkpoints (ForeSql *sql)
{
  sqlite3_wal_hook (sql->db, note_wal, sql);
  sqlite3_db_config (sql->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
}

/**
 * fore_sql_get_wal_pages:
 * @sql: a connection that manages checkpoints
 *
 * Returns: pages in the log after the last commit
 */
guint
fore_sql_get_wal_pages (ForeSql *sql)
{
  return sql->wal_pages;
}
