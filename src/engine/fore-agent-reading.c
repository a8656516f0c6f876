/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-agent-reading.h"

#include "platform/fore-files.h"

#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

#define STDERR_BYTES (16 * 1024)

static void
drop_permission (ForeAgentReading *reading, const char *id)
{
  for (guint i = 0; i < reading->permissions->len; i++)
    {
      const ForeEntry *entry = g_ptr_array_index (reading->permissions, i);

      if (g_strcmp0 (entry->id, id) == 0)
        {
          g_ptr_array_remove_index (reading->permissions, i);
          return;
        }
    }
}

static void
keep_permission (const ForeEntry *entry, gpointer user_data)
{
  ForeAgentReading *reading = user_data;

  if (entry->kind == FORE_ENTRY_PROMPT && !entry->append && entry->text != NULL)
    g_ptr_array_add (reading->heard, g_strdup (entry->text));
  if (entry->kind == FORE_ENTRY_NOTICE && g_strcmp0 (entry->name, FORE_CONTACT_NAME) == 0)
    g_ptr_array_add (reading->permissions, fore_entry_copy (entry));
  if (entry->kind != FORE_ENTRY_PERMISSION)
    return;

  drop_permission (reading, entry->id);
  if (entry->state == FORE_ENTRY_RUNNING)
    g_ptr_array_add (reading->permissions, fore_entry_copy (entry));
  else if (entry->state == FORE_ENTRY_FAILED)
    g_ptr_array_add (reading->withdrawn, g_strdup (entry->id));
}

static void
say_again (ForeAgentReading *reading,
           ForeDecoder *decoder,
           const ForeAgentReplay *replay,
           const ForeSaid *said)
{
  ForeSessionStart start = { 0 };

  start.prompt = said->text;
  start.cwd = replay->cwd;
  start.mcp = (const char *const *) replay->mcp;
  start.session = said->id;
  start.again = said->again;
  start.earlier = &replay->earlier;
  start.model = replay->model;
  start.read_only = replay->read_only;
  if (strcmp (said->kind, "begin") == 0)
    fore_decoder_begin (decoder, &start);
  else
    fore_decoder_say (decoder, said->kind, said->id, said->text);

  if (strcmp (said->kind, "answer") == 0)
    drop_permission (reading, said->id);
}

/* Returns how much of @length can be fed until something has to be said again. */
static gsize
say_what_is_due (ForeAgentReading *reading,
                 ForeDecoder *decoder,
                 ForeAgentReplay *replay,
                 gsize length)
{
  while (replay->said != NULL && replay->n_resaid < replay->said->len)
    {
      const ForeSaid *said = g_ptr_array_index (replay->said, replay->n_resaid);

      if (said->at > replay->fed)
        return MIN (length, (gsize) (said->at - replay->fed));

      replay->n_resaid++;
      say_again (reading, decoder, replay, said);
    }

  return length;
}

static void
feed (ForeAgentReading *reading,
      ForeDecoder *decoder,
      ForeAgentReplay *replay,
      const char *data,
      gsize length)
{
  gsize done = 0;

  while (done < length)
    {
      gsize step = say_what_is_due (reading, decoder, replay, length - done);

      fore_decoder_feed (decoder, data + done, step, keep_permission, reading);
      replay->fed += (gint64) step;
      done += step;
    }

  say_what_is_due (reading, decoder, replay, 0);
}

static void
read_to_end (ForeAgentReading *reading,
             ForeDecoder *decoder,
             ForeAgentReplay *replay,
             ForeCapture **capture,
             const char *path)
{
  if (*capture == NULL)
    *capture = fore_capture_open (path, NULL);
  say_what_is_due (reading, decoder, replay, 0);

  while (*capture != NULL && (reading->most == 0 || reading->n_bytes < reading->most))
    {
      g_autoptr (GError) shrank = NULL;
      g_autoptr (GBytes) bytes = fore_capture_read (*capture, &shrank);
      gsize length;
      const char *data;

      if (bytes == NULL)
        break;

      data = g_bytes_get_data (bytes, &length);
      if (length == 0)
        break;

      reading->n_bytes += length;
      feed (reading, decoder, replay, data, length);
    }
}

/* The end of what the agent wrote to its standard error, which lies beside the capture. */
static void
note_stderr (ForeDecoder *decoder, const char *capture)
{
  g_autofree char *path = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GFile) file = NULL;
  g_autoptr (GFileInputStream) stream = NULL;
  gsize length = 0;

  if (!g_str_has_suffix (capture, ".out"))
    return;

  path = g_strdup_printf ("%.*serr", (int) strlen (capture) - 3, capture);
  file = g_file_new_for_path (path);
  stream = g_file_read (file, NULL, NULL);
  if (stream == NULL)
    return;

  /* A shorter file cannot be sought so far from its end and is read whole. */
  g_seekable_seek (G_SEEKABLE (stream), -STDERR_BYTES, G_SEEK_END, NULL, NULL);
  text = g_malloc (STDERR_BYTES);
  if (g_input_stream_read_all (G_INPUT_STREAM (stream), text, STDERR_BYTES, &length, NULL, NULL)
      && length > 0)
    fore_decoder_note_stderr (decoder, text, length);
}

