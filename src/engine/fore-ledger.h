/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "git/fore-rescue.h"
#include "git/fore-tree-report.h"
#include "store/fore-store.h"

G_BEGIN_DECLS

/* What rescued work may take up before a person is told. */
#define FORE_LEDGER_QUOTA ((guint64) 1024 * 1024 * 1024)

/**
 * ForeTreeRecord:
 * @run: run it belongs to
 * @task: its task
 * @project: folder of the project
 * @path: the tree's folder
 * @git_dir: its entry in the project's git folder
 * @branch: (nullable): its branch
 * @base: (nullable): commit it started from
 * @commit: (nullable): commit of the task's work
 * @exists: whether folder or entry is still there
 * @leftover: whether no task knows it: its creation was cut short
 * @bytes: what the folder takes up
 * @report: (nullable): what its removal would mean; %NULL when it does not exist
 * @obstacles: why it stays, as sentences; none: it can be cleaned away without loss
 *
 * A working tree as the store, git and the disk know it.
 */
typedef struct
{
  char *run;
  char *task;
  char *project;
  char *path;
  char *git_dir;
  char *branch;
  char *base;
  char *commit;
  gboolean exists;
  gboolean leftover;
  guint64 bytes;
  ForeTreeReport *report;
  char **obstacles;
} ForeTreeRecord;

void fore_tree_record_free (ForeTreeRecord *self);
gboolean fore_tree_record_is_safe (const ForeTreeRecord *self);

GPtrArray *
fore_ledger_list_trees (ForeStore *store, const char *run_id, guint limit, GError **error);
gboolean fore_ledger_remove_tree (ForeStore *store,
                                  const ForeTreeRecord *record,
                                  gboolean drop_obstacles,
                                  char ***rescue_refs,
                                  GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeTreeRecord, fore_tree_record_free)

G_END_DECLS
