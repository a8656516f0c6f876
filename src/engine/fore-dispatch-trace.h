/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * ForeDispatchTrace:
 *
 * Where the time goes between a task that could start and its process: a line a task in the file
 * that FORE_DISPATCH_TRACE names, for a benchmark. Without it there is no trace, and every call
 * takes %NULL. One thread at a time.
 */
typedef struct _ForeDispatchTrace ForeDispatchTrace;

/**
 * ForeDispatchWait:
 * @FORE_DISPATCH_QUEUE: for a turn of a thread of ours
 * @FORE_DISPATCH_TREE: for git
 * @FORE_DISPATCH_BARRIER: until what was decided is on the disk
 */
typedef enum
{
  FORE_DISPATCH_QUEUE,
  FORE_DISPATCH_TREE,
  FORE_DISPATCH_BARRIER,
  FORE_N_DISPATCH_WAITS
} ForeDispatchWait;

ForeDispatchTrace *fore_dispatch_trace_new (void);
void fore_dispatch_trace_free (ForeDispatchTrace *trace);

void fore_dispatch_trace_wait (ForeDispatchTrace *trace, ForeDispatchWait wait);
void fore_dispatch_trace_go_on (ForeDispatchTrace *trace);
void fore_dispatch_trace_write (ForeDispatchTrace *trace,
                                const char *task,
                                gint64 spawn_cpu_us,
                                gint64 spawn_us);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeDispatchTrace, fore_dispatch_trace_free)

G_END_DECLS
