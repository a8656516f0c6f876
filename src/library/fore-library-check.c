/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library/fore-library-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "library/fore-workflow-check.h"
#include "library/fore-workflow-parser.h"

/* The library that names are looked up in, and where faults go. */
typedef struct
{
  ForeLibrary *library;
  GPtrArray *diagnostics;
} Check;

/* Where a fault is, and of which key. */
typedef struct
{
  guint line;
  guint column;
  const char *key;
} Place;

static void add_fault (Check *self, ForeSource *source, Place place, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

static Place
place_of (const ForeSource *source, const char *key)
{
  Place place = { 0, 0, key };

  fore_source_get_place (source, key, &place.line, &place.column);

  return place;
}

static void
add_fault (Check *self, ForeSource *source, Place place, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);

  source->n_errors++;
  fore_diagnostics_add (self->diagnostics, FORE_DIAGNOSTIC_ERROR, source->path, place.line,
                        place.column, place.key, "%s", message);
}

/* A missing skill stops nobody: the prompt says that it is missing. */
static void
check_skills (Check *self, const ForeSource *source, Place place, char **skills)
{
  ForeDiagnosticSeverity severity = fore_library_layer_is_foreign (source->layer)
                                        ? FORE_DIAGNOSTIC_NOTE
                                        : FORE_DIAGNOSTIC_WARNING;

  for (guint i = 0; skills != NULL && skills[i] != NULL; i++)
    {
      g_autofree char *nearest = NULL;

      if (fore_library_get_skill (self->library, skills[i]) != NULL)
        continue;

      nearest = fore_library_suggest (self->library, "skill", skills[i]);
      if (nearest != NULL)
        fore_diagnostics_add (self->diagnostics, severity, source->path, place.line, place.column,
                              place.key, _ ("There is no skill `%s`. Did you mean `%s`?"),
                              skills[i], nearest);
      else
        fore_diagnostics_add (self->diagnostics, severity, source->path, place.line, place.column,
                              place.key, _ ("There is no skill `%s`. Add it or name another."),
                              skills[i]);
    }
}

static void
check_agent (Check *self, ForeAgentDef *agent)
{
  check_skills (self, &agent->source, place_of (&agent->source, "skills"), agent->skills);
}

/**
 * fore_library_check_skills:
 * @self: a library
 * @workflow: a workflow
 * @diagnostics: (element-type ForeDiagnostic): where to say what is wrong
 *
 * Checks that the skills that the steps of @workflow name exist.
 */
void
fore_library_check_skills (ForeLibrary *self, ForeWorkflow *workflow, GPtrArray *diagnostics)
{
  Check check = { self, diagnostics };

  g_return_if_fail (self != NULL);
  g_return_if_fail (workflow != NULL);

  for (guint i = 0; i < workflow->steps->len; i++)
    {
      const ForeWorkflowStep *step = workflow->steps->pdata[i];
      Place place = { step->skills_line, 1, "skills" };

      check_skills (&check, &workflow->source, place, step->skills);
    }
}

static void
check_workflow (Check *self, ForeWorkflow *workflow)
{
  g_autofree char *nearest = NULL;
  const ForeTeam *team = NULL;

  if (workflow->team != NULL)
    {
      team = fore_library_get_team (self->library, workflow->team);
      if (team == NULL)
        {
          nearest = fore_library_suggest (self->library, "team", workflow->team);
          if (nearest != NULL)
            add_fault (self, &workflow->source, place_of (&workflow->source, "team"),
                       _ ("There is no team `%s`. Did you mean `%s`?"), workflow->team, nearest);
          else
            add_fault (self, &workflow->source, place_of (&workflow->source, "team"),
                       _ ("There is no team `%s`. Add it or name another."), workflow->team);
        }
    }

  fore_library_check_skills (self->library, workflow, self->diagnostics);
  if (!fore_workflow_validate (workflow, team, self->library, self->diagnostics))
    workflow->source.n_errors++;
}

