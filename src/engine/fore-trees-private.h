/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/fore-trees.h"

G_BEGIN_DECLS

/* What the files of ForeTrees share. */
struct _ForeTrees
{
  GObject parent_instance;

  char *home;
  char *project;
  char *run_id;
  char *base_commit;
  char *worktree_dir;
  gboolean isolated;
  ForeRunContext *context; /* (nullable) (unowned) */
  GStrv copy;
  GStrv links;
  GStrv setup;
  guint setup_ms;
  GHashTable *seeds; /* task -> paths */
  ForeFingerprint *leader;
};

/* What a job in the pool works on; all copies, so that the caller may go on. */
typedef struct
{
  ForeTask *task;
  GPtrArray *tasks;
  GStrv commits;
  GStrv seeds;
  ForeMergeFavor favor;
  ForeConflictWay way;
  ForeMergeMode mode;
  gboolean renew;
  char *target;
  char *expected; /* where the target was when it was looked at */
  char *commit;
  char *message;
  char *path;
  char *keep;
} Job;

gboolean fore_trees_find_base (
    ForeTrees *self, ForeRepository *repository, const Job *job, ForeTree *tree, GError **error);
gboolean fore_trees_settle_conflicts (ForeRepository *repository,
                                      const Job *job,
                                      ForeTree *tree,
                                      GError **error);
gboolean fore_trees_set_up (
    ForeTrees *self, ForeRepository *repository, const Job *job, ForeTree *tree, GError **error);
void fore_trees_start_job (ForeTrees *self,
                           Job *job,
                           GTaskThreadFunc func,
                           const char *name,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data);

G_END_DECLS
