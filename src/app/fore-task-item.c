/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-task-item.h"

#include "app/fore-format.h"
#include "app/fore-outside.h"
#include "app/fore-task-text.h"
#include "engine/fore-leader-alarm.h"

#include <glib/gi18n-lib.h>

struct _ForeTaskItem
{
  GObject parent_instance;

  ForeTask *task;
  gint64 worked;
  gint64 at_work_since;
  gboolean interrupted;
  gint64 last_alive;
};

G_DEFINE_FINAL_TYPE (ForeTaskItem, fore_task_item, G_TYPE_OBJECT)

enum
{
  PROP_0,
  PROP_KEY,
  PROP_TITLE,
  PROP_STATUS,
  N_PROPS
};

enum
{
  CHANGED,
  N_SIGNALS
};

static GParamSpec *props[N_PROPS];
static guint signals[N_SIGNALS];

static void
fore_task_item_finalize (GObject *object)
{
  ForeTaskItem *self = FORE_TASK_ITEM (object);

  g_clear_pointer (&self->task, fore_task_free);

  G_OBJECT_CLASS (fore_task_item_parent_class)->finalize (object);
}

static void
fore_task_item_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  ForeTaskItem *self = FORE_TASK_ITEM (object);

  switch (id)
    {
    case PROP_KEY:
      g_value_set_string (value, self->task->key);
      break;
    case PROP_TITLE:
      {
        g_autofree char *title = fore_task_dup_title (self->task);

        g_value_take_string (value, fore_outside_dup (title));
      }
      break;
    case PROP_STATUS:
      g_value_set_enum (value, fore_task_item_get_status (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
fore_task_item_class_init (ForeTaskItemClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  object_class->finalize = fore_task_item_finalize;
  object_class->get_property = fore_task_item_get_property;

  props[PROP_KEY] = g_param_spec_string ("key", NULL, NULL, NULL, flags);
  props[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, flags);
  props[PROP_STATUS] = g_param_spec_enum ("status", NULL, NULL, FORE_TYPE_VIEW_STATUS,
                                          FORE_VIEW_PENDING, flags);
  g_object_class_install_properties (object_class, N_PROPS, props);

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
fore_task_item_init (ForeTaskItem *self)
{
}

/**
 * fore_task_item_new:
 * @task: a task, copied
 *
 * Returns: (transfer full): an item for a list of tasks
 */
ForeTaskItem *
fore_task_item_new (const ForeTask *task)
{
  ForeTaskItem *self;

  g_return_val_if_fail (task != NULL, NULL);

  self = g_object_new (FORE_TYPE_TASK_ITEM, NULL);
  self->task = fore_task_copy (task);

  return self;
}

/**
 * fore_task_item_update:
 * @self: a task item
 * @task: the same task as it is now, copied
 */
void
fore_task_item_update (ForeTaskItem *self, const ForeTask *task)
{
  ForeViewStatus status;
  gboolean renamed;

  g_return_if_fail (FORE_IS_TASK_ITEM (self));
  g_return_if_fail (task != NULL);

  status = fore_task_item_get_status (self);
  renamed = g_strcmp0 (task->title, self->task->title) != 0;
  fore_task_free (self->task);
  self->task = fore_task_copy (task);

  if (renamed)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_TITLE]);
  if (status != fore_task_item_get_status (self))
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_STATUS]);
  g_signal_emit (self, signals[CHANGED], 0);
}

/**
 * fore_task_item_tick:
 * @self: a task item
 *
 * Says that time went on, for a task whose line shows it.
 */
void
fore_task_item_tick (ForeTaskItem *self)
{
  g_return_if_fail (FORE_IS_TASK_ITEM (self));

  if (fore_task_status_get_class (self->task->status) == FORE_CLASS_ACTIVE
      || self->task->not_before > 0)
    g_signal_emit (self, signals[CHANGED], 0);
}

/**
 * fore_task_item_get_task:
 * @self: a task item
 *
 * Returns: (transfer none): the task as it was last seen
 */