static void
check_role (Check *self, ForeTeam *team, const ForeTeamRole *role)
{
  Place place = { role->line, role->agent_column, "agent" };
  g_autofree char *nearest = NULL;

  if (fore_library_get_agent (self->library, role->agent) != NULL)
    return;

  nearest = fore_library_suggest (self->library, "agent", role->agent);
  if (nearest != NULL)
    add_fault (self, &team->source, place,
               _ ("The role `%s` needs the agent `%s`, which does not exist. Did you mean `%s`?"),
               role->name, role->agent, nearest);
  else
    add_fault (self, &team->source, place,
               _ ("The role `%s` needs the agent `%s`, which does not exist. Add it or choose "
                  "another."),
               role->name, role->agent);
}

static void
check_default_workflow (Check *self, ForeTeam *team)
{
  ForeWorkflow *workflow = fore_library_get_workflow (self->library, team->default_workflow);
  Place place = place_of (&team->source, "defaultWorkflow");
  g_autofree char *nearest = NULL;

  if (workflow != NULL)
    {
      if (workflow->source.n_errors == 0
          && !fore_workflow_validate (workflow, team, NULL, self->diagnostics))
        team->source.n_errors++;
      return;
    }

  if (place.line == 0)
    place = place_of (&team->source, "workflow");
  nearest = fore_library_suggest (self->library, "workflow", team->default_workflow);
  if (nearest != NULL)
    add_fault (self, &team->source, place, _ ("There is no workflow `%s`. Did you mean `%s`?"),
               team->default_workflow, nearest);
  else
    add_fault (self, &team->source, place, _ ("There is no workflow `%s`. Add it or name another."),
               team->default_workflow);
}

static void
check_team (Check *self, ForeTeam *team)
{
  for (guint i = 0; i < team->roles->len; i++)
    {
      const ForeTeamRole *role = team->roles->pdata[i];
      Place place = { role->line, role->agent_column, "skills" };

      check_role (self, team, role);
      check_skills (self, &team->source, place, role->skills);
    }

  if (team->default_workflow != NULL)
    check_default_workflow (self, team);
}

/**
 * fore_library_get_keys:
 * @kind: `agent`, `team`, `role`, `workflow`, `step` or `skill`
 *
 * Gets every key that our files of @kind may have: those at the top of a file, those of a role in a
 * team, those of a step in a workflow.
 *
 * Returns: (transfer none) (nullable) (array zero-terminated=1): the keys, or %NULL if there is no
 *   such kind
 */
const char *const *
fore_library_get_keys (const char *kind)
{
  static const struct
  {
    const char *kind;
    const char *const *(*get) (void);
  } kinds[] = {
    { "agent", fore_agent_def_get_keys }, { "team", fore_team_get_keys },
    { "role", fore_team_role_get_keys },  { "workflow", fore_workflow_get_keys },
    { "step", fore_step_get_keys },       { "skill", fore_skill_get_keys },
  };

  g_return_val_if_fail (kind != NULL, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      if (strcmp (kinds[i].kind, kind) == 0)
        return kinds[i].get ();
    }

  return NULL;
}

/**
 * fore_library_check_object:
 * @self: a library
 * @kind: what @object is
 * @object: an object, of the library or not
 * @diagnostics: (element-type ForeDiagnostic): where to say what is wrong
 *
 * Checks what no file can be checked for alone: that what @object names exists and fits.
 */
void
fore_library_check_object (ForeLibrary *self,
                           ForeLibraryKind kind,
                           gpointer object,
                           GPtrArray *diagnostics)
{
  Check check = { self, diagnostics };

  g_return_if_fail (self != NULL);
  g_return_if_fail (object != NULL);

  if (kind == FORE_KIND_AGENT)
    check_agent (&check, object);
  else if (kind == FORE_KIND_TEAM)
    check_team (&check, object);
  else if (kind == FORE_KIND_WORKFLOW)
    check_workflow (&check, object);
}

/**
 * fore_library_check:
 * @self: a library that is being loaded, all files read
 *
 * Checks what its objects say of each other.
 */
void
fore_library_check (ForeLibrary *self)
{
  static const ForeLibraryKind kinds[] = { FORE_KIND_AGENT, FORE_KIND_WORKFLOW, FORE_KIND_TEAM };

  g_return_if_fail (self != NULL);

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      GPtrArray *objects = self->sorted[kinds[i]];

      for (guint j = 0; j < objects->len; j++)
        fore_library_check_object (self, kinds[i], objects->pdata[j], self->diagnostics);
    }
}
