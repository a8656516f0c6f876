/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-changes-view.h"

#include "app/fore-accessible.h"
#include "app/fore-application.h"
#include "app/fore-changes-checks.h"
#include "app/fore-changes-load.h"
#include "app/fore-changes-open.h"
#include "app/fore-diff-view.h"
#include "app/fore-drop-down.h"
#include "app/fore-empty.h"
#include "app/fore-errors.h"
#include "app/fore-file-list.h"
#include "app/fore-format.h"
#include "app/fore-narrow-layout.h"
#include "app/fore-outside.h"
#include "app/fore-page-keys.h"
#include "app/fore-review-bar.h"
#include "app/fore-run-item.h"
#include "app/fore-split.h"
#include "app/fore-task-text.h"
#include "app/fore-view-bar.h"

#include <glib/gi18n-lib.h>

struct _ForeChangesView
{
  GtkWidget parent_instance;

  GtkWidget *box;
  GtkDropDown *scope;
  GtkLabel *totals;
  GtkLabel *added;
  GtkLabel *removed;
  GtkWidget *checks;
  GtkImage *checks_icon;
  GtkLabel *checks_label;
  ForeViewBar *layout_bar;
  GtkStack *stack;
  ForeEmpty *empty;
  ForeSplit *split;
  ForeFileList *file_list;
  GtkWidget *files_button;
  GtkLabel *path;
  GtkLabel *origin;
  GtkToggleButton *viewed;
  GtkToggleButton *left_out;
  ForeDiffView *diff;
  ForeReviewBar *review;
  GtkWidget *filter;

  char *run_id;
  ForeRunModel *model;
  GPtrArray *keys;
  GHashTable *left_out_paths;
  char *shown;
  GCancellable *cancellable;
  ForeDiffDoc *doc;
  guint wanted_line;
  gboolean active;
  gboolean updating;
};

G_DEFINE_FINAL_TYPE (ForeChangesView, fore_changes_view, GTK_TYPE_WIDGET)

static void
show_totals (ForeChangesView *self, ForeDiffDoc *doc)
{
  guint n = doc != NULL ? fore_diff_doc_get_n_files (doc) : 0;
  guint n_added = 0;
  guint n_removed = 0;
  g_autofree char *files = NULL;
  g_autofree char *added = NULL;
  g_autofree char *removed = NULL;

  gtk_widget_set_visible (GTK_WIDGET (self->totals), n > 0);
  gtk_widget_set_visible (GTK_WIDGET (self->added), n > 0);
  gtk_widget_set_visible (GTK_WIDGET (self->removed), n > 0);
  gtk_widget_set_visible (GTK_WIDGET (self->layout_bar), n > 0);
  if (n == 0)
    return;

  fore_diff_doc_get_totals (doc, &n_added, &n_removed);
  files = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u file", "%u files", n), n);
  added = g_strdup_printf ("+%u", n_added);
  removed = g_strdup_printf ("−%u", n_removed);
  gtk_label_set_text (self->totals, files);
  gtk_widget_set_direction (GTK_WIDGET (self->added), GTK_TEXT_DIR_LTR);
  gtk_widget_set_direction (GTK_WIDGET (self->removed), GTK_TEXT_DIR_LTR);
  gtk_label_set_text (self->added, added);
  gtk_label_set_text (self->removed, removed);
}

static void
show_empty (ForeChangesView *self, const char *icon, const char *title, const char *text)
{
  fore_empty_set (self->empty, icon, title, text);
  gtk_stack_set_visible_child_name (self->stack, "empty");
  show_totals (self, NULL);
}

static void
show_file (ForeChangesView *self, const char *path)
{
  const ForeTask *task = self->model != NULL ? fore_changes_find_origin (self->model, path) : NULL;
  g_autofree char *title = task != NULL ? fore_task_dup_title (task) : NULL;
  g_autofree char *origin = title != NULL ? g_strdup_printf (_ ("from “%s”"), title) : NULL;

  fore_diff_view_set_path (self->diff, path);
  fore_outside_show (self->path, path);
  fore_outside_show (self->origin, origin);
  self->updating = TRUE;
  gtk_toggle_button_set_active (self->viewed, fore_file_list_get_viewed (self->file_list, path));
  gtk_toggle_button_set_active (self->left_out, g_hash_table_contains (self->left_out_paths, path));
  self->updating = FALSE;
}

