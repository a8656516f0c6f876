/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-run-forget.h"

#include "app/fore-application.h"
#include "app/fore-compat.h"
#include "app/fore-errors.h"
#include "app/fore-job.h"
#include "engine/fore-forget.h"
#include "text/fore-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

typedef struct
{
  ForeStore *store;
  char *run_id;
} Job;

/* What the person is asked about. */
typedef struct
{
  ForeRun *run;
  guint64 bytes;
} Look;

static Job *
job_new (const char *run_id)
{
  Job *job = g_new0 (Job, 1);

  job->store = g_object_ref (fore_application_get_store ());
  job->run_id = g_strdup (run_id);

  return job;
}

static void
job_free (gpointer data)
{
  Job *job = data;

  g_object_unref (job->store);
  g_free (job->run_id);
  g_free (job);
}

static void
look_free (gpointer data)
{
  Look *look = data;

  g_clear_pointer (&look->run, fore_run_free);
  g_free (look);
}

static gpointer
forget_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  Job *job = data;

  return fore_forget_run (job->store, job->run_id, error) ? g_strdup (job->run_id) : NULL;
}

static void
forgotten_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  if (error != NULL)
    {
      fore_show_error (owner, error);
      return;
    }

  fore_show_note (owner, _ ("The run was forgotten."));
  gtk_widget_activate_action (owner, "win.leave-run", "s", result);
}

static void
answered_cb (gpointer owner, const char *response, const char *text, gpointer data)
{
  const char *run_id = data;

  if (strcmp (response, "forget") == 0)
    fore_job_run (owner, "forget-run", NULL, forget_thread, job_new (run_id), job_free, g_free,
                  forgotten_cb);
}

static gpointer
look_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  Job *job = data;
  Look *look;

  if (!fore_forget_check (job->store, job->run_id, error))
    return NULL;

  look = g_new0 (Look, 1);
  look->run = fore_store_get_run (job->store, job->run_id, error);
  if (look->run == NULL)
    {
      look_free (look);
      return NULL;
    }
  look->bytes = fore_forget_measure (job->store, job->run_id);

  return look;
}

static void
looked_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  const ForeAlertAnswer answers[] = {
    { "close", _ ("Keep It"), ADW_RESPONSE_DEFAULT },
    { "forget", _ ("Forget"), ADW_RESPONSE_DESTRUCTIVE },
  };
  Look *look = result;
  g_autofree char *heading = NULL;
  g_autofree char *size = NULL;
  g_autofree char *body = NULL;
  GtkWidget *alert;
  char *run_id;

  if (error != NULL)
    {
      fore_show_error (owner, error);
      return;
    }

  size = fore_text_format_size (look->bytes);
  heading = g_strdup_printf (_ ("Forget “%s”?"), look->run->title);
  body = g_strdup_printf (_ ("Its tasks, transcripts and logs (%s) and its working trees are "
                             "removed, which cannot be undone. Its branches stay in the project, "
                             "and commits that nothing else reaches are kept as rescued work."),
                          size);
  run_id = g_strdup (look->run->id);
  alert = fore_alert (owner, heading, body, answers, G_N_ELEMENTS (answers), "close", owner,
                      answered_cb, run_id);
  g_object_set_data_full (G_OBJECT (alert), "fore-forget", run_id, g_free);
}

/**
 * fore_run_forget_ask:
 * @from: the widget that asks
 * @run_id: a run
 *
 * Looks in a worker thread what would be removed of the run, asks the person, and forgets it, as
 * “foredeckctl forget” does. One that cannot go yet says why. Activates "win.leave-run" once it is
 * gone.
 */
void
fore_run_forget_ask (GtkWidget *from, const char *run_id)
{
  g_return_if_fail (GTK_IS_WIDGET (from));
  g_return_if_fail (run_id != NULL);

  fore_job_run (from, "look-at-run", NULL, look_thread, job_new (run_id), job_free, look_free,
                looked_cb);
}
