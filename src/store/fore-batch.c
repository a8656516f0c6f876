/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store/fore-batch.h"

#include "model/fore-attempt.h"
#include "model/fore-event.h"
#include "model/fore-request.h"
#include "model/fore-run.h"
#include "model/fore-task.h"

#include <glib/gi18n-lib.h>

struct _ForeBatch
{
  GArray *writes;
};

static const ForeTable *const tables[FORE_N_WRITES] = {
  [FORE_WRITE_RUN] = &fore_table_run,          [FORE_WRITE_TASK] = &fore_table_tasks,
  [FORE_WRITE_ATTEMPT] = &fore_table_attempts, [FORE_WRITE_PLAN] = &fore_table_plans,
  [FORE_WRITE_REQUEST] = &fore_table_requests, [FORE_WRITE_COMMAND] = &fore_table_commands,
  [FORE_WRITE_MESSAGE] = &fore_table_messages, [FORE_WRITE_EVENT] = &fore_table_events,
};

/**
 * fore_batch_new:
 *
 * Returns: (transfer full): an empty batch
 */
ForeBatch *
fore_batch_new (void)
{
  ForeBatch *batch = g_new0 (ForeBatch, 1);

  batch->writes = g_array_new (FALSE, FALSE, sizeof (ForeWrite));

  return batch;
}

/**
 * fore_batch_free:
 * @batch: (nullable): a batch
 */
void
fore_batch_free (ForeBatch *batch)
{
  if (batch == NULL)
    return;

  for (guint i = 0; i < batch->writes->len; i++)
    {
      ForeWrite *write = fore_batch_get (batch, i);

      if (write->row != NULL)
        tables[write->kind]->row_type->destroy (write->row);
    }

  g_array_unref (batch->writes);
  g_free (batch);
}

/**
 * fore_batch_get_length:
 * @batch: a batch
 *
 * Returns: number of writes in it
 */
guint
fore_batch_get_length (const ForeBatch *batch)
{
  return batch->writes->len;
}

/**
 * fore_batch_get:
 * @batch: a batch
 * @position: from 0
 *
 * Returns: (transfer none): a write
 */
ForeWrite *
fore_batch_get (ForeBatch *batch, guint position)
{
  return &g_array_index (batch->writes, ForeWrite, position);
}

/**
 * fore_batch_add:
 * @batch: a batch
 * @kind: which table
 * @row: the structure, which is copied
 */
void
fore_batch_add (ForeBatch *batch, ForeWriteKind kind, gconstpointer row)
{
  ForeWrite write = { kind, tables[kind]->row_type->copy (row) };

  g_array_append_val (batch->writes, write);
}

/**
 * fore_batch_join:
 * @batch: a batch
 * @other: (transfer full): what comes after it
 */
void
fore_batch_join (ForeBatch *batch, ForeBatch *other)
{
  g_array_append_vals (batch->writes, other->writes->data, other->writes->len);
  g_array_set_size (other->writes, 0);
  fore_batch_free (other);
}

/**
 * fore_batch_steal:
 * @batch: a batch
 * @position: from 0
 *
 * Returns: (transfer full): the structure, which @batch does not have any more
 */
gpointer
fore_batch_steal (ForeBatch *batch, guint position)
{
  return g_steal_pointer (&fore_batch_get (batch, position)->row);
}

/* Of the run's row and of each task's only the last state in a transaction can ever be seen. */
static GHashTable *
find_last_tasks (ForeBatch *batch)
{
  GHashTable *last = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < batch->writes->len; i++)
    {
      const ForeWrite *write = fore_batch_get (batch, i);

      if (write->kind == FORE_WRITE_TASK)
        g_hash_table_replace (last, ((const ForeTask *) write->row)->key, write->row);
      else if (write->kind == FORE_WRITE_RUN)
        g_hash_table_replace (last, (gpointer) "", write->row);
    }

  return last;
}

static gboolean
is_superseded (const ForeWrite *write, GHashTable *last)
{
  if (write->kind == FORE_WRITE_TASK)
    return g_hash_table_lookup (last, ((const ForeTask *) write->row)->key) != write->row;

  if (write->kind == FORE_WRITE_RUN)
    return g_hash_table_lookup (last, "") != write->row;

  return FALSE;
}

static void
set_rev (ForeWrite *write, guint64 rev)
{
  if (write->kind == FORE_WRITE_RUN)
    ((ForeRun *) write->row)->rev = rev;
  else if (write->kind == FORE_WRITE_TASK)
    ((ForeTask *) write->row)->rev = rev;
  else if (write->kind == FORE_WRITE_REQUEST)
    ((ForeRequest *) write->row)->rev = rev;
}

static gboolean
write_one (ForeWrite *write, ForeSql *sql, guint64 *rev, gint64 *seq, GError **error)
{
  if (write->kind == FORE_WRITE_EVENT)
    {
      ((ForeEvent *) write->row)->seq = ++*seq;
      return fore_table_insert (&fore_table_events, sql, write->row, 0, error);
    }

  set_rev (write, ++*rev);
  return fore_table_put (tables[write->kind], sql, write->row, *rev, error);
}

static gboolean
set_counter (ForeSql *sql, guint64 rev, GError **error)
{
  sqlite3_stmt *stmt = fore_sql_get (sql, "UPDATE counter SET rev = ?1", error);

  if (stmt == NULL)
    return FALSE;

  sqlite3_bind_int64 (stmt, 1, (gint64) rev);
  return fore_sql_run (sql, stmt, error);
}

static gboolean
write_all (ForeBatch *batch, ForeSql *sql, gint64 *seq, GError **error)
{
  g_autoptr (GHashTable) last = find_last_tasks (batch);
  guint64 rev;

  if (!fore_sql_get_int (sql, "SELECT rev FROM counter", (gint64 *) &rev, error))
    return FALSE;

  for (guint i = 0; i < batch->writes->len; i++)
    {
      ForeWrite *write = fore_batch_get (batch, i);

      if (!is_superseded (write, last) && !write_one (write, sql, &rev, seq, error))
        return FALSE;
    }

  return set_counter (sql, rev, error);
}

/* Says what was not stored: an event tells a person more than a table does. */
static void
describe_failure (ForeBatch *batch, GError **error)
{
  for (guint i = 0; i < batch->writes->len; i++)
    {
      const ForeWrite *write = fore_batch_get (batch, i);
      const ForeEvent *event = write->row;

      if (write->kind != FORE_WRITE_EVENT)
        continue;

      g_prefix_error (error, _ ("“%s” of task “%s” was not stored: "),
                      fore_event_type_to_string (event->type),
                      event->task != NULL ? event->task : "–");
      return;
    }
}

/**
 * fore_batch_commit:
 * @batch: a batch
 * @sql: the run's file
 * @seq: (inout): number of the last event
 * @error: return location
 *
 * Writes all of it in one transaction, giving events their number and rows their revision.
 *
 * Returns: %FALSE on an error; nothing is written then, and it can be tried again
 */
gboolean
fore_batch_commit (ForeBatch *batch, ForeSql *sql, gint64 *seq, GError **error)
{
  gint64 new_seq = *seq;

  if (!fore_sql_begin (sql, error))
    return FALSE;

  if (!write_all (batch, sql, &new_seq, error) || !fore_sql_commit (sql, error))
    {
      fore_sql_rollback (sql);
      describe_failure (batch, error);
      return FALSE;
    }

  *seq = new_seq;
  return TRUE;
}
