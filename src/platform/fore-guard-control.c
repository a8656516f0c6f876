/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a runner says to a guard that runs; the rest of ForeGuard is in fore-guard-client.c. */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <stdio.h>

#include "model/fore-error.h"
#include "platform/fore-guard-client.h"
#include "platform/fore-guard-private.h"

static void
on_asked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  char *answer = fore_guard_talk_ask_finish (FORE_GUARD_TALK (source), result, &error);

  if (answer == NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_pointer (task, answer, g_free);
}

static void
ask (ForeGuardTalk *talk, const char *line, GBytes *bytes, GTask *task)
{
  fore_guard_talk_ask_async (talk, line, bytes, g_task_get_cancellable (task), on_asked,
                             g_object_ref (task));
}

/**
 * fore_guard_say_async:
 * @self: a guard with FORE_GUARD_STDIN_LIVE
 * @bytes: what to write to the agent's stdin, whole
 * @id: 0, or a number above all before it
 * @cancellable: (nullable): a cancellable; takes back what was not begun
 * @callback: called when it is delivered or cannot be
 * @user_data: data for @callback
 *
 * Says something to the agent. What was delivered under @id, by whomever, is not delivered again.
 */
void
fore_guard_say_async (ForeGuard *self,
                      GBytes *bytes,
                      guint64 id,
                      GCancellable *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autofree char *line = NULL;

  g_return_if_fail (FORE_IS_GUARD (self));
  g_return_if_fail (bytes != NULL);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, fore_guard_say_async);
  g_task_set_name (task, "fore_guard_say_async");
  if (g_bytes_get_size (bytes) > FORE_GUARD_MAX_MESSAGE)
    {
      g_task_return_new_error (
          task, FORE_ERROR, FORE_ERROR_LIMIT,
          _ ("A message of more than 64 MiB cannot be sent; put it into a file"));
      return;
    }

  line = g_strdup_printf ("in %" G_GSIZE_FORMAT " %" G_GUINT64_FORMAT "\n",
                          g_bytes_get_size (bytes), id);
  ask (self->talk, line, bytes, task);
}

gboolean
fore_guard_say_finish (ForeGuard *self, GAsyncResult *result, GError **error)
{
  g_autofree char *answer = NULL;

  g_return_val_if_fail (FORE_IS_GUARD (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  answer = g_task_propagate_pointer (G_TASK (result), error);
  if (answer == NULL)
    return FALSE;
  if (g_str_has_prefix (answer, "ok"))
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED,
               _ ("The agent takes no more input (%s); what you say is kept for its next attempt"),
               answer);
  return FALSE;
}

/**
 * fore_guard_hello_async:
 * @self: a guard
 * @cancellable: (nullable): a cancellable
 * @callback: called when the guard has answered
 * @user_data: data for @callback
 *
 * Asks the guard what it delivered last.
 */
void
fore_guard_hello_async (ForeGuard *self,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (FORE_IS_GUARD (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, fore_guard_hello_async);
  g_task_set_name (task, "fore_guard_hello_async");
  ask (self->control, "hello\n", NULL, task);
}

gboolean
fore_guard_hello_finish (ForeGuard *self, GAsyncResult *result, guint64 *last_id, GError **error)
{
  g_autofree char *answer = NULL;
  guint64 id;

  g_return_val_if_fail (FORE_IS_GUARD (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  answer = g_task_propagate_pointer (G_TASK (result), error);
  if (answer == NULL)
    return FALSE;

  if (sscanf (answer, "ok 1 %*s %" G_GUINT64_FORMAT, &id) != 1)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_NEWER,
                   _ ("The guard of this attempt is of another version; wait until it has ended"));
      return FALSE;
    }

  if (last_id != NULL)
    *last_id = id;
  return TRUE;
}

static void
send_line (ForeGuard *self, const char *line)
{
  g_return_if_fail (FORE_IS_GUARD (self));

  fore_guard_talk_ask_async (self->control, line, NULL, NULL, NULL, NULL);
}

/* A guard that cannot be talked to can be signalled: TERM is its `end`; if it is killed, the agent
 * goes with it and the sweep finds the rest.
 */
static void
signal_unless_told (ForeGuard *self, GAsyncResult *result, int sig)
{
  g_autofree char *answer = fore_guard_talk_ask_finish (self->control, result, NULL);
  ForeProcessId id;

  if (answer == NULL && !self->has_exit && !self->forgotten && fore_guard_get_guard_id (self, &id))
    fore_process_signal (&id, sig, NULL);
}

static void
on_told_end (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeGuard) self = user_data;

  signal_unless_told (self, result, FORE_SIGNAL_TERM);
}

static void
on_told_kill (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ForeGuard) self = user_data;

  signal_unless_told (self, result, FORE_SIGNAL_KILL);
}

