/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agents/fore-entry.h"
#include "model/fore-cause.h"

G_BEGIN_DECLS

typedef enum
{
  FORE_OUTCOME_UNFINISHED,
  FORE_OUTCOME_COMPLETED,
  FORE_OUTCOME_FAILED,
} ForeOutcome;

/* What became of a session that was to be taken up. */
typedef enum
{
  FORE_TAKEN_UP_UNKNOWN,
  FORE_TAKEN_UP,
  FORE_TAKEN_UP_ANEW,
} ForeTakenUp;

/**
 * ForeSummary:
 * @outcome: what the event stream says: unfinished without a terminal event
 * @cause: why it failed, as far as the stream tells
 * @final_text: (nullable): the agent's last answer
 * @usage: totals by the rules of the CLI
 * @session: (nullable): the CLI's session id
 * @model: (nullable): model that answered
 * @errors: (element-type utf8): error sentences
 * @produced: whether anything at all was printed
 * @answered: whether the agent said or did something: text, a tool call
 * @turns: assistant turns seen
 * @modes: (element-type ForeRequestOption): modes that a live session offers
 * @models: (element-type ForeRequestOption): models that a live session offers
 * @mode: (nullable): the mode it is in
 * @limit_reset: when a rate limit that was reported ends, in µs since 1970, or 0
 * @limit_reached: whether requests are refused until then
 * @tools_running: tool calls begun and not ended (a running tool counts as activity)
 * @settled: whether the terminal event came
 * @taken_up: what became of a session that was to be taken up
 * @anew_reason: (nullable): why it was not
 */
typedef struct
{
  ForeOutcome outcome;
  ForeCause cause;
  char *final_text;
  ForeUsage usage;
  char *session;
  char *model;
  GPtrArray *errors;
  gboolean produced;
  gboolean answered;
  guint turns;
  GPtrArray *modes;
  GPtrArray *models;
  char *mode;
  gint64 limit_reset;
  gboolean limit_reached;
  guint tools_running;
  gboolean background;
  gboolean settled;
  ForeTakenUp taken_up;
  char *anew_reason;
} ForeSummary;

/**
 * ForeSessionStart:
 * @prompt: first prompt
 * @cwd: folder that the agent works in
 * @session: (nullable): session to take up again
 * @again: (nullable): what to say instead of @prompt where that session is taken up
 * @earlier: (nullable): what was used in that session before
 * @model: (nullable): model wanted
 * @thinking: (nullable): reasoning level wanted
 * @read_only: whether the agent must not write
 * @mcp: (nullable): command line of a server of our tools
 *
 * How the conversation of a live session begins.
 */
typedef struct
{
  const char *prompt;
  const char *cwd;
  const char *session;
  const char *again;
  const ForeUsage *earlier;
  const char *model;
  const char *thinking;
  gboolean read_only;
  const char *const *mcp;
} ForeSessionStart;

typedef struct _ForeDecoder ForeDecoder;
typedef void (*ForeEntryFunc) (const ForeEntry *entry, gpointer user_data);

/**
 * ForeDecoderClass:
 *
 * What an adapter gives: how one line of its output becomes entries. Pure: the same bytes always
 * give the same entries, wherever they are cut. @blank_lines: whether empty lines are handed over.
 * @take_output is for those whose answer is what was printed: it takes the end of that anew.
 * @exit_cause says what an exit code means where the stream does not tell, %FORE_CAUSE_NONE if
 * nothing. @begin and @say are for live sessions only and
 * put the bytes that go to the agent's stdin into the decoder's outbox.
 */
typedef struct
{
  gsize instance_size;
  gboolean blank_lines;
  void (*line) (ForeDecoder *decoder, const char *line, gsize length, gboolean truncated);
  void (*finish) (ForeDecoder *decoder);
  void (*take_output) (ForeDecoder *decoder, const char *text, gsize length);
  void (*clear) (ForeDecoder *decoder);
  ForeCause (*exit_cause) (int exit_code);
  void (*begin) (ForeDecoder *decoder, const ForeSessionStart *start);
  gboolean (*say) (ForeDecoder *decoder, const char *kind, const char *id, const char *text);
} ForeDecoderClass;

ForeDecoder *fore_decoder_new (const ForeDecoderClass *decoder_class, gboolean live);
void fore_decoder_free (ForeDecoder *decoder);

void fore_decoder_feed (
    ForeDecoder *decoder, const char *data, gsize length, ForeEntryFunc func, gpointer user_data);
void fore_decoder_finish (ForeDecoder *decoder, ForeEntryFunc func, gpointer user_data);
const ForeSummary *fore_decoder_get_summary (ForeDecoder *decoder);

/* What earlier attempts in the same session used, which some CLIs count again. */
void fore_decoder_set_earlier_usage (ForeDecoder *decoder, const ForeUsage *usage);

/* Live sessions: what is to be written to the agent. kind: prompt, steer, follow-up, answer
 * (id = entry id of the permission, text = option id, or %NULL for none of them; words where the
 * entry has no options), interrupt, end, mode and model (text = its id). */
void fore_decoder_begin (ForeDecoder *decoder, const ForeSessionStart *start);
gboolean
fore_decoder_say (ForeDecoder *decoder, const char *kind, const char *id, const char *text);
gboolean fore_decoder_has_outbox (ForeDecoder *decoder);
GBytes *fore_decoder_take_outbox (ForeDecoder *decoder);

/* What the agent wrote to its standard error, or the last of it: looked at only where the stream
 * itself gives no cause (CLIs that fail before their first event). */
void fore_decoder_note_stderr (ForeDecoder *decoder, const char *text, gsize length);

/* Of a long answer that is what was printed a decoder holds only its last lines. Once it is
 * finished: how many bytes of the end of the stream it wants to have again for that, and those
 * bytes. */
gsize fore_decoder_get_output_wanted (ForeDecoder *decoder);
void fore_decoder_take_output (ForeDecoder *decoder, const char *text, gsize length);

/* Combines what the stream says with what the kernel says into the worst of all evidence. */
ForeCause fore_decoder_judge (
    ForeDecoder *decoder, int exit_code, int term_signal, gboolean stream_required, char **message);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeDecoder, fore_decoder_free)

G_END_DECLS
