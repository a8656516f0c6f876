/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-toast-place.h"

#define HEIGHT_OF_ONE_ROW 64
#define HEIGHT_OF_TWO_ROWS 112

static const char *const classes[] = { "over-row", "over-rows", "over-many-rows" };

/* The height of what lies at the bottom to be pressed, 0 where nothing does. */
static int
find_height (GtkWidget *widget, GtkWidget *overlay)
{
  graphene_rect_t box;
  int height = 0;

  if (!gtk_widget_get_mapped (widget))
    return 0;
  if ((gtk_widget_has_css_class (widget, "answer-bar")
       || gtk_widget_has_css_class (widget, "review-bar"))
      && gtk_widget_compute_bounds (widget, overlay, &box))
    return graphene_rect_get_y (&box) > (float) gtk_widget_get_height (overlay) / 2
               ? (int) graphene_rect_get_height (&box)
               : 0;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && height == 0;
       child = gtk_widget_get_next_sibling (child))
    height = find_height (child, overlay);

  return height;
}

/**
 * fore_toast_place_update:
 * @overlay: where toasts are shown
 *
 * Keeps toasts off the buttons at the bottom of the page that is shown now.
 */
void
fore_toast_place_update (AdwToastOverlay *overlay)
{
  int height;
  guint chosen;

  g_return_if_fail (ADW_IS_TOAST_OVERLAY (overlay));

  height = find_height (GTK_WIDGET (overlay), GTK_WIDGET (overlay));
  chosen = height <= 0                    ? G_N_ELEMENTS (classes)
           : height <= HEIGHT_OF_ONE_ROW  ? 0
           : height <= HEIGHT_OF_TWO_ROWS ? 1
                                          : 2;
  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    {
      if (i == chosen)
        gtk_widget_add_css_class (GTK_WIDGET (overlay), classes[i]);
      else
        gtk_widget_remove_css_class (GTK_WIDGET (overlay), classes[i]);
    }
}
