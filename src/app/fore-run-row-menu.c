/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-run-row-menu.h"

#include "app/fore-compat.h"
#include "app/fore-errors.h"
#include "app/fore-run-forget.h"

#include <glib/gi18n-lib.h>

#define KEY "fore-run-row-menu"

typedef struct
{
  GtkWidget *owner;
  GtkWidget *popover;
  GtkListBox *runs;
  ForeRunOfRow find;
} RowMenu;

static void
add (GMenu *menu, const char *label, const char *action, const char *run_id)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

  g_menu_item_set_action_and_target (item, action, "s", run_id);
  g_menu_append_item (menu, item);
}

static GMenuModel *
make_menu (ForeRunItem *item)
{
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GMenu) end = g_menu_new ();
  const char *run_id = fore_run_item_get_id (item);

  add (menu, _ ("_Open"), "win.show-run", run_id);
  add (menu, _ ("Copy _Link"), "runs.copy-link", run_id);
  if (!fore_run_is_active (fore_run_item_get_run (item)))
    add (end, _ ("_Forget…"), "runs.forget", run_id);
  g_menu_append_section (menu, NULL, G_MENU_MODEL (end));

  return G_MENU_MODEL (g_steal_pointer (&menu));
}

static void
show_menu (RowMenu *self, GtkListBoxRow *row)
{
  g_autoptr (GMenuModel) menu = make_menu (self->find (row));
  graphene_rect_t bounds;

  if (!gtk_widget_compute_bounds (GTK_WIDGET (row), self->owner, &bounds))
    return;

  gtk_popover_menu_set_menu_model (GTK_POPOVER_MENU (self->popover), menu);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->popover),
                               &(GdkRectangle){ (int) bounds.origin.x, (int) bounds.origin.y,
                                                (int) bounds.size.width,
                                                (int) bounds.size.height });
  gtk_popover_popup (GTK_POPOVER (self->popover));
}

static void
pressed_cb (GtkGestureClick *gesture, int n_press, double x, double y, RowMenu *self)
{
  GtkListBoxRow *row = gtk_list_box_get_row_at_y (self->runs, (int) y);

  if (row == NULL)
    return;

  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  show_menu (self, row);
}

static GtkListBoxRow *
find_focused (RowMenu *self)
{
  GtkRoot *root = gtk_widget_get_root (self->owner);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (focus == NULL || gtk_widget_get_parent (focus) != GTK_WIDGET (self->runs))
    return NULL;

  return GTK_LIST_BOX_ROW (focus);
}

static void
key_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  RowMenu *self = g_object_get_data (G_OBJECT (widget), KEY);
  GtkListBoxRow *row = find_focused (self);

  if (row == NULL)
    return;
  if (g_str_equal (name, "runs.menu"))
    show_menu (self, row);
  else
    fore_run_forget_ask (widget, fore_run_item_get_id (self->find (row)));
}

static void
run_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  const char *run_id = g_variant_get_string (parameter, NULL);
  g_autofree char *link = g_strconcat ("foredeck:run/", run_id, NULL);

  if (g_str_equal (name, "runs.forget"))
    {
      fore_run_forget_ask (widget, run_id);
      return;
    }

  fore_copy_text (widget, link);
  fore_show_note (widget, _ ("Link copied"));
}

/**
 * fore_run_row_menu_install:
 * @widget_class: class of a widget that lists runs
 *
 * Gives it the actions of the menu, and the keys Menu, Shift+F10 and Delete on a row.
 */
void
fore_run_row_menu_install (GtkWidgetClass *widget_class)
{
  g_return_if_fail (GTK_IS_WIDGET_CLASS (widget_class));

  gtk_widget_class_install_action (widget_class, "runs.forget", "s", run_action);
  gtk_widget_class_install_action (widget_class, "runs.copy-link", "s", run_action);
  gtk_widget_class_install_action (widget_class, "runs.menu", NULL, key_action);
  gtk_widget_class_install_action (widget_class, "runs.forget-focused", NULL, key_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Menu, 0, "runs.menu", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, "runs.menu",
                                       NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Delete, 0, "runs.forget-focused",
                                       NULL);
}

/**
 * fore_run_row_menu_attach:
 * @self: a widget of a class that fore_run_row_menu_install() knows
 * @runs: its list of runs
 * @find: finds the run of a row
 */
void
fore_run_row_menu_attach (GtkWidget *self, GtkListBox *runs, ForeRunOfRow find)
{
  GtkGesture *gesture;
  RowMenu *menu;

  g_return_if_fail (GTK_IS_WIDGET (self));
  g_return_if_fail (GTK_IS_LIST_BOX (runs));

  gesture = gtk_gesture_click_new ();
  menu = g_new0 (RowMenu, 1);
  menu->owner = self;
  menu->runs = runs;
  menu->find = find;
  menu->popover = gtk_popover_menu_new_from_model (NULL);
  gtk_popover_set_position (GTK_POPOVER (menu->popover), GTK_POS_BOTTOM);
  gtk_widget_set_parent (menu->popover, self);
  g_object_set_data_full (G_OBJECT (self), KEY, menu, g_free);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (gesture), GDK_BUTTON_SECONDARY);
  g_signal_connect (gesture, "pressed", G_CALLBACK (pressed_cb), menu);
  gtk_widget_add_controller (GTK_WIDGET (runs), GTK_EVENT_CONTROLLER (gesture));
}

/**
 * fore_run_row_menu_detach:
 * @self: a widget that is being disposed of
 */
void
fore_run_row_menu_detach (GtkWidget *self)
{
  RowMenu *menu = g_object_get_data (G_OBJECT (self), KEY);

  if (menu != NULL)
    g_clear_pointer (&menu->popover, gtk_widget_unparent);
}
