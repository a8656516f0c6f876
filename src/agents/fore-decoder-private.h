/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agents/fore-decoder.h"
#include "text/fore-json-slice.h"
#include "text/fore-line-reader.h"

G_BEGIN_DECLS

struct _ForeDecoder
{
  const ForeDecoderClass *decoder_class;
  ForeLineReader *reader;
  ForeSummary summary;
  gboolean live;
  gboolean speaking;
  gboolean finished;
  gsize output_wanted;
  gint64 offset;
  ForeEntryFunc func;
  gpointer user_data;
  GHashTable *tools;
  GHashTable *asked;
  GHashTable *usages;
  GPtrArray *queued;
  GByteArray *outbox;
  char *repaired;
  ForeCause stderr_cause;
  char *stderr_message;
};

/* Reading a line: picks members of the object that it is; bytes that are not UTF-8 and NULs are
 * replaced first where that makes it readable. */
gboolean fore_decoder_read_line (ForeDecoder *decoder,
                                 const char *line,
                                 gsize length,
                                 const char *const *names,
                                 guint n_names,
                                 ForeJsonSlice *values);

/* Entries; all strings in them stay the caller's. */
void fore_decoder_emit (ForeDecoder *decoder, ForeEntry *entry);
void fore_decoder_queue (ForeDecoder *decoder, const ForeEntry *entry);
void fore_decoder_emit_raw (
    ForeDecoder *decoder, const char *name, const char *line, gsize length, gboolean truncated);
void fore_decoder_emit_notice (
    ForeDecoder *decoder, const char *id, const char *name, const char *title, const char *text);
void fore_decoder_emit_text (ForeDecoder *decoder,
                             ForeEntryKind kind,
                             const char *id,
                             const char *parent,
                             const char *text,
                             gboolean append);
void fore_decoder_end_text (ForeDecoder *decoder, ForeEntryKind kind, const char *id);
void fore_decoder_emit_error (ForeDecoder *decoder, ForeCause cause, const char *message);
void fore_decoder_emit_usage (ForeDecoder *decoder);
void fore_decoder_emit_result (ForeDecoder *decoder);

/* Tools: an update carries on what the earlier entries of the same call said. */
void fore_decoder_emit_tool (ForeDecoder *decoder, ForeEntry *entry);
void fore_decoder_fail_open_tools (ForeDecoder *decoder);
const ForeEntry *fore_decoder_find_tool (ForeDecoder *decoder, const char *id);
char *fore_decoder_describe_input (const ForeJsonSlice *input);

/* The summary. */
void fore_decoder_take_final_text (ForeDecoder *decoder, char *text);
void fore_decoder_take_session (ForeDecoder *decoder, char *session);
void fore_decoder_take_model (ForeDecoder *decoder, char *model);
void fore_decoder_complete (ForeDecoder *decoder);
void fore_decoder_take_mode (ForeDecoder *decoder, char *mode);
void fore_decoder_take_limit (ForeDecoder *decoder, gboolean reached, gint64 reset_seconds);
void fore_decoder_fail (ForeDecoder *decoder, ForeCause cause, const char *message);
void fore_decoder_reopen (ForeDecoder *decoder);
void fore_decoder_set_message_usage (ForeDecoder *decoder, const char *key, const ForeUsage *usage);
gint64 fore_decoder_cost_from_dollars (double dollars);

/* As much of what a tool prints while it runs is kept. */
#define FORE_DECODER_OUTPUT_KEPT (64 * 1024)

/* The key of what is counted over a whole session, however many attempts it was taken up in. */
#define FORE_DECODER_SESSION "session"

/* Permissions and questions. */
void fore_decoder_init_asked (ForeDecoder *decoder);
void fore_decoder_ask (ForeDecoder *decoder, ForeEntry *entry, GStrv replies, char *refusal);
void fore_decoder_ask_words (
    ForeDecoder *decoder, ForeEntry *entry, char *before, char *after, char *refusal);
gboolean fore_decoder_answer (ForeDecoder *decoder, const char *id, const char *option);
void fore_decoder_withdraw (ForeDecoder *decoder, const char *id, gboolean taken_back);
void fore_decoder_withdraw_all (ForeDecoder *decoder);
void fore_decoder_refuse_all (ForeDecoder *decoder);
void fore_decoder_close_asked_of_tool (ForeDecoder *decoder, const char *tool);

/* Live sessions: one line, without its end, to the agent. */
char *fore_decoder_quote (const char *text);

/* A session that was to be taken up: either it is, or another one begins. */
const char *fore_decoder_choose_prompt (const ForeSessionStart *start);
void fore_decoder_note_taken_up (ForeDecoder *decoder);
void fore_decoder_note_begun_anew (ForeDecoder *decoder, const char *reason);

void fore_decoder_send (ForeDecoder *decoder, const char *line);

gboolean fore_decoder_take_contact (ForeDecoder *decoder, const char *line, gsize length);

G_END_DECLS
