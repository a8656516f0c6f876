/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agents/fore-decoder-private.h"

G_BEGIN_DECLS

typedef enum
{
  ACP_IDLE,
  ACP_INITIALIZING,
  ACP_OPENING,
  ACP_READY,
  ACP_PROMPTING,
} AcpStage;

/* A permission that waits for an answer: the id of the agent's request and those of its options are
 * kept as JSON, so that they go back as they came.
 */
typedef struct
{
  char *request;
  ForeEntry *entry;
  GStrv option_ids;
} AcpPermission;

/* What the agent says is understood by its shape and not by the ids of our requests, so that a
 * capture can be read without what was written to the agent. A block is a piece of text that only
 * chunks of the same kind and message go on.
 */
typedef struct
{
  ForeDecoder parent;
  AcpStage stage;
  gboolean speaking;
  gboolean cancelled;
  guint last_id;
  char *cwd;
  char *wanted;
  GPtrArray *waiting;
  GHashTable *permissions;
  gboolean block_open;
  ForeEntryKind block_kind;
  guint block;
  char *block_message;
  GString *block_text;
} AcpDecoder;

char *fore_acp_dup_content (const ForeJsonSlice *call);
void fore_acp_end_block (AcpDecoder *self);
void
fore_acp_on_update (AcpDecoder *self, const ForeJsonSlice *params, const char *line, gsize length);

G_END_DECLS
