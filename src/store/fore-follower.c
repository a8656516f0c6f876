/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store/fore-follower.h"

#include "store/fore-follow-thread.h"

struct _ForeFollower
{
  GObject parent_instance;

  ForeStore *store;
  char *run_id; /* NULL for the index */
  gboolean with_events;
  guint page_size;
  ForeFollowThread *thread;
};

enum
{
  SIGNAL_RUN_CHANGED,
  SIGNAL_INDEX_CHANGED,
  SIGNAL_FAILED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (ForeFollower, fore_follower, G_TYPE_OBJECT)

static void
on_news (const ForeFollowNews *news, gpointer user_data)
{
  ForeFollower *self = FORE_FOLLOWER (user_data);
  g_autoptr (ForeFollower) alive = g_object_ref (self);

  if (news->error != NULL)
    g_signal_emit (self, signals[SIGNAL_FAILED], 0, news->error);
  else if (news->delta != NULL)
    g_signal_emit (self, signals[SIGNAL_RUN_CHANGED], 0, news->delta);
  else
    g_signal_emit (self, signals[SIGNAL_INDEX_CHANGED], 0, news->runs, news->requests);
}

static void
fore_follower_dispose (GObject *object)
{
  fore_follower_stop (FORE_FOLLOWER (object));

  G_OBJECT_CLASS (fore_follower_parent_class)->dispose (object);
}

static void
fore_follower_finalize (GObject *object)
{
  ForeFollower *self = FORE_FOLLOWER (object);

  g_clear_object (&self->store);
  g_free (self->run_id);

  G_OBJECT_CLASS (fore_follower_parent_class)->finalize (object);
}

static void
fore_follower_class_init (ForeFollowerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = fore_follower_dispose;
  object_class->finalize = fore_follower_finalize;

  /**
   * ForeFollower::run-changed:
   * @delta: (type gpointer): a #ForeRunDelta, valid while the signal is emitted; its lists may be
   *   referenced for longer
   */
  signals[SIGNAL_RUN_CHANGED] = g_signal_new ("run-changed", G_TYPE_FROM_CLASS (klass),
                                              G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                              1, G_TYPE_POINTER);

  /**
   * ForeFollower::index-changed:
   * @runs: (element-type ForeRun): a page of runs, newest first
   * @requests: (element-type ForeRequest): open requests and those of today, oldest first
   */
  signals[SIGNAL_INDEX_CHANGED] = g_signal_new ("index-changed", G_TYPE_FROM_CLASS (klass),
                                                G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                                2, G_TYPE_PTR_ARRAY, G_TYPE_PTR_ARRAY);

  /**
   * ForeFollower::failed:
   * @error: (type GError): why the file could not be read; told once until it can be again
   */
  signals[SIGNAL_FAILED] = g_signal_new ("failed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                         NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_ERROR);
}

static void
fore_follower_init (ForeFollower *self)
{
}

/**
 * fore_follower_new_for_run:
 * @store: the store
 * @run_id: a run
 * @with_events: whether events come too
 *
 * Returns: (transfer full): a follower of one run's file, not started
 */
ForeFollower *
fore_follower_new_for_run (ForeStore *store, const char *run_id, gboolean with_events)
{
  ForeFollower *self;

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);
  g_return_val_if_fail (run_id != NULL, NULL);

  self = g_object_new (FORE_TYPE_FOLLOWER, NULL);
  self->store = g_object_ref (store);
  self->run_id = g_strdup (run_id);
  self->with_events = with_events;

  return self;
}

/**
 * fore_follower_new_for_index:
 * @store: the store
 * @page_size: most runs, 0 for all
 *
 * Returns: (transfer full): a follower of the index, not started
 */
ForeFollower *
fore_follower_new_for_index (ForeStore *store, guint page_size)
{
  ForeFollower *self;

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);

  self = g_object_new (FORE_TYPE_FOLLOWER, NULL);
  self->store = g_object_ref (store);
  self->page_size = page_size;

  return self;
}

/**
 * fore_follower_start:
 * @self: a follower
 *
 * Begins to follow; signals are emitted on the thread-default main context of the caller, the first
 * one with everything. After fore_follower_stop() it begins anew.
 */
void
fore_follower_start (ForeFollower *self)
{
  g_return_if_fail (FORE_IS_FOLLOWER (self));

  if (self->thread == NULL)
    self->thread = fore_follow_thread_start (self->store, self->run_id, self->with_events,
                                             self->page_size, on_news, self);
}

/**
 * fore_follower_stop:
 * @self: a follower
 *
 * No signal is emitted after this. Does not wait for anything.
 */
void
fore_follower_stop (ForeFollower *self)
{
  g_return_if_fail (FORE_IS_FOLLOWER (self));

  g_clear_pointer (&self->thread, fore_follow_thread_stop);
}
