/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store/fore-run-inputs.h"

#include "model/fore-command.h"
#include "model/fore-message.h"
#include "model/fore-request.h"
#include "store/fore-table.h"

static void
replace (GPtrArray **list, const ForeTable *table)
{
  g_clear_pointer (list, g_ptr_array_unref);
  *list = g_ptr_array_new_with_free_func (table->row_type->destroy);
}

static void
empty (ForeRunInputs *inputs)
{
  replace (&inputs->answers, &fore_table_answers);
  replace (&inputs->commands, &fore_table_commands);
  replace (&inputs->messages, &fore_table_messages);
}

/**
 * fore_run_inputs_init:
 * @inputs: inputs
 *
 * Makes @inputs empty and looking from the start.
 */
void
fore_run_inputs_init (ForeRunInputs *inputs)
{
  *inputs = (ForeRunInputs){ 0 };
  inputs->version = -1;
  empty (inputs);
}

/**
 * fore_run_inputs_clear:
 * @inputs: inputs
 */
void
fore_run_inputs_clear (ForeRunInputs *inputs)
{
  g_clear_pointer (&inputs->answers, g_ptr_array_unref);
  g_clear_pointer (&inputs->commands, g_ptr_array_unref);
  g_clear_pointer (&inputs->messages, g_ptr_array_unref);
}

static gboolean
read_list (ForeSql *sql,
           const ForeTable *table,
           const char *rest,
           gint64 after,
           GPtrArray **list,
           GError **error)
{
  sqlite3_stmt *stmt = fore_table_select (table, sql, rest, error);
  GPtrArray *rows;

  if (stmt == NULL)
    return FALSE;

  sqlite3_bind_int64 (stmt, 1, after);
  rows = fore_table_read_all (table, sql, stmt, error);
  if (rows == NULL)
    return FALSE;

  g_ptr_array_unref (*list);
  *list = rows;
  return TRUE;
}

/* The first look also finds what an earlier owner saw and did not settle. After that only others'
 * rows are news: their messages have odd ids. */
static gboolean
read_lists (ForeRunInputs *inputs, ForeSql *sql, GError **error)
{
  const char *answers = inputs->looked
                            ? "WHERE rev > ?1 ORDER BY rev"
                            : "WHERE rev > ?1 AND request IN"
                              " (SELECT id FROM requests WHERE state = 'open') ORDER BY rev";
  const char *messages = inputs->looked
                             ? "WHERE id > ?1 AND id % 2 = 1 AND state = 'queued' ORDER BY id"
                             : "WHERE id > ?1 AND state = 'queued' ORDER BY time, id";

  return read_list (sql, &fore_table_answers, answers, inputs->answer_rev, &inputs->answers, error)
         && read_list (sql, &fore_table_commands, "WHERE id > ?1 AND state = 'queued' ORDER BY id",
                       inputs->command_id, &inputs->commands, error)
         && read_list (sql, &fore_table_messages, messages, inputs->message_id, &inputs->messages,
                       error)
         && fore_sql_get_int (sql, "SELECT max(rev) FROM answers", &inputs->answer_rev, error)
         && fore_sql_get_int (sql, "SELECT max(id) FROM commands", &inputs->command_id, error)
         && fore_sql_get_int (sql, "SELECT max(id) FROM messages WHERE id % 2 = 1",
                              &inputs->message_id, error);
}

/**
 * fore_run_inputs_read:
 * @inputs: inputs; what they hold is replaced
 * @sql: the run's file, without a transaction
 * @error: return location
 *
 * Looks for what others wrote since the last look. Costs next to nothing if nobody wrote.
 *
 * Returns: %FALSE on an error
 */
gboolean
fore_run_inputs_read (ForeRunInputs *inputs, ForeSql *sql, GError **error)
{
  gint64 version;
  gboolean read;

  empty (inputs);
  if (!fore_sql_get_int (sql, "PRAGMA data_version", &version, error))
    return FALSE;

  if (version == inputs->version)
    return TRUE;

  if (!fore_sql_begin_read (sql, error))
    return FALSE;

  read = read_lists (inputs, sql, error);
  fore_sql_rollback (sql);
  if (!read)
    return FALSE;

  inputs->version = version;
  inputs->looked = TRUE;
  return TRUE;
}

/**
 * fore_run_inputs_is_empty:
 * @inputs: inputs
 *
 * Returns: whether there is nothing in them
 */
gboolean
fore_run_inputs_is_empty (const ForeRunInputs *inputs)
{
  return inputs->answers->len == 0 && inputs->commands->len == 0 && inputs->messages->len == 0;
}

/**
 * fore_run_inputs_move:
 * @from: inputs, left empty
 * @to: where they go, after what is there
 */
void
fore_run_inputs_move (ForeRunInputs *from, ForeRunInputs *to)
{
  g_ptr_array_extend_and_steal (to->answers, g_steal_pointer (&from->answers));
  g_ptr_array_extend_and_steal (to->commands, g_steal_pointer (&from->commands));
  g_ptr_array_extend_and_steal (to->messages, g_steal_pointer (&from->messages));
  empty (from);
}
