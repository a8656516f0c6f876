/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "model/fore-plan.h"

G_BEGIN_DECLS

/* What a person does to a plan before approving it. Pure: no widgets. */

ForePlan *fore_plan_make_effective (const ForePlan *plan);
char *fore_plan_dup_effective (const ForePlan *plan);
gboolean fore_plan_waits_for (const ForePlan *plan, const char *id, const char *before);
guint fore_plan_count_kept (const ForePlan *plan);
void fore_plan_move_item (ForePlan *plan, guint from, guint to);
void fore_plan_add_item (ForePlan *plan, ForePlanItem *item);
GPtrArray *fore_plan_list_paths (const ForePlan *plan);
guint fore_plan_get_width (const ForePlan *plan);
guint fore_plan_get_depth (const ForePlan *plan);

G_END_DECLS
