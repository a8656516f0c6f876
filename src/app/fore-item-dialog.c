/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-item-dialog.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

typedef struct
{
  GWeakRef owner;
  ForeItemFunc func;
  GtkWidget *window;
  GtkWidget *title;
  GtkWidget *role;
  GtkTextBuffer *text;
  GtkWidget *save;
} ItemDialog;

static void
item_dialog_free (gpointer data)
{
  ItemDialog *dialog = data;

  g_weak_ref_clear (&dialog->owner);
  g_free (dialog);
}

static char *
dup_text (ItemDialog *dialog)
{
  GtkTextIter start;
  GtkTextIter end;

  gtk_text_buffer_get_bounds (dialog->text, &start, &end);
  return g_strstrip (gtk_text_buffer_get_text (dialog->text, &start, &end, FALSE));
}

static void
validate (ItemDialog *dialog)
{
  gboolean valid = *gtk_editable_get_text (GTK_EDITABLE (dialog->title)) != 0
                   && *gtk_editable_get_text (GTK_EDITABLE (dialog->role)) != 0
                   && gtk_text_buffer_get_char_count (dialog->text) > 0;

  gtk_widget_set_sensitive (dialog->save, valid);
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
  g_autofree char *text = dup_text (dialog);

  if (owner != NULL)
    dialog->func (owner, gtk_editable_get_text (GTK_EDITABLE (dialog->title)),
                  gtk_editable_get_text (GTK_EDITABLE (dialog->role)), text);
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

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  gtk_editable_set_text (GTK_EDITABLE (row), value != NULL ? value : "");
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  g_signal_connect (row, "changed", G_CALLBACK (changed_cb), dialog);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);

  return row;
}

static GtkWidget *
new_text (ItemDialog *dialog, const char *value)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkWidget *view = gtk_text_view_new ();

  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (view), GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_view_set_top_margin (GTK_TEXT_VIEW (view), 9);
  gtk_text_view_set_bottom_margin (GTK_TEXT_VIEW (view), 9);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (view), 12);
  gtk_text_view_set_right_margin (GTK_TEXT_VIEW (view), 12);
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("What it has to do"), -1);
  dialog->text = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
  gtk_text_buffer_set_text (dialog->text, value != NULL ? value : "", -1);
  g_signal_connect (dialog->text, "changed", G_CALLBACK (changed_cb), dialog);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), view);
  gtk_widget_add_css_class (scroller, "fore-text-frame");
  gtk_widget_set_vexpand (scroller, TRUE);

  return scroller;
}

static char *
describe_roles (GPtrArray *roles)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < roles->len; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", (char *) g_ptr_array_index (roles, i));

  return text->len > 0 ? g_strdup_printf (_ ("Roles in this plan: %s"), text->str) : NULL;
}

static GtkWidget *
new_body (ItemDialog *dialog, const ForePlanItem *item, GPtrArray *roles)
{
  GtkWidget *body = gtk_box_new (GTK_ORIENTATION_VERTICAL, 14);
  GtkWidget *group = adw_preferences_group_new ();
  g_autofree char *known = describe_roles (roles);

  dialog->title = new_row (group, _ ("Title"), item != NULL ? item->title : NULL, dialog);
  dialog->role = new_row (group, _ ("Role"),
                          item != NULL     ? item->role
                          : roles->len > 0 ? g_ptr_array_index (roles, 0)
                                           : NULL,
                          dialog);
  if (known != NULL)
    {
      g_autofree char *escaped = g_markup_escape_text (known, -1);

      adw_preferences_group_set_description (ADW_PREFERENCES_GROUP (group), escaped);
    }
  gtk_widget_add_css_class (body, "page-body");
  gtk_box_append (GTK_BOX (body), group);
  gtk_box_append (GTK_BOX (body), new_text (dialog, item != NULL ? item->text : NULL));

  return body;
}

/**
 * fore_item_dialog_open:
 * @from: the widget that asks
 * @item: (nullable): the item to edit, %NULL for a new one
 * @roles: (element-type utf8): roles that the plan uses
 * @owner: (type GObject): whom @func is for
 * @func: called when the person saves
 *
 * Lets the person edit title, role and text of an item of a plan.
 */
void
fore_item_dialog_open (
    GtkWidget *from, const ForePlanItem *item, GPtrArray *roles, gpointer owner, ForeItemFunc func)
{
  ItemDialog *dialog;
  GtkWidget *box;
  GtkRoot *root;

  g_return_if_fail (GTK_IS_WIDGET (from));

  dialog = g_new0 (ItemDialog, 1);
  box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  root = gtk_widget_get_root (from);
  g_weak_ref_init (&dialog->owner, owner);
  dialog->func = func;
  dialog->window = adw_window_new ();
  gtk_window_set_title (GTK_WINDOW (dialog->window),
                        item != NULL ? _ ("Edit the Task") : _ ("Add a Task"));
  gtk_window_set_default_size (GTK_WINDOW (dialog->window), 520, 460);
  gtk_window_set_modal (GTK_WINDOW (dialog->window), TRUE);
  gtk_window_set_transient_for (GTK_WINDOW (dialog->window),
                                GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL);
  g_object_set_data_full (G_OBJECT (dialog->window), "fore-item-dialog", dialog, item_dialog_free);
  gtk_box_append (GTK_BOX (box), new_header (dialog, item == NULL));
  gtk_box_append (GTK_BOX (box), new_body (dialog, item, roles));
  adw_window_set_content (ADW_WINDOW (dialog->window), box);
  validate (dialog);
  gtk_window_present (GTK_WINDOW (dialog->window));
}
