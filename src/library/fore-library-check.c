/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library/fore-library-private.h"

#include <glib/gi18n-lib.h>

#include "library/fore-workflow-check.h"

static void add_fault (
    ForeLibrary *self, ForeSource *source, guint line, const char *key, const char *format, ...)
    G_GNUC_PRINTF (5, 6);

static void
add_fault (
    ForeLibrary *self, ForeSource *source, guint line, const char *key, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);

  source->n_errors++;
  fore_diagnostics_add (self->diagnostics, FORE_DIAGNOSTIC_ERROR, source->path, line, 0, key, "%s",
                        message);
}

static void
check_workflow (ForeLibrary *self, ForeWorkflow *workflow)
{
  g_autofree char *nearest = NULL;
  const ForeTeam *team = NULL;

  if (workflow->team != NULL)
    {
      team = fore_library_get_team (self, workflow->team);
      if (team == NULL)
        {
          nearest = fore_library_suggest (self, "team", workflow->team);
          if (nearest != NULL)
            add_fault (self, &workflow->source, 0, "team",
                       _ ("There is no team `%s`. Did you mean `%s`?"), workflow->team, nearest);
          else
            add_fault (self, &workflow->source, 0, "team",
                       _ ("There is no team `%s`. Add it or name another."), workflow->team);
        }
    }

  if (!fore_workflow_validate (workflow, team, self, self->diagnostics))
    workflow->source.n_errors++;
}

static void
check_role (ForeLibrary *self, ForeTeam *team, const ForeTeamRole *role)
{
  g_autofree char *nearest = NULL;

  if (fore_library_get_agent (self, role->agent) != NULL)
    return;

  nearest = fore_library_suggest (self, "agent", role->agent);
  if (nearest != NULL)
    add_fault (self, &team->source, role->line, role->name,
               _ ("The role `%s` needs the agent `%s`, which does not exist. Did you mean `%s`?"),
               role->name, role->agent, nearest);
  else
    add_fault (self, &team->source, role->line, role->name,
               _ ("The role `%s` needs the agent `%s`, which does not exist. Add it or choose "
                  "another."),
               role->name, role->agent);
}

static void
check_default_workflow (ForeLibrary *self, ForeTeam *team)
{
  ForeWorkflow *workflow = fore_library_get_workflow (self, team->default_workflow);
  g_autofree char *nearest = NULL;

  if (workflow != NULL)
    {
      if (workflow->source.n_errors == 0
          && !fore_workflow_validate (workflow, team, NULL, self->diagnostics))
        team->source.n_errors++;
      return;
    }

  nearest = fore_library_suggest (self, "workflow", team->default_workflow);
  if (nearest != NULL)
    add_fault (self, &team->source, 0, "defaultWorkflow",
               _ ("There is no workflow `%s`. Did you mean `%s`?"), team->default_workflow,
               nearest);
  else
    add_fault (self, &team->source, 0, "defaultWorkflow",
               _ ("There is no workflow `%s`. Add it or name another."), team->default_workflow);
}

static void
check_team (ForeLibrary *self, ForeTeam *team)
{
  for (guint i = 0; i < team->roles->len; i++)
    check_role (self, team, team->roles->pdata[i]);

  if (team->default_workflow != NULL)
    check_default_workflow (self, team);
}

/**
 * fore_library_check:
 * @self: a library that is being loaded, all files read
 *
 * Checks what no file can be checked for alone: that what they name exists and fits.
 */
void
fore_library_check (ForeLibrary *self)
{
  g_return_if_fail (self != NULL);

  for (guint i = 0; i < self->sorted[FORE_KIND_WORKFLOW]->len; i++)
    check_workflow (self, self->sorted[FORE_KIND_WORKFLOW]->pdata[i]);
  for (guint i = 0; i < self->sorted[FORE_KIND_TEAM]->len; i++)
    check_team (self, self->sorted[FORE_KIND_TEAM]->pdata[i]);
}
