/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "app/fore-run-model.h"

G_BEGIN_DECLS

void
fore_changes_checks_show (ForeRunModel *model, GtkWidget *box, GtkImage *icon, GtkLabel *label);

const ForeTask *fore_changes_find_origin (ForeRunModel *model, const char *path);

G_END_DECLS
