/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * ForeTeamRole:
 * @name: role name, the word that steps use
 * @agent: name of the agent that fills it
 * @model: (nullable): model for this role
 * @fallback: (nullable): models tried in order after @model
 * @thinking: (nullable): reasoning level
 * @skills: (nullable): skills on top of the agent's
 * @no_skills: no skills at all
 * @max_agents: agents in this role at work at once, 0 for no limit of its own
 * @description: (nullable): free text
 * @agent_column: column of the agent's name, or of the role's, 0 when made in memory
 * @line: line in the team's file
 *
 * One role of a team.
 */
typedef struct
{
  char *name;
  char *agent;
  char *model;
  GStrv fallback;
  char *thinking;
  GStrv skills;
  gboolean no_skills;
  guint max_agents;
  char *description;
  guint line;
  guint agent_column;
} ForeTeamRole;

const char *const *fore_team_role_get_keys (void);
ForeTeamRole *fore_team_role_new (const char *name, const char *agent);
ForeTeamRole *fore_team_role_new_from_line (const char *line,
                                            const char *path,
                                            guint line_number,
                                            gboolean foreign,
                                            GPtrArray *diagnostics);
void fore_team_role_free (ForeTeamRole *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeTeamRole, fore_team_role_free)

G_END_DECLS
