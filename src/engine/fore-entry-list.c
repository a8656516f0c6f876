/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-entry-list.h"

typedef struct
{
  ForeEntry *entry;
  GString *text; /* holds entry->text while pieces are added to it */
} Slot;

struct _ForeEntryList
{
  GPtrArray *slots;
  GHashTable *by_id; /* id, owned by the entry → Slot */
};

static void
slot_free (gpointer data)
{
  Slot *slot = data;

  g_clear_pointer (&slot->entry, fore_entry_free);
  if (slot->text != NULL)
    g_string_free (slot->text, TRUE);
  g_free (slot);
}

static void
slot_settle (Slot *slot)
{
  if (slot->text == NULL)
    return;

  slot->entry->text = g_string_free (g_steal_pointer (&slot->text), FALSE);
}

static void
slot_append (Slot *slot, const char *text)
{
  if (slot->text == NULL)
    {
      slot->text = g_string_new (slot->entry->text);
      g_clear_pointer (&slot->entry->text, g_free);
    }

  g_string_append (slot->text, text != NULL ? text : "");
}

static void
take_over (char **to, char *const *from)
{
  if (*from == NULL)
    return;

  g_free (*to);
  *to = g_strdup (*from);
}

/* What an addition says of the entry beside its text. */
static void
slot_update (Slot *slot, const ForeEntry *entry)
{
  slot->entry->state = entry->state;
  take_over (&slot->entry->name, &entry->name);
  take_over (&slot->entry->title, &entry->title);
  take_over (&slot->entry->input, &entry->input);
  if (entry->exit_code >= 0)
    slot->entry->exit_code = entry->exit_code;
  if (entry->ms >= 0)
    slot->entry->ms = entry->ms;
  slot->entry->offset = entry->offset;
}

static void
add_slot (ForeEntryList *self, const ForeEntry *entry)
{
  Slot *slot = g_new0 (Slot, 1);

  slot->entry = fore_entry_copy (entry);
  slot->entry->append = FALSE;
  g_ptr_array_add (self->slots, slot);
  if (slot->entry->id != NULL)
    g_hash_table_insert (self->by_id, slot->entry->id, slot);
}

static void
replace_slot (ForeEntryList *self, Slot *slot, const ForeEntry *entry)
{
  g_hash_table_remove (self->by_id, slot->entry->id);
  slot_settle (slot);
  fore_entry_free (slot->entry);
  slot->entry = fore_entry_copy (entry);
  slot->entry->append = FALSE;
  g_hash_table_insert (self->by_id, slot->entry->id, slot);
}

/**
 * fore_entry_list_new:
 *
 * Returns: (transfer full): an empty list
 */
ForeEntryList *
fore_entry_list_new (void)
{
  ForeEntryList *self = g_new0 (ForeEntryList, 1);

  self->slots = g_ptr_array_new_with_free_func (slot_free);
  self->by_id = g_hash_table_new (g_str_hash, g_str_equal);

  return self;
}

/**
 * fore_entry_list_free:
 * @list: (nullable): a list
 */
void
fore_entry_list_free (ForeEntryList *list)
{
  if (list == NULL)
    return;

  g_hash_table_unref (list->by_id);
  g_ptr_array_unref (list->slots);
  g_free (list);
}

/**
 * fore_entry_list_add:
 * @list: a list
 * @entry: an entry as a decoder gave it
 *
 * Adds a copy of @entry, or brings the entry with its id up to date.
 */
void
fore_entry_list_add (ForeEntryList *list, const ForeEntry *entry)
{
  Slot *slot;

  g_return_if_fail (list != NULL);
  g_return_if_fail (entry != NULL);

  slot = entry->id != NULL ? g_hash_table_lookup (list->by_id, entry->id) : NULL;
  if (slot == NULL)
    add_slot (list, entry);
  else if (entry->append)
    {
      slot_append (slot, entry->text);
      slot_update (slot, entry);
    }
  else
    replace_slot (list, slot, entry);
}

/**
 * fore_entry_list_steal:
 * @list: a list, empty afterwards
 *
 * Returns: (transfer full) (element-type ForeEntry): its entries
 */
GPtrArray *
fore_entry_list_steal (ForeEntryList *list)
{
  GPtrArray *entries = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_entry_free);

  g_return_val_if_fail (list != NULL, entries);

  for (guint i = 0; i < list->slots->len; i++)
    {
      Slot *slot = list->slots->pdata[i];

      slot_settle (slot);
      g_ptr_array_add (entries, g_steal_pointer (&slot->entry));
    }

  g_hash_table_remove_all (list->by_id);
  g_ptr_array_set_size (list->slots, 0);

  return entries;
}
