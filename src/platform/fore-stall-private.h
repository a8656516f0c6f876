/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "platform/fore-stall.h"

G_BEGIN_DECLS

/* Looks at *@since, the time on the boot clock at which a dispatch of the calling thread began (0:
 * none), and notes what is being dispatched when one takes longer than @limit_us.
 */
void fore_stall_system_start (gint64 limit_us, const gint64 *since);
/* What was noted last, "" if nothing was; forgets it. */
void fore_stall_system_take_name (char name[FORE_STALL_NAME_SIZE]);
/* How often the calling thread waited for something of its own accord. */
gint64 fore_stall_system_count_waits (void);

G_END_DECLS
