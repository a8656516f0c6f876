/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-entry.h"

static const char *const kind_names[FORE_N_ENTRY_KINDS] = {
  [FORE_ENTRY_SESSION] = "session",   [FORE_ENTRY_TEXT] = "text",
  [FORE_ENTRY_THINKING] = "thinking", [FORE_ENTRY_TOOL] = "tool",
  [FORE_ENTRY_PLAN] = "plan",         [FORE_ENTRY_PERMISSION] = "permission",
  [FORE_ENTRY_PROMPT] = "prompt",     [FORE_ENTRY_NOTICE] = "notice",
  [FORE_ENTRY_ERROR] = "error",       [FORE_ENTRY_USAGE] = "usage",
  [FORE_ENTRY_RESULT] = "result",     [FORE_ENTRY_RAW] = "raw",
};

static const char *const state_names[FORE_N_ENTRY_STATES] = {
  [FORE_ENTRY_DONE] = "done",
  [FORE_ENTRY_RUNNING] = "running",
  [FORE_ENTRY_FAILED] = "failed",
};

/**
 * fore_entry_new:
 * @kind: what it is
 * @id: (nullable): stable id
 *
 * Returns: (transfer full): an entry that is done and says nothing yet
 */
ForeEntry *
fore_entry_new (ForeEntryKind kind, const char *id)
{
  ForeEntry *entry;

  g_return_val_if_fail (kind < FORE_N_ENTRY_KINDS, NULL);

  entry = g_new (ForeEntry, 1);
  *entry = FORE_ENTRY_INIT (kind);
  entry->id = g_strdup (id);

  return entry;
}

static gpointer
copy_option (gconstpointer option, gpointer user_data)
{
  return fore_request_option_copy (option);
}

/**
 * fore_entry_copy:
 * @entry: an entry
 *
 * Returns: (transfer full): a copy that shares nothing with @entry
 */
ForeEntry *
fore_entry_copy (const ForeEntry *entry)
{
  ForeEntry *copy;

  g_return_val_if_fail (entry != NULL, NULL);

  copy = g_new (ForeEntry, 1);
  *copy = *entry;
  copy->id = g_strdup (entry->id);
  copy->parent = g_strdup (entry->parent);
  copy->name = g_strdup (entry->name);
  copy->title = g_strdup (entry->title);
  copy->text = g_strdup (entry->text);
  copy->input = g_strdup (entry->input);
  if (entry->options != NULL)
    {
      copy->options = g_ptr_array_copy (entry->options, copy_option, NULL);
      g_ptr_array_set_free_func (copy->options, (GDestroyNotify) fore_request_option_free);
    }

  return copy;
}

/**
 * fore_entry_free:
 * @entry: (transfer full) (nullable): an entry
 *
 * Frees @entry.
 */
void
fore_entry_free (ForeEntry *entry)
{
  if (entry == NULL)
    return;

  g_free (entry->id);
  g_free (entry->parent);
  g_free (entry->name);
  g_free (entry->title);
  g_free (entry->text);
  g_free (entry->input);
  g_clear_pointer (&entry->options, g_ptr_array_unref);
  g_free (entry);
}

/**
 * fore_entry_kind_to_string:
 * @kind: a kind
 *
 * Returns: (transfer none): the word for @kind
 */
const char *
fore_entry_kind_to_string (ForeEntryKind kind)
{
  g_return_val_if_fail (kind < FORE_N_ENTRY_KINDS, NULL);

  return kind_names[kind];
}

/**
 * fore_entry_state_to_string:
 * @state: a state
 *
 * Returns: (transfer none): the word for @state
 */
const char *
fore_entry_state_to_string (ForeEntryState state)
{
  g_return_val_if_fail (state < FORE_N_ENTRY_STATES, NULL);

  return state_names[state];
}
