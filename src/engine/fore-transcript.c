/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-transcript.h"

#include "engine/fore-error-output.h"
#include "engine/fore-transcript-private.h"
#include "platform/fore-dirs.h"
#include "platform/fore-exits-reader.h"
#include "platform/fore-watch.h"
#include "store/fore-capture.h"
#include "store/fore-run-reader.h"

#include <string.h>

/* The worker waits when so many entries have not been taken by the main context. */
#define MAX_PENDING 20000
/* Pieces of one text are joined up to this size before they are handed over. */
#define MAX_JOINED (64 * 1024)
/* A guard that was killed writes nothing and wakes nobody. */
#define POLL_MS 2000

/* What the transcript and its worker thread have in common. */
typedef struct
{
  gatomicrefcount refs;
  GMutex lock;
  GCond room;
  gboolean stopped;      /* by lock */
  gboolean queued;       /* by lock: a dispatch is on its way */
  gboolean ended;        /* by lock */
  GPtrArray *pending;    /* by lock; element-type ForeEntry */
  GMainContext *context; /* of the transcript */
  GMainContext *worker;
  ForeTranscript *owner; /* only in @context; NULL once it has stopped */
} Shared;

struct _ForeTranscript
{
  GObject parent_instance;

  ForeStore *store;
  char *run_id;
  char *task;
  guint attempt;
  Shared *shared;
};

G_DEFINE_FINAL_TYPE (ForeTranscript, fore_transcript, G_TYPE_OBJECT)

enum
{
  SIGNAL_ENTRIES,
  SIGNAL_ENDED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

/* Lives on the worker thread. */
typedef struct
{
  Shared *shared;
  ForeStore *store;
  char *run_id;
  char *task;
  guint attempt;
  gboolean live;
  gboolean attempt_finished;
  gboolean exit_seen;
  gboolean said;
  guint64 rev;
  ForeDecoder *decoder;
  ForeCapture *capture;
  ForeErrorOutput *errors;
  ForeExitsReader *exits;
  ForeWatch *bell;
  ForeWatch *capture_watch;
  ForeWatch *errors_watch;
  ForeWatch *exits_watch;
  GSource *poll;
} Worker;

static Shared *
shared_new (ForeTranscript *owner)
{
  Shared *shared = g_new0 (Shared, 1);

  g_atomic_ref_count_init (&shared->refs);
  g_mutex_init (&shared->lock);
  g_cond_init (&shared->room);
  shared->pending = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_entry_free);
  shared->context = g_main_context_ref_thread_default ();
  shared->worker = g_main_context_new ();
  shared->owner = owner;

  return shared;
}

static Shared *
shared_ref (Shared *shared)
{
  g_atomic_ref_count_inc (&shared->refs);
  return shared;
}

static void
shared_unref (Shared *shared)
{
  if (!g_atomic_ref_count_dec (&shared->refs))
    return;

  g_ptr_array_unref (shared->pending);
  g_main_context_unref (shared->context);
  g_main_context_unref (shared->worker);
  g_cond_clear (&shared->room);
  g_mutex_clear (&shared->lock);
  g_free (shared);
}

static gboolean
shared_is_stopped (Shared *shared)
{
  gboolean stopped;

  g_mutex_lock (&shared->lock);
  stopped = shared->stopped;
  g_mutex_unlock (&shared->lock);

  return stopped;
}

static gboolean
on_dispatch (gpointer user_data)
{
  Shared *shared = user_data;
  g_autoptr (ForeTranscript) owner = NULL;
  g_autoptr (GPtrArray) entries = NULL;
  gboolean ended;

  g_assert (shared != NULL);

  g_mutex_lock (&shared->lock);
  entries = g_steal_pointer (&shared->pending);
  shared->pending = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_entry_free);
  shared->queued = FALSE;
  ended = shared->ended;
  g_cond_signal (&shared->room);
  g_mutex_unlock (&shared->lock);

  if (shared->owner == NULL)
    return G_SOURCE_REMOVE;

  owner = g_object_ref (shared->owner);
  if (entries->len > 0)
    g_signal_emit (owner, signals[SIGNAL_ENTRIES], 0, entries);
  if (ended && shared->owner != NULL)
    g_signal_emit (owner, signals[SIGNAL_ENDED], 0);

  return G_SOURCE_REMOVE;
}

