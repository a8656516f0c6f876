/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-rerun.h"

#include "platform/fore-dirs.h"
#include "platform/fore-exits-reader.h"
#include "platform/fore-process.h"
#include "store/fore-run-reader.h"

#include <glib/gi18n-lib.h>

static const char *const kind_words[FORE_N_RERUN_KINDS] = {
  [FORE_RERUN_FOLLOW] = "follow", [FORE_RERUN_TAKE] = "take", [FORE_RERUN_AGAIN] = "again",
  [FORE_RERUN_START] = "start",   [FORE_RERUN_WAIT] = "wait",
};

/**
 * fore_rerun_free:
 * @rerun: (nullable): what becomes of a task
 */
void
fore_rerun_free (ForeRerun *rerun)
{
  if (rerun == NULL)
    return;

  g_free (rerun->task);
  g_free (rerun->why);
  g_free (rerun);
}

/**
 * fore_rerun_kind_to_string:
 * @kind: what becomes of a task
 *
 * Returns: (transfer none): follow, take, again, start or wait
 */
const char *
fore_rerun_kind_to_string (ForeRerunKind kind)
{
  g_return_val_if_fail (kind < FORE_N_RERUN_KINDS, NULL);

  return kind_words[kind];
}

static const ForeAttempt *
find_attempt (const ForeRunDelta *delta, const ForeTask *task)
{
  for (guint i = 0; i < delta->attempts->len; i++)
    {
      const ForeAttempt *attempt = g_ptr_array_index (delta->attempts, i);

      if (attempt->n == task->attempts && g_strcmp0 (attempt->task, task->key) == 0)
        return attempt;
    }

  return NULL;
}

/* The guard, or an agent without one, is still there. */
static gboolean
is_alive (const char *run_id, const ForeTask *task)
{
  g_autoptr (GArray) found = fore_process_find_marked (run_id, task->key, task->attempts);

  return found->len > 0;
}

static gboolean
has_ended (ForeStore *store, const char *run_id, const ForeTask *task)
{
  g_autofree char *run_dir = fore_dirs_dup_run_dir (fore_store_get_home (store), run_id);
  g_autofree char *exits = g_build_filename (run_dir, "exits", NULL);
  ForeGuardRecord record;

  return fore_exits_find (exits, task->key, task->attempts, FORE_GUARD_EXIT, &record);
}

static ForeRerunKind
look_at_attempt (ForeStore *store,
                 const char *run_id,
                 const ForeTask *task,
                 const ForeAttempt *attempt,
                 char **why)
{
  gboolean alive = attempt != NULL && is_alive (run_id, task);

  /* in this order: it may end between the two looks, and leaves its record first */
  if (attempt != NULL && has_ended (store, run_id, task))
    {
      *why = g_strdup_printf (_ ("Attempt %u ended while nobody looked; what it left is taken up."),
                              attempt->n);
      return FORE_RERUN_TAKE;
    }
  if (alive)
    {
      *why = g_strdup_printf (_ ("The agent of attempt %u is at work and is followed on."),
                              attempt->n);
      return FORE_RERUN_FOLLOW;
    }

  *why = attempt != NULL ? g_strdup_printf (
             _ ("The agent of attempt %u is gone; the task is started again."), attempt->n)
                         : g_strdup (_ ("Its runner died before it started an agent."));

  return FORE_RERUN_AGAIN;
}

static ForeRerunKind
look_at_task (ForeStore *store, const ForeRunDelta *delta, const ForeTask *task, char **why)
{
  const ForeAttempt *attempt = find_attempt (delta, task);
  gboolean open = attempt != NULL && attempt->finished == 0;

  if (task->status == FORE_TASK_RUNNING || (task->status == FORE_TASK_WAITING && open))
    return look_at_attempt (store, delta->run->id, task, attempt, why);

  if (task->status == FORE_TASK_WAITING)
    {
      *why = g_strdup (task->waits_for != NULL ? task->waits_for : _ ("It waits for you."));
      return FORE_RERUN_WAIT;
    }

  *why = g_strdup (task->waits_for != NULL ? task->waits_for : _ ("It has not begun."));

  return FORE_RERUN_START;
}

/**
 * fore_rerun_list:
 * @store: the store
 * @run_id: a run
 * @error: return location for an error
 *
 * Says what taking the run up would do with each of its tasks that is not finished. Changes
 * nothing. Blocks.
 *
 * Returns: (transfer full) (element-type ForeRerun): one for each such task
 */
GPtrArray *
fore_rerun_list (ForeStore *store, const char *run_id, GError **error)
{
  g_autoptr (ForeRunDelta) delta = NULL;
  GPtrArray *reruns;

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);
  g_return_val_if_fail (run_id != NULL, NULL);

  delta = fore_run_read (store, run_id, 0, 0, 0, error);
  if (delta == NULL)
    return NULL;

  reruns = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_rerun_free);
  for (guint i = 0; i < delta->tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (delta->tasks, i);
      ForeRerun *rerun;

      if (fore_task_status_get_class (task->status) == FORE_CLASS_FINISHED)
        continue;

      rerun = g_new0 (ForeRerun, 1);
      rerun->task = g_strdup (task->key);
      rerun->kind = look_at_task (store, delta, task, &rerun->why);
      g_ptr_array_add (reruns, rerun);
    }

  return reruns;
}
