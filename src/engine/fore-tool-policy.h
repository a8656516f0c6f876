/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agents/fore-entry.h"
#include "engine/fore-run-context.h"
#include "library/fore-tool-rule.h"

G_BEGIN_DECLS

const char *fore_tool_policy_find_answer (ForeRunContext *context,
                                          const ForeTask *task,
                                          const ForeEntry *entry,
                                          const char **by);

G_END_DECLS