/* With the lock held. */
static void
queue_dispatch (Shared *shared)
{
  g_autoptr (GSource) source = NULL;

  if (shared->queued || shared->stopped)
    return;

  shared->queued = TRUE;
  source = g_idle_source_new ();
  g_source_set_static_name (source, "[foredeck] transcript entries");
  /* With what draws, in turns: below it, frames that take long would keep entries back for ever,
   * and above it a talkative agent the frames.
   */
  g_source_set_priority (source, G_PRIORITY_HIGH_IDLE + 20);
  g_source_set_callback (source, on_dispatch, shared_ref (shared), (GDestroyNotify) shared_unref);
  g_source_attach (source, shared->context);
}

static gboolean
join_last (GPtrArray *pending, const ForeEntry *entry)
{
  ForeEntry *last = pending->len > 0 ? pending->pdata[pending->len - 1] : NULL;
  char *joined;

  if (last == NULL || !entry->append || !last->append || entry->id == NULL
      || g_strcmp0 (last->id, entry->id) != 0 || last->state != entry->state || last->text == NULL
      || entry->text == NULL || strlen (last->text) + strlen (entry->text) > MAX_JOINED)
    return FALSE;

  joined = g_strconcat (last->text, entry->text, NULL);
  g_free (last->text);
  last->text = joined;
  last->offset = entry->offset;

  return TRUE;
}

static void
on_entry (const ForeEntry *entry, gpointer user_data)
{
  Worker *worker = user_data;
  Shared *shared = worker->shared;

  g_assert (entry != NULL);

  worker->said = worker->said || fore_transcript_says (entry);
  g_mutex_lock (&shared->lock);
  while (shared->pending->len >= MAX_PENDING && !shared->stopped)
    g_cond_wait (&shared->room, &shared->lock);
  if (!shared->stopped && !join_last (shared->pending, entry))
    g_ptr_array_add (shared->pending, fore_entry_copy (entry));
  queue_dispatch (shared);
  g_mutex_unlock (&shared->lock);
}

static void
on_wake (const char *path, ForeWatchEvents events, gpointer user_data)
{
  g_assert (path != NULL);
}

static gboolean
on_poll (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

/* Whoever waited for an attempt that its task will never begin has waited long enough. */
static gboolean
is_over (const ForeRunDelta *delta, const char *key)
{
  const ForeTask *task = fore_transcript_find_task (delta, key);

  return task != NULL && fore_task_status_get_class (task->status) == FORE_CLASS_FINISHED;
}

static void
worker_open (Worker *worker, const ForeAttempt *attempt)
{
  const char *home = fore_store_get_home (worker->store);
  g_autofree char *capture = NULL;
  g_autofree char *exits = NULL;

  worker->attempt = attempt->n;
  worker->live = attempt->live;
  worker->decoder = fore_transcript_new_decoder (attempt);

  capture = fore_capture_dup_path (home, worker->run_id, worker->task, attempt->n, "out");
  exits = fore_dirs_dup_exits_path (home, worker->run_id);
  worker->errors = fore_error_output_new (home, worker->run_id, attempt);
  worker->exits = fore_exits_reader_new (exits);
  worker->capture_watch = fore_watch_new (capture, on_wake, worker, worker->shared->worker, NULL);
  worker->errors_watch = fore_watch_new (fore_error_output_get_path (worker->errors), on_wake,
                                         worker, worker->shared->worker, NULL);
  worker->exits_watch = fore_watch_new (exits, on_wake, worker, worker->shared->worker, NULL);
  g_clear_pointer (&worker->bell, fore_watch_free);
}

/* Takes what the run's file says of the attempt. */
static void
worker_read_run (Worker *worker)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeRunDelta) delta = fore_run_read (worker->store, worker->run_id, worker->rev, 0, 0,
                                                  &error);
  const ForeAttempt *attempt;

  if (delta == NULL)
    {
      g_debug ("Run %s cannot be read: %s", worker->run_id, error->message);
      return;
    }

  worker->rev = delta->rev;
  attempt = fore_transcript_find_attempt (delta, worker->task, worker->attempt);
  if (attempt != NULL && worker->decoder == NULL)
    worker_open (worker, attempt);
  if (attempt != NULL)
    worker->attempt_finished = attempt->finished > 0;
  else if (worker->decoder == NULL && is_over (delta, worker->task))
    worker->attempt_finished = TRUE;
}

