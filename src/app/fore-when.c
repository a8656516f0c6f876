/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-when.h"

#include <glib/gi18n-lib.h>

/**
 * fore_when_dup_words:
 * @at_us: microseconds since the epoch, or 0
 *
 * Returns: (transfer full): day and time of it on this machine's clock, or that it never comes
 */
char *
fore_when_dup_words (gint64 at_us)
{
  g_autoptr (GDateTime) utc = NULL;
  g_autoptr (GDateTime) local = NULL;

  if (at_us == 0)
    return g_strdup (_ ("never"));

  utc = g_date_time_new_from_unix_utc (at_us / G_USEC_PER_SEC);
  local = g_date_time_to_local (utc);

  /* Translators: day of the week, date, hour and minute, as in strftime(3). */
  return g_date_time_format (local, _ ("%a %F, %H:%M"));
}
