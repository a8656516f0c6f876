/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "model/fore-cron.h"

#include "model/fore-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define DAY 86400
/* A 29th of February may be eight years away (1896 to 1904, 2096 to 2104). */
#define HORIZON_DAYS (8 * 366 + 2)
#define NONE G_MAXINT64

/* Fields */

typedef struct
{
  const char *name;
  guint first;
  guint last;
  const char *const *words; /* of the numbers from @first on */
} Field;

static const char *const month_words[] = { "jan", "feb", "mar", "apr", "may", "jun", "jul",
                                           "aug", "sep", "oct", "nov", "dec", NULL };
static const char *const weekday_words[]
    = { "sun", "mon", "tue", "wed", "thu", "fri", "sat", NULL };

static const Field fields[] = {
  { N_ ("minute"), 0, 59, NULL },
  { N_ ("hour"), 0, 23, NULL },
  { N_ ("day of the month"), 1, 31, NULL },
  { N_ ("month"), 1, 12, month_words },
  { N_ ("day of the week"), 0, 7, weekday_words },
};

static const struct
{
  const char *name;
  const char *text;
} names[] = {
  { "@hourly", "0 * * * *" },   { "@daily", "0 0 * * *" },   { "@midnight", "0 0 * * *" },
  { "@weekly", "0 0 * * 0" },   { "@monthly", "0 0 1 * *" }, { "@yearly", "0 0 1 1 *" },
  { "@annually", "0 0 1 1 *" },
};

static gboolean
read_number (const char *text, const Field *field, guint *number)
{
  guint64 value;

  for (guint i = 0; field->words != NULL && field->words[i] != NULL; i++)
    {
      if (g_ascii_strcasecmp (field->words[i], text) == 0)
        {
          *number = field->first + i;
          return TRUE;
        }
    }
  if (!g_ascii_string_to_unsigned (text, 10, field->first, field->last, &value, NULL))
    return FALSE;

  *number = (guint) value;
  return TRUE;
}

static gboolean
read_range (const char *text, const Field *field, gboolean stepped, guint *from, guint *to)
{
  g_auto (GStrv) ends = g_strsplit (text, "-", 2);

  *from = field->first;
  *to = field->words == weekday_words ? 6 : field->last;
  if (strcmp (text, "*") == 0)
    return TRUE;
  if (ends[0] == NULL || !read_number (ends[0], field, from))
    return FALSE;
  if (ends[1] == NULL)
    {
      *to = stepped ? *to : *from;
      return TRUE;
    }

  return read_number (ends[1], field, to) && *from <= *to;
}

/* `*`, `a`, `a-b`, and each with `/step`; sets bits. */
static gboolean
read_part (const char *text, const Field *field, guint64 *bits)
{
  g_auto (GStrv) halves = g_strsplit (text, "/", 2);
  guint64 step = 1;
  guint from, to;

  if (halves[0] == NULL
      || (halves[1] != NULL && !g_ascii_string_to_unsigned (halves[1], 10, 1, 60, &step, NULL))
      || !read_range (halves[0], field, halves[1] != NULL, &from, &to))
    return FALSE;

  for (guint i = from; i <= to; i += (guint) step)
    *bits |= G_GUINT64_CONSTANT (1) << i;

  return TRUE;
}

static gboolean
read_field (const char *text, const Field *field, guint64 *bits, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);

  *bits = 0;
  for (guint i = 0; parts[i] != NULL; i++)
    {
      if (read_part (parts[i], field, bits))
        continue;
      g_set_error (error, FORE_ERROR, FORE_ERROR_INVALID,
                   _ ("“%s” is no %s: say numbers from %u to %u, ranges, lists or steps, such as "
                      "%u-%u, or */2."),
                   text, _ (field->name), field->first, field->last, field->first,
                   field->first + 2);
      return FALSE;
    }

  return TRUE;
}

static GStrv
split_fields (const char *text)
{
  g_auto (GStrv) words = g_strsplit_set (text, " \t", -1);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; words[i] != NULL; i++)
    {
      if (*words[i] != '\0')
        g_strv_builder_add (builder, words[i]);
    }

  return g_strv_builder_end (builder);
}

static gboolean
read_fields (ForeCron *cron, char **words, GError **error)
{
  guint64 *bits[] = { &cron->minutes, &cron->hours, &cron->days, &cron->months, &cron->weekdays };

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      if (!read_field (words[i], &fields[i], bits[i], error))
        return FALSE;
    }

  /* Both 0 and 7 are Sunday. */
  if ((cron->weekdays & (1 << 7)) != 0)
    cron->weekdays = (cron->weekdays | 1) & 0x7f;
  cron->runs_on = words[0][0] == '*' || words[1][0] == '*';
  cron->any_day = words[2][0] == '*';
  cron->any_weekday = words[4][0] == '*';

  return TRUE;
}

