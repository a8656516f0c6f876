/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FORE_TYPE_HEADER (fore_header_get_type ())

/* The bar at the top of a page: the button for the sidebar, title and subtitle, then what the page
 * puts at its end (children of the type "end"; "title" for what follows the title), and the buttons
 * of the window. Properties: "title", "subtitle", "show-controls".
 */
G_DECLARE_FINAL_TYPE (ForeHeader, fore_header, FORE, HEADER, GtkWidget)

GtkWidget *fore_header_new (const char *title);
void fore_header_set_title (ForeHeader *self, const char *title);
void fore_header_set_subtitle (ForeHeader *self, const char *subtitle);
void fore_header_add_end (ForeHeader *self, GtkWidget *child);
void fore_header_add_title (ForeHeader *self, GtkWidget *child);

G_END_DECLS
