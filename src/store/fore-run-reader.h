/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "model/fore-attempt.h"
#include "model/fore-command.h"
#include "model/fore-event.h"
#include "model/fore-message.h"
#include "model/fore-plan.h"
#include "model/fore-request.h"
#include "model/fore-run.h"
#include "model/fore-task.h"
#include "store/fore-run-inputs.h"
#include "store/fore-store.h"

G_BEGIN_DECLS

/**
 * ForeRunDelta:
 * @run: (nullable): the run if its row changed
 * @tasks: (element-type ForeTask): rows that changed, by position
 * @attempts: (element-type ForeAttempt): rows that changed
 * @plans: (element-type ForePlan): rows that changed
 * @requests: (element-type ForeRequest): rows that changed
 * @commands: (element-type ForeCommand): rows that changed
 * @messages: (element-type ForeMessage): rows that changed
 * @events: (element-type ForeEvent): events after the sequence number asked for
 * @rev: newest revision seen
 * @seq: newest event seen
 *
 * What changed in a run's file after a revision and an event, read in ONE transaction: never half
 * a change.
 */
typedef struct
{
  ForeRun *run;
  GPtrArray *tasks;
  GPtrArray *attempts;
  GPtrArray *plans;
  GPtrArray *requests;
  GPtrArray *commands;
  GPtrArray *messages;
  GPtrArray *events;
  guint64 rev;
  gint64 seq;
} ForeRunDelta;

void fore_run_delta_free (ForeRunDelta *delta);
gboolean fore_run_delta_is_empty (const ForeRunDelta *delta);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeRunDelta, fore_run_delta_free)

/* Blocking reads of a run's file; call from a worker thread or from foredeckctl. Each opens the
 * file read-only for itself. @max_events 0 means no events, G_MAXUINT all. Everything: after_rev 0
 * and after_seq 0. A request that somebody answered counts as answered even while no owner has
 * taken the answer up. */
ForeRunDelta *fore_run_read (ForeStore *store,
                             const char *run_id,
                             guint64 after_rev,
                             gint64 after_seq,
                             guint max_events,
                             GError **error);
/* All events of one type, oldest first. */
GPtrArray *
fore_run_read_events_of (ForeStore *store, const char *run_id, ForeEventType type, GError **error);
/* When its last event was, in microseconds since the epoch. */
gboolean
fore_run_read_last_time (ForeStore *store, const char *run_id, gint64 *time, GError **error);
gboolean
fore_run_read_inputs (ForeStore *store, const char *run_id, ForeRunInputs *inputs, GError **error);
ForePlan *fore_run_read_plan (ForeStore *store, const char *run_id, guint version, GError **error);
ForeRequest *fore_run_read_request (ForeStore *store, const char *request_id, GError **error);

G_END_DECLS
