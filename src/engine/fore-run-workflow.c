/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A run keeps the file of the workflow, or the script, that it was made of. */

#include "config.h"

#include "engine/fore-run-workflow.h"

#include "library/fore-chain.h"
#include "platform/fore-dirs.h"

#define WORKFLOW_COPY "workflow.md"

/**
 * fore_run_workflow_save:
 * @home: home of the store
 * @run_id: a run that is about to be made, and has its folders
 * @workflow: its workflow
 * @error: return location for an error
 *
 * Blocking.
 *
 * Returns: whether the workflow has no file, or that was copied
 */
gboolean
fore_run_workflow_save (const char *home,
                        const char *run_id,
                        const ForeWorkflow *workflow,
                        GError **error)
{
  g_autofree char *copy = NULL;
  g_autofree char *content = NULL;
  gsize length;

  g_return_val_if_fail (home != NULL && run_id != NULL && workflow != NULL, FALSE);

  if (workflow->source.path == NULL)
    return TRUE;

  copy = fore_dirs_dup_run_subdir (
      home, run_id, fore_workflow_is_script (workflow) ? FORE_RUN_WORKFLOW_SCRIPT : WORKFLOW_COPY);

  return g_file_get_contents (workflow->source.path, &content, &length, error)
         && g_file_set_contents_full (copy, content, (gssize) length,
                                      G_FILE_SET_CONTENTS_CONSISTENT, 0600, error);
}

/* Where the copy of the run's workflow is, if it has one. */
static char *
dup_copy_path (ForeRunContext *context)
{
  static const char *const names[] = { WORKFLOW_COPY, FORE_RUN_WORKFLOW_SCRIPT };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *copy = g_build_filename (context->run_dir, names[i], NULL);

      if (g_file_test (copy, G_FILE_TEST_EXISTS))
        return g_steal_pointer (&copy);
    }

  return NULL;
}

/**
 * fore_run_workflow_load:
 * @context: a context that has its library
 * @run: its run
 * @chain: (nullable): the chain that the run was made of
 * @error: return location for an error
 *
 * Blocking.
 *
 * Returns: (transfer full): the run's workflow as it was when the run was made, or %NULL
 */
ForeWorkflow *
fore_run_workflow_load (ForeRunContext *context,
                        const ForeRun *run,
                        const char *chain,
                        GError **error)
{
  g_autofree char *copy = dup_copy_path (context);

  if (copy != NULL)
    {
      g_autoptr (GPtrArray) diagnostics = fore_diagnostics_new ();
      ForeWorkflow *workflow = fore_library_load_workflow_file (copy, diagnostics, error);

      if (workflow != NULL)
        fore_workflow_forget_plain_steps (workflow);

      return workflow;
    }

  if (chain != NULL)
    return fore_chain_reload (chain, context->library);

  return fore_workflow_new (run->workflow != NULL ? run->workflow : "direct-agent");
}
