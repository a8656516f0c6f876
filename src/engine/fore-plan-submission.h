/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-plan-parser.h"
#include "engine/fore-run-context.h"
#include "engine/fore-run-state.h"

G_BEGIN_DECLS

GStrv fore_plan_submission_list_keys (ForeRunState *state);
void fore_plan_submission_fill_rules (ForePlanRules *rules,
                                      ForeRunContext *context,
                                      ForeRunState *state,
                                      const ForeTask *task,
                                      GStrv taken);
gboolean fore_plan_submission_check (ForeRunContext *context,
                                     ForeRunState *state,
                                     const ForeTask *task,
                                     const char *text,
                                     char **answer);

G_END_DECLS