static const char *
selected_key (ForeChangesView *self)
{
  guint index = gtk_drop_down_get_selected (self->scope);

  if (index == 0 || index > self->keys->len)
    return NULL;

  return g_ptr_array_index (self->keys, index - 1);
}

static void
loaded_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  ForeChangesView *self = owner;
  ForeDiffDoc *doc = result;
  const char *path;

  if (error != NULL)
    {
      show_empty (self, "fore-warning-symbolic", _ ("The Changes Cannot Be Shown"), error->message);
      return;
    }
  if (fore_diff_doc_get_n_files (doc) == 0)
    {
      show_empty (self, "fore-changes-symbolic", _ ("Nothing Was Changed"),
                  _ ("The agents left every file as it was."));
      return;
    }

  g_clear_pointer (&self->doc, fore_diff_doc_unref);
  self->doc = fore_diff_doc_ref (doc);
  fore_file_list_set_doc (self->file_list, doc);
  fore_file_list_set_left_out (self->file_list, self->left_out_paths);
  fore_diff_view_set_doc (self->diff, doc);
  path = fore_file_list_get_selected_path (self->file_list);
  if (path == NULL || fore_diff_doc_find_file (doc, path) == NULL)
    path = fore_diff_doc_get_file (doc, 0)->path;
  fore_file_list_set_selected_path (self->file_list, path);
  show_file (self, path);
  show_totals (self, doc);
  fore_review_bar_set_doc (self->review, doc, selected_key (self));
  gtk_stack_set_visible_child_name (self->stack, "diff");
}

static void
whole_loaded_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  ForeChangesView *self = owner;
  ForeDiffDoc *whole = result;

  if (error != NULL)
    fore_show_error (owner, error);
  else if (fore_diff_doc_get_n_files (whole) != 1 || fore_diff_doc_get_file (whole, 0)->too_large)
    fore_show_note (owner, _ ("This file is too large to be shown; open it in your editor."));
  else
    fore_diff_view_set_whole (self->diff, whole, self->wanted_line);
}

static void
whole_wanted_cb (ForeDiffView *diff, const char *path, guint line, ForeChangesView *self)
{
  self->wanted_line = line;
  fore_changes_query_file (self, fore_application_get_store (), self->run_id, selected_key (self),
                           path, self->cancellable, whole_loaded_cb);
}

static char *
dup_wanted (ForeChangesView *self)
{
  const ForeRun *run = self->model != NULL ? fore_run_model_get_run (self->model) : NULL;
  const char *key = selected_key (self);
  ForeTaskItem *item;

  if (run == NULL)
    return NULL;
  if (key == NULL)
    return run->result_commit != NULL ? g_strdup_printf ("|%s", run->result_commit) : NULL;

  item = fore_run_model_find_task (self->model, key);
  return item != NULL && fore_task_item_get_task (item)->commit != NULL
             ? g_strdup_printf ("%s|%s", key, fore_task_item_get_task (item)->commit)
             : NULL;
}

static void
load (ForeChangesView *self)
{
  ForeStore *store = fore_application_get_store ();
  g_autofree char *wanted = dup_wanted (self);
  const char *title, *text;

  if (!self->active || store == NULL)
    return;
  if (wanted == NULL)
    {
      g_clear_pointer (&self->shown, g_free);
      text = fore_run_explain_no_changes (fore_run_model_get_run (self->model), &title);
      show_empty (self, "fore-changes-symbolic", title, text);
      return;
    }
  if (g_strcmp0 (wanted, self->shown) == 0)
    return;

  g_free (self->shown);
  self->shown = g_steal_pointer (&wanted);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  if (self->doc == NULL)
    {
      fore_empty_set_busy (self->empty, _ ("Reading the changes"));
      gtk_stack_set_visible_child_name (self->stack, "empty");
    }
  fore_changes_query (self, store, self->run_id, selected_key (self), self->cancellable, loaded_cb);
}

