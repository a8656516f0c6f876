/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

void fore_widgets_init (void);
GtkWidget *fore_icon_new_beside (const char *icon_name);
void fore_combo_set_names (AdwComboRow *row, GPtrArray *names, const char *none, guint selected);

G_END_DECLS
