/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-pre-step.h"

#include "agents/fore-adapter.h"
#include "engine/fore-check-hold.h"
#include "engine/fore-hand-off.h"
#include "engine/fore-quarantines.h"
#include "model/fore-error.h"
#include "platform/fore-files.h"
#include "platform/fore-program.h"
#include "text/fore-prune.h"
#include "text/fore-text.h"

#include <glib/gi18n-lib.h>

#define SAID_CHARS 300

/**
 * fore_pre_step_dup_dir:
 * @project: folder of the project
 * @workflow: what is carried out in it
 *
 * Returns: (transfer full) (nullable): where the scripts of @workflow lie, or %NULL if the project
 *   brought it
 */
char *
fore_pre_step_dup_dir (const char *project, const ForeWorkflow *workflow)
{
  g_autofree char *path = NULL;
  g_autofree char *real = NULL;

  g_return_val_if_fail (project != NULL && workflow != NULL, NULL);

  if (workflow->source.path == NULL || fore_library_layer_is_project (workflow->source.layer))
    return NULL;

  path = fore_path_dup_real (workflow->source.path);
  real = fore_path_dup_real (project);
  if (path == NULL || real == NULL || fore_path_is_inside (path, real))
    return NULL;

  return g_path_get_dirname (path);
}

/**
 * fore_pre_step_is_wanted:
 * @context: a context
 * @task: a task of the run
 *
 * Returns: whether a script is to run before the agent of @task
 */
gboolean
fore_pre_step_is_wanted (ForeRunContext *context, const ForeTask *task)
{
  const ForeWorkflowStep *step;

  g_return_val_if_fail (context != NULL && task != NULL, FALSE);

  step = fore_run_context_get_step (context, task);

  return step != NULL && step->pre_script != NULL;
}

/* Scripts are the person's own business: they lie beside a workflow that is theirs, or in their
 * folder; nothing that a repository brings is run.
 */
static char *
find_script (ForeRunContext *context, const ForeWorkflowStep *step, GError **error)
{
  g_autofree char *user_dir = fore_library_dup_user_dir ();
  g_autofree char *scripts = g_build_filename (user_dir, "scripts", NULL);
  char *path = NULL;

  if (context->workflow_dir != NULL)
    path = fore_hand_off_find (context->workflow_dir, step->pre_script);
  if (path == NULL)
    path = fore_hand_off_find (scripts, step->pre_script);

  if (path == NULL && context->workflow_dir == NULL)
    g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                 _ ("A project may not bring scripts: put “%s”, which the step “%s” wants, into %s "
                    "yourself."),
                 step->pre_script, step->id, scripts);
  else if (path == NULL)
    g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                 _ ("The script “%s” of the step “%s” is neither beside a workflow of your own nor "
                    "in %s; put it there."),
                 step->pre_script, step->id, scripts);
  else if (!g_file_test (path, G_FILE_TEST_IS_EXECUTABLE))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
                   _ ("The script %s cannot be run; make it executable with chmod +x."), path);
      g_clear_pointer (&path, g_free);
    }

  return path;
}

/**
 * fore_pre_step_check:
 * @context: what a run is going to be carried out with
 * @step: a step of its workflow
 * @error: return location for an error
 *
 * Looks for the script of a step before the run starts. Blocks on the disk.
 *
 * Returns: %FALSE if @step cannot do without a script that cannot be run
 */
gboolean
fore_pre_step_check (ForeRunContext *context, const ForeWorkflowStep *step, GError **error)
{
  g_autofree char *path = NULL;

  g_return_val_if_fail (context != NULL && step != NULL, FALSE);

  if (step->pre_script == NULL || step->pre_optional)
    return TRUE;

  path = find_script (context, step, error);

  return path != NULL;
}

static GStrv
make_argv (const char *path, const ForeWorkflowStep *step)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  g_strv_builder_add (builder, path);
  if (step->pre_args != NULL)
    g_strv_builder_addv (builder, (const char **) step->pre_args);

  return g_strv_builder_end (builder);
}

