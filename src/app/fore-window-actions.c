/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-page-keys.h"
#include "app/fore-panes.h"
#include "app/fore-window-private.h"

static void
sidebar_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ForeWindow *self = FORE_WINDOW (widget);
  gboolean search = g_str_equal (name, "win.search-runs");

  fore_split_set_show_side (self->split, search || !fore_split_get_show_side (self->split));
  if (search)
    fore_sidebar_search (self->sidebar);
}

static void
new_run_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  const char *project = parameter != NULL ? g_variant_get_string (parameter, NULL) : NULL;

  fore_window_show_new_run (FORE_WINDOW (widget), project);
}

static void
show_run_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  fore_window_show_run (FORE_WINDOW (widget), g_variant_get_string (parameter, NULL), NULL);
}

/* The run is no more. */
static void
leave_run_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ForeWindow *self = FORE_WINDOW (widget);

  if (g_strcmp0 (fore_run_page_get_run_id (self->run_page), g_variant_get_string (parameter, NULL)))
    return;

  fore_run_page_set_run (self->run_page, NULL);
  if (g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), "run") == 0)
    fore_window_show_inbox (self);
}

static void
show_request_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  fore_window_show_request (FORE_WINDOW (widget), g_variant_get_string (parameter, NULL));
}

static void
show_place_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  if (g_str_equal (name, "win.show-inbox"))
    fore_window_show_inbox (FORE_WINDOW (widget));
  else
    fore_window_show_welcome (FORE_WINDOW (widget));
}

static void
try_demo_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  fore_welcome_page_start_demo (FORE_WINDOW (widget)->welcome);
}

static void
next_request_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ForeWindow *self = FORE_WINDOW (widget);
  g_autoptr (ForeRequestItem) item = NULL;

  if (self->index == NULL)
    return;

  item = fore_inbox_page_dup_next (self->inbox);
  if (item != NULL)
    fore_window_show_request (self, fore_request_item_get_id (item));
  else
    fore_window_show_inbox (self);
}

static void
show_view_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ForeWindow *self = FORE_WINDOW (widget);

  if (g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), "run") != 0)
    return;

  fore_run_page_show_view (self->run_page, g_variant_get_string (parameter, NULL));
  fore_page_keys_focus (GTK_WIDGET (self->run_page));
}

static void
move_pane_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  fore_panes_move_focus (GTK_WIDGET (FORE_WINDOW (widget)->split),
                         g_str_equal (name, "win.previous-pane"));
}

static void
install_shortcuts (GtkWidgetClass *widget_class)
{
  static const char *const views[] = { "graph", "tasks", "changes", "log", "conversation" };

  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    gtk_widget_class_add_binding_action (widget_class, GDK_KEY_1 + i, GDK_ALT_MASK, "win.show-view",
                                         "s", views[i]);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_n, GDK_CONTROL_MASK, "win.new-run",
                                       NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_i, GDK_CONTROL_MASK, "win.show-inbox",
                                       NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_j, GDK_CONTROL_MASK,
                                       "win.next-request", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_f, GDK_CONTROL_MASK, "win.search-runs",
                                       NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F6, 0, "win.next-pane", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F6, GDK_SHIFT_MASK,
                                       "win.previous-pane", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F9, 0, "win.toggle-sidebar", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_w, GDK_CONTROL_MASK, "window.close",
                                       NULL);
}

/**
 * fore_window_class_init_actions:
 * @widget_class: class of the main window
 *
 * Installs what menus, rows, keys and notifications ask of the window.
 */
void
fore_window_class_init_actions (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.toggle-sidebar", NULL, sidebar_action);
  gtk_widget_class_install_action (widget_class, "win.search-runs", NULL, sidebar_action);
  gtk_widget_class_install_action (widget_class, "win.new-run", NULL, new_run_action);
  gtk_widget_class_install_action (widget_class, "win.new-run-in", "s", new_run_action);
  gtk_widget_class_install_action (widget_class, "win.show-run", "s", show_run_action);
  gtk_widget_class_install_action (widget_class, "win.leave-run", "s", leave_run_action);
  gtk_widget_class_install_action (widget_class, "win.show-request", "s", show_request_action);
  gtk_widget_class_install_action (widget_class, "win.show-inbox", NULL, show_place_action);
  gtk_widget_class_install_action (widget_class, "win.show-welcome", NULL, show_place_action);
  gtk_widget_class_install_action (widget_class, "win.try-demo", NULL, try_demo_action);
  gtk_widget_class_install_action (widget_class, "win.next-request", NULL, next_request_action);
  gtk_widget_class_install_action (widget_class, "win.next-pane", NULL, move_pane_action);
  gtk_widget_class_install_action (widget_class, "win.previous-pane", NULL, move_pane_action);
  gtk_widget_class_install_action (widget_class, "win.show-view", "s", show_view_action);
  install_shortcuts (widget_class);
}
