/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "platform/fore-process.h"

G_BEGIN_DECLS

/* Whether the main loop of a run's runner turns, for others to see. A page of shared memory says
 * since when the loop has been busy with one turn: two stores a turn, and nothing at all while it
 * waits.
 */
void fore_pulse_install (const char *run_dir);
void fore_pulse_remove (const char *run_dir);

/* The last owner, if it died without giving the run up; before fore_pulse_install(). */
int fore_pulse_find_dead (const char *run_dir);

/* What another process sees. */
gboolean fore_pulse_read (const char *run_dir, ForeProcessId *id, gint64 *stuck_us);

G_END_DECLS
