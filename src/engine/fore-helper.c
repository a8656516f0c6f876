/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Helpers: tasks that the agent of another task asked for. What they are for stands in the step
 * that they came from, `helper:TASK:CALL`.
 */

#include "config.h"

#include "engine/fore-helper.h"

#include <string.h>

#define PREFIX "helper:"

/**
 * fore_helper_dup_step:
 * @asker: key of the task that asks for a helper
 * @call: its call
 *
 * Returns: (transfer full): the step of that helper
 */
char *
fore_helper_dup_step (const char *asker, const char *call)
{
  g_return_val_if_fail (asker != NULL && call != NULL, NULL);

  return g_strconcat (PREFIX, asker, ":", call, NULL);
}

/**
 * fore_helper_is_one:
 * @task: a task
 *
 * Returns: whether another task asked for @task
 */
gboolean
fore_helper_is_one (const ForeTask *task)
{
  g_return_val_if_fail (task != NULL, FALSE);

  return task->step != NULL && g_str_has_prefix (task->step, PREFIX);
}

/**
 * fore_helper_dup_asker:
 * @task: a task
 *
 * Returns: (transfer full) (nullable): key of the task that asked for @task
 */
char *
fore_helper_dup_asker (const ForeTask *task)
{
  const char *key;

  if (!fore_helper_is_one (task))
    return NULL;

  key = task->step + strlen (PREFIX);
  return g_strndup (key, strcspn (key, ":"));
}

/**
 * fore_helper_is_of:
 * @task: a task
 * @asker: key of a task
 * @call: (nullable): one call of it, or %NULL for any
 *
 * Returns: whether @asker asked for @task, with @call
 */
gboolean
fore_helper_is_of (const ForeTask *task, const char *asker, const char *call)
{
  g_autofree char *key = NULL;

  g_return_val_if_fail (task != NULL && asker != NULL, FALSE);

  key = fore_helper_dup_asker (task);
  return g_strcmp0 (key, asker) == 0
         && (call == NULL
             || g_str_equal (task->step + strlen (PREFIX) + strlen (asker) + strlen (":"), call));
}

/**
 * fore_helper_is_waited_for:
 * @state: the state
 * @asker: a task
 *
 * Returns: whether a helper that @asker asked for is at work, or will be
 */
gboolean
fore_helper_is_waited_for (ForeRunState *state, const ForeTask *asker)
{
  GPtrArray *tasks;

  g_return_val_if_fail (FORE_IS_RUN_STATE (state) && asker != NULL, FALSE);

  tasks = fore_run_state_get_tasks (state);
  for (guint i = 0; i < tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (tasks, i);

      if (fore_helper_is_of (task, asker->key, NULL)
          && fore_task_status_get_class (task->status) != FORE_CLASS_FINISHED)
        return TRUE;
    }

  return FALSE;
}

/**
 * fore_helper_was_needless:
 * @state: the state
 * @task: a task that did not complete
 *
 * Returns: whether only another task wanted @task, and came to its end without it
 */
gboolean
fore_helper_was_needless (ForeRunState *state, const ForeTask *task)
{
  g_autofree char *key = NULL;
  const ForeTask *asker;

  g_return_val_if_fail (FORE_IS_RUN_STATE (state) && task != NULL, FALSE);

  key = fore_helper_dup_asker (task);
  asker = key != NULL ? fore_run_state_find_task (state, key) : NULL;

  return asker != NULL
         && (asker->status == FORE_TASK_COMPLETED || fore_helper_was_needless (state, asker));
}

/* A script asks for all tasks of its run; what these ask for are helpers. */
static gboolean
is_of_script (ForeRunState *state, const ForeTask *task)
{
  g_autofree char *key = fore_helper_dup_asker (task);
  const ForeTask *asker = key != NULL ? fore_run_state_find_task (state, key) : NULL;

  return asker != NULL && fore_task_is_script (asker);
}

/**
 * fore_helper_count:
 * @state: the state
 *
 * Returns: how many helpers of agents the run had so far
 */
guint
fore_helper_count (ForeRunState *state)
{
  GPtrArray *tasks;
  guint n = 0;

  g_return_val_if_fail (FORE_IS_RUN_STATE (state), 0);

  tasks = fore_run_state_get_tasks (state);
  for (guint i = 0; i < tasks->len; i++)
    n += fore_helper_is_one (g_ptr_array_index (tasks, i))
         && !is_of_script (state, g_ptr_array_index (tasks, i));

  return n;
}

/**
 * fore_helper_measure_depth:
 * @state: the state
 * @task: a task
 *
 * Returns: 0 for one that no agent asked for, 1 for its helpers, 2 for theirs
 */
guint
fore_helper_measure_depth (ForeRunState *state, const ForeTask *task)
{
  guint depth = 0;

  g_return_val_if_fail (FORE_IS_RUN_STATE (state), 0);

  while (task != NULL && fore_helper_is_one (task) && !is_of_script (state, task))
    {
      g_autofree char *key = fore_helper_dup_asker (task);

      depth++;
      task = fore_run_state_find_task (state, key);
    }

  return depth;
}
