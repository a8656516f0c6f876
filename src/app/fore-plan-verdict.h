/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-job.h"
#include "model/fore-plan.h"
#include "model/fore-request.h"
#include "model/fore-run.h"
#include "store/fore-store.h"

G_BEGIN_DECLS

/* What a page about a plan says besides the plan itself. */

const ForePlan *fore_plan_find_version (GPtrArray *plans, guint version);
GListModel *fore_plan_name_versions (GPtrArray *plans, guint shown, guint *selected);
guint fore_plan_find_shown_version (const ForeRequest *request, const ForeRun *run);
void fore_plan_renew_request (ForeRequest **request, GPtrArray *requests);
char *fore_plan_dup_verdict (const ForeRequest *request, guint shown_version);
void fore_plan_read_agent_limit (gpointer owner,
                                 ForeStore *store,
                                 const ForeRun *run,
                                 GCancellable *cancellable,
                                 ForeJobDone done);

G_END_DECLS
