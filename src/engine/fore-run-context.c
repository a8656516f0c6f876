/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-run-context.h"

#include "agents/fore-adapter.h"
#include "engine/fore-goal.h"
#include "engine/fore-plan-file.h"
#include "engine/fore-pre-step.h"
#include "engine/fore-run-workflow.h"
#include "engine/fore-yield.h"
#include "library/fore-role.h"
#include "model/fore-error.h"
#include "platform/fore-compat-glib.h"
#include "platform/fore-dirs.h"
#include "platform/fore-process.h"
#include "platform/fore-random-id.h"
#include "text/fore-json.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define DIRECT_PREFIX "direct-"
#define SECRET_BYTES 32

/**
 * fore_run_context_get_override:
 * @context: a context
 * @agent: name of an agent
 * @what: `cli`, `model` or `thinking`
 *
 * Returns: (transfer none) (nullable): what the person wants of @agent whatever its file says, the
 *   setting `agents.overrides.NAME.WHAT`
 */
const char *
fore_run_context_get_override (ForeRunContext *context, const char *agent, const char *what)
{
  g_autofree char *name = NULL;

  g_return_val_if_fail (context != NULL && agent != NULL && what != NULL, NULL);

  name = g_strdup_printf ("agents.overrides.%s.%s", agent, what);

  return fore_settings_is_set (context->settings, name)
             ? fore_settings_get_string (context->settings, name)
             : NULL;
}

static gboolean
apply_args (ForeSettings *settings, const char *args, GError **error)
{
  g_autoptr (JsonNode) node = NULL;
  JsonObjectIter iter;
  const char *name;
  JsonNode *value;

  if (args == NULL || *args == '\0')
    return TRUE;

  node = fore_json_parse (args, -1, NULL, error);
  if (node == NULL)
    return FALSE;

  if (!JSON_NODE_HOLDS_OBJECT (node))
    {
      g_set_error_literal (error, FORE_ERROR, FORE_ERROR_USAGE,
                           _ ("The options of a run are a JSON object by settings key, such as "
                              "{\"limits.silence\": \"5 min\"}."));
      return FALSE;
    }

  json_object_iter_init (&iter, json_node_get_object (node));
  while (json_object_iter_next (&iter, &name, &value))
    {
      g_autofree char *text = NULL;

      if (JSON_NODE_HOLDS_VALUE (value) && json_node_get_value_type (value) == G_TYPE_STRING)
        text = g_strdup (json_node_get_string (value));
      else
        text = fore_json_to_string (value, FALSE);
      if (!fore_settings_set_run_option (settings, name, text, error))
        return FALSE;
    }

  return TRUE;
}

/**
 * fore_run_context_load_settings:
 * @store: the store
 * @project: folder of the project
 * @args: (nullable): run options as a JSON object by settings key
 * @diagnostics: (nullable) (element-type ForeDiagnostic): where to say what is wrong in files
 * @error: return location for an error
 *
 * Loads the settings in force for a run. Bad values in files fall back and are not an error here;
 * bad run options are.
 *
 * Returns: (transfer full): settings, or %NULL
 */
ForeSettings *
fore_run_context_load_settings (
    ForeStore *store, const char *project, const char *args, GPtrArray *diagnostics, GError **error)
{
  g_autofree char *user_dir = fore_library_dup_user_dir ();
  g_autoptr (ForeSettings) settings = NULL;

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);

  settings = fore_settings_load (user_dir, project, fore_store_is_trusted (store, project),
                                 diagnostics);
  if (!apply_args (settings, args, error))
    return NULL;

  return g_steal_pointer (&settings);
}

/**
 * fore_run_context_find_team:
 * @library: the library
 * @name: (nullable): a team's name; `direct-<agent>` for an agent alone
 * @workflow: (nullable): workflow it must carry out, when it has no name
 * @error: return location for an error
 *
 * Returns: (transfer full): the team, or %NULL with %FORE_ERROR_NOT_FOUND
 */
ForeTeam *
fore_run_context_find_team (ForeLibrary *library,
                            const char *name,
                            ForeWorkflow *workflow,
                            GError **error)
{
  ForeTeam *team;
  g_autofree char *nearest = NULL;

  g_return_val_if_fail (library != NULL, NULL);

  if (name != NULL && g_str_has_prefix (name, DIRECT_PREFIX))
    return fore_team_new_direct (name + strlen (DIRECT_PREFIX));

  if (name == NULL && workflow != NULL)
    {
      team = fore_library_dup_team_for_workflow (library, workflow);
      if (team != NULL)
        return team;
      name = "default";
    }

  team = fore_library_get_team (library, name);
  if (team != NULL)
    return fore_team_ref (team);

  nearest = fore_library_suggest (library, "team", name);
  if (nearest != NULL)
    g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                 _ ("There is no team “%s”; did you mean “%s”?"), name, nearest);
  else
    g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                 _ ("There is no team “%s”; “foredeckctl library list team” shows them."), name);

  return NULL;
}

