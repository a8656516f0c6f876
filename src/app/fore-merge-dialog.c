/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-merge-dialog.h"

#include "app/fore-application.h"
#include "app/fore-compat.h"
#include "app/fore-drop-down.h"
#include "app/fore-job.h"
#include "app/fore-outside.h"
#include "app/fore-run-commands.h"
#include "app/fore-widgets.h"
#include "engine/fore-changes.h"
#include "git/fore-merge-result.h"
#include "git/fore-repository.h"
#include "platform/fore-compat-glib.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_SHOWN 8

static const ForeMergeMode modes[] = { FORE_MERGE_COMMIT, FORE_MERGE_FAST_FORWARD,
                                       FORE_MERGE_SQUASH };

/* Of one window; its widgets are the window's. */
typedef struct
{
  GtkWidget *alert;
  GtkDropDown *target;
  GtkDropDown *mode;
  GtkLabel *prediction;
  char *run_id;
  char *project;
  char *result;
  GStrv without;
  char *head;   /* of the branch that the merge was tried on */
  char *doubts; /* why the merge is not advised, or NULL */
  gboolean updating;
} Dialog;

typedef struct
{
  ForeStore *store;
  char *run_id;
  char *project;
  char *target; /* NULL: the likeliest */
} Query;

typedef struct
{
  GStrv branches;
  char *target;
  char *head; /* of the target */
  GPtrArray *paths;
  guint n_conflicts;
  GError *error;
} Prediction;

static void
dialog_free (gpointer data)
{
  Dialog *self = data;

  g_free (self->run_id);
  g_free (self->project);
  g_free (self->result);
  g_strfreev (self->without);
  g_free (self->head);
  g_free (self->doubts);
  g_free (self);
}

static void
query_free (gpointer data)
{
  Query *query = data;

  g_object_unref (query->store);
  g_free (query->run_id);
  g_free (query->project);
  g_free (query->target);
  g_free (query);
}

static void
prediction_free (gpointer data)
{
  Prediction *prediction = data;

  g_strfreev (prediction->branches);
  g_free (prediction->target);
  g_free (prediction->head);
  g_clear_pointer (&prediction->paths, g_ptr_array_unref);
  g_clear_error (&prediction->error);
  g_free (prediction);
}

/* Branches that a person could mean: those of runs are none. */
static GStrv
list_branches (const char *project, GError **error)
{
  g_autoptr (ForeRepository) repository = fore_repository_open (project, error);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) all = NULL;

  if (repository != NULL)
    all = fore_repository_list_branches (repository, NULL, error);
  for (guint i = 0; all != NULL && all[i] != NULL; i++)
    {
      if (!g_str_has_prefix (all[i], "foredeck/"))
        g_strv_builder_add (builder, all[i]);
    }

  return g_strv_builder_end (builder);
}

static const char *
pick_branch (char **branches, const char *wanted)
{
  const char *const likely[] = { wanted, "main", "master" };

  for (guint i = 0; i < G_N_ELEMENTS (likely); i++)
    {
      if (likely[i] != NULL && g_strv_contains ((const char *const *) branches, likely[i]))
        return likely[i];
    }

  return branches[0];
}

static gpointer
predict_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  Query *query = data;
  Prediction *prediction = g_new0 (Prediction, 1);

  prediction->branches = list_branches (query->project, &prediction->error);
  if (prediction->error != NULL)
    return prediction;

  prediction->target = g_strdup (pick_branch (prediction->branches, query->target));
  prediction->paths = fore_changes_predict_merge (query->store, query->run_id, prediction->target,
                                                  &prediction->head, &prediction->n_conflicts,
                                                  &prediction->error);

  return prediction;
}

static void
append_paths (GString *text, const char *title, GPtrArray *paths, guint first, guint end)
{
  if (first >= end)
    return;

  g_string_append (text, title);
  for (guint i = first; i < MIN (end, first + MAX_SHOWN); i++)
    g_string_append_printf (text, "\n%s", (const char *) g_ptr_array_index (paths, i));
  if (end > first + MAX_SHOWN)
    g_string_append (text, "\n…");
}

static char *
dup_obstacles (Dialog *self, const Prediction *prediction)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint n_conflicts = prediction->n_conflicts;
  guint n_local = prediction->paths->len - n_conflicts;
  g_autofree char *both = g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "%u file was changed on %s as well, in the same lines:",
                   "%u files were changed on %s as well, in the same lines:", n_conflicts),
      n_conflicts, prediction->target);
  g_autofree char *local = g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "%u file has changes of your own that are not committed:",
                   "%u files have changes of your own that are not committed:", n_local),
      n_local);

  append_paths (text, both, prediction->paths, 0, n_conflicts);
  if (n_conflicts > 0)
    g_string_append_printf (text,
                            _ ("\nTo settle that, run “git merge %s” on %s, edit the marked lines "
                               "and commit."),
                            self->result, prediction->target);
  if (n_conflicts > 0 && n_local > 0)
    g_string_append (text, "\n\n");
  append_paths (text, local, prediction->paths, n_conflicts, prediction->paths->len);
  if (n_local > 0)
    g_string_append (text, _ ("\nCommit or move them first."));

  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
