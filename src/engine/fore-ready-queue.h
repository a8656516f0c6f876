/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-slot-keeper.h"

G_BEGIN_DECLS

/**
 * ForeReadyQueue:
 *
 * Tasks that could start, in the order in which they should: the one with the longest chain behind
 * it first, then as in the plan. Those that need the same (pool, role, agent CLI, the right to
 * write; sessions that go on apart) stand in a lane: if the first of a lane has no place, nobody of
 * it has, so that a round looks at lanes and not at tasks. Not thread-safe.
 */
typedef struct _ForeReadyQueue ForeReadyQueue;

/**
 * ForeReadyMeasure:
 * @task: a task
 * @user_data: data of the caller
 *
 * Returns: how long the chain is that begins with @task
 */
typedef gint64 (*ForeReadyMeasure) (const ForeTask *task, gpointer user_data);

/**
 * ForeReadyTell:
 * @task: a task that stays in the queue
 * @reason: (nullable): one phrase: why
 * @user_data: data of the caller
 */
typedef void (*ForeReadyTell) (ForeTask *task, const char *reason, gpointer user_data);

ForeReadyQueue *fore_ready_queue_new (ForeReadyMeasure measure, gpointer user_data);
void fore_ready_queue_free (ForeReadyQueue *queue);

void fore_ready_queue_add (ForeReadyQueue *queue, ForeTask *task);
void fore_ready_queue_remove (ForeReadyQueue *queue, ForeTask *task);
void fore_ready_queue_clear (ForeReadyQueue *queue);
gboolean fore_ready_queue_is_empty (const ForeReadyQueue *queue);
void fore_ready_queue_measure_again (ForeReadyQueue *queue);

void fore_ready_queue_begin_round (ForeReadyQueue *queue, ForeSlotPool pool);
ForeTask *fore_ready_queue_peek (ForeReadyQueue *queue, ForeSlotPool pool);
void fore_ready_queue_hold_up (ForeReadyQueue *queue, ForeTask *task, const char *reason);
void fore_ready_queue_end_round (ForeReadyQueue *queue,
                                 ForeSlotPool pool,
                                 const char *reason,
                                 ForeReadyTell tell,
                                 gpointer user_data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeReadyQueue, fore_ready_queue_free)

G_END_DECLS
