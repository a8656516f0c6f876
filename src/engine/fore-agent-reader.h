/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agents/fore-adapter.h"

#include "engine/fore-said.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * ForeAgentReader:
 *
 * Follows the capture of one attempt for its runner: reads and decodes in the decode pool, at most
 * every 50 ms, and reports on the main context. Signals:
 *
 * - `progress`: something was printed; see the getters
 * - `permission` (ForeEntry *): the agent asks for leave
 * - `withdrawn` (char *): it does not any more; id of the entry
 * - `caught-up`: all that there was to read was read, once, for a session that was taken up
 * - `outbox` (GBytes *): what a live session has to be told
 */
#define FORE_TYPE_AGENT_READER (fore_agent_reader_get_type ())
G_DECLARE_FINAL_TYPE (ForeAgentReader, fore_agent_reader, FORE, AGENT_READER, GObject)

ForeAgentReader *
fore_agent_reader_new (const ForeAdapter *adapter, gboolean live, const char *path);
void fore_agent_reader_watch (ForeAgentReader *self);
void fore_agent_reader_begin (ForeAgentReader *self, const ForeSessionStart *start);
void
fore_agent_reader_replay (ForeAgentReader *self, GPtrArray *said, const ForeSessionStart *start);
ForeSaid *
fore_agent_reader_say (ForeAgentReader *self, const char *kind, const char *id, const char *text);
void fore_agent_reader_note_activity (ForeAgentReader *self);
void fore_agent_reader_poll (ForeAgentReader *self);

void fore_agent_reader_finish_async (ForeAgentReader *self,
                                     guint64 n_bytes,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);
gboolean
fore_agent_reader_finish_finish (ForeAgentReader *self, GAsyncResult *result, GError **error);

/* As of the last report; the decoder itself only after it has finished. */
gint64 fore_agent_reader_get_last_activity (ForeAgentReader *self);
guint fore_agent_reader_get_tools_running (ForeAgentReader *self);
guint fore_agent_reader_get_turns (ForeAgentReader *self);
gboolean fore_agent_reader_get_settled (ForeAgentReader *self);
gboolean fore_agent_reader_has_completed (ForeAgentReader *self);
gboolean fore_agent_reader_has_background (ForeAgentReader *self);
const ForeUsage *fore_agent_reader_get_usage (ForeAgentReader *self);
const char *fore_agent_reader_get_session (ForeAgentReader *self);
const char *fore_agent_reader_get_model (ForeAgentReader *self);
ForeTakenUp fore_agent_reader_get_taken_up (ForeAgentReader *self);
const char *fore_agent_reader_get_anew_reason (ForeAgentReader *self);
ForeDecoder *fore_agent_reader_get_decoder (ForeAgentReader *self);

G_END_DECLS
