/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-item-dialog.h"

#include "app/fore-format.h"
#include "app/fore-item-text.h"
#include "app/fore-outside.h"
#include "app/fore-plan-edit.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

typedef struct
{
  GWeakRef owner;
  ForeItemFunc func;
  ForePlanItem *item;
  GtkWidget *window;
  GtkWidget *title;
  GtkWidget *role;
  GtkWidget *paths;
  GtkTextBuffer *text;
  GtkTextBuffer *checks;
  GtkWidget *problem;
  GtkWidget *save;
  GPtrArray *befores;
} ItemDialog;

static void
item_dialog_free (gpointer data)
{
  ItemDialog *dialog = data;

  g_weak_ref_clear (&dialog->owner);
  g_clear_pointer (&dialog->item, fore_plan_item_free);
  g_clear_pointer (&dialog->befores, g_ptr_array_unref);
  g_free (dialog);
}

static char *
dup_buffer (GtkTextBuffer *buffer)
{
  GtkTextIter start;
  GtkTextIter end;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  return gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
}

/* What is shown has hidden characters made visible; a value that nobody touched stays as it was. */
static void
take (char **field, const char *entered)
{
  g_autofree char *shown = fore_outside_dup (*field != NULL ? *field : "");

  if (g_strcmp0 (shown, entered) == 0)
    return;

  g_free (*field);
  *field = g_strstrip (g_strdup (entered));
}

static gboolean
take_checks (ItemDialog *dialog, ForePlanItem *item, GError **error)
{
  g_autofree char *entered = dup_buffer (dialog->checks);
  g_autofree char *before = fore_item_checks_to_text (item->checks);
  g_autofree char *shown = fore_outside_dup (before);
  GPtrArray *checks;

  if (g_strcmp0 (shown, entered) == 0)
    return TRUE;

  checks = fore_item_checks_from_text (entered, item->checks, error);
  if (checks == NULL)
    return FALSE;

  g_clear_pointer (&item->checks, g_ptr_array_unref);
  item->checks = checks;
  return TRUE;
}

static gboolean
take_paths (ItemDialog *dialog, ForePlanItem *item, GError **error)
{
  const char *entered = gtk_editable_get_text (GTK_EDITABLE (dialog->paths));
  g_autofree char *before = fore_item_words_to_text ((const char *const *) item->paths);
  g_autofree char *shown = fore_outside_dup (before);
  GStrv paths;

  if (g_strcmp0 (shown, entered) == 0)
    return TRUE;

  paths = fore_item_words_from_text (entered, error);
  if (paths == NULL)
    return FALSE;

  g_strfreev (item->paths);
  item->paths = paths;
  return TRUE;
}

static gboolean
is_offered (ItemDialog *dialog, const char *id)
{
  for (guint i = 0; i < dialog->befores->len; i++)
    {
      if (g_strcmp0 (g_object_get_data (g_ptr_array_index (dialog->befores, i), "fore-id"), id)
          == 0)
        return TRUE;
    }

  return FALSE;
}

/* Tasks that the run has already are no items: what waits for them goes on waiting. */
static void
take_dependencies (ItemDialog *dialog, ForePlanItem *item)
{
  g_autoptr (GStrvBuilder) ids = g_strv_builder_new ();

  for (guint i = 0; item->depends_on != NULL && item->depends_on[i] != NULL; i++)
    {
      if (!is_offered (dialog, item->depends_on[i]))
        g_strv_builder_add (ids, item->depends_on[i]);
    }
  for (guint i = 0; i < dialog->befores->len; i++)
    {
      GtkCheckButton *check = g_ptr_array_index (dialog->befores, i);

      if (gtk_check_button_get_active (check))
        g_strv_builder_add (ids, g_object_get_data (G_OBJECT (check), "fore-id"));
    }
  g_strfreev (item->depends_on);
  item->depends_on = g_strv_builder_end (ids);
}

static ForePlanItem *
make_item (ItemDialog *dialog, GError **error)
{
  g_autoptr (ForePlanItem) item = fore_plan_item_copy (dialog->item);
  g_autofree char *text = dup_buffer (dialog->text);

  take (&item->title, gtk_editable_get_text (GTK_EDITABLE (dialog->title)));
  take (&item->role, gtk_editable_get_text (GTK_EDITABLE (dialog->role)));
  take (&item->text, text);
  if (!take_paths (dialog, item, error) || !take_checks (dialog, item, error))
    return NULL;
  take_dependencies (dialog, item);

  return g_steal_pointer (&item);
}

