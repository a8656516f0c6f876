/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agents/fore-decoder-private.h"

G_BEGIN_DECLS

/* claude -p --output-format stream-json: one event a line, the type anywhere in it. Each block of a
 * message is an event of its own under the message's id; the entry of a block has the id
 * <message>.<block>. A result ends a turn, not the stream: sub-agents and shells in the background
 * bring further turns, so the last one counts, and what it says of usage is the total so far.
 */
typedef struct
{
  ForeDecoder parent;
  char *message;
  guint block;
  char *stream_message;
  ForeUsage base;
  ForeUsage turns;
  gboolean ready;
  guint last_id;
  guint said;
  guint heard;
} ClaudeDecoder;

/* Members of a line, of whatever type. */
enum
{
  LINE_TYPE,
  LINE_SUBTYPE,
  LINE_MESSAGE,
  LINE_EVENT,
  LINE_PARENT,
  LINE_SESSION,
  LINE_MODEL,
  LINE_CWD,
  LINE_TOOL_RESULT,
  LINE_IS_ERROR,
  LINE_RESULT,
  LINE_ERRORS,
  LINE_TERMINAL,
  LINE_STOP,
  LINE_STATUS,
  LINE_ERROR_TYPE,
  LINE_COST,
  LINE_USAGE,
  LINE_MODEL_USAGE,
  LINE_TURNS,
  LINE_ATTEMPT,
  LINE_MAX_RETRIES,
  LINE_ERROR,
  LINE_ERROR_STATUS,
  LINE_TOOL_NAME,
  LINE_SUMMARY,
  LINE_DESCRIPTION,
  LINE_TASK_ID,
  LINE_API_MESSAGE,
  LINE_REQUEST,
  LINE_REQUEST_ID,
  LINE_RESPONSE,
  LINE_REPLAY,
  LINE_STATE,
  LINE_MODE,
  LINE_LIMIT,
  LINE_DENIALS,
  LINE_PATCH,
  LINE_STATUS_WORD,
  N_LINE
};

gboolean fore_claude_on_control (ClaudeDecoder *self, const ForeJsonSlice *line);
void fore_claude_begin (ForeDecoder *decoder, const ForeSessionStart *start);
gboolean fore_claude_say (ForeDecoder *decoder, const char *kind, const char *id, const char *text);
ForeUsage fore_claude_read_usage (const ForeJsonSlice *usage);
void fore_claude_on_reset (ClaudeDecoder *self, const ForeJsonSlice *line);
void fore_claude_on_result (ClaudeDecoder *self, const ForeJsonSlice *line);

G_END_DECLS