static char *
dup_spec_path (const char *home, const char *run_id, const char *name)
{
  return fore_dirs_dup_run_subdir (home, run_id, name);
}

/**
 * fore_run_context_save:
 * @store: the store
 * @run_id: a run that is about to be made, and has its folders
 * @spec: what it is made of
 * @workflow: its workflow
 * @error: return location for an error
 *
 * Keeps with the run what its rows do not hold: the workflow's file as it was, run options and the
 * demo's scenario.
 *
 * Returns: whether it is on disk
 */
gboolean
fore_run_context_save (ForeStore *store,
                       const char *run_id,
                       const ForeRunSpec *spec,
                       ForeWorkflow *workflow,
                       GError **error)
{
  const char *home = fore_store_get_home (store);
  g_autofree char *spec_path = dup_spec_path (home, run_id, "spec.json");
  g_autofree char *text = NULL;
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (JsonObject) object = json_object_new ();
  g_autofree char *own_dir = fore_pre_step_dup_dir (spec->project, workflow);
  g_autofree char *secret = fore_platform_random_token (SECRET_BYTES);

  g_return_val_if_fail (spec != NULL && workflow != NULL, FALSE);

  json_object_set_string_member (object, "secret", secret);
  if (spec->scenario != NULL)
    json_object_set_string_member (object, "scenario", spec->scenario);
  if (spec->args != NULL)
    json_object_set_string_member (object, "args", spec->args);
  if (spec->agent != NULL)
    json_object_set_string_member (object, "agent", spec->agent);
  if (own_dir != NULL)
    json_object_set_string_member (object, "workflow_dir", own_dir);

  if (spec->chain != NULL)
    json_object_set_string_member (object, "chain", spec->chain);
  if (spec->script_args != NULL)
    json_object_set_string_member (object, "script_args", spec->script_args);
  if (spec->max_turns > 0)
    json_object_set_int_member (object, "max_turns", spec->max_turns);

  if (!fore_run_workflow_save (home, run_id, workflow, error))
    return FALSE;

  node = json_node_init_object (json_node_alloc (), object);
  text = fore_json_to_string (node, TRUE);

  return g_file_set_contents_full (spec_path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600,
                                   error);
}

/* What has begun goes on with what can be read. */
static void
log_errors (GPtrArray *diagnostics)
{
  g_autoptr (GError) error = NULL;

  if (!fore_diagnostics_check (diagnostics, &error))
    g_message ("Settings are faulty and what they say there is left out: %s", error->message);
}

static gboolean
is_secret_name (const char *name)
{
  return strstr (name, "KEY") != NULL || strstr (name, "TOKEN") != NULL
         || strstr (name, "SECRET") != NULL || strstr (name, "PASSWORD") != NULL;
}

static ForeRedactor *
make_redactor (void)
{
  ForeRedactor *redactor = fore_redactor_new ();
  g_auto (GStrv) names = g_listenv ();

  for (guint i = 0; names[i] != NULL; i++)
    {
      if (is_secret_name (names[i]) && strlen (g_getenv (names[i])) >= 8)
        fore_redactor_add (redactor, names[i], g_getenv (names[i]));
    }

  return redactor;
}

/**
 * fore_run_context_load:
 * @store: the store
 * @run: a run
 * @error: return location for an error
 *
 * Loads what @run is carried out with. Blocking.
 *
 * Returns: (transfer full): the context, or %NULL
 */
