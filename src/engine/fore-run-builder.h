/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-actions.h"
#include "library/fore-workflow.h"

G_BEGIN_DECLS

/* From what a person asks for to a run and its tasks. @workflow gets the workflow itself. */
ForeRunPreview *fore_run_builder_build (ForeStore *store,
                                        const ForeRunSpec *spec,
                                        ForeWorkflow **workflow,
                                        GError **error);

G_END_DECLS
