/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store/fore-run-client.h"

#include "model/fore-error.h"
#include "model/fore-id.h"
#include "platform/fore-clock.h"
#include "store/fore-index.h"
#include "store/fore-run-file.h"
#include "store/fore-store-private.h"
#include "store/fore-table.h"

#include <glib/gi18n-lib.h>

static char *
format_time (gint64 us)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (us / G_USEC_PER_SEC);

  return time != NULL ? g_date_time_format (time, "%H:%M:%S") : g_strdup ("?");
}

static void
set_answered (const char *id, const char *by, gint64 time, GError **error)
{
  g_autofree char *when = format_time (time);

  g_set_error (error, FORE_ERROR, FORE_ERROR_STALE,
               _ ("Request “%s” was already answered by %s at %s; look at the run again."), id,
               by != NULL ? by : _ ("somebody"), when);
}

static gboolean
check_unanswered (ForeSql *sql, const char *id, GError **error)
{
  g_autoptr (ForeAnswer) earlier = NULL;

  if (!fore_run_file_read_answer (sql, id, &earlier, error))
    return FALSE;

  if (earlier == NULL)
    return TRUE;

  set_answered (id, earlier->by, earlier->time, error);
  return FALSE;
}

static gboolean
check_open (const ForeRequest *request, GError **error)
{
  gboolean late = request->expires != 0 && request->expires <= fore_clock_now_us ();

  if (request->state == FORE_REQUEST_OPEN && !late)
    return TRUE;

  if (request->state == FORE_REQUEST_ANSWERED)
    set_answered (request->id, request->answered_by, request->answered, error);
  else if (request->state == FORE_REQUEST_WITHDRAWN)
    g_set_error (error, FORE_ERROR, FORE_ERROR_STALE,
                 _ ("Request “%s” was withdrawn: nobody waits for its answer any more."),
                 request->id);
  else
    g_set_error (error, FORE_ERROR, FORE_ERROR_STALE,
                 _ ("Request “%s” has expired: its answer comes too late."), request->id);

  return FALSE;
}

/* What the person saw must be what is asked for now. */
static gboolean
check_plan (const ForeRequest *request, const ForeAnswer *answer, GError **error)
{
  gboolean bound = request->plan_version != 0 || request->plan_hash != NULL;

  if (!bound
      || (request->plan_version == answer->plan_version
          && g_strcmp0 (request->plan_hash, answer->plan_hash) == 0))
    return TRUE;

  if (request->plan_version != answer->plan_version)
    g_set_error (error, FORE_ERROR, FORE_ERROR_STALE,
                 _ ("The answer is about version %u of the plan, but request “%s” asks about "
                    "version %u; read that one first."),
                 answer->plan_version, request->id, request->plan_version);
  else
    g_set_error (error, FORE_ERROR, FORE_ERROR_STALE,
                 _ ("The plan of request “%s” is not the one that was read; read it again."),
                 request->id);

  return FALSE;
}

static char *
join_options (const ForeRequest *request)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < request->options->len; i++)
    {
      const ForeRequestOption *option = g_ptr_array_index (request->options, i);

      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", option->id);
    }

  return g_string_free (text, FALSE);
}

static gboolean
check_option (const ForeRequest *request, const ForeAnswer *answer, GError **error)
{
  gboolean free_text = request->kind == FORE_REQUEST_QUESTION && answer->text != NULL;
  g_autofree char *names = NULL;

  if (request->options->len == 0 || (answer->option == NULL && free_text))
    return TRUE;

  if (answer->option != NULL && fore_request_find_option (request, answer->option) != NULL)
    return TRUE;

  names = join_options (request);
  g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
               _ ("Request “%s” has no option “%s”; choose one of: %s."), request->id,
               answer->option != NULL ? answer->option : "", names);
  return FALSE;
}

static gboolean
check_text (const ForeRequest *request, const ForeAnswer *answer, GError **error)
{
  const ForeRequestOption *option = answer->option != NULL
                                        ? fore_request_find_option (request, answer->option)
                                        : NULL;
  g_autofree char *text = g_strstrip (g_strdup (answer->text != NULL ? answer->text : ""));

  if (text[0] != '\0' || !fore_request_needs_text (request, option))
    return TRUE;

  if (request->kind == FORE_REQUEST_PLAN)
    g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                 _ ("Say what should change in the plan of request “%s”."), request->id);
  else
    g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                 _ ("Request “%s” asks for words; an empty answer says nothing."), request->id);
  return FALSE;
}

static gboolean
check_answer (ForeSql *sql, const ForeAnswer *answer, GError **error)
{
  g_autoptr (ForeRequest) request = NULL;

  if (!fore_run_file_read_request (sql, FORE_RUN_VIEW_OWNER, answer->request, &request, error))
    return FALSE;

  if (request == NULL)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                   _ ("There is no request “%s”; “foredeckctl requests” shows those that there "
                      "are."),
                   answer->request);
      return FALSE;
    }

  return check_unanswered (sql, answer->request, error) && check_open (request, error)
         && check_plan (request, answer, error) && check_option (request, answer, error)
         && check_text (request, answer, error);
}

