/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void fore_limit_spin_set_up (GtkSpinButton *spin);

G_END_DECLS
