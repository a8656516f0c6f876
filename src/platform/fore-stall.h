/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define FORE_STALL_NAME_SIZE 96

/**
 * ForeStallFigures:
 * @n_dispatches: how often something was dispatched
 * @cpu_us: CPU time of the thread in all of them
 * @worst_wall_us: the longest one
 * @worst_cpu_us: the most CPU time of one
 * @p999_wall_us: what 99.9 % of them stay below, to an eighth
 * @n_stalls: how many took longer than FORE_STALL_MS
 * @worst_source: name of the source of the longest stall, "" if it is not known
 *
 * What a main loop did so far.
 */
typedef struct
{
  guint64 n_dispatches;
  gint64 cpu_us;
  gint64 worst_wall_us;
  gint64 worst_cpu_us;
  gint64 p999_wall_us;
  guint n_stalls;
  char worst_source[FORE_STALL_NAME_SIZE];
} ForeStallFigures;

/* Measures the dispatches of @context (NULL: the default one). With FORE_STALL_MS those that take
 * longer are logged with the name of their source; with FORE_STALL_FATAL=1 the process aborts then.
 * To be called in the thread that runs the context.
 */
void fore_stall_install (GMainContext *context);
/* The loop was left: what comes until it polls again is no dispatch. */
void fore_stall_leave (void);
/* What is about to wait for a disk or a lock says so: within a dispatch of a watched loop this is a
 * fault, and with FORE_STALL_FATAL=1 the end of the process.
 */
void fore_stall_blocks (const char *what);
/* Figures of the loop so far; all zero where none is measured. */
void fore_stall_get_figures (ForeStallFigures *figures);

G_END_DECLS
