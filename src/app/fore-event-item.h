/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "model/fore-event.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define FORE_TYPE_EVENT_ITEM (fore_event_item_get_type ())

G_DECLARE_FINAL_TYPE (ForeEventItem, fore_event_item, FORE, EVENT_ITEM, GObject)

ForeEventItem *fore_event_item_new (const ForeEvent *event);
const ForeEvent *fore_event_item_get_event (ForeEventItem *self);
gint64 fore_event_items_get_last_time (GListModel *events);
gboolean fore_event_items_end_discarded (GListModel *events);
char *fore_event_item_dup_text (ForeEventItem *self);
gboolean fore_event_item_matches (ForeEventItem *self, const char *words, gboolean audit_only);

G_END_DECLS
