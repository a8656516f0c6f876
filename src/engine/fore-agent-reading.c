/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-agent-reading.h"

#include <gio/gio.h>
#include <string.h>

#define STDERR_BYTES (16 * 1024)

static void
keep_permission (const ForeEntry *entry, gpointer user_data)
{
  ForeAgentReading *reading = user_data;

  if (entry->kind == FORE_ENTRY_PERMISSION && entry->state == FORE_ENTRY_RUNNING)
    g_ptr_array_add (reading->permissions, fore_entry_copy (entry));
}

static void
read_to_end (ForeAgentReading *reading,
             ForeDecoder *decoder,
             ForeCapture **capture,
             const char *path)
{
  if (*capture == NULL)
    *capture = fore_capture_open (path, NULL);

  while (*capture != NULL)
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
      fore_decoder_feed (decoder, data, length, keep_permission, reading);
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
  g_clear_pointer (&reading->permissions, g_ptr_array_unref);
  g_clear_pointer (&reading->outbox, g_bytes_unref);
  g_free (reading);
}

/**
 * fore_agent_reading_take:
 * @reading: a reading
 * @decoder: decoder of the agent's stream; used by nobody else meanwhile
 * @capture: (inout) (nullable): the capture, opened as soon as there is one
 * @path: where it is
 *
 * Feeds @decoder with what was added to the capture and notes what it makes of it. Blocks, unless
 * nothing was printed.
 */
void
fore_agent_reading_take (ForeAgentReading *reading,
                         ForeDecoder *decoder,
                         ForeCapture **capture,
                         const char *path)
{
  const ForeSummary *summary;

  g_return_if_fail (reading != NULL && decoder != NULL);
  g_return_if_fail (capture != NULL && path != NULL);

  if (!reading->nothing)
    read_to_end (reading, decoder, capture, path);
  if (reading->final)
    {
      fore_decoder_finish (decoder, keep_permission, reading);
      if (!reading->nothing
          && fore_decoder_get_summary (decoder)->outcome == FORE_OUTCOME_UNFINISHED)
        note_stderr (decoder, path);
    }
  reading->outbox = fore_decoder_take_outbox (decoder);

  summary = fore_decoder_get_summary (decoder);
  reading->tools_running = summary->tools_running;
  reading->turns = summary->turns;
  reading->settled = summary->settled;
  reading->usage = summary->usage;
  reading->session = g_strdup (summary->session);
  reading->model = g_strdup (summary->model);
}
