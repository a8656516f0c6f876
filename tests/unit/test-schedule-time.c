/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "model/fore-cron.h"
#include "model/fore-error.h"
#include "model/fore-schedule-time.h"

#include <string.h>

#define SECOND ((gint64) G_USEC_PER_SEC)
#define MINUTE 60
#define HOUR 3600

static GTimeZone *
get_zone (const char *name)
{
  GTimeZone *zone = g_time_zone_new_identifier (name);

  if (zone == NULL)
    g_test_skip_printf ("no data of the time zone %s", name);

  return zone;
}

static gint64
read_time (const char *iso, GTimeZone *zone)
{
  g_autoptr (GDateTime) at = g_date_time_new_from_iso8601 (iso, zone);

  g_assert_nonnull (at);

  return g_date_time_to_unix (at);
}

static char *
describe (gint64 at, GTimeZone *zone)
{
  g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc (at);
  g_autoptr (GDateTime) local = g_date_time_to_timezone (utc, zone);

  return at == 0 ? g_strdup ("never") : g_date_time_format (local, "%Y-%m-%dT%H:%M%:::z");
}

typedef struct
{
  const char *zone;
  const char *text;
  const char *after;
  const char *next[4];
} Case;

static const Case cases[] = {
  { "UTC", "0 9 * * 1-5", "2026-11-29T12:00:00", { "2026-11-30T09:00+00", "2026-12-01T09:00+00" } },
  { "UTC", "0 9 * * mon-fri", "2026-12-04T09:00:00", { "2026-12-07T09:00+00" } },
  { "UTC", "0 0 * * 7", "2026-12-01T00:00:00", { "2026-12-06T00:00+00" } },
  { "UTC", "0 0 29 2 *", "2096-03-01T00:00:00", { "2104-02-29T00:00+00" } },
  { "UTC",
    "0 0 13 * fri",
    "2026-12-01T00:00:00",
    { "2026-12-04T00:00+00", "2026-12-11T00:00+00", "2026-12-13T00:00+00" } },
  { "UTC", "0 0 */2 * fri", "2026-12-01T00:00:00", { "2026-12-11T00:00+00" } },
  { "UTC",
    "*/20 8-9 * * *",
    "2026-12-01T08:30:00",
    { "2026-12-01T08:40+00", "2026-12-01T09:00+00" } },
  { "UTC",
    "5/30 0 1 jan,JUL *",
    "2026-12-01T00:00:00",
    { "2027-01-01T00:05+00", "2027-01-01T00:35+00", "2027-07-01T00:05+00" } },
  { "UTC", "@monthly", "2026-12-01T00:00:00", { "2027-01-01T00:00+00" } },
  { "UTC", "59 23 31 12 *", "2026-12-31T23:58:59", { "2026-12-31T23:59+00" } },
  /* put forward at 02:00 on 2026-03-29 */
  { "Europe/Berlin",
    "30 2 * * *",
    "2026-03-28T12:00:00",
    { "2026-03-29T03:00+02", "2026-03-30T02:30+02" } },
  { "Europe/Berlin",
    "0,15,30,45 2 * * *",
    "2026-03-28T12:00:00",
    { "2026-03-29T03:00+02", "2026-03-30T02:00+02" } },
  { "Europe/Berlin",
    "*/30 * * * *",
    "2026-03-29T01:30:00",
    { "2026-03-29T03:00+02", "2026-03-29T03:30+02" } },
  /* put back at 03:00 on 2026-10-25 */
  { "Europe/Berlin",
    "30 2 * * *",
    "2026-10-24T12:00:00",
    { "2026-10-25T02:30+02", "2026-10-26T02:30+01" } },
  { "Europe/Berlin",
    "*/30 * * * *",
    "2026-10-25T01:45:00",
    { "2026-10-25T02:00+02", "2026-10-25T02:30+02", "2026-10-25T02:00+01",
      "2026-10-25T02:30+01" } },
  { "America/New_York", "30 2 * * *", "2026-03-07T12:00:00", { "2026-03-08T03:00-04" } },
  { "America/New_York",
    "30 1 * * *",
    "2026-10-31T12:00:00",
    { "2026-11-01T01:30-04", "2026-11-02T01:30-05" } },
  /* half an hour only */
  { "Australia/Lord_Howe",
    "15 2 * * *",
    "2026-10-03T12:00:00",
    { "2026-10-04T02:30+11", "2026-10-05T02:15+11" } },
  /* whose 30 December 2011 there was none */
  { "Pacific/Apia",
    "0 12 * * *",
    "2011-12-29T13:00:00",
    { "2011-12-31T00:00+14", "2011-12-31T12:00+14" } },
};

