/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-scheduler-private.h"

#include "platform/fore-clock.h"

#include <glib/gi18n-lib.h>

void
fore_scheduler_say_what_it_waits_for (ForeScheduler *self, ForeTask *task)
{
  g_autoptr (GPtrArray) before = fore_graph_list_dependencies (self->graph, task->key, FALSE);
  g_autoptr (GString) names = g_string_new (NULL);
  g_autofree char *text = NULL;

  for (guint i = 0; i < before->len; i++)
    {
      const char *key = g_ptr_array_index (before, i);

      if (!fore_graph_is_satisfied (self->graph, key))
        g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", key);
    }

  text = g_strdup_printf (_ ("waits for %s"), names->str);
  fore_run_state_set_phase (fore_scheduler_get_state (self), task, FORE_PHASE_DEPENDENCIES, text);
}

static gboolean
back_off_over (gpointer user_data)
{
  ForeTask *task = ((gpointer *) user_data)[1];
  ForeScheduler *self = ((gpointer *) user_data)[0];

  g_hash_table_remove (self->waiting, task->key);
  task->not_before = 0;
  fore_scheduler_consider (self, task);

  return G_SOURCE_REMOVE;
}

static void
wait_for_back_off (ForeScheduler *self, ForeTask *task)
{
  gint64 left_ms = MAX (0, (task->not_before - fore_clock_now_us ()) / 1000);
  GSource *source = g_timeout_source_new ((guint) left_ms);
  gpointer *data = g_new (gpointer, 2);

  data[0] = self;
  data[1] = task;
  g_source_set_callback (source, back_off_over, data, g_free);
  g_source_set_name (source, "back off");
  g_source_attach (source, g_main_context_get_thread_default ());
  g_hash_table_insert (self->waiting, g_strdup (task->key), source);
  g_source_unref (source);
}

void
fore_scheduler_queue_task (ForeScheduler *self, ForeTask *task)
{
  if (task->not_before > fore_clock_now_us ())
    wait_for_back_off (self, task);
  else
    fore_scheduler_consider (self, task);
}

GPtrArray *
fore_scheduler_list_dependencies (ForeScheduler *self, ForeTask *task)
{
  GPtrArray *tasks = g_ptr_array_new ();

  for (guint i = 0; task->depends_on != NULL && task->depends_on[i] != NULL; i++)
    {
      ForeTask *before = fore_run_state_find_task (fore_scheduler_get_state (self),
                                                   task->depends_on[i]);

      if (before != NULL)
        g_ptr_array_add (tasks, before);
    }

  return tasks;
}

/* Graph */

static gint64
weigh_task (const char *key, gpointer user_data)
{
  ForeScheduler *self = user_data;
  const ForeTask *task = fore_run_state_find_task (fore_scheduler_get_state (self), key);

  return fore_estimates_get (self->services->context->estimates, task);
}

static void
measure_chains (ForeScheduler *self)
{
  fore_graph_measure (self->graph, weigh_task, self);
  fore_ready_queue_measure_again (self->ready);
}

/* Whether an agent may be left of its last attempt. */
static gboolean
has_open_attempt (ForeScheduler *self, const ForeTask *task)
{
  const ForeAttempt *attempt = fore_run_state_find_attempt (fore_scheduler_get_state (self),
                                                            task->key, task->attempts);

  return attempt != NULL && attempt->finished == 0;
}

/* What claims to run, a session that waits for an answer, and what was cancelled by a runner that
 * died before its agent was gone.
 */
static gboolean
adopt_task (ForeScheduler *self, ForeTask *task)
{
  ForeStatusClass status_class = fore_task_status_get_class (task->status);
  ForeAttemptJob *job;

  if (status_class == FORE_CLASS_PENDING
      || (status_class != FORE_CLASS_ACTIVE && !has_open_attempt (self, task)))
    return FALSE;

  job = fore_scheduler_add_job (self, task);
  fore_attempt_job_adopt_async (job, fore_scheduler_job_done, g_object_ref (self));
  if (status_class == FORE_CLASS_WAITING)
    fore_scheduler_begin_waiting (self, job);
  else
    fore_slot_keeper_count (self->slots, task);
  if (status_class == FORE_CLASS_FINISHED)
    fore_attempt_job_stop (job, FORE_CAUSE_CANCELLED, _ ("The task was over before its agent."));

  return TRUE;
}

/**
 * fore_scheduler_load:
 * @self: a scheduler without tasks
 * @error: return location for an error
 *
 * Takes the run's tasks as they stand: what is completed releases, what claims to run is followed
 * on or ended, what is queued starts when it can.
 *
 * Returns: whether the tasks make a graph
 */
