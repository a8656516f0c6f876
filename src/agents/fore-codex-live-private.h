/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agents/fore-codex-private.h"

G_BEGIN_DECLS

/* codex app-server: JSON-RPC without its version member. Like the rest, what it says is understood
 * by its shape, so that a capture can be read without what was written to it. A turn that is
 * interrupted completes no items: they end with it.
 */
typedef enum
{
  CODEX_IDLE,
  CODEX_INITIALIZING,
  CODEX_OPENING,
  CODEX_READY,
  CODEX_TURN,
} CodexStage;

typedef struct
{
  ForeDecoder parent;
  CodexStage stage;
  guint last_id;
  char *cwd;
  char *wanted;
  char *again;
  char *model;
  char *effort;
  gboolean read_only;
  GPtrArray *waiting;
  GPtrArray *early; /* said into a turn that has no name yet */
  char *turn;
  gboolean interrupt_wanted;
  GHashTable *texts;
  GHashTable *helpers;
} CodexLive;

gboolean fore_codex_live_send_next (CodexLive *self);
void fore_codex_live_note_turn (CodexLive *self, const ForeJsonSlice *turn);
void fore_codex_live_finish_turn (CodexLive *self);
void fore_codex_live_on_notification (CodexLive *self,
                                      const ForeJsonSlice *method,
                                      const ForeJsonSlice *params,
                                      const char *line,
                                      gsize length);

G_END_DECLS
