/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "model/fore-plan.h"

G_BEGIN_DECLS

#define FORE_TYPE_PLAN_ITEMS (fore_plan_items_get_type ())

/* The items of a plan, which a person can leave out, edit, move and add to. Signal: "edited". */
G_DECLARE_FINAL_TYPE (ForePlanItems, fore_plan_items, FORE, PLAN_ITEMS, GtkWidget)

void fore_plan_items_show (ForePlanItems *self,
                           ForePlan *plan,
                           const ForePlan *before,
                           gboolean editable);
void fore_plan_items_clear (ForePlanItems *self);

G_END_DECLS
