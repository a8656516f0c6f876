/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-schedule.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define FORE_TYPE_SCHEDULE_ROW (fore_schedule_row_get_type ())

/* One schedule: when it comes, what it does and what came of it. Signals: "switched" (gboolean),
 * "start-now", "remove".
 */
G_DECLARE_FINAL_TYPE (ForeScheduleRow, fore_schedule_row, FORE, SCHEDULE_ROW, AdwExpanderRow)

GtkWidget *fore_schedule_row_new (void);
void fore_schedule_row_show (ForeScheduleRow *self, const ForeSchedule *schedule);
const char *fore_schedule_row_get_id (ForeScheduleRow *self);

G_END_DECLS
