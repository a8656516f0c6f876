/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * ForeEventClass:
 * @FORE_EVENT_AUDIT: in the same transaction as the change it explains, durable before anyone acts
 * @FORE_EVENT_DIAGNOSTIC: waited for by nobody, in the same order
 */
typedef enum
{
  FORE_EVENT_AUDIT,
  FORE_EVENT_DIAGNOSTIC,
} ForeEventClass;

typedef enum
{
  FORE_EVENT_RUN_CREATED,
  FORE_EVENT_RUN_STATUS,
  FORE_EVENT_RUN_OWNED,
  FORE_EVENT_RUN_RELEASED,
  FORE_EVENT_RUN_RESUMED,
  FORE_EVENT_RUN_RESULT,
  FORE_EVENT_RUN_MERGED,
  FORE_EVENT_RUN_DISCARDED,
  FORE_EVENT_RUN_FIGURES,
  FORE_EVENT_TASK_ADDED,
  FORE_EVENT_TASK_STATUS,
  FORE_EVENT_TASK_PHASE,
  FORE_EVENT_TASK_MARK,
  FORE_EVENT_TASK_MARK_CLEARED,
  FORE_EVENT_TASK_CONFLICT,
  FORE_EVENT_TASK_CHECK,
  FORE_EVENT_TASK_EFFECT,
  FORE_EVENT_TASK_ACCEPTED,
  FORE_EVENT_TASK_REMINDED,
  FORE_EVENT_ATTEMPT_STARTED,
  FORE_EVENT_ATTEMPT_ADOPTED,
  FORE_EVENT_ATTEMPT_FINISHED,
  FORE_EVENT_ATTEMPT_RETRY,
  FORE_EVENT_ATTEMPT_PROGRESS,
  FORE_EVENT_ATTEMPT_USAGE,
  FORE_EVENT_PLAN_PROPOSED,
  FORE_EVENT_PLAN_APPROVED,
  FORE_EVENT_PLAN_CHANGES,
  FORE_EVENT_PLAN_REJECTED,
  FORE_EVENT_ADAPTIVE_PLAN_INJECTED,
  FORE_EVENT_ADAPTIVE_PLAN_REPAIRED,
  FORE_EVENT_ADAPTIVE_PLAN_REPAIR_FAILED,
  FORE_EVENT_ADAPTIVE_PLAN_MISSING,
  FORE_EVENT_GATE_OPENED,
  FORE_EVENT_GOAL_TURN,
  FORE_EVENT_GOAL_ENDED,
  FORE_EVENT_SCRIPT_PHASE,
  FORE_EVENT_REQUEST_OPENED,
  FORE_EVENT_REQUEST_ANSWERED,
  FORE_EVENT_REQUEST_WITHDRAWN,
  FORE_EVENT_COMMAND_TAKEN,
  FORE_EVENT_COMMAND_REFUSED,
  FORE_EVENT_BUDGET_WARNING,
  FORE_EVENT_BUDGET_STOP,
  FORE_EVENT_TREE_ADDED,
  FORE_EVENT_TREE_REMOVED,
  FORE_EVENT_TREE_CONFLICT,
  FORE_EVENT_LEADER_CHANGED,
  FORE_EVENT_HOOK_CALLED,
  FORE_EVENT_HOOK_RAN,
  FORE_EVENT_HOOK_BLOCKED,
  FORE_EVENT_RECOVERY_FOUND,
  FORE_EVENT_RECOVERY_LOST,
  FORE_EVENT_RECOVERY_DIED,
  FORE_EVENT_SESSION_TAKEN_UP,
  FORE_EVENT_SESSION_SAID,
  FORE_EVENT_SUPERVISOR_CONTACT,
  FORE_EVENT_LIMIT_CAPPED,
  FORE_EVENT_MESSAGE_QUEUED,
  FORE_EVENT_MESSAGE_DELIVERED,
  FORE_EVENT_MESSAGE_SEEN,
  FORE_EVENT_NOTICE,
  FORE_N_EVENT_TYPES
} ForeEventType;

/**
 * ForeEvent:
 * @seq: position in the run's one order, from 1; set by the store
 * @type: what happened
 * @time: microseconds since the epoch
 * @task: (nullable): task it is about
 * @attempt: attempt it is about, or 0
 * @data: (nullable): JSON object with the keys that the table names
 *
 * One thing that happened in a run.
 */
typedef struct
{
  gint64 seq;
  ForeEventType type;
  gint64 time;
  char *task;
  guint attempt;
  char *data;
} ForeEvent;

ForeEvent *fore_event_new (ForeEventType type, const char *task, guint attempt, const char *data);
ForeEvent *fore_event_copy (const ForeEvent *event);
void fore_event_free (ForeEvent *event);

const char *fore_event_type_to_string (ForeEventType type);
gboolean fore_event_type_from_string (const char *text, ForeEventType *type);
ForeEventClass fore_event_type_get_class (ForeEventType type);
const char *fore_event_type_get_keys (ForeEventType type);
const char *fore_event_type_get_source (ForeEventType type);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeEvent, fore_event_free)

G_END_DECLS
