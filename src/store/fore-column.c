/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store/fore-column.h"

#include "model/fore-error.h"
#include "store/fore-column-json.h"

#include <glib/gi18n-lib.h>

static void
bind_known (sqlite3_stmt *stmt, int index, gint64 value)
{
  if (value < 0)
    sqlite3_bind_null (stmt, index);
  else
    sqlite3_bind_int64 (stmt, index, value);
}

static void
bind_text (sqlite3_stmt *stmt, int index, const char *text)
{
  if (text == NULL)
    sqlite3_bind_null (stmt, index);
  else
    sqlite3_bind_text (stmt, index, text, -1, SQLITE_STATIC);
}

static void
bind_json (const ForeColumn *column, sqlite3_stmt *stmt, int index, gconstpointer row)
{
  char *text = fore_column_json_encode (column, row);

  if (text == NULL)
    sqlite3_bind_null (stmt, index);
  else
    sqlite3_bind_text (stmt, index, text, -1, g_free);
}

/**
 * fore_column_bind:
 * @column: a column
 * @stmt: a statement
 * @index: number of the parameter, from 1
 * @row: the structure; its strings must live until the statement was run
 *
 * Binds one field of @row.
 */
void
fore_column_bind (const ForeColumn *column, sqlite3_stmt *stmt, int index, gconstpointer row)
{
  gconstpointer field = (const char *) row + column->offset;

  switch (column->type)
    {
    case FORE_COLUMN_TEXT:
      bind_text (stmt, index, *(char *const *) field);
      break;

    case FORE_COLUMN_INT:
    case FORE_COLUMN_BOOL:
      sqlite3_bind_int64 (stmt, index, *(const int *) field);
      break;

    case FORE_COLUMN_INT64:
      sqlite3_bind_int64 (stmt, index, *(const gint64 *) field);
      break;

    case FORE_COLUMN_KNOWN:
      bind_known (stmt, index, *(const gint64 *) field);
      break;

    case FORE_COLUMN_SIZE:
      bind_known (stmt, index, *(const int *) field);
      break;

    case FORE_COLUMN_WORD:
      bind_text (stmt, index, column->words->to_string (*(const int *) field));
      break;

    case FORE_COLUMN_CHAR:
    case FORE_COLUMN_STRV:
    case FORE_COLUMN_COUNTS:
    case FORE_COLUMN_OBJECTS:
      bind_json (column, stmt, index, row);
      break;
    }
}

static gint64
read_known (sqlite3_stmt *stmt, int index)
{
  if (sqlite3_column_type (stmt, index) == SQLITE_NULL)
    return -1;

  return sqlite3_column_int64 (stmt, index);
}

static gboolean
read_word (const ForeColumn *column, const char *text, int *value, GError **error)
{
  if (fore_column_find_word (column->words, text, value))
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT, _ ("“%s” is no known “%s”"),
               text != NULL ? text : "", column->name);
  return FALSE;
}

/**
 * fore_column_read:
 * @column: a column
 * @stmt: a statement that stands on a row
 * @index: number of the result column, from 0
 * @row: the structure to fill; what a field held is freed
 * @error: return location
 *
 * Returns: %FALSE if the value is not one that the column can have
 */
gboolean
fore_column_read (
    const ForeColumn *column, sqlite3_stmt *stmt, int index, gpointer row, GError **error)
{
  gpointer field = (char *) row + column->offset;

  switch (column->type)
    {
    case FORE_COLUMN_TEXT:
      g_free (*(char **) field);
      *(char **) field = g_strdup ((const char *) sqlite3_column_text (stmt, index));
      return TRUE;

    case FORE_COLUMN_INT:
    case FORE_COLUMN_BOOL:
      *(int *) field = (int) sqlite3_column_int64 (stmt, index);
      return TRUE;

    case FORE_COLUMN_INT64:
      *(gint64 *) field = sqlite3_column_int64 (stmt, index);
      return TRUE;

    case FORE_COLUMN_KNOWN:
      *(gint64 *) field = read_known (stmt, index);
      return TRUE;

    case FORE_COLUMN_SIZE:
      *(int *) field = (int) read_known (stmt, index);
      return TRUE;

    case FORE_COLUMN_WORD:
      return read_word (column, (const char *) sqlite3_column_text (stmt, index), field, error);

    case FORE_COLUMN_CHAR:
    case FORE_COLUMN_STRV:
    case FORE_COLUMN_COUNTS:
    case FORE_COLUMN_OBJECTS:
      return fore_column_json_decode (column, (const char *) sqlite3_column_text (stmt, index), row,
                                      error);
    }

  g_assert_not_reached ();
}
