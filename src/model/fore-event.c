/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "model/fore-event.h"

/* The one table of all event types: name, class, keys of the data object, who emits it. */
static const struct
{
  const char *name;
  ForeEventClass event_class;
  const char *keys;
  const char *source;
} rows[FORE_N_EVENT_TYPES] = {
#define AUDIT FORE_EVENT_AUDIT
#define DIAG FORE_EVENT_DIAGNOSTIC
  [FORE_EVENT_RUN_CREATED] = { "run.created", AUDIT, "goal,team,workflow,project", "create" },
  [FORE_EVENT_RUN_STATUS] = { "run.status", AUDIT, "from,to,reason", "run-state" },
  [FORE_EVENT_RUN_OWNED] = { "run.owned", AUDIT, "pid,host,version", "runner" },
  [FORE_EVENT_RUN_RELEASED] = { "run.released", AUDIT, "reason", "runner" },
  [FORE_EVENT_RUN_RESUMED] = { "run.resumed", AUDIT, "tasks,by", "recovery" },
  [FORE_EVENT_RUN_RESULT] = { "run.result", AUDIT, "branch,commit,files,insertions,deletions",
                              "trees" },
  [FORE_EVENT_RUN_MERGED] = { "run.merged", AUDIT, "into,commit,mode,by,without", "trees" },
  [FORE_EVENT_RUN_DISCARDED] = { "run.discarded", AUDIT, "refs,by", "trees" },
  [FORE_EVENT_RUN_FIGURES] = { "run.figures", DIAG, "main_loop,store,decode,tasks", "runner" },
  [FORE_EVENT_TASK_ADDED] = { "task.added", AUDIT, "title,role,depends_on,plan_version",
                              "run-state" },
  [FORE_EVENT_TASK_STATUS] = { "task.status", AUDIT, "from,to,cause,message", "run-state" },
  [FORE_EVENT_TASK_PHASE] = { "task.phase", DIAG, "phase,waits_for", "run-state" },
  [FORE_EVENT_TASK_MARK] = { "task.mark", DIAG, "cause", "run-state" },
  [FORE_EVENT_TASK_MARK_CLEARED] = { "task.mark_cleared", DIAG, "cause", "run-state" },
  [FORE_EVENT_TASK_CONFLICT] = { "task.conflict", DIAG, "with,paths", "foresight" },
  [FORE_EVENT_TASK_CHECK] = { "task.check", AUDIT, "argv,verified,exit,ms", "checks" },
  [FORE_EVENT_TASK_EFFECT] = { "task.effect", AUDIT, "effect,files,commit", "trees" },
  [FORE_EVENT_TASK_REMINDED] = { "task.reminded", DIAG, "reminder", "attempt-job" },
  [FORE_EVENT_TASK_ACCEPTED] = { "task.accepted", AUDIT, "by", "run-state" },
  [FORE_EVENT_ATTEMPT_STARTED] = { "attempt.started", AUDIT, "cli,model,cwd,live,sandbox",
                                   "attempt" },
  [FORE_EVENT_ATTEMPT_ADOPTED] = { "attempt.adopted", AUDIT, "pid", "recovery" },
  [FORE_EVENT_ATTEMPT_FINISHED] = { "attempt.finished", AUDIT, "exit,signal,cause,message,usage",
                                    "attempt" },
  [FORE_EVENT_ATTEMPT_RETRY] = { "attempt.retry", AUDIT, "cause,delay,model", "attempt" },
  [FORE_EVENT_ATTEMPT_PROGRESS] = { "attempt.progress", DIAG, "text,tool", "attempt" },
  [FORE_EVENT_ATTEMPT_USAGE] = { "attempt.usage", DIAG, "usage", "attempt" },
  [FORE_EVENT_PLAN_PROPOSED] = { "plan.proposed", AUDIT, "version,hash,items", "plans" },
  [FORE_EVENT_PLAN_APPROVED] = { "plan.approved", AUDIT, "version,hash,by,edited", "plans" },
  [FORE_EVENT_PLAN_CHANGES] = { "plan.changes", AUDIT, "version,feedback,by", "plans" },
  [FORE_EVENT_PLAN_REJECTED] = { "plan.rejected", AUDIT, "version,by", "plans" },
  [FORE_EVENT_ADAPTIVE_PLAN_INJECTED] = { "adaptive.plan_injected", AUDIT, "version,tasks",
                                          "plans" },
  [FORE_EVENT_ADAPTIVE_PLAN_REPAIRED] = { "adaptive.plan_repaired", AUDIT, "version,changes",
                                          "plans" },
  [FORE_EVENT_ADAPTIVE_PLAN_REPAIR_FAILED] = { "adaptive.plan_repair_failed", AUDIT, "problem",
                                               "plans" },
  [FORE_EVENT_ADAPTIVE_PLAN_MISSING] = { "adaptive.plan_missing", AUDIT, "problem", "plans" },
  [FORE_EVENT_GATE_OPENED] = { "gate.opened", AUDIT, "by,version", "gate" },
  [FORE_EVENT_GOAL_TURN] = { "goal.turn", AUDIT,
                             "turn,achieved,blocked,verified,reason,evidence,cost", "goal" },
  [FORE_EVENT_GOAL_ENDED] = { "goal.ended", AUDIT, "state,turns,reason", "goal" },
  [FORE_EVENT_SCRIPT_PHASE] = { "script.phase", AUDIT, "title,n", "script" },
  [FORE_EVENT_REQUEST_OPENED] = { "request.opened", AUDIT, "id,kind,title", "run-state" },
  [FORE_EVENT_REQUEST_ANSWERED] = { "request.answered", AUDIT, "id,option,by", "run-state" },
  [FORE_EVENT_REQUEST_WITHDRAWN] = { "request.withdrawn", AUDIT, "id,reason", "run-state" },
  [FORE_EVENT_COMMAND_TAKEN] = { "command.taken", AUDIT, "id,kind,by", "commands" },
  [FORE_EVENT_COMMAND_REFUSED] = { "command.refused", AUDIT, "id,kind,by,message", "commands" },
  [FORE_EVENT_BUDGET_WARNING] = { "budget.warning", AUDIT, "used,limit,unit", "budget" },
  [FORE_EVENT_BUDGET_STOP] = { "budget.stop", AUDIT, "used,limit,unit", "budget" },
  [FORE_EVENT_TREE_ADDED] = { "tree.added", AUDIT, "path,branch,base,setup_log,setup_ms", "trees" },
  [FORE_EVENT_TREE_REMOVED] = { "tree.removed", AUDIT, "path,refs", "trees" },
  [FORE_EVENT_TREE_CONFLICT] = { "tree.conflict", AUDIT, "paths", "trees" },
  [FORE_EVENT_LEADER_CHANGED] = { "leader.changed", AUDIT, "paths,tasks", "trees" },
  [FORE_EVENT_HOOK_CALLED] = { "hook.called", DIAG, "name,on,event", "hooks" },
  [FORE_EVENT_HOOK_RAN] = { "hook.ran", DIAG, "name,on,exit,ms,output", "hooks" },
  [FORE_EVENT_HOOK_BLOCKED] = { "hook.blocked", AUDIT, "name,on,exit,ms,output", "hooks" },
  [FORE_EVENT_RECOVERY_FOUND] = { "recovery.found", AUDIT, "pid", "recovery" },
  [FORE_EVENT_RECOVERY_LOST] = { "recovery.lost", AUDIT, "reason", "recovery" },
  [FORE_EVENT_RECOVERY_DIED] = { "recovery.died", AUDIT, "pid,cause,report", "recovery" },
  [FORE_EVENT_SESSION_TAKEN_UP] = { "session.taken_up", AUDIT, "session,ok,message", "attempt" },
  [FORE_EVENT_SUPERVISOR_CONTACT] = { "supervisor.contact", AUDIT, "reason,message,data",
                                      "messages" },
  [FORE_EVENT_SESSION_SAID] = { "session.said", AUDIT, "at,kind,id,text,bytes,again,version",
                                "attempt" },
  [FORE_EVENT_LIMIT_CAPPED] = { "limit.capped", AUDIT, "limit,asked,given", "scheduler" },
  [FORE_EVENT_MESSAGE_QUEUED] = { "message.queued", AUDIT, "id,from,to,kind", "messages" },
  [FORE_EVENT_MESSAGE_SEEN] = { "message.seen", AUDIT, "id,to", "messages" },
  [FORE_EVENT_MESSAGE_DELIVERED] = { "message.delivered", AUDIT, "id,to", "messages" },
  [FORE_EVENT_NOTICE] = { "notice", DIAG, "text", "engine" },
#undef AUDIT
#undef DIAG
};

