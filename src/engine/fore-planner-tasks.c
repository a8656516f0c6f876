/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-planner-private.h"

#include "engine/fore-check-hash.h"
#include "engine/fore-event-data.h"
#include "engine/fore-goal.h"
#include "engine/fore-pool.h"

typedef struct
{
  ForePlanner *self;
  ForePlan *plan;
  char *tree;
  GPtrArray *tasks;
} Injection;

/* Injection */

static void
injection_free (Injection *injection)
{
  g_clear_object (&injection->self);
  g_clear_pointer (&injection->plan, fore_plan_free);
  g_clear_pointer (&injection->tasks, g_ptr_array_unref);
  g_free (injection->tree);
  g_free (injection);
}

/* Files that somebody is told to write decide nothing. */
static GStrv
list_exempt (const Injection *injection)
{
  const ForePlan *plan = injection->plan;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; i < injection->tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (injection->tasks, i);

      if (task->paths != NULL)
        g_strv_builder_addv (builder, (const char **) task->paths);
    }

  for (guint i = 0; i < plan->items->len; i++)
    {
      const ForePlanItem *item = g_ptr_array_index (plan->items, i);

      if (!item->dropped && item->paths != NULL)
        g_strv_builder_addv (builder, (const char **) item->paths);
    }

  return g_strv_builder_end (builder);
}

static void
hash_checks (GPtrArray *checks, const char *tree, GStrv exempt)
{
  for (guint i = 0; i < checks->len; i++)
    {
      ForeCheck *check = g_ptr_array_index (checks, i);

      g_strfreev (check->files);
      check->files = fore_check_list_files (check, tree, (const char *const *) exempt);
      g_free (check->hash);
      check->hash = check->files[0] != NULL
                        ? fore_check_hash_files ((const char *const *) check->files, tree)
                        : NULL;
    }
}

static void
hash_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Injection *injection = data;
  g_auto (GStrv) exempt = list_exempt (injection);

  for (guint i = 0; i < injection->plan->items->len; i++)
    hash_checks (((ForePlanItem *) g_ptr_array_index (injection->plan->items, i))->checks,
                 injection->tree, exempt);
  for (guint i = 0; i < injection->tasks->len; i++)
    hash_checks (((ForeTask *) g_ptr_array_index (injection->tasks, i))->checks, injection->tree,
                 exempt);

  g_task_return_boolean (task, TRUE);
}

/* What an item waits for; what it waited for through an item that the person left out is kept. */
static void
add_dependencies (const ForePlan *plan, const ForePlanItem *item, GPtrArray *keys, guint depth)
{
  for (guint i = 0; item->depends_on != NULL && item->depends_on[i] != NULL; i++)
    {
      const char *id = item->depends_on[i];
      const ForePlanItem *before = fore_plan_find_item (plan, id);

      if (before != NULL && before->dropped && depth < plan->items->len)
        add_dependencies (plan, before, keys, depth + 1);
      else if ((before == NULL || !before->dropped)
               && !g_ptr_array_find_with_equal_func (keys, id, g_str_equal, NULL))
        g_ptr_array_add (keys, (char *) id);
    }
}

static ForeTask *
make_task (ForePlanner *self, const ForePlan *plan, const ForePlanItem *item)
{
  ForeTask *task = fore_task_new (item->id);
  g_autoptr (GPtrArray) keys = g_ptr_array_new ();

  add_dependencies (plan, item, keys, 0);
  if (keys->len == 0)
    g_ptr_array_add (keys, plan->task);
  g_ptr_array_add (keys, NULL);

  task->title = g_strdup (item->title);
  task->role = g_strdup (item->role);
  task->text = g_strdup (item->text);
  task->depends_on = g_strdupv ((char **) keys->pdata);
  task->paths = g_strdupv (item->paths);
  task->live = item->live;
  task->adaptive = item->plans;
  task->plan_version = plan->version;
  g_clear_pointer (&task->checks, g_ptr_array_unref);
  task->checks = fore_checks_copy (item->checks);
  fore_run_context_bind_task (self->services->context, task, &fore_planner_get_run (self)->options);

  return task;
}

