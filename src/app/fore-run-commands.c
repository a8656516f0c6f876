/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-run-commands.h"

#include "app/fore-application.h"
#include "app/fore-compat.h"
#include "app/fore-errors.h"
#include "app/fore-index.h"
#include "app/fore-job.h"
#include "app/fore-trace.h"
#include "engine/fore-actions.h"
#include "engine/fore-merge-queue.h"
#include "model/fore-check.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define TAKE_UP_MS 20000

typedef struct
{
  ForeStore *store;
  char *run_id;
  ForeCommandKind kind;
  GStrv args;
  char *note;
  char *request_id;
  char *option;
  char *text;
  char *plan_json;
  guint version;
  char *hash;
  ForeCommandDone done;
  gpointer data;
} Command;

static Command *
command_new (ForeCommandDone done, gpointer data)
{
  Command *command = g_new0 (Command, 1);

  command->store = g_object_ref (fore_application_get_store ());
  command->done = done;
  command->data = data;

  return command;
}

static void
command_free (gpointer data)
{
  Command *command = data;

  g_object_unref (command->store);
  g_free (command->run_id);
  g_strfreev (command->args);
  g_free (command->note);
  g_free (command->request_id);
  g_free (command->option);
  g_free (command->text);
  g_free (command->plan_json);
  g_free (command->hash);
  g_free (command);
}

static gpointer
command_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  Command *command = data;
  char *outcome = NULL;

  if (!fore_actions_command (command->store, command->run_id, command->kind,
                             (const char *const *) command->args, "window", TAKE_UP_MS, &outcome,
                             error))
    {
      g_free (outcome);
      return NULL;
    }

  return outcome != NULL ? outcome : g_strdup ("");
}

static void
command_done_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  Command *command = data;
  const char *outcome = result;

  if (error != NULL)
    fore_show_error (owner, error);
  else if (command->note != NULL)
    fore_show_note (owner, outcome != NULL && *outcome != 0 ? outcome : command->note);
  if (command->done != NULL)
    command->done (owner, error == NULL, command->data);
}

/**
 * fore_run_command:
 * @from: the widget that asks
 * @run_id: id of a run
 * @kind: what is wanted
 * @args: (nullable): further words
 * @note: (nullable): what to say when it is done and the runner said nothing
 * @done: (nullable): called on the main thread with @from
 * @data: (nullable): for @done
 */
void
fore_run_command (GtkWidget *from,
                  const char *run_id,
                  ForeCommandKind kind,
                  const char *const *args,
                  const char *note,
                  ForeCommandDone done,
                  gpointer data)
{
  Command *command;

  g_return_if_fail (GTK_IS_WIDGET (from));
  g_return_if_fail (run_id != NULL);

  fore_trace_asked (run_id, fore_command_kind_to_string (kind));
  command = command_new (done, data);
  command->run_id = g_strdup (run_id);
  command->kind = kind;
  command->args = g_strdupv ((GStrv) args);
  command->note = g_strdup (note);
  fore_job_run (from, "run-command", NULL, command_thread, command, command_free, g_free,
                command_done_cb);
}

static gpointer
merge_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  Command *command = data;
  g_autoptr (GPtrArray) checks = fore_checks_copy (NULL);
  ForeMergeWish wish = { .target = command->option,
                         .mode = command->text,
                         .expected = command->hash,
                         .without = (const char *const *) command->args,
                         .by = "window",
                         .timeout_ms = TAKE_UP_MS };
  g_autofree char *outcome = NULL;

  if (!fore_merge_queue_merge (command->store, command->run_id, &wish, checks, &outcome, error))
    return NULL;

  return outcome != NULL ? g_steal_pointer (&outcome) : g_strdup ("");
}

/**
 * fore_run_merge:
 * @from: the widget that asks
 * @run_id: id of a run with a result
 * @target: (nullable): the branch to merge into; %NULL is the one that the run started from
 * @expected: (nullable): the commit that the person saw there; another is refused
 * @mode: how, as fore_merge_mode_to_string() says it
 * @without: (nullable): files of the result that are left out
 *
 * Merges the result and says what came of it.
 */
void
fore_run_merge (GtkWidget *from,
                const char *run_id,
                const char *target,
                const char *expected,
                const char *mode,
                const char *const *without)
{
  Command *command;

  g_return_if_fail (GTK_IS_WIDGET (from));
  g_return_if_fail (run_id != NULL);

  fore_trace_asked (run_id, fore_command_kind_to_string (FORE_COMMAND_MERGE));
  command = command_new (NULL, NULL);
  command->run_id = g_strdup (run_id);
  command->option = g_strdup (target);
  command->hash = g_strdup (expected);
  command->text = g_strdup (mode);
  command->args = g_strdupv ((GStrv) without);
  command->note = g_strdup (_ ("Merged"));
  fore_job_run (from, "merge", NULL, merge_thread, command, command_free, g_free, command_done_cb);
}

