/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-talk.h"

#include <string.h>

typedef struct
{
  GBytes *bytes;
  guint64 id;
  guint gate;
} Line;

struct _ForeTalk
{
  GObject parent_instance;

  ForeRunState *state;
  ForeGuard *guard;
  GQueue lines;
  guint64 last_id;
  guint gate;
  guint durable_gate;
};

G_DEFINE_FINAL_TYPE (ForeTalk, fore_talk, G_TYPE_OBJECT)

static void
line_free (gpointer data)
{
  Line *line = data;

  g_bytes_unref (line->bytes);
  g_free (line);
}

static void
fore_talk_finalize (GObject *object)
{
  ForeTalk *self = FORE_TALK (object);

  g_queue_clear_full (&self->lines, line_free);
  g_clear_object (&self->guard);
  g_clear_object (&self->state);

  G_OBJECT_CLASS (fore_talk_parent_class)->finalize (object);
}

static void
fore_talk_class_init (ForeTalkClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fore_talk_finalize;
}

static void
fore_talk_init (ForeTalk *self)
{
  g_queue_init (&self->lines);
}

/**
 * fore_talk_new:
 * @state: the run
 * @guard: guard of the session
 *
 * Returns: (transfer full): a talk in which nothing was said
 */
ForeTalk *
fore_talk_new (ForeRunState *state, ForeGuard *guard)
{
  ForeTalk *self;

  g_return_val_if_fail (FORE_IS_RUN_STATE (state), NULL);
  g_return_val_if_fail (FORE_IS_GUARD (guard), NULL);

  self = g_object_new (FORE_TYPE_TALK, NULL);
  self->state = g_object_ref (state);
  self->guard = g_object_ref (guard);

  return self;
}

static void
said (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  ForeGuard *guard = FORE_GUARD (source);

  if (!fore_guard_say_finish (guard, result, &error))
    g_message ("%s was not told something: %s", fore_guard_get_task (guard), error->message);
}

static void
flush (ForeTalk *self)
{
  Line *line;

  while ((line = g_queue_peek_head (&self->lines)) != NULL && line->gate <= self->durable_gate)
    {
      fore_guard_say_async (self->guard, line->bytes, line->id, NULL, said, NULL);
      line_free (g_queue_pop_head (&self->lines));
    }
}

/**
 * fore_talk_add:
 * @self: a talk
 * @lines: lines that the decoder made
 *
 * Says @lines after everything before them.
 */
void
fore_talk_add (ForeTalk *self, GBytes *lines)
{
  const char *data;
  gsize length;

  g_return_if_fail (FORE_IS_TALK (self));
  g_return_if_fail (lines != NULL);

  data = g_bytes_get_data (lines, &length);
  for (gsize start = 0; start < length;)
    {
      const char *newline = memchr (data + start, '\n', length - start);
      gsize end = newline != NULL ? (gsize) (newline - data) + 1 : length;
      Line *line = g_new0 (Line, 1);

      line->bytes = g_bytes_new_from_bytes (lines, start, end - start);
      line->id = ++self->last_id;
      line->gate = self->gate;
      g_queue_push_tail (&self->lines, line);
      start = end;
    }

  flush (self);
}

/**
 * fore_talk_hold:
 * @self: a talk
 *
 * What is added from here on waits for fore_talk_release_when_durable().
 */
void
fore_talk_hold (ForeTalk *self)
{
  g_return_if_fail (FORE_IS_TALK (self));

  self->gate++;
}

static void
settled (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeTalk) self = user_data;

  if (!fore_run_state_settle_finish (FORE_RUN_STATE (source), result, NULL))
    return;

  self->durable_gate++;
  flush (self);
}

/**
 * fore_talk_release_when_durable:
 * @self: a talk after fore_talk_hold()
 *
 * Lets go what was held once everything that was written until now is on disk.
 */
void
fore_talk_release_when_durable (ForeTalk *self)
{
  g_return_if_fail (FORE_IS_TALK (self));

  fore_run_state_settle_async (self->state, settled, g_object_ref (self));
}
