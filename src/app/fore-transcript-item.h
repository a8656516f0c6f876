/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib-object.h>

#include "app/fore-diff-doc.h"

G_BEGIN_DECLS

/**
 * ForeTranscriptKind:
 * @FORE_TRANSCRIPT_TEXT: what the agent said, as Markdown
 * @FORE_TRANSCRIPT_PERSON: what a person or Foredeck said to the agent
 * @FORE_TRANSCRIPT_THINKING: what it thought; folded
 * @FORE_TRANSCRIPT_TOOL: a tool call: name, summary, detail, and a folded body
 * @FORE_TRANSCRIPT_DIFF: a change, shown as diff
 * @FORE_TRANSCRIPT_NOTICE: a remark of the engine
 * @FORE_TRANSCRIPT_ERROR: something went wrong
 * @FORE_TRANSCRIPT_PLAN: a plan or an update of it
 * @FORE_TRANSCRIPT_PERMISSION: the agent asked to be allowed something
 * @FORE_TRANSCRIPT_RESULT: what the agent handed back
 */
typedef enum
{
  FORE_TRANSCRIPT_TEXT,
  FORE_TRANSCRIPT_PERSON,
  FORE_TRANSCRIPT_THINKING,
  FORE_TRANSCRIPT_TOOL,
  FORE_TRANSCRIPT_DIFF,
  FORE_TRANSCRIPT_NOTICE,
  FORE_TRANSCRIPT_ERROR,
  FORE_TRANSCRIPT_PLAN,
  FORE_TRANSCRIPT_PERMISSION,
  FORE_TRANSCRIPT_RESULT,
  FORE_N_TRANSCRIPT_KINDS
} ForeTranscriptKind;

typedef enum
{
  FORE_TRANSCRIPT_OUTCOME_NONE,
  FORE_TRANSCRIPT_OUTCOME_OK,
  FORE_TRANSCRIPT_OUTCOME_FAILED,
} ForeTranscriptOutcome;

#define FORE_TYPE_TRANSCRIPT_ITEM (fore_transcript_item_get_type ())

/* "changed" is emitted after any of the setters changed something. */
G_DECLARE_FINAL_TYPE (ForeTranscriptItem, fore_transcript_item, FORE, TRANSCRIPT_ITEM, GObject)

ForeTranscriptItem *fore_transcript_item_new (ForeTranscriptKind kind, const char *text);
ForeTranscriptItem *
fore_transcript_item_new_tool (const char *name, const char *summary, const char *detail);

ForeTranscriptKind fore_transcript_item_get_kind (ForeTranscriptItem *self);
const char *fore_transcript_item_get_text (ForeTranscriptItem *self);
void fore_transcript_item_set_text (ForeTranscriptItem *self, const char *text);
const char *fore_transcript_item_get_name (ForeTranscriptItem *self);
const char *fore_transcript_item_get_summary (ForeTranscriptItem *self);
void fore_transcript_item_set_summary (ForeTranscriptItem *self, const char *summary);
const char *fore_transcript_item_get_detail (ForeTranscriptItem *self);
void fore_transcript_item_set_detail (ForeTranscriptItem *self, const char *detail);
const char *fore_transcript_item_get_body (ForeTranscriptItem *self);
void fore_transcript_item_set_body (ForeTranscriptItem *self, const char *body);
const char *fore_transcript_item_get_icon_name (ForeTranscriptItem *self);
void fore_transcript_item_set_icon_name (ForeTranscriptItem *self, const char *icon_name);
gboolean fore_transcript_item_get_live (ForeTranscriptItem *self);
void fore_transcript_item_set_live (ForeTranscriptItem *self, gboolean live);
ForeTranscriptOutcome fore_transcript_item_get_outcome (ForeTranscriptItem *self);
void fore_transcript_item_set_outcome (ForeTranscriptItem *self, ForeTranscriptOutcome outcome);
ForeDiffDoc *fore_transcript_item_get_diff (ForeTranscriptItem *self);
void fore_transcript_item_set_diff (ForeTranscriptItem *self, ForeDiffDoc *diff);
gboolean fore_transcript_item_get_expanded (ForeTranscriptItem *self);
void fore_transcript_item_set_expanded (ForeTranscriptItem *self, gboolean expanded);

char *fore_transcript_item_dup_plain (ForeTranscriptItem *self);

G_END_DECLS
