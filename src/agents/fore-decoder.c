/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-decoder-private.h"

#include "agents/fore-error-text.h"
#include "platform/fore-signals.h"
#include "text/fore-text.h"

#include <glib/gi18n-lib.h>
#include <signal.h>
#include <string.h>

#define STDERR_KEPT (16 * 1024)

/**
 * fore_decoder_new:
 * @decoder_class: what an adapter gives
 * @live: whether it is for a live session
 *
 * Returns: (transfer full): a decoder at the start of a stream
 */
ForeDecoder *
fore_decoder_new (const ForeDecoderClass *decoder_class, gboolean live)
{
  ForeDecoder *decoder;

  g_return_val_if_fail (decoder_class != NULL, NULL);
  g_return_val_if_fail (decoder_class->instance_size >= sizeof (ForeDecoder), NULL);

  decoder = g_malloc0 (decoder_class->instance_size);
  decoder->decoder_class = decoder_class;
  decoder->live = live;
  decoder->reader = fore_line_reader_new (FORE_LINE_FOLD);
  decoder->summary.usage = FORE_USAGE_INIT;
  decoder->summary.errors = g_ptr_array_new_with_free_func (g_free);
  decoder->summary.modes = g_ptr_array_new_with_free_func (
      (GDestroyNotify) fore_request_option_free);
  decoder->summary.models = g_ptr_array_new_with_free_func (
      (GDestroyNotify) fore_request_option_free);
  decoder->tools = g_hash_table_new_full (g_str_hash, g_str_equal, NULL,
                                          (GDestroyNotify) fore_entry_free);
  decoder->usages = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  fore_decoder_init_asked (decoder);
  decoder->queued = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_entry_free);
  decoder->outbox = g_byte_array_new ();

  return decoder;
}

/**
 * fore_decoder_free:
 * @decoder: (transfer full) (nullable): a decoder
 *
 * Frees @decoder and its summary.
 */
void
fore_decoder_free (ForeDecoder *decoder)
{
  if (decoder == NULL)
    return;

  if (decoder->decoder_class->clear != NULL)
    decoder->decoder_class->clear (decoder);

  fore_line_reader_free (decoder->reader);
  g_free (decoder->summary.final_text);
  g_free (decoder->summary.session);
  g_free (decoder->summary.anew_reason);
  g_free (decoder->summary.model);
  g_free (decoder->summary.mode);
  g_ptr_array_unref (decoder->summary.errors);
  g_ptr_array_unref (decoder->summary.modes);
  g_ptr_array_unref (decoder->summary.models);
  g_hash_table_unref (decoder->tools);
  g_hash_table_unref (decoder->asked);
  g_hash_table_unref (decoder->usages);
  g_ptr_array_unref (decoder->queued);
  g_byte_array_unref (decoder->outbox);
  g_free (decoder->repaired);
  g_free (decoder->stderr_message);
  g_free (decoder);
}

static void
on_line (const char *line, gsize length, gint64 offset, gboolean truncated, gpointer user_data)
{
  ForeDecoder *decoder = user_data;

  if (length == 0 && decoder->decoder_class->blank_lines == FALSE)
    return;

  decoder->summary.produced |= length > 0;
  decoder->offset = offset;
  if (truncated || !fore_decoder_take_contact (decoder, line, length))
    decoder->decoder_class->line (decoder, line, length, truncated);
  g_clear_pointer (&decoder->repaired, g_free);
}

static void
flush_queued (ForeDecoder *decoder)
{
  for (guint i = 0; i < decoder->queued->len; i++)
    fore_decoder_emit (decoder, g_ptr_array_index (decoder->queued, i));

  g_ptr_array_set_size (decoder->queued, 0);
}

static void
ignore_entry (const ForeEntry *entry, gpointer user_data)
{
}

static void
set_receiver (ForeDecoder *decoder, ForeEntryFunc func, gpointer user_data)
{
  decoder->func = func != NULL ? func : ignore_entry;
  decoder->user_data = user_data;
}

/**
 * fore_decoder_feed:
 * @decoder: a decoder
 * @data: what came next on the agent's standard output
 * @length: bytes of @data
 * @func: (scope call) (nullable): called for each entry; the entry is valid only during the call
 * @user_data: passed to @func
 *
 * Takes up a piece of the stream, however it was cut.
 */