static void
test_cron_comes (gconstpointer data)
{
  const Case *test = data;
  g_autoptr (GTimeZone) zone = get_zone (test->zone);
  g_autoptr (GError) error = NULL;
  ForeCron cron;
  gint64 at;

  if (zone == NULL)
    return;

  at = read_time (test->after, zone);
  fore_cron_parse (&cron, test->text, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (test->next) && test->next[i] != NULL; i++)
    {
      g_autofree char *found = NULL;

      at = fore_cron_find_next (&cron, at, zone);
      found = describe (at, zone);
      g_assert_cmpstr (found, ==, test->next[i]);
    }
}

static void
test_wrong_words_are_refused (void)
{
  static const char *const words[] = {
    "",
    "* * * *",
    "* * * * * *",
    "60 * * * *",
    "* 24 * * *",
    "* * 0 * *",
    "* * 32 * *",
    "* * * 13 *",
    "* * * * 8",
    "5-1 * * * *",
    "*/0 * * * *",
    "*/ * * * *",
    "1,,2 * * * *",
    "a * * * *",
    "* * * foo *",
    "-1 * * * *",
    "1-2-3 * * * *",
    "0 0 30 2 *",
    "0 0 31 4,6,9,11 *",
    "@often",
    "every",
    "every 10s",
    "every 90000",
    "in 3",
    "in 1h 3",
    "every -5m",
    "every 900000 days",
    "tomorrow",
    "in soon",
    "2026-13-01 09:00",
    "2026-12-01 25:00",
    "at",
    "9 o'clock",
  };
  g_autoptr (GTimeZone) zone = g_time_zone_new_utc ();

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (ForeScheduleTime) time = fore_schedule_time_new (words[i], 0, zone, &error);

      g_test_message ("%s", words[i]);
      g_assert_null (time);
      g_assert_true (error != NULL && error->domain == FORE_ERROR);
    }
}

static void
test_intervals_and_dates (void)
{
  g_autoptr (GTimeZone) zone = g_time_zone_new_utc ();
  gint64 now = read_time ("2026-12-01T12:00:00", zone) * SECOND;
  g_autoptr (ForeScheduleTime) often = fore_schedule_time_new ("every 60s", now, zone, NULL);
  g_autoptr (ForeScheduleTime) soon = fore_schedule_time_new ("in 20m", now, zone, NULL);
  g_autoptr (ForeScheduleTime) date = fore_schedule_time_new ("2026-12-24 18:30", now, zone, NULL);
  g_autoptr (ForeScheduleTime) abroad = fore_schedule_time_new ("2026-12-24T18:30:00+09:00", now,
                                                                zone, NULL);
  guint n = 0;

  for (gint64 at = now;
       (at = fore_schedule_time_find_next (often, at, now, zone)) <= now + 125 * SECOND;)
    n++;
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpint (fore_schedule_time_find_next (soon, now, now, zone), ==, now + 1200 * SECOND);
  g_assert_cmpint (fore_schedule_time_find_next (soon, now + 1200 * SECOND, now, zone), ==, 0);
  g_assert_cmpint (fore_schedule_time_find_next (date, now, now, zone), ==,
                   read_time ("2026-12-24T18:30:00", zone) * SECOND);
  g_assert_cmpint (fore_schedule_time_find_next (abroad, now, now, zone), ==,
                   read_time ("2026-12-24T09:30:00", zone) * SECOND);
}

/* What “in 20m” meant when it was said is what it means when it is read again. */
static void
test_a_delay_is_kept_as_a_time (void)
{
  g_autoptr (GTimeZone) zone = g_time_zone_new_utc ();
  g_autoptr (ForeScheduleTime) said = fore_schedule_time_new ("+20m", 0, zone, NULL);
  g_autoptr (ForeScheduleTime) read = fore_schedule_time_new (fore_schedule_time_get_text (said),
                                                              5000 * SECOND, zone, NULL);

  g_assert_cmpint (fore_schedule_time_get_kind (read), ==, FORE_SCHEDULE_ONCE);
  g_assert_cmpint (fore_schedule_time_find_next (read, 0, 0, zone), ==, 1200 * SECOND);
}

/* Nor is it less than what its text can say. */
static void
test_less_than_a_second_is_one (void)
{
  g_autoptr (GTimeZone) zone = g_time_zone_new_utc ();
  g_autoptr (ForeScheduleTime) said = fore_schedule_time_new ("in 3ms", 0, zone, NULL);
  g_autoptr (ForeScheduleTime) read = fore_schedule_time_new (fore_schedule_time_get_text (said), 0,
                                                              zone, NULL);

  g_assert_cmpint (fore_schedule_time_find_next (said, 0, 0, zone), ==, SECOND);
  g_assert_cmpint (fore_schedule_time_find_next (read, 0, 0, zone), ==, SECOND);
}

/* Against the plainest reading of crontab(5): every minute of some days is looked at. */

static gboolean
matches (const ForeCron *cron, GDateTime *local)
{
  gboolean day = (cron->days >> g_date_time_get_day_of_month (local) & 1) != 0;
  gboolean by_week = (cron->weekdays >> (g_date_time_get_day_of_week (local) % 7) & 1) != 0;

  return (cron->minutes >> g_date_time_get_minute (local) & 1) != 0
         && (cron->hours >> g_date_time_get_hour (local) & 1) != 0
         && (cron->months >> g_date_time_get_month (local) & 1) != 0
         && (cron->any_day || cron->any_weekday ? day && by_week : day || by_week);
}

