/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-run-context.h"
#include "engine/fore-run-state.h"

G_BEGIN_DECLS

guint fore_plan_submission_count_left (ForeRunContext *context, ForeRunState *state);
gboolean fore_plan_submission_check (ForeRunContext *context,
                                     ForeRunState *state,
                                     const ForeTask *task,
                                     const char *text,
                                     char **answer);

G_END_DECLS
