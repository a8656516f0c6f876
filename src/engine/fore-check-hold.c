/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Programs that Foredeck starts in a tree beside agents: checks, and scripts before a step. What
 * they carry out was written by agents, so they are held to what an agent that writes is held to.
 */

#include "config.h"

#include "engine/fore-check-hold.h"

#include "engine/fore-sandbox-hint.h"
#include "git/fore-quarantine.h"
#include "model/fore-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static char *
find_program (const char *word, const char *tree, GError **error)
{
  char *program = strchr (word, '/') == NULL ? g_find_program_in_path (word)
                                             : g_canonicalize_filename (word, tree);

  if (program == NULL)
    g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND, _ ("The program “%s” was not found."),
                 word);

  return program;
}

/**
 * fore_check_hold:
 * @plan: what is to be held; of its task only key and branch count, its adapter not at all
 * @argv: a command line; its program is looked for in the tree or on the path
 * @error: return location for an error
 *
 * Puts a command line into a sandbox where `checks.sandbox` and `sandbox.mode` say so. Blocking.
 *
 * Returns: (transfer full) (nullable): what to start
 */
GStrv
fore_check_hold (const ForeSandboxPlan *plan, const char *const *argv, GError **error)
{
  g_autofree char *program = NULL;
  g_autofree char *problem = NULL;
  g_autoptr (ForeTask) task = NULL;
  g_auto (GStrv) held = NULL;
  ForeSandboxPlan own;

  g_return_val_if_fail (plan != NULL && argv != NULL && argv[0] != NULL, NULL);

  program = find_program (argv[0], plan->tree, error);
  if (program == NULL)
    return NULL;

  held = g_strdupv ((char **) argv);
  g_free (held[0]);
  held[0] = g_steal_pointer (&program);
  if (!fore_settings_get_bool (plan->context->settings, "checks.sandbox"))
    return g_steal_pointer (&held);

  task = fore_task_new (plan->task->key);
  task->writes = TRUE;
  task->branch = g_strdup (plan->task->branch);
  own = *plan;
  own.task = task;
  own.adapter = fore_adapter_lookup ("command");

  return fore_attempt_sandbox_wrap (&own, &held, &problem, error) ? g_steal_pointer (&held) : NULL;
}

/**
 * fore_check_import:
 * @plan: what fore_check_hold() was called with; the program has ended
 * @error: return location for an error
 *
 * Brings what it committed to the repository. Blocking.
 *
 * Returns: whether nothing is left
 */
gboolean
fore_check_import (const ForeSandboxPlan *plan, GError **error)
{
  g_return_val_if_fail (plan != NULL, FALSE);

  return plan->quarantine == NULL || fore_quarantine_import (plan->quarantine, error);
}

/**
 * fore_check_explain:
 * @argv: what fore_check_hold() made
 * @output: (nullable): what it printed before it failed
 * @error: (inout): why it failed; where the sandbox was probably in the way, that is added
 */
void
fore_check_explain (const char *const *argv, const char *output, GError **error)
{
  g_autofree char *message = NULL;

  g_return_if_fail (argv != NULL);

  if (error == NULL || *error == NULL || output == NULL || !fore_sandbox_is_one (argv)
      || !fore_sandbox_hint_is_refusal (output, strlen (output)))
    return;

  message = g_steal_pointer (&(*error)->message);
  (*error)->message = g_strdup_printf ("%s (%s)", message, fore_sandbox_hint_get_of_checks ());
}
