/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-plan-edit.h"

#include "engine/fore-actions.h"

#include "model/fore-id.h"

static void
collect (const ForePlan *plan, const char *id, GPtrArray *ids, guint depth)
{
  const ForePlanItem *item = fore_plan_find_item (plan, id);

  if (depth > plan->items->len)
    return;

  if (item == NULL || !item->dropped)
    {
      for (guint i = 0; i < ids->len; i++)
        {
          if (g_strcmp0 (g_ptr_array_index (ids, i), id) == 0)
            return;
        }
      g_ptr_array_add (ids, g_strdup (id));
      return;
    }
  for (guint i = 0; item->depends_on != NULL && item->depends_on[i] != NULL; i++)
    collect (plan, item->depends_on[i], ids, depth + 1);
}

/**
 * fore_plan_make_effective:
 * @plan: a plan with items that the person left out
 *
 * Returns: (transfer full): @plan without them; what waited for one waits for what that waited for
 */
ForePlan *
fore_plan_make_effective (const ForePlan *plan)
{
  ForePlan *effective;

  g_return_val_if_fail (plan != NULL, NULL);

  effective = fore_plan_copy (plan);
  for (guint i = effective->items->len; i > 0; i--)
    {
      ForePlanItem *item = g_ptr_array_index (effective->items, i - 1);
      g_autoptr (GPtrArray) ids = g_ptr_array_new ();

      if (item->dropped)
        {
          g_ptr_array_remove_index (effective->items, i - 1);
          continue;
        }
      for (guint j = 0; item->depends_on != NULL && item->depends_on[j] != NULL; j++)
        collect (plan, item->depends_on[j], ids, 0);
      g_ptr_array_add (ids, NULL);
      g_strfreev (item->depends_on);
      item->depends_on = (GStrv) g_ptr_array_free (g_steal_pointer (&ids), FALSE);
    }
  fore_plan_update_hash (effective);

  return effective;
}

/**
 * fore_plan_dup_effective:
 * @plan: a plan as it is edited
 *
 * Returns: (transfer full): what fore_plan_make_effective() makes of it, as JSON for an answer
 */
char *
fore_plan_dup_effective (const ForePlan *plan)
{
  g_autoptr (ForePlan) effective = fore_plan_make_effective (plan);

  return fore_actions_plan_to_json (effective);
}

/**
 * fore_plan_count_kept:
 * @plan: a plan
 *
 * Returns: how many of its items the person did not leave out
 */
guint
fore_plan_count_kept (const ForePlan *plan)
{
  guint n = 0;

  g_return_val_if_fail (plan != NULL, 0);

  for (guint i = 0; i < plan->items->len; i++)
    {
      const ForePlanItem *item = g_ptr_array_index (plan->items, i);

      if (!item->dropped)
        n++;
    }

  return n;
}

static gboolean
waits_for (const ForePlan *plan, const char *id, const char *before, guint depth)
{
  const ForePlanItem *item = fore_plan_find_item (plan, id);

  if (g_strcmp0 (id, before) == 0)
    return TRUE;
  if (item == NULL || depth > plan->items->len)
    return FALSE;

  for (guint i = 0; item->depends_on != NULL && item->depends_on[i] != NULL; i++)
    {
      if (waits_for (plan, item->depends_on[i], before, depth + 1))
        return TRUE;
    }

  return FALSE;
}

/**
 * fore_plan_waits_for:
 * @plan: a plan
 * @id: id of an item
 * @before: id of an item
 *
 * Returns: whether @id is @before, or waits for it over any number of items
 */
gboolean
fore_plan_waits_for (const ForePlan *plan, const char *id, const char *before)
{
  g_return_val_if_fail (plan != NULL, FALSE);

  return waits_for (plan, id, before, 0);
}

/**
 * fore_plan_move_item:
 * @plan: a plan
 * @from: position of an item
 * @to: where it goes
 */
