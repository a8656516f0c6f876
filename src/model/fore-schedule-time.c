/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "model/fore-schedule-time.h"

#include "model/fore-cron.h"
#include "model/fore-error.h"
#include "model/fore-quantity.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define SECOND ((gint64) G_USEC_PER_SEC)
#define LEAST_INTERVAL (60 * SECOND)
#define MOST_INTERVAL (366 * 24 * 3600 * SECOND)

struct _ForeScheduleTime
{
  ForeScheduleKind kind;
  char *text;
  ForeCron cron;
  gint64 interval_us;
  gint64 once_us;
};

static gboolean
read_duration (const char *text, gint64 *us, GError **error)
{
  gint64 ms;

  /* A bare number would be milliseconds, which nobody means here. */
  if (*text != '\0' && !g_ascii_isdigit (text[strlen (text) - 1]) && fore_duration_parse (text, &ms)
      && ms >= 0 && ms <= MOST_INTERVAL / 1000)
    {
      *us = ms * 1000;
      return TRUE;
    }

  g_set_error (error, FORE_ERROR, FORE_ERROR_INVALID,
               _ ("“%s” is no length of time: say it as 20m, 2h or 1 day."), text);
  return FALSE;
}

static gboolean
read_interval (ForeScheduleTime *self, const char *text, GError **error)
{
  if (!read_duration (text, &self->interval_us, error))
    return FALSE;
  if (self->interval_us >= LEAST_INTERVAL)
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_INVALID,
               _ ("“%s” is too often: say at least every minute."), text);
  return FALSE;
}

/* What is said from now on is kept as the time that it means, in whole seconds as its text has
 * them.
 */
static gboolean
set_once (ForeScheduleTime *self, gint64 at_us, GTimeZone *zone)
{
  gint64 at = (at_us + SECOND - 1) / SECOND;
  g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc (at);
  g_autoptr (GDateTime) local = utc != NULL ? g_date_time_to_timezone (utc, zone) : NULL;

  /* Beyond the year 9999 there are no dates. */
  if (local == NULL)
    return FALSE;

  self->kind = FORE_SCHEDULE_ONCE;
  self->once_us = at * SECOND;
  g_free (self->text);
  self->text = g_date_time_format_iso8601 (local);

  return TRUE;
}

static gboolean
read_date (ForeScheduleTime *self, const char *text, GTimeZone *zone, GError **error)
{
  g_autofree char *iso = g_strdup (text);
  g_autofree char *whole = NULL;
  g_autoptr (GDateTime) at = NULL;

  for (char *c = iso; *c != '\0'; c++)
    *c = *c == ' ' ? 'T' : *c;
  /* 2026-12-01T09:00 lacks the seconds that the standard wants. */
  whole = strlen (iso) == strlen ("2026-12-01T09:00") ? g_strconcat (iso, ":00", NULL)
                                                      : g_strdup (iso);
  at = g_date_time_new_from_iso8601 (whole, zone);
  if (at == NULL || !set_once (self, g_date_time_to_unix (at) * SECOND, zone))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_INVALID,
                   _ ("“%s” is no time: say a date as 2026-12-01 09:00, “in 20m”, “every 2h”, or "
                      "the five fields of cron as “0 9 * * mon-fri”."),
                   text);
      return FALSE;
    }

  return TRUE;
}

static gboolean
read_delay (
    ForeScheduleTime *self, const char *text, gint64 now_us, GTimeZone *zone, GError **error)
{
  gint64 us;

  if (!read_duration (text, &us, error))
    return FALSE;

  if (set_once (self, now_us + us, zone))
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_INVALID, _ ("“%s” is too far away."), text);
  return FALSE;
}

static gboolean
looks_like_date (const char *text)
{
  return strlen (text) >= 10 && g_ascii_isdigit (text[0]) && text[4] == '-' && text[7] == '-';
}

static gboolean
read_text (ForeScheduleTime *self, const char *text, gint64 now_us, GTimeZone *zone, GError **error)
{
  if (g_str_has_prefix (text, "every "))
    {
      self->kind = FORE_SCHEDULE_INTERVAL;
      return read_interval (self, text + strlen ("every "), error);
    }
  if (g_str_has_prefix (text, "in "))
    return read_delay (self, text + strlen ("in "), now_us, zone, error);
  if (text[0] == '+')
    return read_delay (self, text + 1, now_us, zone, error);
  if (g_str_has_prefix (text, "at "))
    return read_date (self, text + strlen ("at "), zone, error);
  if (looks_like_date (text))
    return read_date (self, text, zone, error);
  if (strchr (text, ' ') == NULL && text[0] != '@')
    return read_date (self, text, zone, error);

  self->kind = FORE_SCHEDULE_CRON;
  return fore_cron_parse (&self->cron, text, error);
}

/**
 * fore_schedule_time_new:
 * @text: `every 2h`, `in 20m` (or `+20m`), `2026-12-01 09:00` (or with `at` before it), the five
 *   fields of cron, or `@daily` and its like
 * @now_us: microseconds since the epoch, for what is said from now on
 * @zone: time zone of a date without one
 * @error: return location for an error
 *
 * Returns: (transfer full) (nullable): when it is to happen
 */
ForeScheduleTime *
fore_schedule_time_new (const char *text, gint64 now_us, GTimeZone *zone, GError **error)
{
  g_autoptr (ForeScheduleTime) self = NULL;
  g_autofree char *stripped = NULL;

  g_return_val_if_fail (text != NULL && zone != NULL, NULL);

  self = g_new0 (ForeScheduleTime, 1);
  stripped = g_strstrip (g_strdup (text));
  self->text = g_strdup (stripped);

  return read_text (self, stripped, now_us, zone, error) ? g_steal_pointer (&self) : NULL;
}

/**
 * fore_schedule_time_free:
 * @self: (nullable): a time
 */
void
fore_schedule_time_free (ForeScheduleTime *self)
{
  if (self == NULL)
    return;

  g_free (self->text);
  g_free (self);
}

/**
 * fore_schedule_time_get_kind:
 * @self: a time
 *
 * Returns: what kind of time it is
 */
ForeScheduleKind
fore_schedule_time_get_kind (const ForeScheduleTime *self)
{
  g_return_val_if_fail (self != NULL, FORE_SCHEDULE_ONCE);

  return self->kind;
}

/**
 * fore_schedule_time_get_text:
 * @self: a time
 *
 * Returns: (transfer none): how to say it, which means the same whenever it is read again
 */
const char *
fore_schedule_time_get_text (const ForeScheduleTime *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->text;
}

/**
 * fore_schedule_time_find_next:
 * @self: a time
 * @after_us: microseconds since the epoch
 * @begun_us: from when on an interval is counted
 * @zone: the time zone whose clock cron goes by
 *
 * Returns: the first time after @after_us, 0 if there is none
 */
gint64
fore_schedule_time_find_next (const ForeScheduleTime *self,
                              gint64 after_us,
                              gint64 begun_us,
                              GTimeZone *zone)
{
  g_return_val_if_fail (self != NULL && zone != NULL, 0);

  if (self->kind == FORE_SCHEDULE_ONCE)
    return self->once_us > after_us ? self->once_us : 0;
  if (self->kind == FORE_SCHEDULE_CRON)
    return fore_cron_find_next (&self->cron, after_us / SECOND, zone) * SECOND;
  if (after_us < begun_us)
    return begun_us + self->interval_us;

  return begun_us + ((after_us - begun_us) / self->interval_us + 1) * self->interval_us;
}
