/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-estimates.h"

#include "engine/fore-pool.h"
#include "store/fore-durations.h"

/* Of a task that nothing is known of. */
#define DEFAULT_MS (60 * 1000)

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
  GHashTable *durations;
} Learning;

static char *
dup_step_name (ForeEstimates *estimates, const ForeTask *task)
{
  const char *step = task->step != NULL ? task->step : task->key;

  return g_strdup_printf ("step/%s/%s", estimates->workflow, step);
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

  step = dup_step_name (estimates, task);
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

static GHashTable *
to_averages (GHashTable *measured)
{
  GHashTable *averages = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  GHashTableIter iter;
  gpointer name, value;

  g_hash_table_iter_init (&iter, measured);
  while (g_hash_table_iter_next (&iter, &name, &value))
    {
      const Measured *sum = value;
      gint64 ms = sum->ms / sum->n;

      g_hash_table_insert (averages, g_strdup (name), g_memdup2 (&ms, sizeof ms));
    }

  return averages;
}

static void
learning_free (Learning *learning)
{
  g_free (learning->project);
  g_hash_table_unref (learning->durations);
  g_free (learning);
}

static void
learn_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Learning *learning = data;
  GError *error = NULL;

  if (fore_durations_learn (source, learning->project, learning->durations, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/**
 * fore_estimates_learn_async:
 * @estimates: estimates
 * @store: the store
 * @tasks: (element-type ForeTask): all tasks of a run that is over
 * @callback: called when it is written
 * @user_data: data for @callback
 *
 * Keeps for later runs how long those took that completed.
 */
void
fore_estimates_learn_async (ForeEstimates *estimates,
                            ForeStore *store,
                            GPtrArray *tasks,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  g_autoptr (GHashTable) measured = NULL;
  g_autoptr (GTask) task = NULL;
  Learning *learning;

  g_return_if_fail (estimates != NULL && tasks != NULL);
  g_return_if_fail (FORE_IS_STORE (store));

  measured = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (guint i = 0; i < tasks->len; i++)
    {
      const ForeTask *of = g_ptr_array_index (tasks, i);
      gint64 ms = (of->finished - of->started) / 1000;

      if (of->status != FORE_TASK_COMPLETED || of->started == 0 || ms < 0)
        continue;
      measure (measured, dup_step_name (estimates, of), ms);
      measure (measured, dup_role_name (of), ms);
    }

  learning = g_new0 (Learning, 1);
  learning->project = g_strdup (estimates->project);
  learning->durations = to_averages (measured);
  task = g_task_new (store, NULL, callback, user_data);
  g_task_set_name (task, "learn how long tasks take");
  g_task_set_source_tag (task, fore_estimates_learn_async);
  g_task_set_task_data (task, learning, (GDestroyNotify) learning_free);
  fore_pool_run (FORE_POOL_FILE, task, learn_in_thread);
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
