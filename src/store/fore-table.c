/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store/fore-table.h"

#include "model/fore-error.h"

#include <glib/gi18n-lib.h>

typedef enum
{
  STATEMENT_PUT,
  STATEMENT_INSERT,
  STATEMENT_SELECT,
} StatementKind;

static void
append_names (GString *text, const ForeTable *table)
{
  for (guint i = 0; i < table->row_type->n_columns; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? "," : "", table->row_type->columns[i].name);
}

static void
append_insert (GString *text, const ForeTable *table)
{
  guint n = table->row_type->n_columns + (table->stamp != NULL ? 1 : 0);

  g_string_append_printf (text, "INSERT INTO %s (", table->name);
  append_names (text, table);
  if (table->stamp != NULL)
    g_string_append_printf (text, ",%s", table->stamp);

  g_string_append (text, ") VALUES (");
  for (guint i = 0; i < n; i++)
    g_string_append (text, i > 0 ? ",?" : "?");
  g_string_append_c (text, ')');
}

static void
append_update (GString *text, const ForeTable *table)
{
  g_string_append_printf (text, " ON CONFLICT (%s) DO UPDATE SET ", table->key);
  for (guint i = 0; i < table->row_type->n_columns; i++)
    {
      const char *name = table->row_type->columns[i].name;

      g_string_append (text, i > 0 ? "," : "");
      if (table->row_type->columns[i].kept)
        g_string_append_printf (text, "%s=coalesce(excluded.%s,%s.%s)", name, name, table->name,
                                name);
      else
        g_string_append_printf (text, "%s=excluded.%s", name, name);
    }

  if (table->stamp != NULL)
    g_string_append_printf (text, ",%s=excluded.%s", table->stamp, table->stamp);
}

static const char *
make_text (const ForeTable *table, StatementKind kind, const char *rest)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (kind == STATEMENT_SELECT)
    {
      g_string_append (text, "SELECT ");
      append_names (text, table);
      g_string_append_printf (text, " FROM %s %s", table->name, rest);
    }
  else
    {
      append_insert (text, table);
      if (kind == STATEMENT_PUT)
        append_update (text, table);
    }

  return g_intern_string (text->str);
}

/* The texts are few and needed often: each is made once per process. */
static const char *
get_text (const ForeTable *table, StatementKind kind, const char *rest)
{
  static GMutex mutex;
  static GHashTable *texts;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&mutex);
  GHashTable *of_table;
  const char *text;
  const char *name = kind == STATEMENT_PUT ? "put" : kind == STATEMENT_INSERT ? "insert" : rest;

  if (texts == NULL)
    texts = g_hash_table_new (NULL, NULL);

  of_table = g_hash_table_lookup (texts, table);
  if (of_table == NULL)
    {
      of_table = g_hash_table_new (g_str_hash, g_str_equal);
      g_hash_table_insert (texts, (gpointer) table, of_table);
    }

  text = g_hash_table_lookup (of_table, name);
  if (text == NULL)
    {
      text = make_text (table, kind, rest);
      g_hash_table_insert (of_table, (gpointer) g_intern_string (name), (gpointer) text);
    }

  return text;
}

static gboolean
write_row (const ForeTable *table,
           StatementKind kind,
           ForeSql *sql,
           gconstpointer row,
           guint64 stamp,
           GError **error)
{
  sqlite3_stmt *stmt = fore_sql_get (sql, get_text (table, kind, NULL), error);
  int index = 1;

  if (stmt == NULL)
    return FALSE;

  for (guint i = 0; i < table->row_type->n_columns; i++)
    fore_column_bind (&table->row_type->columns[i], stmt, index++, row);

  if (table->stamp != NULL)
    sqlite3_bind_int64 (stmt, index, (gint64) stamp);

  return fore_sql_run (sql, stmt, error);
}

/**
 * fore_table_put:
 * @table: a table
 * @sql: a connection
 * @row: the structure
 * @stamp: for tables with a stamp
 * @error: return location
 *
 * Inserts the row, or replaces the one with its key.
 *
 * Returns: %FALSE on an error
 */
gboolean
fore_table_put (
    const ForeTable *table, ForeSql *sql, gconstpointer row, guint64 stamp, GError **error)
{
  return write_row (table, STATEMENT_PUT, sql, row, stamp, error);
}

/**
 * fore_table_insert:
 * @table: a table
 * @sql: a connection
 * @row: the structure
 * @stamp: for tables with a stamp
 * @error: return location
 *
 * Inserts the row, which must be new.
 *
 * Returns: %FALSE on an error
 */
gboolean
fore_table_insert (
    const ForeTable *table, ForeSql *sql, gconstpointer row, guint64 stamp, GError **error)
{
  return write_row (table, STATEMENT_INSERT, sql, row, stamp, error);
}

/**
 * fore_table_select:
 * @table: a table
 * @sql: a connection
 * @rest: what follows FROM and the table's name
 * @error: return location
 *
 * Returns: (transfer none) (nullable): a statement for fore_table_read()
 */
sqlite3_stmt *
fore_table_select (const ForeTable *table, ForeSql *sql, const char *rest, GError **error)
{
  return fore_sql_get (sql, get_text (table, STATEMENT_SELECT, rest), error);
}

/**
 * fore_table_read:
 * @table: a table
 * @sql: a connection
 * @stmt: a statement of fore_table_select() that stands on a row
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the row as a structure
 */
gpointer
fore_table_read (const ForeTable *table, ForeSql *sql, sqlite3_stmt *stmt, GError **error)
{
  gpointer row = table->row_type->create ();

  for (guint i = 0; i < table->row_type->n_columns; i++)
    {
      g_autoptr (GError) local = NULL;

      if (fore_column_read (&table->row_type->columns[i], stmt, (int) i, row, &local))
        continue;

      g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
                   _ ("“%s” is damaged (%s: %s); run “foredeckctl doctor --check-store”."),
                   fore_sql_get_path (sql), table->name, local->message);
      table->row_type->destroy (row);
      return NULL;
    }

  return row;
}

/**
 * fore_table_read_all:
 * @table: a table
 * @sql: a connection
 * @stmt: (nullable): a statement of fore_table_select(), bound
 * @error: return location
 *
 * Returns: (transfer full) (nullable): all rows; %NULL on an error or without @stmt
 */
GPtrArray *
fore_table_read_all (const ForeTable *table, ForeSql *sql, sqlite3_stmt *stmt, GError **error)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (table->row_type->destroy);
  gboolean more;

  if (stmt == NULL)
    return NULL;

  while (TRUE)
    {
      gpointer row;

      if (!fore_sql_step (sql, stmt, &more, error))
        return NULL;

      if (!more)
        return g_steal_pointer (&rows);

      row = fore_table_read (table, sql, stmt, error);
      if (row == NULL)
        {
          sqlite3_reset (stmt);
          return NULL;
        }

      g_ptr_array_add (rows, row);
    }
}

/**
 * fore_table_read_one:
 * @table: a table
 * @sql: a connection
 * @stmt: (nullable): a statement of fore_table_select(), bound
 * @row: (out) (nullable): the first row, %NULL if there is none
 * @error: return location
 *
 * Returns: %FALSE on an error or without @stmt
 */
gboolean
fore_table_read_one (
    const ForeTable *table, ForeSql *sql, sqlite3_stmt *stmt, gpointer *row, GError **error)
{
  gboolean found;

  *row = NULL;
  if (stmt == NULL || !fore_sql_step (sql, stmt, &found, error))
    return FALSE;

  if (found)
    *row = fore_table_read (table, sql, stmt, error);

  sqlite3_reset (stmt);
  return !found || *row != NULL;
}