static char *
dup_output (ForeRunContext *context, const ForeProgram *program)
{
  gsize length = 0;
  const char *data = program->output != NULL ? g_bytes_get_data (program->output, &length) : NULL;
  g_autofree char *text = g_utf8_make_valid (data != NULL ? data : "", (gssize) length);
  g_autofree char *clean = fore_redactor_apply (context->redactor, text);

  return fore_prune_text (
      clean, (gsize) fore_settings_get_size (context->settings, "prompts.dependency_bytes"), NULL);
}

static gboolean
run (ForeRunContext *context,
     const ForeWorkflowStep *step,
     ForeProgram *program,
     char **output,
     GError **error)
{
  if (!fore_program_run (program, error))
    {
      g_prefix_error (error, _ ("The script “%s” of the step “%s” did not end well: "),
                      step->pre_script, step->id);
      return FALSE;
    }
  if (program->exit_code != 0)
    {
      g_autofree char *said = fore_text_shorten (program->errors ?: "", SAID_CHARS);

      g_set_error (error, FORE_ERROR, FORE_ERROR_FAILED,
                   _ ("The script “%s” of the step “%s” ended with %d: %s"), step->pre_script,
                   step->id, program->exit_code, said);
      fore_check_explain (program->argv, program->errors, error);
      return FALSE;
    }

  *output = dup_output (context, program);
  return TRUE;
}

/**
 * fore_pre_step_run:
 * @context: what the run is carried out with
 * @run_id: the run
 * @task: a task that fore_pre_step_is_wanted() for
 * @attempt: number of the attempt
 * @tree: folder that the agent is going to work in
 * @output: (out) (nullable): what it printed, for the prompt
 * @error: return location for an error
 *
 * Runs the script of a step in the tree, without a shell, within the step's time. Blocks: for a
 * thread of its own.
 *
 * Returns: whether the agent can start; one whose script may fail can always
 */
gboolean
fore_pre_step_run (ForeRunContext *context,
                   const char *run_id,
                   const ForeTask *task,
                   guint attempt,
                   const char *tree,
                   char **output,
                   GError **error)
{
  const ForeAdapter *adapter = fore_adapter_lookup ("command");
  const ForeWorkflowStep *step;
  g_autoptr (GError) problem = NULL;
  g_autofree char *path = NULL;
  gboolean done;
  g_autofree char *folder = NULL;
  g_autofree char *quarantine = NULL;
  g_auto (GStrv) words = NULL;
  g_auto (GStrv) argv = NULL;
  g_auto (GStrv) env = NULL;
  g_auto (ForeProgram) program = { 0 };
  ForeSandboxPlan plan = { 0 };

  g_return_val_if_fail (context != NULL && task != NULL && tree != NULL && output != NULL, FALSE);

  *output = NULL;
  plan.context = context;
  plan.task = task;
  plan.tree = tree;
  plan.git_dir = task->gitdir;
  step = fore_run_context_get_step (context, task);
  path = find_script (context, step, error);
  if (path == NULL)
    return FALSE;

  words = make_argv (path, step);
  folder = g_path_get_dirname (path);
  quarantine = fore_quarantines_dup_path (context->home, run_id, task->key, attempt);
  plan.readable = folder;
  plan.quarantine = quarantine;
  argv = fore_check_hold (&plan, (const char *const *) words, error);
  if (argv == NULL)
    return FALSE;

  env = fore_adapter_build_environ (adapter, NULL, run_id, task->key, attempt, NULL);
  program.argv = (const char *const *) argv;
  program.envp = (const char *const *) env;
  program.dir = tree;
  program.timeout_ms = (guint) MIN (step->pre_timeout, G_MAXINT);
  done = run (context, step, &program, output, &problem);
  if (!fore_check_import (&plan, error))
    return FALSE;
  if (done)
    return TRUE;

  if (!step->pre_optional)
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return FALSE;
    }

  g_message ("%s", problem->message);
  *output = g_strdup (problem->message);
  return TRUE;
}
