/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-estimates.h"

#include "engine/fore-pool.h"
#include "store/fore-measures.h"

#include <string.h>

/* Of a task that nothing is known of. */
#define DEFAULT_MS (60 * 1000)
/* What is learned at once is held in memory beside the tasks themselves. */
#define LEARN_AT_ONCE 500

struct _ForeEstimates
{
  char *project;
  char *workflow;
  GHashTable *known; /* name -> ForeMeasure */
};

/* What one run measured of a name. */
typedef struct
{
  gint64 ms;
  guint n;
  gint64 tokens;
  guint n_tokens;
  gint64 cost;
  guint n_cost;
} Measured;

typedef struct
{
  char *project;
  char *workflow;
  GPtrArray *tasks;
  guint next;
  GHashTable *shared; /* name -> Measured, of what several tasks measure */
  GHashTable *due;    /* name -> ForeMeasure */
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

static char *
dup_run_name (const char *workflow)
{
  return g_strdup_printf ("run/%s", workflow);
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
  estimates->known = fore_measures_read (store, project, &error);
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
 * fore_estimates_find:
 * @estimates: estimates
 * @task: a task
 *
 * Returns: (transfer none) (nullable): what its step, else its role, took before
 */
const ForeMeasure *
fore_estimates_find (ForeEstimates *estimates, const ForeTask *task)
{
  g_autofree char *step = NULL;
  g_autofree char *role = NULL;
  const ForeMeasure *measure;

  g_return_val_if_fail (estimates != NULL && task != NULL, NULL);

  if (estimates->known == NULL || g_hash_table_size (estimates->known) == 0)
    return NULL;

  step = dup_step_name (estimates->workflow, task);
  measure = g_hash_table_lookup (estimates->known, step);
  if (measure == NULL)
    {
      role = dup_role_name (task);
      measure = g_hash_table_lookup (estimates->known, role);
    }

  return measure;
}

/**
 * fore_estimates_find_run:
 * @estimates: estimates
 * @workflow: name of a workflow
 *
 * Returns: (transfer none) (nullable): what whole runs of @workflow took before in the project;
 * their time is that in which some task was at work
 */
const ForeMeasure *
fore_estimates_find_run (ForeEstimates *estimates, const char *workflow)
{
  g_autofree char *name = NULL;

  g_return_val_if_fail (estimates != NULL && workflow != NULL, NULL);

  name = dup_run_name (workflow);

  return estimates->known != NULL ? g_hash_table_lookup (estimates->known, name) : NULL;
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
  const ForeMeasure *measure = fore_estimates_find (estimates, task);

  return measure != NULL ? MAX (1, measure->ms) : DEFAULT_MS;
}

static void
add_known (gint64 value, gint64 *sum, guint *n)
{
  if (value < 0)
    return;

  *sum += value;
  (*n)++;
}

/* Takes @name. */
static void
measure (GHashTable *measured, char *name, const ForeTask *task)
{
  Measured *sum = g_hash_table_lookup (measured, name);

  if (sum == NULL)
    {
      sum = g_new0 (Measured, 1);
      g_hash_table_insert (measured, g_strdup (name), sum);
    }

  add_known ((task->finished - task->started) / 1000, &sum->ms, &sum->n);
  add_known (fore_usage_get_tokens (&task->usage), &sum->tokens, &sum->n_tokens);
  add_known (task->usage.cost, &sum->cost, &sum->n_cost);
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

      if (!is_measured (task))
        continue;
      measure (learning->shared, dup_role_name (task), task);
      if (!has_own_step (task))
        measure (learning->shared, dup_step_name (learning->workflow, task), task);
    }
}

static void
keep_measure (Learning *learning, char *name, gint64 ms, gint64 tokens, gint64 cost)
{
  ForeMeasure *kept = g_new0 (ForeMeasure, 1);

  kept->ms = ms;
  kept->tokens = MAX (tokens, FORE_MEASURE_UNKNOWN);
  kept->cost = MAX (cost, FORE_MEASURE_UNKNOWN);
  g_hash_table_insert (learning->due, name, kept);
}

static int
compare_starts (gconstpointer a, gconstpointer b)
{
  const ForeTask *first = *(const ForeTask *const *) a;
  const ForeTask *second = *(const ForeTask *const *) b;

  return (first->started > second->started) - (first->started < second->started);
}

/* For how long some task was at work; people may take their time in between. */
static gint64
sum_busy_us (GPtrArray *tasks)
{
  g_autoptr (GPtrArray) sorted = g_ptr_array_sized_new (tasks->len);
  gint64 busy = 0, until = 0;

  g_ptr_array_extend (sorted, tasks, NULL, NULL);
  g_ptr_array_sort (sorted, compare_starts);
  for (guint i = 0; i < sorted->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (sorted, i);

      busy += MAX (task->finished - MAX (task->started, until), 0);
      until = MAX (until, task->finished);
    }

  return busy;
}

/* A run of which something failed or was skipped says little of what a whole one takes. */
static void
take_run (Learning *learning)
{
  ForeUsage usage = FORE_USAGE_INIT;

  for (guint i = 0; i < learning->tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (learning->tasks, i);

      if (!is_measured (task))
        return;
      fore_usage_add (&usage, &task->usage);
    }

  if (learning->tasks->len > 0)
    keep_measure (learning, dup_run_name (learning->workflow), sum_busy_us (learning->tasks) / 1000,
                  fore_usage_get_tokens (&usage), usage.cost);
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

      keep_measure (learning, g_strdup (name), sum->ms / sum->n,
                    sum->n_tokens > 0 ? sum->tokens / sum->n_tokens : FORE_MEASURE_UNKNOWN,
                    sum->n_cost > 0 ? sum->cost / sum->n_cost : FORE_MEASURE_UNKNOWN);
    }
}

/* Whether there is anything more to learn. */
static gboolean
take_some (Learning *learning)
{
  g_hash_table_remove_all (learning->due);
  if (learning->next == 0)
    {
      take_run (learning);
      take_shared (learning);
    }

  while (learning->next < learning->tasks->len && g_hash_table_size (learning->due) < LEARN_AT_ONCE)
    {
      const ForeTask *task = g_ptr_array_index (learning->tasks, learning->next++);

      if (is_measured (task) && has_own_step (task))
        keep_measure (learning, dup_step_name (learning->workflow, task),
                      (task->finished - task->started) / 1000, fore_usage_get_tokens (&task->usage),
                      task->usage.cost);
    }

  return g_hash_table_size (learning->due) > 0;
}

static void
learn_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Learning *learning = data;
  GError *error = NULL;

  if (fore_measures_learn (source, learning->project, learning->due, &error))
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
