/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/fore-sql.h"
#include "store/fore-table.h"

G_BEGIN_DECLS

typedef enum
{
  FORE_WRITE_RUN,
  FORE_WRITE_TASK,
  FORE_WRITE_ATTEMPT,
  FORE_WRITE_PLAN,
  FORE_WRITE_REQUEST,
  FORE_WRITE_COMMAND,
  FORE_WRITE_MESSAGE,
  FORE_WRITE_EVENT,
  FORE_N_WRITES
} ForeWriteKind;

/**
 * ForeWrite:
 * @kind: which table
 * @row: (owned): the structure
 *
 * One row that is to be written.
 */
typedef struct
{
  ForeWriteKind kind;
  gpointer row;
} ForeWrite;

/**
 * ForeBatch:
 *
 * Writes in the order in which they were put, all for one transaction. Not thread-safe; goes from
 * the thread that puts to the one that writes.
 */
typedef struct _ForeBatch ForeBatch;

ForeBatch *fore_batch_new (void);
void fore_batch_free (ForeBatch *batch);
guint fore_batch_get_length (const ForeBatch *batch);
ForeWrite *fore_batch_get (ForeBatch *batch, guint position);
void fore_batch_add (ForeBatch *batch, ForeWriteKind kind, gconstpointer row);
void fore_batch_join (ForeBatch *batch, ForeBatch *other);
gpointer fore_batch_steal (ForeBatch *batch, guint position);
gboolean fore_batch_commit (ForeBatch *batch, ForeSql *sql, gint64 *seq, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeBatch, fore_batch_free)

G_END_DECLS
