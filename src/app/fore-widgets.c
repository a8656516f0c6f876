/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-widgets.h"

#include "app/fore-diff-view.h"
#include "app/fore-file-list.h"
#include "app/fore-graph-view.h"
#include "app/fore-markdown-view.h"
#include "app/fore-status-dot.h"
#include "app/fore-transcript-view.h"

#include "foredeck-icons.h"

#define RESOURCE_PATH "/app/foredeck/Foredeck"

static void
add_style (GdkDisplay *display)
{
  g_autoptr (GtkCssProvider) provider = gtk_css_provider_new ();

  gtk_css_provider_load_from_resource (provider, RESOURCE_PATH "/style-widgets.css");
  gtk_style_context_add_provider_for_display (display, GTK_STYLE_PROVIDER (provider),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
}

/**
 * fore_widgets_init:
 *
 * Makes the icons, the style and the types of the widgets known. To be called once at startup,
 * after GTK and libadwaita are initialised; calling it again does nothing.
 */
void
fore_widgets_init (void)
{
  static gboolean done;
  GdkDisplay *display = gdk_display_get_default ();

  if (done)
    return;

  done = TRUE;
  g_resources_register (fore_icons_get_resource ());
  g_type_ensure (FORE_TYPE_GRAPH_VIEW);
  g_type_ensure (FORE_TYPE_DIFF_VIEW);
  g_type_ensure (FORE_TYPE_FILE_LIST);
  g_type_ensure (FORE_TYPE_TRANSCRIPT_VIEW);
  g_type_ensure (FORE_TYPE_MARKDOWN_VIEW);
  g_type_ensure (FORE_TYPE_STATUS_DOT);

  if (display == NULL)
    return;

  gtk_icon_theme_add_resource_path (gtk_icon_theme_get_for_display (display),
                                    RESOURCE_PATH "/icons");
  add_style (display);

  /* Texts can be selected; moving the focus through them must not select them whole. */
  g_object_set (gtk_settings_get_for_display (display), "gtk-label-select-on-focus", FALSE, NULL);
}

/**
 * fore_icon_new_beside:
 * @icon_name: name of an icon
 *
 * For an icon that stands before a text of several lines. A box puts both on one base line, which
 * GTK 4.8 counts for a width and not without one; with fonts that are as high as the icon the two
 * differ by a pixel, and GTK complains. In a box of its own an icon has no base line.
 *
 * Returns: (transfer floating): the icon, in a box
 */
GtkWidget *
fore_icon_new_beside (const char *icon_name)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name (icon_name));

  return box;
}

/**
 * fore_combo_set_names:
 * @row: a row
 * @names: (element-type utf8): what can be chosen; what stands for no choice is a %NULL among them
 * @none: (nullable): what to call no choice
 * @selected: which one is chosen
 */
void
fore_combo_set_names (AdwComboRow *row, GPtrArray *names, const char *none, guint selected)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);

  g_return_if_fail (ADW_IS_COMBO_ROW (row));
  g_return_if_fail (names != NULL);

  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);

      gtk_string_list_append (list, name != NULL ? name : none);
    }
  adw_combo_row_set_model (row, G_LIST_MODEL (list));
  adw_combo_row_set_selected (row, selected);
}
