/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agents/fore-decoder-private.h"

G_BEGIN_DECLS

/* The ids of requests that change a mode or a model begin so. */
#define ACP_SETTING "set-"

typedef enum
{
  ACP_IDLE,
  ACP_INITIALIZING,
  ACP_OPENING,
  ACP_READY,
  ACP_PROMPTING,
} AcpStage;

/* What the agent says is understood by its shape and not by the ids of our requests, so that a
 * capture can be read without what was written to the agent. A block is a piece of text that only
 * chunks of the same kind and message go on.
 */
typedef struct
{
  ForeDecoder parent;
  AcpStage stage;
  gboolean cancelled;
  guint last_id;
  char *cwd;
  char *servers;
  char *wanted;
  char *again;
  char *model;
  char *model_option;
  char *mode_option;
  gboolean can_load;
  gboolean can_resume;
  GPtrArray *waiting;
  gboolean block_open;
  ForeEntryKind block_kind;
  guint block;
  char block_id[24];
  char *block_message;
  GString *block_text;
} AcpDecoder;

void fore_acp_ensure (AcpDecoder *self);
void fore_acp_begin_anew (AcpDecoder *self, const char *reason);
void fore_acp_begin (ForeDecoder *decoder, const ForeSessionStart *start);
void fore_acp_send_request (AcpDecoder *self, const char *method, char *params);
gboolean fore_acp_send_next_prompt (AcpDecoder *self);
void fore_acp_on_initialized (AcpDecoder *self, const ForeJsonSlice *result);
void fore_acp_on_opened (AcpDecoder *self, const ForeJsonSlice *result, char *session);
void fore_acp_take_options (AcpDecoder *self, const ForeJsonSlice *options);
gboolean fore_acp_set (AcpDecoder *self, const char *what, const char *value);
char *fore_acp_dup_content (const ForeJsonSlice *call);
void fore_acp_end_block (AcpDecoder *self);
void
fore_acp_on_update (AcpDecoder *self, const ForeJsonSlice *params, const char *line, gsize length);

G_END_DECLS