typedef gboolean (*ClientFunc) (ForeSql *sql, gpointer row, GError **error);

static gboolean
insert_answer (ForeSql *sql, gpointer row, GError **error)
{
  guint64 rev;

  return check_answer (sql, row, error) && fore_run_file_next_rev (sql, &rev, error)
         && fore_table_insert (&fore_table_answers, sql, row, rev, error);
}

static gboolean
insert_command (ForeSql *sql, gpointer row, GError **error)
{
  ForeCommand *command = row;
  guint64 rev;

  return fore_sql_get_int (sql,
                           "SELECT coalesce ((SELECT seq FROM sqlite_sequence"
                           " WHERE name = 'commands'), 0) + 1",
                           &command->id, error)
         && fore_run_file_next_rev (sql, &rev, error)
         && fore_table_insert (&fore_table_commands, sql, command, rev, error);
}

/* The owner gives the even ids, without asking. */
static gboolean
insert_message (ForeSql *sql, gpointer row, GError **error)
{
  ForeMessage *message = row;
  guint64 rev;

  return fore_sql_get_int (sql, "SELECT coalesce (max (id), -1) + 2 FROM messages WHERE id % 2 = 1",
                           &message->id, error)
         && fore_run_file_next_rev (sql, &rev, error)
         && fore_table_insert (&fore_table_messages, sql, message, rev, error);
}

static gboolean
change_run (ForeStore *store, const char *run_id, ClientFunc func, gpointer row, GError **error)
{
  g_autoptr (ForeSql) sql = fore_run_file_open (store, run_id, FORE_SQL_WRITE, error);

  if (sql == NULL || !fore_sql_begin (sql, error))
    return FALSE;

  if (func (sql, row, error) && fore_sql_commit (sql, error))
    return TRUE;

  fore_sql_rollback (sql);
  return FALSE;
}

/* The run's file has decided; the index only shows it. */
static void
show_answered (ForeStore *store, const ForeAnswer *answer)
{
  g_autoptr (GError) error = NULL;
  ForeSql *sql = fore_store_borrow_index (store, &error);

  if (sql == NULL || !fore_sql_begin (sql, &error)
      || !fore_index_answer_request (sql, answer, &error) || !fore_sql_commit (sql, &error))
    g_message ("request %s still shows as open: %s", answer->request, error->message);

  fore_store_give_back_index (store, sql);
}

/**
 * fore_run_client_answer:
 * @store: the store
 * @answer: an answer
 * @error: return location
 *
 * Inserts the one answer that a request can have, durably.
 *
 * Returns: %FALSE on an error
 */
gboolean
fore_run_client_answer (ForeStore *store, const ForeAnswer *answer, GError **error)
{
  g_autofree char *run_id = NULL;
  guint n;

  g_return_val_if_fail (FORE_IS_STORE (store), FALSE);
  g_return_val_if_fail (answer != NULL && answer->request != NULL, FALSE);

  if (!fore_id_parse_request (answer->request, &run_id, &n))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND, _ ("“%s” is not the id of a request."),
                   answer->request);
      return FALSE;
    }

  if (!change_run (store, run_id, insert_answer, (gpointer) answer, error))
    return FALSE;

  show_answered (store, answer);
  fore_store_ring (store);
  return TRUE;
}

/**
 * fore_run_client_command:
 * @store: the store
 * @run_id: a run
 * @command: (inout): a queued command, which gets its id
 * @error: return location
 *
 * Inserts a command for the run's owner, durably.
 *
 * Returns: %FALSE on an error
 */
gboolean
fore_run_client_command (ForeStore *store, const char *run_id, ForeCommand *command, GError **error)
{
  g_return_val_if_fail (FORE_IS_STORE (store), FALSE);
  g_return_val_if_fail (run_id != NULL && command != NULL, FALSE);

  if (!change_run (store, run_id, insert_command, command, error))
    return FALSE;

  fore_store_ring (store);
  return TRUE;
}

/**
 * fore_run_client_message:
 * @store: the store
 * @run_id: a run
 * @message: (inout): a queued message, which gets its id
 * @error: return location
 *
 * Inserts a message for a task or the person, durably.
 *
 * Returns: %FALSE on an error
 */
gboolean
fore_run_client_message (ForeStore *store, const char *run_id, ForeMessage *message, GError **error)
{
  g_return_val_if_fail (FORE_IS_STORE (store), FALSE);
  g_return_val_if_fail (run_id != NULL && message != NULL, FALSE);

  if (!change_run (store, run_id, insert_message, message, error))
    return FALSE;

  fore_store_ring (store);
  return TRUE;
}