/**
 * fore_event_new:
 * @type: what happened
 * @task: (nullable): task it is about
 * @attempt: attempt it is about, or 0
 * @data: (nullable): JSON object
 *
 * Makes an event with the time now; the store gives it its place in the order.
 *
 * Returns: (transfer full): a new event
 */
ForeEvent *
fore_event_new (ForeEventType type, const char *task, guint attempt, const char *data)
{
  ForeEvent *event;

  g_return_val_if_fail (type < FORE_N_EVENT_TYPES, NULL);

  event = g_new0 (ForeEvent, 1);
  event->type = type;
  event->time = g_get_real_time ();
  event->task = g_strdup (task);
  event->attempt = attempt;
  event->data = g_strdup (data);

  return event;
}

/**
 * fore_event_copy:
 * @event: an event
 *
 * Returns: (transfer full): a deep copy
 */
ForeEvent *
fore_event_copy (const ForeEvent *event)
{
  ForeEvent *copy;

  g_return_val_if_fail (event != NULL, NULL);

  copy = g_memdup2 (event, sizeof *event);
  copy->task = g_strdup (event->task);
  copy->data = g_strdup (event->data);

  return copy;
}

/**
 * fore_event_free:
 * @event: (nullable): an event
 */
void
fore_event_free (ForeEvent *event)
{
  if (event == NULL)
    return;

  g_free (event->task);
  g_free (event->data);
  g_free (event);
}