const ForeTask *
fore_task_item_get_task (ForeTaskItem *self)
{
  g_return_val_if_fail (FORE_IS_TASK_ITEM (self), NULL);

  return self->task;
}

/**
 * fore_task_item_get_key:
 * @self: a task item
 *
 * Returns: (transfer none): the task's key
 */
const char *
fore_task_item_get_key (ForeTaskItem *self)
{
  g_return_val_if_fail (FORE_IS_TASK_ITEM (self), NULL);

  return self->task->key;
}

/**
 * fore_task_item_is_interrupted:
 * @self: a task item
 *
 * Returns: whether nobody owns the run any more while the task says that an agent is at it
 */
gboolean
fore_task_item_is_interrupted (ForeTaskItem *self)
{
  g_return_val_if_fail (FORE_IS_TASK_ITEM (self), FALSE);

  return self->interrupted && self->task->status == FORE_TASK_RUNNING;
}

/* For tasks that it called for itself: nobody is asked anything. */
static gboolean
waits_for_others (const ForeTask *task)
{
  return task->status == FORE_TASK_WAITING && task->phase == FORE_PHASE_DEPENDENCIES;
}

static ForeViewStatus
get_view_status (ForeTaskItem *self)
{
  const ForeTask *task = self->task;

  if (fore_task_item_is_interrupted (self))
    return FORE_VIEW_ATTENTION;
  if (task->status == FORE_TASK_WAITING && task->phase == FORE_PHASE_REQUEST)
    return FORE_VIEW_ATTENTION;
  if (task->status == FORE_TASK_QUEUED && task->phase == FORE_PHASE_BACK_OFF)
    return FORE_VIEW_WAITING;
  if (waits_for_others (task))
    return FORE_VIEW_ACTIVE;

  /* That its work was done makes no success of it. */
  if (task->status == FORE_TASK_COMPLETED && task->verified == FORE_VERIFIED_FAILED)
    return FORE_VIEW_FAILED;
  if (task->status == FORE_TASK_COMPLETED && task->verified == FORE_VERIFIED_COMPROMISED)
    return FORE_VIEW_ATTENTION;

  return fore_view_status_from_task (task->status);
}

/**
 * fore_task_item_get_status:
 * @self: a task item
 *
 * Returns: what the task looks like
 */
ForeViewStatus
fore_task_item_get_status (ForeTaskItem *self)
{
  g_return_val_if_fail (FORE_IS_TASK_ITEM (self), FORE_VIEW_PENDING);

  return get_view_status (self);
}

/**
 * fore_task_item_get_elapsed:
 * @self: a task item
 *
 * Returns: microseconds that its agents worked, without what it waited for; -1 if it did not start
 */
gint64
fore_task_item_get_elapsed (ForeTaskItem *self)
{
  const ForeTask *task;
  gint64 end;

  g_return_val_if_fail (FORE_IS_TASK_ITEM (self), -1);

  task = self->task;
  if (task->started == 0)
    return -1;

  end = task->finished > 0                     ? task->finished
        : fore_task_item_is_interrupted (self) ? MAX (self->last_alive, task->started)
                                               : g_get_real_time ();
  if (self->worked == 0 && self->at_work_since == 0)
    return end - task->started;

  return self->worked + (self->at_work_since > 0 ? MAX (end - self->at_work_since, 0) : 0);
}

/**
 * fore_task_item_set_attempts:
 * @self: a task item
 * @attempts: (nullable) (element-type ForeAttempt): all attempts of the task
 *
 * Takes from @attempts how long the task was worked on.
 */
void
fore_task_item_set_attempts (ForeTaskItem *self, GPtrArray *attempts)
{
  g_return_if_fail (FORE_IS_TASK_ITEM (self));

  self->worked = 0;
  self->at_work_since = 0;
  for (guint i = 0; attempts != NULL && i < attempts->len; i++)
    {
      const ForeAttempt *attempt = g_ptr_array_index (attempts, i);

      if (attempt->started > 0 && attempt->finished > 0)
        self->worked += MAX (attempt->finished - attempt->started, 0);
      else if (attempt->started > 0)
        self->at_work_since = attempt->started;
    }
}

