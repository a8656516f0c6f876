/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void fore_crash_reports_show (GtkWidget *from, GStrv paths);
void fore_crash_reports_dismiss (GtkWidget *from, GStrv paths);

G_END_DECLS
