/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-run-builder-private.h"

#include "agents/fore-adapter.h"
#include "engine/fore-attempt-sandbox.h"
#include "engine/fore-goal-turn.h"
#include "engine/fore-plan-file.h"
#include "engine/fore-sandbox-settings.h"
#include "engine/fore-trust.h"
#include "git/fore-repository.h"
#include "model/fore-error.h"
#include "model/fore-id.h"
#include "model/fore-nearest.h"
#include "platform/fore-files.h"
#include "text/fore-json.h"
#include "text/fore-plain-line.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#define GOAL_MAX (1024 * 1024)
#define TITLE_CHARS 80

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

static gboolean
check_script_args (const ForeRunSpec *spec, GError **error)
{
  g_autoptr (JsonNode) node = NULL;

  if (spec->script_args == NULL)
    return TRUE;

  node = fore_json_parse (spec->script_args, -1, NULL, error);
  if (node != NULL && !JSON_NODE_HOLDS_OBJECT (node))
    g_set_error_literal (error, FORE_ERROR, FORE_ERROR_USAGE,
                         _ ("What a script is given is a JSON object by name, such as "
                            "{\"parts\": 4}."));

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node);
}

static char *
canonical (const char *path)
{
  g_autofree char *real = fore_path_dup_real (path);

  return fore_repository_dup_top (real != NULL ? real : path);
}

static gboolean
load_context (ForeRunBuilder *builder, GError **error)
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

  context->trusted = fore_store_is_trusted (builder->store, context->project);
  context->library = fore_library_load (user_dir, context->project, context->trusted, error);

  return context->library != NULL;
}

static void
add_warning (ForeRunBuilder *builder, char *text)
{
  g_ptr_array_add (builder->preview->warnings, text);
}

static void
add_diagnostics (ForeRunBuilder *builder)
{
  for (guint i = 0; i < builder->diagnostics->len; i++)
    {
      const ForeDiagnostic *diagnostic = builder->diagnostics->pdata[i];

      if (diagnostic->severity == FORE_DIAGNOSTIC_WARNING)
        add_warning (builder, fore_diagnostic_dup_text (diagnostic));
    }

  if (fore_library_leaves_project_out (builder->context->library))
    add_warning (builder, fore_trust_dup_warning (builder->context->project));
}

static void
add_checks (ForeRunBuilder *builder, ForeTask *task, const ForeWorkflowStep *step)
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
make_task (ForeRunBuilder *builder, const ForeWorkflowStep *step)
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
make_tasks (ForeRunBuilder *builder, GError **error)
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
      builder->preview->adaptive |= task->adaptive || fore_task_is_script (task);
    }

  if (builder->spec->goal_loop && fore_workflow_is_script (workflow))
    {
      g_set_error_literal (error, FORE_ERROR, FORE_ERROR_USAGE,
                           _ ("A script is no turn of a goal loop; let it go round by itself."));
      return FALSE;
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
add_dirty_warning (ForeRunBuilder *builder, guint n_files)
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
look_at_repository (ForeRunBuilder *builder, GError **error)
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
apply_settings (ForeRunBuilder *builder)
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

static gboolean
check_sandbox (ForeRunBuilder *builder, GError **error)
{
  g_autofree char *problem = NULL;

  if (!fore_sandbox_settings_check_mode (error)
      || !fore_sandbox_settings_check (builder->context->settings, builder->context->library,
                                       builder->preview->warnings, error))
    return FALSE;

  problem = fore_attempt_sandbox_dup_problem (builder->context->settings);

  if (problem != NULL)
    g_ptr_array_add (builder->preview->warnings,
                     g_strdup_printf (_ ("Agents are not held in a sandbox: %s"), problem));

  return TRUE;
}

/* A task whose step has a gate is asked about by itself. */
static void
find_gates (ForeRunBuilder *builder)
{
  ForeRunPreview *preview = builder->preview;
  gboolean writes = preview->adaptive;

  for (guint i = 0; i < preview->tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (preview->tasks, i);
      const ForeWorkflowStep *step = fore_run_context_get_step (builder->context, task);

      if (step != NULL && step->gate == FORE_YES)
        g_ptr_array_add (preview->gates, g_strdup (task->key));
      else
        writes |= task->writes;
    }

  preview->gated = writes && preview->run->options.approval == FORE_APPROVAL_ASK;
}

static gboolean
build (ForeRunBuilder *builder, GError **error)
{
  ForeRun *run = builder->preview->run;

  if (!check_spec (builder->spec, error) || !check_script_args (builder->spec, error)
      || !load_context (builder, error) || !fore_run_builder_choose_crew (builder, error))
    return FALSE;

  run->project = g_strdup (builder->context->project);
  fore_run_set_goal (run, builder->spec->goal);
  g_free (run->title);
  run->title = fore_plain_line_dup (builder->spec->goal, TITLE_CHARS);
  run->team = g_strdup (builder->context->team->name);
  run->workflow = g_strdup (builder->context->workflow->name);
  fore_run_options_clear (&run->options);
  fore_run_options_copy (&run->options, &builder->spec->options);
  apply_settings (builder);
  /* What stands behind a task of a turn is the whole rest of the loop. */
  if (builder->spec->goal_loop && run->options.on_failure == FORE_POLICY_CONTINUE)
    run->options.on_failure = FORE_POLICY_ASK;

  add_diagnostics (builder);
  if (!check_sandbox (builder, error) || !fore_run_builder_check_steps (builder, error)
      || !make_tasks (builder, error)
      || !fore_plan_file_take (builder->context, builder->spec, builder->preview, error)
      || !look_at_repository (builder, error))
    return FALSE;

  run->n_tasks = builder->preview->tasks->len;
  run->counts[FORE_TASK_QUEUED] = run->n_tasks;
  find_gates (builder);

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
  ForeRunBuilder builder = { store, spec, NULL, NULL, NULL };
  gboolean built;

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);
  g_return_val_if_fail (spec != NULL, NULL);

  builder.diagnostics = fore_diagnostics_new ();
  builder.preview = g_new0 (ForeRunPreview, 1);
  builder.preview->run = fore_run_new (NULL);
  builder.preview->tasks = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_task_free);
  builder.preview->gates = g_ptr_array_new_with_free_func (g_free);
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
