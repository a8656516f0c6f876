/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FORE_TYPE_EMPTY (fore_empty_get_type ())

/* What stands where there is nothing to show yet: an icon, a line, and what will come here. */
G_DECLARE_FINAL_TYPE (ForeEmpty, fore_empty, FORE, EMPTY, GtkWidget)

GtkWidget *fore_empty_new (void);
void fore_empty_set (ForeEmpty *self, const char *icon_name, const char *title, const char *text);
void fore_empty_set_busy (ForeEmpty *self, const char *title);

G_END_DECLS
