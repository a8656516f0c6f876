/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-run-context.h"

G_BEGIN_DECLS

/* The run's copy of the script that it carries out, in its folder. */
#define FORE_RUN_WORKFLOW_SCRIPT "script.crew.lua"

gboolean fore_run_workflow_save (const char *home,
                                 const char *run_id,
                                 const ForeWorkflow *workflow,
                                 GError **error);
ForeWorkflow *fore_run_workflow_load (ForeRunContext *context,
                                      const ForeRun *run,
                                      const char *chain,
                                      GError **error);

G_END_DECLS
