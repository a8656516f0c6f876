/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store/fore-committer-private.h"

#include "platform/fore-dirs.h"
#include "platform/fore-timer.h"

#define GROUP_US (20 * 1000)
#define POLL_US (2 * G_USEC_PER_SEC)
#define CHECKPOINT_PAGES 2000
#define LAST_BUSY_MS 200
#define MAX_COMMITS 4

static void
complete_barriers_locked (ForeCommitter *self, guint64 up_to, const GError *error)
{
  g_autoptr (GPtrArray) tasks = g_ptr_array_new_with_free_func (g_object_unref);
  ForeBarrier *barrier;

  while ((barrier = g_queue_peek_head (&self->barriers)) != NULL && barrier->after <= up_to)
    {
      g_ptr_array_add (tasks, barrier->task);
      g_free (g_queue_pop_head (&self->barriers));
    }

  g_cond_broadcast (&self->cond);
  if (tasks->len > 0)
    fore_owner_link_finish_tasks (self->link, g_steal_pointer (&tasks), error);
}

static void
fail_locked (ForeCommitter *self, GError *error)
{
  g_clear_error (&self->error);
  self->error = error;
  complete_barriers_locked (self, G_MAXUINT64, error);
  fore_owner_link_emit_failed (self->link, error);
}

static gboolean
needs_sync_locked (ForeCommitter *self)
{
  const ForeBarrier *first = g_queue_peek_head (&self->barriers);

  if (self->synced >= self->committed)
    return FALSE;

  return (first != NULL && first->after <= self->committed)
         || (self->synced < self->wanted && self->wanted <= self->committed);
}

static gint64
get_commit_due_locked (ForeCommitter *self)
{
  if (self->batch == NULL && g_queue_is_empty (&self->changes))
    return -1;

  if (self->stopping || self->batch != NULL || self->wanted > self->committed
      || self->n_queued >= FORE_COMMITTER_MAX_GROUP)
    return 0;

  return MIN (self->first_at, self->last_commit) + GROUP_US;
}

/* Whole changes only, and at least one. */
static void
fill_batch_locked (ForeCommitter *self)
{
  ForeBatch *change;

  if (self->batch != NULL)
    return;

  self->batch = g_queue_pop_head (&self->changes);
  self->batch_end++;
  while ((change = g_queue_peek_head (&self->changes)) != NULL
         && fore_batch_get_length (self->batch) + fore_batch_get_length (change)
                <= FORE_COMMITTER_MAX_GROUP)
    {
      fore_batch_join (self->batch, g_queue_pop_head (&self->changes));
      self->batch_end++;
    }

  self->n_queued -= fore_batch_get_length (self->batch);
  self->first_at = g_get_monotonic_time ();
  g_cond_broadcast (&self->cond);
}

/* Called and returns with the mutex held. */
static void
commit_locked (ForeCommitter *self)
{
  GError *error = NULL;
  gint64 seq = self->seq;
  guint n_rows;
  gboolean done;

  fill_batch_locked (self);
  n_rows = fore_batch_get_length (self->batch);
  g_mutex_unlock (&self->mutex);

  done = fore_batch_commit (self->batch, self->sql, &self->seq, &error);
  if (done)
    {
      fore_run_indexer_take (self->indexer, self->batch);
      g_clear_pointer (&self->batch, fore_batch_free);
    }

  g_mutex_lock (&self->mutex);
  self->last_commit = g_get_monotonic_time ();
  if (!done)
    {
      fail_locked (self, error);
      return;
    }

  self->committed = self->batch_end;
  self->figures.n_commits++;
  self->figures.n_rows += n_rows;
  self->figures.n_events += (guint64) (self->seq - seq);
}

/* Called and returns with the mutex held. */
static void
sync_locked (ForeCommitter *self)
{
  guint64 committed = self->committed;
  gint64 begin = g_get_monotonic_time ();
  gint64 took;
  GError *error = NULL;
  gboolean done;

  g_mutex_unlock (&self->mutex);
  done = fore_sql_sync (self->sql, &error);
  took = g_get_monotonic_time () - begin;
  g_mutex_lock (&self->mutex);

  self->figures.n_syncs++;
  self->figures.sync_us += took;
  self->figures.worst_sync_us = MAX (self->figures.worst_sync_us, took);
  if (!done)
    {
      fail_locked (self, error);
      return;
    }

  self->synced = committed;
  complete_barriers_locked (self, self->synced, NULL);
}

/* Commits what is due and makes it durable once, so that a stream of barriers does not keep the
 * rest of the thread's work waiting. Returns whether something was committed. */
