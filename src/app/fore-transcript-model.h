/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/fore-store.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define FORE_TYPE_TRANSCRIPT_MODEL (fore_transcript_model_get_type ())

/**
 * ForeTranscriptModel:
 *
 * The transcript of one attempt as a list of #ForeTranscriptItem that grows while the agent works.
 * "ended" is emitted when the attempt has finished and everything was read.
 */
G_DECLARE_FINAL_TYPE (ForeTranscriptModel, fore_transcript_model, FORE, TRANSCRIPT_MODEL, GObject)

ForeTranscriptModel *
fore_transcript_model_new (ForeStore *store, const char *run_id, const char *task, guint attempt);
void fore_transcript_model_start (ForeTranscriptModel *self);
void fore_transcript_model_stop (ForeTranscriptModel *self);
GListModel *fore_transcript_model_get_items (ForeTranscriptModel *self);
gboolean fore_transcript_model_has_ended (ForeTranscriptModel *self);
char *fore_transcript_model_dup_plain (ForeTranscriptModel *self);

G_END_DECLS