static void
validate (ItemDialog *dialog)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ForePlanItem) item = make_item (dialog, &error);
  gboolean valid = item != NULL && item->title != NULL && *item->title != 0 && item->role != NULL
                   && *item->role != 0 && item->text != NULL && *item->text != 0;

  gtk_widget_set_sensitive (dialog->save, valid);
  fore_outside_show (GTK_LABEL (dialog->problem), error != NULL ? error->message : NULL);
  gtk_widget_set_visible (dialog->problem, error != NULL);
}

static void
changed_cb (gpointer widget, ItemDialog *dialog)
{
  validate (dialog);
}

static void
save_cb (GtkButton *button, ItemDialog *dialog)
{
  g_autoptr (GObject) owner = g_weak_ref_get (&dialog->owner);
  g_autoptr (ForePlanItem) item = make_item (dialog, NULL);

  if (owner != NULL && item != NULL)
    dialog->func (owner, item);
  gtk_window_destroy (GTK_WINDOW (dialog->window));
}

static void
cancel_cb (GtkButton *button, ItemDialog *dialog)
{
  gtk_window_destroy (GTK_WINDOW (dialog->window));
}

static GtkWidget *
new_header (ItemDialog *dialog, gboolean fresh)
{
  GtkWidget *header = adw_header_bar_new ();
  GtkWidget *cancel = gtk_button_new_with_label (_ ("Cancel"));

  dialog->save = gtk_button_new_with_label (fresh ? _ ("Add") : _ ("Save"));
  gtk_widget_add_css_class (dialog->save, "suggested-action");
  adw_header_bar_set_show_end_title_buttons (ADW_HEADER_BAR (header), FALSE);
  adw_header_bar_set_show_start_title_buttons (ADW_HEADER_BAR (header), FALSE);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), cancel);
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), dialog->save);
  g_signal_connect (cancel, "clicked", G_CALLBACK (cancel_cb), dialog);
  g_signal_connect (dialog->save, "clicked", G_CALLBACK (save_cb), dialog);

  return header;
}

static GtkWidget *
new_row (GtkWidget *group, const char *title, const char *value, ItemDialog *dialog)
{
  GtkWidget *row = adw_entry_row_new ();
  g_autofree char *shown = fore_outside_dup (value != NULL ? value : "");

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  gtk_editable_set_text (GTK_EDITABLE (row), shown);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  g_signal_connect (row, "changed", G_CALLBACK (changed_cb), dialog);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);

  return row;
}

static GtkTextBuffer *
add_text (ItemDialog *dialog, GtkWidget *body, const char *title, const char *value, int height)
{
  GtkWidget *label = gtk_label_new (title);
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkWidget *view = gtk_text_view_new ();
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
  g_autofree char *shown = fore_outside_dup (value != NULL ? value : "");

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "heading");
  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (view), GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_view_set_top_margin (GTK_TEXT_VIEW (view), 9);
  gtk_text_view_set_bottom_margin (GTK_TEXT_VIEW (view), 9);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (view), 12);
  gtk_text_view_set_right_margin (GTK_TEXT_VIEW (view), 12);
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  gtk_text_buffer_set_text (buffer, shown, -1);
  g_signal_connect (buffer, "changed", G_CALLBACK (changed_cb), dialog);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), view);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scroller), height);
  gtk_widget_add_css_class (scroller, "fore-text-frame");
  gtk_box_append (GTK_BOX (body), label);
  gtk_box_append (GTK_BOX (body), scroller);

  return buffer;
}

static char *
describe_roles (const ForePlan *plan)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < plan->items->len; i++)
    {
      const ForePlanItem *item = g_ptr_array_index (plan->items, i);

      if (item->role != NULL && g_hash_table_add (seen, item->role))
        g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", item->role);
    }

  return text->len > 0 ? g_strdup_printf (_ ("Roles in this plan: %s"), text->str) : NULL;
}

static void
add_before (ItemDialog *dialog, GtkWidget *group, const ForePlanItem *before)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *check = gtk_check_button_new ();
  g_autofree char *title = fore_format_line (before->title, 160);

  gtk_check_button_set_active (
      GTK_CHECK_BUTTON (check),
      dialog->item->depends_on != NULL
          && g_strv_contains ((const char *const *) dialog->item->depends_on, before->id));
  gtk_widget_set_valign (check, GTK_ALIGN_CENTER);
  fore_outside_name (check, title);
  g_object_set_data_full (G_OBJECT (check), "fore-id", g_strdup (before->id), g_free);
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), check);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), check);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
  g_ptr_array_add (dialog->befores, g_object_ref (check));
}

