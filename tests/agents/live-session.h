/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agents/fore-adapter.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * LiveSession:
 * @decoder: its decoder
 * @entries: (element-type ForeEntry): everything that came out, in order
 * @answer: (nullable): kind of the option with which permissions are answered, `none` to leave them
 *   open, %NULL to answer with none of the options
 * @asked: permissions seen
 * @end_ms: how long an agent may take to leave once its standard input has ended
 * @heard: bytes that the agent printed
 *
 * An agent at work in a live session: what it prints goes through its decoder, and what the decoder
 * says goes to it.
 */
typedef struct
{
  ForeDecoder *decoder;
  GPtrArray *entries;
  const char *answer;
  guint asked;
  guint end_ms;
  gsize heard;

  GSubprocess *process;
  GInputStream *output;
  int group;
  gboolean ended;
  gboolean reading;
  char buffer[8192];
} LiveSession;

typedef gboolean (*LiveCondition) (LiveSession *session, gpointer data);

LiveSession *live_session_start (const ForeAdapter *adapter,
                                 const char *const *argv,
                                 const char *const *env,
                                 const ForeSessionStart *start);
gboolean live_session_say (LiveSession *session, const char *kind, const char *text);
gboolean live_session_wait (LiveSession *session, LiveCondition condition, gpointer data);
gboolean live_session_is_settled (LiveSession *session, gpointer data);
gboolean live_session_has_text (LiveSession *session, gpointer data);
gboolean live_session_has_tool (LiveSession *session, gpointer data);
gboolean live_session_has_ended (LiveSession *session, gpointer data);
gboolean live_session_has_asked (LiveSession *session, gpointer data);
const ForeSummary *live_session_finish (LiveSession *session);
void live_session_free (LiveSession *session);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LiveSession, live_session_free)

G_END_DECLS
