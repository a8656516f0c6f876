/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* chatty LINES SECONDS: an agent that writes so many lines a second, each with a write of its own,
 * and ends after about so many seconds: a quarter earlier or later, as agents do not end together.
 */
int
main (int argc, char **argv)
{
  gint64 rate = argc > 1 ? atoi (argv[1]) : 1000;
  gint64 total = (gint64) (rate * (argc > 2 ? atoi (argv[2]) : 1)
                           * g_random_double_range (0.75, 1.25));
  gint64 begin = g_get_monotonic_time ();

  for (gint64 n = 0; n < total; n++)
    {
      g_autofree char *line = g_strdup_printf (
          "{\"type\":\"text\",\"id\":\"t%d\",\"delta\":\"Word number %d of many. \"}\n",
          (int) (n / 500), (int) n);
      gint64 due = begin + n * G_USEC_PER_SEC / rate;
      gint64 now = g_get_monotonic_time ();

      /* a hundredth of a second's worth at a time */
      if (due > now + 10000)
        g_usleep ((gulong) (due - now));
      if (write (1, line, strlen (line)) < 0)
        return 1;
    }

  return 0;
}
