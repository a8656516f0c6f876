/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "live-session.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#define DEADLINE_MS 150000
#define END_MS 5000

static void read_more (LiveSession *self);

static void
write_outbox (LiveSession *self)
{
  g_autoptr (GBytes) bytes = fore_decoder_take_outbox (self->decoder);
  GOutputStream *stream = g_subprocess_get_stdin_pipe (self->process);

  if (bytes == NULL)
    return;

  g_test_message ("> %.*s", (int) MIN (g_bytes_get_size (bytes), 600),
                  (const char *) g_bytes_get_data (bytes, NULL));
  g_output_stream_write_all (stream, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), NULL,
                             NULL, NULL);
}

static const char *
choose_option (const ForeEntry *entry, const char *kind)
{
  for (guint i = 0; kind != NULL && i < entry->options->len; i++)
    {
      const ForeRequestOption *option = g_ptr_array_index (entry->options, i);

      if (g_strcmp0 (option->kind, kind) == 0)
        return option->id;
    }

  return NULL;
}

static void
add_entry (const ForeEntry *entry, gpointer user_data)
{
  LiveSession *self = user_data;

  g_ptr_array_add (self->entries, fore_entry_copy (entry));
}

static void
answer_permissions (LiveSession *self, guint first)
{
  for (guint i = first; i < self->entries->len; i++)
    {
      const ForeEntry *entry = g_ptr_array_index (self->entries, i);

      if (entry->kind != FORE_ENTRY_PERMISSION || entry->state != FORE_ENTRY_RUNNING)
        continue;
      self->asked++;
      if (g_strcmp0 (self->answer, "none") != 0)
        fore_decoder_say (self->decoder, "answer", entry->id, choose_option (entry, self->answer));
    }
}

static void
on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  LiveSession *self = user_data;
  gssize n = g_input_stream_read_finish (G_INPUT_STREAM (source), result, NULL);
  guint first = self->entries->len;

  self->reading = FALSE;
  if (n <= 0)
    {
      self->ended = TRUE;
      return;
    }

  self->heard += n;
  fore_decoder_feed (self->decoder, self->buffer, n, add_entry, self);
  answer_permissions (self, first);
  write_outbox (self);
  read_more (self);
}

static void
read_more (LiveSession *self)
{
  self->reading = TRUE;
  g_input_stream_read_async (self->output, self->buffer, sizeof self->buffer, G_PRIORITY_DEFAULT,
                             NULL, on_read, self);
}

/* As under a guard: some leave children behind that keep the pipe. */
static void
lead_group (gpointer data)
{
  setpgid (0, 0);
}

static void
kill_group (LiveSession *self)
{
  if (self->group > 0)
    kill (-self->group, SIGKILL);
}

LiveSession *
live_session_start (const ForeAdapter *adapter,
                    const char *const *argv,
                    const char *const *env,
                    const ForeSessionStart *start)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (
      G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE
      | G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  LiveSession *self = g_new0 (LiveSession, 1);
  const char *pid;

  if (env != NULL)
    g_subprocess_launcher_set_environ (launcher, (char **) env);
  g_subprocess_launcher_set_cwd (launcher, start->cwd);
  g_subprocess_launcher_set_child_setup (launcher, lead_group, NULL, NULL);
  self->process = g_subprocess_launcher_spawnv (launcher, argv, &error);
  g_assert_no_error (error);
  pid = g_subprocess_get_identifier (self->process);
  self->group = pid != NULL ? atoi (pid) : 0;
  self->decoder = fore_adapter_new_decoder (adapter, TRUE);
  self->entries = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_entry_free);
  self->answer = "allow_once";
  self->end_ms = END_MS;
  self->output = g_object_ref (g_subprocess_get_stdout_pipe (self->process));
  fore_decoder_begin (self->decoder, start);
  write_outbox (self);
  read_more (self);

  return self;
}

gboolean
live_session_say (LiveSession *self, const char *kind, const char *text)
{
  gboolean said = fore_decoder_say (self->decoder, kind, NULL, text);

  write_outbox (self);

  return said;
}

static gboolean
on_deadline (gpointer user_data)
{
  gboolean *late = user_data;

  *late = TRUE;

  return G_SOURCE_REMOVE;
}

static gboolean
wait_for (LiveSession *self, LiveCondition condition, gpointer data, guint ms)
{
  gboolean late = FALSE;
  guint timer = g_timeout_add (ms, on_deadline, &late);

  while (!condition (self, data) && !self->ended && !late)
    g_main_context_iteration (NULL, TRUE);
  if (!late)
    g_source_remove (timer);

  return condition (self, data);
}

/* Returns FALSE if it did not come to it before the agent ended or the deadline passed. */
gboolean
live_session_wait (LiveSession *self, LiveCondition condition, gpointer data)
{
  return wait_for (self, condition, data, DEADLINE_MS);
}

gboolean
live_session_is_settled (LiveSession *self, gpointer data)
{
  return fore_decoder_get_summary (self->decoder)->settled;
}

static gboolean
has_kind (LiveSession *self, ForeEntryKind kind, gboolean running)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      const ForeEntry *entry = g_ptr_array_index (self->entries, i);

      if (entry->kind == kind && (!running || entry->state == FORE_ENTRY_RUNNING))
        return TRUE;
    }

  return FALSE;
}

gboolean
live_session_has_text (LiveSession *self, gpointer data)
{
  return has_kind (self, FORE_ENTRY_TEXT, FALSE);
}

gboolean
live_session_has_tool (LiveSession *self, gpointer data)
{
  return has_kind (self, FORE_ENTRY_TOOL, TRUE);
}

gboolean
live_session_has_asked (LiveSession *self, gpointer data)
{
  return self->asked > 0;
}

gboolean
live_session_has_ended (LiveSession *self, gpointer data)
{
  return self->ended;
}

/* Closes the agent's stdin and waits for its end; one that does not go is killed, with its
 * children. */
const ForeSummary *
live_session_finish (LiveSession *self)
{
  g_output_stream_close (g_subprocess_get_stdin_pipe (self->process), NULL, NULL);
  if (!wait_for (self, live_session_has_ended, NULL, self->end_ms))
    kill_group (self);
  live_session_wait (self, live_session_has_ended, NULL);
  g_subprocess_wait (self->process, NULL, NULL);
  fore_decoder_finish (self->decoder, add_entry, self);

  return fore_decoder_get_summary (self->decoder);
}

void
live_session_free (LiveSession *self)
{
  kill_group (self);
  while (self->reading)
    g_main_context_iteration (NULL, TRUE);
  fore_decoder_free (self->decoder);
  g_ptr_array_unref (self->entries);
  g_object_unref (self->output);
  g_object_unref (self->process);
  g_free (self);
}