static void
update_scope (ForeChangesView *self)
{
  GListModel *tasks = fore_run_model_get_tasks (self->model);
  guint n = g_list_model_get_n_items (tasks);
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  g_autofree char *selected = g_strdup (selected_key (self));
  guint position = 0;

  gtk_string_list_append (names, _ ("Whole Run"));
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (ForeTaskItem) item = g_list_model_get_item (tasks, i);
      const ForeTask *task = fore_task_item_get_task (item);
      g_autofree char *plain = fore_task_dup_title (task);
      g_autofree char *title = fore_outside_dup (plain);

      if (task->commit == NULL || task->effect != FORE_EFFECT_CHANGED)
        continue;
      gtk_string_list_append (names, title);
      g_ptr_array_add (keys, g_strdup (task->key));
      if (g_strcmp0 (task->key, selected) == 0)
        position = keys->len;
    }
  if (keys->len == self->keys->len && gtk_drop_down_get_model (self->scope) != NULL)
    return;

  self->updating = TRUE;
  g_ptr_array_unref (self->keys);
  self->keys = g_steal_pointer (&keys);
  gtk_drop_down_set_model (self->scope, G_LIST_MODEL (names));
  gtk_drop_down_set_selected (self->scope, position);
  self->updating = FALSE;
}

static void
scope_selected_cb (GtkDropDown *scope, GParamSpec *pspec, ForeChangesView *self)
{
  if (!self->updating)
    load (self);
}

static void
layout_selected_cb (ForeViewBar *bar, GParamSpec *pspec, ForeChangesView *self)
{
  fore_diff_view_set_side_by_side (self->diff,
                                   g_strcmp0 (fore_view_bar_get_selected (bar), "side") == 0);
}

static void
file_selected_cb (ForeFileList *list, const char *path, ForeChangesView *self)
{
  show_file (self, path);
  if (fore_split_get_collapsed (self->split))
    fore_split_set_show_side (self->split, FALSE);
}

static void
viewed_changed_cb (ForeFileList *list, const char *path, gboolean viewed, ForeChangesView *self)
{
  if (g_strcmp0 (path, fore_diff_view_get_path (self->diff)) != 0)
    return;

  self->updating = TRUE;
  gtk_toggle_button_set_active (self->viewed, viewed);
  self->updating = FALSE;
}

static void
viewed_toggled_cb (GtkToggleButton *button, ForeChangesView *self)
{
  const char *path = fore_diff_view_get_path (self->diff);

  if (self->updating || path == NULL)
    return;

  fore_file_list_set_viewed (self->file_list, path, gtk_toggle_button_get_active (button));
  fore_review_bar_set_viewed (self->review, path, gtk_toggle_button_get_active (button));
}

static void
left_out_toggled_cb (GtkToggleButton *button, ForeChangesView *self)
{
  const char *path = fore_diff_view_get_path (self->diff);

  if (self->updating || path == NULL)
    return;

  if (gtk_toggle_button_get_active (button))
    g_hash_table_add (self->left_out_paths, g_strdup (path));
  else
    g_hash_table_remove (self->left_out_paths, path);
  fore_file_list_set_left_out (self->file_list, self->left_out_paths);
}

static void
marks_changed_cb (ForeReviewBar *review, ForeChangesView *self)
{
  const char *path = fore_diff_view_get_path (self->diff);

  if (path != NULL)
    show_file (self, path);
}

static void
filter_changed_cb (GtkSearchEntry *entry, ForeChangesView *self)
{
  fore_file_list_set_filter (self->file_list, gtk_editable_get_text (GTK_EDITABLE (entry)));
}

static void
open_in_editor (ForeChangesView *self)
{
  const ForeRun *run = self->model != NULL ? fore_run_model_get_run (self->model) : NULL;
  const char *path = fore_diff_view_get_path (self->diff);
  const ForeTask *task = run != NULL && path != NULL ? fore_changes_find_origin (self->model, path)
                                                     : NULL;

  if (run != NULL && path != NULL)
    fore_changes_open_file (GTK_WIDGET (self), task != NULL ? task->worktree : NULL, run->project,
                            path);
}

static void
key_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ForeChangesView *self = FORE_CHANGES_VIEW (widget);

  if (self->doc == NULL)
    return;

  if (g_str_equal (name, "changes.step-file"))
    fore_file_list_step (self->file_list, g_variant_get_int32 (parameter));
  else if (g_str_equal (name, "changes.step-change"))
    fore_diff_view_step (self->diff, g_variant_get_int32 (parameter));
  else if (g_str_equal (name, "changes.view-file"))
    gtk_toggle_button_set_active (self->viewed, !gtk_toggle_button_get_active (self->viewed));
  else if (g_str_equal (name, "changes.leave-out"))
    gtk_toggle_button_set_active (self->left_out, !gtk_toggle_button_get_active (self->left_out));
  else if (g_str_equal (name, "changes.filter"))
    gtk_widget_grab_focus (self->filter);
  else if (g_str_equal (name, "changes.edit-file"))
    open_in_editor (self);
  else
    fore_review_bar_comment (self->review);
}

