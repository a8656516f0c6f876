/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void fore_drop_down_limit (GtkDropDown *drop_down, int max_chars);

G_END_DECLS
