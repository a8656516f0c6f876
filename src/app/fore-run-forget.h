/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void fore_run_forget_ask (GtkWidget *from, const char *run_id);

G_END_DECLS
