/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-run-builder-private.h"

#include "engine/fore-hand-off.h"
#include "engine/fore-plan-file.h"
#include "engine/fore-pre-step.h"
#include "engine/fore-trust.h"
#include "library/fore-chain.h"
#include "library/fore-workflow-check.h"
#include "model/fore-error.h"
#include "platform/fore-compat-glib.h"

#include <glib/gi18n-lib.h>

typedef gpointer (*ForeLibraryFind) (ForeLibrary *library, const char *name);

/* Sets an error if an object is only missing because its project is not trusted. */
static gboolean
is_untrusted (ForeRunBuilder *builder, ForeLibraryFind find, const char *name, GError **error)
{
  const char *project = builder->context->project;
  g_autoptr (ForeLibrary) library = NULL;

  if (!fore_library_leaves_project_out (builder->context->library)
      || (library = fore_library_load (NULL, project, TRUE, NULL)) == NULL
      || find (library, name) == NULL)
    return FALSE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
               _ ("“%s” is in this project, which is not trusted yet: foredeckctl trust %s"), name,
               project);

  return TRUE;
}

static ForeWorkflow *
find_workflow (ForeRunBuilder *builder, const char *name, GError **error)
{
  ForeWorkflow *workflow = fore_library_get_workflow (builder->context->library, name);
  g_autofree char *nearest = NULL;

  if (workflow != NULL)
    return fore_workflow_ref (workflow);
  if (is_untrusted (builder, (ForeLibraryFind) fore_library_get_workflow, name, error))
    return NULL;

  nearest = fore_library_suggest (builder->context->library, "workflow", name);
  if (nearest != NULL)
    g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                 _ ("There is no workflow “%s”; did you mean “%s”?"), name, nearest);
  else
    g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                 _ ("There is no workflow “%s”; “foredeckctl library list workflow” shows them."),
                 name);

  return NULL;
}

static ForeWorkflow *
load_workflow_file (ForeRunBuilder *builder, const char *path, GError **error)
{
  g_autoptr (ForeWorkflow) workflow = NULL;

  workflow = fore_library_load_workflow_file (path, builder->diagnostics, error);
  if (workflow == NULL || !fore_diagnostics_check (builder->diagnostics, error))
    return NULL;

  return g_steal_pointer (&workflow);
}

static ForeWorkflow *
make_direct_workflow (const char *agent)
{
  ForeWorkflow *workflow = fore_workflow_new ("direct-agent");
  ForeWorkflowStep *step = fore_workflow_step_new ("agent", agent);

  fore_set_str (&step->task, "{goal}");
  fore_set_str (&step->agent, agent);
  fore_workflow_add_step (workflow, step);

  return workflow;
}

static gboolean
choose_direct (ForeRunBuilder *builder, GError **error)
{
  const char *agent = builder->spec->agent;
  g_autofree char *nearest = NULL;

  if (fore_library_get_agent (builder->context->library, agent) == NULL)
    {
      if (is_untrusted (builder, (ForeLibraryFind) fore_library_get_agent, agent, error))
        return FALSE;

      nearest = fore_library_suggest (builder->context->library, "agent", agent);
      g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                   nearest != NULL ? _ ("There is no agent “%s”; did you mean “%s”?")
                                   : _ ("There is no agent “%s”.%s"),
                   agent, nearest != NULL ? nearest : "");
      return FALSE;
    }

  builder->context->team = fore_team_new_direct (agent);
  builder->context->workflow = make_direct_workflow (agent);

  return TRUE;
}

/* The warnings about a workflow of the library were found when that was loaded. */
static gboolean
check_workflow (ForeRunBuilder *builder, GError **error)
{
  ForeRunContext *context = builder->context;
  GPtrArray *found = fore_library_get_diagnostics (context->library);

  for (guint i = 0; i < found->len; i++)
    {
      const ForeDiagnostic *diagnostic = found->pdata[i];

      if (diagnostic->path != NULL
          && g_strcmp0 (diagnostic->path, context->workflow->source.path) == 0)
        g_ptr_array_add (builder->diagnostics, fore_diagnostic_copy (diagnostic));
    }

  return fore_workflow_check (context->workflow, context->team, context->library, error);
}

