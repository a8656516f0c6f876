/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "model/fore-plan.h"

G_BEGIN_DECLS

typedef void (*ForeItemFunc) (gpointer owner,
                              const char *title,
                              const char *role,
                              const char *text);

void fore_item_dialog_open (
    GtkWidget *from, const ForePlanItem *item, GPtrArray *roles, gpointer owner, ForeItemFunc func);

G_END_DECLS
