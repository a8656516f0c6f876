/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-clock.h"

#include <time.h>

/* What of the clocks of this system goes on while the machine sleeps and is never set. */
#ifdef CLOCK_BOOTTIME
#define BOOT_CLOCK CLOCK_BOOTTIME
#else
#define BOOT_CLOCK CLOCK_MONOTONIC
#endif

static gint64
get_clock_us (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);
  return (gint64) now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

/**
 * fore_clock_now_us:
 *
 * Returns: wall clock time, in µs since the epoch; it can be set back
 */
gint64
fore_clock_now_us (void)
{
  return g_get_real_time ();
}

/**
 * fore_clock_boot_us:
 *
 * Returns: µs since the machine started, sleep included; never goes back
 */
gint64
fore_clock_boot_us (void)
{
  return get_clock_us (BOOT_CLOCK);
}

/**
 * fore_clock_thread_cpu_us:
 *
 * Returns: CPU time that the calling thread used so far, in µs
 */
gint64
fore_clock_thread_cpu_us (void)
{
  return get_clock_us (CLOCK_THREAD_CPUTIME_ID);
}
