/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-adapter-private.h"
#include "agents/fore-codex-private.h"
#include "agents/fore-decoder-private.h"
#include "agents/fore-error-text.h"
#include "text/fore-text.h"

#include <glib/gi18n-lib.h>

/* codex exec --json: items that start, are updated and complete, most only completed; the end is
 * turn.completed or turn.failed, and an error by itself is none. What turn.completed says of usage
 * is the total of the thread, the cached tokens among the input ones.
 */
typedef struct
{
  ForeDecoder parent;
} CodexDecoder;

enum
{
  LINE_TYPE,
  LINE_ITEM,
  LINE_THREAD,
  LINE_USAGE,
  LINE_ERROR,
  LINE_MESSAGE,
  N_LINE
};

static const char *const line_names[N_LINE] = {
  [LINE_TYPE] = "type",   [LINE_ITEM] = "item",   [LINE_THREAD] = "thread_id",
  [LINE_USAGE] = "usage", [LINE_ERROR] = "error", [LINE_MESSAGE] = "message",
};

static void
on_thread (CodexDecoder *self, const ForeJsonSlice *line)
{
  ForeEntry entry = FORE_ENTRY_INIT (FORE_ENTRY_SESSION);

  fore_decoder_take_session (&self->parent, fore_json_slice_dup_string (&line[LINE_THREAD]));
  entry.id = (char *) "session";
  entry.name = (char *) "codex";
  entry.title = self->parent.summary.session;
  fore_decoder_emit (&self->parent, &entry);
}

/* Codex says that it tries again in an error that is none. */
static void
on_error (CodexDecoder *self, const ForeJsonSlice *line)
{
  g_autofree char *message = fore_json_slice_dup_string (&line[LINE_MESSAGE]);

  if (message != NULL && g_str_has_prefix (message, "Reconnecting"))
    fore_decoder_emit_notice (&self->parent, NULL, "retry", _ ("Tries again"), message);
  else
    fore_decoder_emit_error (&self->parent, fore_error_text_classify (message, 0), message);
}

static void
count_usage (CodexDecoder *self, const ForeJsonSlice *usage)
{
  static const char *const names[] = { "input_tokens", "output_tokens", "cached_input_tokens",
                                       "cache_write_input_tokens" };
  ForeJsonSlice values[G_N_ELEMENTS (names)];

  fore_json_slice_get_members (usage, names, G_N_ELEMENTS (names), values);
  fore_codex_count_usage (&self->parent, NULL, values);
}

static void
on_turn_failed (CodexDecoder *self, const ForeJsonSlice *line)
{
  ForeJsonSlice value;
  g_autofree char *message = NULL;

  fore_json_slice_get_member (&line[LINE_ERROR], "message", &value);
  message = fore_json_slice_dup_string (&value);
  fore_decoder_fail_open_tools (&self->parent);
  fore_decoder_fail (&self->parent, fore_codex_classify (message), message);
  fore_decoder_emit_result (&self->parent);
}

static void
on_turn_completed (CodexDecoder *self, const ForeJsonSlice *line)
{
  count_usage (self, &line[LINE_USAGE]);
  fore_decoder_fail_open_tools (&self->parent);
  fore_decoder_complete (&self->parent);
  fore_decoder_emit_result (&self->parent);
}

static void
on_event (CodexDecoder *self, const ForeJsonSlice *line, const char *text, gsize length)
{
  const ForeJsonSlice *type = &line[LINE_TYPE];
  g_autofree char *name = NULL;

  if (fore_json_slice_equals (type, "item.started")
      || fore_json_slice_equals (type, "item.updated"))
    fore_codex_on_item (&self->parent, &line[LINE_ITEM], FALSE, NULL, text, length);
  else if (fore_json_slice_equals (type, "item.completed"))
    fore_codex_on_item (&self->parent, &line[LINE_ITEM], TRUE, NULL, text, length);
  else if (fore_json_slice_equals (type, "thread.started"))
    on_thread (self, line);
  else if (fore_json_slice_equals (type, "turn.started"))
    fore_decoder_reopen (&self->parent);
  else if (fore_json_slice_equals (type, "turn.completed"))
    on_turn_completed (self, line);
  else if (fore_json_slice_equals (type, "turn.failed"))
    on_turn_failed (self, line);
  else if (fore_json_slice_equals (type, "error"))
    on_error (self, line);
  else
    fore_decoder_emit_raw (&self->parent, name = fore_json_slice_dup_string (type), text, length,
                           FALSE);
}

static void
codex_line (ForeDecoder *decoder, const char *line, gsize length, gboolean truncated)
{
  ForeJsonSlice values[N_LINE];

  if (!truncated && fore_decoder_read_line (decoder, line, length, line_names, N_LINE, values))
    on_event ((CodexDecoder *) decoder, values, line, length);
  else
    fore_decoder_emit_raw (decoder, NULL, line, length, truncated);
}

const ForeDecoderClass fore_codex_decoder_class = {
  .instance_size = sizeof (CodexDecoder),
  .line = codex_line,
};