/**
 * fore_guard_close_stdin:
 * @self: a guard
 *
 * Closes the agent's stdin once all that was said is delivered.
 */
void
fore_guard_close_stdin (ForeGuard *self)
{
  g_return_if_fail (FORE_IS_GUARD (self));

  fore_guard_talk_ask_async (self->talk, "close-stdin\n", NULL, NULL, NULL, NULL);
}

/**
 * fore_guard_interrupt:
 * @self: a guard
 *
 * Interrupts what the agent is doing, as Ctrl+C would; it may go on.
 */
void
fore_guard_interrupt (ForeGuard *self)
{
  send_line (self, "interrupt\n");
}

/**
 * fore_guard_end:
 * @self: a guard
 *
 * Ends the agent: politely, then with TERM, then with KILL, with the grace of its launch between.
 */
void
fore_guard_end (ForeGuard *self)
{
  g_return_if_fail (FORE_IS_GUARD (self));

  fore_guard_talk_ask_async (self->control, "end\n", NULL, NULL, on_told_end, g_object_ref (self));
}

/**
 * fore_guard_kill:
 * @self: a guard
 *
 * Kills the agent and all that it started, at once.
 */
void
fore_guard_kill (ForeGuard *self)
{
  g_return_if_fail (FORE_IS_GUARD (self));

  fore_guard_talk_ask_async (self->control, "kill\n", NULL, NULL, on_told_kill,
                             g_object_ref (self));
}

/**
 * fore_guard_mark_cancelled:
 * @run_dir: folder of a run
 * @cancelled: whether the run is cancelled
 *
 * Guards see it within a second; those that have an owner leave it to that. Any thread.
 */
void
fore_guard_mark_cancelled (const char *run_dir, gboolean cancelled)
{
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;

  g_return_if_fail (run_dir != NULL);

  path = g_build_filename (run_dir, FORE_GUARD_CANCELLED, NULL);
  if (!cancelled)
    g_unlink (path);
  else if (!g_file_set_contents_full (path, "", 0, G_FILE_SET_CONTENTS_NONE, 0600, &error))
    g_message ("Guards will not see that the run is cancelled: %s", error->message);
}

/**
 * fore_guard_free_slots:
 * @self: a guard
 *
 * Makes it give back the slots that it was started with or was given.
 */
void
fore_guard_free_slots (ForeGuard *self)
{
  send_line (self, "free-slots\n");
}

/**
 * fore_guard_give_slot:
 * @self: a guard
 * @slot_fd: descriptor of a slot; stays the caller's
 *
 * Makes it hold a slot until the end of the attempt, whatever becomes of us.
 */
void
fore_guard_give_slot (ForeGuard *self, int slot_fd)
{
  g_return_if_fail (FORE_IS_GUARD (self));

  fore_guard_talk_pass (self->control, "slot\n", slot_fd);
}

/**
 * fore_guard_set_limits:
 * @self: a guard
 * @capture_limit: bytes of stdout and stderr together, 0 for none
 * @wall_ms: ms since the start, 0 for none
 *
 * Changes the limits of an attempt that runs.
 */
void
fore_guard_set_limits (ForeGuard *self, guint64 capture_limit, guint64 wall_ms)
{
  g_autofree char *line = g_strdup_printf ("limits %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n",
                                           capture_limit, wall_ms);

  send_line (self, line);
}
