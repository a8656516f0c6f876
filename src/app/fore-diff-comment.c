/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-diff-comment.h"

#include "app/fore-outside.h"

#include <glib/gi18n-lib.h>

static GtkWidget *
add_button (GtkWidget *box, const char *label, GCallback callback)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  g_signal_connect (button, "clicked", callback, NULL);
  gtk_box_append (GTK_BOX (box), button);
  return button;
}

/**
 * fore_diff_comment_new:
 * @row: a row that shows a comment
 * @edit: called when it is to be edited
 * @remove: called when it is to be removed
 *
 * Returns: (transfer floating): what is shown of it
 */
GtkWidget *
fore_diff_comment_new (ForeDiffRow *row, GCallback edit, GCallback remove)
{
  GtkWidget *card = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *who = gtk_label_new (_ ("You"));
  GtkWidget *text = gtk_label_new (NULL);
  g_autofree char *line = g_strdup_printf (_ ("line %u"), fore_diff_row_get_number (row));
  GtkWidget *where = gtk_label_new (line);

  gtk_widget_add_css_class (card, "card");
  gtk_widget_add_css_class (card, "diff-comment");
  gtk_widget_add_css_class (who, "heading");
  gtk_widget_add_css_class (where, "dim-label");
  gtk_box_append (GTK_BOX (head), who);
  gtk_box_append (GTK_BOX (head), where);
  gtk_box_append (GTK_BOX (card), head);

  fore_outside_show (GTK_LABEL (text), fore_diff_row_get_data (row)->comment);
  gtk_label_set_wrap (GTK_LABEL (text), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (text), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (text), 0);
  gtk_box_append (GTK_BOX (card), text);

  gtk_widget_set_margin_top (buttons, 4);
  add_button (buttons, _ ("Edit"), edit);
  add_button (buttons, _ ("Remove"), remove);
  gtk_box_append (GTK_BOX (card), buttons);

  return card;
}
