/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store/fore-table.h"

#include "model/fore-attempt.h"
#include "model/fore-command.h"
#include "model/fore-event.h"
#include "model/fore-message.h"
#include "model/fore-plan.h"
#include "model/fore-request.h"
#include "model/fore-run.h"
#include "model/fore-task.h"

/* Which field of which structure is which column: the only place that says so. The functions of
 * the model take their own types; the wrappers below give them one signature.
 */
#define DEFINE_WORDS(name, Type, n_values)                                                         \
  static const char *name##_word (int value)                                                       \
  {                                                                                                \
    return fore_##name##_to_string ((Type) value);                                                 \
  }                                                                                                \
  static const ForeColumnWords name##_words = { n_values, name##_word };

#define DEFINE_ROW_TYPE(name, Type, create_row)                                                    \
  static gpointer name##_create (void)                                                             \
  {                                                                                                \
    return create_row;                                                                             \
  }                                                                                                \
  static gpointer name##_copy (gconstpointer row)                                                  \
  {                                                                                                \
    return fore_##name##_copy ((const Type *) row);                                                \
  }                                                                                                \
  static void name##_destroy (gpointer row)                                                        \
  {                                                                                                \
    fore_##name##_free ((Type *) row);                                                             \
  }                                                                                                \
  static const ForeRowType name##_row_type = { name##_columns, G_N_ELEMENTS (name##_columns),      \
                                               name##_create, name##_copy, name##_destroy };

#define FIELD(Type, kind, name, field)                                                             \
  {                                                                                                \
    name, FORE_COLUMN_##kind, G_STRUCT_OFFSET (Type, field), NULL, NULL, FALSE                     \
  }
#define KEPT(Type, kind, name, field)                                                              \
  {                                                                                                \
    name, FORE_COLUMN_##kind, G_STRUCT_OFFSET (Type, field), NULL, NULL, TRUE                      \
  }
#define WORD(Type, name, field, words)                                                             \
  {                                                                                                \
    name, FORE_COLUMN_WORD, G_STRUCT_OFFSET (Type, field), &words##_words, NULL, FALSE             \
  }
#define LIST(Type, name, field, type)                                                              \
  {                                                                                                \
    name, FORE_COLUMN_OBJECTS, G_STRUCT_OFFSET (Type, field), NULL, &type##_row_type, FALSE        \
  }
#define USAGE(Type)                                                                                \
  FIELD (Type, KNOWN, "input", usage.input), FIELD (Type, KNOWN, "output", usage.output),          \
      FIELD (Type, KNOWN, "cache_read", usage.cache_read),                                         \
      FIELD (Type, KNOWN, "cache_write", usage.cache_write),                                       \
      FIELD (Type, KNOWN, "cost", usage.cost), FIELD (Type, BOOL, "estimated", usage.estimated)

DEFINE_WORDS (run_status, ForeRunStatus, FORE_N_RUN_STATUSES)
DEFINE_WORDS (task_status, ForeTaskStatus, FORE_N_TASK_STATUSES)
DEFINE_WORDS (task_phase, ForeTaskPhase, FORE_N_PHASES)
DEFINE_WORDS (cause, ForeCause, FORE_N_CAUSES)
DEFINE_WORDS (verified, ForeVerified, FORE_N_VERIFIED)
DEFINE_WORDS (worker, ForeWorker, FORE_N_WORKERS)
DEFINE_WORDS (effect, ForeEffect, FORE_N_EFFECTS)
DEFINE_WORDS (isolation, ForeIsolation, FORE_ISOLATION_WORKTREES + 1)
DEFINE_WORDS (approval, ForeApproval, FORE_APPROVAL_AUTO + 1)
DEFINE_WORDS (failure_policy, ForeFailurePolicy, FORE_POLICY_ASK + 1)
DEFINE_WORDS (request_kind, ForeRequestKind, FORE_N_REQUEST_KINDS)
DEFINE_WORDS (request_state, ForeRequestState, FORE_N_REQUEST_STATES)
DEFINE_WORDS (command_kind, ForeCommandKind, FORE_N_COMMAND_KINDS)
DEFINE_WORDS (command_state, ForeCommandState, FORE_N_COMMAND_STATES)
DEFINE_WORDS (message_state, ForeMessageState, FORE_N_MESSAGE_STATES)
DEFINE_WORDS (event_type, ForeEventType, FORE_N_EVENT_TYPES)

