/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "model/fore-plan.h"

#include <string.h>

/**
 * fore_plan_item_new:
 * @id: id inside the plan
 *
 * Returns: (transfer full): an item
 */
ForePlanItem *
fore_plan_item_new (const char *id)
{
  ForePlanItem *item = g_new0 (ForePlanItem, 1);

  item->id = g_strdup (id);
  item->checks = fore_checks_copy (NULL);

  return item;
}

/**
 * fore_plan_item_copy:
 * @item: an item
 *
 * Returns: (transfer full): a deep copy
 */
ForePlanItem *
fore_plan_item_copy (const ForePlanItem *item)
{
  ForePlanItem *copy;

  g_return_val_if_fail (item != NULL, NULL);

  copy = g_memdup2 (item, sizeof *item);
  copy->id = g_strdup (item->id);
  copy->title = g_strdup (item->title);
  copy->role = g_strdup (item->role);
  copy->text = g_strdup (item->text);
  copy->depends_on = g_strdupv (item->depends_on);
  copy->paths = g_strdupv (item->paths);
  copy->checks = fore_checks_copy (item->checks);

  return copy;
}

/**
 * fore_plan_item_free:
 * @item: (nullable): an item
 */
void
fore_plan_item_free (ForePlanItem *item)
{
  if (item == NULL)
    return;

  g_free (item->id);
  g_free (item->title);
  g_free (item->role);
  g_free (item->text);
  g_strfreev (item->depends_on);
  g_strfreev (item->paths);
  g_clear_pointer (&item->checks, g_ptr_array_unref);
  g_free (item);
}

/**
 * fore_plan_new:
 *
 * Returns: (transfer full): a plan without items
 */
ForePlan *
fore_plan_new (void)
{
  ForePlan *plan = g_new0 (ForePlan, 1);

  plan->items = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_plan_item_free);

  return plan;
}

static gpointer
copy_item (gconstpointer item, gpointer user_data)
{
  return fore_plan_item_copy (item);
}

static GPtrArray *
copy_items (GPtrArray *items)
{
  return g_ptr_array_copy (items, (GCopyFunc) copy_item, NULL);
}

/**
 * fore_plan_copy:
 * @plan: a plan
 *
 * Returns: (transfer full): a deep copy
 */
ForePlan *
fore_plan_copy (const ForePlan *plan)
{
  ForePlan *copy;

  g_return_val_if_fail (plan != NULL, NULL);

  copy = g_memdup2 (plan, sizeof *plan);
  copy->task = g_strdup (plan->task);
  copy->title = g_strdup (plan->title);
  copy->summary = g_strdup (plan->summary);
  copy->hash = g_strdup (plan->hash);
  copy->repaired = g_strdup (plan->repaired);
  copy->items = copy_items (plan->items);

  return copy;
}

/**
 * fore_plan_free:
 * @plan: (nullable): a plan
 */
void
fore_plan_free (ForePlan *plan)
{
  if (plan == NULL)
    return;

  g_free (plan->task);
  g_free (plan->title);
  g_free (plan->summary);
  g_free (plan->hash);
  g_free (plan->repaired);
  g_clear_pointer (&plan->items, g_ptr_array_unref);
  g_free (plan);
}

/**
 * fore_plan_find_item:
 * @plan: a plan
 * @id: id of an item
 *
 * Returns: (nullable) (transfer none): the item
 */
const ForePlanItem *
fore_plan_find_item (const ForePlan *plan, const char *id)
{
  g_return_val_if_fail (plan != NULL, NULL);

  for (guint i = 0; i < plan->items->len; i++)
    {
      const ForePlanItem *item = g_ptr_array_index (plan->items, i);

      if (g_strcmp0 (item->id, id) == 0)
        return item;
    }

  return NULL;
}

