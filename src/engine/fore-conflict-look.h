/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

#include "model/fore-task.h"

G_BEGIN_DECLS

/* One look at the work of all tasks, and what the looks before it found. */
typedef struct ForeConflictLook ForeConflictLook;

ForeConflictLook *
fore_conflict_look_new (const char *project, const char *scratch_dir, GPtrArray *tasks);
void fore_conflict_look_run (ForeConflictLook *self, ForeConflictLook *before);
GHashTable *fore_conflict_look_get_pairs (ForeConflictLook *self);
void fore_conflict_look_free (ForeConflictLook *self);

char *fore_conflict_pair_new (const char *one, const char *two);
void fore_conflict_pair_split (const char *pair, char **one, char **two);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeConflictLook, fore_conflict_look_free)

G_END_DECLS