static const ForeColumn check_columns[] = {
  FIELD (ForeCheck, STRV, "argv", argv),          WORD (ForeCheck, "verified", verified, verified),
  FIELD (ForeCheck, INT, "exit_code", exit_code), FIELD (ForeCheck, INT64, "ms", ms),
  FIELD (ForeCheck, TEXT, "output", output),      FIELD (ForeCheck, STRV, "files", files),
  FIELD (ForeCheck, TEXT, "hash", hash),
};

DEFINE_ROW_TYPE (check, ForeCheck, fore_check_new ((const char *const[]){ NULL }))

static const ForeColumn change_columns[] = {
  FIELD (ForeChange, TEXT, "path", path),
  FIELD (ForeChange, TEXT, "old_path", old_path),
  FIELD (ForeChange, CHAR, "status", status),
  FIELD (ForeChange, INT, "insertions", insertions),
  FIELD (ForeChange, INT, "deletions", deletions),
};

DEFINE_ROW_TYPE (change, ForeChange, fore_change_new ("", 'M', -1, -1))

static const ForeColumn request_option_columns[] = {
  FIELD (ForeRequestOption, TEXT, "id", id),
  FIELD (ForeRequestOption, TEXT, "name", name),
  FIELD (ForeRequestOption, TEXT, "kind", kind),
};

DEFINE_ROW_TYPE (request_option, ForeRequestOption, fore_request_option_new ("", "", ""))

static const ForeColumn plan_item_columns[] = {
  FIELD (ForePlanItem, TEXT, "id", id),
  FIELD (ForePlanItem, TEXT, "title", title),
  FIELD (ForePlanItem, TEXT, "role", role),
  FIELD (ForePlanItem, TEXT, "text", text),
  FIELD (ForePlanItem, STRV, "depends_on", depends_on),
  FIELD (ForePlanItem, STRV, "paths", paths),
  LIST (ForePlanItem, "checks", checks, check),
  FIELD (ForePlanItem, BOOL, "live", live),
  FIELD (ForePlanItem, BOOL, "plans", plans),
  FIELD (ForePlanItem, BOOL, "dropped", dropped),
};

DEFINE_ROW_TYPE (plan_item, ForePlanItem, fore_plan_item_new (""))

