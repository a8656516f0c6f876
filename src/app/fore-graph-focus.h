/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FORE_TYPE_GRAPH_FOCUS (fore_graph_focus_get_type ())

/* Stands where the focused node of a graph is drawn, draws only the ring of the focus, and tells
 * assistive technology which node that is.
 */
G_DECLARE_FINAL_TYPE (ForeGraphFocus, fore_graph_focus, FORE, GRAPH_FOCUS, GtkWidget)

GtkWidget *fore_graph_focus_new (void);
void fore_graph_focus_set_name (ForeGraphFocus *self, const char *name, const char *description);
const char *fore_graph_focus_get_name (ForeGraphFocus *self);

G_END_DECLS
