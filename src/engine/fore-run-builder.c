/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-run-builder.h"

#include "agents/fore-adapter.h"
#include "engine/fore-attempt-sandbox.h"
#include "engine/fore-goal-turn.h"
#include "engine/fore-plan-file.h"
#include "engine/fore-run-context.h"
#include "git/fore-repository.h"
#include "library/fore-chain.h"
#include "library/fore-workflow-check.h"
#include "model/fore-error.h"
#include "model/fore-id.h"
#include "model/fore-nearest.h"
#include "platform/fore-compat-glib.h"
#include "platform/fore-files.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#define GOAL_MAX (1024 * 1024)

typedef gpointer (*ForeLibraryFind) (ForeLibrary *library, const char *name);

typedef struct
{
  ForeStore *store;
  const ForeRunSpec *spec;
  ForeRunContext *context;
  ForeRunPreview *preview;
  GPtrArray *diagnostics; /* of the settings and the workflow */
} Builder;

static gboolean
is_blank (const char *text)
{
  while (text != NULL && g_ascii_isspace (*text))
    text++;

  return text == NULL || *text == '\0';
}

static gboolean
check_spec (const ForeRunSpec *spec, GError **error)
{
  if (is_blank (spec->goal))
    {
      g_set_error_literal (error, FORE_ERROR, FORE_ERROR_USAGE,
                           _ ("A run needs a goal; say in a sentence what is to be done."));
      return FALSE;
    }
  if (strlen (spec->goal) > GOAL_MAX || !g_utf8_validate (spec->goal, -1, NULL))
    {
      g_set_error_literal (error, FORE_ERROR, FORE_ERROR_LIMIT,
                           _ ("The goal has to be UTF-8 text of at most 1 MiB; put long material "
                              "into a file of the project."));
      return FALSE;
    }
  if (spec->project == NULL || !g_file_test (spec->project, G_FILE_TEST_IS_DIR))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                   _ ("“%s” is not a folder; name the project's folder with --project."),
                   spec->project != NULL ? spec->project : "");
      return FALSE;
    }

  return TRUE;
}

static char *
canonical (const char *path)
{
  g_autofree char *real = fore_path_dup_real (path);

  return fore_repository_dup_top (real != NULL ? real : path);
}

static gboolean
load_context (Builder *builder, GError **error)
{
  ForeRunContext *context = g_new0 (ForeRunContext, 1);
  g_autofree char *user_dir = fore_library_dup_user_dir ();

  builder->context = context;
  context->home = g_strdup (fore_store_get_home (builder->store));
  context->project = canonical (builder->spec->project);
  context->settings = fore_run_context_load_settings (
      builder->store, context->project, builder->spec->args, builder->diagnostics, error);
  /* A limit or a check that is written wrongly is not one that nobody wanted. */
  if (context->settings == NULL || !fore_diagnostics_check (builder->diagnostics, error))
    return FALSE;

  context->library = fore_library_load (
      user_dir, context->project, fore_store_is_trusted (builder->store, context->project), error);

  return context->library != NULL;
}