/**
 * fore_event_type_to_string:
 * @type: an event type
 *
 * Returns: (transfer none): its name
 */
const char *
fore_event_type_to_string (ForeEventType type)
{
  g_return_val_if_fail (type < FORE_N_EVENT_TYPES, NULL);

  return rows[type].name;
}

/**
 * fore_event_type_from_string:
 * @text: (nullable): a name
 * @type: (out): where to put the type
 *
 * Returns: %FALSE, leaving @type alone, if @text names no event type
 */
gboolean
fore_event_type_from_string (const char *text, ForeEventType *type)
{
  g_return_val_if_fail (type != NULL, FALSE);

  for (guint i = 0; i < FORE_N_EVENT_TYPES; i++)
    {
      if (g_strcmp0 (rows[i].name, text) == 0)
        {
          *type = i;
          return TRUE;
        }
    }

  return FALSE;
}

/**
 * fore_event_type_get_class:
 * @type: an event type
 *
 * Returns: audit or diagnostic
 */
ForeEventClass
fore_event_type_get_class (ForeEventType type)
{
  g_return_val_if_fail (type < FORE_N_EVENT_TYPES, FORE_EVENT_DIAGNOSTIC);

  return rows[type].event_class;
}

/**
 * fore_event_type_get_keys:
 * @type: an event type
 *
 * Returns: (transfer none): names of the keys that its data may have, with commas between
 */
const char *
fore_event_type_get_keys (ForeEventType type)
{
  g_return_val_if_fail (type < FORE_N_EVENT_TYPES, NULL);

  return rows[type].keys;
}

/**
 * fore_event_type_get_source:
 * @type: an event type
 *
 * Returns: (transfer none): the part of the engine that emits it
 */
const char *
fore_event_type_get_source (ForeEventType type)
{
  g_return_val_if_fail (type < FORE_N_EVENT_TYPES, NULL);

  return rows[type].source;
}
