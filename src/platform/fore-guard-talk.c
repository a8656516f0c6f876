/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-guard-talk.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "model/fore-error.h"
#include "platform/fore-guard-private.h"

typedef struct
{
  char *line;
  GBytes *bytes;
  int fd; /* -1: none */
} Question;

struct _ForeGuardTalk
{
  GObject parent_instance;

  char *path;
  gboolean closed;
  GQueue tasks; /* GTask with a Question; the head is the one in hand if busy */
  gboolean busy;
  GCancellable *stop;
  GSocketConnection *connection;
  GDataInputStream *input;
};

G_DEFINE_FINAL_TYPE (ForeGuardTalk, fore_guard_talk, G_TYPE_OBJECT)

static void advance (ForeGuardTalk *self);

static void
question_free (Question *question)
{
  g_free (question->line);
  g_clear_pointer (&question->bytes, g_bytes_unref);
  fore_guard_socket_close_fd (question->fd);
  g_free (question);
}

static GError *
new_gone_error (void)
{
  return g_error_new (FORE_ERROR, FORE_ERROR_NOT_FOUND,
                      _ ("The agent has ended; what you say is kept for its next attempt"));
}

static void
disconnect (ForeGuardTalk *self)
{
  g_clear_object (&self->input);
  g_clear_object (&self->connection);
}

/* Ends the one in hand, with an answer or with an error. */
static void
finish_head (ForeGuardTalk *self, char *answer, GError *error)
{
  g_autoptr (GTask) task = g_queue_pop_head (&self->tasks);

  self->busy = FALSE;
  if (error != NULL)
    {
      disconnect (self);
      g_task_return_error (task, error);
    }
  else
    g_task_return_pointer (task, answer, g_free);

  advance (self);
}

static void
on_answer (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeGuardTalk) self = user_data;
  g_autoptr (GError) error = NULL;
  char *answer = g_data_input_stream_read_line_finish (G_DATA_INPUT_STREAM (source), result, NULL,
                                                       &error);

  if (answer == NULL)
    finish_head (self, NULL, new_gone_error ());
  else
    finish_head (self, answer, NULL);
}

static void
read_answer (ForeGuardTalk *self)
{
  g_data_input_stream_read_line_async (self->input, G_PRIORITY_DEFAULT, self->stop, on_answer,
                                       g_object_ref (self));
}

static void
on_written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeGuardTalk) self = user_data;

  if (!g_output_stream_write_all_finish (G_OUTPUT_STREAM (source), result, NULL, NULL)
      || self->input == NULL)
    {
      finish_head (self, NULL, new_gone_error ());
      return;
    }

  read_answer (self);
}

/* A short line into a socket that is empty, which takes it at once. */
static void
pass_head (ForeGuardTalk *self, const Question *question)
{
  if (fore_guard_socket_pass (g_socket_connection_get_socket (self->connection), question->line,
                              question->fd, NULL))
    read_answer (self);
  else
    finish_head (self, NULL, new_gone_error ());
}

static void
send_head (ForeGuardTalk *self)
{
  Question *question = g_task_get_task_data (g_queue_peek_head (&self->tasks));
  GOutputStream *output = g_io_stream_get_output_stream (G_IO_STREAM (self->connection));
  gsize line_length = strlen (question->line);
  gsize length = 0;
  gconstpointer bytes = NULL;
  GByteArray *message;

  if (question->fd >= 0)
    {
      pass_head (self, question);
      return;
    }

  if (question->bytes != NULL)
    bytes = g_bytes_get_data (question->bytes, &length);

  message = g_byte_array_sized_new ((guint) (line_length + length));
  g_byte_array_append (message, (const guint8 *) question->line, (guint) line_length);
  if (length > 0)
    g_byte_array_append (message, bytes, (guint) length);

  g_clear_pointer (&question->bytes, g_bytes_unref);
  question->bytes = g_byte_array_free_to_bytes (message);
  g_output_stream_write_all_async (output, g_bytes_get_data (question->bytes, NULL),
                                   g_bytes_get_size (question->bytes), G_PRIORITY_DEFAULT,
                                   self->stop, on_written, g_object_ref (self));
}

static void
on_connected (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeGuardTalk) self = user_data;

  self->connection = g_socket_client_connect_finish (G_SOCKET_CLIENT (source), result, NULL);
  if (self->connection == NULL)
    {
      finish_head (self, NULL, new_gone_error ());
      return;
    }

  self->input = g_data_input_stream_new (
      g_io_stream_get_input_stream (G_IO_STREAM (self->connection)));
  send_head (self);
}

