/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-plan-parser.h"
#include "engine/fore-run-context.h"

G_BEGIN_DECLS

/* The workflow of a plan from a file, unless the person names another one that plans. */
#define FORE_PLAN_FILE_WORKFLOW "implementation"

gboolean fore_plan_file_read (ForeRunSpec *spec, const char *path, GError **error);
gboolean fore_plan_file_take (ForeRunContext *context,
                              const ForeRunSpec *spec,
                              ForeRunPreview *preview,
                              GError **error);
void fore_plan_file_show (ForeRunPreview *preview);
gboolean fore_plan_file_save (ForeStore *store,
                              const char *run_id,
                              const ForeRunPreview *preview,
                              GError **error);
ForePlan *fore_plan_file_load (ForeRunContext *context, const ForePlanRules *rules, GError **error);
GStrv fore_plan_file_list_roles (const ForeTeam *team);

G_END_DECLS
