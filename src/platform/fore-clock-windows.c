/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-clock.h"

#include <windows.h>

gint64
fore_clock_now_us (void)
{
  return g_get_real_time ();
}

/* The interrupt time counts sleep, unlike the performance counter; its unit is 100 ns. */
gint64
fore_clock_boot_us (void)
{
  ULONGLONG now;

  QueryInterruptTimePrecise (&now);
  return (gint64) (now / 10);
}

gint64
fore_clock_thread_cpu_us (void)
{
  FILETIME created, ended, kernel, user;
  ULARGE_INTEGER a, b;

  if (!GetThreadTimes (GetCurrentThread (), &created, &ended, &kernel, &user))
    return 0;

  a.LowPart = kernel.dwLowDateTime;
  a.HighPart = kernel.dwHighDateTime;
  b.LowPart = user.dwLowDateTime;
  b.HighPart = user.dwHighDateTime;
  return (gint64) ((a.QuadPart + b.QuadPart) / 10);
}