static void
inject (ForePlanner *self, ForePlan *plan)
{
  g_autoptr (GPtrArray) tasks = g_ptr_array_new ();
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_auto (GStrv) keys = NULL;
  g_autoptr (GError) error = NULL;
  ForeTask *planner = fore_run_state_find_task (fore_planner_get_state (self), plan->task);

  for (guint i = 0; i < plan->items->len; i++)
    {
      const ForePlanItem *item = g_ptr_array_index (plan->items, i);

      if (item->dropped)
        continue;
      g_ptr_array_add (tasks, make_task (self, plan, item));
      g_strv_builder_add (names, item->id);
    }

  if (!fore_scheduler_add_tasks (self->scheduler, tasks, plan->task, &error))
    {
      g_ptr_array_set_free_func (tasks, (GDestroyNotify) fore_task_free);
      fore_scheduler_fail (self->scheduler, planner, FORE_CAUSE_NO_PLAN, error->message,
                           FORE_POLICY_CONTINUE);
      return;
    }

  keys = g_strv_builder_end (names);
  fore_run_state_emit (
      fore_planner_get_state (self), FORE_EVENT_ADAPTIVE_PLAN_INJECTED, plan->task, 0,
      fore_event_data_new ("i:version", (gint64) plan->version, "v:tasks", keys, NULL));
  fore_scheduler_complete (self->scheduler, planner);
}

static void
take_hashes (ForePlanner *self, const Injection *injection)
{
  for (guint i = 0; i < injection->tasks->len; i++)
    {
      const ForeTask *copy = g_ptr_array_index (injection->tasks, i);
      ForeTask *task = fore_run_state_find_task (fore_planner_get_state (self), copy->key);

      if (task == NULL || task->checks->len == 0)
        continue;
      g_clear_pointer (&task->checks, g_ptr_array_unref);
      task->checks = fore_checks_copy (copy->checks);
      fore_run_state_touch_task (fore_planner_get_state (self), task);
    }
}

static void
hashed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Injection *injection = g_task_get_task_data (G_TASK (result));
  g_autoptr (ForePlanner) self = g_object_ref (injection->self);

  self->n_injecting--;
  if (!fore_run_is_active (fore_planner_get_run (self)))
    return;

  take_hashes (self, injection);
  if (injection->plan->task != NULL)
    inject (self, injection->plan);
  fore_scheduler_open_gate (self->scheduler);
}

/* Remembers the files that decide the checks as they are at this approval; then the tasks come. */
void
fore_planner_carry_out (ForePlanner *self, const ForePlan *plan, const char *tree)
{
  GPtrArray *tasks = fore_run_state_get_tasks (fore_planner_get_state (self));
  g_autoptr (GTask) task = g_task_new (NULL, NULL, hashed, NULL);
  Injection *injection = g_new0 (Injection, 1);

  injection->self = g_object_ref (self);
  injection->plan = plan != NULL ? fore_plan_copy (plan) : fore_plan_new ();
  injection->tree = g_strdup (tree != NULL ? tree : fore_planner_get_run (self)->project);
  injection->tasks = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_task_free);
  for (guint i = 0; i < tasks->len; i++)
    {
      const ForeTask *existing = g_ptr_array_index (tasks, i);

      /* Later turns of a goal loop are held to what was approved for the first. */
      if (existing->status == FORE_TASK_QUEUED && fore_goal_get_turn (existing) <= 1)
        g_ptr_array_add (injection->tasks, fore_task_copy (existing));
    }

  self->n_injecting++;
  g_task_set_name (task, "hash what decides the checks");
  g_task_set_source_tag (task, fore_planner_carry_out);
  g_task_set_task_data (task, injection, (GDestroyNotify) injection_free);
  fore_pool_run (FORE_POOL_FILE, task, hash_in_thread);
}
