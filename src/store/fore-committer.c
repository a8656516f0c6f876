/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store/fore-committer-private.h"

#include "model/fore-command.h"
#include "model/fore-message.h"
#include "model/fore-request.h"
#include "platform/fore-stall.h"

/**
 * fore_committer_new:
 * @writer: whose signals are emitted; not kept alive
 * @store: the store
 * @run_id: the run
 * @sql: (transfer full): the run's file
 * @seq: number of its last event
 * @context: where signals are emitted and barriers complete
 *
 * Returns: (transfer full): a committer, for fore_committer_close()
 */
ForeCommitter *
fore_committer_new (ForeRunWriter *writer,
                    ForeStore *store,
                    const char *run_id,
                    ForeSql *sql,
                    gint64 seq,
                    GMainContext *context)
{
  ForeCommitter *self = g_new0 (ForeCommitter, 1);

  self->link = fore_owner_link_new (writer, context);
  self->store = g_object_ref (store);
  g_mutex_init (&self->mutex);
  g_cond_init (&self->cond);
  g_queue_init (&self->changes);
  g_queue_init (&self->barriers);
  fore_run_inputs_init (&self->pending);
  fore_run_inputs_init (&self->inputs);
  self->context = g_main_context_new ();
  self->sql = sql;
  self->seq = seq;
  self->indexer = fore_run_indexer_new (store, run_id);
  self->thread = g_thread_new ("run-writer", fore_committer_run, self);

  return self;
}

static void
committer_free (ForeCommitter *self)
{
  fore_owner_link_unref (self->link);
  g_queue_clear_full (&self->changes, (GDestroyNotify) fore_batch_free);
  fore_batch_free (self->batch);
  fore_run_inputs_clear (&self->pending);
  fore_run_inputs_clear (&self->inputs);
  fore_run_indexer_free (self->indexer);
  fore_sql_free (self->sql);
  g_clear_error (&self->error);
  g_main_context_unref (self->context);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->cond);
  g_object_unref (self->store);
  g_free (self);
}

/**
 * fore_committer_push:
 * @self: a committer
 * @change: (transfer full): what becomes visible as a whole
 *
 * Waits while the queue is full, except while the committer is stuck.
 */
void
fore_committer_push (ForeCommitter *self, ForeBatch *change)
{
  gboolean wake;

  g_mutex_lock (&self->mutex);
  while (self->n_queued >= FORE_COMMITTER_MAX_QUEUED && self->error == NULL)
    g_cond_wait (&self->cond, &self->mutex);

  wake = g_queue_is_empty (&self->changes);
  if (wake)
    self->first_at = g_get_monotonic_time ();
  self->n_queued += fore_batch_get_length (change);
  self->figures.most_queued = MAX (self->figures.most_queued, self->n_queued);
  self->queued++;
  g_queue_push_tail (&self->changes, change);
  wake |= self->n_queued >= FORE_COMMITTER_MAX_GROUP;
  g_mutex_unlock (&self->mutex);

  if (wake)
    g_main_context_wakeup (self->context);
}

/**
 * fore_committer_barrier_async:
 * @self: a committer
 * @task: (transfer full): returns %TRUE when everything pushed so far is durable
 */
void
fore_committer_barrier_async (ForeCommitter *self, GTask *task)
{
  g_autoptr (GTask) owned = task;
  g_autoptr (GError) error = NULL;
  gboolean done = FALSE;

  g_mutex_lock (&self->mutex);
  self->figures.n_barriers++;
  if (self->error != NULL)
    error = g_error_copy (self->error);
  else if (self->queued <= self->synced)
    done = TRUE;
  else
    {
      ForeBarrier *barrier = g_new0 (ForeBarrier, 1);

      barrier->after = self->wanted = self->queued;
      barrier->task = g_steal_pointer (&owned);
      g_queue_push_tail (&self->barriers, barrier);
    }
  g_mutex_unlock (&self->mutex);

  if (error != NULL)
    g_task_return_error (owned, g_steal_pointer (&error));
  else if (done)
    g_task_return_boolean (owned, TRUE);
  else
    g_main_context_wakeup (self->context);
}

/**
 * fore_committer_barrier:
 * @self: a committer
 * @error: return location
 *
 * Waits until everything pushed so far is durable.
 *
 * Returns: %FALSE on an error
 */