static const struct
{
  guint key;
  const char *action;
  int argument;
} bindings[] = {
  { GDK_KEY_j, "changes.step-file", 1 },   { GDK_KEY_k, "changes.step-file", -1 },
  { GDK_KEY_n, "changes.step-change", 1 }, { GDK_KEY_p, "changes.step-change", -1 },
  { GDK_KEY_c, "changes.comment", 0 },     { GDK_KEY_v, "changes.view-file", 0 },
  { GDK_KEY_x, "changes.leave-out", 0 },   { GDK_KEY_e, "changes.edit-file", 0 },
  { GDK_KEY_slash, "changes.filter", 0 },
};

static void
install_actions (GtkWidgetClass *widget_class)
{
  for (guint i = 0; i < G_N_ELEMENTS (bindings); i++)
    {
      if (bindings[i].argument >= 0)
        gtk_widget_class_install_action (widget_class, bindings[i].action,
                                         bindings[i].argument != 0 ? "i" : NULL, key_action);
    }
}

static void
files_clicked_cb (GtkButton *button, ForeChangesView *self)
{
  fore_split_set_show_side (self->split, TRUE);
}

static void
collapsed_cb (ForeSplit *split, GParamSpec *pspec, ForeChangesView *self)
{
  gtk_widget_set_visible (self->files_button, fore_split_get_collapsed (split));
}

static void
set_narrow (GtkWidget *widget, gboolean narrow)
{
  ForeChangesView *self = FORE_CHANGES_VIEW (widget);

  gtk_widget_set_visible (gtk_widget_get_parent (GTK_WIDGET (self->totals)), !narrow);
  gtk_widget_set_visible (GTK_WIDGET (self->checks_label), !narrow);
  gtk_widget_set_visible (GTK_WIDGET (self->origin), !narrow);
}

static void
fore_changes_view_dispose (GObject *object)
{
  ForeChangesView *self = FORE_CHANGES_VIEW (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->model);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->doc, fore_diff_doc_unref);
  g_clear_pointer (&self->keys, g_ptr_array_unref);
  g_clear_pointer (&self->left_out_paths, g_hash_table_unref);
  g_clear_pointer (&self->run_id, g_free);
  g_clear_pointer (&self->shown, g_free);

  G_OBJECT_CLASS (fore_changes_view_parent_class)->dispose (object);
}

static void
bind_template (GtkWidgetClass *widget_class)
{
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/app/foredeck/Foredeck/ui/fore-changes-view.ui");
  gtk_widget_class_bind_template_child (widget_class, ForeChangesView, box);
  gtk_widget_class_bind_template_child (widget_class, ForeChangesView, scope);
  gtk_widget_class_bind_template_child (widget_class, ForeChangesView, totals);
  gtk_widget_class_bind_template_child (widget_class, ForeChangesView, added);
  gtk_widget_class_bind_template_child (widget_class, ForeChangesView, removed);
  gtk_widget_class_bind_template_child (widget_class, ForeChangesView, checks);
  gtk_widget_class_bind_template_child (widget_class, ForeChangesView, checks_icon);
  gtk_widget_class_bind_template_child (widget_class, ForeChangesView, checks_label);
  gtk_widget_class_bind_template_child (widget_class, ForeChangesView, layout_bar);
  gtk_widget_class_bind_template_child (widget_class, ForeChangesView, stack);
  gtk_widget_class_bind_template_child (widget_class, ForeChangesView, empty);
  gtk_widget_class_bind_template_child (widget_class, ForeChangesView, split);
  gtk_widget_class_bind_template_child (widget_class, ForeChangesView, file_list);
  gtk_widget_class_bind_template_child (widget_class, ForeChangesView, files_button);
  gtk_widget_class_bind_template_child (widget_class, ForeChangesView, path);
  gtk_widget_class_bind_template_child (widget_class, ForeChangesView, origin);
  gtk_widget_class_bind_template_child (widget_class, ForeChangesView, viewed);
  gtk_widget_class_bind_template_child (widget_class, ForeChangesView, left_out);
  gtk_widget_class_bind_template_child (widget_class, ForeChangesView, diff);
  gtk_widget_class_bind_template_child (widget_class, ForeChangesView, review);
  gtk_widget_class_bind_template_child (widget_class, ForeChangesView, filter);
  gtk_widget_class_bind_template_callback (widget_class, scope_selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, marks_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, filter_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, layout_selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, file_selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, viewed_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, viewed_toggled_cb);
  gtk_widget_class_bind_template_callback (widget_class, whole_wanted_cb);
  gtk_widget_class_bind_template_callback (widget_class, left_out_toggled_cb);
  gtk_widget_class_bind_template_callback (widget_class, files_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, collapsed_cb);
}