/**
 * fore_cron_parse:
 * @cron: (out): what the text says
 * @text: five fields as in crontab(5): minute, hour, day of the month, month, day of the week, with
 *   names, lists, ranges and steps, 7 for Sunday too; or `@hourly` to `@yearly`
 * @error: return location for an error
 *
 * Returns: whether it is right, and comes at all
 */
gboolean
fore_cron_parse (ForeCron *cron, const char *text, GError **error)
{
  g_auto (GStrv) words = NULL;
  g_autoptr (GTimeZone) utc = NULL;

  g_return_val_if_fail (cron != NULL && text != NULL, FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      if (g_ascii_strcasecmp (names[i].name, text) == 0)
        text = names[i].text;
    }

  words = split_fields (text);
  if (g_strv_length (words) != G_N_ELEMENTS (fields))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_INVALID,
                   _ ("“%s” has %u fields instead of five: minute, hour, day of the month, month "
                      "and day of the week."),
                   text, g_strv_length (words));
      return FALSE;
    }
  if (!read_fields (cron, words, error))
    return FALSE;

  utc = g_time_zone_new_utc ();
  if (fore_cron_find_next (cron, 0, utc) != 0)
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_INVALID, _ ("“%s” never comes: no such day exists."),
               text);
  return FALSE;
}

/* Times. A local time is counted in seconds as if it were UTC. */

static gint64
get_offset (GTimeZone *zone, gint64 at)
{
  return g_time_zone_get_offset (zone, g_time_zone_find_interval (zone, G_TIME_TYPE_UNIVERSAL, at));
}

/* The first moment after the clock was put, of which there is one between the two. */
static gint64
find_change (GTimeZone *zone, gint64 before, gint64 after)
{
  gint64 offset = get_offset (zone, after);

  while (after - before > 1)
    {
      gint64 middle = before + (after - before) / 2;

      if (get_offset (zone, middle) == offset)
        after = middle;
      else
        before = middle;
    }

  return after;
}

/* A time of the day that is skipped is made up for as soon as the clock was put forward, one that
 * comes twice counts the first time. What goes by the running clock is neither made up for nor left
 * out (as in cron(8) of Debian).
 */
static gint64
find_moment (const ForeCron *cron, gint64 local, gint64 after, GTimeZone *zone)
{
  gint64 old = get_offset (zone, local - DAY);
  gint64 new = get_offset (zone, local + DAY);
  gboolean is_old = get_offset (zone, local - old) == old;
  gboolean is_new = get_offset (zone, local - new) == new;
  gint64 first = is_old ? local - old : local - new;

  if (!is_old && !is_new)
    first = cron->runs_on ? NONE : find_change (zone, local - DAY - old, local + DAY - new);
  else if (first <= after && is_old && is_new && cron->runs_on)
    first = local - new;

  return first > after ? first : NONE;
}

static gboolean
is_day (const ForeCron *cron, const GDate *date)
{
  guint weekday = g_date_get_weekday (date) % 7;
  gboolean day = (cron->days >> g_date_get_day (date) & 1) != 0;
  gboolean by_week = (cron->weekdays >> weekday & 1) != 0;

  if ((cron->months >> g_date_get_month (date) & 1) == 0)
    return FALSE;

  return cron->any_day || cron->any_weekday ? day && by_week : day || by_week;
}

static gint64
find_on_day (const ForeCron *cron, gint64 midnight, gint64 after, GTimeZone *zone)
{
  gint64 best = NONE;

  for (guint hour = 0; hour < 24; hour++)
    {
      for (guint minute = 0; minute < 60 && (cron->hours >> hour & 1) != 0; minute++)
        {
          if ((cron->minutes >> minute & 1) != 0)
            best = MIN (best,
                        find_moment (cron, midnight + hour * 3600 + minute * 60, after, zone));
        }
    }

  return best;
}

/**
 * fore_cron_find_next:
 * @cron: five fields
 * @after_s: seconds since the epoch
 * @zone: the time zone whose clock it goes by
 *
 * Returns: the first second after @after_s at which it comes, 0 if it does not within eight years
 */
gint64
fore_cron_find_next (const ForeCron *cron, gint64 after_s, GTimeZone *zone)
{
  gint64 day;
  GDate date;

  g_return_val_if_fail (cron != NULL && zone != NULL, 0);

  /* From the day before on: the clock may have been put across midnight. */
  day = (after_s + get_offset (zone, after_s)) / DAY - 1;
  g_date_clear (&date, 1);
  g_date_set_dmy (&date, 1, G_DATE_JANUARY, 1970);
  g_date_add_days (&date, day > 0 ? (guint) day : 0);
  day = MAX (day, 0);

  for (guint i = 0; i < HORIZON_DAYS; i++)
    {
      gint64 found = is_day (cron, &date) ? find_on_day (cron, day * DAY, after_s, zone) : NONE;

      if (found != NONE)
        return found;
      day++;
      g_date_add_days (&date, 1);
    }

  return 0;
}
