/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-drop-down.h"

/* GTK's own rows are as wide as their longest text, and so is the button. */
#define LIST_CHARS 40

static GtkWidget *
new_label (int max_chars)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (GTK_LABEL (label), max_chars);

  return label;
}

static const char *
get_text (GtkListItem *item)
{
  return gtk_string_object_get_string (gtk_list_item_get_item (item));
}

static void
button_setup_cb (GtkListItemFactory *factory, GtkListItem *item, gpointer data)
{
  gtk_list_item_set_child (item, new_label (GPOINTER_TO_INT (data)));
}

static void
button_bind_cb (GtkListItemFactory *factory, GtkListItem *item, gpointer data)
{
  gtk_label_set_text (GTK_LABEL (gtk_list_item_get_child (item)), get_text (item));
}

static void
update_check (GtkDropDown *drop_down, GParamSpec *pspec, GtkWidget *box)
{
  guint position = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (box), "fore-position"));
  gboolean selected = gtk_drop_down_get_selected (drop_down) == position;

  gtk_widget_set_opacity (gtk_widget_get_last_child (box), selected ? 1 : 0);
}

static void
list_setup_cb (GtkListItemFactory *factory, GtkListItem *item, GtkDropDown *drop_down)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = new_label (LIST_CHARS);

  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name ("object-select-symbolic"));
  gtk_list_item_set_child (item, box);
  g_signal_connect_object (drop_down, "notify::selected", G_CALLBACK (update_check), box, 0);
}

static void
list_bind_cb (GtkListItemFactory *factory, GtkListItem *item, GtkDropDown *drop_down)
{
  GtkWidget *box = gtk_list_item_get_child (item);
  GtkLabel *label = GTK_LABEL (gtk_widget_get_first_child (box));
  glong length = g_utf8_strlen (get_text (item), -1);

  gtk_label_set_text (label, get_text (item));
  /* The list is given no more than it needs at least, which for a text that may be cut is a dot. */
  gtk_label_set_width_chars (label, (int) MIN (length, LIST_CHARS));
  gtk_widget_set_tooltip_text (box, get_text (item));
  g_object_set_data (G_OBJECT (box), "fore-position",
                     GUINT_TO_POINTER (gtk_list_item_get_position (item)));
  update_check (drop_down, NULL, box);
}

/**
 * fore_drop_down_limit:
 * @drop_down: a drop-down over a #GtkStringList
 * @max_chars: how many letters its button shows at most; the list shows more of them
 *
 * Keeps long texts from making the button, and so the window, as wide as they are.
 */
void
fore_drop_down_limit (GtkDropDown *drop_down, int max_chars)
{
  g_autoptr (GtkListItemFactory) button = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkListItemFactory) list = gtk_signal_list_item_factory_new ();

  g_return_if_fail (GTK_IS_DROP_DOWN (drop_down));

  g_signal_connect (button, "setup", G_CALLBACK (button_setup_cb), GINT_TO_POINTER (max_chars));
  g_signal_connect (button, "bind", G_CALLBACK (button_bind_cb), NULL);
  g_signal_connect_object (list, "setup", G_CALLBACK (list_setup_cb), drop_down, 0);
  g_signal_connect_object (list, "bind", G_CALLBACK (list_bind_cb), drop_down, 0);
  gtk_drop_down_set_factory (drop_down, button);
  gtk_drop_down_set_list_factory (drop_down, list);
}