ForeRunContext *
fore_run_context_load (ForeStore *store, const ForeRun *run, GError **error)
{
  g_autoptr (ForeRunContext) context = g_new0 (ForeRunContext, 1);
  g_autofree char *user_dir = fore_library_dup_user_dir ();
  g_autofree char *spec_path = NULL;
  g_autoptr (JsonNode) spec = NULL;
  g_autoptr (GPtrArray) diagnostics = fore_diagnostics_new ();
  JsonObject *object = NULL;

  g_return_val_if_fail (run != NULL, NULL);

  context->home = g_strdup (fore_store_get_home (store));
  context->run_dir = fore_dirs_dup_run_dir (context->home, run->id);
  context->project = g_strdup (run->project);

  spec_path = dup_spec_path (context->home, run->id, "spec.json");
  spec = fore_json_load_file (spec_path, NULL, error);
  if (spec == NULL)
    return NULL;
  if (JSON_NODE_HOLDS_OBJECT (spec))
    object = json_node_get_object (spec);

  if (object != NULL)
    {
      context->secret = g_strdup (fore_json_get_string (object, "secret", NULL));
      context->scenario = g_strdup (fore_json_get_string (object, "scenario", NULL));
      context->script_args = g_strdup (fore_json_get_string (object, "script_args", NULL));
      context->workflow_dir = g_strdup (fore_json_get_string (object, "workflow_dir", NULL));
    }
  context->settings = fore_run_context_load_settings (
      store, run->project, object != NULL ? fore_json_get_string (object, "args", NULL) : NULL,
      diagnostics, error);
  if (context->settings == NULL)
    return NULL;

  log_errors (diagnostics);

  context->trusted = fore_store_is_trusted (store, run->project);
  context->library = fore_library_load (user_dir, run->project, context->trusted, error);
  if (context->library == NULL)
    return NULL;

  context->workflow = fore_run_workflow_load (
      context, run, object != NULL ? fore_json_get_string (object, "chain", NULL) : NULL, error);
  if (context->workflow == NULL)
    return NULL;

  context->team = fore_run_context_find_team (context->library, run->team, NULL, error);
  if (context->team == NULL)
    return NULL;

  context->yields = fore_yield_is_wanted_of_any (context->settings);
  context->roles = fore_plan_file_list_roles (context->team);
  context->max_turns = fore_goal_load_max_turns (context->home, run->id);
  context->redactor = make_redactor ();
  context->ctl = fore_platform_find_program ("foredeckctl");
  context->environs = fore_adapter_make_environs ();
  context->estimates = fore_estimates_load (store, run->project, run->workflow);

  return g_steal_pointer (&context);
}

/**
 * fore_run_context_free:
 * @context: (nullable): a context
 */
void
fore_run_context_free (ForeRunContext *context)
{
  if (context == NULL)
    return;

  g_free (context->home);
  g_free (context->run_dir);
  g_free (context->project);
  g_clear_pointer (&context->settings, fore_settings_unref);
  g_clear_pointer (&context->library, fore_library_unref);
  g_clear_pointer (&context->team, fore_team_unref);
  g_clear_pointer (&context->workflow, fore_workflow_unref);
  g_free (context->workflow_dir);
  g_free (context->scenario);
  g_free (context->script_args);
  g_strfreev (context->roles);
  g_clear_pointer (&context->redactor, fore_redactor_free);
  fore_estimates_free (context->estimates);
  g_free (context->ctl);
  g_clear_pointer (&context->environs, g_hash_table_unref);
  g_free (context->secret);
  g_free (context);
}

/**
 * fore_run_context_get_step:
 * @context: a context
 * @task: a task of the run
 *
 * Returns: (transfer none) (nullable): the workflow step that @task came from
 */
const ForeWorkflowStep *
fore_run_context_get_step (ForeRunContext *context, const ForeTask *task)
{
  g_return_val_if_fail (context != NULL && task != NULL, NULL);

  return task->step != NULL ? fore_workflow_get_step (context->workflow, task->step) : NULL;
}

/**
 * fore_run_context_get_agent:
 * @context: a context
 * @task: a task of the run
 *
 * Returns: (transfer none) (nullable): the definition of the agent that works on @task
 */
ForeAgentDef *
fore_run_context_get_agent (ForeRunContext *context, const ForeTask *task)
{
  g_return_val_if_fail (context != NULL && task != NULL, NULL);

  return task->agent != NULL ? fore_library_get_agent (context->library, task->agent) : NULL;
}

static const char *
first_found_cli (void)
{
  const ForeAdapter *const *adapters = fore_adapter_list ();

  for (guint i = 0; adapters[i] != NULL; i++)
    {
      g_autofree char *program = NULL;

      if (strcmp (adapters[i]->name, "demo") == 0 || adapters[i]->program == NULL)
        continue;

      program = fore_adapter_find_program (adapters[i], NULL);
      if (program != NULL)
        return adapters[i]->name;
    }

  return NULL;
}

