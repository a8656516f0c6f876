/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Watches @context (NULL: the default one) if FORE_STALL_MS is set: dispatches that take longer are
 * logged with the name of their source; with FORE_STALL_FATAL=1 the process aborts. To be called in
 * the thread that runs the context.
 */
void fore_stall_install (GMainContext *context);
/* How many there were, and the longest, in µs of wall clock and of the thread's CPU time. */
guint fore_stall_get_count (gint64 *worst_wall_us, gint64 *worst_cpu_us);

G_END_DECLS
