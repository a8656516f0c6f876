/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-plan-json.h"
#include "engine/fore-plan-parser.h"
#include "text/fore-json.h"

int LLVMFuzzerTestOneInput (const guint8 *data, size_t size);

/* Whatever a planner answers, what comes out keeps to the rules and reads back as itself. */
int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  static const char *const roles[] = { "executor", "writer", NULL };
  static const char *const taken[] = { "explore", "plan", NULL };
  const ForePlanRules rules = { roles, taken, 50 };
  g_autofree char *answer = g_strndup ((const char *) data, size);
  g_autofree char *problem = NULL;
  g_autoptr (ForePlan) plan = NULL;
  g_autoptr (ForePlan) again = NULL;
  g_autoptr (JsonNode) node = NULL;

  fore_plan_parse (answer, &rules, &plan, &problem);
  if (plan == NULL)
    return 0;

  g_assert_cmpuint (plan->items->len, <=, rules.max_items);
  node = fore_plan_to_json (plan);
  again = fore_plan_from_json (node, NULL, NULL);
  g_assert_nonnull (again);
  fore_plan_update_hash (plan);
  fore_plan_update_hash (again);
  g_assert_cmpstr (plan->hash, ==, again->hash);

  return 0;
}
