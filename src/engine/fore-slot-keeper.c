/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-slot-keeper.h"

#include "engine/fore-event-data.h"
#include "platform/fore-process.h"
#include "platform/fore-slot-line.h"
#include "platform/fore-slots.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Who is first in line has so long to take a slot that became free. */
#define TURN_MS 50

typedef struct
{
  const char *name;
  guint machine;
  guint run;
  ForeWatch *watch;
  ForeSlotLine *line;
  gboolean freed;     /* since we were told that it is another's turn */
  gboolean impatient; /* the turn of those before us is over */
} Pool;

struct _ForeSlotKeeper
{
  GObject parent_instance;

  ForeRunContext *context;
  ForeRunState *state;
  Pool pools[FORE_N_SLOT_POOLS];
  guint used[FORE_N_SLOT_POOLS];
  guint at_once; /* of all pools together, 0 for as many as these hold */
  gboolean machine_full[FORE_N_SLOT_POOLS];
  guint turn_source;
  GHashTable *by_role;
  GHashTable *by_cli;
};

enum
{
  FREED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (ForeSlotKeeper, fore_slot_keeper, G_TYPE_OBJECT)

static void
fore_slot_keeper_finalize (GObject *object)
{
  ForeSlotKeeper *self = FORE_SLOT_KEEPER (object);

  g_clear_handle_id (&self->turn_source, g_source_remove);
  for (guint i = 0; i < FORE_N_SLOT_POOLS; i++)
    {
      g_clear_pointer (&self->pools[i].watch, fore_watch_free);
      g_clear_pointer (&self->pools[i].line, fore_slot_line_free);
    }
  g_clear_pointer (&self->by_role, g_hash_table_unref);
  g_clear_pointer (&self->by_cli, g_hash_table_unref);

  G_OBJECT_CLASS (fore_slot_keeper_parent_class)->finalize (object);
}

static void
fore_slot_keeper_class_init (ForeSlotKeeperClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fore_slot_keeper_finalize;

  signals[FREED] = g_signal_new ("freed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);
}

static void
fore_slot_keeper_init (ForeSlotKeeper *self)
{
  self->by_role = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->by_cli = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

/**
 * fore_slot_pool_for_task:
 * @task: a task
 *
 * Returns: the pool that it takes its slot from
 */
ForeSlotPool
fore_slot_pool_for_task (const ForeTask *task)
{
  return fore_task_has_agent (task) ? FORE_SLOT_POOL_AGENTS : FORE_SLOT_POOL_COMMANDS;
}

/* What team and workflow say holds whatever works, agents or commands. */
static guint
find_limit (const ForeRunContext *context)
{
  guint team = context->team->max_agents;
  guint workflow = context->workflow->max_agents;

  return team > 0 && workflow > 0 ? MIN (team, workflow) : MAX (team, workflow);
}

static void
set_limits (ForeSlotKeeper *self)
{
  ForeSettings *settings = self->context->settings;
  const ForeRun *run = fore_run_state_get_run (self->state);
  guint jobs = run->options.jobs;
  guint commands = MAX (8, 2 * fore_platform_get_cores ());
  guint agents = (guint) fore_settings_get_int (settings, "limits.run_agents");

  if (fore_settings_is_set (settings, "limits.machine_commands"))
    commands = (guint) fore_settings_get_int (settings, "limits.machine_commands");
  self->at_once = jobs > 0 ? jobs : find_limit (self->context);
  if (self->at_once > 0)
    agents = MIN (agents, self->at_once);

  self->pools[FORE_SLOT_POOL_AGENTS]
      = (Pool){ "agents", (guint) fore_settings_get_int (settings, "limits.machine_agents"),
                jobs > 0 ? jobs : agents };
  self->pools[FORE_SLOT_POOL_COMMANDS] = (Pool){ "commands", commands, jobs > 0 ? jobs : commands };

  for (guint i = 0; i < FORE_N_SLOT_POOLS; i++)
    self->pools[i].line = fore_slot_line_new (self->context->home, self->pools[i].name, run->id);

  if (jobs > self->pools[FORE_SLOT_POOL_AGENTS].machine)
    fore_run_state_emit (
        self->state, FORE_EVENT_LIMIT_CAPPED, NULL, 0,
        fore_event_data_new ("s:limit", "limits.machine_agents", "i:asked", (gint64) jobs,
                             "i:given", (gint64) self->pools[FORE_SLOT_POOL_AGENTS].machine, NULL));
}

/**
 * fore_slot_keeper_new:
 * @context: what the run is carried out with; outlives the keeper
 * @state: the run; outlives the keeper
 *
 * Returns: (transfer full): a keeper
 */
ForeSlotKeeper *
fore_slot_keeper_new (ForeRunContext *context, ForeRunState *state)
{
  ForeSlotKeeper *self = g_object_new (FORE_TYPE_SLOT_KEEPER, NULL);

  self->context = context;
  self->state = state;
  set_limits (self);

  return self;
}

static guint
get_count (GHashTable *counts, const char *name)
{
  return name != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (counts, name)) : 0;
}

static void
add_count (GHashTable *counts, const char *name, int step)
{
  if (name != NULL)
    g_hash_table_replace (counts, g_strdup (name),
                          GUINT_TO_POINTER (get_count (counts, name) + step));
}

static guint
count_used (ForeSlotKeeper *self)
{
  guint n = 0;

  for (guint i = 0; i < FORE_N_SLOT_POOLS; i++)
    n += self->used[i];

  return n;
}

static gboolean
is_at_limit (ForeSlotKeeper *self)
{
  return self->at_once > 0 && count_used (self) >= self->at_once;
}

static char *
check_counts (ForeSlotKeeper *self, const ForeTask *task, ForeSlotPool pool)
{
  const ForeTeamRole *role = fore_team_get_role (self->context->team, task->role);
  g_autofree char *setting = NULL;

  if (self->used[pool] >= self->pools[pool].run)
    return g_strdup_printf (_ ("waits for a free place: %u of %u in this run are at work"),
                            self->used[pool], self->pools[pool].run);

  if (is_at_limit (self))
    return g_strdup_printf (_ ("waits for a free place: %u of %u in this run are at work"),
                            count_used (self), self->at_once);

  if (role != NULL && role->max_agents > 0
      && get_count (self->by_role, task->role) >= role->max_agents)
    return g_strdup_printf (_ ("waits for a free place in the role %s"), task->role);

  if (task->cli == NULL || pool == FORE_SLOT_POOL_COMMANDS)
    return NULL;

  setting = g_strconcat ("limits.cli_agents.", task->cli, NULL);
  if (fore_settings_is_set (self->context->settings, setting)
      && get_count (self->by_cli, task->cli)
             >= fore_settings_get_int (self->context->settings, setting))
    return g_strdup_printf (_ ("waits for a free place with %s"), task->cli);

  return NULL;
}

static void
slot_freed (const char *path, ForeWatchEvents events, gpointer user_data)
{
  ForeSlotKeeper *self = user_data;

  for (guint i = 0; i < FORE_N_SLOT_POOLS; i++)
    self->pools[i].freed = TRUE;
  g_signal_emit (self, signals[FREED], 0);
}

static gboolean
turn_is_over (gpointer user_data)
{
  ForeSlotKeeper *self = user_data;

  self->turn_source = 0;
  for (guint i = 0; i < FORE_N_SLOT_POOLS; i++)
    self->pools[i].impatient = TRUE;
  g_signal_emit (self, signals[FREED], 0);

  return G_SOURCE_REMOVE;
}

/* Others came first, and a slot may have become free for them: they get a moment to take it. */
static void
wait_for_turn (ForeSlotKeeper *self, Pool *pool)
{
  if (!pool->freed || self->turn_source != 0)
    return;

  pool->freed = FALSE;
  self->turn_source = g_timeout_add (TURN_MS, turn_is_over, self);
  g_source_set_name_by_id (self->turn_source, "turn of another run");
}

static char *
stand_in_line (ForeSlotKeeper *self, Pool *pool, const GError *error)
{
  fore_slot_line_stand (pool->line);
  if (pool->watch == NULL)
    pool->watch = fore_slots_watch (self->context->home, pool->name, slot_freed, self, NULL, NULL);

  if (error != NULL)
    return g_strdup (error->message);

  return g_strdup_printf (_ ("waits for a free place: all %u of this machine are at work"),
                          pool->machine);
}

/* (nullable): a slot of the machine, if it is our turn to take one. */
static ForeSlot *
take_slot (ForeSlotKeeper *self, Pool *pool, GError **error)
{
  gboolean our_turn = fore_slot_line_is_our_turn (pool->line);
  ForeSlot *slot;

  if (!our_turn && !pool->impatient)
    {
      wait_for_turn (self, pool);
      return NULL;
    }

  pool->impatient = FALSE;
  slot = fore_slot_try (self->context->home, pool->name, pool->machine, error);
  if (slot == NULL)
    return NULL;

  if (!our_turn)
    fore_slot_line_pass (pool->line);
  fore_slot_line_leave (pool->line);

  return slot;
}

/**
 * fore_slot_keeper_take:
 * @self: a keeper
 * @task: a task that is ready
 * @reason: (out) (nullable) (transfer full): one phrase: why there is no place for it
 *
 * Takes a place for @task; a script, which waits for others nearly all of its time, needs none.
 * Among the runs that wait for one of the machine's, each gets one in
 * turn.
 *
 * Returns: (transfer full) (nullable) (element-type ForeSlot): the machine's slots for its guard
 */
GPtrArray *
fore_slot_keeper_take (ForeSlotKeeper *self, const ForeTask *task, char **reason)
{
  ForeSlotPool kind = fore_slot_pool_for_task (task);
  Pool *pool = &self->pools[kind];
  g_autoptr (GError) error = NULL;
  ForeSlot *slot;
  GPtrArray *slots;

  g_return_val_if_fail (FORE_IS_SLOT_KEEPER (self), NULL);

  self->machine_full[kind] = FALSE;
  *reason = NULL;
  if (fore_task_is_script (task))
    return g_ptr_array_new ();

  *reason = check_counts (self, task, kind);
  if (*reason != NULL)
    return NULL;

  slot = take_slot (self, pool, &error);
  self->machine_full[kind] = slot == NULL;
  if (slot == NULL)
    {
      *reason = stand_in_line (self, pool, error);
      return NULL;
    }

  slots = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_slot_free);
  g_ptr_array_add (slots, slot);
  fore_slot_keeper_count (self, task);

  return slots;
}

/**
 * fore_slot_keeper_end_round:
 * @self: a keeper
 * @pool: a pool
 * @refused: whether the last that asked got no place
 *
 * Nobody asks for more just now. A run that waits for no slot of the machine does not stand in
 * line.
 */
void
fore_slot_keeper_end_round (ForeSlotKeeper *self, ForeSlotPool pool, gboolean refused)
{
  g_return_if_fail (FORE_IS_SLOT_KEEPER (self));
  g_return_if_fail (pool < FORE_N_SLOT_POOLS);

  if (!refused || !self->machine_full[pool])
    fore_slot_line_leave (self->pools[pool].line);
}

/**
 * fore_slot_keeper_is_full:
 * @self: a keeper
 * @pool: a pool for which a place was just refused
 *
 * Returns: whether no task at all gets a place there; otherwise only the role or agent CLI of the
 *   task that was refused has none
 */
gboolean
fore_slot_keeper_is_full (ForeSlotKeeper *self, ForeSlotPool pool)
{
  g_return_val_if_fail (FORE_IS_SLOT_KEEPER (self), TRUE);
  g_return_val_if_fail (pool < FORE_N_SLOT_POOLS, TRUE);

  return self->machine_full[pool] || self->used[pool] >= self->pools[pool].run
         || is_at_limit (self);
}

/**
 * fore_slot_keeper_count:
 * @self: a keeper
 * @task: a task that is at work already, with a slot that its guard holds
 */
void
fore_slot_keeper_count (ForeSlotKeeper *self, const ForeTask *task)
{
  g_return_if_fail (FORE_IS_SLOT_KEEPER (self));

  if (fore_task_is_script (task))
    return;

  self->used[fore_slot_pool_for_task (task)]++;
  add_count (self->by_role, task->role, 1);
  add_count (self->by_cli, task->cli, 1);
}

/**
 * fore_slot_keeper_give_back:
 * @self: a keeper
 * @task: a task whose attempt is over
 */
void
fore_slot_keeper_give_back (ForeSlotKeeper *self, const ForeTask *task)
{
  g_return_if_fail (FORE_IS_SLOT_KEEPER (self));

  if (fore_task_is_script (task))
    return;

  self->used[fore_slot_pool_for_task (task)]--;
  add_count (self->by_role, task->role, -1);
  add_count (self->by_cli, task->cli, -1);
}
