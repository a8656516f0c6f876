/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "model/fore-plan.h"

G_BEGIN_DECLS

typedef void (*ForeItemFunc) (gpointer owner, const ForePlanItem *edited);

void fore_item_dialog_open (GtkWidget *from,
                            const ForePlan *plan,
                            const ForePlanItem *item,
                            gpointer owner,
                            ForeItemFunc func);

G_END_DECLS
