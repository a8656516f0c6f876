/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "model/fore-schedule-time.h"

#define NOW (G_GINT64_CONSTANT (1796119200) * G_USEC_PER_SEC)

int LLVMFuzzerTestOneInput (const guint8 *data, size_t size);

/* Whatever a person types, it is a time or an error, and means the same when it is read again. */
int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  g_autofree char *text = g_strndup ((const char *) data, size);
  g_autoptr (GTimeZone) zone = g_time_zone_new_utc ();
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeScheduleTime) time = NULL;
  g_autoptr (ForeScheduleTime) again = NULL;
  gint64 next;

  if (!g_utf8_validate (text, -1, NULL))
    return 0;

  time = fore_schedule_time_new (text, NOW, zone, &error);
  g_assert_true ((time == NULL) == (error != NULL));
  if (time == NULL)
    return 0;

  again = fore_schedule_time_new (fore_schedule_time_get_text (time), NOW + 1, zone, NULL);
  g_assert_nonnull (again);
  next = fore_schedule_time_find_next (time, NOW, NOW, zone);
  g_assert_cmpint (next, ==, fore_schedule_time_find_next (again, NOW, NOW, zone));
  g_assert_true (next == 0 || next > NOW);

  return 0;
}