static char *
describe_state (ForeTaskItem *self)
{
  const ForeTask *task = self->task;
  gint64 now = g_get_real_time ();
  gint64 elapsed = fore_task_item_get_elapsed (self);

  if (fore_task_item_is_interrupted (self))
    return g_strdup (_ ("interrupted"));
  if (task->phase == FORE_PHASE_BACK_OFF && task->not_before > now)
    {
      g_autofree char *left = fore_format_clock (task->not_before - now);

      return g_strdup_printf (_ ("attempt %u · %s, %s"), task->attempts + 1,
                              fore_format_cause (task->cause), left);
    }
  if (task->phase == FORE_PHASE_CHECKS)
    return g_strdup (_ ("checks run"));
  if (task->status == FORE_TASK_QUEUED)
    return g_strdup (task->phase == FORE_PHASE_SLOT ? _ ("waits for a slot") : _ ("waits"));
  if (waits_for_others (task))
    return g_strdup (_ ("waits for its tasks"));
  if (task->status == FORE_TASK_WAITING)
    return g_strdup (_ ("waits for you"));
  if (task->status == FORE_TASK_FAILED)
    return g_strdup (fore_format_cause (task->cause));
  if (task->status == FORE_TASK_SKIPPED)
    return g_strdup (_ ("skipped"));
  if (task->status == FORE_TASK_CANCELLED)
    return g_strdup (_ ("cancelled"));
  if (task->status == FORE_TASK_COMPLETED && task->verified == FORE_VERIFIED_FAILED)
    return g_strdup (_ ("checks failed"));
  if (task->status == FORE_TASK_COMPLETED && task->verified == FORE_VERIFIED_COMPROMISED)
    return g_strdup (_ ("checks compromised"));
  if (elapsed >= 0)
    return fore_format_clock (elapsed);

  return g_strdup (fore_format_task_status (task->status));
}

/**
 * fore_task_item_dup_status:
 * @self: a task item
 *
 * Returns: (transfer full): the word of its status for a table, with the attempt if it is not the
 *   first one
 */
char *
fore_task_item_dup_status (ForeTaskItem *self)
{
  const ForeTask *task;
  gboolean completed;
  const char *word;

  g_return_val_if_fail (FORE_IS_TASK_ITEM (self), NULL);

  task = self->task;
  completed = task->status == FORE_TASK_COMPLETED;
  word = completed && task->verified == FORE_VERIFIED_FAILED        ? _ ("Checks failed")
         : completed && task->verified == FORE_VERIFIED_COMPROMISED ? _ ("Compromised")
         : fore_task_item_is_interrupted (self)                     ? _ ("Interrupted")
                                                : fore_format_task_status (task->status);

  return task->attempts > 1 ? g_strdup_printf (_ ("%s · attempt %u"), word, task->attempts)
                            : g_strdup (word);
}

/**
 * fore_task_item_dup_line:
 * @self: a task item
 *
 * Returns: (transfer full): role, CLI and state in one line
 */
char *
fore_task_item_dup_line (ForeTaskItem *self)
{
  const ForeTask *task;
  g_autofree char *state = NULL;

  g_return_val_if_fail (FORE_IS_TASK_ITEM (self), NULL);

  task = self->task;
  state = describe_state (self);
  if (task->status == FORE_TASK_QUEUED && task->attempts == 0 && task->phase != FORE_PHASE_SLOT)
    return g_strdup (task->role);
  if (task->phase == FORE_PHASE_BACK_OFF
      && fore_task_status_get_class (task->status) != FORE_CLASS_FINISHED)
    return g_steal_pointer (&state);
  if (task->status == FORE_TASK_FAILED || fore_task_item_is_interrupted (self)
      || get_view_status (self) == FORE_VIEW_FAILED)
    return g_strdup_printf ("%s · %s", task->role, state);
  if (task->status == FORE_TASK_COMPLETED && task->verified == FORE_VERIFIED_YES)
    return g_strdup_printf (_ ("%s · %s · verified"), task->role, state);
  if (task->cli == NULL || g_strcmp0 (task->cli, task->role) == 0)
    return g_strdup_printf ("%s · %s", task->role, state);

  return g_strdup_printf ("%s · %s · %s", task->role, task->cli, state);
}

