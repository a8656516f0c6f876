/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library/fore-library-private.h"

#include "library/fore-workflow-check.h"

static gboolean
fits (const ForeTeam *team, ForeWorkflow *workflow)
{
  return team != NULL && fore_workflow_validate (workflow, team, NULL, NULL);
}

/* A team for a workflow that no team was made for: each role is filled by the agent of its name. */
static ForeTeam *
make_team (ForeLibrary *self, ForeWorkflow *workflow)
{
  g_autofree char *name = g_strconcat ("for-", workflow->name, NULL);
  ForeTeam *team = fore_team_new (name);

  for (guint i = 0; i < workflow->steps->len; i++)
    {
      const ForeWorkflowStep *step = workflow->steps->pdata[i];

      if (fore_team_get_role (team, step->role) == NULL
          && fore_library_get_agent (self, step->role) != NULL)
        fore_team_add_role (team, fore_team_role_new (step->role, step->role));
    }

  return team;
}

/**
 * fore_library_dup_team_for_workflow:
 * @self: a library
 * @workflow: a workflow
 *
 * Chooses the team to carry a workflow out when the person names none: the one that the workflow
 * names, the one of its name, one that runs it by default, any that has all its roles; else one is
 * made of the agents that are called like its roles.
 *
 * Returns: (transfer full): the team
 */
ForeTeam *
fore_library_dup_team_for_workflow (ForeLibrary *self, ForeWorkflow *workflow)
{
  ForeTeam *team;
  GPtrArray *teams;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (workflow != NULL, NULL);

  team = workflow->team != NULL ? fore_library_get_team (self, workflow->team) : NULL;
  if (team == NULL)
    team = fore_library_get_team (self, workflow->name);
  if (fits (team, workflow))
    return fore_team_ref (team);

  teams = self->sorted[FORE_KIND_TEAM];
  for (guint i = 0; i < teams->len; i++)
    {
      team = teams->pdata[i];
      if (g_strcmp0 (team->default_workflow, workflow->name) == 0 && fits (team, workflow))
        return fore_team_ref (team);
    }
  for (guint i = 0; i < teams->len; i++)
    {
      if (fits (teams->pdata[i], workflow))
        return fore_team_ref (teams->pdata[i]);
    }

  return make_team (self, workflow);
}

/**
 * fore_library_get_agent_for_step:
 * @self: a library
 * @team: (nullable): the team that carries the step out
 * @step: a step
 *
 * Finds the agent that carries a step out: the one that the step names, or the one that fills its
 * role in the team.
 *
 * Returns: (transfer none) (nullable): the agent, or %NULL if there is none
 */
ForeAgentDef *
fore_library_get_agent_for_step (ForeLibrary *self,
                                 const ForeTeam *team,
                                 const ForeWorkflowStep *step)
{
  const ForeTeamRole *role;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (step != NULL, NULL);

  if (step->agent != NULL)
    return fore_library_get_agent (self, step->agent);

  role = team != NULL ? fore_team_get_role (team, step->role) : NULL;
  return fore_library_get_agent (self, role != NULL ? role->agent : step->role);
}
