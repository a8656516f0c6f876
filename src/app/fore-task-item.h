/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-view-status.h"
#include "model/fore-attempt.h"
#include "model/fore-task.h"

G_BEGIN_DECLS

#define FORE_TYPE_TASK_ITEM (fore_task_item_get_type ())

/* Properties: "key", "title", "status" (ForeViewStatus). "changed" is emitted after an update. */
G_DECLARE_FINAL_TYPE (ForeTaskItem, fore_task_item, FORE, TASK_ITEM, GObject)

ForeTaskItem *fore_task_item_new (const ForeTask *task);
void fore_task_item_update (ForeTaskItem *self, const ForeTask *task);
void fore_task_item_tick (ForeTaskItem *self);
const ForeTask *fore_task_item_get_task (ForeTaskItem *self);
const char *fore_task_item_get_key (ForeTaskItem *self);
gboolean fore_task_item_is_interrupted (ForeTaskItem *self);
ForeViewStatus fore_task_item_get_status (ForeTaskItem *self);
void fore_task_item_set_attempts (ForeTaskItem *self, GPtrArray *attempts);
gint64 fore_task_item_get_elapsed (ForeTaskItem *self);
char *fore_task_item_dup_status (ForeTaskItem *self);
char *fore_task_item_dup_line (ForeTaskItem *self);
char *fore_task_item_dup_detail (ForeTaskItem *self);

const char *fore_task_items_pick (GListModel *tasks);
void fore_task_items_set_interrupted (GListModel *tasks, gboolean interrupted, gint64 last);

G_END_DECLS