gboolean
fore_committer_barrier (ForeCommitter *self, GError **error)
{
  gboolean done;
  guint64 after;

  fore_stall_blocks ("a barrier");
  g_mutex_lock (&self->mutex);
  self->figures.n_barriers++;
  after = self->wanted = self->queued;
  g_main_context_wakeup (self->context);
  while (self->synced < after && self->error == NULL)
    g_cond_wait (&self->cond, &self->mutex);

  done = self->synced >= after;
  if (!done)
    g_propagate_error (error, g_error_copy (self->error));
  g_mutex_unlock (&self->mutex);

  return done;
}

/**
 * fore_committer_has_failed:
 * @self: a committer
 *
 * Returns: whether it is stuck
 */
gboolean
fore_committer_has_failed (ForeCommitter *self)
{
  gboolean failed;

  g_mutex_lock (&self->mutex);
  failed = self->error != NULL;
  g_mutex_unlock (&self->mutex);

  return failed;
}

/**
 * fore_committer_retry:
 * @self: a committer
 *
 * Tries again what could not be written.
 */
void
fore_committer_retry (ForeCommitter *self)
{
  g_mutex_lock (&self->mutex);
  g_clear_error (&self->error);
  self->wanted = self->queued;
  g_mutex_unlock (&self->mutex);

  g_main_context_wakeup (self->context);
}

static GPtrArray *
take (ForeCommitter *self, GPtrArray **list, GDestroyNotify destroy)
{
  GPtrArray *taken;

  g_mutex_lock (&self->mutex);
  taken = *list;
  *list = g_ptr_array_new_with_free_func (destroy);
  g_mutex_unlock (&self->mutex);

  return taken;
}

/**
 * fore_committer_take_answers:
 * @self: a committer
 *
 * Returns: (transfer full) (element-type ForeAnswer): answers nobody took yet
 */
GPtrArray *
fore_committer_take_answers (ForeCommitter *self)
{
  return take (self, &self->pending.answers, (GDestroyNotify) fore_answer_free);
}

/**
 * fore_committer_take_commands:
 * @self: a committer
 *
 * Returns: (transfer full) (element-type ForeCommand): commands nobody took yet
 */
GPtrArray *
fore_committer_take_commands (ForeCommitter *self)
{
  return take (self, &self->pending.commands, (GDestroyNotify) fore_command_free);
}

/**
 * fore_committer_take_messages:
 * @self: a committer
 *
 * Returns: (transfer full) (element-type ForeMessage): messages nobody took yet
 */
GPtrArray *
fore_committer_take_messages (ForeCommitter *self)
{
  return take (self, &self->pending.messages, (GDestroyNotify) fore_message_free);
}

/**
 * fore_committer_is_behind:
 * @self: a committer
 *
 * Returns: whether half of what may be queued is
 */
gboolean
fore_committer_is_behind (ForeCommitter *self)
{
  gboolean behind;

  g_mutex_lock (&self->mutex);
  behind = self->n_queued >= FORE_COMMITTER_BEHIND;
  g_mutex_unlock (&self->mutex);

  return behind;
}

/**
 * fore_committer_get_figures:
 * @self: a committer
 * @figures: (out): what it did so far
 */
void
fore_committer_get_figures (ForeCommitter *self, ForeWriterFigures *figures)
{
  g_mutex_lock (&self->mutex);
  *figures = self->figures;
  g_mutex_unlock (&self->mutex);
}

/**
 * fore_committer_stop:
 * @self: a committer
 *
 * Of the owner's thread: nothing is pushed any more and no signal comes; the thread writes what is
 * left and ends.
 */
void
fore_committer_stop (ForeCommitter *self)
{
  fore_owner_link_cut (self->link);
  g_mutex_lock (&self->mutex);
  self->stopping = TRUE;
  g_mutex_unlock (&self->mutex);
  g_main_context_wakeup (self->context);
}

/**
 * fore_committer_close:
 * @self: (transfer full): a committer that was stopped
 * @error: return location
 *
 * Waits until what was queued is written and the log is empty. Any thread.
 *
 * Returns: %FALSE if something could not be written and is lost
 */
gboolean
fore_committer_close (ForeCommitter *self, GError **error)
{
  gboolean done;

  g_thread_join (self->thread);

  done = self->error == NULL;
  if (!done)
    g_propagate_error (error, g_steal_pointer (&self->error));
  committer_free (self);

  return done;
}
