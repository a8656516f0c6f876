/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-library-item.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FORE_TYPE_LIBRARY_PAGE (fore_library_page_get_type ())

/* One file of the library: what it is, what is wrong with it, its text, source and graph. Its
 * buttons activate the actions `library.copy`, `library.edit` and `library.remove`.
 */
G_DECLARE_FINAL_TYPE (ForeLibraryPage, fore_library_page, FORE, LIBRARY_PAGE, GtkWidget)

GtkWidget *fore_library_page_new (void);
void fore_library_page_show (ForeLibraryPage *self, ForeLibraryItem *item);
void fore_library_page_clear (ForeLibraryPage *self);

G_END_DECLS
