/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

void fore_list_sync (GListStore *store, GPtrArray *target);
void fore_list_sort (GPtrArray *items, GCompareFunc compare);
GHashTable *fore_list_index (GListModel *model, const char *(*get_id) (gpointer item));

G_END_DECLS