static void
fore_changes_view_class_init (ForeChangesViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fore_changes_view_dispose;
  g_type_ensure (FORE_TYPE_EMPTY);
  g_type_ensure (FORE_TYPE_SPLIT);
  g_type_ensure (FORE_TYPE_VIEW_BAR);
  g_type_ensure (FORE_TYPE_FILE_LIST);
  g_type_ensure (FORE_TYPE_DIFF_VIEW);
  g_type_ensure (FORE_TYPE_REVIEW_BAR);
  bind_template (widget_class);
  install_actions (widget_class);
}

static void
fore_changes_view_init (ForeChangesView *self)
{
  self->keys = g_ptr_array_new_with_free_func (g_free);
  self->left_out_paths = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gtk_widget_init_template (GTK_WIDGET (self));
  fore_accessible_watch_stack (self->stack);
  fore_view_bar_add (self->layout_bar, "unified", _ ("Unified"), NULL);
  fore_view_bar_add (self->layout_bar, "side", _ ("Side by Side"), NULL);
  fore_drop_down_limit (self->scope, 24);
  fore_review_bar_attach (self->review, self->diff, self->file_list);
  fore_narrow_layout_install (GTK_WIDGET (self), 620, set_narrow);
  show_totals (self, NULL);
  fore_page_keys_clear_on_escape (GTK_SEARCH_ENTRY (self->filter));
  fore_page_keys_set_target (GTK_WIDGET (self), GTK_WIDGET (self->diff));
  for (guint i = 0; i < G_N_ELEMENTS (bindings); i++)
    fore_page_keys_add (GTK_WIDGET (self), bindings[i].key, 0, bindings[i].action,
                        bindings[i].argument);
}

/**
 * fore_changes_view_set_run:
 * @self: a view of changes
 * @run_id: id of the run to show
 */
void
fore_changes_view_set_run (ForeChangesView *self, const char *run_id)
{
  g_return_if_fail (FORE_IS_CHANGES_VIEW (self));

  g_free (self->run_id);
  self->run_id = g_strdup (run_id);
  fore_review_bar_set_run (self->review, run_id);
  g_clear_object (&self->model);
  g_clear_pointer (&self->shown, g_free);
  g_clear_pointer (&self->doc, fore_diff_doc_unref);
  g_hash_table_remove_all (self->left_out_paths);
  self->updating = TRUE;
  g_ptr_array_set_size (self->keys, 0);
  gtk_drop_down_set_model (self->scope, NULL);
  self->updating = FALSE;
}

/**
 * fore_changes_view_update:
 * @self: a view of changes
 * @model: the run, which may have changed
 */
void
fore_changes_view_update (ForeChangesView *self, ForeRunModel *model)
{
  g_return_if_fail (FORE_IS_CHANGES_VIEW (self));

  if (fore_run_model_get_run (model) == NULL)
    return;

  g_set_object (&self->model, model);
  update_scope (self);
  fore_changes_checks_show (model, self->checks, self->checks_icon, self->checks_label);
  fore_review_bar_update (self->review, model);
  load (self);
}

/**
 * fore_changes_view_dup_left_out:
 * @self: a view of changes
 *
 * Returns: (transfer full) (element-type filename): files that a merge leaves out, as the person
 *   marked them
 */
GStrv
fore_changes_view_dup_left_out (ForeChangesView *self)
{
  g_autofree char **keys = NULL;

  g_return_val_if_fail (FORE_IS_CHANGES_VIEW (self), NULL);

  keys = (char **) g_hash_table_get_keys_as_array (self->left_out_paths, NULL);
  return g_strdupv (keys);
}

/**
 * fore_changes_view_set_active:
 * @self: a view of changes
 * @active: whether it is looked at: only then changes are loaded
 */
void
fore_changes_view_set_active (ForeChangesView *self, gboolean active)
{
  g_return_if_fail (FORE_IS_CHANGES_VIEW (self));

  self->active = active;
  if (self->model != NULL)
    load (self);
}