static GDateTime *
get_local (gint64 at, GTimeZone *zone)
{
  g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc (at);

  return g_date_time_to_timezone (utc, zone);
}

static gint64
get_offset (gint64 at, GTimeZone *zone)
{
  g_autoptr (GDateTime) local = get_local (at, zone);

  return g_date_time_get_utc_offset (local) / SECOND;
}

/* Whether the clock jumped over a time that is wanted when it came to @at. */
static gboolean
makes_up (const ForeCron *cron, gint64 at, GTimeZone *zone)
{
  gint64 jump = get_offset (at, zone) - get_offset (at - MINUTE, zone);

  for (gint64 back = jump; back > 0 && !cron->runs_on; back -= MINUTE)
    {
      g_autoptr (GDateTime) skipped = g_date_time_new_from_unix_utc (at + get_offset (at, zone)
                                                                     - back);

      if (matches (cron, skipped))
        return TRUE;
    }

  return FALSE;
}

static gboolean
comes_again (const ForeCron *cron, gint64 at, GTimeZone *zone)
{
  for (gint64 back = 30 * MINUTE; back <= HOUR && !cron->runs_on; back += 30 * MINUTE)
    {
      if (get_offset (at - back, zone) - get_offset (at, zone) == back)
        return TRUE;
    }

  return FALSE;
}

static gint64
walk (const ForeCron *cron, gint64 after, gint64 end, GTimeZone *zone)
{
  for (gint64 at = after - after % MINUTE + MINUTE; at < end; at += MINUTE)
    {
      g_autoptr (GDateTime) local = get_local (at, zone);

      if ((matches (cron, local) && !comes_again (cron, at, zone)) || makes_up (cron, at, zone))
        return at;
    }

  return 0;
}

static char *
make_field (GRand *rand, int first, int last)
{
  int a = g_rand_int_range (rand, first, last + 1);
  int b = g_rand_int_range (rand, a, last + 1);

  switch (g_rand_int_range (rand, 0, 5))
    {
    case 0:
      return g_strdup ("*");
    case 1:
      return g_strdup_printf ("*/%d", g_rand_int_range (rand, 1, 15));
    case 2:
      return g_strdup_printf ("%d-%d", a, b);
    case 3:
      return g_strdup_printf ("%d,%d", a, b);
    default:
      return g_strdup_printf ("%d", a);
    }
}

static void
test_it_is_what_a_walk_finds (void)
{
  static const struct
  {
    const char *zone;
    const char *begin;
  } places[] = {
    { "Europe/Berlin", "2026-03-28T00:00:00" },
    { "Europe/Berlin", "2026-10-24T00:00:00" },
    { "America/New_York", "2026-03-07T00:00:00" },
    { "Australia/Lord_Howe", "2026-04-04T00:00:00" },
    { "UTC", "2028-02-28T00:00:00" },
  };
  g_autoptr (GRand) rand = g_rand_new_with_seed (g_test_rand_int ());

  for (guint i = 0; i < 150; i++)
    {
      guint place = i % G_N_ELEMENTS (places);
      g_autoptr (GTimeZone) zone = g_time_zone_new_identifier (places[place].zone);
      g_autofree char *minute = make_field (rand, 0, 59);
      g_autofree char *hour = make_field (rand, 0, 5);
      g_autofree char *weekday = make_field (rand, 0, 7);
      g_autofree char *text = g_strdup_printf ("%s %s * * %s", minute, hour, weekday);
      ForeCron cron;
      gint64 at, end, expected;

      if (zone == NULL || !fore_cron_parse (&cron, text, NULL))
        continue;
      at = read_time (places[place].begin, zone) + g_rand_int_range (rand, 0, 30 * HOUR);
      end = at + 36 * HOUR;
      expected = walk (&cron, at, end, zone);
      at = fore_cron_find_next (&cron, at, zone);
      g_test_message ("%s in %s", text, places[place].zone);
      g_assert_cmpint (at < end ? at : 0, ==, expected);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/schedule/cron-comes/%u", i);

      g_test_add_data_func (path, &cases[i], test_cron_comes);
    }
  g_test_add_func ("/schedule/wrong-words-are-refused", test_wrong_words_are_refused);
  g_test_add_func ("/schedule/intervals-and-dates", test_intervals_and_dates);
  g_test_add_func ("/schedule/a-delay-is-kept-as-a-time", test_a_delay_is_kept_as_a_time);
  g_test_add_func ("/schedule/less-than-a-second-is-one", test_less_than_a_second_is_one);
  g_test_add_func ("/schedule/it-is-what-a-walk-finds", test_it_is_what_a_walk_finds);

  return g_test_run ();
}