static void
on_record (const ForeGuardRecord *record, gpointer user_data)
{
  Worker *worker = user_data;
  g_autofree char *task = fore_guard_record_dup_task (record);

  g_assert (worker != NULL);

  if (record->kind == FORE_GUARD_EXIT && record->attempt == worker->attempt
      && g_strcmp0 (task, worker->task) == 0)
    worker->exit_seen = TRUE;
}

static gboolean
worker_has_ended (Worker *worker)
{
  if (worker->exits != NULL)
    fore_exits_reader_read (worker->exits, on_record, worker, NULL);

  return worker->exit_seen || worker->attempt_finished;
}

static gboolean
worker_open_capture (Worker *worker)
{
  g_autofree char *path = NULL;

  if (worker->capture != NULL || worker->decoder == NULL)
    return worker->capture != NULL;

  path = fore_capture_dup_path (fore_store_get_home (worker->store), worker->run_id, worker->task,
                                worker->attempt, "out");
  worker->capture = fore_capture_open (path, NULL);

  return worker->capture != NULL;
}

/* Reads to the end of what is there now. */
static void
worker_read_capture (Worker *worker)
{
  if (!worker_open_capture (worker))
    return;

  while (!shared_is_stopped (worker->shared))
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) bytes = fore_capture_read (worker->capture, &error);
      gsize length;
      const char *data;

      if (bytes == NULL)
        {
          g_debug ("A capture cannot be read: %s", error->message);
          return;
        }

      data = g_bytes_get_data (bytes, &length);
      if (length == 0)
        return;
      fore_decoder_feed (worker->decoder, data, length, on_entry, worker);
    }
}

static void
worker_read_errors (Worker *worker, gboolean ended)
{
  gboolean silent = ended && !worker->said;

  if (worker->errors == NULL || !fore_error_output_is_shown (worker->errors, silent))
    return;

  while (!shared_is_stopped (worker->shared))
    {
      if (!fore_error_output_read (worker->errors, on_entry, worker))
        break;
    }
  if (ended)
    fore_error_output_finish (worker->errors, on_entry, worker);
}

static void
worker_finish (Worker *worker)
{
  Shared *shared = worker->shared;

  if (worker->decoder != NULL)
    fore_decoder_finish (worker->decoder, on_entry, worker);
  worker_read_errors (worker, TRUE);

  g_mutex_lock (&shared->lock);
  shared->ended = TRUE;
  queue_dispatch (shared);
  g_mutex_unlock (&shared->lock);
}

static void
worker_start_watching (Worker *worker)
{
  g_autofree char *bell = fore_dirs_dup_bell_path (fore_store_get_home (worker->store));

  worker->bell = fore_watch_new (bell, on_wake, worker, worker->shared->worker, NULL);
  worker->poll = g_timeout_source_new (POLL_MS);
  g_source_set_callback (worker->poll, on_poll, NULL, NULL);
  g_source_attach (worker->poll, worker->shared->worker);
}

static void
worker_free (Worker *worker)
{
  g_clear_pointer (&worker->bell, fore_watch_free);
  g_clear_pointer (&worker->capture_watch, fore_watch_free);
  g_clear_pointer (&worker->errors_watch, fore_watch_free);
  g_clear_pointer (&worker->exits_watch, fore_watch_free);
  if (worker->poll != NULL)
    {
      g_source_destroy (worker->poll);
      g_source_unref (worker->poll);
    }
  g_clear_pointer (&worker->capture, fore_capture_free);
  g_clear_pointer (&worker->errors, fore_error_output_free);
  g_clear_pointer (&worker->exits, fore_exits_reader_free);
  g_clear_pointer (&worker->decoder, fore_decoder_free);
  g_object_unref (worker->store);
  g_free (worker->run_id);
  g_free (worker->task);
  shared_unref (worker->shared);
  g_free (worker);
}

static void
worker_follow (Worker *worker)
{
  gint64 read_at = 0;

  while (!shared_is_stopped (worker->shared))
    {
      gint64 now = g_get_monotonic_time ();
      gboolean ended;

      /* Until the attempt is there its row is all that can tell; later it is only the net. */
      if (worker->decoder == NULL || now - read_at >= POLL_MS * 1000)
        {
          worker_read_run (worker);
          read_at = now;
        }

      ended = worker_has_ended (worker);
      worker_read_capture (worker);
      if (ended)
        {
          worker_finish (worker);
          return;
        }
      worker_read_errors (worker, FALSE);

      g_main_context_iteration (worker->shared->worker, TRUE);
    }
}

