/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "app/fore-run-item.h"

G_BEGIN_DECLS

/* Finds the run of a row; %NULL for rows of none. */
typedef ForeRunItem *(*ForeRunOfRow) (GtkListBoxRow *row);

void fore_run_row_menu_install (GtkWidgetClass *widget_class);
void fore_run_row_menu_attach (GtkWidget *self, GtkListBox *runs, ForeRunOfRow find);
void fore_run_row_menu_detach (GtkWidget *self);

G_END_DECLS
