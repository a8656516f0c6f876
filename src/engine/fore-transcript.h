/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agents/fore-entry.h"
#include "store/fore-store.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * ForeTranscript:
 *
 * Follows one attempt's capture: decodes it on a worker thread with the attempt's own adapter and
 * hands entries over on the main context that made it. Signals:
 *
 * - `entries` (GPtrArray of ForeEntry): new or updated entries, in order, at most one emission per
 *   main-loop turn; entries with a known id replace or extend the earlier one.
 * - `ended`: the attempt has finished and everything was read.
 */
#define FORE_TYPE_TRANSCRIPT (fore_transcript_get_type ())
G_DECLARE_FINAL_TYPE (ForeTranscript, fore_transcript, FORE, TRANSCRIPT, GObject)

ForeTranscript *
fore_transcript_new (ForeStore *store, const char *run_id, const char *task, guint attempt);
void fore_transcript_start (ForeTranscript *self);
void fore_transcript_stop (ForeTranscript *self);

/* All entries of what is there now, merged by id; blocking. */
GPtrArray *fore_transcript_read (
    ForeStore *store, const char *run_id, const char *task, guint attempt, GError **error);

/* The exact prompt of an attempt (`<attempt>.in`), or what it would be for a task not started yet.
 */
char *fore_transcript_read_prompt (
    ForeStore *store, const char *run_id, const char *task, guint attempt, GError **error);

G_END_DECLS
