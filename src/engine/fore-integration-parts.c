/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-integration-parts.h"

#include "model/fore-task.h"

static gboolean
has_work (const ForeTask *task)
{
  return task->status == FORE_TASK_COMPLETED && task->commit != NULL && task->base != NULL
         && task->effect == FORE_EFFECT_CHANGED;
}

/* What a task started from says how a conflict before it was settled, even if it did nothing
 * itself; not so where an agent was to settle it and did not.
 */
static gboolean
knows_answers (ForeRepository *repository, const ForeTask *task)
{
  g_autofree char *base = NULL;
  g_auto (GStrv) marked = NULL;

  if (task->base == NULL || task->depends_on == NULL || task->depends_on[0] == NULL
      || task->depends_on[1] == NULL)
    return FALSE;

  base = fore_repository_resolve (repository, task->base, NULL);
  if (base == NULL)
    return FALSE;

  marked = fore_repository_find_marks (repository, base, base, NULL);
  return marked != NULL && marked[0] == NULL;
}

/**
 * fore_integration_parts_list:
 * @repository: the project's repository
 * @tasks: (element-type ForeTask): all tasks, each after those it depends on
 *
 * Lists what the result of a run is put together from. Blocking.
 *
 * Returns: (transfer full) (element-type ForeIntegrateTask): the parts; they borrow from @tasks
 */
GArray *
fore_integration_parts_list (ForeRepository *repository, GPtrArray *tasks)
{
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (ForeIntegrateTask));

  g_return_val_if_fail (FORE_IS_REPOSITORY (repository), NULL);
  g_return_val_if_fail (tasks != NULL, NULL);

  for (guint i = 0; i < tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (tasks, i);
      ForeIntegrateTask part = { task->key, task->title, task->cli, task->base, task->commit };

      if (!has_work (task))
        part.commit = part.base;
      if (has_work (task) || knows_answers (repository, task))
        g_array_append_val (parts, part);
    }

  return g_steal_pointer (&parts);
}
