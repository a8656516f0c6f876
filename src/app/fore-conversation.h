/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-talk-item.h"

G_BEGIN_DECLS

/**
 * ForeConversation:
 *
 * All that the person and the agents of a run said to each other, in the order in which it was
 * said.
 */
typedef struct _ForeConversation ForeConversation;

ForeConversation *fore_conversation_new (void);
void fore_conversation_free (ForeConversation *self);
GListModel *fore_conversation_get_items (ForeConversation *self);
void fore_conversation_take (ForeConversation *self, GPtrArray *messages, GPtrArray *requests);

G_END_DECLS
