/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-event-log.h"

#include "platform/fore-log.h"

/* What somebody who helps wants to see of a run: neither what comes for every task, nor the words
 * of a person or an agent, as logs are handed on.
 */
static gboolean
get_level (ForeEventType type, ForeLogLevel *level)
{
  switch (type)
    {
    case FORE_EVENT_RUN_STATUS:
    case FORE_EVENT_RUN_OWNED:
    case FORE_EVENT_RUN_RELEASED:
    case FORE_EVENT_RUN_RESUMED:
    case FORE_EVENT_RUN_RESULT:
    case FORE_EVENT_RUN_MERGED:
    case FORE_EVENT_RUN_DISCARDED:
    case FORE_EVENT_ATTEMPT_ADOPTED:
    case FORE_EVENT_SESSION_TAKEN_UP:
    case FORE_EVENT_ATTEMPT_RETRY:
    case FORE_EVENT_PLAN_PROPOSED:
    case FORE_EVENT_PLAN_APPROVED:
    case FORE_EVENT_PLAN_REJECTED:
    case FORE_EVENT_ADAPTIVE_PLAN_INJECTED:
    case FORE_EVENT_GATE_OPENED:
    case FORE_EVENT_COMMAND_TAKEN:
    case FORE_EVENT_RECOVERY_FOUND:
    case FORE_EVENT_LIMIT_CAPPED:
      *level = FORE_LOG_INFO;
      return TRUE;

    case FORE_EVENT_ADAPTIVE_PLAN_REPAIR_FAILED:
    case FORE_EVENT_ADAPTIVE_PLAN_MISSING:
    case FORE_EVENT_COMMAND_REFUSED:
    case FORE_EVENT_BUDGET_WARNING:
    case FORE_EVENT_BUDGET_STOP:
    case FORE_EVENT_TREE_CONFLICT:
    case FORE_EVENT_LEADER_CHANGED:
    case FORE_EVENT_HOOK_BLOCKED:
    case FORE_EVENT_RECOVERY_LOST:
      *level = FORE_LOG_WARNING;
      return TRUE;

    default:
      return FALSE;
    }
}

/**
 * fore_event_log:
 * @run_id: the run that it belongs to
 * @event: an event
 *
 * Writes a line to the log if @event is one that helps to understand later what went on.
 */
void
fore_event_log (const char *run_id, const ForeEvent *event)
{
  ForeLogLevel level;

  g_return_if_fail (event != NULL);

  if (get_level (event->type, &level))
    fore_log (level, run_id, event->task, event->attempt, "%s %s",
              fore_event_type_to_string (event->type), event->data != NULL ? event->data : "");
}