show_prediction (Dialog *self, const Prediction *prediction)
{
  gboolean blocked = prediction->paths != NULL && prediction->paths->len > 0;
  gboolean clean = prediction->error == NULL && !blocked;
  g_autofree char *text = NULL;

  if (prediction->error != NULL)
    text = g_strdup (prediction->error->message);
  else
    text = blocked ? dup_obstacles (self, prediction) : g_strdup (_ ("✓ It merges cleanly."));
  fore_outside_show (self->prediction, text);
  gtk_widget_remove_css_class (GTK_WIDGET (self->prediction),
                               clean ? "fore-removed" : "fore-added");
  gtk_widget_add_css_class (GTK_WIDGET (self->prediction), clean ? "fore-added" : "fore-removed");
  fore_alert_set_enabled (self->alert, "merge", clean, clean && self->doubts == NULL);
}

static void
show_target (Dialog *self, const char *target)
{
  g_autofree char *heading = target != NULL ? g_strdup_printf (_ ("Merge into %s?"), target)
                                            : g_strdup (_ ("Merge the Changes?"));

  fore_alert_set_heading (self->alert, heading);
}

static const char *
get_target (Dialog *self)
{
  GtkStringObject *selected = gtk_drop_down_get_selected_item (self->target);

  return selected != NULL ? gtk_string_object_get_string (selected) : NULL;
}

static void
fill_targets (Dialog *self, const Prediction *prediction)
{
  g_autoptr (GtkStringList) names = NULL;

  if (prediction->branches == NULL || get_target (self) != NULL)
    return;

  names = gtk_string_list_new ((const char *const *) prediction->branches);
  self->updating = TRUE;
  gtk_drop_down_set_model (self->target, G_LIST_MODEL (names));
  for (guint i = 0; prediction->branches[i] != NULL; i++)
    {
      if (g_strcmp0 (prediction->branches[i], prediction->target) == 0)
        gtk_drop_down_set_selected (self->target, i);
    }
  self->updating = FALSE;
}

/* What is left out is in nobody's way. */
static void
drop_left_out (Dialog *self, Prediction *prediction)
{
  for (guint i = 0; prediction->paths != NULL && i < prediction->paths->len;)
    {
      if (!g_strv_contains ((const char *const *) self->without, prediction->paths->pdata[i]))
        {
          i++;
          continue;
        }
      g_ptr_array_remove_index (prediction->paths, i);
      if (i < prediction->n_conflicts)
        prediction->n_conflicts--;
    }
}

static void
predicted_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  Dialog *self = g_object_get_data (owner, "fore-merge");
  Prediction *prediction = result;

  drop_left_out (self, prediction);
  fill_targets (self, prediction);
  if (g_strcmp0 (get_target (self), prediction->target) != 0)
    return;

  fore_set_str (&self->head, prediction->head);
  show_target (self, prediction->target);
  show_prediction (self, prediction);
}

static void
start_prediction (Dialog *self, const char *target)
{
  Query *query = g_new0 (Query, 1);

  query->store = g_object_ref (fore_application_get_store ());
  query->run_id = g_strdup (self->run_id);
  query->project = g_strdup (self->project);
  query->target = g_strdup (target);
  gtk_label_set_text (self->prediction, _ ("Trying the merge…"));
  gtk_widget_remove_css_class (GTK_WIDGET (self->prediction), "fore-removed");
  gtk_widget_remove_css_class (GTK_WIDGET (self->prediction), "fore-added");
  fore_alert_set_enabled (self->alert, "merge", FALSE, FALSE);
  show_target (self, target);
  fore_job_run (self->alert, "predict-merge", NULL, predict_thread, query, query_free,
                prediction_free, predicted_cb);
}

static void
target_selected_cb (GtkDropDown *target, GParamSpec *pspec, Dialog *self)
{
  if (!self->updating && get_target (self) != NULL)
    start_prediction (self, get_target (self));
}

static void
answered_cb (gpointer owner, const char *response, const char *text, gpointer data)
{
  Dialog *self = data;
  guint index = MIN (gtk_drop_down_get_selected (self->mode), G_N_ELEMENTS (modes) - 1);
  const char *target = get_target (self);

  if (strcmp (response, "merge") == 0)
    fore_run_merge (owner, self->run_id, target, self->head,
                    fore_merge_mode_to_string (modes[index]), (const char *const *) self->without);
}

static GtkDropDown *
add_row (GtkGrid *grid, int row, const char *title, const char *name, const char *const *names)
{
  GtkWidget *drop_down = gtk_drop_down_new_from_strings (names);
  GtkWidget *label = gtk_label_new (title);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (drop_down, TRUE);
  fore_drop_down_limit (GTK_DROP_DOWN (drop_down), 28);
  gtk_accessible_update_property (GTK_ACCESSIBLE (drop_down), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                  -1);
  gtk_grid_attach (grid, label, 0, row, 1, 1);
  gtk_grid_attach (grid, drop_down, 1, row, 1, 1);

  return GTK_DROP_DOWN (drop_down);
}

