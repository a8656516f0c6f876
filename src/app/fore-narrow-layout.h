/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FORE_TYPE_NARROW_LAYOUT (fore_narrow_layout_get_type ())
G_DECLARE_FINAL_TYPE (ForeNarrowLayout, fore_narrow_layout, FORE, NARROW_LAYOUT, GtkLayoutManager)

typedef void (*ForeNarrowFunc) (GtkWidget *widget, gboolean narrow);

/**
 * ForeWidthFunc:
 * @widget: the widget
 * @width: how many pixels it has, as if text were of the usual size
 */
typedef void (*ForeWidthFunc) (GtkWidget *widget, int width);

void fore_narrow_layout_install_width (GtkWidget *widget, ForeWidthFunc func);
void fore_narrow_layout_install (GtkWidget *widget, int below, ForeNarrowFunc func);

G_END_DECLS
