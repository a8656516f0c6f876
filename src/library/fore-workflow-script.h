/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "library/fore-workflow.h"

G_BEGIN_DECLS

#define FORE_SCRIPT_SUFFIX ".crew.lua"

/* Id, role and agent CLI of the step that carries a script out. */
#define FORE_SCRIPT_STEP "script"

gboolean fore_workflow_script_is_one (const char *path);
char *fore_workflow_script_dup_head (const char *text, gssize length);
void fore_workflow_script_add_step (ForeWorkflow *workflow);

G_END_DECLS