/* Sets an error if an object is only missing because its project is not trusted. */
static gboolean
is_untrusted (Builder *builder, ForeLibraryFind find, const char *name, GError **error)
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
find_workflow (Builder *builder, const char *name, GError **error)
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
load_workflow_file (Builder *builder, const char *path, GError **error)
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
choose_direct (Builder *builder, GError **error)
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
check_workflow (Builder *builder, GError **error)
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
check_names (Builder *builder, GError **error)
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
choose_chain (Builder *builder, GError **error)
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
choose_crew (Builder *builder, GError **error)
{
  const ForeRunSpec *spec = builder->spec;
  const char *workflow = get_workflow_name (spec);
  ForeRunContext *context = builder->context;

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

static void
add_warning (Builder *builder, char *text)
{
  g_ptr_array_add (builder->preview->warnings, text);
}

static void
add_diagnostics (Builder *builder)
{
  for (guint i = 0; i < builder->diagnostics->len; i++)
    {
      const ForeDiagnostic *diagnostic = builder->diagnostics->pdata[i];

      if (diagnostic->severity == FORE_DIAGNOSTIC_WARNING)
        add_warning (builder, fore_diagnostic_dup_text (diagnostic));
    }

  if (fore_library_leaves_project_out (builder->context->library))
    add_warning (builder,
                 g_strdup_printf (_ ("This project is not trusted yet; its settings, checks "
                                     "and crew are not used until you say: foredeckctl "
                                     "trust %s"),
                                  builder->context->project));
}

static void
add_checks (Builder *builder, ForeTask *task, const ForeWorkflowStep *step)
{
  GPtrArray *commands;

  for (guint i = 0; i < step->checks->len; i++)
    g_ptr_array_add (task->checks, fore_check_new (g_ptr_array_index (step->checks, i)));

  if (!step->verify || step->checks->len > 0)
    return;

  commands = fore_settings_get_commands (builder->context->settings, "checks.commands");
  for (guint i = 0; commands != NULL && i < commands->len; i++)
    g_ptr_array_add (task->checks, fore_check_new (g_ptr_array_index (commands, i)));
}

/* As the scheduler will find it, which then has nothing to write about thousands of tasks. */
static void
say_what_it_waits_for (ForeTask *task)
{
  g_autofree char *names = NULL;

  if (task->depends_on == NULL || task->depends_on[0] == NULL)
    return;

  names = g_strjoinv (", ", task->depends_on);
  task->phase = FORE_PHASE_DEPENDENCIES;
  task->waits_for = g_strdup_printf (_ ("waits for %s"), names);
}

static ForeTask *
make_task (Builder *builder, const ForeWorkflowStep *step)
{
  ForeTask *task = fore_task_new (step->id);

  task->step = g_strdup (step->id);
  task->title = g_strdup (fore_workflow_step_get_title (step));
  task->role = g_strdup (step->role);
  task->text = fore_workflow_step_dup_task (step, builder->spec->goal);
  task->command = g_strdupv (step->command);
  task->depends_on = g_strdupv (step->depends_on);
  task->paths = g_strdupv (step->paths);
  task->adaptive = step->adaptive;
  task->live = step->live;
  task->retries = step->retries;
  task->position = builder->preview->tasks->len;
  say_what_it_waits_for (task);
  add_checks (builder, task, step);
  fore_run_context_bind_task (builder->context, task, &builder->spec->options);

  return task;
}

static gboolean
check_cli (const ForeTask *task, GError **error)
{
  const ForeAdapter *const *adapters = fore_adapter_list ();
  const char *names[32] = { NULL };
  const char *nearest;

  if (task->cli == NULL)
    {
      g_set_error_literal (
          error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
          _ ("No agent CLI was found on this machine; install one (pi or claude), or "
             "try “foredeckctl demo”, which needs none."));
      return FALSE;
    }
  if (fore_adapter_lookup (task->cli) != NULL)
    return TRUE;

  for (guint i = 0; adapters[i] != NULL && i < G_N_ELEMENTS (names) - 1; i++)
    names[i] = adapters[i]->name;
  nearest = fore_nearest_word (task->cli, names);
  g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
               nearest != NULL ? _ ("There is no agent CLI “%s”; did you mean “%s”?")
                               : _ ("There is no agent CLI “%s”.%s"),
               task->cli, nearest != NULL ? nearest : "");

  return FALSE;
}

static gboolean
make_tasks (Builder *builder, GError **error)
{
  ForeWorkflow *workflow = builder->context->workflow;

  if (workflow->steps->len == 0)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_INVALID,
                   _ ("The workflow “%s” has no steps; add one under a “## id” heading."),
                   workflow->name);
      return FALSE;
    }

  for (guint i = 0; i < workflow->steps->len; i++)
    {
      ForeTask *task = make_task (builder, g_ptr_array_index (workflow->steps, i));

      g_ptr_array_add (builder->preview->tasks, task);
      if (!check_cli (task, error))
        return FALSE;
      builder->preview->adaptive |= task->adaptive;
    }

  return !builder->spec->goal_loop
         || fore_goal_turn_begin (builder->context, builder->preview->tasks, builder->spec, error);
}

static gboolean
writes_anything (const ForeRunPreview *preview)
{
  for (guint i = 0; i < preview->tasks->len; i++)
    {
      if (((ForeTask *) g_ptr_array_index (preview->tasks, i))->writes)
        return TRUE;
    }

  return preview->adaptive;
}

static void
add_dirty_warning (Builder *builder, guint n_files)
{
  add_warning (
      builder,
      g_strdup_printf (
          g_dngettext (GETTEXT_PACKAGE,
                       "The project has local changes that the run will not see (%u file); "
                       "commit them first if they belong to the goal.",
                       "The project has local changes that the run will not see (%u files); "
                       "commit them first if they belong to the goal.",
                       n_files),
          n_files));
}

