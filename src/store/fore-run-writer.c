/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store/fore-run-writer.h"

#include "model/fore-error.h"
#include "model/fore-id.h"
#include "platform/fore-dirs.h"
#include "platform/fore-lock.h"
#include "store/fore-committer.h"
#include "store/fore-run-file.h"
#include "store/fore-schema.h"
#include "store/fore-store-private.h"

#include <glib/gi18n-lib.h>
#include <unistd.h>

struct _ForeRunWriter
{
  GObject parent_instance;

  ForeStore *store;
  char *run_id;
  ForeLock *lock;
  ForeCommitter *committer; /* NULL once closed */
  ForeBatch *change;        /* what the dispatch that runs now has put */
  GSource *boundary;
  gint64 message_id;
};

enum
{
  SIGNAL_FAILED,
  SIGNAL_INPUT,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (ForeRunWriter, fore_run_writer, G_TYPE_OBJECT)

static void
push_change (ForeRunWriter *self)
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
  push_change (((BoundarySource *) source)->writer);
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
put (ForeRunWriter *self, ForeWriteKind kind, gconstpointer row)
{
  fore_batch_add (self->change, kind, row);
  if (fore_batch_get_length (self->change) >= FORE_COMMITTER_MAX_GROUP)
    push_change (self);
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
  g_autofree char *holder = g_strdup_printf ("%s (process %" G_PID_FORMAT " on %s)",
                                             g_get_prgname (), getpid (), g_get_host_name ());
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
  if (!fore_sql_exec (sql, "PRAGMA synchronous = NORMAL", error))
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
 * fore_run_writer_put_run:
 * @self: an open writer
 * @run: the run as it is now; copied
 */
void
fore_run_writer_put_run (ForeRunWriter *self, const ForeRun *run)
{
  g_return_if_fail (FORE_IS_RUN_WRITER (self) && self->committer != NULL);
  g_return_if_fail (run != NULL && g_strcmp0 (run->id, self->run_id) == 0);

  put (self, FORE_WRITE_RUN, run);
}

/**
 * fore_run_writer_put_task:
 * @self: an open writer
 * @task: the task as it is now; copied
 */
void
fore_run_writer_put_task (ForeRunWriter *self, const ForeTask *task)
{
  g_return_if_fail (FORE_IS_RUN_WRITER (self) && self->committer != NULL);
  g_return_if_fail (task != NULL && task->key != NULL);

  put (self, FORE_WRITE_TASK, task);
}

/**
 * fore_run_writer_put_attempt:
 * @self: an open writer
 * @attempt: the attempt as it is now; copied. Its task must have been put, now or before
 */
void
fore_run_writer_put_attempt (ForeRunWriter *self, const ForeAttempt *attempt)
{
  g_return_if_fail (FORE_IS_RUN_WRITER (self) && self->committer != NULL);
  g_return_if_fail (attempt != NULL && attempt->task != NULL);

  put (self, FORE_WRITE_ATTEMPT, attempt);
}

/**
 * fore_run_writer_put_plan:
 * @self: an open writer
 * @plan: a version of the plan; copied
 */
void
fore_run_writer_put_plan (ForeRunWriter *self, const ForePlan *plan)
{
  g_return_if_fail (FORE_IS_RUN_WRITER (self) && self->committer != NULL);
  g_return_if_fail (plan != NULL);

  put (self, FORE_WRITE_PLAN, plan);
}

/**
 * fore_run_writer_put_request:
 * @self: an open writer
 * @request: the request as it is now; copied
 */
void
fore_run_writer_put_request (ForeRunWriter *self, const ForeRequest *request)
{
  g_return_if_fail (FORE_IS_RUN_WRITER (self) && self->committer != NULL);
  g_return_if_fail (request != NULL && request->id != NULL);

  put (self, FORE_WRITE_REQUEST, request);
}

/**
 * fore_run_writer_put_command:
 * @self: an open writer
 * @command: a command that was taken, with how it ended; copied
 */
void
fore_run_writer_put_command (ForeRunWriter *self, const ForeCommand *command)
{
  g_return_if_fail (FORE_IS_RUN_WRITER (self) && self->committer != NULL);
  g_return_if_fail (command != NULL && command->id > 0);

  put (self, FORE_WRITE_COMMAND, command);
}

/**
 * fore_run_writer_put_message:
 * @self: an open writer
 * @message: a message as it is now; copied. Without an id it gets one
 */
void
fore_run_writer_put_message (ForeRunWriter *self, const ForeMessage *message)
{
  ForeMessage row;

  g_return_if_fail (FORE_IS_RUN_WRITER (self) && self->committer != NULL);
  g_return_if_fail (message != NULL);

  row = *message;
  if (row.id == 0)
    row.id = fore_run_writer_next_message_id (self);
  put (self, FORE_WRITE_MESSAGE, &row);
}

/**
 * fore_run_writer_put_event:
 * @self: an open writer
 * @event: what happened; copied. Its number is given when it is written
 */
void
fore_run_writer_put_event (ForeRunWriter *self, const ForeEvent *event)
{
  g_return_if_fail (FORE_IS_RUN_WRITER (self) && self->committer != NULL);
  g_return_if_fail (event != NULL);

  put (self, FORE_WRITE_EVENT, event);
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
 * @self: an open writer
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

  g_return_if_fail (FORE_IS_RUN_WRITER (self) && self->committer != NULL);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, fore_run_writer_barrier_async);
  g_task_set_name (task, "run writer barrier");
  push_change (self);
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

  push_change (self);
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
  gboolean done = TRUE;

  g_return_val_if_fail (FORE_IS_RUN_WRITER (self), FALSE);

  if (self->committer != NULL)
    {
      g_source_destroy (self->boundary);
      g_clear_pointer (&self->boundary, g_source_unref);
      push_change (self);
      done = fore_committer_close (g_steal_pointer (&self->committer), error);
      fore_store_set_owns (self->store, self->run_id, FALSE);
    }

  g_clear_pointer (&self->lock, fore_lock_free);
  return done;
}
