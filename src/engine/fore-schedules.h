/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-schedule.h"
#include "store/fore-store.h"

G_BEGIN_DECLS

/* All schedules of a home, in its file `schedules.json`: they are no part of the index, which can
 * be made anew from the runs. Whoever changes it holds `schedules.lock`. All of this blocks.
 */

GPtrArray *fore_schedules_load (const char *home, GError **error);
ForeSchedule *fore_schedules_add (const char *home, const ForeSchedule *schedule, GError **error);
ForeSchedule *fore_schedules_find (GPtrArray *schedules, const char *prefix, GError **error);
gboolean fore_schedules_remove (const char *home, const char *id, GError **error);
gboolean
fore_schedules_set_enabled (const char *home, const char *id, gboolean enabled, GError **error);

/**
 * ForeSchedulesTick:
 * @started: (element-type ForeSchedule): what started something, or failed to
 * @next_us: when the next one comes, or 0
 */
typedef struct
{
  GPtrArray *started;
  gint64 next_us;
} ForeSchedulesTick;

ForeSchedulesTick *fore_schedules_tick (ForeStore *store, gint64 now_us, GError **error);
ForeSchedule *fore_schedules_start_now (ForeStore *store, const char *id, GError **error);
void fore_schedules_tick_free (ForeSchedulesTick *tick);
gint64 fore_schedules_find_next (GPtrArray *schedules, gint64 now_us);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeSchedulesTick, fore_schedules_tick_free)

G_END_DECLS