void
fore_plan_move_item (ForePlan *plan, guint from, guint to)
{
  gpointer item;

  g_return_if_fail (plan != NULL);
  g_return_if_fail (from < plan->items->len);

  to = MIN (to, plan->items->len - 1);
  if (from == to)
    return;

  item = g_ptr_array_steal_index (plan->items, from);
  g_ptr_array_insert (plan->items, (int) to, item);
}

/**
 * fore_plan_add_item:
 * @plan: a plan
 * @item: (transfer full): a new item
 *
 * Puts @item at the end, with an id of its own made from its title.
 */
void
fore_plan_add_item (ForePlan *plan, ForePlanItem *item)
{
  g_autofree char *base = NULL;
  g_autofree char *id = NULL;

  g_return_if_fail (plan != NULL);
  g_return_if_fail (item != NULL);

  base = fore_id_dup_task_key (item->title);
  id = g_strdup (base != NULL ? base : "task");
  for (guint i = 2; fore_plan_find_item (plan, id) != NULL; i++)
    {
      g_free (id);
      id = g_strdup_printf ("%.36s-%u", base != NULL ? base : "task", i);
    }
  g_free (item->id);
  item->id = g_steal_pointer (&id);
  g_ptr_array_add (plan->items, item);
}

/**
 * fore_plan_list_paths:
 * @plan: a plan
 *
 * Returns: (transfer full) (element-type utf8): paths that its items say they will write, each once
 */
GPtrArray *
fore_plan_list_paths (const ForePlan *plan)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  g_return_val_if_fail (plan != NULL, paths);

  for (guint i = 0; i < plan->items->len; i++)
    {
      const ForePlanItem *item = g_ptr_array_index (plan->items, i);

      for (guint j = 0; !item->dropped && item->paths != NULL && item->paths[j] != NULL; j++)
        {
          if (g_hash_table_add (seen, item->paths[j]))
            g_ptr_array_add (paths, g_strdup (item->paths[j]));
        }
    }

  return paths;
}

static guint
find_level (const ForePlan *plan, GHashTable *levels, const ForePlanItem *item, guint depth)
{
  guint level = GPOINTER_TO_UINT (g_hash_table_lookup (levels, item->id));

  if (level > 0 || depth > plan->items->len)
    return MAX (level, 1);

  level = 1;
  for (guint i = 0; item->depends_on != NULL && item->depends_on[i] != NULL; i++)
    {
      const ForePlanItem *before = fore_plan_find_item (plan, item->depends_on[i]);

      if (before != NULL)
        level = MAX (level, find_level (plan, levels, before, depth + 1) + 1);
    }
  g_hash_table_insert (levels, item->id, GUINT_TO_POINTER (level));

  return level;
}

static void
measure (const ForePlan *plan, guint *width, guint *depth)
{
  g_autoptr (GHashTable) levels = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree guint *counts = g_new0 (guint, plan->items->len + 2);

  *width = 0;
  *depth = 0;
  for (guint i = 0; i < plan->items->len; i++)
    {
      guint level = MIN (find_level (plan, levels, g_ptr_array_index (plan->items, i), 0),
                         plan->items->len + 1);

      counts[level]++;
      *width = MAX (*width, counts[level]);
      *depth = MAX (*depth, level);
    }
}

/**
 * fore_plan_get_width:
 * @plan: a plan without items left out
 *
 * Returns: how many of its items can be worked on at once at most, by their layers
 */
guint
fore_plan_get_width (const ForePlan *plan)
{
  guint width;
  guint depth;

  g_return_val_if_fail (plan != NULL, 0);

  measure (plan, &width, &depth);
  return width;
}

/**
 * fore_plan_get_depth:
 * @plan: a plan without items left out
 *
 * Returns: how many items its longest chain has
 */
guint
fore_plan_get_depth (const ForePlan *plan)
{
  guint width;
  guint depth;

  g_return_val_if_fail (plan != NULL, 0);

  measure (plan, &width, &depth);
  return depth;
}