/* Reads again what of a long answer the decoder did not hold. */
static void
give_output (ForeDecoder *decoder, const char *path)
{
  gsize wanted = fore_decoder_get_output_wanted (decoder);
  g_autofree char *text = NULL;
  GStatBuf status;
  gssize length = -1;
  int fd;

  if (wanted == 0 || (fd = g_open (path, O_RDONLY | O_CLOEXEC, 0)) < 0)
    return;

  text = g_malloc (wanted);
  if (g_stat (path, &status) == 0)
    length = fore_file_read_at (fd, text, wanted,
                                MAX (0, (gint64) status.st_size - (gint64) wanted));
  g_close (fd, NULL);
  if (length > 0)
    fore_decoder_take_output (decoder, text, (gsize) length);
}

/**
 * fore_agent_reading_new:
 * @final: whether the agent has ended, so that there will be no more
 * @nothing: whether it is known to have printed nothing; then no file is touched
 *
 * Returns: (transfer full): a reading to be done
 */
ForeAgentReading *
fore_agent_reading_new (gboolean final, gboolean nothing)
{
  ForeAgentReading *reading = g_new0 (ForeAgentReading, 1);

  reading->final = final;
  reading->nothing = nothing;
  reading->permissions = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_entry_free);
  reading->withdrawn = g_ptr_array_new_with_free_func (g_free);
  reading->heard = g_ptr_array_new_with_free_func (g_free);

  return reading;
}

/**
 * fore_agent_reading_free:
 * @reading: (transfer full): a reading
 */
void
fore_agent_reading_free (ForeAgentReading *reading)
{
  g_return_if_fail (reading != NULL);

  g_free (reading->session);
  g_free (reading->model);
  g_free (reading->anew_reason);
  g_clear_pointer (&reading->permissions, g_ptr_array_unref);
  g_clear_pointer (&reading->withdrawn, g_ptr_array_unref);
  g_clear_pointer (&reading->heard, g_ptr_array_unref);
  g_free (reading);
}

/**
 * fore_agent_reading_copy:
 * @reading: what was found
 *
 * Returns: (transfer full): a copy, without requests, what was withdrawn and what was heard
 */
ForeAgentReading *
fore_agent_reading_copy (const ForeAgentReading *reading)
{
  ForeAgentReading *copy;

  g_return_val_if_fail (reading != NULL, NULL);

  copy = fore_agent_reading_new (reading->final, reading->nothing);
  copy->n_bytes = reading->n_bytes;
  copy->tools_running = reading->tools_running;
  copy->turns = reading->turns;
  copy->settled = reading->settled;
  copy->usage = reading->usage;
  copy->session = g_strdup (reading->session);
  copy->model = g_strdup (reading->model);
  copy->taken_up = reading->taken_up;
  copy->anew_reason = g_strdup (reading->anew_reason);

  return copy;
}

/**
 * fore_agent_reading_is_news:
 * @reading: what was found
 * @earlier: (nullable): what was found and told before
 *
 * Returns: whether @reading says anything that @earlier did not, but that more was printed
 */
gboolean
fore_agent_reading_is_news (const ForeAgentReading *reading, const ForeAgentReading *earlier)
{
  g_return_val_if_fail (reading != NULL, FALSE);

  return earlier == NULL || reading->has_outbox || reading->permissions->len > 0
         || reading->withdrawn->len > 0 || reading->heard->len > 0
         || reading->settled != earlier->settled || reading->turns != earlier->turns
         || reading->tools_running != earlier->tools_running
         || reading->taken_up != earlier->taken_up
         || !fore_usage_equal (&reading->usage, &earlier->usage)
         || g_strcmp0 (reading->session, earlier->session) != 0
         || g_strcmp0 (reading->model, earlier->model) != 0;
}

/**
 * fore_agent_reading_take:
 * @reading: a reading
 * @decoder: decoder of the agent's stream; used by nobody else meanwhile
 * @replay: how far it has come
 * @capture: (inout) (nullable): the capture, opened as soon as there is one
 * @path: where it is
 *
 * Feeds @decoder with what was added to the capture and notes what it makes of it. Blocks, unless
 * nothing was printed.
 */
void
fore_agent_reading_take (ForeAgentReading *reading,
                         ForeDecoder *decoder,
                         ForeAgentReplay *replay,
                         ForeCapture **capture,
                         const char *path)
{
  const ForeSummary *summary;

  g_return_if_fail (reading != NULL && decoder != NULL && replay != NULL);
  g_return_if_fail (capture != NULL && path != NULL);

  if (!reading->nothing)
    read_to_end (reading, decoder, replay, capture, path);
  if (reading->final)
    {
      fore_decoder_finish (decoder, keep_permission, reading);
      if (!reading->nothing)
        {
          give_output (decoder, path);
          note_stderr (decoder, path);
        }
    }

  summary = fore_decoder_get_summary (decoder);
  reading->tools_running = summary->tools_running;
  reading->turns = summary->turns;
  reading->settled = summary->settled;
  reading->usage = summary->usage;
  reading->session = g_strdup (summary->session);
  reading->model = g_strdup (summary->model);
  reading->taken_up = summary->taken_up;
  reading->anew_reason = g_strdup (summary->anew_reason);
  reading->has_outbox = fore_decoder_has_outbox (decoder);
}
