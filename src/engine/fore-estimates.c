/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-estimates.h"

#include "engine/fore-pool.h"
#include "store/fore-durations.h"

#include <string.h>

/* Of a task that nothing is known of. */
#define DEFAULT_MS (60 * 1000)
/* What is learned at once is held in memory beside the tasks themselves. */
#define LEARN_AT_ONCE 500

struct _ForeEstimates
{
  char *project;
  char *workflow;
  GHashTable *known; /* name -> milliseconds */
};

/* What one run measured of a name. */
typedef struct
{
  gint64 ms;
  guint n;
} Measured;

typedef struct
{
  char *project;
  char *workflow;
  GPtrArray *tasks;
  guint next;
  GHashTable *shared; /* name -> Measured, of what several tasks measure */
  GHashTable *due;    /* name -> milliseconds */
} Learning;

static void learn_some (GTask *task);

static char *
dup_step_name (const char *workflow, const ForeTask *task)
{
  const char *step = task->step != NULL ? task->step : task->key;

  return g_strdup_printf ("step/%s/%s", workflow, step);
}

static char *
dup_role_name (const ForeTask *task)
{
  return g_strdup_printf ("role/%s", task->role != NULL ? task->role : "");
}

/**
 * fore_estimates_load:
 * @store: the store
 * @project: canonical path of the project
 * @workflow: (nullable): name of the workflow
 *
 * Reads what earlier runs have learned. Blocks. An index that cannot be read knows nothing.
 *
 * Returns: (transfer full): estimates
 */
ForeEstimates *
fore_estimates_load (ForeStore *store, const char *project, const char *workflow)
{
  ForeEstimates *estimates;
  g_autoptr (GError) error = NULL;

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);
  g_return_val_if_fail (project != NULL, NULL);

  estimates = g_new0 (ForeEstimates, 1);
  estimates->project = g_strdup (project);
  estimates->workflow = g_strdup (workflow != NULL ? workflow : "");
  estimates->known = fore_durations_read (store, project, &error);
  if (estimates->known == NULL)
    g_message ("How long tasks took before is not known: %s", error->message);

  return estimates;
}

/**
 * fore_estimates_free:
 * @estimates: (nullable): estimates
 */
void
fore_estimates_free (ForeEstimates *estimates)
{
  if (estimates == NULL)
    return;

  g_free (estimates->project);
  g_free (estimates->workflow);
  g_clear_pointer (&estimates->known, g_hash_table_unref);
  g_free (estimates);
}

/**
 * fore_estimates_get:
 * @estimates: estimates
 * @task: a task
 *
 * Returns: how long it will take, in milliseconds, at least 1
 */
gint64
fore_estimates_get (ForeEstimates *estimates, const ForeTask *task)
{
  g_autofree char *step = NULL;
  g_autofree char *role = NULL;
  const gint64 *ms;

  g_return_val_if_fail (estimates != NULL && task != NULL, DEFAULT_MS);

  if (estimates->known == NULL || g_hash_table_size (estimates->known) == 0)
    return DEFAULT_MS;

  step = dup_step_name (estimates->workflow, task);
  ms = g_hash_table_lookup (estimates->known, step);
  if (ms == NULL)
    {
      role = dup_role_name (task);
      ms = g_hash_table_lookup (estimates->known, role);
    }

  return ms != NULL ? MAX (1, *ms) : DEFAULT_MS;
}

/* Takes @name. */
static void
measure (GHashTable *measured, char *name, gint64 ms)
{
  Measured *sum = g_hash_table_lookup (measured, name);

  if (sum == NULL)
    {
      sum = g_new0 (Measured, 1);
      g_hash_table_insert (measured, g_strdup (name), sum);
    }

  sum->ms += ms;
  sum->n++;
  g_free (name);
}

static void
learning_free (Learning *learning)
{
  g_free (learning->workflow);
  g_free (learning->project);
  g_ptr_array_unref (learning->tasks);
  g_hash_table_unref (learning->shared);
  g_hash_table_unref (learning->due);
  g_free (learning);
}

static gboolean
is_measured (const ForeTask *task)
{
  return task->status == FORE_TASK_COMPLETED && task->started != 0
         && task->finished >= task->started;
}

