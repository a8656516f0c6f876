/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Text from agents, repositories and people, shown as it is: nothing in it acts unseen. */

char *fore_outside_dup (const char *text);
void fore_outside_show (GtkLabel *label, const char *text);
void fore_outside_explain (GtkWidget *widget, const char *text);
void fore_outside_name (GtkWidget *widget, const char *text);

G_END_DECLS