static char *
explain_checks (const ForeTask *task)
{
  for (guint i = 0; task->checks != NULL && i < task->checks->len; i++)
    {
      const ForeCheck *check = g_ptr_array_index (task->checks, i);
      g_autofree char *label = fore_check_dup_label (check);

      if (check->verified == FORE_VERIFIED_COMPROMISED)
        return g_strdup_printf (_ ("What decides “%s” was changed by the work itself."), label);
      if (check->verified == FORE_VERIFIED_FAILED)
        return check->exit_code > 0
                   ? g_strdup_printf (_ ("“%s” failed with exit code %d."), label, check->exit_code)
                   : g_strdup_printf (_ ("“%s” failed."), label);
    }

  return NULL;
}

static const char *
explain_mark (const char *mark)
{
  if (g_strcmp0 (mark, FORE_LEADER_MARK) == 0)
    return _ ("What it said names files of your own checkout, which changed while it worked.");
  if (g_strcmp0 (mark, "silence") == 0)
    return _ ("It has said nothing for a while.");

  return mark;
}

/**
 * fore_task_item_dup_detail:
 * @self: a task item
 *
 * Returns: (transfer full) (nullable): one sentence: why it is not running, or why it ended badly
 */
char *
fore_task_item_dup_detail (ForeTaskItem *self)
{
  const ForeTask *task;

  g_return_val_if_fail (FORE_IS_TASK_ITEM (self), NULL);

  task = self->task;
  if (fore_task_status_get_class (task->status) == FORE_CLASS_FINISHED)
    {
      g_autofree char *checks = explain_checks (task);

      return task->status != FORE_TASK_COMPLETED ? g_strdup (task->message)
             : checks != NULL                    ? g_steal_pointer (&checks)
                                                 : g_strdup (explain_mark (task->mark));
    }
  if (task->waits_for != NULL)
    return g_strdup (task->waits_for);

  return g_strdup (explain_mark (task->mark));
}

static void
set_interrupted (ForeTaskItem *self, gboolean interrupted, gint64 last)
{
  ForeViewStatus status = get_view_status (self);

  self->interrupted = interrupted;
  self->last_alive = last;
  if (status == get_view_status (self))
    return;

  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_STATUS]);
  g_signal_emit (self, signals[CHANGED], 0);
}

/**
 * fore_task_items_set_interrupted:
 * @tasks: list of #ForeTaskItem
 * @interrupted: whether the runner of their run is gone, so that none of them is at work
 * @last: when something happened in the run for the last time, in microseconds since the epoch
 */
void
fore_task_items_set_interrupted (GListModel *tasks, gboolean interrupted, gint64 last)
{
  guint n = g_list_model_get_n_items (tasks);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (ForeTaskItem) item = g_list_model_get_item (tasks, i);

      if (item->interrupted != interrupted)
        set_interrupted (item, interrupted, last);
    }
}

/* How much a task is worth looking at: at work, ended badly, else the later the better. */
static gint64
rank (const ForeTask *task, guint position)
{
  if (task->status == FORE_TASK_RUNNING)
    return G_MAXINT64 - position;
  if (task->status == FORE_TASK_FAILED || task->status == FORE_TASK_NEEDS_ATTENTION)
    return G_MAXINT64 / 2 - position;

  return task->started;
}

/**
 * fore_task_items_pick:
 * @tasks: list of #ForeTaskItem
 *
 * Returns: (transfer none) (nullable): key of the task that is most worth looking at: the first one
 *   at work, else the first one that ended badly, else the one that started last
 */
const char *
fore_task_items_pick (GListModel *tasks)
{
  guint n = g_list_model_get_n_items (tasks);
  const char *best = NULL;
  gint64 best_rank = -1;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (ForeTaskItem) item = g_list_model_get_item (tasks, i);
      gint64 its_rank = rank (item->task, i);

      if (its_rank > best_rank)
        {
          best_rank = its_rank;
          best = item->task->key;
        }
    }

  return best;
}
