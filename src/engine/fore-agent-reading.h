/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agents/fore-decoder.h"
#include "store/fore-capture.h"

G_BEGIN_DECLS

/**
 * ForeAgentReading:
 * @final: whether the agent has ended
 * @nothing: whether it is known to have printed nothing
 *
 * One reading of what an agent printed, and what it found.
 */
typedef struct
{
  gboolean final;
  gboolean nothing;
  gsize n_bytes;
  guint tools_running;
  guint turns;
  gboolean settled;
  ForeUsage usage;
  char *session;
  char *model;
  GPtrArray *permissions;
  GBytes *outbox;
} ForeAgentReading;

ForeAgentReading *fore_agent_reading_new (gboolean final, gboolean nothing);
void fore_agent_reading_free (ForeAgentReading *reading);
void fore_agent_reading_take (ForeAgentReading *reading,
                              ForeDecoder *decoder,
                              ForeCapture **capture,
                              const char *path);

G_END_DECLS
