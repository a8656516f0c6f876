/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "git/fore-diff.h"
#include "store/fore-store.h"

G_BEGIN_DECLS

/* What a run, or one of its tasks (@task nullable), changed, as git computes it; blocking. The type
 * ForeDiff (files > hunks > lines) is src/git's. */
ForeDiff *
fore_changes_load (ForeStore *store, const char *run_id, const char *task, GError **error);
ForeDiff *fore_changes_load_file (ForeStore *store,
                                  const char *run_id,
                                  const char *task,
                                  const char *path,
                                  guint64 max_size,
                                  GError **error);
char *
fore_changes_load_patch (ForeStore *store, const char *run_id, const char *task, GError **error);

/* What a merge of the run's result into @target would do: NULL error and an empty or NULL list for
 * "clean", else the paths in the way, of which the first *@n_conflicts (nullable) changed on both
 * sides. @target NULL means the branch that the run started from. */
GPtrArray *fore_changes_predict_merge (ForeStore *store,
                                       const char *run_id,
                                       const char *target,
                                       char **head,
                                       guint *n_conflicts,
                                       GError **error);

/* Makes a branch of the person's own of the run's result. Blocking. */
gboolean
fore_changes_make_branch (ForeStore *store, const char *run_id, const char *branch, GError **error);

G_END_DECLS
