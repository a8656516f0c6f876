/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A source that is dispatched when the time comes that g_source_set_ready_time() gave it, once for
 * each time that was given; without a callback it only ends the wait of its loop. @name is kept.
 */
GSource *fore_timer_source_new (const char *name);

G_END_DECLS