static void
connect_to_guard (ForeGuardTalk *self)
{
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  g_autoptr (GSocketAddress) address = fore_guard_socket_address_new (self->path);

  g_socket_client_set_enable_proxy (client, FALSE);
  g_socket_client_connect_async (client, G_SOCKET_CONNECTABLE (address), self->stop, on_connected,
                                 g_object_ref (self));
}

static void
drop_cancelled (ForeGuardTalk *self)
{
  GTask *task;

  while ((task = g_queue_peek_head (&self->tasks)) != NULL
         && g_task_return_error_if_cancelled (task))
    g_object_unref (g_queue_pop_head (&self->tasks));
}

static void
advance (ForeGuardTalk *self)
{
  if (self->busy || self->path == NULL)
    return;

  drop_cancelled (self);
  if (g_queue_is_empty (&self->tasks))
    return;

  self->busy = TRUE;
  if (self->connection == NULL)
    connect_to_guard (self);
  else
    send_head (self);
}

static void
fore_guard_talk_finalize (GObject *object)
{
  ForeGuardTalk *self = FORE_GUARD_TALK (object);

  g_assert (g_queue_is_empty (&self->tasks));
  disconnect (self);
  g_object_unref (self->stop);
  g_free (self->path);
  G_OBJECT_CLASS (fore_guard_talk_parent_class)->finalize (object);
}

static void
fore_guard_talk_class_init (ForeGuardTalkClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fore_guard_talk_finalize;
}

static void
fore_guard_talk_init (ForeGuardTalk *self)
{
  g_queue_init (&self->tasks);
  self->stop = g_cancellable_new ();
}

ForeGuardTalk *
fore_guard_talk_new (void)
{
  return g_object_new (FORE_TYPE_GUARD_TALK, NULL);
}

void
fore_guard_talk_open (ForeGuardTalk *self, const char *path)
{
  g_return_if_fail (FORE_IS_GUARD_TALK (self));
  g_return_if_fail (path != NULL);

  if (self->path != NULL || self->closed)
    return;

  self->path = g_strdup (path);
  advance (self);
}

void
fore_guard_talk_close (ForeGuardTalk *self)
{
  g_return_if_fail (FORE_IS_GUARD_TALK (self));

  if (self->closed)
    return;

  self->closed = TRUE;
  g_clear_pointer (&self->path, g_free);

  /* The one in hand ends by itself: its stream does. */
  for (guint n = g_queue_get_length (&self->tasks); n > (self->busy ? 1u : 0u); n--)
    {
      g_autoptr (GTask) task = g_queue_pop_tail (&self->tasks);

      g_task_return_error (task, new_gone_error ());
    }

  if (!self->busy)
    disconnect (self);
  else
    g_cancellable_cancel (self->stop);
}

static void
enqueue (ForeGuardTalk *self, GTask *task, const char *line, GBytes *bytes, int fd)
{
  Question *question = g_new0 (Question, 1);

  question->line = g_strdup (line);
  question->bytes = bytes == NULL ? NULL : g_bytes_ref (bytes);
  question->fd = fd;
  g_task_set_task_data (task, question, (GDestroyNotify) question_free);
  g_queue_push_tail (&self->tasks, task);
  advance (self);
}

void
fore_guard_talk_ask_async (ForeGuardTalk *self,
                           const char *line,
                           GBytes *bytes,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (FORE_IS_GUARD_TALK (self));
  g_return_if_fail (line != NULL);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, fore_guard_talk_ask_async);
  g_task_set_name (task, "fore_guard_talk_ask_async");

  if (self->closed)
    {
      g_task_return_error (task, new_gone_error ());
      return;
    }

  enqueue (self, g_steal_pointer (&task), line, bytes, -1);
}

void
fore_guard_talk_pass (ForeGuardTalk *self, const char *line, int fd)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (FORE_IS_GUARD_TALK (self));
  g_return_if_fail (line != NULL && fd >= 0);

  if (self->closed)
    return;

  task = g_task_new (self, NULL, NULL, NULL);
  g_task_set_source_tag (task, fore_guard_talk_pass);
  g_task_set_name (task, "fore_guard_talk_pass");
  enqueue (self, g_steal_pointer (&task), line, NULL, fore_guard_socket_dup_fd (fd));
}

char *
fore_guard_talk_ask_finish (ForeGuardTalk *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (FORE_IS_GUARD_TALK (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
