/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-plan-json.h"
#include "engine/fore-plan-markdown.h"
#include "text/fore-json.h"

int LLVMFuzzerTestOneInput (const guint8 *data, size_t size);

/* Whatever a person wrote, it is a plan that the runner takes as it stands, or an error. */
int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  static const char *const roles[] = { "executor", "writer", NULL };
  static const char *const taken[] = { "plan", "verify", NULL };
  const ForePlanRules rules = { roles, taken, 50 };
  g_autoptr (GError) error = NULL;
  g_autoptr (ForePlan) plan = NULL;
  g_autoptr (ForePlan) again = NULL;
  g_autoptr (JsonNode) node = NULL;
  g_autofree char *json = NULL;

  plan = fore_plan_from_markdown ((const char *) data, (gssize) size, &rules, &error);
  g_assert_true ((plan == NULL) == (error != NULL));
  if (plan == NULL)
    return 0;

  node = fore_plan_to_json (plan);
  json = fore_json_to_string (node, TRUE);
  again = fore_plan_read_edited (json, &rules, &error);
  g_assert_no_error (error);
  fore_plan_update_hash (plan);
  fore_plan_update_hash (again);
  g_assert_cmpstr (plan->hash, ==, again->hash);

  return 0;
}
