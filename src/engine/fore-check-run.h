/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-run-context.h"
#include "model/fore-task.h"
#include "platform/fore-guard-client.h"

G_BEGIN_DECLS

/**
 * ForeCheckRun:
 *
 * Runs the verification commands of one attempt, one after the other, each under a guard of its own
 * in the task's tree, and judges them.
 */
#define FORE_TYPE_CHECK_RUN (fore_check_run_get_type ())
G_DECLARE_FINAL_TYPE (ForeCheckRun, fore_check_run, FORE, CHECK_RUN, GObject)

ForeCheckRun *fore_check_run_new (ForeRunContext *context,
                                  ForeGuardHub *hub,
                                  const char *run_id,
                                  const ForeTask *task,
                                  guint attempt,
                                  const char *tree);
gboolean fore_check_run_is_held (ForeCheckRun *self);
void fore_check_run_stop (ForeCheckRun *self);

/* Gives back the checks (element-type ForeCheck) with their outcome. */
void fore_check_run_start_async (ForeCheckRun *self,
                                 gboolean adopts,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data);
GPtrArray *fore_check_run_start_finish (ForeCheckRun *self, GAsyncResult *result, GError **error);

ForeVerified fore_checks_judge (GPtrArray *checks);
char *fore_checks_dup_problem (GPtrArray *checks);

G_END_DECLS