static gpointer
worker_main (gpointer data)
{
  Worker *worker = data;
  GMainContext *context = worker->shared->worker;

  g_main_context_push_thread_default (context);
  worker_start_watching (worker);
  worker_follow (worker);
  g_main_context_pop_thread_default (context);
  worker_free (worker);

  return NULL;
}

static void
fore_transcript_dispose (GObject *object)
{
  ForeTranscript *self = FORE_TRANSCRIPT (object);

  fore_transcript_stop (self);
  g_clear_object (&self->store);

  G_OBJECT_CLASS (fore_transcript_parent_class)->dispose (object);
}

static void
fore_transcript_finalize (GObject *object)
{
  ForeTranscript *self = FORE_TRANSCRIPT (object);

  g_free (self->run_id);
  g_free (self->task);

  G_OBJECT_CLASS (fore_transcript_parent_class)->finalize (object);
}

static void
fore_transcript_class_init (ForeTranscriptClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = fore_transcript_dispose;
  object_class->finalize = fore_transcript_finalize;

  /**
   * ForeTranscript::entries:
   * @self: the transcript
   * @entries: (element-type ForeEntry): new or updated entries, in order
   *
   * Emitted when more was decoded.
   */
  signals[SIGNAL_ENTRIES] = g_signal_new ("entries", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST,
                                          0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_PTR_ARRAY);

  /**
   * ForeTranscript::ended:
   * @self: the transcript
   *
   * Emitted once, when the attempt has finished and everything was read.
   */
  signals[SIGNAL_ENDED] = g_signal_new ("ended", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                        NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
fore_transcript_init (ForeTranscript *self)
{
}

/**
 * fore_transcript_new:
 * @store: the store
 * @run_id: whole id of the run
 * @task: key of the task
 * @attempt: number of the attempt, or 0 for the newest one (the first, if none has begun)
 *
 * Makes a transcript that does not follow yet. Its signals are emitted in the thread-default main
 * context of the caller, in which alone it may be used.
 *
 * Returns: (transfer full): a new transcript
 */
ForeTranscript *
fore_transcript_new (ForeStore *store, const char *run_id, const char *task, guint attempt)
{
  ForeTranscript *self;

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);
  g_return_val_if_fail (run_id != NULL, NULL);
  g_return_val_if_fail (task != NULL, NULL);

  self = g_object_new (FORE_TYPE_TRANSCRIPT, NULL);
  self->store = g_object_ref (store);
  self->run_id = g_strdup (run_id);
  self->task = g_strdup (task);
  self->attempt = attempt;

  return self;
}

/**
 * fore_transcript_start:
 * @self: a transcript
 *
 * Starts to follow, from the beginning of the capture. Does nothing if it follows already.
 */
void
fore_transcript_start (ForeTranscript *self)
{
  Worker *worker;

  g_return_if_fail (FORE_IS_TRANSCRIPT (self));

  if (self->shared != NULL)
    return;

  self->shared = shared_new (self);
  worker = g_new0 (Worker, 1);
  worker->shared = shared_ref (self->shared);
  worker->store = g_object_ref (self->store);
  worker->run_id = g_strdup (self->run_id);
  worker->task = g_strdup (self->task);
  worker->attempt = self->attempt;

  g_thread_unref (g_thread_new ("transcript", worker_main, worker));
}

/**
 * fore_transcript_stop:
 * @self: a transcript
 *
 * Stops to follow; nothing is emitted after this. Does not wait for the worker thread.
 */
void
fore_transcript_stop (ForeTranscript *self)
{
  Shared *shared;

  g_return_if_fail (FORE_IS_TRANSCRIPT (self));

  shared = g_steal_pointer (&self->shared);
  if (shared == NULL)
    return;

  shared->owner = NULL;
  g_mutex_lock (&shared->lock);
  shared->stopped = TRUE;
  g_cond_signal (&shared->room);
  g_mutex_unlock (&shared->lock);
  g_main_context_wakeup (shared->worker);
  shared_unref (shared);
}