static const char *
choose_cli (ForeRunContext *context,
            const ForeTask *task,
            const ForeWorkflowStep *step,
            const ForeAgentDef *agent,
            const ForeRunOptions *options)
{
  const char *override;

  if (step != NULL
      && (step->command != NULL || fore_workflow_step_is_command (step)
          || fore_workflow_step_is_script (step)))
    return step->cli;
  if (options->cli != NULL)
    return options->cli;
  if (step != NULL && step->cli != NULL)
    return step->cli;

  override = task->agent != NULL ? fore_run_context_get_override (context, task->agent, "cli")
                                 : NULL;
  if (override != NULL)
    return override;
  if (agent != NULL && agent->cli != NULL)
    return agent->cli;
  if (fore_settings_is_set (context->settings, "agents.default_cli"))
    return fore_settings_get_string (context->settings, "agents.default_cli");

  return first_found_cli ();
}

static const char *
choose_model (ForeRunContext *context,
              const ForeTask *task,
              const ForeWorkflowStep *step,
              const ForeAgentDef *agent,
              const ForeRunOptions *options)
{
  const ForeTeamRole *role = fore_team_get_role (context->team, task->role);
  const char *override;

  if (options->model != NULL)
    return options->model;
  if (step != NULL && step->model != NULL)
    return step->model;
  if (role != NULL && role->model != NULL)
    return role->model;

  override = task->agent != NULL ? fore_run_context_get_override (context, task->agent, "model")
                                 : NULL;
  if (override != NULL)
    return override;
  if (agent != NULL && agent->model != NULL)
    return agent->model;
  if (fore_settings_is_set (context->settings, "agents.model"))
    return fore_settings_get_string (context->settings, "agents.model");

  return NULL;
}

/* The models to try after the first: of the step, else of the role, the person, the agent. */
static const char *const *
list_fallbacks (ForeRunContext *context, const ForeTask *task)
{
  const ForeWorkflowStep *step = fore_run_context_get_step (context, task);
  const ForeTeamRole *role = fore_team_get_role (context->team, task->role);
  const ForeAgentDef *agent = fore_run_context_get_agent (context, task);
  g_autofree char *name = NULL;

  if (step != NULL && step->fallback != NULL)
    return (const char *const *) step->fallback;
  if (role != NULL && role->fallback != NULL)
    return (const char *const *) role->fallback;

  name = g_strdup_printf ("agents.overrides.%s.fallback", task->agent != NULL ? task->agent : "");
  if (task->agent != NULL && fore_settings_is_set (context->settings, name))
    return fore_settings_get_strv (context->settings, name);
  if (agent != NULL && agent->fallback != NULL)
    return (const char *const *) agent->fallback;

  return fore_settings_get_strv (context->settings, "agents.fallback");
}

/**
 * fore_run_context_get_next_model:
 * @context: a context
 * @task: a task whose model cannot be had
 *
 * Finds the model to try after the one that @task has now.
 *
 * Returns: (transfer none) (nullable): the model, or %NULL if there is no other
 */
const char *
fore_run_context_get_next_model (ForeRunContext *context, const ForeTask *task)
{
  const char *const *models;

  g_return_val_if_fail (context != NULL && task != NULL, NULL);

  models = list_fallbacks (context, task);
  if (models == NULL)
    return NULL;

  for (guint i = 0; models[i] != NULL; i++)
    {
      if (g_strcmp0 (models[i], task->model) == 0)
        return models[i + 1];
    }

  return models[0];
}

/**
 * fore_run_context_bind_task:
 * @context: a context
 * @task: a task whose role is set
 * @options: what the person chose
 *
 * Decides which agent, CLI and model work on @task and whether it may write: by step, then the
 * person's options and overrides, then agent and role. `cli` stays %NULL if nothing fits.
 */
void
fore_run_context_bind_task (ForeRunContext *context, ForeTask *task, const ForeRunOptions *options)
{
  const ForeWorkflowStep *step;
  const ForeTeamRole *role;
  ForeAgentDef *agent;

  g_return_if_fail (context != NULL && task != NULL && options != NULL);

  step = fore_run_context_get_step (context, task);
  role = fore_team_get_role (context->team, task->role);
  if (step != NULL && step->agent != NULL)
    fore_set_str (&task->agent, step->agent);
  else if (role != NULL)
    fore_set_str (&task->agent, role->agent);
  agent = fore_run_context_get_agent (context, task);

  fore_set_str (&task->cli, choose_cli (context, task, step, agent, options));
  fore_set_str (&task->model, choose_model (context, task, step, agent, options));
  if (step != NULL)
    task->writes = !fore_workflow_step_is_read_only (step, agent);
  else
    task->writes = !fore_role_is_read_only_with_agent (task->role, agent);
}