/* A step of which there is one task is as long as that took. */
static gboolean
has_own_step (const ForeTask *task)
{
  return task->step == NULL || strcmp (task->step, task->key) == 0;
}

static void
sum_up_shared (Learning *learning)
{
  for (guint i = 0; i < learning->tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (learning->tasks, i);
      gint64 ms = (task->finished - task->started) / 1000;

      if (!is_measured (task))
        continue;
      measure (learning->shared, dup_role_name (task), ms);
      if (!has_own_step (task))
        measure (learning->shared, dup_step_name (learning->workflow, task), ms);
    }
}

static void
take_shared (Learning *learning)
{
  GHashTableIter iter;
  gpointer name, value;

  g_hash_table_iter_init (&iter, learning->shared);
  while (g_hash_table_iter_next (&iter, &name, &value))
    {
      const Measured *sum = value;
      gint64 ms = sum->ms / sum->n;

      g_hash_table_insert (learning->due, g_strdup (name), g_memdup2 (&ms, sizeof ms));
    }
}

/* Whether there is anything more to learn. */
static gboolean
take_some (Learning *learning)
{
  g_hash_table_remove_all (learning->due);
  if (learning->next == 0)
    take_shared (learning);

  while (learning->next < learning->tasks->len && g_hash_table_size (learning->due) < LEARN_AT_ONCE)
    {
      const ForeTask *task = g_ptr_array_index (learning->tasks, learning->next++);
      gint64 ms = (task->finished - task->started) / 1000;

      if (is_measured (task) && has_own_step (task))
        g_hash_table_insert (learning->due, dup_step_name (learning->workflow, task),
                             g_memdup2 (&ms, sizeof ms));
    }

  return g_hash_table_size (learning->due) > 0;
}

static void
learn_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Learning *learning = data;
  GError *error = NULL;

  if (fore_durations_learn (source, learning->project, learning->due, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
learned_some (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (g_task_propagate_boolean (G_TASK (result), &error))
    learn_some (g_steal_pointer (&task));
  else
    g_task_return_error (task, error);
}

/* Takes @task, which learns all of it. */
static void
learn_some (GTask *task)
{
  g_autoptr (GTask) whole = task;
  g_autoptr (GTask) part = NULL;
  Learning *learning = g_task_get_task_data (task);

  if (!take_some (learning))
    {
      g_task_return_boolean (task, TRUE);
      return;
    }

  part = g_task_new (g_task_get_source_object (task), NULL, learned_some, g_steal_pointer (&whole));
  g_task_set_name (part, "learn how long some tasks take");
  g_task_set_source_tag (part, learn_some);
  g_task_set_task_data (part, learning, NULL);
  fore_pool_run (FORE_POOL_FILE, part, learn_in_thread);
}

/**
 * fore_estimates_learn_async:
 * @estimates: estimates
 * @store: the store
 * @tasks: (element-type ForeTask): all tasks of a run that is over; not changed meanwhile
 * @callback: called when it is written
 * @user_data: data for @callback
 *
 * Keeps for later runs how long those took that completed; of thousands, some at a time.
 */
void
fore_estimates_learn_async (ForeEstimates *estimates,
                            ForeStore *store,
                            GPtrArray *tasks,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  GTask *task;
  Learning *learning;

  g_return_if_fail (estimates != NULL && tasks != NULL);
  g_return_if_fail (FORE_IS_STORE (store));

  learning = g_new0 (Learning, 1);
  learning->project = g_strdup (estimates->project);
  learning->workflow = g_strdup (estimates->workflow);
  learning->tasks = g_ptr_array_ref (tasks);
  learning->shared = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  learning->due = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  sum_up_shared (learning);

  task = g_task_new (store, NULL, callback, user_data);
  g_task_set_name (task, "learn how long tasks take");
  g_task_set_source_tag (task, fore_estimates_learn_async);
  g_task_set_task_data (task, learning, (GDestroyNotify) learning_free);
  learn_some (task);
}

/**
 * fore_estimates_learn_finish:
 * @result: the result
 * @error: return location for an error
 *
 * Returns: whether it was written
 */
gboolean
fore_estimates_learn_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (G_IS_TASK (result), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
