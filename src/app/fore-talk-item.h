/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "model/fore-message.h"
#include "model/fore-request.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define FORE_TYPE_TALK_ITEM (fore_talk_item_get_type ())

/* One thing that was said in a run: mail, what an agent was told, a question, its answer. */
G_DECLARE_FINAL_TYPE (ForeTalkItem, fore_talk_item, FORE, TALK_ITEM, GObject)

ForeTalkItem *fore_talk_item_new_for_message (const ForeMessage *message);
ForeTalkItem *fore_talk_item_new_for_question (const ForeRequest *request);
ForeTalkItem *fore_talk_item_new_for_answer (const ForeRequest *request);
const char *fore_talk_item_get_key (ForeTalkItem *self);
gint64 fore_talk_item_get_time (ForeTalkItem *self);
const char *fore_talk_item_get_text (ForeTalkItem *self);
const char *fore_talk_item_get_task (ForeTalkItem *self);
char *fore_talk_item_dup_who (ForeTalkItem *self);
const char *fore_talk_item_get_what (ForeTalkItem *self);

G_END_DECLS
