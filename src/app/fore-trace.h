/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void fore_trace_shown (GtkWidget *widget, const char *run, const char *what);
void fore_trace_asked (const char *run, const char *what);

G_END_DECLS
