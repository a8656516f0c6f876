/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "library/fore-library.h"
#include "model/fore-plan.h"

G_BEGIN_DECLS

#define FORE_TYPE_LIBRARY_ITEM (fore_library_item_get_type ())

/* One agent, team, workflow or skill as the library shows it; does not change. */
G_DECLARE_FINAL_TYPE (ForeLibraryItem, fore_library_item, FORE, LIBRARY_ITEM, GObject)

GPtrArray *fore_library_items_new (ForeLibrary *library);

const char *fore_library_item_get_kind (ForeLibraryItem *self);
const char *fore_library_item_get_name (ForeLibraryItem *self);
const char *fore_library_item_get_description (ForeLibraryItem *self);
const char *fore_library_item_get_path (ForeLibraryItem *self);
const char *fore_library_item_get_faults (ForeLibraryItem *self);
const char *const *fore_library_item_get_facts (ForeLibraryItem *self);
const ForePlan *fore_library_item_get_plan (ForeLibraryItem *self);
gboolean fore_library_item_is_own (ForeLibraryItem *self);
gboolean fore_library_item_is_usable (ForeLibraryItem *self);
char *fore_library_item_dup_origin (ForeLibraryItem *self);
gboolean fore_library_item_equal (ForeLibraryItem *self, ForeLibraryItem *other);
gboolean fore_library_item_is_same (ForeLibraryItem *self, ForeLibraryItem *other);
gboolean fore_library_item_matches (ForeLibraryItem *self, const char *words);

G_END_DECLS
