/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>
#include <json-glib/json-glib.h>
#include <sqlite3.h>

G_BEGIN_DECLS

typedef enum
{
  FORE_COLUMN_TEXT,    /* char *, NULL is NULL */
  FORE_COLUMN_INT,     /* int, guint */
  FORE_COLUMN_INT64,   /* gint64, guint64 */
  FORE_COLUMN_KNOWN,   /* gint64: negative is unknown, stored as nothing */
  FORE_COLUMN_SIZE,    /* int: negative is unknown, stored as nothing */
  FORE_COLUMN_BOOL,    /* gboolean */
  FORE_COLUMN_CHAR,    /* char, as a text of one letter */
  FORE_COLUMN_WORD,    /* an enum, as its word */
  FORE_COLUMN_STRV,    /* GStrv, as a JSON array */
  FORE_COLUMN_COUNTS,  /* guint[words], as a JSON object */
  FORE_COLUMN_OBJECTS, /* GPtrArray, as a JSON array of objects */
} ForeColumnType;

typedef struct
{
  int n;
  const char *(*to_string) (int value);
} ForeColumnWords;

typedef struct _ForeRowType ForeRowType;

/**
 * ForeColumn:
 * @name: column, or member of a JSON object
 * @type: how it is stored
 * @offset: where it is in the structure
 * @words: for words and counts
 * @row_type: for objects
 * @kept: whether a row that has a value keeps it where a later one has none
 *
 * One field of a structure and how it is stored.
 */
typedef struct
{
  const char *name;
  ForeColumnType type;
  gsize offset;
  const ForeColumnWords *words;
  const ForeRowType *row_type;
  gboolean kept;
} ForeColumn;

/**
 * ForeRowType:
 * @columns: (array length=n_columns): its fields
 * @n_columns: number of them
 * @create: makes an empty one
 * @copy: makes a deep copy
 * @destroy: frees one
 *
 * A structure that can be a row or an object in a list.
 */
struct _ForeRowType
{
  const ForeColumn *columns;
  guint n_columns;
  gpointer (*create) (void);
  gpointer (*copy) (gconstpointer row);
  void (*destroy) (gpointer row);
};

void fore_column_bind (const ForeColumn *column, sqlite3_stmt *stmt, int index, gconstpointer row);
gboolean fore_column_read (
    const ForeColumn *column, sqlite3_stmt *stmt, int index, gpointer row, GError **error);

G_END_DECLS
