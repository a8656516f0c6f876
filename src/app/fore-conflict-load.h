/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-job.h"
#include "git/fore-merge-result.h"
#include "model/fore-request.h"
#include "store/fore-store.h"

G_BEGIN_DECLS

/**
 * ForeConflictText:
 * @text: (nullable): valid UTF-8 without what acts unseen; %NULL where there is nothing to show
 * @missing: the file is not on that side
 * @above: how many lines of the file stand above @text
 * @below: how many below
 * @changed: (element-type ForeChangedLines): lines of @text that were changed
 */
typedef struct
{
  char *text;
  gboolean missing;
  guint above;
  guint below;
  GArray *changed;
} ForeConflictText;

typedef struct
{
  char *path;
  ForeConflictText sides[FORE_N_MERGE_SIDES];
} ForeConflictFile;

/**
 * ForeConflictDoc:
 * @files: (element-type ForeConflictFile): files that are in conflict
 * @theirs: (nullable): key of the task that the second side is of
 * @folder: (nullable): where the person resolves it
 */
typedef struct
{
  GPtrArray *files;
  char *theirs;
  char *folder;
} ForeConflictDoc;

void fore_conflict_query (gpointer owner,
                          ForeStore *store,
                          const ForeRequest *request,
                          GCancellable *cancellable,
                          ForeJobDone done);
ForeConflictDoc *fore_conflict_doc_ref (ForeConflictDoc *self);
void fore_conflict_doc_unref (ForeConflictDoc *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeConflictDoc, fore_conflict_doc_unref)

G_END_DECLS
