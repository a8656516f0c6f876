/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-merge-dialog.h"

#include "app/fore-application.h"
#include "app/fore-compat.h"
#include "app/fore-job.h"
#include "app/fore-outside.h"
#include "app/fore-run-commands.h"
#include "engine/fore-changes.h"
#include "git/fore-merge-result.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static const ForeMergeMode modes[] = { FORE_MERGE_COMMIT, FORE_MERGE_FAST_FORWARD,
                                       FORE_MERGE_SQUASH };

typedef struct
{
  ForeStore *store;
  char *run_id;
} Query;

static void
query_free (gpointer data)
{
  Query *query = data;

  g_object_unref (query->store);
  g_free (query->run_id);
  g_free (query);
}

static gpointer
predict_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  Query *query = data;
  g_autoptr (GError) local = NULL;
  GPtrArray *paths = fore_changes_predict_merge (query->store, query->run_id, NULL, &local);

  if (local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return NULL;
    }

  return paths != NULL ? paths : g_ptr_array_new ();
}

static void
predicted_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  GtkLabel *label = owner;
  GPtrArray *paths = result;
  g_autoptr (GString) text = g_string_new (NULL);

  if (error != NULL)
    {
      fore_outside_show (label, error->message);
      return;
    }
  if (paths->len == 0)
    {
      gtk_label_set_text (label, _ ("✓ It merges cleanly."));
      gtk_widget_add_css_class (GTK_WIDGET (label), "fore-added");
      return;
    }

  g_string_append_printf (text,
                          g_dngettext (GETTEXT_PACKAGE, "%u file is in the way:",
                                       "%u files are in the way:", paths->len),
                          paths->len);
  for (guint i = 0; i < MIN (paths->len, 8); i++)
    g_string_append_printf (text, "\n%s", (char *) g_ptr_array_index (paths, i));
  fore_outside_show (label, text->str);
  gtk_widget_add_css_class (GTK_WIDGET (label), "fore-removed");
}

static void
start_prediction (GtkWidget *label, const char *run_id)
{
  Query *query = g_new0 (Query, 1);

  query->store = g_object_ref (fore_application_get_store ());
  query->run_id = g_strdup (run_id);
  fore_job_run (label, "predict-merge", NULL, predict_thread, query, query_free,
                (GDestroyNotify) g_ptr_array_unref, predicted_cb);
}

static void
answered_cb (gpointer owner, const char *response, const char *text, gpointer data)
{
  g_autofree char *run_id = g_object_steal_data (owner, "fore-merge-run");
  GtkDropDown *mode = g_object_get_data (owner, "fore-merge-mode");
  guint index = MIN (gtk_drop_down_get_selected (mode), G_N_ELEMENTS (modes) - 1);
  const char *args[] = { "", fore_merge_mode_to_string (modes[index]), NULL };

  if (strcmp (response, "merge") == 0)
    fore_run_command (owner, run_id, FORE_COMMAND_MERGE, args, _ ("Merged"), NULL, NULL);
  g_object_set_data (owner, "fore-merge-mode", NULL);
}

static GtkWidget *
new_mode_row (GtkWidget **drop_down)
{
  const char *const names[] = { _ ("Merge commit"), _ ("Fast-forward only"),
                                _ ("One squashed commit"), NULL };
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *label = gtk_label_new (_ ("How"));

  *drop_down = gtk_drop_down_new_from_strings (names);
  gtk_widget_set_hexpand (*drop_down, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (*drop_down), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("How to merge"), -1);
  gtk_box_append (GTK_BOX (row), label);
  gtk_box_append (GTK_BOX (row), *drop_down);

  return row;
}

/**
 * fore_merge_dialog_open:
 * @from: the widget that asks
 * @run: a run with a result
 *
 * Asks how the result of @run is merged into the branch that it started from, showing what a merge
 * would do, and merges it.
 */
void
fore_merge_dialog_open (GtkWidget *from, const ForeRun *run)
{
  const ForeAlertAnswer answers[] = {
    { "close", _ ("Cancel"), ADW_RESPONSE_DEFAULT },
    { "merge", _ ("Merge"), ADW_RESPONSE_SUGGESTED },
  };
  g_autofree char *heading = NULL;
  g_autofree char *body = NULL;
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *prediction = gtk_label_new (_ ("Trying the merge…"));
  GtkWidget *mode;
  GtkWidget *alert;

  g_return_if_fail (GTK_IS_WIDGET (from));
  g_return_if_fail (run != NULL);

  heading = g_strdup_printf (_ ("Merge into %s?"),
                             run->base_branch != NULL ? run->base_branch : _ ("the branch"));
  body = g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "%d file, +%d −%d lines. Nothing is pushed anywhere.",
                   "%d files, +%d −%d lines. Nothing is pushed anywhere.", MAX (run->files, 0)),
      run->files, run->insertions, run->deletions);
  gtk_box_append (GTK_BOX (box), new_mode_row (&mode));
  gtk_label_set_wrap (GTK_LABEL (prediction), TRUE);
  gtk_label_set_xalign (GTK_LABEL (prediction), 0);
  gtk_box_append (GTK_BOX (box), prediction);

  g_object_set_data_full (G_OBJECT (from), "fore-merge-run", g_strdup (run->id), g_free);
  g_object_set_data_full (G_OBJECT (from), "fore-merge-mode", g_object_ref (mode), g_object_unref);
  alert = fore_alert (from, heading, body, answers, G_N_ELEMENTS (answers), "merge", from,
                      answered_cb, NULL);
  fore_alert_set_extra (alert, box);
  start_prediction (prediction, run->id);
}
