/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * ForeCaptureBeat:
 *
 * Calls a function while a file grows, on one thread that all beats of the process share: soon
 * after the first change, then at most every 15 ms (or seldom, while fore_capture_beat_slow_down()
 * says so), and not at all while nothing comes. An agent that writes thousands of lines a second
 * costs no main loop anything.
 */
typedef struct _ForeCaptureBeat ForeCaptureBeat;

/**
 * ForeCaptureBeatFunc:
 * @user_data: what was given with the function
 *
 * Reads what is new, on the thread of the beats; a part of it, if there is much.
 *
 * Returns: bytes that were read, 0 if there was nothing new
 */
typedef gsize (*ForeCaptureBeatFunc) (gpointer user_data);

ForeCaptureBeat *fore_capture_beat_new (const char *path,
                                        guint delay_ms,
                                        ForeCaptureBeatFunc func,
                                        gpointer user_data);
void fore_capture_beat_free (ForeCaptureBeat *beat);
void fore_capture_beat_slow_down (gboolean is_slow);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeCaptureBeat, fore_capture_beat_free)

G_END_DECLS
