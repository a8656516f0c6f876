/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/fore-run-reader.h"

G_BEGIN_DECLS

/**
 * ForeFollowNews:
 * @delta: (nullable): for a run
 * @runs: (nullable): for the index
 * @requests: (nullable): for the index
 * @error: (nullable): instead of the others
 *
 * What a #ForeFollowThread hands over.
 */
typedef struct
{
  ForeRunDelta *delta;
  GPtrArray *runs;
  GPtrArray *requests;
  GError *error;
} ForeFollowNews;

typedef void (*ForeFollowFunc) (const ForeFollowNews *news, gpointer user_data);

/**
 * ForeFollowThread:
 *
 * The thread of a #ForeFollower. It reads when the bell rings and the file changed, and does not
 * read on before what it read was handed over: a slow main loop gets fewer and larger differences.
 */
typedef struct _ForeFollowThread ForeFollowThread;

ForeFollowThread *fore_follow_thread_start (ForeStore *store,
                                            const char *run_id,
                                            gboolean with_events,
                                            guint page_size,
                                            ForeFollowFunc func,
                                            gpointer user_data);
void fore_follow_thread_stop (ForeFollowThread *self);

G_END_DECLS