void
fore_decoder_feed (
    ForeDecoder *decoder, const char *data, gsize length, ForeEntryFunc func, gpointer user_data)
{
  g_return_if_fail (decoder != NULL);
  g_return_if_fail (data != NULL || length == 0);
  g_return_if_fail (!decoder->finished);

  set_receiver (decoder, func, user_data);
  flush_queued (decoder);
  fore_line_reader_feed (decoder->reader, data, length, on_line, decoder);
}

/**
 * fore_decoder_finish:
 * @decoder: a decoder
 * @func: (scope call) (nullable): called for each entry that was still to come
 * @user_data: passed to @func
 *
 * Says that the stream is over: a last line without an end is taken as a line.
 */
void
fore_decoder_finish (ForeDecoder *decoder, ForeEntryFunc func, gpointer user_data)
{
  g_return_if_fail (decoder != NULL);

  if (decoder->finished)
    return;

  set_receiver (decoder, func, user_data);
  flush_queued (decoder);
  fore_line_reader_finish (decoder->reader, on_line, decoder);
  fore_decoder_withdraw_all (decoder);
  fore_decoder_fail_open_tools (decoder);
  if (decoder->decoder_class->finish != NULL)
    decoder->decoder_class->finish (decoder);
  decoder->finished = TRUE;
}

/**
 * fore_decoder_get_summary:
 * @decoder: a decoder
 *
 * Returns: (transfer none): what is known so far
 */
const ForeSummary *
fore_decoder_get_summary (ForeDecoder *decoder)
{
  g_return_val_if_fail (decoder != NULL, NULL);

  return &decoder->summary;
}

/**
 * fore_decoder_set_earlier_usage:
 * @decoder: a decoder to which nothing was fed
 * @usage: what earlier attempts in the same session used
 *
 * Some CLIs report totals of the session: what was counted before is taken off theirs.
 */
void
fore_decoder_set_earlier_usage (ForeDecoder *decoder, const ForeUsage *usage)
{
  g_return_if_fail (decoder != NULL);
  g_return_if_fail (usage != NULL);

  g_hash_table_replace (decoder->usages, g_strdup (FORE_DECODER_SESSION),
                        g_memdup2 (usage, sizeof *usage));
}

/**
 * fore_decoder_begin:
 * @decoder: a decoder of a live session
 * @start: how it begins
 *
 * Starts the conversation, or goes on with that of a process that has died; what is to be written
 * to the agent is in the outbox then.
 */
void
fore_decoder_begin (ForeDecoder *decoder, const ForeSessionStart *start)
{
  g_return_if_fail (decoder != NULL);
  g_return_if_fail (start != NULL);
  g_return_if_fail (start->prompt != NULL && start->cwd != NULL);
  g_return_if_fail (decoder->decoder_class->begin != NULL);

  if (decoder->speaking)
    return;

  decoder->speaking = TRUE;
  if (start->session != NULL && start->earlier != NULL)
    fore_decoder_set_earlier_usage (decoder, start->earlier);
  decoder->decoder_class->begin (decoder, start);
}

/**
 * fore_decoder_say:
 * @decoder: a decoder of a live session
 * @kind: `prompt`, `steer`, `follow-up`, `answer`, `interrupt`, `end`, `mode` or `model`
 * @id: (nullable): for answers: id of the permission entry
 * @text: (nullable): what to say; for answers: id of the option; for modes and models: its id
 *
 * Says something to the agent; what is to be written to it is in the outbox then.
 *
 * Returns: %FALSE if the agent cannot be told this, for instance because nobody waits for that
 *   answer any more
 */
gboolean
fore_decoder_say (ForeDecoder *decoder, const char *kind, const char *id, const char *text)
{
  g_return_val_if_fail (decoder != NULL, FALSE);
  g_return_val_if_fail (kind != NULL, FALSE);

  if (decoder->decoder_class->say == NULL || !decoder->speaking)
    return FALSE;

  return decoder->decoder_class->say (decoder, kind, id, text);
}

/**
 * fore_decoder_has_outbox:
 * @decoder: a decoder
 *
 * Returns: whether fore_decoder_take_outbox() has something to give
 */
gboolean
fore_decoder_has_outbox (ForeDecoder *decoder)
{
  g_return_val_if_fail (decoder != NULL, FALSE);

  return decoder->outbox->len > 0;
}

