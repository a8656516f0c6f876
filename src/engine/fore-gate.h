/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-attempt-job.h"

G_BEGIN_DECLS

/* What holds a task until its person was asked: a gate that its own step has, or the one in front
 * of all writing of a run. */
typedef enum
{
  FORE_GATE_NONE,
  FORE_GATE_STEP,
  FORE_GATE_WRITING,
} ForeGate;

ForeGate fore_gate_find (const ForeAttemptServices *services, const ForeTask *task);
void fore_gate_ask (const ForeAttemptServices *services, const ForeTask *task);

G_END_DECLS
