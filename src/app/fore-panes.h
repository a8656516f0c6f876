/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The parts of a window beside each other, as they lie in its splits. */

void fore_panes_move_focus (GtkWidget *within, gboolean back);

G_END_DECLS