/**
 * fore_decoder_take_outbox:
 * @decoder: a decoder
 *
 * Returns: (transfer full) (nullable): bytes to write to the agent's standard input, %NULL if there
 *   are none
 */
GBytes *
fore_decoder_take_outbox (ForeDecoder *decoder)
{
  GByteArray *outbox;

  g_return_val_if_fail (decoder != NULL, NULL);

  if (decoder->outbox->len == 0)
    return NULL;

  outbox = decoder->outbox;
  decoder->outbox = g_byte_array_new ();

  return g_byte_array_free_to_bytes (outbox);
}

/* The line that says most: the first that speaks of an error, else the last. */
static char *
pick_line (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  const char *picked = NULL;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autofree char *lower = g_ascii_strdown (lines[i], -1);

      if (strstr (lower, "error") != NULL)
        return fore_text_first_line (lines[i], 300);
      if (g_strstrip (lower)[0] != '\0')
        picked = lines[i];
    }

  return picked != NULL ? fore_text_first_line (picked, 300) : NULL;
}

/**
 * fore_decoder_get_output_wanted:
 * @decoder: a decoder that is finished
 *
 * Returns: how much of the end of the stream, in bytes, fore_decoder_take_output() shall be given;
 *   0 for nothing
 */
gsize
fore_decoder_get_output_wanted (ForeDecoder *decoder)
{
  g_return_val_if_fail (decoder != NULL && decoder->finished, 0);

  return decoder->output_wanted;
}

/**
 * fore_decoder_take_output:
 * @decoder: a decoder that wants it
 * @text: the end of what it was fed
 * @length: bytes of @text
 *
 * Makes the answer anew of more than the decoder held of it.
 */
void
fore_decoder_take_output (ForeDecoder *decoder, const char *text, gsize length)
{
  g_return_if_fail (decoder != NULL && decoder->output_wanted > 0);
  g_return_if_fail (text != NULL || length == 0);

  decoder->output_wanted = 0;
  decoder->decoder_class->take_output (decoder, text, length);
}

/**
 * fore_decoder_note_stderr:
 * @decoder: a decoder
 * @text: what the agent wrote to its standard error; of a long one the last part is enough
 * @length: bytes of @text
 *
 * Keeps a cause and a sentence for fore_decoder_judge() to use where the stream gives none.
 */
void
fore_decoder_note_stderr (ForeDecoder *decoder, const char *text, gsize length)
{
  g_autofree char *valid = NULL;
  g_autofree char *plain = NULL;

  g_return_if_fail (decoder != NULL);
  g_return_if_fail (text != NULL || length == 0);

  if (length > STDERR_KEPT)
    {
      text += length - STDERR_KEPT;
      length = STDERR_KEPT;
    }

  valid = fore_text_make_valid (text, length);
  plain = fore_text_strip_ansi (valid);
  g_free (decoder->stderr_message);
  decoder->stderr_message = pick_line (plain);
  decoder->stderr_cause = fore_error_text_classify (plain, 0);
}

static ForeCause
judge_signal (int term_signal, char **message)
{
  if (fore_signal_is_polite (term_signal))
    {
      *message = g_strdup_printf (_ ("It was ended from outside (signal %d)."), term_signal);
      return FORE_CAUSE_INTERRUPTED;
    }

  *message = g_strdup_printf (_ ("It was killed by signal %d (%s)."), term_signal,
                              g_strsignal (term_signal));
  return FORE_CAUSE_CRASH;
}

static ForeCause
judge_command (ForeDecoder *decoder, int exit_code, int term_signal, char **message)
{
  const char *said = decoder->stderr_message;

  if (term_signal != 0)
    return judge_signal (term_signal, message);

  if (exit_code == 0)
    return FORE_CAUSE_NONE;

  if (said != NULL && *said != '\0')
    *message = g_strdup_printf (_ ("The command ended with exit code %d: %s"), exit_code, said);
  else
    *message = g_strdup_printf (_ ("The command ended with exit code %d."), exit_code);

  return FORE_CAUSE_EXIT;
}

static char *
last_error (ForeDecoder *decoder)
{
  GPtrArray *errors = decoder->summary.errors;

  return errors->len > 0 ? g_strdup (g_ptr_array_index (errors, errors->len - 1)) : NULL;
}

