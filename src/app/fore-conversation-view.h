/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-run-model.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FORE_TYPE_CONVERSATION_VIEW (fore_conversation_view_get_type ())

/* What the person and the agents of a run said to each other, the newest at the end. Signal:
 * "task-activated" (const char *key).
 */
G_DECLARE_FINAL_TYPE (
    ForeConversationView, fore_conversation_view, FORE, CONVERSATION_VIEW, GtkWidget)

void fore_conversation_view_follow (ForeConversationView *self, ForeRunModel *model);

G_END_DECLS
