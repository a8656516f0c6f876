/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/*
 * What keys reach on a page: its shortcuts wherever in the window the focus is, and the widget that
 * gets the focus when the page is opened.
 */
void fore_page_keys_add (
    GtkWidget *page, guint key, GdkModifierType modifiers, const char *action, int argument);
void fore_page_keys_set_target (GtkWidget *page, GtkWidget *target);
gboolean fore_page_keys_focus (GtkWidget *page);
void fore_page_keys_clear_on_escape (GtkSearchEntry *entry);

G_END_DECLS
