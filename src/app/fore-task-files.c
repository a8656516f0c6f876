/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-task-files.h"

#include "app/fore-errors.h"
#include "app/fore-format.h"
#include "app/fore-outside.h"
#include "app/fore-view-status.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

struct _ForeTaskFiles
{
  GtkWidget parent_instance;

  GtkWidget *scroller;
  GtkWidget *box;
  guint64 shown_rev;
  char *shown_key;
};

G_DEFINE_FINAL_TYPE (ForeTaskFiles, fore_task_files, GTK_TYPE_WIDGET)

static void
fore_task_files_dispose (GObject *object)
{
  ForeTaskFiles *self = FORE_TASK_FILES (object);

  g_clear_pointer (&self->scroller, gtk_widget_unparent);
  g_clear_pointer (&self->shown_key, g_free);

  G_OBJECT_CLASS (fore_task_files_parent_class)->dispose (object);
}

static void
fore_task_files_class_init (ForeTaskFilesClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fore_task_files_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
fore_task_files_init (ForeTaskFiles *self)
{
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 16);
  gtk_widget_add_css_class (self->box, "panel-page");
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), self->box);
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));
}

static GtkWidget *
new_row (const char *title, const char *subtitle, ForeViewStatus status, const char *word)
{
  g_autofree char *visible = fore_outside_dup (title);
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *icon = gtk_image_new_from_icon_name (fore_view_status_get_icon_name (status));

  gtk_widget_add_css_class (icon, fore_view_status_get_css_class (status));
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), visible);
  if (subtitle != NULL)
    {
      g_autofree char *shown = fore_outside_dup (subtitle);

      adw_action_row_set_subtitle (ADW_ACTION_ROW (row), shown);
    }
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), icon);
  if (word != NULL)
    {
      GtkWidget *label = gtk_label_new (word);

      gtk_widget_add_css_class (label, "dim-label");
      adw_action_row_add_suffix (ADW_ACTION_ROW (row), label);
    }

  return row;
}

static void
add_outcome (ForeTaskFiles *self, const ForeTask *task)
{
  GtkWidget *group = adw_preferences_group_new ();
  g_autofree char *effect = NULL;
  guint n = task->files != NULL ? task->files->len : 0;
  gboolean ended = fore_task_status_get_class (task->status) == FORE_CLASS_FINISHED;

  if (n > 0)
    effect = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u file", "%u files", n), n);
  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), _ ("Outcome"));
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group),
                             new_row (_ ("The agent"), task->message,
                                      task->worker == FORE_WORKER_WELL    ? FORE_VIEW_DONE
                                      : task->worker == FORE_WORKER_BADLY ? FORE_VIEW_FAILED
                                                                          : FORE_VIEW_PENDING,
                                      task->worker == FORE_WORKER_WELL ? _ ("ended well")
                                      : task->worker == FORE_WORKER_BADLY
                                          ? fore_format_cause (task->cause)
                                      : ended ? _ ("did not run")
                                              : _ ("not finished")));
  adw_preferences_group_add (
      ADW_PREFERENCES_GROUP (group),
      new_row (_ ("Changes"), NULL,
               task->effect == FORE_EFFECT_CHANGED ? FORE_VIEW_DONE : FORE_VIEW_PENDING,
               effect != NULL                     ? effect
               : task->effect == FORE_EFFECT_NONE ? _ ("none")
                                                  : _ ("not known yet")));
  gtk_box_append (GTK_BOX (self->box), group);
}

static void
output_clicked_cb (GtkButton *button, char *text)
{
  fore_show_text (GTK_WIDGET (button), _ ("Output of the Check"), text);
}

static void
free_text (gpointer data, GClosure *closure)
{
  g_free (data);
}

static void
check_words (const ForeCheck *check, ForeViewStatus *status, char **word)
{
  g_autofree char *span = check->ms >= 0 ? fore_format_span (check->ms * 1000) : NULL;

  switch (check->verified)
    {
    case FORE_VERIFIED_YES:
      *status = FORE_VIEW_DONE;
      *word = span != NULL ? g_strdup_printf (_ ("passed · %s"), span) : g_strdup (_ ("passed"));
      break;
    case FORE_VERIFIED_FAILED:
      *status = FORE_VIEW_FAILED;
      *word = check->exit_code > 0 ? g_strdup_printf (_ ("failed · exit %d"), check->exit_code)
                                   : g_strdup (_ ("failed"));
      break;
    case FORE_VERIFIED_COMPROMISED:
      *status = FORE_VIEW_ATTENTION;
      *word = g_strdup (_ ("compromised"));
      break;
    default:
      *status = FORE_VIEW_PENDING;
      *word = g_strdup (_ ("not run"));
    }
}

