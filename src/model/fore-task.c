/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "model/fore-task.h"

#include <string.h>

/**
 * fore_change_new:
 * @path: path relative to the tree
 * @status: A, M, D, R or T
 * @insertions: lines added, or -1
 * @deletions: lines removed, or -1
 *
 * Returns: (transfer full): a change
 */
ForeChange *
fore_change_new (const char *path, char status, int insertions, int deletions)
{
  ForeChange *change;

  g_return_val_if_fail (path != NULL, NULL);

  change = g_new0 (ForeChange, 1);
  change->path = g_strdup (path);
  change->status = status;
  change->insertions = insertions;
  change->deletions = deletions;

  return change;
}

/**
 * fore_change_copy:
 * @change: a change
 *
 * Returns: (transfer full): a deep copy
 */
ForeChange *
fore_change_copy (const ForeChange *change)
{
  ForeChange *copy;

  g_return_val_if_fail (change != NULL, NULL);

  copy = g_memdup2 (change, sizeof *change);
  copy->path = g_strdup (change->path);
  copy->old_path = g_strdup (change->old_path);

  return copy;
}

/**
 * fore_change_free:
 * @change: (nullable): a change
 */
void
fore_change_free (ForeChange *change)
{
  if (change == NULL)
    return;

  g_free (change->path);
  g_free (change->old_path);
  g_free (change);
}

static gpointer
copy_change (gconstpointer change, gpointer user_data)
{
  return fore_change_copy (change);
}

/**
 * fore_changes_copy:
 * @changes: (nullable) (element-type ForeChange): changes
 *
 * Returns: (transfer full) (element-type ForeChange): a deep copy, empty for %NULL
 */
GPtrArray *
fore_changes_copy (GPtrArray *changes)
{
  if (changes == NULL)
    return g_ptr_array_new_with_free_func ((GDestroyNotify) fore_change_free);

  return g_ptr_array_copy (changes, (GCopyFunc) copy_change, NULL);
}

/**
 * fore_task_new:
 * @key: its key
 *
 * Returns: (transfer full): a queued task without dependencies
 */
ForeTask *
fore_task_new (const char *key)
{
  ForeTask *task;

  g_return_val_if_fail (key != NULL, NULL);

  task = g_new0 (ForeTask, 1);
  task->key = g_strdup (key);
  task->checks = fore_checks_copy (NULL);
  task->files = fore_changes_copy (NULL);
  task->retries = -1;
  task->usage = FORE_USAGE_INIT;

  return task;
}

/**
 * fore_task_copy:
 * @task: a task
 *
 * Returns: (transfer full): a deep copy
 */
ForeTask *
fore_task_copy (const ForeTask *task)
{
  ForeTask *copy;

  g_return_val_if_fail (task != NULL, NULL);

  copy = g_memdup2 (task, sizeof *task);
  copy->key = g_strdup (task->key);
  copy->title = g_strdup (task->title);
  copy->role = g_strdup (task->role);
  copy->agent = g_strdup (task->agent);
  copy->cli = g_strdup (task->cli);
  copy->model = g_strdup (task->model);
  copy->step = g_strdup (task->step);
  copy->text = g_strdup (task->text);
  copy->waits_for = g_strdup (task->waits_for);
  copy->mark = g_strdup (task->mark);
  copy->result = g_strdup (task->result);
  copy->message = g_strdup (task->message);
  copy->branch = g_strdup (task->branch);
  copy->worktree = g_strdup (task->worktree);
  copy->gitdir = g_strdup (task->gitdir);
  copy->base = g_strdup (task->base);
  copy->commit = g_strdup (task->commit);
  copy->feedback = g_strdup (task->feedback);
  copy->command = g_strdupv (task->command);
  copy->depends_on = g_strdupv (task->depends_on);
  copy->paths = g_strdupv (task->paths);
  copy->checks = fore_checks_copy (task->checks);
  copy->files = fore_changes_copy (task->files);

  return copy;
}

/**
 * fore_task_get_note:
 * @task: a task
 *
 * Returns: (transfer none) (nullable): sentences about what of its work a merge does not bring by
 *   itself; marks that clear themselves are words
 */
const char *
fore_task_get_note (const ForeTask *task)
{
  g_return_val_if_fail (task != NULL, NULL);

  return task->mark != NULL && strchr (task->mark, ' ') != NULL ? task->mark : NULL;
}

/**
 * fore_task_free:
 * @task: (nullable): a task
 */
void
fore_task_free (ForeTask *task)
{
  if (task == NULL)
    return;

  g_free (task->key);
  g_free (task->title);
  g_free (task->role);
  g_free (task->agent);
  g_free (task->cli);
  g_free (task->model);
  g_free (task->step);
  g_free (task->text);
  g_free (task->waits_for);
  g_free (task->mark);
  g_free (task->result);
  g_free (task->message);
  g_free (task->branch);
  g_free (task->worktree);
  g_free (task->gitdir);
  g_free (task->base);
  g_free (task->commit);
  g_free (task->feedback);
  g_strfreev (task->command);
  g_strfreev (task->depends_on);
  g_strfreev (task->paths);
  g_clear_pointer (&task->checks, g_ptr_array_unref);
  g_clear_pointer (&task->files, g_ptr_array_unref);
  g_free (task);
}

/**
 * fore_task_is_script:
 * @task: a task
 *
 * Returns: whether it carries a script out
 */
gboolean
fore_task_is_script (const ForeTask *task)
{
  g_return_val_if_fail (task != NULL, FALSE);

  return g_strcmp0 (task->cli, "script") == 0;
}

/**
 * fore_task_has_agent:
 * @task: a task
 *
 * Returns: whether an agent works on it, which reads and answers; a command does neither, nor does
 *   a script
 */
gboolean
fore_task_has_agent (const ForeTask *task)
{
  g_return_val_if_fail (task != NULL, FALSE);

  return g_strcmp0 (task->cli, "command") != 0 && !fore_task_is_script (task);
}
