/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "library/fore-agent-def.h"
#include "library/fore-skill.h"
#include "library/fore-team.h"
#include "library/fore-workflow.h"
#include "model/fore-plan.h"

G_BEGIN_DECLS

/* What the library says of a file above its text: captions and values in turn. */

GStrv fore_library_facts_new_agent (const ForeAgentDef *agent);
GStrv fore_library_facts_new_team (const ForeTeam *team);
GStrv fore_library_facts_new_workflow (const ForeWorkflow *flow);
ForePlan *fore_library_facts_dup_plan (const ForeWorkflow *flow);

G_END_DECLS
