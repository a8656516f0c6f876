/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-menu-tip.h"

static void
visible_cb (GtkWidget *popover, GParamSpec *pspec, GtkWidget *button)
{
  gtk_widget_set_has_tooltip (button, !gtk_widget_get_visible (popover));
}

static void
follow_popover (GtkMenuButton *button)
{
  GtkPopover *popover = gtk_menu_button_get_popover (button);

  if (popover != NULL && gtk_widget_get_tooltip_text (GTK_WIDGET (button)) != NULL)
    g_signal_connect_object (popover, "notify::visible", G_CALLBACK (visible_cb), button, 0);
}

/**
 * fore_menu_tip_set_up:
 * @within: a widget with menu buttons in it
 *
 * Keeps the tooltips of the buttons off their menus while these are open.
 */
void
fore_menu_tip_set_up (GtkWidget *within)
{
  g_return_if_fail (GTK_IS_WIDGET (within));

  if (GTK_IS_MENU_BUTTON (within))
    {
      follow_popover (GTK_MENU_BUTTON (within));
      return;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (within); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    fore_menu_tip_set_up (child);
}
