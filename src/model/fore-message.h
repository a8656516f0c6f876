/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  FORE_MESSAGE_QUEUED,
  FORE_MESSAGE_DELIVERED,
  FORE_MESSAGE_SEEN,
  FORE_N_MESSAGE_STATES
} ForeMessageState;

/**
 * ForeMessage:
 * @id: number given by the store
 * @from: `person` or a task key
 * @to: `person` or a task key
 * @kind: steer, follow-up, mail, feedback
 * @text: what it says
 * @state: how far it came
 * @time: microseconds since the epoch
 */
typedef struct
{
  gint64 id;
  char *from;
  char *to;
  char *kind;
  char *text;
  ForeMessageState state;
  gint64 time;
} ForeMessage;

ForeMessage *
fore_message_new (const char *from, const char *to, const char *kind, const char *text);
ForeMessage *fore_message_copy (const ForeMessage *message);
void fore_message_free (ForeMessage *message);

const char *fore_message_state_to_string (ForeMessageState state);
gboolean fore_message_state_from_string (const char *text, ForeMessageState *state);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeMessage, fore_message_free)

G_END_DECLS
