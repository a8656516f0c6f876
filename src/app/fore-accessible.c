/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-accessible.h"

/**
 * fore_accessible_set_hidden:
 * @widget: a widget
 * @hidden: whether nobody can see it although it is visible by itself
 */
void
fore_accessible_set_hidden (GtkWidget *widget, gboolean hidden)
{
  g_return_if_fail (GTK_IS_WIDGET (widget));

  if (hidden)
    gtk_accessible_update_state (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_STATE_HIDDEN, TRUE, -1);
  else
    gtk_accessible_reset_state (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_STATE_HIDDEN);
}

static void
visible_child_cb (GtkStack *stack, GParamSpec *pspec, gpointer data)
{
  GtkWidget *shown = gtk_stack_get_visible_child (stack);

  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (stack)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    fore_accessible_set_hidden (child, child != shown);
}

/**
 * fore_accessible_watch_stack:
 * @stack: a stack with all its children
 *
 * Tells the accessibility bus from now on that only its visible child can be seen.
 */
void
fore_accessible_watch_stack (GtkStack *stack)
{
  g_return_if_fail (GTK_IS_STACK (stack));

  g_signal_connect (stack, "notify::visible-child", G_CALLBACK (visible_child_cb), NULL);
  visible_child_cb (stack, NULL, NULL);
}