static const ForeColumn run_columns[] = {
  FIELD (ForeRun, TEXT, "id", id),
  FIELD (ForeRun, TEXT, "project", project),
  FIELD (ForeRun, TEXT, "goal", goal),
  FIELD (ForeRun, TEXT, "title", title),
  FIELD (ForeRun, TEXT, "team", team),
  FIELD (ForeRun, TEXT, "workflow", workflow),
  WORD (ForeRun, "isolation", options.isolation, isolation),
  WORD (ForeRun, "approval", options.approval, approval),
  WORD (ForeRun, "on_failure", options.on_failure, failure_policy),
  FIELD (ForeRun, INT, "jobs", options.jobs),
  FIELD (ForeRun, KNOWN, "budget_tokens", options.budget_tokens),
  FIELD (ForeRun, KNOWN, "budget_cost", options.budget_cost),
  FIELD (ForeRun, INT64, "timeout", options.timeout),
  FIELD (ForeRun, TEXT, "default_cli", options.cli),
  FIELD (ForeRun, TEXT, "default_model", options.model),
  FIELD (ForeRun, BOOL, "snapshot", options.snapshot),
  FIELD (ForeRun, BOOL, "demo", options.demo),
  WORD (ForeRun, "status", status, run_status),
  FIELD (ForeRun, TEXT, "phase_text", phase_text),
  FIELD (ForeRun, BOOL, "approved", approved),
  FIELD (ForeRun, INT, "plan_version", plan_version),
  FIELD (ForeRun, INT, "approved_version", approved_version),
  FIELD (ForeRun, INT64, "created", created),
  FIELD (ForeRun, INT64, "started", started),
  FIELD (ForeRun, INT64, "finished", finished),
  FIELD (ForeRun, INT64, "owner_pid", owner_pid),
  FIELD (ForeRun, TEXT, "owner_host", owner_host),
  FIELD (ForeRun, TEXT, "owner_version", owner_version),
  USAGE (ForeRun),
  FIELD (ForeRun, TEXT, "base_branch", base_branch),
  FIELD (ForeRun, TEXT, "base_commit", base_commit),
  FIELD (ForeRun, TEXT, "result_branch", result_branch),
  FIELD (ForeRun, TEXT, "result_commit", result_commit),
  FIELD (ForeRun, TEXT, "merged_into", merged_into),
  FIELD (ForeRun, TEXT, "merged_commit", merged_commit),
  FIELD (ForeRun, SIZE, "files", files),
  FIELD (ForeRun, SIZE, "insertions", insertions),
  FIELD (ForeRun, SIZE, "deletions", deletions),
  WORD (ForeRun, "verified", verified, verified),
  { "counts", FORE_COLUMN_COUNTS, G_STRUCT_OFFSET (ForeRun, counts), &task_status_words, NULL },
  FIELD (ForeRun, INT, "n_tasks", n_tasks),
  FIELD (ForeRun, INT64, "rev", rev),
};

DEFINE_ROW_TYPE (run, ForeRun, fore_run_new (""))

static const ForeColumn task_columns[] = {
  FIELD (ForeTask, TEXT, "key", key),
  FIELD (ForeTask, INT, "position", position),
  FIELD (ForeTask, TEXT, "title", title),
  FIELD (ForeTask, TEXT, "role", role),
  FIELD (ForeTask, TEXT, "agent", agent),
  FIELD (ForeTask, TEXT, "cli", cli),
  FIELD (ForeTask, TEXT, "model", model),
  FIELD (ForeTask, TEXT, "step", step),
  FIELD (ForeTask, TEXT, "text", text),
  FIELD (ForeTask, STRV, "command", command),
  FIELD (ForeTask, STRV, "depends_on", depends_on),
  FIELD (ForeTask, STRV, "paths", paths),
  LIST (ForeTask, "checks", checks, check),
  FIELD (ForeTask, BOOL, "writes", writes),
  FIELD (ForeTask, BOOL, "adaptive", adaptive),
  FIELD (ForeTask, BOOL, "live", live),
  FIELD (ForeTask, INT, "plan_version", plan_version),
  FIELD (ForeTask, INT, "retries", retries),
  WORD (ForeTask, "status", status, task_status),
  WORD (ForeTask, "phase", phase, task_phase),
  FIELD (ForeTask, TEXT, "waits_for", waits_for),
  FIELD (ForeTask, TEXT, "mark", mark),
  WORD (ForeTask, "worker", worker, worker),
  WORD (ForeTask, "effect", effect, effect),
  WORD (ForeTask, "verified", verified, verified),
  FIELD (ForeTask, INT, "attempts", attempts),
  FIELD (ForeTask, INT, "starts", starts),
  FIELD (ForeTask, INT64, "not_before", not_before),
  USAGE (ForeTask),
  LIST (ForeTask, "files", files, change),
  FIELD (ForeTask, TEXT, "result", result),
  FIELD (ForeTask, TEXT, "message", message),
  WORD (ForeTask, "cause", cause, cause),
  FIELD (ForeTask, TEXT, "branch", branch),
  FIELD (ForeTask, TEXT, "worktree", worktree),
  FIELD (ForeTask, TEXT, "gitdir", gitdir),
  FIELD (ForeTask, TEXT, "base", base),
  FIELD (ForeTask, TEXT, "commit_id", commit),
  FIELD (ForeTask, TEXT, "feedback", feedback),
  FIELD (ForeTask, INT64, "started", started),
  FIELD (ForeTask, INT64, "finished", finished),
  FIELD (ForeTask, INT64, "rev", rev),
};

