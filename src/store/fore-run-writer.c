/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store/fore-run-writer-private.h"

#include "model/fore-error.h"
#include "model/fore-id.h"
#include "platform/fore-dirs.h"
#include "store/fore-run-file.h"
#include "store/fore-schema.h"
#include "store/fore-store-private.h"

#include <glib/gi18n-lib.h>
#include <unistd.h>

/* What it writes is at the end of its tables, in pages that are not read again for long. */
#define CACHE_KIB "512"

enum
{
  SIGNAL_FAILED,
  SIGNAL_INPUT,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (ForeRunWriter, fore_run_writer, G_TYPE_OBJECT)

void
fore_run_writer_push (ForeRunWriter *self)
{
  if (fore_batch_get_length (self->change) == 0)
    return;

  fore_committer_push (self->committer, self->change);
  self->change = fore_batch_new ();
}

/* Prepared between two dispatches, before all other sources: what was put so far is one change. */
typedef struct
{
  GSource source;
  ForeRunWriter *writer;
} BoundarySource;

static gboolean
prepare_boundary (GSource *source, int *timeout)
{
  fore_run_writer_push (((BoundarySource *) source)->writer);
  *timeout = -1;

  return FALSE;
}

static gboolean
dispatch_boundary (GSource *source, GSourceFunc callback, gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

static GSourceFuncs boundary_funcs
    = { prepare_boundary, NULL, dispatch_boundary, NULL, NULL, NULL };

static GSource *
boundary_new (ForeRunWriter *self, GMainContext *context)
{
  GSource *source = g_source_new (&boundary_funcs, sizeof (BoundarySource));

  ((BoundarySource *) source)->writer = self;
  g_source_set_static_name (source, "run writer's change");
  g_source_set_priority (source, G_MININT);
  g_source_attach (source, context);

  return source;
}

static void
fore_run_writer_dispose (GObject *object)
{
  ForeRunWriter *self = FORE_RUN_WRITER (object);
  g_autoptr (GError) error = NULL;

  if (!fore_run_writer_close (self, &error))
    g_message ("run %s: not everything was written: %s", self->run_id, error->message);

  G_OBJECT_CLASS (fore_run_writer_parent_class)->dispose (object);
}

static void
fore_run_writer_finalize (GObject *object)
{
  ForeRunWriter *self = FORE_RUN_WRITER (object);

  fore_batch_free (self->change);
  g_clear_object (&self->store);
  g_free (self->run_id);

  G_OBJECT_CLASS (fore_run_writer_parent_class)->finalize (object);
}

static void
fore_run_writer_class_init (ForeRunWriterClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = fore_run_writer_dispose;
  object_class->finalize = fore_run_writer_finalize;

  /**
   * ForeRunWriter::failed:
   * @error: (type GError): why
   *
   * Something could not be written, and nothing is until fore_run_writer_retry().
   */
  signals[SIGNAL_FAILED] = g_signal_new ("failed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                         NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_ERROR);

  /**
   * ForeRunWriter::input:
   *
   * There is something to take.
   */
  signals[SIGNAL_INPUT] = g_signal_new ("input", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                        NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
fore_run_writer_init (ForeRunWriter *self)
{
  self->change = fore_batch_new ();
}

static ForeLock *
take_lock (ForeStore *store, const char *run_id, GError **error)
{
  g_autofree char *path = fore_dirs_dup_owner_lock_path (fore_store_get_home (store), run_id);
  g_autofree char *holder = g_strdup_printf ("%s (process %d on %s)", g_get_prgname (),
                                             (int) getpid (), g_get_host_name ());
  ForeLock *lock = fore_lock_try (path, TRUE, holder, error);

  if (lock == NULL)
    g_prefix_error (error, _ ("Run “%s”: "), run_id);

  return lock;
}

static ForeSql *
open_file (ForeStore *store, const char *path, GError **error)
{
  g_autofree char *backup_dir = fore_dirs_dup_backup_dir (fore_store_get_home (store));
  g_autoptr (ForeSql) sql = fore_sql_open (path, FORE_SQL_WRITE, error);

  if (sql == NULL || !fore_schema_migrate (sql, fore_schema_get_run (), backup_dir, error))
    return NULL;

  /* groups are made durable by the committer, where somebody waits for that */
  if (!fore_sql_exec (sql, "PRAGMA synchronous = NORMAL", error)
      || !fore_sql_exec (sql, "PRAGMA cache_size = -" CACHE_KIB, error))
    return NULL;

  fore_sql_manage_checkpoints (sql);
  return g_steal_pointer (&sql);
}

static gboolean
start (ForeRunWriter *self, const char *path, GError **error)
{
  g_autoptr (GMainContext) context = g_main_context_ref_thread_default ();
  g_autoptr (ForeSql) sql = open_file (self->store, path, error);
  gint64 seq;

  if (sql == NULL || !fore_sql_get_int (sql, "SELECT max(seq) FROM events", &seq, error)
      || !fore_sql_get_int (sql, "SELECT max(id) FROM messages WHERE id % 2 = 0", &self->message_id,
                            error))
    return FALSE;

  self->event_seq = seq;
  fore_store_set_owns (self->store, self->run_id, TRUE);
  self->committer = fore_committer_new (self, self->store, self->run_id, g_steal_pointer (&sql),
                                        seq, context);
  self->boundary = boundary_new (self, context);

  return TRUE;
}

static gboolean
check_exists (const char *run_id, const char *path, GError **error)
{
  if (g_file_test (path, G_FILE_TEST_EXISTS))
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
               _ ("There is no run “%s”; “foredeckctl list” shows those that there are."), run_id);
  return FALSE;
}

/**
 * fore_run_writer_open:
 * @store: the store
 * @run_id: a run
 * @error: return location
 *
 * Becomes the owner of the run, and brings its file up to date if an older version made it. Signals
 * are emitted and barriers complete on the thread-default main context of the caller. Blocks.
 *
 * Returns: (transfer full) (nullable): the writer; %FORE_ERROR_BUSY names the owner
 */
ForeRunWriter *
fore_run_writer_open (ForeStore *store, const char *run_id, GError **error)
{
  g_autoptr (ForeRunWriter) self = NULL;
  g_autofree char *path = NULL;

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);
  g_return_val_if_fail (run_id != NULL, NULL);

  path = fore_dirs_dup_run_db_path (fore_store_get_home (store), run_id);
  if (!fore_id_is_run (run_id) || !check_exists (run_id, path, error))
    return NULL;

  self = g_object_new (FORE_TYPE_RUN_WRITER, NULL);
  self->store = g_object_ref (store);
  self->run_id = g_strdup (run_id);
  self->lock = take_lock (store, run_id, error);
  if (self->lock == NULL || !start (self, path, error))
    return NULL;

  return g_steal_pointer (&self);
}

/**
 * fore_run_writer_load:
 * @self: a writer
 * @max_events: most events, 0 for none, %G_MAXUINT for all
 * @error: return location
 *
 * Reads what the last owner left. Blocks.
 *
 * Returns: (transfer full) (nullable): everything in the run's file
 */
ForeRunDelta *
fore_run_writer_load (ForeRunWriter *self, guint max_events, GError **error)
{
  g_autoptr (ForeSql) sql = NULL;

  g_return_val_if_fail (FORE_IS_RUN_WRITER (self), NULL);

  sql = fore_run_file_open (self->store, self->run_id, FORE_SQL_READ, error);
  if (sql == NULL)
    return NULL;

  return fore_run_file_read (sql, FORE_RUN_VIEW_OWNER, 0, 0, max_events, error);
}

/**
 * fore_run_writer_next_message_id:
 * @self: a writer
 *
 * Returns: an id that no message has or will get otherwise
 */
gint64
fore_run_writer_next_message_id (ForeRunWriter *self)
{
  g_return_val_if_fail (FORE_IS_RUN_WRITER (self), 0);

  /* others count the odd ones up */
  self->message_id += 2;
  return self->message_id;
}

/**
 * fore_run_writer_barrier_async:
 * @self: a writer; once it is closed every barrier fails with %G_IO_ERROR_CLOSED
 * @cancellable: (nullable): to not care any more
 * @callback: called when everything put before is durable
 * @user_data: data for @callback
 *
 * Barriers that wait together share one commit and one sync.
 */
void
fore_run_writer_barrier_async (ForeRunWriter *self,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  GTask *task;

  g_return_if_fail (FORE_IS_RUN_WRITER (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, fore_run_writer_barrier_async);
  g_task_set_name (task, "run writer barrier");
  if (self->committer == NULL)
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CLOSED, "The run was given up");
      g_object_unref (task);
      return;
    }

  fore_run_writer_push (self);
  fore_committer_barrier_async (self->committer, task);
}

/**
 * fore_run_writer_barrier_finish:
 * @self: a writer
 * @result: what the callback got
 * @error: return location
 *
 * Returns: %FALSE if not all of it is durable
 */
gboolean
fore_run_writer_barrier_finish (ForeRunWriter *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * fore_run_writer_barrier:
 * @self: an open writer
 * @error: return location
 *
 * As fore_run_writer_barrier_async(), but blocks.
 *
 * Returns: %FALSE if not all of it is durable
 */
gboolean
fore_run_writer_barrier (ForeRunWriter *self, GError **error)
{
  g_return_val_if_fail (FORE_IS_RUN_WRITER (self) && self->committer != NULL, FALSE);

  fore_run_writer_push (self);
  return fore_committer_barrier (self->committer, error);
}

/**
 * fore_run_writer_has_failed:
 * @self: a writer
 *
 * Returns: whether it is stuck until fore_run_writer_retry()
 */
gboolean
fore_run_writer_has_failed (ForeRunWriter *self)
{
  g_return_val_if_fail (FORE_IS_RUN_WRITER (self), FALSE);

  return self->committer != NULL && fore_committer_has_failed (self->committer);
}

/**
 * fore_run_writer_retry:
 * @self: an open writer
 *
 * Tries again after a failure. Whether it worked says the next barrier, or
 * #ForeRunWriter::failed again.
 */
void
fore_run_writer_retry (ForeRunWriter *self)
{
  g_return_if_fail (FORE_IS_RUN_WRITER (self) && self->committer != NULL);

  fore_committer_retry (self->committer);
}

/**
 * fore_run_writer_take_answers:
 * @self: an open writer
 * @error: return location; nothing sets it so far
 *
 * Returns: (transfer full) (element-type ForeAnswer): answers that were not taken yet
 */
GPtrArray *
fore_run_writer_take_answers (ForeRunWriter *self, GError **error)
{
  g_return_val_if_fail (FORE_IS_RUN_WRITER (self) && self->committer != NULL, NULL);

  return fore_committer_take_answers (self->committer);
}

/**
 * fore_run_writer_take_commands:
 * @self: an open writer
 * @error: return location; nothing sets it so far
 *
 * Returns: (transfer full) (element-type ForeCommand): commands that were not taken yet
 */
GPtrArray *
fore_run_writer_take_commands (ForeRunWriter *self, GError **error)
{
  g_return_val_if_fail (FORE_IS_RUN_WRITER (self) && self->committer != NULL, NULL);

  return fore_committer_take_commands (self->committer);
}

/**
 * fore_run_writer_take_messages:
 * @self: an open writer
 * @error: return location; nothing sets it so far
 *
 * Returns: (transfer full) (element-type ForeMessage): messages that were not taken yet
 */
GPtrArray *
fore_run_writer_take_messages (ForeRunWriter *self, GError **error)
{
  g_return_val_if_fail (FORE_IS_RUN_WRITER (self) && self->committer != NULL, NULL);

  return fore_committer_take_messages (self->committer);
}

/**
 * fore_run_writer_is_behind:
 * @self: an open writer
 *
 * Returns: whether so much waits to be written that whoever can should put less for a while
 */
gboolean
fore_run_writer_is_behind (ForeRunWriter *self)
{
  g_return_val_if_fail (FORE_IS_RUN_WRITER (self), FALSE);

  return self->committer != NULL && fore_committer_is_behind (self->committer);
}

/**
 * fore_run_writer_get_figures:
 * @self: an open writer
 * @figures: (out): what it did so far
 */
void
fore_run_writer_get_figures (ForeRunWriter *self, ForeWriterFigures *figures)
{
  g_return_if_fail (FORE_IS_RUN_WRITER (self) && self->committer != NULL);

  fore_committer_get_figures (self->committer, figures);
}

/* The part of the owner's thread. */
static ForeCommitter *
stop (ForeRunWriter *self)
{
  g_source_destroy (self->boundary);
  g_clear_pointer (&self->boundary, g_source_unref);
  fore_run_writer_push (self);
  fore_committer_stop (self->committer);

  return g_steal_pointer (&self->committer);
}

/* The part that waits. */
static gboolean
release (ForeRunWriter *self, ForeCommitter *committer, GError **error)
{
  gboolean done = committer == NULL || fore_committer_close (committer, error);

  if (committer != NULL)
    fore_store_set_owns (self->store, self->run_id, FALSE);
  g_clear_pointer (&self->lock, fore_lock_free);

  return done;
}

/**
 * fore_run_writer_close:
 * @self: a writer
 * @error: return location
 *
 * Commits what is queued, durably, and gives the run up. Blocks. A second call does nothing.
 *
 * Returns: %FALSE if something could not be written and is lost
 */
gboolean
fore_run_writer_close (ForeRunWriter *self, GError **error)
{
  g_return_val_if_fail (FORE_IS_RUN_WRITER (self), FALSE);

  return release (self, self->committer != NULL ? stop (self) : NULL, error);
}

static void
close_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;

  if (release (source, data, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/**
 * fore_run_writer_close_async:
 * @self: a writer
 * @callback: called when the run was given up
 * @user_data: data for @callback
 *
 * As fore_run_writer_close(), in a thread. Nothing may be put any more.
 */
void
fore_run_writer_close_async (ForeRunWriter *self, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (FORE_IS_RUN_WRITER (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_name (task, "close run writer");
  g_task_set_source_tag (task, fore_run_writer_close_async);
  g_task_set_task_data (task, self->committer != NULL ? stop (self) : NULL, NULL);
  g_task_run_in_thread (task, close_in_thread);
}

/**
 * fore_run_writer_close_finish:
 * @self: a writer
 * @result: what the callback got
 * @error: return location
 *
 * Returns: %FALSE if something could not be written and is lost
 */
gboolean
fore_run_writer_close_finish (ForeRunWriter *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
