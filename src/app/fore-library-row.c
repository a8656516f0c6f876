/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-library-row.h"

#include "app/fore-outside.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define ITEM_KEY "fore-library-item"

static const struct
{
  const char *kind;
  const char *title;
  const char *icon_name;
} kinds[] = {
  { "agent", N_ ("Agents"), "fore-agent-symbolic" },
  { "team", N_ ("Teams"), "fore-team-symbolic" },
  { "workflow", N_ ("Workflows"), "fore-graph-symbolic" },
  { "skill", N_ ("Skills"), "fore-tool-symbolic" },
};

static gsize
find_kind (ForeLibraryItem *item)
{
  gsize i = 0;

  while (i < G_N_ELEMENTS (kinds) - 1
         && strcmp (kinds[i].kind, fore_library_item_get_kind (item)) != 0)
    i++;

  return i;
}

static GtkWidget *
make_line (const char *text, const char *css_class)
{
  GtkWidget *label = gtk_label_new (NULL);

  fore_outside_show (GTK_LABEL (label), text);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, css_class);

  return label;
}

/* What is fine and comes along needs no mark. */
static GtkWidget *
make_mark (ForeLibraryItem *item)
{
  const char *faults = fore_library_item_get_faults (item);
  GtkWidget *mark = NULL;

  if (*faults != '\0')
    {
      mark = gtk_image_new_from_icon_name ("fore-warning-symbolic");
      gtk_widget_add_css_class (mark, fore_library_item_is_usable (item) ? "warning" : "error");
      fore_outside_explain (mark, faults);
      fore_outside_name (mark, faults);
    }
  else if (fore_library_item_is_own (item))
    {
      mark = gtk_label_new (_ ("yours"));
      gtk_widget_add_css_class (mark, "fore-pill");
    }
  if (mark != NULL)
    gtk_widget_set_valign (mark, GTK_ALIGN_CENTER);

  return mark;
}

/**
 * fore_library_row_new:
 * @item: what it stands for
 *
 * Returns: (transfer floating): a row
 */
GtkWidget *
fore_library_row_new (ForeLibraryItem *item)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
  GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 1);
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *icon;
  GtkWidget *mark;
  const char *text;
  g_autofree char *origin = NULL;

  g_return_val_if_fail (FORE_IS_LIBRARY_ITEM (item), NULL);

  icon = gtk_image_new_from_icon_name (kinds[find_kind (item)].icon_name);
  gtk_widget_add_css_class (icon, "dim-label");
  gtk_box_append (GTK_BOX (line), icon);
  origin = fore_library_item_dup_origin (item);
  text = fore_library_item_get_description (item);
  gtk_box_append (GTK_BOX (texts), make_line (fore_library_item_get_name (item), "run-title"));
  gtk_box_append (GTK_BOX (texts), make_line (*text != '\0' ? text : origin, "run-subtitle"));
  gtk_widget_set_hexpand (texts, TRUE);
  fore_outside_explain (texts, text);
  gtk_box_append (GTK_BOX (line), texts);
  mark = make_mark (item);
  if (mark != NULL)
    gtk_box_append (GTK_BOX (line), mark);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), line);
  g_object_set_data_full (G_OBJECT (row), ITEM_KEY, g_object_ref (item), g_object_unref);

  return row;
}

/**
 * fore_library_row_get_item:
 * @row: a row
 *
 * Returns: (transfer none): what it stands for
 */
ForeLibraryItem *
fore_library_row_get_item (GtkListBoxRow *row)
{
  g_return_val_if_fail (GTK_IS_LIST_BOX_ROW (row), NULL);

  return g_object_get_data (G_OBJECT (row), ITEM_KEY);
}

/**
 * fore_library_row_update_header:
 * @row: a row
 * @before: (nullable): the one above it
 *
 * Puts a heading over the first of each kind.
 */
void
fore_library_row_update_header (GtkListBoxRow *row, GtkListBoxRow *before)
{
  gsize kind = find_kind (fore_library_row_get_item (row));

  if (before != NULL && find_kind (fore_library_row_get_item (before)) == kind)
    gtk_list_box_row_set_header (row, NULL);
  else if (gtk_list_box_row_get_header (row) == NULL)
    gtk_list_box_row_set_header (row, make_line (_ (kinds[kind].title), "fore-group"));
}
