/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "model/fore-plan.h"

G_BEGIN_DECLS

/* Edits of a plan that nobody has answered with yet. See fore-draft-file.h. */

void fore_plan_draft_keep (const char *run, const ForePlan *asked, const ForePlan *edited);
ForePlan *fore_plan_draft_take (const char *run, const ForePlan *asked);
void fore_plan_draft_forget (const char *run, const ForePlan *asked);

G_END_DECLS
