/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef void (*ForeTickFunc) (GtkWidget *widget);

void fore_ticker_attach (GtkWidget *widget, ForeTickFunc func);

G_END_DECLS