static gboolean
write_due (ForeCommitter *self)
{
  guint64 before;
  gboolean wrote;
  guint commits = 0;

  g_mutex_lock (&self->mutex);
  before = self->committed;
  while (self->error == NULL && commits < MAX_COMMITS)
    {
      gint64 due = get_commit_due_locked (self);

      if (needs_sync_locked (self))
        {
          sync_locked (self);
          break;
        }

      if (due < 0 || due > g_get_monotonic_time ())
        break;

      commit_locked (self);
      commits++;
    }

  wrote = self->committed != before;
  g_mutex_unlock (&self->mutex);

  return wrote;
}

static gboolean
has_rest (ForeCommitter *self)
{
  gboolean rest;

  g_mutex_lock (&self->mutex);
  rest = self->error == NULL && self->synced < self->queued;
  g_mutex_unlock (&self->mutex);

  return rest;
}

static void
look_for_inputs (ForeCommitter *self)
{
  g_autoptr (GError) error = NULL;

  self->look = FALSE;
  self->last_look = g_get_monotonic_time ();
  if (!fore_run_inputs_read (&self->inputs, self->sql, &error))
    {
      g_message ("what others wrote cannot be read, trying again: %s", error->message);
      return;
    }

  if (fore_run_inputs_is_empty (&self->inputs))
    return;

  g_mutex_lock (&self->mutex);
  fore_run_inputs_move (&self->inputs, &self->pending);
  g_mutex_unlock (&self->mutex);
  fore_owner_link_emit_input (self->link);
}

static void
checkpoint (ForeCommitter *self, gboolean truncate)
{
  g_autoptr (GError) error = NULL;

  if (!truncate && fore_sql_get_wal_pages (self->sql) < CHECKPOINT_PAGES)
    return;

  if (!fore_sql_checkpoint (self->sql, truncate, &error))
    g_message ("the log of a run stays as it is: %s", error->message);
}

/* Everything that is due now. Returns whether to go on. */
static gboolean
work (ForeCommitter *self)
{
  gboolean changed = write_due (self);
  gboolean go_on;

  changed |= fore_run_indexer_flush (self->indexer, FALSE);
  if (changed)
    {
      fore_store_ring (self->store);
      checkpoint (self, FALSE);
    }

  if (self->look || g_get_monotonic_time () >= self->last_look + POLL_US)
    look_for_inputs (self);

  g_mutex_lock (&self->mutex);
  go_on = !self->stopping;
  g_mutex_unlock (&self->mutex);

  return go_on;
}

static void
set_timer (ForeCommitter *self)
{
  gint64 due = self->last_look + POLL_US;
  gint64 index_due = fore_run_indexer_get_due (self->indexer);
  gint64 commit_due;

  g_mutex_lock (&self->mutex);
  commit_due = self->error == NULL ? get_commit_due_locked (self) : -1;
  if (self->stopping || (self->error == NULL && needs_sync_locked (self)))
    commit_due = 0;
  g_mutex_unlock (&self->mutex);

  if (commit_due >= 0)
    due = MIN (due, commit_due);
  if (index_due >= 0)
    due = MIN (due, index_due);

  g_source_set_ready_time (self->timer, due);
}

static void
on_bell (const char *path, ForeWatchEvents events, gpointer user_data)
{
  ForeCommitter *self = user_data;

  self->look = TRUE;
}

static void
start_watching (ForeCommitter *self)
{
  g_autofree char *bell = fore_dirs_dup_bell_path (fore_store_get_home (self->store));
  g_autoptr (GError) error = NULL;

  self->timer = fore_timer_source_new ("run writer");
  g_source_attach (self->timer, self->context);

  self->watch = fore_watch_new (bell, on_bell, self, self->context, &error);
  if (self->watch == NULL)
    g_message ("the bell cannot be watched, looking every two seconds: %s", error->message);
}

static void
stop_watching (ForeCommitter *self)
{
  g_clear_pointer (&self->watch, fore_watch_free);
  g_source_destroy (self->timer);
  g_clear_pointer (&self->timer, g_source_unref);
}

/* The last chance for what is queued, also if it could not be written before. */
static void
write_rest (ForeCommitter *self)
{
  g_mutex_lock (&self->mutex);
  g_clear_error (&self->error);
  self->wanted = self->queued;
  g_mutex_unlock (&self->mutex);

  while (has_rest (self))
    write_due (self);
  fore_run_indexer_flush (self->indexer, TRUE);
  fore_store_ring (self->store);

  sqlite3_busy_timeout (fore_sql_get_db (self->sql), LAST_BUSY_MS);
  checkpoint (self, TRUE);
}

gpointer
fore_committer_run (gpointer data)
{
  ForeCommitter *self = data;

  g_main_context_push_thread_default (self->context);
  start_watching (self);
  fore_run_indexer_load (self->indexer, self->sql);
  /* before anything is written: what is found now is of earlier owners or of others */
  look_for_inputs (self);
  while (work (self))
    {
      set_timer (self);
      g_main_context_iteration (self->context, TRUE);
    }

  write_rest (self);
  stop_watching (self);
  g_main_context_pop_thread_default (self->context);

  return NULL;
}
