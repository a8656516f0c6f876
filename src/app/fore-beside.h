/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Windows beside the main one, made when they are asked for. */

void fore_beside_preferences (GtkWindow *parent);
void fore_beside_library (GtkWindow *parent);
void fore_beside_schedules (GtkWindow *parent);
void fore_beside_shortcuts (GtkWindow *parent);

G_END_DECLS
