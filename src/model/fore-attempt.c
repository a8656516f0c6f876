/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "model/fore-attempt.h"

/**
 * fore_attempt_new:
 * @task: key of a task
 * @n: number of the attempt, from 1
 *
 * Returns: (transfer full): an attempt that has not begun
 */
ForeAttempt *
fore_attempt_new (const char *task, guint n)
{
  ForeAttempt *attempt;

  g_return_val_if_fail (task != NULL, NULL);

  attempt = g_new0 (ForeAttempt, 1);
  attempt->task = g_strdup (task);
  attempt->n = n;
  attempt->exit_code = -1;
  attempt->usage = FORE_USAGE_INIT;

  return attempt;
}

/**
 * fore_attempt_copy:
 * @attempt: an attempt
 *
 * Returns: (transfer full): a deep copy
 */
ForeAttempt *
fore_attempt_copy (const ForeAttempt *attempt)
{
  ForeAttempt *copy;

  g_return_val_if_fail (attempt != NULL, NULL);

  copy = g_memdup2 (attempt, sizeof *attempt);
  copy->task = g_strdup (attempt->task);
  copy->cli = g_strdup (attempt->cli);
  copy->model = g_strdup (attempt->model);
  copy->session = g_strdup (attempt->session);
  copy->boot_id = g_strdup (attempt->boot_id);
  copy->message = g_strdup (attempt->message);
  copy->cwd = g_strdup (attempt->cwd);
  copy->result = g_strdup (attempt->result);
  copy->base = g_strdup (attempt->base);
  copy->commit = g_strdup (attempt->commit);
  copy->argv = g_strdupv (attempt->argv);
  copy->env_names = g_strdupv (attempt->env_names);

  return copy;
}

/**
 * fore_attempt_free:
 * @attempt: (nullable): an attempt
 */
void
fore_attempt_free (ForeAttempt *attempt)
{
  if (attempt == NULL)
    return;

  g_free (attempt->task);
  g_free (attempt->cli);
  g_free (attempt->model);
  g_free (attempt->session);
  g_free (attempt->boot_id);
  g_free (attempt->message);
  g_free (attempt->cwd);
  g_free (attempt->result);
  g_free (attempt->base);
  g_free (attempt->commit);
  g_strfreev (attempt->argv);
  g_strfreev (attempt->env_names);
  g_free (attempt);
}