static gpointer
restart_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  Command *command = data;

  return GINT_TO_POINTER (
      fore_actions_restart_runner (command->store, command->run_id, "window", error));
}

static void
restarted_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  ForeIndex *index = fore_application_get_index ();

  command_done_cb (owner, NULL, error, data);
  if (index != NULL)
    fore_index_check_owners (index);
}

/**
 * fore_run_restart:
 * @from: the widget that asks
 * @run_id: id of a run whose runner does not respond
 * @done: (nullable): called on the main thread with @from
 * @data: (nullable): for @done
 *
 * Ends the runner of the run, by force in the end, and lets another one take the run up.
 */
void
fore_run_restart (GtkWidget *from, const char *run_id, ForeCommandDone done, gpointer data)
{
  Command *command;

  g_return_if_fail (GTK_IS_WIDGET (from));
  g_return_if_fail (run_id != NULL);

  fore_trace_asked (run_id, "restart");
  command = command_new (done, data);
  command->run_id = g_strdup (run_id);
  command->note = g_strdup (_ ("The runner was restarted."));
  fore_job_run (from, "restart-runner", NULL, restart_thread, command, command_free, NULL,
                restarted_cb);
}

static gpointer
answer_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  Command *command = data;

  return GINT_TO_POINTER (fore_actions_answer (command->store, command->request_id, command->option,
                                               command->text, command->plan_json, command->version,
                                               command->hash, "window", error));
}

static void
answer_done_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  Command *command = data;

  if (error != NULL)
    fore_show_error (owner, error);
  if (command->done != NULL)
    command->done (owner, error == NULL, command->data);
}

/**
 * fore_request_answer:
 * @from: the widget that asks
 * @request_id: id of a request
 * @option: id or kind of the option chosen
 * @text: (nullable): text that goes with it
 * @plan_json: (nullable): the plan as the person edited it
 * @version: for plans: version that the person saw
 * @hash: (nullable): for plans: hash of that version
 * @done: (nullable): called on the main thread with @from
 * @data: (nullable): for @done
 */
void
fore_request_answer (GtkWidget *from,
                     const char *request_id,
                     const char *option,
                     const char *text,
                     const char *plan_json,
                     guint version,
                     const char *hash,
                     ForeCommandDone done,
                     gpointer data)
{
  Command *command;

  g_return_if_fail (GTK_IS_WIDGET (from));
  g_return_if_fail (request_id != NULL && option != NULL);

  command = command_new (done, data);
  command->request_id = g_strdup (request_id);
  command->option = g_strdup (option);
  command->text = g_strdup (text);
  command->plan_json = g_strdup (plan_json);
  command->version = version;
  command->hash = g_strdup (hash);
  fore_job_run (from, "answer", NULL, answer_thread, command, command_free, NULL, answer_done_cb);
}

static gpointer
stop_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  Command *command = data;
  g_autoptr (GError) local = NULL;
  int n = fore_actions_stop_everything (command->store, "window", &local);

  if (local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return NULL;
    }

  if (n <= 0)
    return g_strdup (_ ("Nothing is running."));

  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%d run is being cancelled.",
                                       "%d runs are being cancelled.", (gulong) n),
                          n);
}

static void
stop_answered_cb (gpointer owner, const char *response, const char *text, gpointer data)
{
  Command *command;

  if (strcmp (response, "stop") != 0)
    return;

  command = command_new (NULL, NULL);
  command->note = g_strdup (_ ("Everything is being stopped."));
  fore_job_run (owner, "stop-everything", NULL, stop_thread, command, command_free, g_free,
                command_done_cb);
}

/**
 * fore_ask_to_stop_everything:
 * @from: the widget that asks
 *
 * Cancels every active run of this machine once the person has said so. Where none is active there
 * is nothing to ask, and that is said.
 */
void
fore_ask_to_stop_everything (GtkWidget *from)
{
  ForeIndex *index = fore_application_get_index ();
  const ForeAlertAnswer answers[] = {
    { "close", _ ("Keep Running"), ADW_RESPONSE_DEFAULT },
    { "stop", _ ("Stop Everything"), ADW_RESPONSE_DESTRUCTIVE },
  };

  g_return_if_fail (GTK_IS_WIDGET (from));

  if (index != NULL && fore_index_is_loaded (index) && fore_index_get_n_active (index) == 0)
    {
      fore_show_note (from, _ ("Nothing is running."));
      return;
    }

  fore_alert (from, _ ("Stop Everything?"),
              _ ("Every run is cancelled and every agent is ended. What they committed stays on "
                 "their branches."),
              answers, G_N_ELEMENTS (answers), "close", from, stop_answered_cb, NULL);
}