static void
add_left_out (Dialog *self, GtkBox *box)
{
  guint n = g_strv_length (self->without);
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *title = g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "%u file is left out:", "%u files are left out:", n), n);
  GtkWidget *label;

  if (n == 0)
    return;

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (paths, self->without[i]);
  append_paths (text, title, paths, 0, n);
  label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  fore_outside_show (GTK_LABEL (label), text->str);
  gtk_box_append (box, label);
}

/* What a person should know of the run before its work is taken; NULL if there is nothing. */
static char *
dup_doubts (const ForeRun *run)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint failed = run->counts[FORE_TASK_FAILED];

  if (run->verified == FORE_VERIFIED_FAILED)
    g_string_append (text, _ ("The checks failed on the merged work."));
  else if (run->verified == FORE_VERIFIED_COMPROMISED)
    g_string_append (text, _ ("Files that decide the checks were changed, so that what they say "
                              "does not count."));
  if (text->len > 0 && failed > 0)
    g_string_append_c (text, '\n');
  if (failed > 0)
    g_string_append_printf (text,
                            g_dngettext (GETTEXT_PACKAGE,
                                         "%u task failed; its work is not in here.",
                                         "%u tasks failed; their work is not in here.", failed),
                            failed);

  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

static void
add_doubts (Dialog *self, GtkBox *box)
{
  GtkWidget *row, *label;

  if (self->doubts == NULL)
    return;

  row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  label = gtk_label_new (self->doubts);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_box_append (GTK_BOX (row), fore_icon_new_beside ("dialog-warning-symbolic"));
  gtk_box_append (GTK_BOX (row), label);
  gtk_widget_add_css_class (row, "fore-removed");
  gtk_box_append (box, row);
}

static GtkWidget *
make_body (Dialog *self)
{
  const char *const none[] = { NULL };
  const char *const names[] = { _ ("Merge commit"), _ ("Fast-forward only"),
                                _ ("One squashed commit"), NULL };
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *grid = gtk_grid_new ();

  gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  self->target = add_row (GTK_GRID (grid), 0, _ ("Into"), _ ("Branch to merge into"), none);
  self->mode = add_row (GTK_GRID (grid), 1, _ ("How"), _ ("How to merge"), names);
  self->prediction = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->prediction, TRUE);
  gtk_label_set_wrap_mode (self->prediction, PANGO_WRAP_WORD_CHAR);
  gtk_label_set_selectable (self->prediction, TRUE);
  gtk_label_set_xalign (self->prediction, 0);
  gtk_box_append (GTK_BOX (box), grid);
  add_doubts (self, GTK_BOX (box));
  add_left_out (self, GTK_BOX (box));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->prediction));
  g_signal_connect (self->target, "notify::selected", G_CALLBACK (target_selected_cb), self);

  return box;
}

/**
 * fore_merge_dialog_open:
 * @from: the widget that asks
 * @run: a run with a result
 * @without: files of the result that are left out
 *
 * Asks how the result of @run is merged and into which branch, at first the one that it started
 * from, showing what a merge would do, and merges it.
 */
void
fore_merge_dialog_open (GtkWidget *from, const ForeRun *run, const char *const *without)
{
  ForeAlertAnswer answers[] = {
    { "close", _ ("Cancel"), ADW_RESPONSE_DEFAULT },
    { "merge", _ ("Merge"), ADW_RESPONSE_SUGGESTED },
  };
  Dialog *self;
  g_autofree char *body = NULL;

  g_return_if_fail (GTK_IS_WIDGET (from));
  g_return_if_fail (run != NULL);

  self = g_new0 (Dialog, 1);
  self->run_id = g_strdup (run->id);
  self->project = g_strdup (run->project);
  self->result = run->result_branch != NULL ? g_strdup (run->result_branch)
                                            : g_strndup (run->result_commit, 12);
  body = g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "%d file, +%d −%d lines. Nothing is pushed anywhere.",
                   "%d files, +%d −%d lines. Nothing is pushed anywhere.", MAX (run->files, 0)),
      run->files, run->insertions, run->deletions);
  self->without = g_strdupv ((GStrv) without);
  self->doubts = dup_doubts (run);
  if (self->doubts != NULL)
    answers[1].appearance = ADW_RESPONSE_DEFAULT;
  self->alert = fore_alert (from, _ ("Merge the Changes?"), body, answers, G_N_ELEMENTS (answers),
                            NULL, from, answered_cb, self);
  g_object_set_data_full (G_OBJECT (self->alert), "fore-merge", self, dialog_free);
  fore_alert_set_extra (self->alert, make_body (self));
  start_prediction (self, run->base_branch);
}
