/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "model/fore-attempt.h"
#include "model/fore-event.h"
#include "model/fore-request.h"
#include "model/fore-run.h"

G_BEGIN_DECLS

/* Numbers, times and words as a person reads them. Unknown is a dash, never zero. */

char *fore_format_tokens (gint64 tokens);
char *fore_format_cost (gint64 micros);
char *fore_format_span (gint64 us);
char *fore_format_clock (gint64 us);
char *fore_format_age (gint64 when, gint64 now);
char *fore_format_time (gint64 when);
char *fore_format_path (const char *path);
char *fore_format_project (const char *project);
char *fore_format_command (const char *const *argv);
char *fore_format_line (const char *text, guint max_chars);
const char *fore_format_cause (ForeCause cause);
const char *fore_format_run_status (ForeRunStatus status);
const char *fore_format_task_status (ForeTaskStatus status);
const char *fore_format_request_kind (ForeRequestKind kind);
const char *fore_format_request_icon (ForeRequestKind kind);
const char *fore_format_policy (ForeFailurePolicy policy);

G_END_DECLS
