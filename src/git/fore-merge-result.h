/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * ForeMergeFavor:
 * @FORE_MERGE_FAVOR_NONE: conflicts are reported, nothing is made
 * @FORE_MERGE_FAVOR_OURS: what came first wins where both changed the same
 * @FORE_MERGE_FAVOR_THEIRS: what came later wins
 * @FORE_MERGE_FAVOR_MARKERS: both stand in the file between conflict marks, for someone to edit;
 *   the commit is made and the conflicts are reported as well
 */
typedef enum
{
  FORE_MERGE_FAVOR_NONE,
  FORE_MERGE_FAVOR_OURS,
  FORE_MERGE_FAVOR_THEIRS,
  FORE_MERGE_FAVOR_MARKERS,
} ForeMergeFavor;

typedef enum
{
  FORE_MERGE_FAST_FORWARD,
  FORE_MERGE_COMMIT,
  FORE_MERGE_SQUASH,
} ForeMergeMode;

typedef enum
{
  FORE_MERGE_SIDE_BASE,
  FORE_MERGE_SIDE_OURS,
  FORE_MERGE_SIDE_THEIRS,
  FORE_N_MERGE_SIDES,
} ForeMergeSide;

/* Ids are of blobs; NULL: the file is not on that side. */
typedef struct
{
  char *path;
  char *base;
  char *ours;
  char *theirs;
  GBytes *contents[FORE_N_MERGE_SIDES]; /* (nullable) where they were asked for, and are no more
                                           than FORE_MERGE_MAX_CONTENTS bytes */
} ForeMergeConflict;

#define FORE_MERGE_MAX_CONTENTS (1024 * 1024)

typedef struct
{
  gboolean clean;         /* nothing is in the way */
  char *commit;           /* (nullable) what was made, or would be in a dry run */
  char *tree;             /* (nullable) */
  GPtrArray *conflicts;   /* of ForeMergeConflict */
  char *conflict_with;    /* (nullable) commit, or task key, at which the conflicts came up */
  char **local_conflicts; /* files edited in the person's folder that the merge would overwrite */
  gboolean up_to_date;    /* the target has it all already */
  gboolean with_contents; /* what is in conflict was asked for */
} ForeMergeResult;

const char *fore_merge_conflict_get_id (const ForeMergeConflict *self, ForeMergeSide side);
const char *fore_merge_mode_to_string (ForeMergeMode mode);
gboolean fore_merge_mode_from_string (const char *text, ForeMergeMode *mode);
void fore_merge_result_free (ForeMergeResult *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeMergeResult, fore_merge_result_free)

G_END_DECLS
