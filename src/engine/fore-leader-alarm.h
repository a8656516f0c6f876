/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-attempt-job.h"

G_BEGIN_DECLS

/* Cause of the mark on a task whose transcript names what changed. */
#define FORE_LEADER_MARK "leader"

void fore_leader_alarm_raise (const ForeAttemptServices *services,
                              const char *ended,
                              GStrv paths,
                              GAsyncReadyCallback callback,
                              gpointer user_data);
void fore_leader_alarm_finish (GAsyncResult *result);

G_END_DECLS
