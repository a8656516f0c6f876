/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agents/fore-entry.h"

G_BEGIN_DECLS

/**
 * ForeEntryList:
 *
 * Entries of a transcript in the order in which they first came, each id once: a later entry with a
 * known id replaces or extends the earlier one. Text that comes in small pieces is not copied again
 * for each piece. Not thread-safe.
 */
typedef struct _ForeEntryList ForeEntryList;

ForeEntryList *fore_entry_list_new (void);
void fore_entry_list_free (ForeEntryList *list);
void fore_entry_list_add (ForeEntryList *list, const ForeEntry *entry);
GPtrArray *fore_entry_list_steal (ForeEntryList *list);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeEntryList, fore_entry_list_free)

G_END_DECLS
