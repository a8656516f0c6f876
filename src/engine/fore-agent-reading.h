/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agents/fore-decoder.h"
#include "engine/fore-said.h"
#include "store/fore-capture.h"

G_BEGIN_DECLS

/**
 * ForeAgentReplay:
 * @fed: bytes that the decoder was fed with
 * @said: (nullable) (element-type ForeSaid): what an earlier runner told the session
 * @n_resaid: how much of it the decoder was told again
 * @cwd: (nullable): folder that the agent works in
 * @earlier: what was used before in the session that was taken up
 * @mcp: (nullable): command line of a server of our tools
 * @model: (nullable): model that was wanted
 * @read_only: whether it must not write
 *
 * How far a decoder has come.
 */
typedef struct
{
  gint64 fed;
  GPtrArray *said;
  guint n_resaid;
  char *cwd;
  ForeUsage earlier;
  GStrv mcp;
  char *model;
  gboolean read_only;
} ForeAgentReplay;

/**
 * ForeAgentReading:
 * @final: whether the agent has ended
 * @nothing: whether it is known to have printed nothing
 * @most: bytes after which to stop, 0 for none
 * @heard: (element-type utf8): what the agent said again of what it was told
 * @has_outbox: whether there is something to be said to the agent
 *
 * One reading of what an agent printed, and what it found.
 */
typedef struct
{
  gboolean final;
  gboolean nothing;
  gsize most;
  gboolean has_outbox;
  gsize n_bytes;
  guint tools_running;
  guint turns;
  gboolean settled;
  ForeUsage usage;
  char *session;
  char *model;
  ForeTakenUp taken_up;
  char *anew_reason;
  GPtrArray *permissions;
  GPtrArray *withdrawn;
  GPtrArray *heard;
} ForeAgentReading;

ForeAgentReading *fore_agent_reading_new (gboolean final, gboolean nothing);
ForeAgentReading *fore_agent_reading_copy (const ForeAgentReading *reading);
gboolean fore_agent_reading_is_news (const ForeAgentReading *reading,
                                     const ForeAgentReading *earlier);
void fore_agent_reading_free (ForeAgentReading *reading);
void fore_agent_reading_take (ForeAgentReading *reading,
                              ForeDecoder *decoder,
                              ForeAgentReplay *replay,
                              ForeCapture **capture,
                              const char *path);

G_END_DECLS