DEFINE_ROW_TYPE (task, ForeTask, fore_task_new (""))

static const ForeColumn attempt_columns[] = {
  FIELD (ForeAttempt, TEXT, "task", task),
  FIELD (ForeAttempt, INT, "n", n),
  FIELD (ForeAttempt, TEXT, "cli", cli),
  FIELD (ForeAttempt, TEXT, "model", model),
  FIELD (ForeAttempt, TEXT, "session", session),
  FIELD (ForeAttempt, BOOL, "live", live),
  FIELD (ForeAttempt, INT64, "pid", pid),
  FIELD (ForeAttempt, INT64, "pid_start", pid_start),
  KEPT (ForeAttempt, TEXT, "boot_id", boot_id),
  FIELD (ForeAttempt, INT64, "started", started),
  FIELD (ForeAttempt, INT64, "finished", finished),
  FIELD (ForeAttempt, INT, "exit_code", exit_code),
  FIELD (ForeAttempt, INT, "term_signal", term_signal),
  WORD (ForeAttempt, "cause", cause, cause),
  FIELD (ForeAttempt, TEXT, "message", message),
  USAGE (ForeAttempt),
  KEPT (ForeAttempt, STRV, "argv", argv),
  KEPT (ForeAttempt, STRV, "env_names", env_names),
  KEPT (ForeAttempt, TEXT, "cwd", cwd),
  KEPT (ForeAttempt, TEXT, "result", result),
  KEPT (ForeAttempt, TEXT, "base", base),
  FIELD (ForeAttempt, TEXT, "commit_id", commit),
};

DEFINE_ROW_TYPE (attempt, ForeAttempt, fore_attempt_new ("", 1))

static const ForeColumn plan_columns[] = {
  FIELD (ForePlan, INT, "version", version),    FIELD (ForePlan, TEXT, "task", task),
  FIELD (ForePlan, TEXT, "title", title),       FIELD (ForePlan, TEXT, "summary", summary),
  LIST (ForePlan, "items", items, plan_item),   FIELD (ForePlan, TEXT, "hash", hash),
  FIELD (ForePlan, TEXT, "repaired", repaired), FIELD (ForePlan, INT64, "created", created),
};

DEFINE_ROW_TYPE (plan, ForePlan, fore_plan_new ())

static const ForeColumn request_columns[] = {
  FIELD (ForeRequest, TEXT, "id", id),
  FIELD (ForeRequest, TEXT, "run", run),
  FIELD (ForeRequest, TEXT, "task", task),
  FIELD (ForeRequest, INT, "attempt", attempt),
  WORD (ForeRequest, "kind", kind, request_kind),
  FIELD (ForeRequest, TEXT, "title", title),
  FIELD (ForeRequest, TEXT, "body", body),
  LIST (ForeRequest, "options", options, request_option),
  FIELD (ForeRequest, INT, "plan_version", plan_version),
  FIELD (ForeRequest, TEXT, "plan_hash", plan_hash),
  FIELD (ForeRequest, TEXT, "reply_to", reply_to),
  FIELD (ForeRequest, INT64, "created", created),
  FIELD (ForeRequest, INT64, "expires", expires),
  WORD (ForeRequest, "state", state, request_state),
  FIELD (ForeRequest, TEXT, "answer", answer),
  FIELD (ForeRequest, TEXT, "answer_text", answer_text),
  FIELD (ForeRequest, TEXT, "answered_by", answered_by),
  FIELD (ForeRequest, INT64, "answered", answered),
  FIELD (ForeRequest, INT64, "rev", rev),
};