/* What this CLI means by its exit code. */
static ForeCause
exit_cause (ForeDecoder *decoder, int exit_code, char **message)
{
  ForeCause cause = FORE_CAUSE_NONE;
  const char *said = decoder->stderr_message;

  if (decoder->decoder_class->exit_cause != NULL)
    cause = decoder->decoder_class->exit_cause (exit_code);
  if (cause != FORE_CAUSE_NONE)
    *message = said != NULL && said[0] != '\0'
                   ? g_strdup (said)
                   : g_strdup_printf (_ ("It ended with exit code %d before its work was over."),
                                      exit_code);

  return cause;
}

/* No terminal event came, or one that says nothing was done. */
static ForeCause
judge_unfinished (ForeDecoder *decoder, int exit_code, char **message)
{
  ForeCause cause;

  if (fore_signal_is_polite (exit_code - 128))
    return judge_signal (exit_code - 128, message);

  if (decoder->summary.cause != FORE_CAUSE_NONE)
    {
      *message = last_error (decoder);
      return decoder->summary.cause;
    }

  if (decoder->stderr_cause != FORE_CAUSE_ERROR && decoder->stderr_cause != FORE_CAUSE_NONE)
    {
      *message = g_strdup (decoder->stderr_message);
      return decoder->stderr_cause;
    }

  cause = exit_cause (decoder, exit_code, message);
  if (cause != FORE_CAUSE_NONE)
    return cause;

  if (!decoder->summary.produced)
    {
      *message = decoder->stderr_message != NULL && decoder->stderr_message[0] != '\0'
                     ? g_strdup_printf (_ ("It ended without any output: %s"),
                                        decoder->stderr_message)
                     : g_strdup (_ ("It ended without any output."));
      return FORE_CAUSE_NO_OUTPUT;
    }

  if (exit_code == 0)
    {
      *message = g_strdup (_ ("Its output broke off before the end."));
      return FORE_CAUSE_BROKEN_STREAM;
    }

  *message = g_strdup_printf (_ ("It ended with exit code %d before its work was over."),
                              exit_code);
  return FORE_CAUSE_CRASH;
}

static ForeCause
judge_agent (ForeDecoder *decoder, int exit_code, int term_signal, char **message)
{
  const ForeSummary *summary = &decoder->summary;

  if (summary->outcome == FORE_OUTCOME_FAILED)
    {
      *message = last_error (decoder);
      return summary->cause != FORE_CAUSE_NONE ? summary->cause : FORE_CAUSE_ERROR;
    }

  if (term_signal != 0)
    return judge_signal (term_signal, message);

  if (summary->outcome == FORE_OUTCOME_UNFINISHED)
    return judge_unfinished (decoder, exit_code, message);

  if (exit_code != 0)
    {
      *message = g_strdup_printf (_ ("It said that it was done and ended with exit code %d."),
                                  exit_code);
      return FORE_CAUSE_EXIT;
    }

  if (!summary->answered)
    {
      *message = g_strdup (_ ("It ended without an answer and without using a tool."));
      return FORE_CAUSE_NO_OUTPUT;
    }

  return FORE_CAUSE_NONE;
}

/**
 * fore_decoder_judge:
 * @decoder: a decoder whose stream is over
 * @exit_code: exit code of the process, or -1 if a signal ended it
 * @term_signal: signal that ended it, or 0
 * @stream_required: whether an end without a terminal event is a failure
 * @message: (out) (optional) (nullable): one sentence about the failure
 *
 * Combines what the stream says with what the kernel says into the worst of all evidence. Who ended
 * the process himself knows why better than this function, which then says
 * %FORE_CAUSE_INTERRUPTED or %FORE_CAUSE_CRASH.
 *
 * Returns: %FORE_CAUSE_NONE if the attempt ended well
 */
ForeCause
fore_decoder_judge (
    ForeDecoder *decoder, int exit_code, int term_signal, gboolean stream_required, char **message)
{
  g_autofree char *sentence = NULL;
  ForeCause cause;

  g_return_val_if_fail (decoder != NULL, FORE_CAUSE_ERROR);

  if (stream_required)
    cause = judge_agent (decoder, exit_code, term_signal, &sentence);
  else
    cause = judge_command (decoder, exit_code, term_signal, &sentence);

  if (message != NULL)
    *message = g_steal_pointer (&sentence);

  return cause;
}
