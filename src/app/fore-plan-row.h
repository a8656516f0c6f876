/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "model/fore-plan.h"

G_BEGIN_DECLS

typedef enum
{
  FORE_PLAN_MARK_NONE,
  FORE_PLAN_MARK_ADDED,
  FORE_PLAN_MARK_CHANGED,
} ForePlanMark;

#define FORE_TYPE_PLAN_ROW (fore_plan_row_get_type ())

/* One item of a plan that can be left out, edited and moved. Signals: "kept-changed" (gboolean),
 * "edit", "move" (int: by how many places), "dropped-on" (guint: position of the row dropped here).
 */
G_DECLARE_FINAL_TYPE (ForePlanRow, fore_plan_row, FORE, PLAN_ROW, GtkListBoxRow)

char *fore_plan_row_dup_facts (const ForePlan *plan, const ForePlanItem *item);
GtkWidget *fore_plan_row_new (
    const ForePlan *plan, guint position, ForePlanMark mark, guint version, gboolean editable);
void fore_plan_row_update (ForePlanRow *self, const ForePlan *plan, ForePlanMark mark);

G_END_DECLS
