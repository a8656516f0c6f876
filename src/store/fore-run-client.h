/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "model/fore-command.h"
#include "model/fore-message.h"
#include "model/fore-request.h"
#include "store/fore-store.h"

G_BEGIN_DECLS

/* What everybody but the owner may write into a run's file. Each call is one transaction and rings
 * the bell; blocking, for worker threads and foredeckctl. None of them starts a runner: see
 * engine/fore-actions.h.
 */

/* Inserts the one answer that a request can have. FORE_ERROR_STALE when the request is not open any
 * more, was answered, or (plans) when version or hash are not those of the request now;
 * FORE_ERROR_NOT_FOUND when there is no such request; FORE_ERROR_USAGE for an unknown option. */
gboolean fore_run_client_answer (ForeStore *store, const ForeAnswer *answer, GError **error);

/* Inserts @command, giving it its id. */
gboolean fore_run_client_command (ForeStore *store,
                                  const char *run_id,
                                  ForeCommand *command,
                                  GError **error);
gboolean fore_run_client_message (ForeStore *store,
                                  const char *run_id,
                                  ForeMessage *message,
                                  GError **error);

G_END_DECLS
