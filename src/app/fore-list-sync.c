/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-list-sync.h"

static void
drop_missing (GListStore *store, GPtrArray *target)
{
  g_autoptr (GHashTable) wanted = g_hash_table_new (NULL, NULL);
  guint i = g_list_model_get_n_items (G_LIST_MODEL (store));

  for (guint j = 0; j < target->len; j++)
    g_hash_table_add (wanted, g_ptr_array_index (target, j));

  while (i-- > 0)
    {
      g_autoptr (GObject) item = g_list_model_get_item (G_LIST_MODEL (store), i);

      if (!g_hash_table_contains (wanted, item))
        g_list_store_remove (store, i);
    }
}

static void
place (GListStore *store, guint position, GObject *item)
{
  g_autoptr (GObject) there = g_list_model_get_item (G_LIST_MODEL (store), position);
  guint old;

  if (there == item)
    return;

  if (g_list_store_find (store, item, &old))
    g_list_store_remove (store, old);
  g_list_store_insert (store, position, item);
}

static void
append_all (GListStore *store, GPtrArray *target)
{
  g_list_store_splice (store, 0, 0, target->pdata, target->len);
}

/**
 * fore_list_sync:
 * @store: a list
 * @target: (element-type GObject): the items it shall hold, each once, in their order
 *
 * Makes @store hold @target with as few changes as there are differences: an item that stays where
 * it is is not touched.
 */
void
fore_list_sync (GListStore *store, GPtrArray *target)
{
  g_return_if_fail (G_IS_LIST_STORE (store));
  g_return_if_fail (target != NULL);

  if (g_list_model_get_n_items (G_LIST_MODEL (store)) == 0)
    {
      if (target->len > 0)
        append_all (store, target);
      return;
    }

  drop_missing (store, target);
  for (guint i = 0; i < target->len; i++)
    place (store, i, g_ptr_array_index (target, i));
}

static int
compare_pointed (gconstpointer a, gconstpointer b, gpointer data)
{
  GCompareFunc compare = *(GCompareFunc *) data;

  return compare (*(gconstpointer *) a, *(gconstpointer *) b);
}

/**
 * fore_list_sort:
 * @items: an array of pointers
 * @compare: compares two of the pointers themselves
 *
 * Sorts @items in place.
 */
void
fore_list_sort (GPtrArray *items, GCompareFunc compare)
{
  g_return_if_fail (items != NULL);

  g_ptr_array_sort_with_data (items, compare_pointed, &compare);
}

/**
 * fore_list_index:
 * @model: a list
 * @get_id: what tells an item's id
 *
 * Returns: (transfer full): the items by id; the ids are copies, as an item that is brought up to
 *   date may free its own
 */
GHashTable *
fore_list_index (GListModel *model, const char *(*get_id) (gpointer item))
{
  GHashTable *index = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  guint n = g_list_model_get_n_items (model);

  for (guint i = 0; i < n; i++)
    {
      gpointer item = g_list_model_get_item (model, i);

      g_hash_table_insert (index, g_strdup (get_id (item)), item);
    }

  return index;
}
