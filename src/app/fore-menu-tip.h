/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void fore_menu_tip_set_up (GtkWidget *within);

G_END_DECLS