/* Only items that do not wait for this one can come before it. */
static void
add_befores (ItemDialog *dialog, GtkWidget *body, const ForePlan *plan)
{
  GtkWidget *group = adw_preferences_group_new ();

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), _ ("Comes After"));
  for (guint i = 0; i < plan->items->len; i++)
    {
      const ForePlanItem *other = g_ptr_array_index (plan->items, i);

      if (!fore_plan_waits_for (plan, other->id, dialog->item->id))
        add_before (dialog, group, other);
    }
  gtk_widget_set_visible (group, dialog->befores->len > 0);
  gtk_box_append (GTK_BOX (body), group);
}

static void
add_names (ItemDialog *dialog, GtkWidget *body, const ForePlan *plan)
{
  GtkWidget *group = adw_preferences_group_new ();
  g_autofree char *known = describe_roles (plan);
  g_autofree char *paths = fore_item_words_to_text ((const char *const *) dialog->item->paths);

  dialog->title = new_row (group, _ ("Title"), dialog->item->title, dialog);
  dialog->role = new_row (group, _ ("Role"), dialog->item->role, dialog);
  dialog->paths = new_row (group, _ ("Paths it may write, with a space between them"), paths,
                           dialog);
  if (known != NULL)
    {
      g_autofree char *visible = fore_outside_dup (known);
      g_autofree char *escaped = g_markup_escape_text (visible, -1);

      adw_preferences_group_set_description (ADW_PREFERENCES_GROUP (group), escaped);
    }
  gtk_box_append (GTK_BOX (body), group);
}

static GtkWidget *
new_body (ItemDialog *dialog, const ForePlan *plan)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkWidget *body = gtk_box_new (GTK_ORIENTATION_VERTICAL, 10);
  g_autofree char *checks = fore_item_checks_to_text (dialog->item->checks);

  gtk_widget_add_css_class (body, "page-body");
  add_names (dialog, body, plan);
  dialog->text = add_text (dialog, body, _ ("What it has to do"), dialog->item->text, 130);
  dialog->checks = add_text (dialog, body, _ ("Checks, one command on each line"), checks, 64);
  dialog->problem = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (dialog->problem), 0);
  gtk_label_set_wrap (GTK_LABEL (dialog->problem), TRUE);
  gtk_widget_add_css_class (dialog->problem, "error");
  gtk_box_append (GTK_BOX (body), dialog->problem);
  add_befores (dialog, body, plan);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), body);
  gtk_widget_set_vexpand (scroller, TRUE);

  return scroller;
}

static ForePlanItem *
make_fresh_item (const ForePlan *plan)
{
  ForePlanItem *item = fore_plan_item_new ("");

  if (plan->items->len > 0)
    item->role = g_strdup (((ForePlanItem *) g_ptr_array_index (plan->items, 0))->role);

  return item;
}

/**
 * fore_item_dialog_open:
 * @from: the widget that asks
 * @plan: the plan, of which roles and other items are offered
 * @item: (nullable): the item of @plan to edit, %NULL for a new one
 * @owner: (type GObject): whom @func is for
 * @func: called with the item as the person wants it when they save; the id of a new one is empty
 *
 * Lets the person edit everything about an item of a plan.
 */
void
fore_item_dialog_open (GtkWidget *from,
                       const ForePlan *plan,
                       const ForePlanItem *item,
                       gpointer owner,
                       ForeItemFunc func)
{
  ItemDialog *dialog;
  GtkWidget *box;
  GtkRoot *root;

  g_return_if_fail (GTK_IS_WIDGET (from));
  g_return_if_fail (plan != NULL);

  dialog = g_new0 (ItemDialog, 1);
  box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  root = gtk_widget_get_root (from);
  g_weak_ref_init (&dialog->owner, owner);
  dialog->func = func;
  dialog->item = item != NULL ? fore_plan_item_copy (item) : make_fresh_item (plan);
  dialog->befores = g_ptr_array_new_with_free_func (g_object_unref);
  dialog->window = adw_window_new ();
  gtk_window_set_title (GTK_WINDOW (dialog->window),
                        item != NULL ? _ ("Edit the Task") : _ ("Add a Task"));
  gtk_window_set_default_size (GTK_WINDOW (dialog->window), 600, 680);
  gtk_window_set_modal (GTK_WINDOW (dialog->window), TRUE);
  gtk_window_set_transient_for (GTK_WINDOW (dialog->window),
                                GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL);
  g_object_set_data_full (G_OBJECT (dialog->window), "fore-item-dialog", dialog, item_dialog_free);
  gtk_box_append (GTK_BOX (box), new_header (dialog, item == NULL));
  gtk_box_append (GTK_BOX (box), new_body (dialog, plan));
  adw_window_set_content (ADW_WINDOW (dialog->window), box);
  validate (dialog);
  gtk_window_present (GTK_WINDOW (dialog->window));
}
