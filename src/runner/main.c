/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-runner.h"
#include "model/fore-error.h"
#include "model/fore-id.h"
#include "platform/fore-crash.h"
#include "platform/fore-dirs.h"
#include "platform/fore-log.h"
#include "platform/fore-process.h"
#include "platform/fore-signals.h"
#include "platform/fore-stall.h"
#include "platform/fore-texts.h"

#include <glib/gi18n.h>
#include <signal.h>

#define PROGRAM "foredeck-runner"

static gboolean
asked_to_go (gpointer user_data)
{
  fore_runner_stop (user_data);

  return G_SOURCE_CONTINUE;
}

static gboolean
asked_to_cancel (gpointer user_data)
{
  fore_runner_cancel (user_data);

  return G_SOURCE_CONTINUE;
}

static void
runner_done (ForeRunner *runner, gpointer user_data)
{
  g_main_loop_quit (user_data);
}

/* Carries the run out once; whether it has to be taken up again at once. */
static gboolean
carry_out (ForeStore *store, const char *run_id, GError **error)
{
  g_autoptr (ForeRunner) runner = fore_runner_new (store, run_id);
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  guint term;
  guint hup;
  guint usr;

  if (!fore_runner_start (runner, error))
    return FALSE;

  g_signal_connect (runner, "done", G_CALLBACK (runner_done), loop);
  term = fore_signal_add (FORE_SIGNAL_TERMINATE, asked_to_go, runner);
  hup = fore_signal_add (FORE_SIGNAL_HANGUP, asked_to_go, runner);
  usr = fore_signal_add (FORE_SIGNAL_CANCEL, asked_to_cancel, runner);
  g_main_loop_run (loop);
  fore_stall_leave ();
  g_clear_handle_id (&term, g_source_remove);
  g_clear_handle_id (&hup, g_source_remove);
  g_clear_handle_id (&usr, g_source_remove);

  return fore_runner_has_input (runner);
}

static void
set_up (const char *home)
{
  fore_signal_ignore_broken_pipes ();
  fore_signal_ignore_cancel ();
  fore_crash_install (home, PROGRAM);
  fore_log_install (home, PROGRAM);
  fore_stall_install (NULL);
}

static void
joined_scope (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!fore_process_join_scope_finish (result, &error))
    g_debug ("No scope of its own: %s", error->message);
}

/* Leaves the scope of the window, so that ending that does not end the run. */
static void
join_scope (const char *run_id)
{
  g_autofree char *name = g_strdup_printf ("app-%s-%s", PROGRAM, run_id);

  fore_process_join_scope_async (name, NULL, joined_scope, NULL);
}

/* In a process without threads that still work for the run as it was. */
static void
begin_again (const char *run_id, GError **error)
{
  g_autofree char *program = fore_platform_find_program (PROGRAM);
  const char *const words[] = { program, run_id, NULL };

  g_debug ("Something came while the run was given up; taking it up again");
  if (program != NULL)
    fore_process_begin_again (words, error);
}

int
main (int argc, char **argv)
{
  g_autofree char *home = fore_dirs_dup_home ();
  g_autoptr (ForeStore) store = NULL;
  g_autoptr (GError) error = NULL;

  fore_process_reserve_descriptors ();
  fore_texts_bind ();
  g_set_prgname (PROGRAM);

  if (argc != 2 || !fore_id_is_run (argv[1]))
    {
      g_printerr (_ ("%s carries out one run and is started by foredeck and foredeckctl: %s RUN\n"),
                  PROGRAM, PROGRAM);
      return 2;
    }

  store = fore_store_open (home, &error);
  if (store == NULL)
    {
      g_printerr ("%s\n", error->message);
      return fore_error_get_exit_code (error);
    }

  set_up (home);
  fore_log_set_context (argv[1]);
  join_scope (argv[1]);
  if (carry_out (store, argv[1], &error))
    begin_again (argv[1], &error);

  if (error != NULL && !g_error_matches (error, FORE_ERROR, FORE_ERROR_BUSY))
    g_warning ("%s", error->message);
  if (error != NULL)
    g_printerr ("%s\n", error->message);

  return error != NULL ? fore_error_get_exit_code (error) : 0;
}
