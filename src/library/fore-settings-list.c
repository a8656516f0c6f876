/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library/fore-settings-private.h"

#include <string.h>

static int
compare_entries (gconstpointer a, gconstpointer b)
{
  const ForeSettingsEntry *x = *(ForeSettingsEntry *const *) a;
  const ForeSettingsEntry *y = *(ForeSettingsEntry *const *) b;

  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;

  return strcmp (x->name, y->name);
}

/**
 * fore_settings_list:
 * @self: settings
 *
 * Lists every setting with its value in force and its layer, in the order of the registry. Keys
 * that stand for many names appear with the names that somebody set.
 *
 * Returns: (transfer full) (element-type ForeSettingsEntry): the list, which owns what is in it
 */
GPtrArray *
fore_settings_list (ForeSettings *self)
{
  GPtrArray *list;
  GHashTableIter iter;
  gpointer name, data;

  g_return_val_if_fail (self != NULL, NULL);

  list = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_settings_entry_free);
  g_hash_table_iter_init (&iter, self->slots);
  while (g_hash_table_iter_next (&iter, &name, &data))
    {
      ForeSettingSlot *slot = data;
      ForeSettingsEntry *entry = g_new0 (ForeSettingsEntry, 1);

      entry->name = g_strdup (name);
      entry->key = slot->key;
      entry->text = slot->value != NULL ? fore_setting_value_dup_text (slot->value) : NULL;
      entry->layer = slot->layer;
      g_ptr_array_add (list, entry);
    }
  g_ptr_array_sort (list, compare_entries);

  return list;
}

/**
 * fore_settings_entry_free:
 * @entry: (transfer full): a line of a listing
 *
 * Frees a line of a listing.
 */
void
fore_settings_entry_free (ForeSettingsEntry *entry)
{
  g_return_if_fail (entry != NULL);

  g_free (entry->name);
  g_free (entry->text);
  g_free (entry);
}
