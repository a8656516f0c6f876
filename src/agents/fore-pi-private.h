/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agents/fore-decoder-private.h"

G_BEGIN_DECLS

/* pi --mode json: one event a line. A message is told by message_start, deltas and a message_end
 * that says it all again and is what counts; an entry for each part of it has the id
 * m<message>.<part>. The end is agent_settled; before pi 0.84 it was agent_end, which then had no
 * willRetry, and a retry could still follow. With --mode rpc the same events come between answers
 * to commands, without the line about the session; commands go in and questions of extensions come
 * out.
 */
typedef struct
{
  ForeDecoder parent;
  guint message;
  gboolean message_open;
  ForeCause stop_cause;
  char *stop_message;
  GString *streamed;
  char id_buffer[32];
  guint last_id;
} PiDecoder;

enum
{
  LINE_TYPE,
  LINE_EVENT,
  LINE_MESSAGE,
  LINE_ID,
  LINE_CALL_ID,
  LINE_TOOL,
  LINE_ARGS,
  LINE_PARTIAL,
  LINE_RESULT,
  LINE_IS_ERROR,
  LINE_DURATION,
  LINE_ABORTED,
  LINE_WILL_RETRY,
  LINE_ATTEMPT,
  LINE_MAX_ATTEMPTS,
  LINE_ERROR,
  LINE_FINAL_ERROR,
  LINE_CWD,
  LINE_COMMAND,
  LINE_SUCCESS,
  LINE_DATA,
  LINE_FAILURE,
  LINE_METHOD,
  LINE_TITLE,
  LINE_OPTIONS,
  N_LINE
};

gboolean fore_pi_on_answer (PiDecoder *self, const ForeJsonSlice *line);
void fore_pi_begin (ForeDecoder *decoder, const ForeSessionStart *start);
gboolean fore_pi_say (ForeDecoder *decoder, const char *kind, const char *id, const char *text);

G_END_DECLS
