/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agents/fore-decoder.h"
#include "agents/fore-entry.h"
#include "git/fore-diff.h"
#include "model/fore-attempt.h"
#include "model/fore-command.h"
#include "model/fore-event.h"
#include "model/fore-message.h"
#include "model/fore-plan.h"
#include "model/fore-request.h"
#include "model/fore-run.h"
#include "model/fore-task.h"
#include "store/fore-store.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* The JSON shapes of foredeckctl. A member, once shipped, keeps its name, type and meaning; what is
 * unknown is left out. Times are ISO 8601 in UTC, durations milliseconds, costs dollars. All of
 * them return a new object or array.
 */

char *fore_ctl_json_dup_time (gint64 us);

JsonObject *fore_ctl_json_run (const ForeRun *run, ForeOwnerState owner, GPtrArray *requests);
JsonObject *fore_ctl_json_task (const char *run_id, const ForeTask *task, GPtrArray *attempts);
JsonObject *fore_ctl_json_attempt (const ForeAttempt *attempt);
JsonObject *fore_ctl_json_request (const ForeRequest *request);
JsonObject *fore_ctl_json_plan (const ForePlan *plan, const ForeRun *run);
JsonObject *fore_ctl_json_plan_delta (const ForePlan *older, const ForePlan *newer);
JsonObject *fore_ctl_json_event (const char *run_id, const ForeEvent *event);
JsonObject *fore_ctl_json_message (const ForeMessage *message);
JsonObject *fore_ctl_json_usage (const ForeUsage *usage);
JsonObject *fore_ctl_json_entry (const ForeEntry *entry);
JsonObject *fore_ctl_json_summary (const ForeSummary *summary);
JsonObject *fore_ctl_json_diff (const ForeDiff *diff, gboolean with_hunks);

JsonArray *fore_ctl_json_checks (GPtrArray *checks);
JsonArray *fore_ctl_json_options (GPtrArray *options);
JsonArray *fore_ctl_json_strv (const char *const *words);
JsonArray *fore_ctl_json_texts (GPtrArray *texts);

void fore_ctl_json_set_text (JsonObject *object, const char *member, const char *text);
void fore_ctl_json_set_time (JsonObject *object, const char *member, gint64 us);
void fore_ctl_json_set_known (JsonObject *object, const char *member, gint64 value);
void fore_ctl_json_set_positive (JsonObject *object, const char *member, gint64 value);
void fore_ctl_json_take_object (JsonObject *object, const char *member, JsonObject *value);

G_END_DECLS