static gboolean
check_names (ForeRunBuilder *builder, GError **error)
{
  const ForeRunSpec *spec = builder->spec;

  if (g_strcmp0 (spec->workflow, "direct-agent") == 0)
    {
      g_set_error_literal (error, FORE_ERROR, FORE_ERROR_USAGE,
                           _ ("“direct-agent” needs an agent that does it all: say --agent NAME "
                              "instead of the workflow."));
      return FALSE;
    }

  return spec->team == NULL || fore_library_get_team (builder->context->library, spec->team) != NULL
         || !is_untrusted (builder, (ForeLibraryFind) fore_library_get_team, spec->team, error);
}

/* Its links say themselves who works on them; the team is what a plan in it takes its roles from.
 */
static gboolean
choose_chain (ForeRunBuilder *builder, GError **error)
{
  ForeRunContext *context = builder->context;

  context->workflow = fore_chain_dup_workflow (builder->spec->chain, context->library, error);
  if (context->workflow == NULL)
    return FALSE;

  context->team = fore_run_context_find_team (context->library, "default", NULL, error);

  return context->team != NULL;
}

/* Turns of one step, unless somebody wants another workflow. */
static const char *
get_workflow_name (const ForeRunSpec *spec)
{
  if (spec->plan_text != NULL && spec->workflow == NULL)
    return FORE_PLAN_FILE_WORKFLOW;

  return spec->goal_loop && spec->workflow == NULL && spec->team == NULL ? "goal" : spec->workflow;
}

static gboolean
check_file (ForeRunBuilder *builder, const char *path, GError **error)
{
  return path == NULL
         || fore_trust_check_file (builder->store, builder->context->project, path, error);
}

/* What is called by a path counts as little before its project is trusted as what has a name. */
static gboolean
check_files (ForeRunBuilder *builder, GError **error)
{
  const ForeRunSpec *spec = builder->spec;

  return check_file (builder, spec->workflow_file, error)
         && check_file (builder, spec->plan_file, error)
         && check_file (builder, spec->scenario, error);
}

/* Finds who carries the run out, and along which workflow. */
gboolean
fore_run_builder_choose_crew (ForeRunBuilder *builder, GError **error)
{
  const ForeRunSpec *spec = builder->spec;
  const char *workflow = get_workflow_name (spec);
  ForeRunContext *context = builder->context;

  if (!check_files (builder, error))
    return FALSE;
  if (spec->agent != NULL)
    return choose_direct (builder, error) && check_workflow (builder, error);
  if (spec->chain != NULL)
    return choose_chain (builder, error) && check_workflow (builder, error);
  if (!check_names (builder, error))
    return FALSE;

  if (spec->workflow_file != NULL)
    context->workflow = load_workflow_file (builder, spec->workflow_file, error);
  else if (workflow != NULL)
    context->workflow = find_workflow (builder, workflow, error);
  if ((spec->workflow_file != NULL || workflow != NULL) && context->workflow == NULL)
    return FALSE;

  context->team = fore_run_context_find_team (
      context->library, spec->team != NULL || context->workflow != NULL ? spec->team : "default",
      context->workflow, error);
  if (context->team == NULL)
    return FALSE;

  if (context->workflow == NULL)
    context->workflow = find_workflow (
        builder,
        context->team->default_workflow != NULL ? context->team->default_workflow : "default",
        error);

  return context->workflow != NULL && check_workflow (builder, error);
}

/* A spec of the person's own counts before one that the project brings. */
static gboolean
check_spec (ForeRunBuilder *builder, const char *name, GError **error)
{
  g_autofree char *user_dir = fore_library_dup_user_dir ();
  g_autofree char *file = g_strdup_printf ("specs/%s.md", name);
  g_autofree char *own = fore_hand_off_find (user_dir, file);
  g_autofree char *inside = g_build_filename (".foredeck", file, NULL);
  g_autofree char *path = fore_hand_off_find (builder->context->project, inside);

  return own != NULL || path == NULL || check_file (builder, path, error);
}

/* Whether what the steps name besides their agents may be used, and is there, is said before
 * anything starts. */
gboolean
fore_run_builder_check_steps (ForeRunBuilder *builder, GError **error)
{
  ForeRunContext *context = builder->context;

  context->workflow_dir = fore_pre_step_dup_dir (context->project, context->workflow);
  for (guint i = 0; i < context->workflow->steps->len; i++)
    {
      const ForeWorkflowStep *step = g_ptr_array_index (context->workflow->steps, i);

      for (guint k = 0; step->spec_refs != NULL && step->spec_refs[k] != NULL; k++)
        {
          if (!check_spec (builder, step->spec_refs[k], error))
            return FALSE;
        }
      if (!fore_pre_step_check (context, step, error))
        return FALSE;
    }

  return TRUE;
}
