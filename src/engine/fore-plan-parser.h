/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "model/fore-plan.h"

G_BEGIN_DECLS

typedef enum
{
  FORE_PLAN_FOUND,
  FORE_PLAN_REPAIRED,
  FORE_PLAN_BROKEN,
  FORE_PLAN_MISSING,
  FORE_PLAN_NOTHING, /* it says that nothing is left to plan */
} ForePlanFinding;

/**
 * ForePlanRules:
 * @roles: (array zero-terminated=1): roles that the team has
 * @taken: (nullable) (array zero-terminated=1): keys of tasks that the run has already
 * @max_items: most items
 * @may_be_empty: whether nothing may be left to plan
 */
typedef struct
{
  const char *const *roles;
  const char *const *taken;
  guint max_items;
  gboolean may_be_empty;
} ForePlanRules;

ForePlanFinding
fore_plan_parse (const char *answer, const ForePlanRules *rules, ForePlan **plan, char **problem);
gboolean
fore_plan_check (ForePlan *plan, const ForePlanRules *rules, GPtrArray *changes, GError **error);
ForePlan *fore_plan_read_edited (const char *json, const ForePlanRules *rules, GError **error);

G_END_DECLS
