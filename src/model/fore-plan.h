/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "model/fore-check.h"

G_BEGIN_DECLS

/**
 * ForePlanItem:
 * @id: id inside the plan; becomes the task's key
 * @title: what a person reads
 * @role: role of the team that works on it
 * @text: what it has to do
 * @depends_on: ids of items (or keys of existing tasks) before it
 * @paths: paths it says it will write
 * @checks: (element-type ForeCheck): verification commands
 * @live: whether it asks for a live session
 * @plans: whether its answer is a plan of what comes after it
 * @dropped: whether the person left it out
 */
typedef struct
{
  char *id;
  char *title;
  char *role;
  char *text;
  GStrv depends_on;
  GStrv paths;
  GPtrArray *checks;
  gboolean live;
  gboolean plans;
  gboolean dropped;
} ForePlanItem;

/**
 * ForePlan:
 * @version: from 1
 * @task: key of the planner's task
 * @title: headline
 * @summary: Markdown
 * @items: (element-type ForePlanItem): the items in order
 * @hash: SHA-256 of the canonical text; binds approvals
 * @repaired: (nullable): what was changed to make it valid
 * @created: microseconds since the epoch
 *
 * What a planner proposed, one version.
 */
typedef struct
{
  guint version;
  char *task;
  char *title;
  char *summary;
  GPtrArray *items;
  char *hash;
  char *repaired;
  gint64 created;
} ForePlan;

ForePlanItem *fore_plan_item_new (const char *id);
ForePlanItem *fore_plan_item_copy (const ForePlanItem *item);
void fore_plan_item_free (ForePlanItem *item);

ForePlan *fore_plan_new (void);
ForePlan *fore_plan_copy (const ForePlan *plan);
void fore_plan_free (ForePlan *plan);
const ForePlanItem *fore_plan_find_item (const ForePlan *plan, const char *id);
void fore_plan_update_hash (ForePlan *plan);

/**
 * ForePlanDelta:
 * @added: ids only in the newer plan
 * @removed: ids only in the older plan
 * @changed: ids in both whose content differs
 */
typedef struct
{
  GPtrArray *added;
  GPtrArray *removed;
  GPtrArray *changed;
} ForePlanDelta;

ForePlanDelta *fore_plan_compare (const ForePlan *older, const ForePlan *newer);
void fore_plan_delta_free (ForePlanDelta *delta);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForePlanItem, fore_plan_item_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForePlan, fore_plan_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForePlanDelta, fore_plan_delta_free)

G_END_DECLS
