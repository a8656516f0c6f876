/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-stall-private.h"

/* There is no way here to ask a thread from outside what it dispatches: stalls are measured, but
 * not named.
 */
void
fore_stall_system_start (gint64 limit_us, const gint64 *since)
{
}

void
fore_stall_system_take_name (char name[FORE_STALL_NAME_SIZE])
{
  name[0] = '\0';
}

gint64
fore_stall_system_count_waits (void)
{
  return 0;
}
