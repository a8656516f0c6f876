/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-trust.h"

#include "app/fore-application.h"
#include "app/fore-compat.h"
#include "app/fore-errors.h"
#include "app/fore-format.h"
#include "app/fore-job.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define ASKED "fore-trust-asked"

typedef struct
{
  ForeStore *store;
  char *project;
  gboolean trusted;
  ForeTrustDone done;
} Change;

static Change *
change_new (const char *project, gboolean trusted, ForeTrustDone done)
{
  Change *change = g_new0 (Change, 1);

  change->store = g_object_ref (fore_application_get_store ());
  change->project = g_strdup (project);
  change->trusted = trusted;
  change->done = done;

  return change;
}

static void
change_free (gpointer data)
{
  Change *change = data;

  g_object_unref (change->store);
  g_free (change->project);
  g_free (change);
}

static gpointer
change_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  Change *change = data;

  return GINT_TO_POINTER (
      fore_store_trust (change->store, change->project, change->trusted, error));
}

static void
changed_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  Change *change = data;

  if (error != NULL)
    fore_show_error (owner, error);
  else if (change->done != NULL)
    change->done (owner);
}

static void
carry_out (GtkWidget *from, Change *change)
{
  fore_job_run (from, "trust", NULL, change_thread, change, change_free, NULL, changed_cb);
}

static void
answered_cb (gpointer owner, const char *response, const char *text, gpointer data)
{
  Change *change = g_object_steal_data (owner, ASKED);

  if (change != NULL && strcmp (response, "trust") == 0)
    carry_out (owner, change);
  else if (change != NULL)
    change_free (change);
}

/**
 * fore_trust_dup_state:
 * @project: canonical path of a project that nobody trusts
 *
 * Returns: (transfer full): what this means, in one sentence of markup
 */
char *
fore_trust_dup_state (const char *project)
{
  g_autofree char *path = NULL;

  g_return_val_if_fail (project != NULL, NULL);

  path = fore_format_path (project);
  return g_markup_printf_escaped (_ ("What %s brings is left out: settings, checks, hooks, crew"),
                                  path);
}

/**
 * fore_trust_ask:
 * @from: the widget that asks
 * @project: canonical path of a project
 * @done: (nullable): called on the main thread with @from once it is trusted
 *
 * Says what trusting @project allows, and does it if the person wants it.
 */
void
fore_trust_ask (GtkWidget *from, const char *project, ForeTrustDone done)
{
  const ForeAlertAnswer answers[] = {
    { "close", _ ("Cancel"), ADW_RESPONSE_DEFAULT },
    { "trust", _ ("Trust"), ADW_RESPONSE_SUGGESTED },
  };
  g_autofree char *name = NULL;
  g_autofree char *path = NULL;
  g_autofree char *heading = NULL;
  g_autofree char *body = NULL;

  g_return_if_fail (GTK_IS_WIDGET (from));
  g_return_if_fail (project != NULL);

  name = fore_format_project (project);
  path = fore_format_path (project);
  heading = g_strdup_printf (_ ("Trust “%s”?"), name);
  body = g_strdup_printf (
      _ ("From then on runs in %s use what lies in its .foredeck folder: its settings, its agents, "
         "teams, workflows and skills, its checks and its hooks.\n\nChecks and hooks are programs "
         "that run on this machine with your rights. Trust only what you have looked at; this can "
         "be taken back in the preferences."),
      path);
  g_object_set_data_full (G_OBJECT (from), ASKED, change_new (project, TRUE, done), change_free);
  fore_alert (from, heading, body, answers, G_N_ELEMENTS (answers), "close", from, answered_cb,
              NULL);
}

static void
offer_taken_cb (gpointer owner, const char *project)
{
  fore_trust_ask (owner, project, NULL);
}

/**
 * fore_trust_offer:
 * @from: the widget where it happened
 * @project: canonical path of a project of which a run leaves something out
 *
 * Says so, with a button that leads to fore_trust_ask().
 */
void
fore_trust_offer (GtkWidget *from, const char *project)
{
  g_return_if_fail (GTK_IS_WIDGET (from));
  g_return_if_fail (project != NULL);

  fore_show_offer (from,
                   _ ("This run leaves out what the project brings, as you have not trusted it."),
                   _ ("Trust…"), project, offer_taken_cb);
}

/**
 * fore_trust_revoke:
 * @from: the widget that asks
 * @project: canonical path of a project
 * @done: (nullable): called on the main thread with @from once it is not trusted any more
 */
void
fore_trust_revoke (GtkWidget *from, const char *project, ForeTrustDone done)
{
  g_return_if_fail (GTK_IS_WIDGET (from));
  g_return_if_fail (project != NULL);

  carry_out (from, change_new (project, FALSE, done));
}
