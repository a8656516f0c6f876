/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * ForeCron:
 * @minutes: bits 0 to 59
 * @hours: bits 0 to 23
 * @days: bits 1 to 31
 * @months: bits 1 to 12
 * @weekdays: bits 0 (Sunday) to 6
 * @any_day: the day of the month was a star
 * @any_weekday: the day of the week was a star
 * @runs_on: minute or hour was a star, so that it goes by the clock that runs rather than by a time
 *   of the day
 *
 * The five fields of cron.
 */
typedef struct
{
  guint64 minutes;
  guint64 hours;
  guint64 days;
  guint64 months;
  guint64 weekdays;
  gboolean any_day;
  gboolean any_weekday;
  gboolean runs_on;
} ForeCron;

gboolean fore_cron_parse (ForeCron *cron, const char *text, GError **error);
gint64 fore_cron_find_next (const ForeCron *cron, gint64 after_s, GTimeZone *zone);

G_END_DECLS
