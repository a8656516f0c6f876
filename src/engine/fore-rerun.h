/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/fore-store.h"

G_BEGIN_DECLS

/**
 * ForeRerunKind:
 * @FORE_RERUN_FOLLOW: its agent lives and is followed on
 * @FORE_RERUN_TAKE: its agent ended while nobody looked; what it left is taken
 * @FORE_RERUN_AGAIN: its agent is gone and it is started again
 * @FORE_RERUN_START: it was not started yet
 * @FORE_RERUN_WAIT: it waits for a person
 *
 * What becomes of a task when its run is taken up.
 */
typedef enum
{
  FORE_RERUN_FOLLOW,
  FORE_RERUN_TAKE,
  FORE_RERUN_AGAIN,
  FORE_RERUN_START,
  FORE_RERUN_WAIT,
  FORE_N_RERUN_KINDS
} ForeRerunKind;

/**
 * ForeRerun:
 * @task: a task's key
 * @kind: what becomes of it
 * @why: one sentence
 */
typedef struct
{
  char *task;
  ForeRerunKind kind;
  char *why;
} ForeRerun;

GPtrArray *fore_rerun_list (ForeStore *store, const char *run_id, GError **error);
void fore_rerun_free (ForeRerun *rerun);
const char *fore_rerun_kind_to_string (ForeRerunKind kind);

G_END_DECLS
