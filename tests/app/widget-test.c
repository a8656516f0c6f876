/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "widget-test.h"

#include "app/fore-widgets.h"

#include <adwaita.h>

#define DEADLINE (10 * G_USEC_PER_SEC)

static gboolean
wake (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

void
widget_test_wait (WidgetTestCondition condition, gpointer data)
{
  gint64 end = g_get_monotonic_time () + DEADLINE;
  guint source = g_timeout_add (10, wake, NULL);

  while (!condition (data))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end);
      g_main_context_iteration (NULL, TRUE);
    }
  g_source_remove (source);
}

typedef struct
{
  guint left;
  gboolean done;
} Frames;

static gboolean
count_frame (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  Frames *frames = data;

  gtk_widget_queue_draw (widget);
  frames->done = frames->left-- == 0;
  return frames->done ? G_SOURCE_REMOVE : G_SOURCE_CONTINUE;
}

static gboolean
frames_are_done (gpointer data)
{
  return ((Frames *) data)->done;
}

void
widget_test_wait_frames (GtkWidget *widget, guint n)
{
  Frames frames = { n, FALSE };

  gtk_widget_add_tick_callback (widget, count_frame, &frames, NULL);
  widget_test_wait (frames_are_done, &frames);
}

GtkWidget *
widget_test_show (GtkWidget *child)
{
  GtkWidget *window = gtk_window_new ();

  gtk_window_set_default_size (GTK_WINDOW (window), 900, 640);
  gtk_window_set_child (GTK_WINDOW (window), child);
  gtk_window_present (GTK_WINDOW (window));
  widget_test_wait_frames (window, 2);

  return window;
}

static gboolean
is_key (GtkShortcut *shortcut, guint key, GdkModifierType modifiers)
{
  GtkShortcutTrigger *trigger = gtk_shortcut_get_trigger (shortcut);

  return GTK_IS_KEYVAL_TRIGGER (trigger)
         && gtk_keyval_trigger_get_keyval (GTK_KEYVAL_TRIGGER (trigger)) == key
         && gtk_keyval_trigger_get_modifiers (GTK_KEYVAL_TRIGGER (trigger)) == modifiers;
}

/* Does what the key bindings of a widget's class do for a key. */
void
widget_test_press (GtkWidget *widget, guint key, GdkModifierType modifiers)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
      GListModel *shortcuts;

      if (!GTK_IS_SHORTCUT_CONTROLLER (controller))
        continue;
      shortcuts = G_LIST_MODEL (controller);
      for (guint k = 0; k < g_list_model_get_n_items (shortcuts); k++)
        {
          g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (shortcuts, k);

          if (!is_key (shortcut, key, modifiers))
            continue;
          gtk_shortcut_action_activate (gtk_shortcut_get_action (shortcut),
                                        GTK_SHORTCUT_ACTION_EXCLUSIVE, widget,
                                        gtk_shortcut_get_arguments (shortcut));
          return;
        }
    }
  g_assert_not_reached ();
}

guint
widget_test_count (GtkWidget *widget, GType type)
{
  guint n = G_TYPE_CHECK_INSTANCE_TYPE (widget, type);

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += widget_test_count (child, type);

  return n;
}

GtkWidget *
widget_test_find (GtkWidget *widget, GType type)
{
  if (G_TYPE_CHECK_INSTANCE_TYPE (widget, type))
    return widget;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = widget_test_find (child, type);

      if (found != NULL)
        return found;
    }

  return NULL;
}

/* Begins a test program; returns whether there is a display to show widgets on. */
gboolean
widget_test_init (int *argc, char ***argv)
{
  g_setenv ("GTK_A11Y", "test", TRUE);
  g_test_init (argc, argv, NULL);
  if (!gtk_init_check ())
    {
      g_print ("1..0 # SKIP no display\n");
      return FALSE;
    }
  adw_init ();
  fore_widgets_init ();

  return TRUE;
}
