/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FORE_TYPE_SPLIT (fore_split_get_type ())

/* A side and a content beside each other; where there is no room for both, the side slides over the
 * content and is put away by Escape or a click beside it.
 *
 * Properties: "side", "content" (GtkWidget), "at-end" (boolean: the side stands after the content),
 * "side-width", "collapse-below" (int: width under which it collapses), "show-side" (boolean),
 * "collapsed" (boolean, read-only).
 */
G_DECLARE_FINAL_TYPE (ForeSplit, fore_split, FORE, SPLIT, GtkWidget)

GtkWidget *fore_split_new (void);
void fore_split_set_side (ForeSplit *self, GtkWidget *side);
void fore_split_set_content (ForeSplit *self, GtkWidget *content);
gboolean fore_split_get_show_side (ForeSplit *self);
void fore_split_set_show_side (ForeSplit *self, gboolean show_side);
gboolean fore_split_get_collapsed (ForeSplit *self);
int fore_split_get_side_width (ForeSplit *self);
void fore_split_set_side_width (ForeSplit *self, int width);

G_END_DECLS
