/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-agent-reader-private.h"

#include "engine/fore-decode-rates.h"
#include "engine/fore-pool.h"
#include "platform/fore-clock.h"
#include "platform/fore-compat-glib.h"

#define READ_INTERVAL_MS 50
/* An attempt that ends before is read once, without a watch. */
#define WATCH_AFTER_MS 10
/* What one agent may print in a row before the others are looked at. */
#define MAX_BEAT_BYTES (256 * 1024)

enum
{
  PROGRESS,
  PERMISSION,
  WITHDRAWN,
  HEARD,
  CAUGHT_UP,
  OUTBOX,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (ForeAgentReader, fore_agent_reader, G_TYPE_OBJECT)

static void start_reading (ForeAgentReader *self);

static void
link_unref (ForeAgentReaderLink *link)
{
  if (g_atomic_ref_count_dec (&link->ref_count))
    g_free (link);
}

static void
stop_watching (ForeAgentReader *self)
{
  g_clear_pointer (&self->beat, fore_capture_beat_free);
  g_clear_handle_id (&self->timer, g_source_remove);
}

static void
fore_agent_reader_dispose (GObject *object)
{
  ForeAgentReader *self = FORE_AGENT_READER (object);

  stop_watching (self);
  self->link->reader = NULL;
  g_clear_object (&self->finish);

  G_OBJECT_CLASS (fore_agent_reader_parent_class)->dispose (object);
}

static void
fore_agent_reader_finalize (GObject *object)
{
  ForeAgentReader *self = FORE_AGENT_READER (object);

  link_unref (self->link);
  g_clear_pointer (&self->told, fore_agent_reading_free);
  g_clear_pointer (&self->decoder, fore_decoder_free);
  g_clear_pointer (&self->capture, fore_capture_free);
  g_clear_pointer (&self->replay.said, g_ptr_array_unref);
  g_free (self->replay.cwd);
  g_strfreev (self->replay.mcp);
  g_free (self->replay.model);
  g_mutex_clear (&self->mutex);
  g_free (self->path);
  g_free (self->session);
  g_free (self->anew_reason);
  g_free (self->model);

  G_OBJECT_CLASS (fore_agent_reader_parent_class)->finalize (object);
}

static void
fore_agent_reader_class_init (ForeAgentReaderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = fore_agent_reader_dispose;
  object_class->finalize = fore_agent_reader_finalize;

  signals[PROGRESS] = g_signal_new ("progress", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                    NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[PERMISSION] = g_signal_new ("permission", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                      NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
  signals[HEARD] = g_signal_new ("heard", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[WITHDRAWN] = g_signal_new ("withdrawn", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                     NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[CAUGHT_UP] = g_signal_new ("caught-up", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                     NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[OUTBOX] = g_signal_new ("outbox", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, G_TYPE_BYTES);
}

static void
fore_agent_reader_init (ForeAgentReader *self)
{
  g_mutex_init (&self->mutex);
  self->usage = FORE_USAGE_INIT;
  self->link = g_new0 (ForeAgentReaderLink, 1);
  g_atomic_ref_count_init (&self->link->ref_count);
  self->link->reader = self;
}

/* With the mutex. */
static void
take (ForeAgentReader *self, ForeAgentReading *reading)
{
  gint64 begin = fore_clock_thread_cpu_us ();

  fore_agent_reading_take (reading, self->decoder, &self->replay, &self->capture, self->path);
  if (reading->n_bytes == 0)
    return;

  __atomic_store_n (&self->last_activity, fore_clock_boot_us (), __ATOMIC_RELAXED);
  fore_decode_rates_add (self->cli, reading->n_bytes, fore_clock_thread_cpu_us () - begin);
}

static void
read_now (ForeAgentReader *self, ForeAgentReading *reading)
{
  g_mutex_lock (&self->mutex);
  take (self, reading);
  g_mutex_unlock (&self->mutex);
}

static void
read_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  ForeAgentReader *self = source;
  ForeAgentReading *reading = data;

  read_now (self, reading);
  if (reading->final)
    fore_capture_sync (self->path, self->prompted);
  g_task_return_boolean (task, TRUE);
}

/* Always in the main context, so that lines come in the order in which the decoder made them. */
static void
emit_outbox (ForeAgentReader *self)
{
  g_autoptr (GBytes) outbox = NULL;

  g_mutex_lock (&self->mutex);
  outbox = fore_decoder_take_outbox (self->decoder);
  g_mutex_unlock (&self->mutex);

  if (outbox != NULL && g_bytes_get_size (outbox) > 0)
    g_signal_emit (self, signals[OUTBOX], 0, outbox);
}

static void
take_reading (ForeAgentReader *self, const ForeAgentReading *reading)
{
  self->last_read = fore_clock_boot_us ();
  self->tools_running = reading->tools_running;
  self->turns = reading->turns;
  self->settled = reading->settled;
  self->usage = reading->usage;
  fore_set_str (&self->session, reading->session);
  fore_set_str (&self->model, reading->model);
  self->taken_up = reading->taken_up;
  fore_set_str (&self->anew_reason, reading->anew_reason);
}

static void
tell (ForeAgentReader *self, const ForeAgentReading *reading)
{
  take_reading (self, reading);

  emit_outbox (self);
  for (guint i = 0; i < reading->permissions->len; i++)
    g_signal_emit (self, signals[PERMISSION], 0, g_ptr_array_index (reading->permissions, i));
  for (guint i = 0; i < reading->withdrawn->len; i++)
    g_signal_emit (self, signals[WITHDRAWN], 0, g_ptr_array_index (reading->withdrawn, i));
  for (guint i = 0; i < reading->heard->len; i++)
    g_signal_emit (self, signals[HEARD], 0, g_ptr_array_index (reading->heard, i));
  if (self->replay.said != NULL)
    g_signal_emit (self, signals[CAUGHT_UP], 0);
  if (reading->n_bytes > 0)
    g_signal_emit (self, signals[PROGRESS], 0);
}

typedef struct
{
  ForeAgentReaderLink *link;
  ForeAgentReading *reading;
} News;

static void
news_free (gpointer data)
{
  News *news = data;

  link_unref (news->link);
  fore_agent_reading_free (news->reading);
  g_free (news);
}

static gboolean
news_came (gpointer user_data)
{
  News *news = user_data;
  g_autoptr (ForeAgentReader) self = NULL;

  if (news->link->reader == NULL)
    return G_SOURCE_REMOVE;

  self = g_object_ref (news->link->reader);
  tell (self, news->reading);

  return G_SOURCE_REMOVE;
}

/* With the mutex, so that news come in the order in which they were read. */
static void
post (ForeAgentReader *self, ForeAgentReading *reading)
{
  g_autoptr (GSource) source = g_idle_source_new ();
  News *news = g_new0 (News, 1);

  g_atomic_ref_count_inc (&self->link->ref_count);
  news->link = self->link;
  news->reading = reading;
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_static_name (source, "news of an agent");
  g_source_set_callback (source, news_came, news, news_free);
  g_source_attach (source, NULL);
}

/* On the thread of the captures: the main loop hears of it only if there is something to do. */
static gsize
read_beat (gpointer user_data)
{
  ForeAgentReader *self = user_data;
  ForeAgentReading *reading = fore_agent_reading_new (FALSE, FALSE);
  gsize n_bytes;

  reading->most = MAX_BEAT_BYTES;
  g_mutex_lock (&self->mutex);
  take (self, reading);
  n_bytes = reading->n_bytes;
  if (fore_agent_reading_is_news (reading, self->told))
    {
      g_clear_pointer (&self->told, fore_agent_reading_free);
      self->told = fore_agent_reading_copy (reading);
      post (self, reading);
    }
  else
    fore_agent_reading_free (reading);
  g_mutex_unlock (&self->mutex);

  return n_bytes;
}

static void
conclude (ForeAgentReader *self, const ForeAgentReading *reading)
{
  self->reading = FALSE;
  tell (self, reading);
  if (reading->final)
    {
      g_autoptr (GTask) finish = g_steal_pointer (&self->finish);

      g_task_return_boolean (finish, TRUE);
    }
  else if (self->finish != NULL)
    {
      start_reading (self);
    }
  else if (self->again)
    {
      fore_agent_reader_poll (self);
    }
}

static void
reading_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  conclude (FORE_AGENT_READER (source), g_task_get_task_data (G_TASK (result)));
}

static void
start_reading (ForeAgentReader *self)
{
  gboolean final = self->finish != NULL;
  ForeAgentReading *reading = fore_agent_reading_new (final, final && self->nothing
                                                                 && self->capture == NULL);
  g_autoptr (GTask) task = NULL;

  g_assert (!self->reading);

  self->reading = TRUE;
  self->again = FALSE;
  if (reading->nothing)
    {
      read_now (self, reading);
      conclude (self, reading);
      fore_agent_reading_free (reading);
      return;
    }

  task = g_task_new (self, NULL, reading_done, NULL);
  g_task_set_name (task, "read an agent");
  g_task_set_source_tag (task, start_reading);
  g_task_set_task_data (task, reading, (GDestroyNotify) fore_agent_reading_free);
  fore_pool_run (FORE_POOL_DECODE, task, read_in_thread);
}

static gboolean
timer_fired (gpointer user_data)
{
  ForeAgentReader *self = user_data;

  self->timer = 0;
  if (!self->reading)
    start_reading (self);

  return G_SOURCE_REMOVE;
}

/**
 * fore_agent_reader_poll:
 * @self: a reader
 *
 * Asks for a reading soon; many calls are one.
 */
void
fore_agent_reader_poll (ForeAgentReader *self)
{
  gint64 since_ms;

  g_return_if_fail (FORE_IS_AGENT_READER (self));

  if (self->reading)
    {
      self->again = TRUE;
      return;
    }
  if (self->timer != 0)
    return;

  since_ms = (fore_clock_boot_us () - self->last_read) / 1000;
  self->timer = g_timeout_add (since_ms >= READ_INTERVAL_MS ? 0 : READ_INTERVAL_MS - since_ms,
                               timer_fired, self);
  g_source_set_name_by_id (self->timer, "read an agent");
}

/**
 * fore_agent_reader_new:
 * @adapter: the agent's adapter
 * @live: whether it is a live session
 * @path: its capture file, which may not be there yet
 *
 * Returns: (transfer full): a reader of @path, which fore_agent_reader_watch() lets follow it
 */
ForeAgentReader *
fore_agent_reader_new (const ForeAdapter *adapter, gboolean live, const char *path)
{
  ForeAgentReader *self;

  g_return_val_if_fail (adapter != NULL && path != NULL, NULL);

  self = g_object_new (FORE_TYPE_AGENT_READER, NULL);
  self->path = g_strdup (path);
  self->cli = adapter->name;
  self->decoder = fore_adapter_new_decoder (adapter, live);
  self->prompted = adapter->stream_required;
  self->last_activity = fore_clock_boot_us ();

  return self;
}

/**
 * fore_agent_reader_watch:
 * @self: a reader; of a live session, one that knows what it was told
 *
 * From now on the capture is read as it grows.
 */
void
fore_agent_reader_watch (ForeAgentReader *self)
{
  g_return_if_fail (FORE_IS_AGENT_READER (self));
  g_return_if_fail (self->beat == NULL);

  if (self->finish == NULL)
    self->beat = fore_capture_beat_new (self->path, WATCH_AFTER_MS, read_beat, self);
}

/**
 * fore_agent_reader_begin:
 * @self: the reader of a live session
 * @start: how it begins
 *
 * Begins the conversation; what has to be said comes by ::outbox.
 */
void
fore_agent_reader_begin (ForeAgentReader *self, const ForeSessionStart *start)
{
  g_return_if_fail (FORE_IS_AGENT_READER (self));

  g_mutex_lock (&self->mutex);
  fore_decoder_begin (self->decoder, start);
  g_mutex_unlock (&self->mutex);

  emit_outbox (self);
}

/**
 * fore_agent_reader_replay:
 * @self: the reader of a live session that an earlier runner spoke with; nothing was read yet
 * @said: (element-type ForeSaid): what it was told, oldest first
 * @start: how it began, without the prompt
 *
 * Tells the decoder again what its predecessor was told, at the same places of the capture. All
 * that comes of it is given to ::outbox, also what was sent before.
 */
void
fore_agent_reader_replay (ForeAgentReader *self, GPtrArray *said, const ForeSessionStart *start)
{
  g_return_if_fail (FORE_IS_AGENT_READER (self));
  g_return_if_fail (said != NULL && self->replay.said == NULL);
  g_return_if_fail (self->beat == NULL && !self->reading);

  g_mutex_lock (&self->mutex);
  self->replay.said = g_ptr_array_ref (said);
  self->replay.cwd = g_strdup (start->cwd);
  if (start->earlier != NULL)
    self->replay.earlier = *start->earlier;
  self->replay.mcp = g_strdupv ((char **) start->mcp);
  self->replay.model = g_strdup (start->model);
  self->replay.read_only = start->read_only;
  g_mutex_unlock (&self->mutex);
}

/**
 * fore_agent_reader_note_activity:
 * @self: a reader
 *
 * The agent was held up by somebody else until now: its silence begins here.
 */
void
fore_agent_reader_note_activity (ForeAgentReader *self)
{
  g_return_if_fail (FORE_IS_AGENT_READER (self));

  __atomic_store_n (&self->last_activity, fore_clock_boot_us (), __ATOMIC_RELAXED);
}

/**
 * fore_agent_reader_say:
 * @self: the reader of a live session
 * @kind: steer, follow-up, answer, interrupt or end
 * @id: (nullable): for answers: what is answered
 * @text: (nullable): what to say
 *
 * Returns: (transfer full) (nullable): what was said and where, to be kept; %NULL if the agent
 * cannot be told that
 */
ForeSaid *
fore_agent_reader_say (ForeAgentReader *self, const char *kind, const char *id, const char *text)
{
  ForeSaid *said = NULL;

  g_return_val_if_fail (FORE_IS_AGENT_READER (self), NULL);

  g_mutex_lock (&self->mutex);
  if (fore_decoder_say (self->decoder, kind, id, text))
    {
      said = g_new0 (ForeSaid, 1);
      said->at = self->replay.fed;
      said->kind = g_strdup (kind);
      said->id = g_strdup (id);
      said->text = g_strdup (text);
      self->settled = fore_decoder_get_summary (self->decoder)->settled;
      g_clear_pointer (&self->told, fore_agent_reading_free);
    }
  g_mutex_unlock (&self->mutex);

  emit_outbox (self);

  return said;
}

/**
 * fore_agent_reader_finish_async:
 * @self: a reader whose agent has ended
 * @n_bytes: how much its guard counted on both outputs together
 * @callback: called when everything was read and decoded
 * @user_data: data for @callback
 */
void
fore_agent_reader_finish_async (ForeAgentReader *self,
                                guint64 n_bytes,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_return_if_fail (FORE_IS_AGENT_READER (self));
  g_return_if_fail (self->finish == NULL);

  stop_watching (self);
  self->nothing = n_bytes == 0;
  self->finish = g_task_new (self, NULL, callback, user_data);
  g_task_set_name (self->finish, "finish reading an agent");
  if (!self->reading)
    start_reading (self);
}

/**
 * fore_agent_reader_finish_finish:
 * @self: a reader
 * @result: the result
 * @error: return location for an error
 *
 * Returns: whether it was read
 */
gboolean
fore_agent_reader_finish_finish (ForeAgentReader *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
