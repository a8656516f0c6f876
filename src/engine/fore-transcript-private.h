/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agents/fore-decoder.h"
#include "store/fore-run-reader.h"

G_BEGIN_DECLS

/* What following a transcript and reading it at once have in common. */

const ForeAttempt *
fore_transcript_find_attempt (const ForeRunDelta *delta, const char *task, guint n);
gboolean fore_transcript_says (const ForeEntry *entry);
const ForeTask *fore_transcript_find_task (const ForeRunDelta *delta, const char *key);
ForeDecoder *fore_transcript_new_decoder (const ForeAttempt *attempt);

G_END_DECLS