DEFINE_ROW_TYPE (request, ForeRequest, fore_request_new ("", 1, FORE_REQUEST_PLAN))

static const ForeColumn answer_columns[] = {
  FIELD (ForeAnswer, TEXT, "request", request),
  FIELD (ForeAnswer, TEXT, "option", option),
  FIELD (ForeAnswer, TEXT, "text", text),
  FIELD (ForeAnswer, TEXT, "plan_json", plan_json),
  FIELD (ForeAnswer, INT, "plan_version", plan_version),
  FIELD (ForeAnswer, TEXT, "plan_hash", plan_hash),
  FIELD (ForeAnswer, TEXT, "by", by),
  FIELD (ForeAnswer, INT64, "time", time),
};

DEFINE_ROW_TYPE (answer, ForeAnswer, fore_answer_new ("", "", ""))

static const ForeColumn command_columns[] = {
  FIELD (ForeCommand, INT64, "id", id),     WORD (ForeCommand, "kind", kind, command_kind),
  FIELD (ForeCommand, STRV, "args", args),  FIELD (ForeCommand, TEXT, "by", by),
  FIELD (ForeCommand, INT64, "time", time), WORD (ForeCommand, "state", state, command_state),
  FIELD (ForeCommand, INT, "code", code),   FIELD (ForeCommand, TEXT, "message", message),
};

DEFINE_ROW_TYPE (command, ForeCommand, fore_command_new (FORE_COMMAND_PAUSE, NULL, NULL))

static const ForeColumn message_columns[] = {
  FIELD (ForeMessage, INT64, "id", id),      FIELD (ForeMessage, TEXT, "sender", from),
  FIELD (ForeMessage, TEXT, "receiver", to), FIELD (ForeMessage, TEXT, "kind", kind),
  FIELD (ForeMessage, TEXT, "text", text),   WORD (ForeMessage, "state", state, message_state),
  FIELD (ForeMessage, INT64, "time", time),
};

DEFINE_ROW_TYPE (message, ForeMessage, fore_message_new (NULL, NULL, NULL, NULL))

static const ForeColumn event_columns[] = {
  FIELD (ForeEvent, INT64, "seq", seq),       WORD (ForeEvent, "type", type, event_type),
  FIELD (ForeEvent, INT64, "time", time),     FIELD (ForeEvent, TEXT, "task", task),
  FIELD (ForeEvent, INT, "attempt", attempt), FIELD (ForeEvent, TEXT, "data", data),
};

DEFINE_ROW_TYPE (event, ForeEvent, fore_event_new (FORE_EVENT_NOTICE, NULL, 0, NULL))

const ForeTable fore_table_run = { "run", "id", &run_row_type, NULL };
const ForeTable fore_table_tasks = { "tasks", "key", &task_row_type, NULL };
const ForeTable fore_table_attempts = { "attempts", "task, n", &attempt_row_type, "rev" };
const ForeTable fore_table_plans = { "plans", "version", &plan_row_type, "rev" };
const ForeTable fore_table_requests = { "requests", "id", &request_row_type, NULL };
const ForeTable fore_table_answers = { "answers", "request", &answer_row_type, "rev" };
const ForeTable fore_table_commands = { "commands", "id", &command_row_type, "rev" };
const ForeTable fore_table_messages = { "messages", "id", &message_row_type, "rev" };
const ForeTable fore_table_events = { "events", "seq", &event_row_type, NULL };
const ForeTable fore_table_index_runs = { "runs", "id", &run_row_type, "stamp" };
const ForeTable fore_table_index_requests = { "requests", "id", &request_row_type, "stamp" };
