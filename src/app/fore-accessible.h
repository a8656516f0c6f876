/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* GTK tells the accessibility bus about widgets that are hidden, but not about those that a stack
 * or a split keeps out of sight. These do.
 */

void fore_accessible_set_hidden (GtkWidget *widget, gboolean hidden);
void fore_accessible_watch_stack (GtkStack *stack);

G_END_DECLS
