/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What the tests of widgets share. */

typedef gboolean (*WidgetTestCondition) (gpointer data);

gboolean widget_test_init (int *argc, char ***argv);
void widget_test_wait (WidgetTestCondition condition, gpointer data);
void widget_test_wait_frames (GtkWidget *widget, guint n);
GtkWidget *widget_test_show (GtkWidget *child);
void widget_test_press (GtkWidget *widget, guint key, GdkModifierType modifiers);
guint widget_test_count (GtkWidget *widget, GType type);
GtkWidget *widget_test_find (GtkWidget *widget, GType type);

G_END_DECLS
