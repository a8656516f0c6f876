/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FORE_TYPE_VIEW_BAR (fore_view_bar_get_type ())

/* A few words of which one is chosen: linked toggles, or a drop-down where they have no room.
 *
 * Property: "selected" (string: id of the word chosen).
 */
G_DECLARE_FINAL_TYPE (ForeViewBar, fore_view_bar, FORE, VIEW_BAR, GtkWidget)

GtkWidget *fore_view_bar_new (void);
void fore_view_bar_add (ForeViewBar *self, const char *id, const char *label, const char *tooltip);
void fore_view_bar_clear (ForeViewBar *self);
const char *fore_view_bar_get_selected (ForeViewBar *self);
void fore_view_bar_set_selected (ForeViewBar *self, const char *id);

G_END_DECLS
