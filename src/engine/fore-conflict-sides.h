/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "git/fore-merge-result.h"
#include "model/fore-request.h"
#include "store/fore-store.h"

G_BEGIN_DECLS

/**
 * ForeConflictSides:
 * @result: the conflicts, with what is on each side
 * @theirs: (nullable): key of the task whose work is the second side; the first side is what was
 *   put together before it
 * @folder: (nullable): tree in which the person resolves it by hand
 *
 * What a request about a conflict is about.
 */
typedef struct
{
  ForeMergeResult *result;
  char *theirs;
  char *folder;
} ForeConflictSides;

ForeConflictSides *
fore_conflict_sides_load (ForeStore *store, const ForeRequest *request, GError **error);
char *fore_conflict_sides_dup_text (const ForeMergeConflict *conflict, ForeMergeSide side);
void fore_conflict_sides_free (ForeConflictSides *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeConflictSides, fore_conflict_sides_free)

G_END_DECLS
