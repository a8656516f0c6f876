/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-run-context.h"
#include "model/fore-task.h"

G_BEGIN_DECLS

char *fore_pre_step_dup_dir (const char *project, const ForeWorkflow *workflow);
gboolean
fore_pre_step_check (ForeRunContext *context, const ForeWorkflowStep *step, GError **error);
gboolean fore_pre_step_is_wanted (ForeRunContext *context, const ForeTask *task);
gboolean fore_pre_step_run (ForeRunContext *context,
                            const char *run_id,
                            const ForeTask *task,
                            guint attempt,
                            const char *tree,
                            char **output,
                            GError **error);

G_END_DECLS
