/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-run-context.h"
#include "engine/fore-run-state.h"

G_BEGIN_DECLS

typedef enum
{
  FORE_YIELD_ASK,
  FORE_YIELD_FAIL,
  FORE_YIELD_ACCEPT
} ForeYieldPolicy;

gboolean fore_yield_is_wanted_of_any (ForeSettings *settings);
gboolean fore_yield_is_wanted (ForeRunContext *context, const ForeTask *task);
guint fore_yield_get_reminders (ForeRunContext *context);
ForeYieldPolicy fore_yield_get_policy (ForeRunContext *context);
guint fore_yield_count_missing (ForeRunState *state, const ForeTask *task);
const char *fore_yield_get_contract (const ForeTask *task);
const char *fore_yield_get_reminder (const ForeTask *task);

G_END_DECLS
