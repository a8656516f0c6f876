/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-library-item.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The rows of the library's list, under a heading for each kind. */

GtkWidget *fore_library_row_new (ForeLibraryItem *item);
ForeLibraryItem *fore_library_row_get_item (GtkListBoxRow *row);
void fore_library_row_update_header (GtkListBoxRow *row, GtkListBoxRow *before);

G_END_DECLS
