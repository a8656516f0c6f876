/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-conflict-watch.h"

#include "engine/fore-conflict-look.h"
#include "engine/fore-event-data.h"
#include "engine/fore-pool.h"
#include "platform/fore-clock.h"

#define SCRATCH_NAME "foresight"
/* What a look costs is waited for some times over; what it waits for, on a busy machine, is not. */
#define REST_FACTOR 3
#define MIN_REST_US (500 * 1000)
#define MAX_REST_US (1000 * 1000)
/* One that costs more than that is too dear to be made every second. */
#define DEAR_US (500 * 1000)
#define DEAR_FACTOR 2

struct _ForeConflictWatch
{
  GObject parent_instance;

  const ForeAttemptServices *services;
  char *scratch_dir;
  ForeConflictLook *last;
  gboolean looking;
  gboolean stopped;
  gint64 rests_until;
  guint again_source;
};

G_DEFINE_FINAL_TYPE (ForeConflictWatch, fore_conflict_watch, G_TYPE_OBJECT)

static void
fore_conflict_watch_finalize (GObject *object)
{
  ForeConflictWatch *self = FORE_CONFLICT_WATCH (object);

  g_clear_handle_id (&self->again_source, g_source_remove);
  g_free (self->scratch_dir);
  g_clear_pointer (&self->last, fore_conflict_look_free);

  G_OBJECT_CLASS (fore_conflict_watch_parent_class)->finalize (object);
}

static void
fore_conflict_watch_class_init (ForeConflictWatchClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fore_conflict_watch_finalize;
}

static void
fore_conflict_watch_init (ForeConflictWatch *self)
{
}

/**
 * fore_conflict_watch_new:
 * @services: what all attempts of the run share; outlives the watch, or fore_conflict_watch_stop()
 *   is called before
 *
 * Returns: (transfer full): a watch that has not looked yet
 */
ForeConflictWatch *
fore_conflict_watch_new (const ForeAttemptServices *services)
{
  ForeConflictWatch *self = g_object_new (FORE_TYPE_CONFLICT_WATCH, NULL);

  self->services = services;
  self->scratch_dir = g_build_filename (services->context->run_dir, SCRATCH_NAME, NULL);

  return self;
}

static void
tell (ForeConflictWatch *self, const char *pair, const char *const *paths)
{
  g_autofree char *one = NULL;
  g_autofree char *two = NULL;

  fore_conflict_pair_split (pair, &one, &two);
  fore_run_state_emit (self->services->state, FORE_EVENT_TASK_CONFLICT, one, 0,
                       fore_event_data_new ("s:with", two, "v:paths", paths, NULL));
}

static void
tell_differences (ForeConflictWatch *self, ForeConflictLook *look)
{
  static const char *const none[] = { NULL };
  GHashTable *before = self->last != NULL ? fore_conflict_look_get_pairs (self->last) : NULL;
  GHashTable *now = fore_conflict_look_get_pairs (look);
  GHashTableIter iter;
  gpointer pair, paths;

  g_hash_table_iter_init (&iter, now);
  while (g_hash_table_iter_next (&iter, &pair, &paths))
    {
      GStrv known = before != NULL ? g_hash_table_lookup (before, pair) : NULL;

      if (known == NULL || !g_strv_equal ((const char *const *) known, (const char *const *) paths))
        tell (self, pair, paths);
    }

  if (before == NULL)
    return;

  g_hash_table_iter_init (&iter, before);
  while (g_hash_table_iter_next (&iter, &pair, NULL))
    {
      if (!g_hash_table_contains (now, pair))
        tell (self, pair, none);
    }
}

static void
look_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  ForeConflictWatch *self = source;

  gint64 began = fore_clock_thread_cpu_us ();

  fore_conflict_look_run (data, self->last);
  g_task_return_int (task, (gssize) (fore_clock_thread_cpu_us () - began));
}

static gint64
choose_rest (gint64 cost_us)
{
  if (cost_us > DEAR_US)
    return cost_us * DEAR_FACTOR;

  return CLAMP (cost_us * REST_FACTOR, MIN_REST_US, MAX_REST_US);
}

static gboolean
look_again (gpointer user_data)
{
  ForeConflictWatch *self = user_data;

  self->again_source = 0;
  fore_conflict_watch_look (self);

  return G_SOURCE_REMOVE;
}

static void
looked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  ForeConflictWatch *self = FORE_CONFLICT_WATCH (source);
  g_autoptr (ForeConflictLook) look = user_data;
  gint64 rest_us = choose_rest (g_task_propagate_int (G_TASK (result), NULL));

  self->looking = FALSE;
  self->rests_until = fore_clock_boot_us () + rest_us;
  if (self->stopped)
    return;

  self->again_source = g_timeout_add ((guint) (rest_us / 1000) + 1, look_again, self);
  g_source_set_name_by_id (self->again_source, "foresee conflicts again");
  tell_differences (self, look);
  g_clear_pointer (&self->last, fore_conflict_look_free);
  self->last = g_steal_pointer (&look);
}

/**
 * fore_conflict_watch_look:
 * @self: a watch
 *
 * Looks again, unless it does so already or has to rest, and goes on by itself as long as there is
 * something to compare. Called about once a second while somebody is at work.
 */
void
fore_conflict_watch_look (ForeConflictWatch *self)
{
  g_autoptr (GTask) task = NULL;
  ForeConflictLook *look;

  g_return_if_fail (FORE_IS_CONFLICT_WATCH (self));

  if (self->looking || self->stopped || fore_clock_boot_us () < self->rests_until)
    return;

  look = fore_conflict_look_new (self->services->context->project, self->scratch_dir,
                                 fore_run_state_get_tasks (self->services->state));
  if (look == NULL)
    return;

  g_clear_handle_id (&self->again_source, g_source_remove);
  self->looking = TRUE;
  task = g_task_new (self, NULL, looked, look);
  g_task_set_name (task, "foresee conflicts");
  g_task_set_task_data (task, look, NULL);
  fore_pool_run (FORE_POOL_GIT, task, look_in_thread);
}

/**
 * fore_conflict_watch_stop:
 * @self: a watch
 *
 * Nothing is told any more.
 */
void
fore_conflict_watch_stop (ForeConflictWatch *self)
{
  g_return_if_fail (FORE_IS_CONFLICT_WATCH (self));

  self->stopped = TRUE;
  g_clear_handle_id (&self->again_source, g_source_remove);
}
