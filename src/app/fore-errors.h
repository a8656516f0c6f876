/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* How errors and short notes reach the person. */

/* Called with a widget of the window where it was offered, and what was given along. */
typedef void (*ForeOfferFunc) (gpointer owner, const char *text);

void fore_show_error (GtkWidget *from, const GError *error);
void fore_show_note (GtkWidget *from, const char *text);
void fore_show_warning (GtkWidget *from, const char *text);
void fore_show_offer (
    GtkWidget *from, const char *words, const char *label, const char *text, ForeOfferFunc func);
void fore_show_error_details (GtkWidget *from, const char *details);
void fore_show_text (GtkWidget *from, const char *title, const char *text);
char *fore_error_dup_details (const GError *error);

G_END_DECLS
