/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "model/fore-attempt.h"
#include "model/fore-task.h"

G_BEGIN_DECLS

/* What the panel says about a task and its attempts. */

char *fore_task_dup_title (const ForeTask *task);
gboolean fore_task_changed_path (const ForeTask *task, const char *path);
char *fore_task_dup_facts (const ForeTask *task, const ForeAttempt *attempt);
const char *fore_task_get_steer_hint (const ForeTask *task, gboolean interrupted);
const char *
fore_task_explain_silence (const ForeTask *task, gboolean interrupted, const char **title);
const ForeAttempt *fore_attempts_find (GPtrArray *attempts, guint n);
char *fore_attempt_dup_launch (const ForeAttempt *attempt);

G_END_DECLS