/* Where the run starts from; without a repository only where nothing needs trees of its own. */
static gboolean
look_at_repository (Builder *builder, GError **error)
{
  ForeRun *run = builder->preview->run;
  g_autoptr (ForeRepository) repository = NULL;
  g_autoptr (ForeRepositoryState) state = NULL;
  g_autoptr (ForeIdentity) identity = NULL;
  g_autoptr (GError) problem = NULL;
  gboolean needed = run->options.isolation == FORE_ISOLATION_WORKTREES
                    && writes_anything (builder->preview);

  repository = fore_repository_open (run->project, &problem);
  if (repository != NULL)
    state = fore_repository_read_state (repository, 5, &problem);
  if (state == NULL || state->unborn)
    {
      run->options.isolation = FORE_ISOLATION_NONE;
      if (!needed)
        return TRUE;
      if (state != NULL)
        g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED,
                     _ ("“%s” has no commit yet; make a first commit, then start the run."),
                     run->project);
      else if (g_error_matches (problem, FORE_ERROR, FORE_ERROR_NOT_FOUND))
        g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED,
                     _ ("“%s” is not a git repository; make it one with “git init”, or use "
                        "--isolation none to let agents write to the folder itself."),
                     run->project);
      else
        g_propagate_error (error, g_steal_pointer (&problem));
      return FALSE;
    }

  run->base_branch = g_strdup (state->branch);
  run->base_commit = g_strdup (state->commit);
  if (run->options.isolation == FORE_ISOLATION_WORKTREES && !run->options.snapshot
      && fore_repository_state_is_dirty (state))
    add_dirty_warning (builder, state->n_modified + state->n_untracked);

  /* Better now than after an agent has worked for something that nobody can commit. */
  if (needed)
    identity = fore_repository_read_identity (repository, error);

  return !needed || identity != NULL;
}

static void
apply_settings (Builder *builder)
{
  ForeSettings *settings = builder->context->settings;
  ForeRunOptions *options = &builder->preview->run->options;

  if (options->budget_cost < 0 && fore_settings_is_set (settings, "budget.cost"))
    options->budget_cost = (gint64) (fore_settings_get_double (settings, "budget.cost") * 1e6);
  else if (options->budget_cost < 0)
    options->budget_cost = (gint64) (fore_settings_get_double (settings, "limits.run_cost") * 1e6);
  if (options->budget_tokens < 0 && fore_settings_is_set (settings, "budget.tokens"))
    options->budget_tokens = fore_settings_get_int (settings, "budget.tokens");
}

static void
add_sandbox_warning (Builder *builder)
{
  g_autofree char *problem = fore_attempt_sandbox_dup_problem (builder->context->settings);

  if (problem != NULL)
    g_ptr_array_add (builder->preview->warnings,
                     g_strdup_printf (_ ("Agents are not held in a sandbox: %s"), problem));
}

static gboolean
build (Builder *builder, GError **error)
{
  ForeRun *run = builder->preview->run;

  if (!check_spec (builder->spec, error) || !load_context (builder, error)
      || !choose_crew (builder, error))
    return FALSE;

  run->project = g_strdup (builder->context->project);
  fore_run_set_goal (run, builder->spec->goal);
  run->team = g_strdup (builder->context->team->name);
  run->workflow = g_strdup (builder->context->workflow->name);
  fore_run_options_clear (&run->options);
  fore_run_options_copy (&run->options, &builder->spec->options);
  apply_settings (builder);
  /* What stands behind a task of a turn is the whole rest of the loop. */
  if (builder->spec->goal_loop && run->options.on_failure == FORE_POLICY_CONTINUE)
    run->options.on_failure = FORE_POLICY_ASK;

  add_diagnostics (builder);
  add_sandbox_warning (builder);
  if (!make_tasks (builder, error)
      || !fore_plan_file_take (builder->context, builder->spec, builder->preview, error)
      || !look_at_repository (builder, error))
    return FALSE;

  run->n_tasks = builder->preview->tasks->len;
  run->counts[FORE_TASK_QUEUED] = run->n_tasks;
  builder->preview->gated = run->options.approval == FORE_APPROVAL_ASK
                            && writes_anything (builder->preview);

  return TRUE;
}

/**
 * fore_run_builder_build:
 * @store: the store
 * @spec: what is asked for
 * @workflow: (out) (optional) (nullable) (transfer full): the workflow
 * @error: return location for an error
 *
 * Resolves everything that a run is made of: crew, tasks, agents, models, base. Blocking. Errors
 * say what of @spec does not fit.
 *
 * Returns: (transfer full): the run and its tasks, or %NULL
 */
ForeRunPreview *
fore_run_builder_build (ForeStore *store,
                        const ForeRunSpec *spec,
                        ForeWorkflow **workflow,
                        GError **error)
{
  Builder builder = { store, spec, NULL, NULL, NULL };
  gboolean built;

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);
  g_return_val_if_fail (spec != NULL, NULL);

  builder.diagnostics = fore_diagnostics_new ();
  builder.preview = g_new0 (ForeRunPreview, 1);
  builder.preview->run = fore_run_new (NULL);
  builder.preview->tasks = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_task_free);
  builder.preview->warnings = g_ptr_array_new_with_free_func (g_free);

  built = build (&builder, error);
  if (built && workflow != NULL)
    *workflow = fore_workflow_ref (builder.context->workflow);
  fore_run_context_free (builder.context);
  g_ptr_array_unref (builder.diagnostics);
  if (!built)
    g_clear_pointer (&builder.preview, fore_run_preview_free);

  return builder.preview;
}
