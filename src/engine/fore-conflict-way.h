/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-run-state.h"
#include "git/fore-merge-result.h"

G_BEGIN_DECLS

/**
 * ForeConflictWay:
 * @FORE_CONFLICT_ASK: nobody was asked yet
 * @FORE_CONFLICT_OURS: the first side stands
 * @FORE_CONFLICT_THEIRS: the second side stands
 * @FORE_CONFLICT_AGENT: the task's agent gets a tree with marks and resolves them first
 * @FORE_CONFLICT_HAND: the person gets that tree, and the agent waits
 * @FORE_CONFLICT_RESOLVED: the person says that nothing is left to resolve
 *
 * How a conflict in what a task builds on is settled. It is read from what was answered, so that
 * another runner knows it as well.
 */
typedef enum
{
  FORE_CONFLICT_ASK,
  FORE_CONFLICT_OURS,
  FORE_CONFLICT_THEIRS,
  FORE_CONFLICT_AGENT,
  FORE_CONFLICT_HAND,
  FORE_CONFLICT_RESOLVED,
} ForeConflictWay;

/* Key of a task that was added to put together what would not fit at the end of a run. */
#define FORE_CONFLICT_RESOLVER "resolve"

gboolean fore_conflict_is_resolver (const ForeTask *task);
ForeConflictWay fore_conflict_way_from_kind (const char *kind);
ForeConflictWay fore_conflict_way_find (ForeRunState *state, const ForeTask *task);
ForeMergeFavor fore_conflict_way_get_favor (ForeConflictWay way);

G_END_DECLS
