/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-run-builder-private.h"

#include "engine/fore-hand-off.h"
#include "engine/fore-plan-file.h"
#include "engine/fore-pre-step.h"
#include "engine/fore-trust.h"
#include "engine/fore-script.h"
#include "library/fore-chain.h"
#include "library/fore-workflow-check.h"
#include "model/fore-error.h"
#include "platform/fore-compat-glib.h"
#include "text/fore-json.h"
#include "text/fore-text.h"

#include <glib/gi18n-lib.h>

typedef gpointer (*ForeLibraryFind) (ForeLibrary *library, const char *name);

/* Sets an error if an object is only missing because its project is not trusted. */
static gboolean
is_untrusted (ForeRunBuilder *builder, ForeLibraryFind find, const char *name, GError **error)
{
  const char *project = builder->context->project;
  g_autoptr (ForeLibrary) library = NULL;
  g_autofree char *quoted = fore_text_quote_word (project);

  if (!fore_library_leaves_project_out (builder->context->library)
      || (library = fore_library_load (NULL, project, TRUE, NULL)) == NULL
      || find (library, name) == NULL)
    return FALSE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
               _ ("“%s” is in this project, which is not trusted yet: foredeckctl trust %s"), name,
               quoted);

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

/* The warnings about what is in the library were found when that was loaded. */
static void
take_warnings_about (ForeRunBuilder *builder, const char *path)
{
  GPtrArray *found = fore_library_get_diagnostics (builder->context->library);

  for (guint i = 0; path != NULL && i < found->len; i++)
    {
      const ForeDiagnostic *diagnostic = found->pdata[i];

      if (g_strcmp0 (diagnostic->path, path) == 0)
        g_ptr_array_add (builder->diagnostics, fore_diagnostic_copy (diagnostic));
    }
}

static void
take_warnings_about_agents (ForeRunBuilder *builder)
{
  ForeRunContext *context = builder->context;
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < context->workflow->steps->len; i++)
    {
      const ForeWorkflowStep *step = g_ptr_array_index (context->workflow->steps, i);
      const ForeAgentDef *agent = fore_library_get_agent_for_step (context->library, context->team,
                                                                   step);

      if (agent != NULL && agent->source.path != NULL
          && g_hash_table_add (seen, agent->source.path))
        take_warnings_about (builder, agent->source.path);
    }
}

static gboolean
check_workflow (ForeRunBuilder *builder, GError **error)
{
  ForeRunContext *context = builder->context;

  take_warnings_about (builder, context->workflow->source.path);
  take_warnings_about (builder, context->team->source.path);
  take_warnings_about_agents (builder);
  if (context->workflow->source.layer == FORE_LAYER_FILE)
    fore_library_check_skills (context->library, context->workflow, builder->diagnostics);

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

static gboolean
check_skill (ForeRunBuilder *builder, const char *name, GError **error)
{
  ForeLibrary *library = builder->context->library;
  g_autofree char *nearest = NULL;

  if (fore_library_get_skill (library, name) != NULL)
    return TRUE;
  if (is_untrusted (builder, (ForeLibraryFind) fore_library_get_skill, name, error))
    return FALSE;

  nearest = fore_library_suggest (library, "skill", name);
  if (nearest != NULL)
    g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                 _ ("There is no skill “%s”; did you mean “%s”?"), name, nearest);
  else
    g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                 _ ("There is no skill “%s”; “foredeckctl library list skill” shows them."), name);
  return FALSE;
}

/* What is said on the spot has to be there; where a file names it, that is worth a warning. */
static gboolean
check_chain_skills (ForeRunBuilder *builder, GPtrArray *nodes, GError **error)
{
  for (guint i = 0; i < nodes->len; i++)
    {
      const ForeChainNode *node = g_ptr_array_index (nodes, i);

      for (guint k = 0; node->skills != NULL && node->skills[k] != NULL; k++)
        {
          if (!check_skill (builder, node->skills[k], error))
            return FALSE;
        }
      for (guint k = 0; node->branches != NULL && k < node->branches->len; k++)
        {
          if (!check_chain_skills (builder, g_ptr_array_index (node->branches, k), error))
            return FALSE;
        }
    }

  return TRUE;
}

/* Its links say themselves who works on them; the team is what a plan in it takes its roles from.
 */
static gboolean
choose_chain (ForeRunBuilder *builder, GError **error)
{
  ForeRunContext *context = builder->context;
  g_autoptr (GPtrArray) nodes = fore_chain_parse (builder->spec->chain, error);

  if (nodes == NULL || !check_chain_skills (builder, nodes, error))
    return FALSE;

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

/* The demo's agents would look for it one after the other. */
static gboolean
check_scenario (const char *path, GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autoptr (JsonNode) node = NULL;

  if (path == NULL)
    return TRUE;
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                   _ ("There is no file %s; name a scenario of the demo's agents with --scenario."),
                   path);
      return FALSE;
    }

  node = fore_json_load_file (path, NULL, &problem);
  if (node != NULL && JSON_NODE_HOLDS_OBJECT (node))
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_INVALID, _ ("“%s” is no scenario: %s"), path,
               problem != NULL ? problem->message : _ ("it holds no JSON object"));
  return FALSE;
}

/* What is called by a path counts as little before its project is trusted as what has a name. */
static gboolean
check_files (ForeRunBuilder *builder, GError **error)
{
  const ForeRunSpec *spec = builder->spec;

  return check_file (builder, spec->workflow_file, error)
         && check_file (builder, spec->plan_file, error)
         && check_file (builder, spec->scenario, error) && check_scenario (spec->scenario, error);
}

/* Mistakes in writing are found before anything starts. */
static gboolean
check_script (ForeRunBuilder *builder, GError **error)
{
  const ForeWorkflow *workflow = builder->context->workflow;

  return !fore_workflow_is_script (workflow) || workflow->source.path == NULL
         || fore_script_check (workflow->source.path, error);
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

  return context->workflow != NULL && check_workflow (builder, error)
         && check_script (builder, error);
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
