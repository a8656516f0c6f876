/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-plan-draft.h"

#include "app/fore-draft-file.h"
#include "engine/fore-actions.h"

/* Edits belong to the plan that was edited: a newer one does not take them up. */
static char *
dup_name (const char *run, const ForePlan *asked)
{
  return g_strdup_printf ("plan %s %u %s", run, asked->version, asked->hash);
}

/**
 * fore_plan_draft_keep:
 * @run: id of the run
 * @asked: the plan that the person is asked about
 * @edited: what they made of it
 *
 * Keeps the edits until they are forgotten; none are kept where nothing differs. Main thread.
 */
void
fore_plan_draft_keep (const char *run, const ForePlan *asked, const ForePlan *edited)
{
  g_autofree char *name = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  g_return_if_fail (run != NULL);
  g_return_if_fail (asked != NULL);
  g_return_if_fail (edited != NULL);

  name = dup_name (run, asked);
  before = fore_actions_plan_to_json (asked);
  after = fore_actions_plan_to_json (edited);
  fore_draft_file_set (name, g_strcmp0 (before, after) != 0 ? after : NULL);
}

/**
 * fore_plan_draft_take:
 * @run: id of the run
 * @asked: the plan that the person is asked about
 *
 * Main thread.
 *
 * Returns: (transfer full) (nullable): what they had made of it, with all else as in @asked; %NULL
 * if it was not edited
 */
ForePlan *
fore_plan_draft_take (const char *run, const ForePlan *asked)
{
  g_autofree char *name = NULL;
  g_autoptr (ForePlan) edited = NULL;
  g_autoptr (GPtrArray) items = NULL;
  const char *json;

  g_return_val_if_fail (run != NULL, NULL);
  g_return_val_if_fail (asked != NULL, NULL);

  name = dup_name (run, asked);
  json = fore_draft_file_get (name);
  edited = json != NULL ? fore_actions_plan_from_json (json, NULL) : NULL;
  if (edited == NULL)
    return NULL;

  items = g_steal_pointer (&edited->items);
  fore_plan_free (g_steal_pointer (&edited));
  edited = fore_plan_copy (asked);
  g_ptr_array_unref (edited->items);
  edited->items = g_steal_pointer (&items);

  return g_steal_pointer (&edited);
}

/**
 * fore_plan_draft_forget:
 * @run: id of the run
 * @asked: the plan that the person was asked about
 *
 * Main thread.
 */
void
fore_plan_draft_forget (const char *run, const ForePlan *asked)
{
  g_autofree char *name = NULL;

  g_return_if_fail (run != NULL);
  g_return_if_fail (asked != NULL);

  name = dup_name (run, asked);
  fore_draft_file_set (name, NULL);
}
