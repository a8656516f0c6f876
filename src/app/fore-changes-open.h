/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void
fore_changes_open_file (GtkWidget *from, const char *tree, const char *project, const char *path);

G_END_DECLS