gboolean
fore_scheduler_load (ForeScheduler *self, GError **error)
{
  GPtrArray *tasks = fore_run_state_get_tasks (fore_scheduler_get_state (self));
  g_autofree const char **keys = g_new0 (const char *, tasks->len + 1);
  g_autofree GStrv *deps = g_new0 (GStrv, tasks->len + 1);

  g_return_val_if_fail (FORE_IS_SCHEDULER (self), FALSE);

  for (guint i = 0; i < tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (tasks, i);

      keys[i] = task->key;
      deps[i] = task->depends_on;
    }

  if (!fore_graph_add_all (self->graph, keys, deps, tasks->len, error))
    return FALSE;

  if (fore_trees_is_isolated (self->services->trees))
    self->foresight = fore_conflict_watch_new (self->services);
  measure_chains (self);
  self->busy_us = fore_run_state_get_busy_us (fore_scheduler_get_state (self));
  for (guint i = 0; i < tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (tasks, i);

      if (fore_task_status_releases (task->status)
          || (task->status == FORE_TASK_FAILED && fore_scheduler_goes_on_after (self, task)))
        g_ptr_array_unref (fore_graph_satisfy (self->graph, task->key));
    }

  if (fore_run_is_active (fore_scheduler_get_run (self)))
    fore_scheduler_look_at_leader (self, NULL);
  for (guint i = 0; i < tasks->len; i++)
    {
      ForeTask *task = g_ptr_array_index (tasks, i);

      fore_scheduler_watch_helper (self, task);
      if (task->adaptive)
        g_ptr_array_add (self->planners, task);
      if (!adopt_task (self, task) && task->status == FORE_TASK_QUEUED)
        fore_scheduler_queue_task (self, task);
    }

  fore_scheduler_pump (self);

  return TRUE;
}

static gboolean
has_dependant_among (GPtrArray *tasks, const char *key)
{
  for (guint i = 0; i < tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (tasks, i);

      if (g_strv_contains ((const char *const *) task->depends_on, key))
        return TRUE;
    }

  return FALSE;
}

/* What waits for the planner also waits for the last tasks of its plan, or for what a person added.
 */
static void
extend_dependants (ForeScheduler *self, GPtrArray *tasks, const char *planner)
{
  g_autoptr (GPtrArray) after = fore_graph_list_dependants (self->graph, planner, FALSE);

  for (guint i = 0; i < after->len; i++)
    {
      ForeTask *other = fore_run_state_find_task (fore_scheduler_get_state (self),
                                                  g_ptr_array_index (after, i));
      g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

      if (g_ptr_array_find (tasks, other, NULL)
          || fore_task_status_get_class (other->status) != FORE_CLASS_PENDING)
        continue;

      g_strv_builder_addv (builder, (const char **) other->depends_on);
      for (guint j = 0; j < tasks->len; j++)
        {
          const ForeTask *task = g_ptr_array_index (tasks, j);

          if (has_dependant_among (tasks, task->key))
            continue;
          g_strv_builder_add (builder, task->key);
          fore_graph_connect (self->graph, task->key, other->key);
        }
      g_strfreev (other->depends_on);
      other->depends_on = g_strv_builder_end (builder);
      fore_run_state_touch_task (fore_scheduler_get_state (self), other);
      fore_scheduler_say_what_it_waits_for (self, other);
    }
}

/* What waits for @asker builds on what its helper did as well. */
void
fore_scheduler_join_helper (ForeScheduler *self, ForeTask *task, const char *asker)
{
  g_autoptr (GPtrArray) tasks = g_ptr_array_new ();

  g_ptr_array_add (tasks, task);
  extend_dependants (self, tasks, asker);
}

/**
 * fore_scheduler_add_tasks:
 * @self: a scheduler
 * @tasks: (element-type ForeTask) (transfer container): new tasks; the state takes them
 * @planner: (nullable): key of the task whose plan they are, or that a person follows up
 * @error: return location for an error
 *
 * Grows the graph at run time. Nothing is added if it would not be a graph any more.
 *
 * Returns: whether they were added
 */
gboolean
fore_scheduler_add_tasks (ForeScheduler *self,
                          GPtrArray *tasks,
                          const char *planner,
                          GError **error)
{
  g_autofree const char **keys = g_new0 (const char *, tasks->len + 1);
  g_autofree GStrv *deps = g_new0 (GStrv, tasks->len + 1);

  g_return_val_if_fail (FORE_IS_SCHEDULER (self), FALSE);

  for (guint i = 0; i < tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (tasks, i);

      keys[i] = task->key;
      deps[i] = task->depends_on;
    }

  if (!fore_graph_add_all (self->graph, keys, deps, tasks->len, error))
    return FALSE;

  for (guint i = 0; i < tasks->len; i++)
    {
      ForeTask *task = g_ptr_array_index (tasks, i);

      fore_run_state_add_task (fore_scheduler_get_state (self), task);
      if (task->adaptive)
        g_ptr_array_add (self->planners, task);
    }
  if (planner != NULL)
    extend_dependants (self, tasks, planner);
  measure_chains (self);
  for (guint i = 0; i < tasks->len; i++)
    fore_scheduler_watch_helper (self, g_ptr_array_index (tasks, i));
  for (guint i = 0; i < tasks->len; i++)
    fore_scheduler_consider (self, g_ptr_array_index (tasks, i));

  return TRUE;
}

/**
 * fore_scheduler_sort_tasks:
 * @self: a scheduler
 *
 * Returns: (transfer full) (element-type ForeTask): all tasks, owned by the state, each after those
 *   it depends on
 */
GPtrArray *
fore_scheduler_sort_tasks (ForeScheduler *self)
{
  GPtrArray *sorted;

  g_return_val_if_fail (FORE_IS_SCHEDULER (self), NULL);

  sorted = fore_graph_sort (self->graph);
  for (guint i = 0; i < sorted->len; i++)
    sorted->pdata[i] = fore_run_state_find_task (fore_scheduler_get_state (self), sorted->pdata[i]);

  return sorted;
}
