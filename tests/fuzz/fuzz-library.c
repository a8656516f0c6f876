/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib.h>

#include "library/fore-library.h"
#include "library/fore-workflow-check.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

/* Any bytes may be a file of the library: each reader sees them, and a workflow is also checked. */
int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GPtrArray) found = fore_diagnostics_new ();
  g_autoptr (ForeAgentDef) agent = NULL;
  g_autoptr (ForeTeam) team = NULL;
  g_autoptr (ForeSkill) skill = NULL;
  g_autoptr (ForeWorkflow) workflow = NULL;
  g_autoptr (ForeWorkflow) script = NULL;
  const char *text = (const char *) data;

  agent = fore_agent_def_new_from_text (text, size, "a.md", FORE_LAYER_PROJECT, found);
  team = fore_team_new_from_text (text, size, "t.team.md", FORE_LAYER_PROJECT, found);
  skill = fore_skill_new_from_text (text, size, "s/SKILL.md", FORE_LAYER_PROJECT, found);
  workflow = fore_workflow_new_from_text (text, size, "w.workflow.md", FORE_LAYER_PROJECT, found);

  script = fore_workflow_new_from_text (text, size, "s.crew.lua", FORE_LAYER_PROJECT, found);

  if (workflow != NULL)
    {
      fore_workflow_validate (workflow, team, NULL, found);
      fore_workflow_get_topology (workflow);
    }

  return 0;
}
