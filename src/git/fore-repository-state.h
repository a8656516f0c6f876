/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Where a repository stands just now. */
typedef struct
{
  char *branch;      /* (nullable) short name of the branch of HEAD; NULL: detached */
  char *commit;      /* (nullable) commit of HEAD; NULL: unborn */
  gboolean unborn;   /* there is no commit yet */
  char *operation;   /* (nullable) merge, rebase, … that a person is in the middle of */
  guint n_modified;  /* tracked files that differ, staged or not */
  guint n_untracked; /* ignored ones do not count */
  guint n_conflicted;
  char **dirty_paths; /* the first ones of all these */
  gboolean paths_cut; /* there are more than the limit */
} ForeRepositoryState;

gboolean fore_repository_state_is_dirty (const ForeRepositoryState *self);
void fore_repository_state_free (ForeRepositoryState *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeRepositoryState, fore_repository_state_free)

G_END_DECLS
