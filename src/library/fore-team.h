/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib-object.h>

#include "library/fore-library-types.h"
#include "library/fore-team-role.h"

G_BEGIN_DECLS

#define FORE_TYPE_TEAM (fore_team_get_type ())

/**
 * ForeTeam:
 * @source: where it comes from
 * @name: identity
 * @description: one line for lists
 * @default_workflow: (nullable): the workflow that it runs unless told otherwise
 * @worktrees: whether its tasks want trees of their own; %FORE_UNSET leaves it to the settings
 * @max_agents: agents of this team at work at once, 0 for the settings' limit
 * @roles: (element-type ForeTeamRole): roles in the order of the file
 * @routing: when to choose it
 *
 * Roles bound to agents: what one file `teams/NAME.team.md` says.
 */
typedef struct
{
  ForeSource source;
  char *name;
  char *description;
  char *default_workflow;
  ForeTristate worktrees;
  guint max_agents;
  GPtrArray *roles;
  ForeRouting routing;
} ForeTeam;

GType fore_team_get_type (void) G_GNUC_CONST;

const char *const *fore_team_get_keys (void);
ForeTeam *fore_team_new (const char *name);
ForeTeam *fore_team_new_direct (const char *agent_name);
ForeTeam *fore_team_new_from_text (const char *text,
                                   gssize length,
                                   const char *path,
                                   ForeLibraryLayer layer,
                                   GPtrArray *diagnostics);
ForeTeam *fore_team_ref (ForeTeam *self);
void fore_team_unref (ForeTeam *self);

void fore_team_add_role (ForeTeam *self, ForeTeamRole *role);
const ForeTeamRole *fore_team_get_role (const ForeTeam *self, const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeTeam, fore_team_unref)

G_END_DECLS