/* Each field is fed with its length before it, so that no two plans share a text. */
static void
hash_string (GChecksum *checksum, const char *text)
{
  guint32 length = text != NULL ? (guint32) strlen (text) : G_MAXUINT32;
  guint32 wire = GUINT32_TO_LE (length);

  g_checksum_update (checksum, (const guchar *) &wire, sizeof wire);
  if (text != NULL)
    g_checksum_update (checksum, (const guchar *) text, length);
}

static void
hash_strv (GChecksum *checksum, GStrv words)
{
  for (guint i = 0; words != NULL && words[i] != NULL; i++)
    hash_string (checksum, words[i]);
  hash_string (checksum, NULL);
}

static void
hash_item (GChecksum *checksum, const ForePlanItem *item)
{
  hash_string (checksum, item->id);
  hash_string (checksum, item->title);
  hash_string (checksum, item->role);
  hash_string (checksum, item->text);
  hash_strv (checksum, item->depends_on);
  hash_strv (checksum, item->paths);
  for (guint i = 0; i < item->checks->len; i++)
    {
      const ForeCheck *check = g_ptr_array_index (item->checks, i);

      hash_strv (checksum, check->argv);
    }
  hash_string (checksum, item->live ? "live" : "one-shot");
  /* Plans of before it could be said keep their hash. */
  if (item->plans)
    hash_string (checksum, "plans");
  hash_string (checksum, item->dropped ? "dropped" : "kept");
}

static char *
dup_item_hash (const ForePlanItem *item)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);

  hash_item (checksum, item);

  return g_strdup (g_checksum_get_string (checksum));
}

/**
 * fore_plan_update_hash:
 * @plan: a plan
 *
 * Computes the hash that binds an approval to the content of @plan (SHA-256 over title, summary and
 * all fields of all items in order).
 */
void
fore_plan_update_hash (ForePlan *plan)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);

  g_return_if_fail (plan != NULL);

  hash_string (checksum, plan->title);
  hash_string (checksum, plan->summary);
  for (guint i = 0; i < plan->items->len; i++)
    hash_item (checksum, g_ptr_array_index (plan->items, i));

  g_free (plan->hash);
  plan->hash = g_strdup (g_checksum_get_string (checksum));
}

/**
 * fore_plan_compare:
 * @older: a plan
 * @newer: a later version
 *
 * Returns: (transfer full): which items were added, removed and changed
 */
ForePlanDelta *
fore_plan_compare (const ForePlan *older, const ForePlan *newer)
{
  ForePlanDelta *delta;

  g_return_val_if_fail (older != NULL && newer != NULL, NULL);

  delta = g_new0 (ForePlanDelta, 1);
  delta->added = g_ptr_array_new_with_free_func (g_free);
  delta->removed = g_ptr_array_new_with_free_func (g_free);
  delta->changed = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < newer->items->len; i++)
    {
      const ForePlanItem *item = g_ptr_array_index (newer->items, i);
      const ForePlanItem *before = fore_plan_find_item (older, item->id);
      g_autofree char *hash = dup_item_hash (item);
      g_autofree char *hash_before = before != NULL ? dup_item_hash (before) : NULL;

      if (before == NULL)
        g_ptr_array_add (delta->added, g_strdup (item->id));
      else if (g_strcmp0 (hash, hash_before) != 0)
        g_ptr_array_add (delta->changed, g_strdup (item->id));
    }

  for (guint i = 0; i < older->items->len; i++)
    {
      const ForePlanItem *item = g_ptr_array_index (older->items, i);

      if (fore_plan_find_item (newer, item->id) == NULL)
        g_ptr_array_add (delta->removed, g_strdup (item->id));
    }

  return delta;
}

/**
 * fore_plan_delta_free:
 * @delta: (nullable): a delta
 */
void
fore_plan_delta_free (ForePlanDelta *delta)
{
  if (delta == NULL)
    return;

  g_ptr_array_unref (delta->added);
  g_ptr_array_unref (delta->removed);
  g_ptr_array_unref (delta->changed);
  g_free (delta);
}
