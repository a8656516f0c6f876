/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  FORE_SCHEDULE_CRON,
  FORE_SCHEDULE_INTERVAL,
  FORE_SCHEDULE_ONCE,
} ForeScheduleKind;

/**
 * ForeScheduleTime:
 *
 * When something is to happen: by the five fields of cron, again after a while, or once. Does not
 * change; may be used from any thread.
 */
typedef struct _ForeScheduleTime ForeScheduleTime;

ForeScheduleTime *
fore_schedule_time_new (const char *text, gint64 now_us, GTimeZone *zone, GError **error);
void fore_schedule_time_free (ForeScheduleTime *self);

ForeScheduleKind fore_schedule_time_get_kind (const ForeScheduleTime *self);
const char *fore_schedule_time_get_text (const ForeScheduleTime *self);
gint64 fore_schedule_time_find_next (const ForeScheduleTime *self,
                                     gint64 after_us,
                                     gint64 begun_us,
                                     GTimeZone *zone);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeScheduleTime, fore_schedule_time_free)

G_END_DECLS