static void
add_checks (ForeTaskFiles *self, const ForeTask *task)
{
  GtkWidget *group;

  if (task->checks == NULL || task->checks->len == 0)
    return;

  group = adw_preferences_group_new ();
  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), _ ("Checks Run by Foredeck"));
  for (guint i = 0; i < task->checks->len; i++)
    {
      const ForeCheck *check = g_ptr_array_index (task->checks, i);
      g_autofree char *label = fore_check_dup_label (check);
      g_autofree char *word = NULL;
      ForeViewStatus status;
      GtkWidget *row;

      check_words (check, &status, &word);
      row = new_row (label, NULL, status, word);
      if (check->output != NULL && *check->output != 0)
        {
          GtkWidget *button = gtk_button_new_with_label (_ ("Output"));

          gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
          gtk_widget_add_css_class (button, "flat");
          g_signal_connect_data (button, "clicked", G_CALLBACK (output_clicked_cb),
                                 g_utf8_make_valid (check->output, -1), free_text, 0);
          adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
        }
      adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
    }
  gtk_box_append (GTK_BOX (self->box), group);
}

static GtkWidget *
new_count (const char *text, const char *css_class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_widget_add_css_class (label, css_class);
  gtk_widget_add_css_class (label, "numeric");

  return label;
}

static GtkWidget *
new_file_row (const ForeChange *change)
{
  GtkWidget *row = adw_action_row_new ();
  g_autofree char *path = fore_outside_dup (change->path);
  g_autofree char *added = g_strdup_printf ("+%d", change->insertions);
  g_autofree char *removed = g_strdup_printf ("−%d", change->deletions);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), path);
  if (change->insertions < 0)
    adw_action_row_add_suffix (ADW_ACTION_ROW (row), new_count (_ ("binary"), "dim-label"));
  else
    {
      adw_action_row_add_suffix (ADW_ACTION_ROW (row), new_count (added, "fore-added"));
      adw_action_row_add_suffix (ADW_ACTION_ROW (row), new_count (removed, "fore-removed"));
    }

  return row;
}

static void
add_files (ForeTaskFiles *self, const ForeTask *task)
{
  GtkWidget *group;

  if (task->files == NULL || task->files->len == 0)
    return;

  group = adw_preferences_group_new ();
  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), _ ("Files"));
  for (guint i = 0; i < MIN (task->files->len, 300); i++)
    adw_preferences_group_add (ADW_PREFERENCES_GROUP (group),
                               new_file_row (g_ptr_array_index (task->files, i)));
  gtk_box_append (GTK_BOX (self->box), group);
}

static void
add_result (ForeTaskFiles *self, const ForeTask *task)
{
  GtkWidget *title;
  GtkWidget *label;

  if (task->text == NULL || *task->text == 0)
    return;

  title = gtk_label_new (_ ("What It Has to Do"));
  label = gtk_label_new (NULL);
  fore_outside_show (GTK_LABEL (label), task->text);
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_widget_add_css_class (title, "heading");
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_box_append (GTK_BOX (self->box), title);
  gtk_box_append (GTK_BOX (self->box), label);
}

/**
 * fore_task_files_set_task:
 * @self: a page of files
 * @task: (nullable): the task
 */
void
fore_task_files_set_task (ForeTaskFiles *self, const ForeTask *task)
{
  GtkWidget *child;

  g_return_if_fail (FORE_IS_TASK_FILES (self));

  if (task != NULL && g_strcmp0 (self->shown_key, task->key) == 0 && self->shown_rev == task->rev)
    return;

  g_free (self->shown_key);
  self->shown_key = task != NULL ? g_strdup (task->key) : NULL;
  self->shown_rev = task != NULL ? task->rev : 0;
  while ((child = gtk_widget_get_first_child (self->box)) != NULL)
    gtk_box_remove (GTK_BOX (self->box), child);
  if (task == NULL)
    return;

  add_outcome (self, task);
  add_checks (self, task);
  add_files (self, task);
  add_result (self, task);
}
