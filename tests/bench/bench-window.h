/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

#include "store/fore-store.h"

G_BEGIN_DECLS

/* What the parent of a benchmark of the window does: it fills a home, owns its runs and writes what
 * their agents say. The window itself runs in a child.
 */

#define BENCH_TASK "write"

ForeStore *bench_home_new (char **home);
void bench_home_remove (const char *home);
void bench_home_add_runs (
    ForeStore *store, const char *prefix, guint n, ForeRunStatus status, GPtrArray *owners);

typedef struct _BenchAgent BenchAgent;

BenchAgent *bench_agent_start (ForeStore *store, const char *run, guint lines_a_second);
guint bench_agent_stop (BenchAgent *self);

/* Roles of the child. */
int bench_window_main (int argc, char **argv);

G_END_DECLS
