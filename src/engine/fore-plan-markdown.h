/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-plan-parser.h"

G_BEGIN_DECLS

#define FORE_PLAN_MARKDOWN_MAX (256 * 1024)

ForePlan *fore_plan_from_markdown (const char *text,
                                   gssize length,
                                   const ForePlanRules *rules,
                                   GError **error);

G_END_DECLS
