/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-error-output.h"

#include "agents/fore-adapter.h"
#include "store/fore-capture.h"

struct _ForeErrorOutput
{
  char *path;
  gboolean always;
  ForeCapture *capture;
  ForeDecoder *decoder;
  ForeEntryFunc func;
  gpointer user_data;
};

/* Its lines are told from those of the standard output by id and name. */
static void
rename_entry (const ForeEntry *entry, gpointer user_data)
{
  ForeErrorOutput *self = user_data;
  ForeEntry own = *entry;

  g_assert (self->func != NULL);

  own.id = (char *) FORE_ERROR_OUTPUT_ID;
  own.kind = FORE_ENTRY_RAW;
  own.name = (char *) FORE_ERROR_OUTPUT_ID;
  self->func (&own, self->user_data);
}

/**
 * fore_error_output_new:
 * @home: Foredeck's folder
 * @run_id: whole id of the run
 * @attempt: one of its attempts
 *
 * Returns: (transfer full): a reader at the beginning of what @attempt wrote to its standard error
 */
ForeErrorOutput *
fore_error_output_new (const char *home, const char *run_id, const ForeAttempt *attempt)
{
  const ForeAdapter *command = fore_adapter_lookup ("command");
  ForeErrorOutput *self;

  g_return_val_if_fail (home != NULL, NULL);
  g_return_val_if_fail (run_id != NULL, NULL);
  g_return_val_if_fail (attempt != NULL, NULL);

  self = g_new0 (ForeErrorOutput, 1);
  self->path = fore_capture_dup_path (home, run_id, attempt->task, attempt->n, "err");
  self->capture = fore_capture_new (self->path);
  self->decoder = fore_adapter_new_decoder (command, FALSE);
  self->always = g_strcmp0 (attempt->cli, command->name) == 0;

  return self;
}

/**
 * fore_error_output_free:
 * @output: (nullable): a reader
 */
void
fore_error_output_free (ForeErrorOutput *output)
{
  if (output == NULL)
    return;

  fore_capture_free (output->capture);
  fore_decoder_free (output->decoder);
  g_free (output->path);
  g_free (output);
}

/**
 * fore_error_output_get_path:
 * @output: a reader
 *
 * Returns: (transfer none): the file that it reads, which need not be there yet
 */
const char *
fore_error_output_get_path (ForeErrorOutput *output)
{
  g_return_val_if_fail (output != NULL, NULL);

  return output->path;
}

/**
 * fore_error_output_is_shown:
 * @output: a reader
 * @silent: whether the attempt has ended and said nothing otherwise
 *
 * A command's standard error is half of what it prints. That of an agent is its log, and matters
 * where there is nothing else.
 *
 * Returns: whether it belongs into the transcript
 */
gboolean
fore_error_output_is_shown (ForeErrorOutput *output, gboolean silent)
{
  g_return_val_if_fail (output != NULL, FALSE);

  return output->always || silent;
}

/**
 * fore_error_output_read:
 * @output: a reader
 * @func: (scope call): called for each new entry
 * @user_data: passed to @func
 *
 * Reads one piece of what came since.
 *
 * Returns: whether there was anything
 */
gboolean
fore_error_output_read (ForeErrorOutput *output, ForeEntryFunc func, gpointer user_data)
{
  g_autoptr (GBytes) bytes = NULL;
  const char *data;
  gsize length = 0;

  g_return_val_if_fail (output != NULL, FALSE);
  g_return_val_if_fail (func != NULL, FALSE);

  bytes = fore_capture_read (output->capture, NULL);
  data = bytes != NULL ? g_bytes_get_data (bytes, &length) : NULL;
  if (length == 0)
    return FALSE;

  output->func = func;
  output->user_data = user_data;
  fore_decoder_feed (output->decoder, data, length, rename_entry, output);

  return TRUE;
}

/**
 * fore_error_output_finish:
 * @output: a reader
 * @func: (scope call): called for each entry that was still to come
 * @user_data: passed to @func
 *
 * Says that no more will come.
 */
void
fore_error_output_finish (ForeErrorOutput *output, ForeEntryFunc func, gpointer user_data)
{
  g_return_if_fail (output != NULL);
  g_return_if_fail (func != NULL);

  output->func = func;
  output->user_data = user_data;
  fore_decoder_finish (output->decoder, rename_entry, output);
}
